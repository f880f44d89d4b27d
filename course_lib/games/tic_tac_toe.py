"""Noughts and crosses on size × size squares; a full row, column or diagonal wins.

The squares are the bits of two integers, one for the crosses and one for the noughts:

    0 | 1 | 2
    --+---+--       crosses on 0 and 4:  0b000010001 = 17
    3 | 4 | 5       noughts on 2:        0b000000100 = 4
    --+---+--
    6 | 7 | 8
"""

from typing import Annotated, NamedTuple

from course_lib import svg
from course_lib.bits import contains, count, lowest, members
from course_lib.games.symmetry import smallest_key
from course_lib.parameters import Range, checked

PIECES = "XO"


class Board(NamedTuple):
    """A position: where the crosses and the noughts are, and who is to move."""

    crosses: int
    noughts: int
    player: int


@checked
class TicTacToe(NamedTuple):
    """Noughts and crosses; player 0 has the crosses."""

    lean = True  # makes no arrays while it plays

    size: Annotated[int, Range(2, 6, "squares a side, and in a row to win")] = 3

    def start(self):
        return Board(0, 0, 0)

    def mover(self, state):
        return state.player

    def actions(self, state):
        """The empty squares, lowest first."""
        everything = (1 << self.size * self.size) - 1
        free = everything & ~(state.crosses | state.noughts)
        while free:
            yield lowest(free)
            free &= free - 1

    def play(self, state, action):
        if state.player == 0:
            return Board(state.crosses | 1 << action, state.noughts, 1)
        return Board(state.crosses, state.noughts | 1 << action, 0)

    def pass_turn(self, state):
        """The same board with the other player to move: what could they do here?"""
        return Board(state.crosses, state.noughts, 1 - state.player)

    def over(self, state):
        everything = (1 << self.size * self.size) - 1
        return self.line(state) != 0 or state.crosses | state.noughts == everything

    def result(self, state):
        """Of a finished game, for the player to move: -1 (the other has a line) or 0."""
        return -1 if self.line(state) != 0 else 0

    def line(self, state):
        """The squares of a full line of the player who moved last; 0 where there is none."""
        pieces = state.noughts if state.player == 0 else state.crosses
        size = self.size
        row = (1 << size) - 1
        column = 0
        falling = 0
        rising = 0
        for i in range(size):
            column |= 1 << size * i
            falling |= 1 << (size + 1) * i
            rising |= 1 << (size - 1) * (i + 1)
        for _ in range(size):
            if pieces & row == row:
                return row
            if pieces & column == column:
                return column
            row <<= size
            column <<= 1
        if pieces & falling == falling:
            return falling
        if pieces & rising == rising:
            return rising
        return 0

    # What a learner's table needs

    def action_count(self):
        return self.size * self.size

    def longest(self):
        """No game has more moves than this."""
        return self.size * self.size

    def ply(self, state):
        """How many moves were made."""
        return count(state.crosses | state.noughts)

    def key(self, state):
        """A number of its own for each position."""
        return self.turned_key(state, 0)

    def symmetries(self):
        """In how many ways the board can be turned and mirrored."""
        return 8

    def seen(self, place, symmetry):
        """The square that stands at `place` when the board is turned by `symmetry` (0 to 7)."""
        return self.turned(place // self.size, place % self.size, symmetry)

    def turned(self, row, column, symmetry):
        """The square that stands in this row and column of the turned board."""
        if symmetry & 1:
            column = self.size - 1 - column
        if symmetry & 2:
            row = self.size - 1 - row
        return column * self.size + row if symmetry & 4 else row * self.size + column

    def turned_key(self, state, symmetry):
        """The turned board, read square by square as a number in base 3."""
        number = 0
        for row in range(self.size):
            for column in range(self.size):
                square = self.turned(row, column, symmetry)
                digit = (state.crosses >> square & 1) + 2 * (state.noughts >> square & 1)
                number = 3 * number + digit
        return number

    def canonical(self, state):
        return smallest_key(self, state)

    # What a search that can't see the end goes by

    def promise(self, state):
        """For the player to move: lines still open to them less those open to the other, scaled."""
        balance = 0
        for line in range(2 * self.size + 2):
            crosses = 0
            noughts = 0
            for i in range(self.size):
                square = self.square_of_line(line, i)
                crosses += state.crosses >> square & 1
                noughts += state.noughts >> square & 1
            if noughts == 0:
                balance += crosses
            if crosses == 0:
                balance -= noughts
        scaled = balance / (2 * self.size + 2) / self.size
        return scaled if state.player == 0 else -scaled

    def square_of_line(self, line, i):
        """Square i of a line: the rows come first, then the columns, then the diagonals."""
        size = self.size
        if line < size:
            return line * size + i
        if line < 2 * size:
            return i * size + line - size
        if line == 2 * size:
            return i * (size + 1)
        return (i + 1) * (size - 1)

    # What people see

    def describe(self, action):
        """ "top left", "middle" on 3 × 3; "row 2, column 4" on larger boards."""
        row, column = divmod(action, self.size)
        if self.size != 3:
            return f"row {row + 1}, column {column + 1}"
        words = (("top", "middle", "bottom")[row], ("left", "middle", "right")[column])
        return "middle" if words == ("middle", "middle") else " ".join(words)

    def draw(self, state):
        squares = [self.symbol(state, square) for square in range(self.size**2)]
        rows = [squares[i : i + self.size] for i in range(0, self.size**2, self.size)]
        return ("\n" + "+".join(["---"] * self.size) + "\n").join(
            "|".join(f" {symbol} " for symbol in row).rstrip() for row in rows
        )

    def symbol(self, state, square):
        if contains(state.crosses, square):
            return PIECES[0]
        return PIECES[1] if contains(state.noughts, square) else "."

    def svg(self, state, last=-1, marks=None):
        """The board as a picture; `marks` are texts to write on free squares: {action: text}."""
        marks = marks or {}
        cell, side = svg.CELL, svg.CELL * self.size
        shapes = []
        line = members(self.line(state))
        legal = [] if self.over(state) else list(self.actions(state))
        for square in range(self.size**2):
            row, column = divmod(square, self.size)
            symbol = self.symbol(state, square)
            marked = square == last or square in line
            shapes.append(
                svg.shape(
                    "rect",
                    title=f"{self.describe(square)}: {'empty' if symbol == '.' else symbol}",
                    x=column * cell + 2,
                    y=row * cell + 2,
                    width=cell - 4,
                    height=cell - 4,
                    fill=svg.MARK if marked else svg.PAPER,
                    fill_opacity=1 if square in line else 0.5,
                    data_cell=square,
                    data_state=symbol,
                    **({"data_action": square} if square in legal else {}),
                )
            )
            middle = ((column + 0.5) * cell, (row + 0.5) * cell)
            if square in marks:
                shapes.append(svg.mark(marks[square], *middle))
            elif symbol == ".":
                shapes.append(svg.text(square, *middle, size=12, colour=svg.FAINT))
            else:
                shapes.append(svg.piece(PIECES.index(symbol), *middle, radius=cell * 0.27))
        for i in range(1, self.size):
            grid = f"M{i * cell} 4V{side - 4}M4 {i * cell}H{side - 4}"
            shapes.append(svg.shape("path", d=grid, stroke=svg.INK, stroke_width=2))
        return svg.picture(side, side, shapes, self.draw(state))
