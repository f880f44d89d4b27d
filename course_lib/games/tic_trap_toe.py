"""Tic-trap-toe: noughts and crosses in which each turn ends with a secret guess, a trap
(Frederiksen & Gunnarsson 2019).

A turn has phases (their figure 1): the player places a piece, then lays a trap on a vacant square,
where it expects the opponent's next piece. Whoever places on the trap is caught: the trapper
removes one of the caught player's pieces, and only then does the caught player lay its trap.

    place ──── not caught ──────────────────────────> lay a trap ──> the turn passes     path A
      └── caught ──> the trapper removes a piece ──> lay a trap ──> the turn passes     path B

A player may not place where it laid its last trap (rule 3). With one vacant square left no trap
counts, none is laid, and nothing is barred (rule 4). The squares, as bits:

    0 | 1 | 2
    --+---+--       crosses on 0 and 4:  0b000010001 = 17
    3 | 4 | 5       noughts on 2:        0b000000100 = 4
    --+---+--       an action is the square to place on, 9 + the square of a trap,
    6 | 7 | 8       or 18 + the square of a piece to remove
"""

from typing import Annotated, NamedTuple

from course_lib import svg
from course_lib.bits import contains, count, lowest, members
from course_lib.games.symmetry import smallest_key
from course_lib.games.tic_tac_toe import TicTacToe
from course_lib.parameters import Range, checked

PIECES = "XO"
SQUARES = 9
EVERYTHING = (1 << SQUARES) - 1
NONE, HIDDEN = 9, 10  # in place of a square: there is none; there is one, but it is a secret
PLACE, TRAP, REMOVE = range(3)
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
GRID = TicTacToe(3)


class Board(NamedTuple):
    """A position: the pieces, who acts and in which phase, and the last trap of either player.

    A player's last trap is active until the opponent has placed; after that it only bars the
    player itself, for one turn.
    """

    crosses: int
    noughts: int
    player: int  # who acts: in phase REMOVE this is the trapper
    phase: int  # PLACE, TRAP or REMOVE
    cross_trap: int  # a square, NONE or HIDDEN
    nought_trap: int
    placed: int  # where the last piece was placed, or NONE
    removed: int  # which piece was removed because that was a trap, or NONE
    turns: int  # finished


def has_line(pieces):
    """Whether three of these squares are a row, a column or a diagonal."""
    for line in LINES:
        if pieces & line == line:
            return True
    return False


