"""The strength lab without a page."""

import asyncio
import re

import pytest

from course_lib.widgets import strength
from course_lib.widgets.strength import GAMES, OPPONENTS, Rates, bars


def test_it_plays_its_games_and_says_the_rate_with_its_error():
    lab = strength(budget=100, games=100)
    assert lab.rates.games() == 100 and lab.rates.won > 85
    assert re.search(r"won \d+\.\d ± \d\.\d %", lab.words)
    assert "<svg" in lab.picture.value and "MCTS 100, C = 1.4" in lab.picture.value


def test_a_slider_runs_it_again():
    lab = strength(budget=1, games=60)
    few = lab.rates
    lab.budget.value = 300
    assert lab.rates.games() == 60 and lab.rates.won > few.won + 10
    lab.games.value = "Connect4 (4×5, 3)"
    assert "Connect4" in lab.rates.label


def test_a_switch_alone_makes_it_worse():
    lab = strength(budget=1000, games=100)
    good = lab.rates.won
    lab.switches["own_reward"].value = True
    assert lab.rates.won < good - 5 and "own_reward" in lab.rates.label


def test_against_the_other_algorithm_with_equal_rollouts():
    lab = strength("Connect4 (4×5, 3)", "MCS, equal rollouts", budget=200, games=100)
    assert lab.rates.won > 50
    lab.algorithm.value = "MCS"
    assert lab.c.disabled and lab.switches["share"].disabled


def test_bars_are_kept_for_comparison_and_forgotten():
    lab = strength(budget=10, games=20)
    lab.keep()
    lab.budget.value = 100
    assert "MCTS 10, C" in lab.picture.value and "MCTS 100, C" in lab.picture.value
    lab.forget()
    assert "MCTS 10, C" not in lab.picture.value


def test_what_does_not_go_together_is_said():
    lab = strength("TicTacToe 5×5", "Random", budget=3, games=20)
    lab.opponent.value = "Perfect"
    assert "too large" in lab.words
    lab.opponent.value = "Random"
    assert lab.rates.games() == 20
    lab.switches["keep"].value = True
    lab.switches["share"].value = True
    assert "share and keep" in lab.words


def test_in_a_notebook_a_change_cancels_the_run_before():
    async def drag():
        lab = strength(budget=3, games=20)
        for budget in (10, 30, 100):
            lab.budget.value = budget
            await asyncio.sleep(0)
        await lab.task
        return lab

    lab = asyncio.run(drag())
    assert lab.rates.label.startswith("MCTS 100") and lab.rates.games() == 20


def test_the_error_bar_is_never_empty():
    assert Rates("", 50, 0, 0).error() > 0
    assert "100.0 ± " in bars([Rates("", 50, 0, 0)])


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_every_opponent_can_be_played(opponent):
    lab = strength("TicTacToe 3×3", opponent, budget=10, games=20)
    assert lab.rates.games() == 20


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="game='Go': expected one of"):
        strength("Go")
    with pytest.raises(ValueError, match="switches"):
        strength(switches=["turbo"])
    assert len(GAMES) == 7
