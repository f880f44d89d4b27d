"""Minimax: player 0 (Max) wants the largest value, player 1 (Min) the smallest.

Values are for player 0, whoever is to move.
"""

from typing import Annotated, Any, NamedTuple

from course_lib.agents.alpha_beta import minimax_alpha_beta
from course_lib.agents.search import INFINITY, NO_LIMIT, Unknown, choose_best, for_max
from course_lib.parameters import Range, checked
from course_lib.twospeed import is_lean


def minimax(game, state, depth, heuristic, notes):
    """Pulles 2019, listing 1."""
    notes.enter(-INFINITY, INFINITY)
    if game.over(state):
        return notes.leave(for_max(game, state, game.result(state)))
    if depth == 0:
        return notes.leave(for_max(game, state, heuristic.estimate(game, state)))
    if game.mover(state) == 0:
        value = -INFINITY
        for action in game.actions(state):
            notes.trying(action)
            child = game.play(state, action)
            value = max(value, minimax(game, child, depth - 1, heuristic, notes))
    else:
        value = INFINITY
        for action in game.actions(state):
            notes.trying(action)
            child = game.play(state, action)
            value = min(value, minimax(game, child, depth - 1, heuristic, notes))
    return notes.leave(value)


@checked
class Minimax(NamedTuple):
    """Plays one of the best moves by minimax, with alpha-beta pruning or without."""

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
        """A value for the player to move, as minimax writes it down: for player 0."""
        return for_max(game, state, value)

    def value_to_depth(self, game, state, depth, notes):
        if self.pruning:
            value = minimax_alpha_beta(
                game, state, -INFINITY, INFINITY, depth, self.heuristic, notes
            )
        else:
            value = minimax(game, state, depth, self.heuristic, notes)
        return value if game.mover(state) == 0 else -value