@checked
class TicTrapToe(NamedTuple):
    """Tic-trap-toe; player 0 has the crosses. The options are what the paper leaves open."""

    lean = True  # makes no arrays while it plays

    trapped_line_wins: Annotated[
        bool, Range(0, 1, "a line completed on a trap wins at once, before anything is removed")
    ] = False
    missed_traps_shown: Annotated[
        bool, Range(0, 1, "a trap that caught nobody is shown; else it stays a secret")
    ] = False
    most_turns: Annotated[int, Range(1, 10_000, "turns after which a game is a tie")] = 200

    def start(self):
        return Board(0, 0, 0, PLACE, NONE, NONE, NONE, NONE, 0)

    def mover(self, state):
        return state.player

    def actions(self, state):
        """Squares to place on, 9 + squares for a trap, or 18 + pieces to remove; lowest first."""
        squares = self.squares(state)
        while squares:
            yield SQUARES * state.phase + lowest(squares)
            squares &= squares - 1

    def squares(self, state):
        """The squares that the player may choose, as bits."""
        vacant = EVERYTHING & ~(state.crosses | state.noughts)
        if state.phase == REMOVE:
            return self.pieces(state, 1 - state.player)
        if state.phase == TRAP or count(vacant) == 1:
            return vacant
        return vacant & ~(1 << self.trap(state, state.player))

    def pieces(self, state, player):
        return state.crosses if player == 0 else state.noughts

    def trap(self, state, player):
        """A player's last trap."""
        return state.cross_trap if player == 0 else state.nought_trap

    def play(self, state, action):
        square = action % SQUARES
        if state.phase == PLACE:
            return self.place(state, square)
        if state.phase == TRAP:
            return self.lay(state, square)
        return self.remove(state, square)

    def place(self, state, square):
        player = state.player
        vacant = SQUARES - count(state.crosses | state.noughts)  # before
        pieces = self.pieces(state, player) | 1 << square
        crosses = pieces if player == 0 else state.crosses
        noughts = pieces if player == 1 else state.noughts
        line = has_line(pieces)
        caught = vacant > 1 and self.trap(state, 1 - player) == square
        x, o = state.cross_trap, state.nought_trap
        if caught and not (line and self.trapped_line_wins):
            return Board(crosses, noughts, 1 - player, REMOVE, x, o, square, NONE, state.turns)
        if not line and vacant > 2:
            return Board(crosses, noughts, player, TRAP, x, o, square, NONE, state.turns)
        if not line:  # one vacant square is left, or none: no trap is laid
            x = NONE if player == 0 else x
            o = NONE if player == 1 else o
        return Board(crosses, noughts, 1 - player, PLACE, x, o, square, NONE, state.turns + 1)

    def lay(self, state, square):
        player = state.player
        x = square if player == 0 else state.cross_trap
        o = square if player == 1 else state.nought_trap
        return Board(
            state.crosses,
            state.noughts,
            1 - player,
            PLACE,
            x,
            o,
            state.placed,
            state.removed,
            state.turns + 1,
        )

    def remove(self, state, square):
        trapper = state.player
        pieces = self.pieces(state, 1 - trapper) & ~(1 << square)
        crosses = pieces if trapper == 1 else state.crosses
        noughts = pieces if trapper == 0 else state.noughts
        x, o = state.cross_trap, state.nought_trap
        if has_line(pieces):  # it still stands
            return Board(
                crosses, noughts, trapper, PLACE, x, o, state.placed, square, state.turns + 1
            )
        return Board(crosses, noughts, 1 - trapper, TRAP, x, o, state.placed, square, state.turns)

    def over(self, state):
        if state.phase != PLACE:
            return False
        full = state.crosses | state.noughts == EVERYTHING
        return full or state.turns >= self.most_turns or self.lost(state)

    def lost(self, state):
        """Whether the other player has a line."""
        return has_line(self.pieces(state, 1 - state.player))

    def result(self, state):
        """Of a finished game, for the player to move: -1 (the other has a line) or 0."""
        return -1 if self.lost(state) else 0

    # Secrets

    def seen_by(self, state, player):
        """What a player may see: the opponent's trap is HIDDEN unless the player knows it."""
        x, o = state.cross_trap, state.nought_trap
        if not self.knows_trap(state, player):
            if player == 0 and o != NONE:
                o = HIDDEN
            if player == 1 and x != NONE:
                x = HIDDEN
        return Board(
            state.crosses,
            state.noughts,
            state.player,
            state.phase,
            x,
            o,
            state.placed,
            state.removed,
            state.turns,
        )

    def knows_trap(self, state, player):
        """Whether a player knows the opponent's last trap: it is over, and was shown or hit."""
        if state.phase == PLACE and state.player == player:
            return False  # it is active
        if self.missed_traps_shown:
            return True
        placer = state.player if state.phase == TRAP else 1 - state.player
        caught = state.phase == REMOVE or state.removed != NONE
        return placer == player and caught

    # What a learner's table needs

    def action_count(self):
        return 3 * SQUARES

    def longest(self):
        """No game has more actions than this."""
        return 3 * self.most_turns

    def key(self, state):
        """A number for all that matters for the rest, but for the turns that are left."""
        return self.turned_key(state, 0)

    def symmetries(self):
        """In how many ways the board can be turned and mirrored."""
        return 8

    def seen(self, place, symmetry):
        """The action that stands at `place` when the board is turned by `symmetry` (0 to 7)."""
        return place - place % SQUARES + GRID.seen(place % SQUARES, symmetry)

    def turned_key(self, state, symmetry):
        """The turned board as bits: pieces, then who acts and how, then the traps."""
        key = 0
        x, o = state.cross_trap, state.nought_trap
        turned_x, turned_o = x, o
        for place in range(SQUARES):
            square = GRID.seen(place, symmetry)
            key |= (state.crosses >> square & 1) << place
            key |= (state.noughts >> square & 1) << SQUARES + place
            turned_x = place if square == x else turned_x
            turned_o = place if square == o else turned_o
        key |= (4 * state.player + state.phase) << 18
        return key | turned_x << 21 | turned_o << 25

    def canonical(self, state):
        return smallest_key(self, state)

    # What people see

    def describe(self, action):
        """ "top left" to place there, "trap on top left", "remove top left"."""
        words = GRID.describe(action % SQUARES)
        return ("", "trap on ", "remove ")[action // SQUARES] + words

    def secret(self, action):
        """Whether others are not told of an action: a trap is laid in secret."""
        return action // SQUARES == TRAP

    def task(self, state):
        """What the player is to do, in words."""
        return ("place a piece", "lay a trap", "remove a piece")[state.phase]

    def traps(self, state, square):
        """Whose last trap lies on a square: "x", "o", "xo" or ""."""
        return "x" * (state.cross_trap == square) + "o" * (state.nought_trap == square)

    def symbol(self, state, square):
        if contains(state.crosses, square):
            return PIECES[0]
        return PIECES[1] if contains(state.noughts, square) else "."

    def draw(self, state):
        """Pieces are large letters, traps small ones; below, what is hidden and what comes next."""
        rows = []
        for row in range(3):
            cells = [self.cell(state, 3 * row + column) for column in range(3)]
            rows.append("|".join(cells).rstrip())
        lines = ["\n---+---+---\n".join(rows)]
        hidden = [PIECES[p] for p in range(2) if self.trap(state, p) == HIDDEN]
        lines += [f"{player} has a trap that is hidden" for player in hidden]
        if not self.over(state):
            lines.append(f"{PIECES[state.player]} is to {self.task(state)}")
        return "\n".join(lines)

    def cell(self, state, square):
        """Three letters: the piece or a dot, and the traps there: " X ", " .x", ".xo"."""
        traps, symbol = self.traps(state, square), self.symbol(state, square)
        return symbol + traps if len(traps) == 2 else f" {symbol}{traps or ' '}"

    def line(self, state):
        """The squares of the line that won; 0 where there is none."""
        pieces = self.pieces(state, 1 - state.player)
        for line in LINES:
            if state.phase == PLACE and pieces & line == line:
                return line
        return 0

    def in_words(self, state, square):
        """A square for whoever can't see it."""
        symbol = self.symbol(state, square)
        traps = [f"trap of {PIECES[p]}" for p in range(2) if self.trap(state, p) == square]
        return ", ".join([{".": "empty"}.get(symbol, symbol), *traps])

    def svg(self, state, last=-1, marks=None):
        """The board as a picture; `marks` are texts to write on squares: {action: text}."""
        marks = {action % SQUARES: text for action, text in (marks or {}).items()}
        cell, side = svg.CELL, svg.CELL * 3
        line = members(self.line(state))
        legal = [] if self.over(state) else members(self.squares(state))
        shapes = []
        for square in range(SQUARES):
            row, column = divmod(square, 3)
            x, y = column * cell, row * cell
            symbol = self.symbol(state, square)
            marked = square in line or (0 <= last < SQUARES and square == last)
            playable = {"data_action": SQUARES * state.phase + square} if square in legal else {}
            shapes.append(
                svg.shape(
                    "rect",
                    title=f"{self.describe(square)}: {self.in_words(state, square)}",
                    x=x + 2,
                    y=y + 2,
                    width=cell - 4,
                    height=cell - 4,
                    fill=svg.MARK if marked else svg.PAPER,
                    fill_opacity=1 if square in line else 0.5,
                    data_cell=square,
                    data_state=symbol + self.traps(state, square),
                    **playable,
                )
            )
            for player in range(2):
                if self.trap(state, player) == square:
                    shapes += self.drawn_trap(player, x, y)
            middle = (x + cell / 2, y + cell / 2)
            if square in marks and symbol == ".":
                shapes.append(svg.mark(marks[square], *middle, size=12))
            elif symbol == ".":
                shapes.append(svg.text(square, *middle, size=12, colour=svg.FAINT))
            else:
                shapes.append(svg.piece(PIECES.index(symbol), *middle, radius=cell * 0.27))
                if square in marks:
                    shapes.append(svg.mark(marks[square], x + cell / 2, y + cell - 8, size=11))
        for i in (1, 2):
            grid = f"M{i * cell} 4V{side - 4}M4 {i * cell}H{side - 4}"
            shapes.append(svg.shape("path", d=grid, stroke=svg.INK, stroke_width=2))
        return svg.picture(side, side, shapes, self.draw(state))

    def drawn_trap(self, player, x, y):
        """A dashed frame in the player's colour; X's is the outer one."""
        edge = (5, 9)[player]
        style = {"fill": "none", "stroke": svg.COLOURS[player], "stroke_width": 2.5}
        frame = svg.shape(
            "rect",
            x=x + edge,
            y=y + edge,
            width=svg.CELL - 2 * edge,
            height=svg.CELL - 2 * edge,
            rx=4,
            stroke_dasharray=("7 4", "2 4")[player],
            pointer_events="none",
            **style,
        )
        corner = (x + (13, svg.CELL - 13)[player], y + 14)
        return [frame, svg.text("xo"[player], *corner, 12, svg.COLOURS[player])]
