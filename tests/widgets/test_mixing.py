"""The sliders of a 2 × 2 game."""

import pytest

from course_lib.exact import solve_game
from course_lib.widgets import mixing


def test_the_worst_case_follows_the_slider():
    shown = mixing([[-1, 1], [0.5, -0.5]])
    assert shown.worst() == -1
    before = shown.image.value
    shown.chance.value = 1 / 3
    assert shown.worst() == pytest.approx(solve_game(shown.payoffs()).value, abs=0.05)
    assert shown.image.value != before
    assert "best possible: +0.00" in repr(shown)


def test_the_payoffs_can_be_changed():
    shown = mixing([[0, 1], [1, 0]], chance=0.5)
    assert shown.worst() == 0.5
    shown.sliders[0].value = 1
    assert shown.worst() == 0.5 and "best possible: +1.00" in repr(shown)
    assert shown.image.alt == repr(shown)


def test_a_matrix_game_is_solved_in_words():
    words = "value 0.500; rows by chance 0.500, 0.500; columns by chance 0.500, 0.500"
    assert repr(solve_game([[0, 1], [1, 0]])) == words
    assert solve_game([[0.25]]).value == pytest.approx(0.25)


@pytest.mark.parametrize("payoffs", [[], [1, 2], [[2, 0]], [[0.0] * 10], [[float("nan")]]])
def test_what_is_no_matrix_game_is_refused(payoffs):
    with pytest.raises(ValueError, match="payoffs"):
        solve_game(payoffs)
