"""What the tests play with: games beside their naive twins, positions, and ways to get there."""

import random

from course_lib.bits import contains
from course_lib.games import Connect4, TicTacToe
from tests.naive import rules


def name(game):
    """For test ids: TicTacToe-3, Connect4-4-5-3."""
    return "-".join([type(game).__name__, *map(str, game)])


def twin(game):
    """The naive version of the same rules."""
    if isinstance(game, TicTacToe):
        return rules.TicTacToe(game.size)
    if isinstance(game, Connect4):
        return rules.Connect4(game.rows, game.cols, game.k)
    return rules.DotsAndBoxes(game.rows, game.cols, "starter loses" if game.tie_loses else "draw")


def naively(game, state):
    """The same position as the naive rules write it."""
    if isinstance(game, TicTacToe):
        return tuple(
            "X" if contains(state.crosses, n) else "O" if contains(state.noughts, n) else "."
            for n in range(game.size**2)
        )
    if isinstance(game, Connect4):
        columns = []
        for column in range(game.cols):
            squares = [column * (game.rows + 1) + row for row in range(game.rows)]
            columns.append(
                tuple(
                    0 if contains(state.first, square) else 1
                    for square in squares
                    if contains(state.first | state.second, square)
                )
            )
        return tuple(columns)
    owners = tuple(
        0 if contains(state.first, box) else 1 if contains(state.second, box) else None
        for box in range(game.rows * game.cols)
    )
    lines = tuple(int(contains(state.lines, line)) for line in range(game.longest()))
    return lines, owners, state.player


def after(game, actions):
    """The state that these actions lead to."""
    state = game.start()
    for action in actions:
        state = game.play(state, action)
    return state


def random_actions(game, rng, most=None):
    """The actions of a random game, or of the first `most` moves of one."""
    state, actions = game.start(), []
    while not game.over(state) and (most is None or len(actions) < most):
        actions.append(rng.choice(list(game.actions(state))))
        state = game.play(state, actions[-1])
    return actions


def random_lines_of_play(game, number, seed=0):
    """Action lists that stop somewhere in random games, the start and finished games included."""
    rng = random.Random(seed)
    for _ in range(number):
        yield random_actions(game, rng, rng.randint(0, game.longest()))


def all_states(game):
    """Every state that play can reach, in the order of its number of moves."""
    found = dict.fromkeys([game.start()])
    waiting = list(found)
    for state in waiting:
        if not game.over(state):
            for action in game.actions(state):
                following = game.play(state, action)
                if following not in found:
                    found[following] = None
                    waiting.append(following)
    return waiting


def result_for_first(game, state):
    """The result of a finished game for player 0."""
    result = game.result(state)
    return result if game.mover(state) == 0 else -result


def noughts_and_crosses(board):
    """The state of a drawn 3 × 3 board: "XX. OO. ..."; who is to move follows from the count."""
    squares = "".join(board.split())
    game = TicTacToe()
    crosses = sum(1 << n for n, mark in enumerate(squares) if mark == "X")
    noughts = sum(1 << n for n, mark in enumerate(squares) if mark == "O")
    empty = game.start()
    player = squares.count("X") - squares.count("O")
    assert len(squares) == 9 and player in (0, 1)
    return type(empty)(crosses, noughts, player)
