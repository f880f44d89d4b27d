"""Boards that are turned or mirrored copies of each other count as one.

A game with symmetries says how many there are (`symmetries`), how a board looks turned
(`turned_key`), and which real action stands where on the turned board (`seen`).
"""

from typing import NamedTuple


def smallest_key(game, state):
    """(key, symmetry): all turned copies of a board share the smallest of their keys.

    A table row under this key speaks of the turned board: its entry for `place` belongs to the
    real action `game.seen(place, symmetry)`.
    """
    smallest = game.turned_key(state, 0)
    chosen = 0
    for symmetry in range(1, game.symmetries()):
        key = game.turned_key(state, symmetry)
        if key < smallest:
            smallest = key
            chosen = symmetry
    return smallest, chosen


class AsItIs(NamedTuple):
    """A learner's eyes for the board that tells all positions apart."""

    def look(self, game, state):
        """(key, symmetry) of a position."""
        return game.key(state), 0

    def real(self, game, place, symmetry):
        """The action that the entry `place` of a row stands for."""
        return place

    def places(self, game, actions, symmetry):
        """The entries that stand for a set of actions."""
        return actions

    def legal(self, game, state, symmetry):
        """The entries that stand for legal actions."""
        return legal_actions(game, state)


class UpToSymmetry(NamedTuple):
    """A learner's eyes for the board in which turned and mirrored copies are the same."""

    def look(self, game, state):
        """(key, symmetry) of a position."""
        return game.canonical(state)

    def real(self, game, place, symmetry):
        """The action that the entry `place` of a row stands for."""
        return game.seen(place, symmetry)

    def places(self, game, actions, symmetry):
        """The entries that stand for a set of actions."""
        places = 0
        for place in range(game.action_count()):
            places |= (actions >> game.seen(place, symmetry) & 1) << place
        return places

    def legal(self, game, state, symmetry):
        """The entries that stand for legal actions."""
        return self.places(game, legal_actions(game, state), symmetry)


def legal_actions(game, state):
    """The legal actions, as bits."""
    legal = 0
    for action in game.actions(state):
        legal |= 1 << action
    return legal
