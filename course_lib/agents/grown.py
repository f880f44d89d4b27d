"""What a tree search has found: visits, values, the line it expects, and the tree itself."""

import math
from typing import Any, NamedTuple

import numpy as np

from course_lib.agents.mcts import (
    ACTION,
    COMPARED,
    DONE,
    PARENT,
    PROVEN,
    ROOT,
    SAME,
    TOTAL,
    UNPROVEN,
    USED,
    VISITS,
    upper_bound,
)
from course_lib.agents.monte_carlo import check_unfinished
from course_lib.position import Position, describe
from course_lib.twospeed import fast, is_lean


class Grown(NamedTuple):
    """What a tree search found, by action: all values are for the player to move at the root."""

    position: Position
    values: np.ndarray  # the average result; NaN where an action was not tried
    visits: np.ndarray
    bounds: np.ndarray  # the UCB by which the next simulation would choose
    proven: dict  # {action: exact value}, as far as it is proven
    best_moves: list  # the final choice is one of these
    line: list  # the principal variation: the actions of the most visited nodes
    simulations: int
    comparisons: int  # of a list as memory
    tree: "GrownTree"

    def __repr__(self):
        game = self.position.game
        moves = ", ".join(describe(game, move) for move in self.best_moves)
        line = ", ".join(describe(game, move) for move in self.line)
        value = self.values[self.best_moves[0]] + 0.0
        return (
            f"{self.simulations:,} simulations; best: {moves} "
            f"({self.visits[self.best_moves[0]]:,} visits, value {value:+.2f}); line: {line}"
        )


class GrownTree(NamedTuple):
    """The nodes in the order in which they were added; node 0 is the root.

    `values[n]` is for the player who moved into node n.
    """

    game: Any
    root: Any
    parents: np.ndarray
    actions: np.ndarray
    visits: np.ndarray
    values: np.ndarray
    proven: np.ndarray  # for the same player; UNPROVEN where it is open

    def children(self, node):
        return [int(child) for child in np.flatnonzero(self.parents == node)]

    def state(self, node):
        """The position at a node."""
        if node == 0:
            return self.root
        before = self.state(int(self.parents[node]))
        return self.game.play(before, int(self.actions[node]))


def grow(agent, game, state, seed=0, speed=None):
    """Let an `MCTS` think about a position, and return what it found."""
    check_unfinished(game, state)
    rng = np.random.default_rng([seed, 0])
    fast(grow_once, speed, is_lean(game, agent))(agent, game, state, rng)
    return found(agent, game, state)


def grow_once(agent, game, state, rng):
    agent.grow(game, state, rng)


def found(agent, game, state):
    """The evidence in the tree of an `MCTS` that has thought about this position."""
    tree = agent.tree
    nodes = tree.nodes[: int(tree.counts[USED])].copy()
    counting = nodes[nodes[:, SAME]]  # where transpositions are shared, of another node
    with np.errstate(invalid="ignore"):
        values = counting[:, TOTAL] / counting[:, VISITS]
    grown = GrownTree(
        game, state, nodes[:, PARENT], nodes[:, ACTION], counting[:, VISITS], values,
        counting[:, PROVEN],
    )  # fmt: skip
    by_action = {int(nodes[child, ACTION]): child for child in grown.children(ROOT)}
    values, bounds = (np.full(game.action_count(), np.nan) for _ in range(2))
    visits = np.zeros(game.action_count(), np.int64)
    log = math.log(nodes[ROOT, VISITS])
    for action, child in by_action.items():
        values[action] = grown.values[child]
        visits[action] = grown.visits[child]
        bounds[action] = upper_bound(nodes, int(nodes[child, SAME]), log, agent.c)
    proven = {
        action: int(grown.proven[child])
        for action, child in sorted(by_action.items())
        if grown.proven[child] != UNPROVEN
    }
    agent.score_children()
    best = np.flatnonzero(tree.scores == tree.scores.max())
    line, node = [int(best[0])], by_action[int(best[0])]
    while below := grown.children(node):
        node = max(below, key=lambda child: grown.visits[child])
        line.append(int(nodes[node, ACTION]))
    return Grown(
        Position(game, state),
        values,
        visits,
        bounds,
        proven,
        [int(action) for action in best],
        line,
        int(tree.counts[DONE]),
        int(tree.counts[COMPARED]),
        grown,
    )
