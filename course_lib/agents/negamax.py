"""Negamax: one rule for both players, since what is good for one is as bad for the other.

Values are for the player to move.
"""

from typing import Annotated, Any, NamedTuple

from course_lib.agents.alpha_beta import negamax_alpha_beta
from course_lib.agents.search import INFINITY, NO_LIMIT, Unknown, choose_best, for_mover
from course_lib.parameters import Range, checked
from course_lib.twospeed import is_lean


def negamax(game, state, depth, heuristic, notes):
    """Pulles 2019, listing 4."""
    notes.enter(-INFINITY, INFINITY)
    if game.over(state):
        return notes.leave(float(game.result(state)))
    if depth == 0:
        return notes.leave(heuristic.estimate(game, state))
    value = -INFINITY
    for action in game.actions(state):
        notes.trying(action)
        child = game.play(state, action)
        reply = negamax(game, child, depth - 1, heuristic, notes)
        value = max(value, for_mover(game, state, child, reply))
    return notes.leave(value)


@checked
class Negamax(NamedTuple):
    """Plays one of the best moves by negamax, with alpha-beta pruning or without."""

    pruning: Annotated[bool, Range(0, 1, "cut what cannot matter (alpha-beta)")] = False
    depth: Annotated[int, Range(1, NO_LIMIT, "moves to look ahead")] = NO_LIMIT
    heuristic: Any = Unknown()

    @property
    def searches_lean(self):
        return is_lean(self.heuristic)

    def choose(self, game, state, rng):
        return choose_best(self, game, state, rng)

    def value(self, game, state, notes):
        """The value for the player to move, `depth` moves ahead."""
        return self.value_to_depth(game, state, self.depth, notes)

    def value_below(self, game, child, notes):
        """Likewise for a position that one move has led to."""
        return self.value_to_depth(game, child, self.depth - 1, notes)

    def from_its_side(self, game, state, value):
        """A value for the player to move, as negamax writes it down: as it is."""
        return value

    def value_to_depth(self, game, state, depth, notes):
        if self.pruning:
            return negamax_alpha_beta(
                game, state, -INFINITY, INFINITY, depth, self.heuristic, notes
            )
        return negamax(game, state, depth, self.heuristic, notes)
