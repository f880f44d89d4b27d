"""Slot machines: UCB1 finds the best arm, and C says how much it costs."""

import math

import numpy as np
import pytest

from course_lib.bandit import pull

CHANCES = (0.3, 0.5, 0.55, 0.7)


def test_both_speeds_pull_the_same_arms():
    for seed in range(5):
        slow, quick = (pull(CHANCES, 300, 0.8, seed, speed) for speed in ("python", "compiled"))
        np.testing.assert_array_equal(slow.pulls, quick.pulls)
        np.testing.assert_array_equal(slow.wins, quick.wins)
        assert slow.pulls.sum() == 300


def test_every_arm_is_pulled_once_before_any_is_pulled_twice():
    for number in range(5):
        assert pull(CHANCES, number).pulls.tolist() == [1] * number + [0] * (4 - number)


def test_the_best_arm_gets_most_of_many_pulls():
    for seed in range(10):
        assert pull(CHANCES, 3000, 1.0, seed).pulls.argmax() == 3


def test_the_bound_is_mean_plus_c_times_the_root_of_log_all_over_own():
    found = pull(CHANCES, 100, 0.6)
    for arm in range(4):
        bonus = 0.6 * math.sqrt(math.log(100) / found.pulls[arm])
        assert found.bounds()[arm] == pytest.approx(found.means()[arm] + bonus)


def test_too_little_and_too_much_trying_both_cost_wins():
    regret = {
        c: np.mean([pull(CHANCES, 1000, c, seed).regret() for seed in range(60)])
        for c in (0, 0.5, 10)
    }
    assert regret[0] > regret[0.5] < regret[10]


def test_regret_counts_what_the_best_arm_would_have_had_more():
    assert pull([0.2, 0.7], 2).regret() == pytest.approx(0.5)
    assert pull([0.4], 50).regret() == 0


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="chances"):
        pull([1.5], 3)
    with pytest.raises(ValueError, match="number=-1"):
        pull([0.5], -1)
