"""Perfect play where both choose at once: by chance, with the right chances."""

from typing import Any, NamedTuple

import numpy as np

from course_lib.exact.traps import HIT_FACTOR, solve_traps


class Equilibrium(NamedTuple):
    """Plays tic-trap-toe so that nobody wins against it in the long run. See `equilibrium(game)`.

    Where missed traps stay a secret it plays as if its opponent's last one, if it does not know
    it, barred nothing: then it promises less.
    """

    game: Any
    solved: Any
    room: np.ndarray  # for chances

    def choose(self, game, state, rng):
        self.solved.chances(game, state, self.room)
        left = rng.random()
        chosen = -1
        for action in game.actions(state):
            if self.room[action] > 0:
                chosen = action
                left -= self.room[action]
                if left < 0:
                    break
        return chosen

    def policy(self, game, state, chances):
        self.solved.chances(game, state, chances)


def equilibrium(game, hit_factor=None, speed=None, progress=None):
    """Solve the game as it is with missed traps shown, and return the agent that plays so.

    hit_factor: see `course_lib.exact.traps`; with 1 the agent counts turns. Where a line can be
    trapped away it has to (that is the default there): an adversary can make such a game go round
    until it is a tie, which without counting costs X five hundredths of a game.
    """
    if hit_factor is None:
        hit_factor = HIT_FACTOR if game.trapped_line_wins else 1
    shown = game._replace(missed_traps_shown=True)
    solution = solve_traps(shown, hit_factor, speed=speed, progress=progress)
    return Equilibrium(game, solution, np.zeros(game.action_count()))
