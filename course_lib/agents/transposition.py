"""Alpha-beta with a memory: a position that is reached by other moves again is not searched again.

A search with a window may return only a bound: that is why an entry says which kind of value it
holds. Kept are the values of searches to the same depth or deeper.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from course_lib.agents.search import INFINITY, NO_LIMIT, Unknown, choose_best
from course_lib.parameters import Range, checked
from course_lib.twospeed import is_lean

EXACT, AT_LEAST, AT_MOST = range(3)
NO_KEY = -1


class Memory(NamedTuple):
    """One entry a slot; a new position takes the slot of an old one."""

    keys: np.ndarray
    values: np.ndarray
    kinds: np.ndarray
    depths: np.ndarray

    def slot(self, key):
        mixed = ((key ^ key >> 31) & 0x7FFFFFFF) * 0x45D9F3B5
        return (mixed >> 15) & (len(self.keys) - 1)

    def answers(self, key, alpha, beta, depth):
        """Whether what is known of the position is enough for this window and depth."""
        slot = self.slot(key)
        if self.keys[slot] != key or self.depths[slot] < depth:
            return False
        kind = self.kinds[slot]
        value = self.values[slot]
        return (
            kind == EXACT
            or (kind == AT_LEAST and value >= beta)
            or (kind == AT_MOST and value <= alpha)
        )

    def keep(self, key, alpha, beta, depth, value):
        """Remember what a search with this window and depth found."""
        slot = self.slot(key)
        self.keys[slot] = key
        self.values[slot] = value
        self.depths[slot] = depth
        self.kinds[slot] = AT_MOST if value <= alpha else AT_LEAST if value >= beta else EXACT


def new_memory(bits):
    """An empty memory of 2**bits entries."""
    size = 1 << bits
    return Memory(
        np.full(size, NO_KEY, np.int64),
        np.zeros(size),
        np.zeros(size, np.int8),
        np.zeros(size, np.int16),
    )


def negamax_with_memory(game, state, alpha, beta, depth, heuristic, notes, memory):
    """`negamax_alpha_beta`, which first asks its memory. Values are for the player to move."""
    notes.enter(alpha, beta)
    if game.over(state):
        return notes.leave(float(game.result(state)))
    if depth == 0:
        return notes.leave(heuristic.estimate(game, state))
    key = game.key(state)
    if memory.answers(key, alpha, beta, depth):
        return notes.leave(memory.values[memory.slot(key)])
    value = -INFINITY
    sure = alpha
    for action in game.actions(state):
        notes.trying(action)
        child = game.play(state, action)
        if game.mover(child) == game.mover(state):
            reply = negamax_with_memory(
                game, child, sure, beta, depth - 1, heuristic, notes, memory
            )
        else:
            reply = -negamax_with_memory(
                game, child, -beta, -sure, depth - 1, heuristic, notes, memory
            )
        value = max(value, reply)
        sure = max(sure, value)
        if sure >= beta:
            notes.cut()
            break
    memory.keep(key, alpha, beta, depth, value)
    return notes.leave(value)


@checked
class NegamaxWithMemory(NamedTuple):
    """Plays one of the best moves by alpha-beta with a transposition table.

    What it has once searched it still knows at its next move. Built by `with_memory(game)`.
    """

    game: Any
    memory: Memory
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
        return negamax_with_memory(
            game, state, -INFINITY, INFINITY, depth, self.heuristic, notes, self.memory
        )


def with_memory(game, depth=NO_LIMIT, bits=16, heuristic=Unknown()):  # noqa: B008 (immutable)
    """A `NegamaxWithMemory` for this game whose table holds 2**bits positions."""
    if not 4 <= bits <= 26:
        raise ValueError(f"bits={bits!r}: expected 4 to 26; the table holds 2**bits positions")
    return NegamaxWithMemory(game, new_memory(bits), depth, heuristic)
