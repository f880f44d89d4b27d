"""Monte Carlo search: try each move many times, play on at random, and count.

Values are for the player to move.
"""

import math
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import numpy as np

from course_lib.agents.baselines import OneStepLookAhead, Random
from course_lib.chance import random_best
from course_lib.parameters import Choice, Range, as_float, checked
from course_lib.position import Position, describe, draw
from course_lib.twospeed import fast, is_lean

UNLIMITED = 1_000_000_000  # as a number of iterations or rollouts
WIN, TIE, LOSS = range(3)  # the columns of what is counted

Iterations = Annotated[
    int, Range(1, UNLIMITED, "iterations a move: each tries every action once", (1, 1000))
]
Rollouts = Annotated[
    int, Range(1, UNLIMITED, "rollouts a move: no new iteration that would exceed them", (1, 10000))
]
Seconds = Annotated[float, Range(0, 3600, "seconds a move; 0: no limit of time", (0, 3))]
Policy = Annotated[Any, Choice((Random, OneStepLookAhead), "who plays the rollouts")]


def rollout(policy, game, state, rng):
    """Both sides play on by `policy` to the end; the result for player 0."""
    while not game.over(state):
        state = game.play(state, policy.choose(game, state, rng))
    return result_for_first(game, state)


def result_for_first(game, state):
    """The result of a finished game, for player 0."""
    result = game.result(state)
    return result if game.mover(state) == 0 else -result


@checked
class MonteCarlo(NamedTuple):
    """Rolls every action out once an iteration and plays the one with the best average.

    Kyziridis & Tsiaousis 2019, algorithm 1. Built by `monte_carlo(game, ...)`.
    """

    game: Any
    counts: np.ndarray  # by action: how many rollouts were won, tied and lost
    means: np.ndarray  # by action: the average result; -∞ where it is not legal
    iterations: Iterations = UNLIMITED
    rollouts: Rollouts = UNLIMITED
    seconds: Seconds = 0.0
    policy: Policy = Random()

    @property
    def lean(self):
        return is_lean(self.policy)

    def choose(self, game, state, rng):
        self.sample(game, state, rng)
        return random_best(self.means, rng)

    def sample(self, game, state, rng):
        """Iterations as long as the budget lasts, at least one; then the averages."""
        until = perf_counter() + self.seconds if self.seconds > 0 else math.inf
        for action in range(len(self.means)):
            self.means[action] = -math.inf
            for outcome in range(3):
                self.counts[action, outcome] = 0
        legal = 0
        for _ in game.actions(state):
            legal += 1
        done = 0
        while done == 0 or (
            done < self.iterations
            and (done + 1) * legal <= self.rollouts
            and (until == math.inf or perf_counter() < until)
        ):
            self.iterate(game, state, rng, math.inf if done == 0 else until)
            done += 1
        for action in game.actions(state):
            won, lost = self.counts[action, WIN], self.counts[action, LOSS]
            self.means[action] = (won - lost) / (won + self.counts[action, TIE] + lost)

    def iterate(self, game, state, rng, until):
        """One rollout of each action, as far as time allows."""
        for action in game.actions(state):
            if until < math.inf and perf_counter() >= until:
                return
            result = rollout(self.policy, game, game.play(state, action), rng)
            result = result if game.mover(state) == 0 else -result
            self.counts[action, TIE - result] += 1


def monte_carlo(
    game,
    iterations: Iterations = None,
    rollouts: Rollouts = None,
    seconds: Seconds = None,
    policy: Policy = Random(),  # noqa: B008 (immutable)
):
    """A `MonteCarlo` for this game. Without any budget it takes 100 iterations a move."""
    if iterations is None and rollouts is None and seconds is None:
        iterations = 100
    return MonteCarlo(
        game,
        np.zeros((game.action_count(), 3), np.int64),
        np.full(game.action_count(), -math.inf),
        iterations=UNLIMITED if iterations is None else iterations,
        rollouts=UNLIMITED if rollouts is None else rollouts,
        seconds=0.0 if seconds is None else as_float(seconds),
        policy=policy,
    )


class Averages(NamedTuple):
    """What Monte Carlo search found, by action: values are for the player to move."""

    position: Position
    values: np.ndarray  # NaN where an action is not legal
    visits: np.ndarray  # rollouts
    counts: np.ndarray  # by action: won, tied, lost

    @property
    def iterations(self):
        return int(self.visits.max())

    @property
    def best_moves(self):
        return [int(action) for action in np.flatnonzero(self.values == np.nanmax(self.values))]

    def errors(self):
        """The standard error of each value: how far off it is likely to be."""
        won, _, lost = self.counts.T
        with np.errstate(invalid="ignore", divide="ignore"):
            spread = (won + lost) / self.visits - self.values**2
            return np.sqrt(spread / self.visits)

    def __repr__(self):
        game = self.position.game
        errors = self.errors()
        return "\n".join(
            f"{describe(game, action)}: {self.values[action]:+.2f} ± {errors[action]:.2f} "
            f"from {self.visits[action]:,} rollouts"
            for action in np.flatnonzero(self.visits)
        )


def sample(agent, game, state, seed=0, speed=None):
    """Let a `MonteCarlo` think about a position, and return what it counted."""
    check_unfinished(game, state)
    rng = np.random.default_rng([seed, 0])
    fast(sample_once, speed, is_lean(game, agent))(agent, game, state, rng)
    counts = agent.counts.copy()
    values = np.where(np.isinf(agent.means), np.nan, agent.means)
    return Averages(Position(game, state), values, counts.sum(axis=1), counts)


def sample_once(agent, game, state, rng):
    agent.sample(game, state, rng)


def check_unfinished(game, state):
    if game.over(state):
        raise ValueError("this game is finished, there is nothing to try:\n" + draw(game, state))
