"""How good a frozen agent is, without a single random number."""

from typing import NamedTuple

import numpy as np

from course_lib.bits import contains
from course_lib.exact.ceiling import Rates, ceiling, exact_rates
from course_lib.exact.solve import solve


class Evaluation(NamedTuple):
    """An agent in one seat against one opponent."""

    rates: Rates  # of the agent
    ceiling: Rates  # of the best there could be
    optimal: float  # share of the agent's moves that keep the exact value of the position

    def gap(self):
        """Expected score that is missing to the ceiling, a game."""
        return self.ceiling.score() - self.rates.score()

    def __repr__(self):
        return (
            f"{self.rates}; {self.gap():.4f} points a game below the ceiling ({self.ceiling}); "
            f"{100 * self.optimal:.1f} % of its moves are optimal"
        )


def evaluate(game, agent, opponent, seat=0, solution=None, speed=None):
    """Exact rates of a frozen agent, the ceiling, and its share of optimal moves in these games.

    Both need a `policy`. A learner plays as it does outside of training: without exploration.
    """
    return Evaluation(
        exact_rates(game, agent, opponent, seat, speed),
        ceiling(game, opponent, seat, speed),
        optimal_share(game, agent, opponent, seat, solution or solve(game, speed)),
    )


def optimal_share(game, agent, opponent, seat, solution):
    """Of the moves that the agent makes in such games, the share that the solution calls best."""
    made = optimal = 0.0
    layer = {game.start(): 1.0}  # the positions after 0, 1, 2, ... moves and their chances
    while layer:
        following = {}
        for state, chance in layer.items():
            if game.over(state):
                continue
            own = game.mover(state) == seat
            chances = np.zeros(game.action_count())
            (agent if own else opponent).policy(game, state, chances)
            best = int(solution.best_actions(game, state))
            for action in game.actions(state):
                share = chance * chances[action]
                if share > 0:
                    child = game.play(state, action)
                    following[child] = following.get(child, 0.0) + share
                    if own:
                        made += share
                        optimal += share * contains(best, action)
        layer = following
    return optimal / made if made else 0.0
