"""Naive rules of tic-trap-toe, written from the paper and its readings without bits.

A position is a tuple (board, whose turn, phase, traps, caught, turns). The board is a string of
nine characters; `traps` maps are written as a pair (X's last trap, O's last trap), None for none.
The turn belongs to the player who places in it, also while the opponent removes a piece.
"""

WAYS = [
    [(r, c) for c in range(3)] if kind == "row" else [(c, r) for c in range(3)]
    for kind in ("row", "column")
    for r in range(3)
] + [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]


def put(board, square, mark):
    return board[:square] + mark + board[square + 1 :]


def has_three(board, mark):
    return any(all(board[3 * r + c] == mark for r, c in way) for way in WAYS)


class TicTrapToe:
    """trapped_line: "removed" or "wins"; missed: "hidden" or "shown"."""

    def __init__(self, trapped_line="removed", missed="hidden", most_turns=200):
        self.trapped_line, self.missed, self.most_turns = trapped_line, missed, most_turns

    def start(self):
        return (".........", "X", "place", (None, None), False, 0)

    def to_move(self, pos):
        _, turn, phase, _, _, _ = pos
        return "XO".index(self.other(turn) if phase == "remove" else turn)

    @staticmethod
    def other(mark):
        return {"X": "O", "O": "X"}[mark]

    def winner(self, pos):
        """A line counts when a turn is over."""
        board, turn, phase, _, _, _ = pos
        if phase == "place" and has_three(board, self.other(turn)):
            return self.other(turn)
        return None

    def finished(self, pos):
        board, _, phase, _, _, turns = pos
        if phase != "place":
            return False
        return self.winner(pos) is not None or "." not in board or turns == self.most_turns

    def outcome(self, pos):
        return {"X": 1, "O": -1, None: 0}[self.winner(pos)]

    def moves(self, pos):
        if self.finished(pos):
            return []
        board, turn, phase, traps, _, _ = pos
        vacant = [n for n in range(9) if board[n] == "."]
        if phase == "remove":
            return [("remove", n) for n in range(9) if board[n] == turn]
        if phase == "trap":
            return [("trap", n) for n in vacant]
        allowed = [n for n in vacant if n != traps["XO".index(turn)]]
        return [("place", n) for n in (vacant if len(vacant) == 1 else allowed)]

    def play(self, pos, move):
        assert move in self.moves(pos)
        board, turn, _, traps, caught, turns = pos
        kind, square = move
        if kind == "remove":
            board = put(board, square, ".")
            if has_three(board, turn):
                return (board, self.other(turn), "place", traps, True, turns + 1)
            return (board, turn, "trap", traps, True, turns)
        if kind == "trap":
            traps = (square, traps[1]) if turn == "X" else (traps[0], square)
            return (board, self.other(turn), "place", traps, caught, turns + 1)
        alone = board.count(".") == 1
        hit = traps["XO".index(self.other(turn))] == square and not alone
        board = put(board, square, turn)
        line = has_three(board, turn)
        if line and (not hit or self.trapped_line == "wins"):
            return (board, self.other(turn), "place", traps, False, turns + 1)
        if hit:
            return (board, turn, "remove", traps, False, turns)
        if board.count(".") <= 1:
            traps = (None, traps[1]) if turn == "X" else (traps[0], None)
            return (board, self.other(turn), "place", traps, False, turns + 1)
        return (board, turn, "trap", traps, False, turns)

    def sees(self, pos, player):
        """The two last traps as a player sees them: "secret" where it does not know one."""
        _, turn, phase, traps, caught, _ = pos
        me, you = "XO"[player], "OX"[player]
        others = traps["XO".index(you)]
        active = phase == "place" and turn == me
        placed_last = self.other(turn) if phase == "place" else turn
        was_caught = placed_last == me and (caught or phase == "remove")
        known = not active and (self.missed == "shown" or was_caught)
        if others is not None and not known:
            others = "secret"
        mine = traps[player]
        return (mine, others) if player == 0 else (others, mine)
