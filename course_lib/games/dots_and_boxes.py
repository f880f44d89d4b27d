"""Dots and boxes: draw a line; who completes a box owns it and must draw again.

The lines are numbered row by row, as we read figure 2 of Arvidsson & Wallgren 2010, and are the
bits of one integer. For 2 × 2 boxes, with the numbers of the boxes inside:

    •  0  •  1  •
    2  0  3  1  4
    •  5  •  6  •
    7  2  8  3  9
    • 10  • 11  •
"""

from typing import Annotated, NamedTuple

from course_lib import svg
from course_lib.bits import contains, count, lowest
from course_lib.games.symmetry import smallest_key
from course_lib.parameters import Range, checked


class Board(NamedTuple):
    """A position: the drawn lines, the boxes of the first and of the second player, who moves."""

    lines: int
    first: int
    second: int
    player: int


@checked
class DotsAndBoxes(NamedTuple):
    """rows × cols boxes; an action is a line. The turn does not always pass."""

    lean = True  # makes no arrays while it plays

    rows: Annotated[int, Range(1, 10, "rows of boxes")] = 2
    cols: Annotated[int, Range(1, 10, "columns of boxes")] = 2
    tie_loses: Annotated[bool, Range(0, 1, "equal score: who drew the first line loses")] = False

    def problem(self):
        if self.longest() > 50:
            return (
                f"rows={self.rows}, cols={self.cols}: {self.longest()} lines; at the most 50, "
                "so that a position fits into one integer"
            )
        return ""

    def start(self):
        return Board(0, 0, 0, 0)

    def mover(self, state):
        return state.player

    def free_lines(self, state):
        """The lines that are not drawn yet, as bits."""
        return (1 << self.longest()) - 1 & ~state.lines

    def actions(self, state):
        """The lines that are not drawn yet, lowest first."""
        free = self.free_lines(state)
        while free:
            yield lowest(free)
            free &= free - 1

    def play(self, state, action):
        lines = state.lines | 1 << action
        made = self.boxes_completed(lines, action)
        if made == 0:
            return Board(lines, state.first, state.second, 1 - state.player)
        if state.player == 0:
            return Board(lines, state.first | made, state.second, 0)
        return Board(lines, state.first, state.second | made, 1)

    def pass_turn(self, state):
        """The same board with the other player to move: what could they do here?"""
        return Board(state.lines, state.first, state.second, 1 - state.player)

    def over(self, state):
        return state.lines == (1 << self.longest()) - 1

    def result(self, state):
        """Of a finished game, for the player to move: +1, 0 or -1."""
        lead = self.lead(state)
        if lead == 0 and self.tie_loses:
            lead = -1 if state.player == 0 else 1
        return (lead > 0) - (lead < 0)

    def lead(self, state):
        """The boxes of the player to move less those of the other."""
        lead = count(state.first) - count(state.second)
        return lead if state.player == 0 else -lead

    def row_of_lines(self):
        """Lines in one row of boxes: those along its top, then those that stand."""
        return 2 * self.cols + 1

    def boxes_completed(self, lines, line):
        """The boxes beside `line` of which all four sides are in `lines`."""
        row = line // self.row_of_lines()
        along = line % self.row_of_lines()
        if along < self.cols:
            above = self.box_if_full(lines, row - 1, along) if row > 0 else 0
            below = self.box_if_full(lines, row, along) if row < self.rows else 0
            return above | below
        column = along - self.cols
        left = self.box_if_full(lines, row, column - 1) if column > 0 else 0
        right = self.box_if_full(lines, row, column) if column < self.cols else 0
        return left | right

    def box_if_full(self, lines, row, column):
        """The box as a set of one if all of its sides are drawn, else the empty set."""
        top = row * self.row_of_lines() + column
        left = top + self.cols
        bottom = top + self.row_of_lines()
        sides = 1 << top | 3 << left | 1 << bottom
        return 1 << row * self.cols + column if lines & sides == sides else 0

    # What a learner's table needs

    def action_count(self):
        return self.longest()

    def longest(self):
        """How many lines there are: every game has as many moves."""
        return self.rows * (self.cols + 1) + (self.rows + 1) * self.cols

    def ply(self, state):
        """How many moves were made."""
        return count(state.lines)

    def key(self, state):
        """Lines, score and mover: all that matters for the rest; whose box is where does not."""
        return self.key_of(state, state.lines)

    def key_of(self, state, lines):
        return (2 * count(state.first) + state.player) << self.longest() | lines

    def symmetries(self):
        """The board can be mirrored two ways, and turned by a quarter if it is square."""
        return 8 if self.rows == self.cols else 4

    def seen(self, place, symmetry):
        """The line that stands at `place` when the board is turned by `symmetry`."""
        row = place // self.row_of_lines()
        along = place % self.row_of_lines()
        # The middle of the line, counted in half boxes from the top left.
        y = 2 * row if along < self.cols else 2 * row + 1
        x = 2 * along + 1 if along < self.cols else 2 * (along - self.cols)
        if symmetry & 1:
            x = 2 * self.cols - x
        if symmetry & 2:
            y = 2 * self.rows - y
        if symmetry & 4:
            y, x = x, y
        along = x // 2 if y % 2 == 0 else x // 2 + self.cols
        return y // 2 * self.row_of_lines() + along

    def turned_key(self, state, symmetry):
        """The key of the turned board."""
        turned = 0
        for place in range(self.longest()):
            turned |= (state.lines >> self.seen(place, symmetry) & 1) << place
        return self.key_of(state, turned)

    def canonical(self, state):
        return smallest_key(self, state)

    # What a search that can't see the end goes by

    def promise(self, state):
        """For the player to move: the lead in boxes, as a share of all boxes (and never ±1)."""
        return self.lead(state) / (self.rows * self.cols + 1)

    # What people see

    def describe(self, action):
        return f"line {action}"

    def draw(self, state):
        drawn = []
        for row in range(self.rows + 1):
            first = row * self.row_of_lines()
            tops = ["---" if contains(state.lines, first + c) else "   " for c in range(self.cols)]
            drawn.append("•" + "•".join(tops) + "•")
            if row < self.rows:
                stands = first + self.cols
                drawn.append(
                    "".join(
                        ("|" if contains(state.lines, stands + c) else " ")
                        + (f" {self.owner(state, row * self.cols + c)} " if c < self.cols else "")
                        for c in range(self.cols + 1)
                    ).rstrip()
                )
        return "\n".join([*drawn, f"X {count(state.first)} : {count(state.second)} O"])

    def owner(self, state, box):
        if contains(state.first, box):
            return "X"
        return "O" if contains(state.second, box) else " "

    def svg(self, state, last=-1, marks=None):
        """The board as a picture; `marks` are texts to write beside free lines: {action: text}."""
        marks = marks or {}
        box, edge = svg.CELL, 16
        shapes = []
        for number in range(self.rows * self.cols):
            row, column = divmod(number, self.cols)
            owner = self.owner(state, number)
            if owner != " ":
                middle = (edge + (column + 0.5) * box, edge + (row + 0.5) * box)
                shapes.append(svg.piece("XO".index(owner), *middle, radius=box * 0.22))
        for line in range(self.longest()):
            row, along = divmod(line, self.row_of_lines())
            lying = along < self.cols
            x = edge + (along if lying else along - self.cols) * box
            y = edge + row * box
            x2, y2 = (x + box, y) if lying else (x, y + box)
            drawn = contains(state.lines, line)
            if line == last:
                shapes.append(
                    svg.shape("line", x1=x, y1=y, x2=x2, y2=y2, stroke=svg.MARK, stroke_width=14)
                )
            shapes.append(
                svg.shape(
                    "line",
                    x1=x,
                    y1=y,
                    x2=x2,
                    y2=y2,
                    stroke=svg.INK if drawn else svg.FAINT,
                    stroke_width=5 if drawn else 1.5,
                )
            )
            middle = ((x + x2) / 2, (y + y2) / 2)
            if line in marks:
                shapes.append(svg.mark(marks[line], *middle, size=12))
            elif not drawn:
                shapes.append(svg.text(line, *middle, 11, "#888888"))
            shapes.append(  # wide enough for a finger
                svg.shape(
                    "line",
                    title=f"{self.describe(line)}: {'drawn' if drawn else 'free'}",
                    x1=x,
                    y1=y,
                    x2=x2,
                    y2=y2,
                    stroke="transparent",
                    stroke_width=18,
                    data_cell=line,
                    data_state="drawn" if drawn else "free",
                    **({} if drawn else {"data_action": line}),
                )
            )
        for row in range(self.rows + 1):
            for column in range(self.cols + 1):
                shapes.append(
                    svg.shape(
                        "circle", cx=edge + column * box, cy=edge + row * box, r=5, fill=svg.INK
                    )
                )
        score = f"X {count(state.first)} : {count(state.second)} O"
        width, height = self.cols * box + 2 * edge, self.rows * box + 2 * edge
        shapes.append(svg.text(score, width / 2, height + 8))
        return svg.picture(width, height + 22, shapes, self.draw(state))


class LinesOnly(NamedTuple):
    """A learner's eyes that see which lines are drawn: neither the score nor who began.

    Arvidsson & Wallgren 2010, section 2.2.2. The lines are the key, so a table can be addressed
    by them directly. (`real` and `places`: see `AsItIs`.)
    """

    def look(self, game, state):
        return state.lines, 0

    def real(self, game, place, symmetry):
        return place

    def places(self, game, actions, symmetry):
        return actions

    def legal(self, game, state, symmetry):
        return game.free_lines(state)

    def keys(self, game):
        """How many keys there can be."""
        return 1 << game.longest()


class LinesAndStarter(NamedTuple):
    """Eyes that see the drawn lines and whether the player who looks has drawn the first of them.

    The improvement that section 2.2.2 of Arvidsson & Wallgren 2010 leaves for the future.
    """

    def look(self, game, state):
        return state.player << game.longest() | state.lines, 0

    def real(self, game, place, symmetry):
        return place

    def places(self, game, actions, symmetry):
        return actions

    def legal(self, game, state, symmetry):
        return game.free_lines(state)

    def keys(self, game):
        return 2 << game.longest()
