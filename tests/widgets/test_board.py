"""Boards without a browser: what a click does to the model."""

import numpy as np
import pytest

from course_lib.agents import Simple, perfect
from course_lib.arena import play as play_in_the_arena
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.widgets import Buttons, board


def paintings(shown):
    """A list that grows by one entry each time the board is painted."""
    seen = []
    shown.surface.observe(lambda change: seen.append(change["new"]), "view")
    return seen


def click(shown, part):
    """What the page sends."""
    shown.surface.click = [str(part), len(shown.actions) + 1 + np.random.default_rng().random()]


def test_a_board_shows_itself_as_text_and_as_a_picture():
    shown = board(TicTacToe())
    click(shown, 4)
    data = shown._repr_mimebundle_()
    data = data[0] if isinstance(data, tuple) else data
    text = data["text/plain"]
    assert text == repr(shown)
    assert data["image/svg+xml"] == TicTacToe().svg(shown.state, 4), "where no kernel runs"
    assert " X " in text and "middle was played: O to move" in text


@pytest.mark.parametrize("game", [TicTacToe(), Connect4(), DotsAndBoxes(2, 2)])
def test_every_move_is_painted_exactly_once(game):
    shown = board(game)
    seen = paintings(shown)
    for n, action in enumerate((0, 1, 3), 1):
        click(shown, action)
        assert len(seen) == n


@pytest.mark.parametrize("part", ["4", "9", "-1", "nonsense"])
def test_a_click_that_is_no_move_is_answered_in_words_and_changes_nothing(part):
    shown = board(TicTacToe())
    click(shown, 4)
    before = shown.state
    click(shown, part)
    assert shown.state == before
    assert shown.surface.view["problem"] and part in shown.surface.view["message"]
    assert shown.surface.view["answered"] == shown.surface.click[1]
    click(shown, 0)
    assert shown.surface.view["message"] == "" and not shown.surface.view["problem"]


def test_undo_takes_back_one_move_and_new_takes_back_all():
    shown = board(TicTacToe())
    for action in (0, 1, 2):
        click(shown, action)
    shown.undo_button.click()
    assert shown.actions == [0, 1]
    shown.new_button.click()
    assert shown.actions == [] and shown.undo_button.disabled


def test_a_mind_writes_its_values_on_the_board():
    game = TicTacToe()
    shown = board(game, mind=perfect(game))
    for action in (0, 4, 1):
        click(shown, action)
    assert ">-1</text>" in shown.surface.view["html"], "O must block on the right"
    assert ">0</text>" in shown.surface.view["html"]
    assert "<title>top right: empty, 0</title>" in shown.surface.view["html"], "it is spoken, too"


def test_dots_and_boxes_show_the_final_lead_in_boxes_and_a_best_way_on():
    game = DotsAndBoxes(1, 2)
    shown = board(game, mind=perfect(game), words=True)
    for action in (0, 2, 3):
        click(shown, action)
    words = shown.surface.view["message"]
    assert "+2 boxes for the player to move" in words and "by line 5" in words
    assert ">+2</text>" in shown.surface.view["html"]
    way = [int(line) for line in words.rpartition("lines ")[2].split(", ")]
    for action in way:
        click(shown, action)
    assert shown.over() and shown.state.second.bit_count() == 2
    assert shown.surface.view["message"] == ""


def test_a_failing_button_says_so_on_the_board():
    shown = board(TicTacToe())

    def broken():
        raise KeyError("missing bead")

    shown.button("x", "x", broken).click()
    assert "KeyError: 'missing bead'" in shown.surface.view["message"]


def test_a_board_watches_one_game_of_the_arena_after_the_other():
    game = TicTacToe()
    shown = board(game)
    for _ in range(2):
        record = play_in_the_arena(game, Simple(), Simple(), observers=[shown.watch])
        assert shown.actions == [made.action for made in record.moves]


def test_buttons_play_on_the_same_board():
    shown = board(TicTacToe())
    words = Buttons(shown)
    first = words.row.children
    first[4].click()
    assert shown.actions == [4] and repr(words) == repr(shown)
    assert len(words.row.children) == 8
    assert all(each.comm is None for each in first), "buttons of the past are closed"
