"""Perfect play: the game is solved once, then every move is a look-up."""

from typing import Any, NamedTuple

from course_lib.bits import contains, count
from course_lib.chance import random_index


class Perfect(NamedTuple):
    """One of the best moves by the exact solution, each equally likely. See `perfect(game)`."""

    lean = True  # makes no arrays while it plays

    game: Any
    solution: Any

    def choose(self, game, state, rng):
        best = self.solution.best_actions(game, state)
        skip = random_index(count(best), rng)
        for action in game.actions(state):
            if contains(best, action):
                if skip == 0:
                    return action
                skip -= 1
        return -1

    def policy(self, game, state, chances):
        best = self.solution.best_actions(game, state)
        for action in game.actions(state):
            chances[action] = 1.0 / count(best) if contains(best, action) else 0.0


def perfect(game, speed=None):
    """Solve the game and return the agent that plays it perfectly."""
    from course_lib.exact.solve import solve  # which needs other agents to be there

    return Perfect(game, solve(game, speed))
