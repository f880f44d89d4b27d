"""A position that shows itself: as a picture in a notebook, as text everywhere else."""

import re
from html import escape
from typing import Any, NamedTuple

from course_lib import svg

PLAYERS = ("X", "O")
BOARDS_A_ROW = 5


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


class Boards(NamedTuple):
    """Several positions of a game side by side. Built by `side_by_side`."""

    game: Any
    states: list
    titles: list
    marks: list

    def __repr__(self):
        pairs = zip(self.titles, self.states, strict=True)
        return "\n\n".join(f"{title}\n{draw(self.game, state)}" for title, state in pairs)

    def _repr_svg_(self):
        if not hasattr(self.game, "svg"):
            return None
        wide, high = 150, 170
        columns = min(BOARDS_A_ROW, len(self.states))
        shapes = []
        for place, (state, title, marks) in enumerate(zip(*self[1:], strict=True)):
            row, column = divmod(place, columns)
            x, y = column * wide, row * high
            board = self.game.svg(state, marks=marks)
            board = re.sub(' width="[^"]*" height="[^"]*"', "", board, count=1)
            size = f'<svg x="{x + 10}" y="{y + 30}" width="{wide - 20}" height="{high - 40}"'
            shapes += [board.replace("<svg", size, 1), svg.text(title, x + wide / 2, y + 16, 13)]
        rows = -(-len(self.states) // columns)
        return svg.picture(columns * wide, rows * high, shapes, ", ".join(self.titles))


def side_by_side(game, states, titles=None, marks=None):
    """Positions side by side, with a title each and texts on free squares: {action: text} each."""
    states = list(states)
    if not states:
        raise ValueError("states: expected at least one position")
    titles = [""] * len(states) if titles is None else [str(each) for each in titles]
    marks = [None] * len(states) if marks is None else list(marks)
    for name, given in (("titles", titles), ("marks", marks)):
        if len(given) != len(states):
            raise ValueError(f"{name}: {len(given)} for {len(states)} positions")
    return Boards(game, states, titles, marks)


def draw(game, state):
    """The game's own text drawing, or the state itself for a game that has none."""
    return game.draw(state) if hasattr(game, "draw") else repr(state)


def describe(game, action):
    """The game's own words for an action, or its number."""
    return game.describe(action) if hasattr(game, "describe") else f"action {action}"
