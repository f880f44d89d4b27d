"""Numbers of move sequences, positions and match boxes: python -m tests.naive.counts"""

from collections import Counter

from .rules import Connect4, DotsAndBoxes, TicTacToe


def perft(game, depth, pos=None):
    """Number of move sequences of this length, one by one; none goes on after the game's end."""
    pos = game.start() if pos is None else pos
    if depth == 0:
        return 1
    return sum(perft(game, depth - 1, game.play(pos, move)) for move in game.moves(pos))


def layers(game, depth=None):
    """For each depth 0, 1, ...: Counter of position -> number of move sequences leading to it."""
    result = [Counter([game.start()])]
    while depth is None or len(result) <= depth:
        following = Counter()
        for pos, ways in result[-1].items():
            for move in game.moves(pos):
                following[game.play(pos, move)] += ways
        if not following:
            break
        result.append(following)
    return result


def canonical(game, pos):
    """One position to stand for all its mirror images and turns (repr orders the None owners)."""
    return min(game.images(pos), key=repr)


def classes(game, positions):
    return {canonical(game, pos) for pos in positions}


def menace_boxes(seat=0):
    """Noughts and crosses: essentially distinct positions with `seat` to move, for each depth."""
    game = TicTacToe()
    open_layers = [[p for p in layer if not game.finished(p)] for layer in layers(game)]
    return [len(classes(game, layer)) for layer in open_layers[seat::2] if layer]


def dots_lines_player_margin(game, pos):
    """What decides the rest of dots and boxes: lines, player to move, score difference."""
    mine, yours = game.score(pos)
    return pos[0], pos[2], mine - yours


def print_table(name, game, depth=None):
    print(f"\n{name}\ndepth  sequences  positions  over  up to symmetry  of these over")
    totals = [0, 0, 0, 0, 0]
    for d, layer in enumerate(layers(game, depth)):
        essential = classes(game, layer)
        row = [
            layer.total(),
            len(layer),
            sum(game.finished(p) for p in layer),
            len(essential),
            sum(game.finished(p) for p in essential),
        ]
        totals = [a + b for a, b in zip(totals, row, strict=True)]
        print("{:5d} {:10d} {:10d} {:5d} {:15d} {:14d}".format(d, *row))
    print("total {:10d} {:10d} {:5d} {:15d} {:14d}".format(*totals))


def print_dots_table(rows, cols):
    game = DotsAndBoxes(rows, cols)
    print(f"\ndots and boxes {rows} x {cols}, positions told apart by")
    print("depth  lines  lines, player, margin  lines, owners, player")
    totals = [0, 0, 0]
    for d, layer in enumerate(layers(game)):
        row = [
            len({pos[0] for pos in layer}),
            len({dots_lines_player_margin(game, pos) for pos in layer}),
            len(layer),
        ]
        totals = [a + b for a, b in zip(totals, row, strict=True)]
        print("{:5d} {:6d} {:22d} {:22d}".format(d, *row))
    print("total {:6d} {:22d} {:22d}".format(*totals))


def main():
    print_table("noughts and crosses 3 x 3", TicTacToe())
    for seat, name in enumerate(("first", "second")):
        boxes = menace_boxes(seat)
        print(f"MENACE boxes as {name} player: {boxes}, in all {sum(boxes)}")
    print_table("tic-tac-toe 4 x 4, first moves", TicTacToe(4), 5)
    print_table("Connect4 6 x 7, first moves", Connect4(), 7)
    print_table("Connect4 4 rows x 4 columns, 4 in a row", Connect4(4, 4))
    print_table("Connect4 4 rows x 5 columns, 3 in a row", Connect4(4, 5, 3), 8)
    for rows, cols in ((1, 1), (1, 2), (2, 1), (2, 2)):
        print_table(f"dots and boxes {rows} x {cols}", DotsAndBoxes(rows, cols))
        print_dots_table(rows, cols)


if __name__ == "__main__":
    main()
