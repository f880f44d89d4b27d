"""What all searches share: the notes that they take, the choice among moves, the evidence.

The algorithms themselves are in `minimax`, `negamax`, `alpha_beta` and `transposition`.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from course_lib.chance import random_best
from course_lib.position import Position, describe, draw
from course_lib.twospeed import fast, is_lean

INFINITY = math.inf
NO_LIMIT = 1_000  # as a depth: further than any game of the course goes
NODES, CUTOFFS, CURRENT, TRIED = range(4)  # what the entries of `Notes.counts` mean
ROOT = -1
PARENT, ACTION, VALUE, ALPHA, BETA, CUT = range(6)  # what the columns of `Notes.tree` mean


class Unknown(NamedTuple):
    """A heuristic that knows nothing: every unfinished position is worth 0."""

    lean = True

    def estimate(self, game, state):
        return 0.0


class Promise(NamedTuple):
    """The game's own heuristic, `game.promise(state)`: between -1 and 1, for the player to move."""

    lean = True

    def estimate(self, game, state):
        return game.promise(state)


class Notes(NamedTuple):
    """What a search writes down: how many nodes and cut-offs and, if there is room, its tree."""

    counts: np.ndarray
    tree: np.ndarray  # a row a node. One array, not six: each costs time in every call

    def enter(self, alpha, beta):
        """A node is reached, by the action that was last tried."""
        node = self.counts[NODES]
        if node < len(self.tree):
            self.tree[node, PARENT] = self.counts[CURRENT]
            self.tree[node, ACTION] = self.counts[TRIED]
            self.tree[node, ALPHA] = alpha
            self.tree[node, BETA] = beta
            self.counts[CURRENT] = node
        self.counts[NODES] += 1

    def trying(self, action):
        self.counts[TRIED] = action

    def cut(self):
        """The rest of the current node's moves need no look."""
        self.counts[CUTOFFS] += 1
        node = self.counts[CURRENT]
        if node >= 0 and self.complete():
            self.tree[node, CUT] = 1

    def leave(self, value):
        """The current node is worth `value`: write it down and hand it on."""
        node = self.counts[CURRENT]
        if node >= 0 and self.complete():
            self.tree[node, VALUE] = value
            self.counts[CURRENT] = int(self.tree[node, PARENT])
        return value

    def complete(self):
        """Whether all nodes so far had room."""
        return self.counts[NODES] <= len(self.tree)


def new_notes(room):
    """Empty notes with room for the tree's first `room` nodes (0: only count)."""
    counts = np.zeros(4, np.int64)
    counts[CURRENT] = ROOT
    counts[TRIED] = -1
    return Notes(counts, np.zeros((room, 6)))


def for_mover(game, state, child, value):
    """A child's value for its own mover, as the parent's mover sees it.

    The sign turns only if the turn passes: in dots and boxes it may not.
    """
    return value if game.mover(child) == game.mover(state) else -value


def for_max(game, state, value):
    """A value for the player to move, as player 0 sees it."""
    return float(value) if game.mover(state) == 0 else -float(value)


def value_of_moves(searcher, game, state, notes, values):
    """Writes down the value of each legal action for the player to move.

    Pulles 2019, listings 2 and 5. Each child is searched with a full window: an α carried over
    from its siblings would return mere bounds for later ones, and wrong moves would look equal.
    """
    notes.enter(-INFINITY, INFINITY)
    best = -INFINITY
    for action in game.actions(state):
        notes.trying(action)
        child = game.play(state, action)
        values[action] = for_mover(game, state, child, searcher.value_below(game, child, notes))
        best = max(best, values[action])
    notes.leave(searcher.from_its_side(game, state, best))


def choose_best(searcher, game, state, rng):
    """One of the best moves, each equally likely."""
    values = no_values(game)
    value_of_moves(searcher, game, state, new_notes(0), values)
    return random_best(values, rng)


def no_values(game):
    """Room for a value of each action; NaN where an action is not legal."""
    return np.full(game.action_count(), np.nan)


class Tree(NamedTuple):
    """The nodes that a search walked, in the order of its visits; node 0 is the root.

    `values[n]`, `alphas[n]` and `betas[n]` are as the algorithm itself held them: from player 0's
    side in minimax, from the side of the node's mover in negamax.
    """

    game: Any
    root: Any
    parents: np.ndarray
    actions: np.ndarray
    values: np.ndarray
    alphas: np.ndarray
    betas: np.ndarray
    cuts: np.ndarray
    complete: bool

    def children(self, node):
        return [int(child) for child in np.flatnonzero(self.parents == node)]

    def state(self, node):
        """The position at a node."""
        if node == 0:
            return self.root
        before = self.state(int(self.parents[node]))
        return self.game.play(before, int(self.actions[node]))


class Evidence(NamedTuple):
    """What a search found: values are for the player to move at the root."""

    position: Position
    value: float
    best_moves: list
    values: np.ndarray
    nodes: int
    cutoffs: int
    tree: Tree

    def __repr__(self):
        game = self.position.game
        moves = ", ".join(describe(game, move) for move in self.best_moves)
        return (
            f"value {self.value:g} for {self.position.status().split()[0]}; best: {moves}; "
            f"{self.nodes:,} nodes, {self.cutoffs:,} cut-offs"
        )


def search(searcher, game, state, keep_tree=0, speed=None):
    """Search a position and return the evidence, with the first `keep_tree` nodes of its tree."""
    if game.over(state):
        raise ValueError("this game is finished, there is nothing to search:\n" + draw(game, state))
    if keep_tree < 0:
        raise ValueError(f"keep_tree={keep_tree}: expected how many nodes to keep, 0 or more")
    notes = new_notes(keep_tree)
    values = no_values(game)
    lean = is_lean(game) and getattr(searcher, "searches_lean", False)
    fast(value_of_moves, speed, lean)(searcher, game, state, notes, values)
    kept = min(int(notes.counts[NODES]), keep_tree)
    columns = notes.tree[:kept].T
    parents, actions, cuts = columns[[PARENT, ACTION, CUT]].astype(int)
    values_alphas_betas = columns[VALUE : BETA + 1]
    best = np.nanmax(values)
    return Evidence(
        Position(game, state),
        float(best) + 0.0,  # never -0.0
        [int(move) for move in np.flatnonzero(values == best)],
        values,
        int(notes.counts[NODES]),
        int(notes.counts[CUTOFFS]),
        Tree(
            game,
            state,
            parents,
            actions,
            *values_alphas_betas,
            cuts.astype(bool),
            kept == int(notes.counts[NODES]),
        ),
    )


def best_moves(searcher, game, state, speed=None):
    """All of the best moves (Pulles 2019, listings 2 and 5, before one is drawn)."""
    return search(searcher, game, state, speed=speed).best_moves
