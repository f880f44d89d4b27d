"""Monte Carlo tree search by nested dictionaries, on the naive rules.

`draw(n)` gives a number below n; a node's values are for player 0 throughout, and turned where
two moves are compared.
"""

import math


def play_out(game, pos, draw):
    while not game.finished(pos):
        moves = game.moves(pos)
        pos = game.play(pos, moves[draw(len(moves))])
    return game.outcome(pos)


def new_node():
    return {"visits": 0, "total": 0, "children": {}}


def simulate(game, pos, node, c, draw):
    """One simulation from a node down; returns the result for player 0."""
    node["visits"] += 1
    moves = game.moves(pos)
    untried = [move for move in moves if move not in node["children"]]
    if game.finished(pos):
        result = game.outcome(pos)
    elif untried:
        move = untried[draw(len(untried))]
        child = node["children"][move] = new_node()
        pos = game.play(pos, move)
        result = play_out(game, pos, draw)
        child["visits"] += 1
        child["total"] += result
    else:
        sign = 1 if game.to_move(pos) == 0 else -1

        def bound(move):
            child = node["children"][move]
            mean = sign * child["total"] / child["visits"]
            # the visit that is under way does not count yet
            return mean + c * math.sqrt(math.log(node["visits"] - 1) / child["visits"])

        newest_first = list(node["children"])[::-1]
        move = max(newest_first, key=bound)
        result = simulate(game, game.play(pos, move), node["children"][move], c, draw)
    node["total"] += result
    return result


def grow(game, pos, simulations, c, draw):
    """The root of a tree of so many simulations."""
    root = new_node()
    for _ in range(simulations):
        simulate(game, pos, root, c, draw)
    return root
