"""Tic-trap-toe in a real browser: two persons, one screen, and traps that nobody sees."""

from playwright.sync_api import expect

from tests.browser.test_boards import Shown

IMPORTS = """
from course_lib.games import TicTrapToe
from course_lib.widgets import PERSON, mixing, play
"""


def choose(shown, action):
    """Click the square of an action, once the page offers it."""
    expect(shown.cell(action % 9)).to_have_attribute("data-action", str(action))
    shown.click_anyway(action % 9)


def test_two_persons_lay_their_traps_in_secret_and_one_is_caught(open_notebook):
    page = open_notebook([IMPORTS, "play(TicTrapToe(), PERSON)", "mixing()"])
    shown = Shown(page, 0)
    shown.stands("place a piece")
    choose(shown, 4)
    shown.has(4, "X")
    shown.stands("lay a trap (and O looks away)")
    choose(shown, 9)
    shown.stands("(O) to place a piece")
    shown.has(0, ".")  # nothing is to be seen of the trap
    expect(shown.output).not_to_contain_text("trap on")

    choose(shown, 0)  # O walks into it
    shown.stands("(X) to remove a piece")
    shown.has(0, "Ox")  # now O knows
    choose(shown, 18)
    shown.has(0, ".x")
    shown.stands("lay a trap (and X looks away)")
    choose(shown, 17)
    shown.stands("(X) to place a piece")
    shown.has(8, ".")

    choose(shown, 2)
    choose(shown, 9 + 6)
    shown.stands("(O) to place a piece")
    shown.has(8, ".")  # O's own trap, which bars the square, is a secret
    shown.press("Look")
    shown.has(8, ".o")
    shown.press("Look")
    shown.has(8, ".")
    choose(shown, 8)
    shown.says("you laid your last trap there")

    picture = page.locator(".widget-image").first
    before = picture.get_attribute("src")
    handle = page.locator(".noUi-handle").last
    handle.focus()
    for _ in range(5):
        handle.press("ArrowLeft")
    expect(picture).not_to_have_attribute("src", before)
