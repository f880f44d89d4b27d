"""A position that shows itself: as a picture in a notebook, as text everywhere else."""

from html import escape
from typing import Any, NamedTuple

PLAYERS = ("X", "O")


class Position(NamedTuple):
    """A state together with its game and, where known, the move that led to it."""

    game: Any
    state: Any
    last: int = -1

    def status(self):
        """Who won, or who is to move, in words."""
        game, state = self.game, self.state
        mover = game.mover(state)
        if not game.over(state):
            return f"{PLAYERS[mover]} to move"
        result = game.result(state)
        if result == 0:
            return "a tie"
        return f"{PLAYERS[mover if result > 0 else 1 - mover]} wins"

    def __repr__(self):
        status = self.status()
        if self.last >= 0:
            status = f"{describe(self.game, self.last)} was played: {status}"
        return f"{draw(self.game, self.state)}\n{status}"

    def _repr_svg_(self):
        if hasattr(self.game, "svg"):
            return self.game.svg(self.state, self.last)
        return None

    def _repr_html_(self):
        return None if hasattr(self.game, "svg") else f"<pre>{escape(repr(self))}</pre>"


def draw(game, state):
    """The game's own text drawing, or the state itself for a game that has none."""
    return game.draw(state) if hasattr(game, "draw") else repr(state)


def describe(game, action):
    """The game's own words for an action, or its number."""
    return game.describe(action) if hasattr(game, "describe") else f"action {action}"
