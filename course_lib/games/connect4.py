"""Connect4: pieces fall to the lowest free row of a column; k in a row win.

Each column is rows + 1 bits, lowest row first; the extra bit on top stays empty, so that no line
can run from the top of one column into the bottom of the next (rows=4, cols=5):

     4  9 14 19 24     always empty
     3  8 13 18 23
     2  7 12 17 22
     1  6 11 16 21
     0  5 10 15 20
"""

from typing import Annotated, NamedTuple

from course_lib import svg
from course_lib.bits import contains, count, members
from course_lib.games.symmetry import smallest_key
from course_lib.parameters import Range, checked

PIECES = "XO"


class Board(NamedTuple):
    """A position: the pieces of the first and of the second player, and who is to move."""

    first: int
    second: int
    player: int


@checked
class Connect4(NamedTuple):
    """k in a row on rows × cols with gravity; an action is a column, from 0 on the left."""

    lean = True  # makes no arrays while it plays

    rows: Annotated[int, Range(1, 20, "rows of the board")] = 6
    cols: Annotated[int, Range(1, 20, "columns of the board")] = 7
    k: Annotated[int, Range(2, 20, "pieces in a row that win")] = 4

    def problem(self):
        if (self.rows + 1) * self.cols > 62:
            return (
                f"rows={self.rows}, cols={self.cols}: (rows + 1) · cols may be 62 at the most, "
                "so that a board fits into one integer"
            )
        if self.k > max(self.rows, self.cols):
            return f"k={self.k} in a row do not fit on {self.rows} × {self.cols}: take a smaller k"
        return ""

    def start(self):
        return Board(0, 0, 0)

    def mover(self, state):
        return state.player

    def actions(self, state):
        """The columns that are not full, from the left."""
        taken = state.first | state.second
        for column in range(self.cols):
            if not contains(taken, column * (self.rows + 1) + self.rows - 1):
                yield column

    def play(self, state, action):
        # Adding 1 at the bottom of a column carries through its pieces to the first free row.
        bottom = 1 << action * (self.rows + 1)
        column = ((1 << self.rows) - 1) * bottom
        piece = (state.first | state.second) + bottom & column
        if state.player == 0:
            return Board(state.first | piece, state.second, 1)
        return Board(state.first, state.second | piece, 0)

    def pass_turn(self, state):
        """The same board with the other player to move: what could they do here?"""
        return Board(state.first, state.second, 1 - state.player)

    def over(self, state):
        return self.has_line(state) or self.full(state)

    def full(self, state):
        """Whether the top row is."""
        taken = state.first | state.second
        top = self.rows - 1
        for _ in range(self.cols):
            if not contains(taken, top):
                return False
            top += self.rows + 1
        return True

    def result(self, state):
        """Of a finished game, for the player to move: -1 (the other has a line) or 0."""
        return -1 if self.has_line(state) else 0

    def has_line(self, state):
        """Whether the player who moved last has k in a row."""
        pieces = state.second if state.player == 0 else state.first
        for direction in range(4):
            if self.line_starts(pieces, self.step(direction)) != 0:
                return True
        return False

    def step(self, direction):
        """From a square to the next one: up, falling diagonal, right, rising diagonal."""
        return 1 if direction == 0 else self.rows - 1 + direction

    def line_starts(self, pieces, step):
        """The squares from which k pieces follow each other."""
        starts = pieces
        for _ in range(self.k - 1):
            pieces >>= step
            starts &= pieces
        return starts

    # What a learner's table needs

    def action_count(self):
        return self.cols

    def longest(self):
        """No game has more moves than this."""
        return self.rows * self.cols

    def ply(self, state):
        """How many moves were made."""
        return count(state.first | state.second)

    def key(self, state):
        """A number of its own for each position.

        In a column of n pieces the taken squares are worth 2ⁿ − 1 and the first player's less
        than 2ⁿ, so the sum tells both n and which of them are the first player's.
        """
        return (state.first | state.second) + state.first

    def symmetries(self):
        return 2

    def seen(self, place, symmetry):
        """The column that stands at `place` when the board is mirrored (symmetry 1) or not (0)."""
        return self.cols - 1 - place if symmetry else place

    def turned_key(self, state, symmetry):
        """The key of the board as it is (symmetry 0) or mirrored (1)."""
        key = self.key(state)
        if symmetry == 0:
            return key
        height = self.rows + 1
        mirrored = 0
        for column in range(self.cols):
            bits = key >> column * height & ((1 << height) - 1)
            mirrored |= bits << (self.cols - 1 - column) * height
        return mirrored

    def canonical(self, state):
        return smallest_key(self, state)

    # What a search that can't see the end goes by

    def promise(self, state):
        """For the player to move: lines still open to them less those open to the other, scaled."""
        balance = 0
        places = 0
        for row in range(self.rows):
            for column in range(self.cols):
                for direction in range(4):
                    up = 1 if direction == 0 else direction - 2
                    right = 0 if direction == 0 else 1
                    last_row = row + up * (self.k - 1)
                    last_column = column + right * (self.k - 1)
                    if not (0 <= last_row < self.rows and last_column < self.cols):
                        continue
                    first = 0
                    second = 0
                    for i in range(self.k):
                        square = (column + right * i) * (self.rows + 1) + row + up * i
                        first += state.first >> square & 1
                        second += state.second >> square & 1
                    if second == 0:
                        balance += first
                    if first == 0:
                        balance -= second
                    places += self.k
        scaled = balance / places
        return scaled if state.player == 0 else -scaled

    # What people see

    def describe(self, action):
        return f"column {action + 1}"

    def symbol(self, state, square):
        if contains(state.first, square):
            return PIECES[0]
        return PIECES[1] if contains(state.second, square) else "."

    def draw(self, state):
        lines = [
            " ".join(
                self.symbol(state, column * (self.rows + 1) + row) for column in range(self.cols)
            )
            for row in reversed(range(self.rows))
        ]
        return "\n".join([*lines, " ".join(str((c + 1) % 10) for c in range(self.cols))])

    def line(self, state):
        """The squares of all lines of the player who moved last; 0 where there is none."""
        pieces = state.second if state.player == 0 else state.first
        found = 0
        for direction in range(4):
            starts = self.line_starts(pieces, self.step(direction))
            for i in range(self.k):
                found |= starts << i * self.step(direction)
        return found

    def top_of(self, state, column):
        """The square of the highest piece of a column, -1 where there is none."""
        height = self.rows + 1
        taken = [s for s in members(state.first | state.second) if s // height == column]
        return max(taken, default=-1)

    def svg(self, state, last=-1, marks=None):
        """The board as a picture; `marks` are texts for where pieces would land: {action: text}."""
        marks = marks or {}
        cell, height = svg.CELL * 0.75, self.rows * svg.CELL * 0.75
        line = members(self.line(state))
        last_square = self.top_of(state, last) if last >= 0 else -1
        legal = [] if self.over(state) else list(self.actions(state))
        shapes = []
        for column in range(self.cols):
            x = column * cell
            free = {"data_action": column} if column in legal else {}
            full = self.top_of(state, column) % (self.rows + 1) == self.rows - 1
            shapes.append(
                svg.shape(
                    "rect",
                    title=f"{self.describe(column)}{': full' if full else ''}",
                    x=x + 1,
                    width=cell - 2,
                    height=height,
                    fill="#E8EEF4",
                    data_cell=column,
                    **free,
                )
            )
            for row in range(self.rows):
                square = column * (self.rows + 1) + row
                symbol = self.symbol(state, square)
                middle = (x + cell / 2, height - (row + 0.5) * cell)
                marked = square == last_square or square in line
                shapes.append(
                    svg.shape(
                        "circle",
                        cx=middle[0],
                        cy=middle[1],
                        r=cell * 0.42,
                        fill=svg.MARK if marked else svg.PAPER,
                        pointer_events="none",
                        data_state=symbol,
                    )
                )
                if symbol != ".":
                    shapes.append(svg.piece(PIECES.index(symbol), *middle, radius=cell * 0.2))
            if column in marks:
                free_row = (self.top_of(state, column) + 1) % (self.rows + 1)
                middle = (x + cell / 2, height - (free_row + 0.5) * cell)
                shapes.append(svg.mark(marks[column], *middle, size=11))
            shapes.append(svg.text(column + 1, x + cell / 2, height + 11, 12))
        return svg.picture(self.cols * cell, height + 22, shapes, self.draw(state))
