"""Naive rules of three games.

Every game has start(), moves(pos), play(pos, move), finished(pos), outcome(pos), to_move(pos).
Positions are nested tuples. Player 0 moves first in the game; outcome is +1/0/-1 for player 0.
"""


def has_line(cells, who, k):
    """True if `who` has k in a row in the dict (row, column) -> owner, in any direction."""
    for row, col in cells:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = [(row + down * n, col + right * n) for n in range(k)]
            if all(cells.get(square) == who for square in run):
                return True
    return False


def grid_symmetries(height, width):
    """The maps (y, x) -> (y, x) of a grid onto itself: 8 for a square, else 4; identity first."""
    bottom, right = height - 1, width - 1
    maps = [
        lambda y, x: (y, x),
        lambda y, x: (y, right - x),
        lambda y, x: (bottom - y, x),
        lambda y, x: (bottom - y, right - x),
    ]
    if height == width:
        maps += [
            lambda y, x: (x, y),
            lambda y, x: (x, right - y),
            lambda y, x: (bottom - x, y),
            lambda y, x: (bottom - x, right - y),
        ]
    return maps


class TicTacToe:
    """m in a row on m x m. A position is a tuple of "X", "O", "." by rows; X is player 0."""

    def __init__(self, m=3):
        self.m = m

    def start(self):
        return (".",) * self.m**2

    def to_move(self, pos):
        return 0 if pos.count("X") == pos.count("O") else 1

    def wins_at(self, pos, move, who):
        """Would `who` have a line with its mark on the free square `move`?"""
        return self._has_line(pos[:move] + ("XO"[who],) + pos[move + 1 :], who)

    def _has_line(self, pos, who):
        m, mark = self.m, "XO"[who]
        rows = [pos[m * r : m * r + m] for r in range(m)]
        columns = [pos[c::m] for c in range(m)]
        diagonals = [pos[:: m + 1], pos[m - 1 : m * m - 1 : m - 1]] if m > 1 else []
        return (mark,) * m in rows + columns + diagonals

    def finished(self, pos):
        return self._has_line(pos, 0) or self._has_line(pos, 1) or "." not in pos

    def moves(self, pos):
        return [] if self.finished(pos) else [n for n, cell in enumerate(pos) if cell == "."]

    def play(self, pos, move):
        if move not in self.moves(pos):
            raise ValueError(f"illegal move {move}")
        return pos[:move] + ("XO"[self.to_move(pos)],) + pos[move + 1 :]

    def outcome(self, pos):
        if not self.finished(pos):
            raise ValueError("the game is not over")
        return 1 if self._has_line(pos, 0) else -1 if self._has_line(pos, 1) else 0

    def permutations(self):
        """Each symmetry as a tuple p: the image of a position has pos[p[n]] on square n."""
        m = self.m
        result = []
        for turn in grid_symmetries(m, m):
            images = [turn(r, c) for r in range(m) for c in range(m)]
            result.append(tuple(y * m + x for y, x in images))
        return result

    def images(self, pos):
        return [tuple(pos[n] for n in p) for p in self.permutations()]


class Connect4:
    """A position is a tuple of columns from the left, each a tuple of players from below."""

    def __init__(self, rows=6, cols=7, k=4):
        self.rows, self.cols, self.k = rows, cols, k

    def start(self):
        return ((),) * self.cols

    def to_move(self, pos):
        return sum(len(column) for column in pos) % 2

    def _has_line(self, pos, who):
        cells = {(r, c): man for c, column in enumerate(pos) for r, man in enumerate(column)}
        return has_line(cells, who, self.k)

    def _full(self, pos):
        return all(len(column) == self.rows for column in pos)

    def wins_at(self, pos, move, who):
        """Would `who` have a line with its man dropped into the open column `move`?"""
        return self._has_line(self._drop(pos, move, who), who)

    def _drop(self, pos, move, who):
        return pos[:move] + (pos[move] + (who,),) + pos[move + 1 :]

    def finished(self, pos):
        return self._has_line(pos, 0) or self._has_line(pos, 1) or self._full(pos)

    def moves(self, pos):
        if self.finished(pos):
            return []
        return [c for c, column in enumerate(pos) if len(column) < self.rows]

    def play(self, pos, move):
        if move not in self.moves(pos):
            raise ValueError(f"illegal move {move}")
        return self._drop(pos, move, self.to_move(pos))

    def outcome(self, pos):
        if not self.finished(pos):
            raise ValueError("the game is not over")
        return 1 if self._has_line(pos, 0) else -1 if self._has_line(pos, 1) else 0

    def images(self, pos):
        return [pos, pos[::-1]]


class DotsAndBoxes:
    """A position is (lines 0/1, owner of each box or None, player to move).

    On a grid of (2 rows + 1) x (2 cols + 1) points, numbered by rows from the top, lines are the
    points with y + x odd and boxes those with y and x odd: 2 x 2 has the lines
    0 1 | 2 3 4 | 5 6 | 7 8 9 | 10 11. With tie_rule="starter loses" equal scores are -1, else 0.
    """

    def __init__(self, rows=2, cols=2, tie_rule="starter loses"):
        if tie_rule not in ("starter loses", "draw"):
            raise ValueError(f"unknown tie rule {tie_rule!r}")
        self.height, self.width, self.tie_rule = 2 * rows + 1, 2 * cols + 1, tie_rule
        points = [(y, x) for y in range(self.height) for x in range(self.width)]
        self.lines = [(y, x) for y, x in points if (y + x) % 2 == 1]
        self.boxes = [(y, x) for y, x in points if y % 2 == 1 and x % 2 == 1]
        self.sides = [
            [self.lines.index(side) for side in ((y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x))]
            for y, x in self.boxes
        ]

    def start(self):
        return (0,) * len(self.lines), (None,) * len(self.boxes), 0

    def to_move(self, pos):
        return pos[2]

    def finished(self, pos):
        return 0 not in pos[0]

    def moves(self, pos):
        return [n for n, drawn in enumerate(pos[0]) if not drawn]

    def play(self, pos, move):
        lines, owners, player = pos
        if move not in self.moves(pos):
            raise ValueError(f"illegal move {move}")
        lines = lines[:move] + (1,) + lines[move + 1 :]
        after = tuple(
            player if owner is None and all(lines[side] for side in sides) else owner
            for owner, sides in zip(owners, self.sides, strict=True)
        )
        return lines, after, player if after != owners else 1 - player

    def score(self, pos):
        return pos[1].count(0), pos[1].count(1)

    def outcome(self, pos):
        if not self.finished(pos):
            raise ValueError("the game is not over")
        mine, yours = self.score(pos)
        if mine == yours:
            return -1 if self.tie_rule == "starter loses" else 0
        return 1 if mine > yours else -1

    def images(self, pos):
        lines, owners, player = pos
        result = []
        for turn in grid_symmetries(self.height, self.width):
            new_lines = tuple(lines[self.lines.index(turn(y, x))] for y, x in self.lines)
            new_owners = tuple(owners[self.boxes.index(turn(y, x))] for y, x in self.boxes)
            result.append((new_lines, new_owners, player))
        return result
