"""Boards in a real browser, played with the mouse and with the keys."""

from playwright.sync_api import expect

IMPORTS = """
from course_lib.agents import Simple, perfect
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.widgets import Buttons, board, doctor, play
game = TicTacToe()
"""
AGENTS = """
class Raising:
    def choose(self, game, state, rng):
        raise KeyError("no plan")

class Endless:
    def choose(self, game, state, rng):
        while True:
            pass

class Cheating:
    def choose(self, game, state, rng):
        return 4
"""


class Shown:
    """One board on the page, as a person uses it."""

    def __init__(self, page, number):
        outputs = page.locator(".jp-OutputArea-output", has=page.locator(".course-surface"))
        self.page = page
        self.output = outputs.nth(number)
        self.status = self.output.locator(".course-status").first
        self.message = self.output.locator(".course-message").first

    def cell(self, number):
        return self.output.locator(f"[data-cell='{number}']").first

    def click(self, number):
        """With the mouse. (playwright's own click waits for an area, and a line has none.)"""
        expect(self.cell(number)).to_have_attribute("data-action", str(number))
        self.click_anyway(number)

    def click_anyway(self, number):
        self.cell(number).evaluate("part => part.scrollIntoView({block: 'center'})")
        box = self.cell(number).bounding_box()
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def has(self, number, state):
        expect(self.cell(number)).to_have_attribute("data-state", state)

    def press(self, name):
        self.output.get_by_role("button", name=name, exact=True).click()

    def says(self, text):
        expect(self.message).to_contain_text(text)

    def stands(self, text):
        expect(self.status).to_contain_text(text)


def count_paintings(shown):
    """From now on the drawing counts how often it is painted."""
    shown.output.locator(".course-drawing").evaluate(
        """drawing => {
            window.paintings = 0;
            new MutationObserver(() => window.paintings++).observe(drawing, {childList: true});
        }"""
    )


def test_games_are_won_with_the_mouse_and_with_the_keys(open_notebook):
    page = open_notebook([IMPORTS, "play(game, Simple(), hints=[perfect(game)])", "board(game)"])
    shown = Shown(page, 0)

    # with the mouse; Simple takes the first free square
    count_paintings(shown)
    shown.click(4)
    shown.has(0, "O")
    assert page.evaluate("window.paintings") == 2, "one for each move"
    shown.click_anyway(0)  # it is taken
    shown.stands("you (X) to move")
    assert page.evaluate("window.paintings") == 2
    shown.press("Hint")
    shown.says("Exactly solved")
    expect(shown.message).not_to_have_class("course-message problem")
    shown.press("Why?")
    shown.says("Simple played top left")
    shown.click(2)
    shown.has(1, "O")
    shown.press("Undo")
    shown.has(2, ".")
    shown.has(4, "X")
    shown.click(2)
    shown.has(1, "O")
    shown.click(6)
    shown.stands("you (X) won")
    shown.stands("you 1, ties 0, Simple 0")
    assert shown.output.locator("rect[fill='#F0E442'][fill-opacity='1']").count() == 3
    expect(shown.output.locator(".course-moves")).to_contain_text("5. bottom left")

    # with the keys: from the top left to the middle, then up, then down the rising diagonal
    shown.press("New game")
    shown.has(4, ".")
    shown.cell(0).focus()
    focus = "document.activeElement.dataset.cell"
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate(focus) == "4"
    page.keyboard.press("Enter")
    shown.has(0, "O")
    assert page.evaluate(focus) == "4", "the focus survives the painting"
    for key in ("ArrowRight", "ArrowUp", "Space"):
        page.keyboard.press(key)
    shown.has(1, "O")
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    shown.stands("you 2, ties 0, Simple 0")
    assert shown.cell(6).get_attribute("role") == "button"
    assert shown.cell(6).get_attribute("aria-label") == "bottom left: X"

    # a board whose kernel is gone
    page.expected_errors.append("Could not send widget sync message")  # JupyterLab's own words
    orphan = Shown(page, 1)
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name="Shut Down Kernel", exact=True).click()
    page.wait_for_selector(".jp-KernelName:has-text('No Kernel')")
    orphan.click(4)
    orphan.says("Run this cell first")


def test_agents_that_fail_leave_the_notebook_usable(open_notebook):
    page = open_notebook(
        [
            IMPORTS + AGENTS,
            "play(game, Raising())",
            "play(game, Cheating())",
            "play(game, Endless())",
            "play(game, Simple(), first=Simple())",
        ]
    )
    raising, cheating, endless, watched = (Shown(page, number) for number in range(4))
    raising.click(4)
    raising.says("KeyError: 'no plan'")
    raising.press("Undo")
    raising.has(4, ".")
    cheating.click(4)
    cheating.says("action 4 is not legal here")
    endless.click(4)
    endless.stands("Endless (O) is thinking")
    raising.click(0)  # the kernel is alive meanwhile
    raising.says("no plan")
    endless.press("Stop")
    endless.says("Stopped")
    endless.press("Undo")
    endless.has(4, ".")
    endless.stands("you (X) to move")
    watched.press("Step")
    watched.has(0, "X")
    watched.press("Undo")
    watched.has(0, ".")
    watched.press("Run")
    watched.stands("Simple (X) won")


def test_other_boards_buttons_and_the_doctor(open_notebook):
    page = open_notebook(
        [
            IMPORTS,
            "play(Connect4(), Simple())",
            "play(DotsAndBoxes(1, 2), Simple())",
            "doctor()",
            "Buttons(board(game))",
        ]
    )
    columns, lines, test = (Shown(page, number) for number in range(3))
    columns.click(3)
    expect(columns.output.locator("circle[data-state='X']")).to_have_count(1)
    expect(columns.output.locator("circle[data-state='O']")).to_have_count(1)
    columns.cell(3).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(columns.output.locator("circle[data-state='X']")).to_have_count(2)
    lines.click(2)
    lines.has(2, "drawn")
    lines.has(0, "drawn")
    test.click(0)
    test.stands("widgets work: 1 clicks reached Python")
    page.get_by_role("button", name="top left", exact=True).click()
    expect(
        page.locator(".jp-OutputArea-output pre", has_text="top left was played")
    ).to_be_visible()


def test_boards_work_in_voila(open_in_voila):
    page = open_in_voila([IMPORTS, "play(game, Simple())"])
    page.locator("[data-cell='4']").click()
    expect(page.locator("[data-cell='0']")).to_have_attribute("data-state", "O")
    page.locator("[data-cell='2']").click()
    expect(page.locator("[data-cell='1']")).to_have_attribute("data-state", "O")
    page.locator("[data-cell='6']").click()
    expect(page.locator(".course-status")).to_contain_text("you (X) won")
