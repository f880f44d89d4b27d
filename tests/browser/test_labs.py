"""Labs, the drawer and the tree in a real browser."""

import re

from tests.browser.hands import drag, middle_when_still, slider

IMPORTS = """
from course_lib.agents import *
from course_lib.experiments.pulles2019 import FIGURES
from course_lib.games import TicTacToe
from course_lib.widgets import *
game = TicTacToe()
"""
CURVE = "img.course-curve"
LINE = ".course-line"


def wait_for_line(page, part):
    page.wait_for_function(
        "part => document.querySelector('.course-line')?.textContent.includes(part)", arg=part
    )


def wait_for_games(page, least, most):
    """Until an unfinished run has played so many games."""
    page.wait_for_function(
        """([least, most]) => {
            const line = document.querySelector('.course-line')?.textContent || '';
            const found = /^([\\d,]+) of [\\d,]+ games/.exec(line);
            const played = found && Number(found[1].replaceAll(',', ''));
            return found && least <= played && played <= most;
        }""",
        arg=[least, most],
    )


def wait_for_new_curve(page, old):
    page.wait_for_function("old => document.querySelector('img.course-curve').src !== old", arg=old)


def wait_for_result(page, old):
    """Another line than the old one; one that begins with the score is of a complete run."""
    page.wait_for_function(
        """old => {
            const line = document.querySelector('.course-line')?.textContent || '';
            return line.startsWith('score') && line !== old;
        }""",
        arg=old,
    )


def test_a_lab_follows_its_sliders(open_notebook):
    page = open_notebook([IMPORTS, 'made = lab(paper=FIGURES["fig3"])', "made"])
    wait_for_line(page, "percentile")
    first, src = page.inner_text(LINE), page.get_attribute(CURVE, "src")
    assert page.get_attribute(CURVE, "alt") == f"learning curve: {first}"

    # A drag: the picture changes, and in the end it is that of the last value.
    drag(page, slider(page, "beads"), 60)
    wait_for_new_curve(page, src)
    wait_for_result(page, first)

    # A kept curve is drawn; Reset brings the paper's values and words back.
    src = page.get_attribute(CURVE, "src")
    page.get_by_role("button", name="Keep this curve").click()
    wait_for_new_curve(page, src)
    page.get_by_role("button", name="Reset").click()
    wait_for_line(page, "percentile")
    assert page.inner_text(LINE) == first

    page.get_by_role("button", name="Export").click()
    page.wait_for_selector("a[download='curve.csv']")
    assert "from course_lib.training import Training" in page.inner_text(
        ".jp-OutputArea-output pre"
    )


def test_a_second_drag_cancels_the_first(open_notebook):
    cells = [IMPORTS, "made = lab(menace, beads=4, games=2000, sessions=1000)", "made"]
    page = open_notebook(cells)
    wait_for_games(page, 500_000, 2_000_000)
    drag(page, slider(page, "win"), 40)
    wait_for_games(page, 0, 500_000)  # it begins again
    drag(page, slider(page, "win"), -20)
    wait_for_games(page, 0, 500_000)
    drag(page, slider(page, "sessions"), -400)  # to one session
    wait_for_line(page, "(sessions: 1)")
    page.wait_for_timeout(500)  # nothing that was cancelled comes afterwards
    assert "(sessions: 1)" in page.inner_text(LINE)


def test_what_does_not_go_together_is_said_in_the_lab(open_notebook):
    page = open_notebook([IMPORTS, 'made = lab(paper=FIGURES["fig9"])', "made"])
    wait_for_line(page, "percentile")
    drag(page, slider(page, "end"), -200)
    wait_for_line(page, "can't stop falling before it begins")
    drag(page, slider(page, "end"), 200)
    wait_for_result(page, "")


def test_the_drawer_shows_what_a_game_changed(open_notebook):
    cells = [
        IMPORTS,
        "machine = menace(game, first=False, second=True)",
        "match = play(game, machine, learn=True)\nmatch",
        "drawer(match)",
    ]
    page = open_notebook(cells)
    page.wait_for_selector(".course-card")
    boxes = "() => document.querySelector('.course-cards').textContent"
    before = page.evaluate(boxes)
    assert page.locator(".course-card.drawn").count() == 0
    board = page.locator(".course-surface").first
    for _ in range(5):
        if "learnt from this game" in board.inner_text():
            break
        answered = board.get_attribute("data-answered")
        board.locator("[data-action]").first.click()
        page.wait_for_function(
            "old => { const board = document.querySelector('.course-surface');"
            "return board.dataset.answered !== old && !board.classList.contains('busy'); }",
            arg=answered,
        )
    page.wait_for_function(f"before => ({boxes})() !== before", arg=before)
    assert page.locator(".course-card.drawn").count() > 0


def test_a_tree_can_be_opened_and_stepped_through(open_notebook):
    cells = [
        IMPORTS,
        "state = game.start()",
        "for action in (0, 1, 4, 8, 3):\n    state = game.play(state, action)",
        "tree(search(Negamax(pruning=True), game, state, keep_tree=1000))",
    ]
    page = open_notebook(cells)
    nodes = page.locator("[data-node]")
    page.wait_for_selector("[data-node]")
    at_first = nodes.count()

    # With the mouse
    page.locator("[data-node='1']").click()
    page.wait_for_function(f"document.querySelectorAll('[data-node]').length > {at_first}")
    # With the keys: the same node has the focus after the repaint
    page.keyboard.press("Enter")
    page.wait_for_function(f"document.querySelectorAll('[data-node]').length === {at_first}")

    step = page.get_by_role("button", name="Step")
    for number in range(1, 4):
        step.click()
        page.wait_for_selector(f".course-node.here[data-node='{number - 1}']")
    assert re.search("step 3 of .*α = .*β = ", page.inner_text(".course-status"))
    assert page.locator("[data-later]").count() > 0


def test_a_lab_works_in_voila_and_under_a_finger(open_in_voila):
    page = open_in_voila([IMPORTS, "lab(menace, games=100, sessions=5)", "board(game)"])
    wait_for_result(page, "")
    words, src = page.inner_text(LINE), page.get_attribute(CURVE, "src")
    drag(page, slider(page, "win"), 40)
    wait_for_new_curve(page, src)
    wait_for_result(page, words)

    # A finger on the board, and the arrow keys on a slider
    finger = page.context.new_cdp_session(page)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    x, y = middle_when_still(page, page.locator("[data-cell='4']"))
    finger.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_selector("[data-cell='4'][data-state='X']")
    words = page.inner_text(LINE)
    page.get_by_role("slider", name="loss").press("ArrowRight")
    wait_for_result(page, words)
