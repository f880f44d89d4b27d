"""A row of slot machines ("one-armed bandits"): each arm wins with a chance that nobody tells.

Whoever pulls wants to win often, and so must find out which arm is best while already playing.
UCB1 (Auer, Cesa-Bianchi & Fischer 2002) pulls the arm that may yet be the best: the one with the
largest upper confidence bound. MCTS asks the same question at each of its nodes.
"""

import math
from typing import NamedTuple

import numpy as np

from course_lib.parameters import check_seed
from course_lib.twospeed import fast


class Pulls(NamedTuple):
    """What came of a number of pulls."""

    chances: np.ndarray  # the truth
    wins: np.ndarray  # by arm
    pulls: np.ndarray  # by arm
    c: float

    def means(self):
        """The share of wins of each arm; NaN where it was never pulled."""
        with np.errstate(invalid="ignore"):
            return self.wins / self.pulls

    def bounds(self):
        """The upper confidence bounds, by which the next arm is chosen."""
        total = int(self.pulls.sum())
        return np.array([bound(w, n, total, self.c) for w, n in zip(self.wins, self.pulls)])

    def regret(self):
        """How many wins the best arm alone would have had more, on average."""
        return float(np.sum(self.pulls * (self.chances.max() - self.chances)))

    def __repr__(self):
        counts = ", ".join(f"{pulls:,}" for pulls in self.pulls)
        return f"pulls of each arm: {counts}; regret {self.regret():.1f}"


def bound(wins, pulls, total, c):
    """UCB1: the mean of an arm plus C · √(ln of all pulls / its own); ∞ if it was never pulled."""
    if pulls == 0:
        return math.inf
    return wins / pulls + c * math.sqrt(math.log(total) / pulls)


def pull_on(chances, wins, pulls, number, c, rng):
    """So many pulls more, each of the arm with the largest bound."""
    total = pulls.sum()
    for _ in range(number):
        chosen = 0
        best = -math.inf
        for arm in range(len(chances)):
            arms_bound = bound(wins[arm], pulls[arm], total, c)
            if arms_bound > best:
                best = arms_bound
                chosen = arm
        pulls[chosen] += 1
        total += 1
        if rng.random() < chances[chosen]:
            wins[chosen] += 1


def pull(chances, number, c=1.0, seed=0, speed=None):
    """Begin anew and pull so many times by UCB1."""
    chances = np.asarray(chances, float)
    if chances.ndim != 1 or len(chances) == 0 or not ((0 <= chances) & (chances <= 1)).all():
        raise ValueError(f"chances={chances!r}: expected numbers from 0 to 1, one an arm")
    if number < 0 or c < 0:
        raise ValueError(f"number={number!r}, c={c!r}: expected 0 or more")
    check_seed(seed)
    wins, pulls = (np.zeros(len(chances), np.int64) for _ in range(2))
    rng = np.random.default_rng([seed, 0])
    fast(pull_on, speed)(chances, wins, pulls, number, float(c), rng)
    return Pulls(chances, wins, pulls, float(c))
