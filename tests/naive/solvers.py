"""Exact values: python -m tests.naive.solvers

An opponent is a function opponent(game, pos) -> {move: probability}.
"""

from fractions import Fraction

from .rules import Connect4, DotsAndBoxes, TicTacToe


def dots_solver(rows, cols):
    """Dots and boxes by itself: a function from the drawn lines (a set of numbers) to the best
    margin, in boxes still to be won, for the player to move. Practical up to 2 x 3."""
    per_row = 2 * cols + 1
    boxes = []
    for r in range(rows):
        for c in range(cols):
            top, left = r * per_row + c, r * per_row + cols + c
            boxes.append(1 << top | 1 << left | 1 << left + 1 | 1 << top + per_row)
    number = rows * per_row + cols
    boxes_of = [[box for box in boxes if box >> line & 1] for line in range(number)]
    memo = {(1 << number) - 1: 0}

    def best(drawn):
        if drawn not in memo:
            values = []
            for line in range(number):
                after = drawn | 1 << line
                if after != drawn:
                    won = sum(after & box == box for box in boxes_of[line])
                    values.append(won + best(after) if won else -best(after))
            memo[drawn] = max(values)
        return memo[drawn]

    return lambda drawn=(): best(sum(1 << line for line in set(drawn)))


def minimax(game, pos=None, memo=None):
    """Value of a position for player 0, both players perfect. Pass a dict as memo to keep it."""
    pos = game.start() if pos is None else pos
    memo = {} if memo is None else memo
    if pos not in memo:
        if game.finished(pos):
            memo[pos] = game.outcome(pos)
        else:
            values = [minimax(game, game.play(pos, move), memo) for move in game.moves(pos)]
            memo[pos] = max(values) if game.to_move(pos) == 0 else min(values)
    return memo[pos]


def best_moves(game, pos, memo=None):
    """All moves that keep the minimax value, ascending."""
    memo = {} if memo is None else memo
    value = minimax(game, pos, memo)
    return [m for m in game.moves(pos) if minimax(game, game.play(pos, m), memo) == value]


def uniform(moves):
    return {move: Fraction(1, len(moves)) for move in moves}


def random_opponent(game, pos):
    return uniform(game.moves(pos))


def lowest_opponent(game, pos):
    return uniform(game.moves(pos)[:1])


def lookahead_opponent(game, pos):
    """Takes an immediate win; else goes where the other side would win at once; else random."""
    me, moves = game.to_move(pos), game.moves(pos)
    wins = [move for move in moves if game.wins_at(pos, move, me)]
    threats = [move for move in moves if game.wins_at(pos, move, 1 - me)]
    return uniform(wins or threats or moves)


def perfect_opponent(memo=None):
    """The uniform choice among minimax-best moves, with a memo of its own."""
    memo = {} if memo is None else memo
    return lambda game, pos: uniform(best_moves(game, pos, memo))


def mix(weighted):
    """The weighted sum of (win, tie, loss) triples."""
    return tuple(sum(weight * triple[n] for weight, triple in weighted) for n in range(3))


def best_response(game, opponent, seat):
    """(win, tie, loss) of the best play in this seat: most win - loss, then most wins."""
    memo = {}

    def value(pos):
        if pos not in memo:
            if game.finished(pos):
                result = game.outcome(pos) * (1 if seat == 0 else -1)
                memo[pos] = tuple(Fraction(result == r) for r in (1, 0, -1))
            elif game.to_move(pos) == seat:
                options = [value(game.play(pos, move)) for move in game.moves(pos)]
                memo[pos] = max(options, key=lambda wtl: (wtl[0] - wtl[2], wtl[0]))
            else:
                chances = opponent(game, pos).items()
                memo[pos] = mix([(p, value(game.play(pos, move))) for move, p in chances])
        return memo[pos]

    return value(game.start())


def fixed_play(game, first, second):
    """(win, tie, loss) of player 0 when both sides are opponent functions."""
    memo = {}

    def value(pos):
        if pos not in memo:
            if game.finished(pos):
                memo[pos] = tuple(Fraction(game.outcome(pos) == r) for r in (1, 0, -1))
            else:
                chances = (first, second)[game.to_move(pos)](game, pos).items()
                memo[pos] = mix([(p, value(game.play(pos, move))) for move, p in chances])
        return memo[pos]

    return value(game.start())


def show(label, triple):
    decimals = "  ".join(f"{float(part):.6f}" for part in triple)
    print(f"{label:44s} {decimals}   {' '.join(str(part) for part in triple)}")


def main():
    print("dots and boxes, best margin of the first player")
    for rows, cols in ((1, 1), (1, 2), (1, 3), (2, 2), (1, 4), (1, 5), (2, 3), (3, 2)):
        print(f"  {rows} x {cols}: {dots_solver(rows, cols)():+d}")

    print("\nminimax value for player 0")
    games = {
        "noughts and crosses 3 x 3": TicTacToe(),
        "Connect4 4 x 4, 4 in a row": Connect4(4, 4),
        "Connect4 3 rows x 4 columns, 3 in a row": Connect4(3, 4, 3),
        "dots 1 x 2, starter loses ties": DotsAndBoxes(1, 2),
        "dots 2 x 2, starter loses ties": DotsAndBoxes(2, 2),
        "dots 2 x 2, ties drawn": DotsAndBoxes(2, 2, "draw"),
    }
    for name, game in games.items():
        print(f"  {name}: {minimax(game):+d}")

    opponents = {
        "random": random_opponent,
        "lowest": lowest_opponent,
        "one-step look-ahead": lookahead_opponent,
        "perfect": perfect_opponent(),
    }
    print("\nbest play: win, tie, loss of the learner")
    for name, opponent in opponents.items():
        for seat, word in enumerate(("first", "second")):
            triple = best_response(TicTacToe(), opponent, seat)
            show(f"3 x 3 vs {name}, learner {word}", triple)
    for tie_rule in ("starter loses", "draw"):
        for name in ("random", "lowest"):
            for seat, word in enumerate(("first", "second")):
                triple = best_response(DotsAndBoxes(2, 2, tie_rule), opponents[name], seat)
                show(f"dots 2 x 2 ({tie_rule}) vs {name}, {word}", triple)

    print("\nno learner, 3 x 3: win, tie, loss of the first player")
    for one, first in opponents.items():
        for two, second in opponents.items():
            show(f"{one} vs {two}", fixed_play(TicTacToe(), first, second))
    print("\nno learner, dots 2 x 2, ties drawn: win, tie, loss of the first player")
    show("random vs random", fixed_play(DotsAndBoxes(2, 2, "draw"), *[random_opponent] * 2))


if __name__ == "__main__":
    main()
