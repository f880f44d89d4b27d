"""Connect4 that lists its columns from the middle: another order, the same game."""

import numpy as np
import pytest

from course_lib.agents import Negamax, Promise, Random, search, with_memory
from course_lib.arena import match, replay
from course_lib.games import Connect4, MiddleFirst


@pytest.mark.parametrize(
    "columns, order", [(7, [3, 2, 4, 1, 5, 0, 6]), (6, [3, 2, 4, 1, 5, 0]), (1, [0])]
)
def test_the_columns_are_listed_from_the_middle_outwards(columns, order):
    game = MiddleFirst(4, columns, 4)
    assert list(game.actions(game.start())) == order


def test_a_full_column_is_left_out_as_in_connect4():
    game = MiddleFirst(4, 5, 3)
    state = replay(game, [2, 2, 2, 2])[-1].state
    assert list(game.actions(state)) == [1, 3, 0, 4]
    assert sorted(game.actions(state)) == list(Connect4(4, 5, 3).actions(state))


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_search_finds_the_same_values_in_either_order_with_fewer_nodes(depth):
    positions = [[], [3], [3, 3, 2], [0, 1, 2, 3, 4, 5, 6]]
    nodes = {Connect4: 0, MiddleFirst: 0}
    for moves in positions:
        values = []
        for kind in nodes:
            game = kind()
            state = replay(game, moves)[-1].state
            for searcher in (Negamax(True, depth, Promise()), with_memory(game, depth, 16)):
                found = search(searcher, game, state)
                nodes[kind] += found.nodes
                values.append(found.values)
        np.testing.assert_allclose(values[0], values[2])
        np.testing.assert_allclose(values[1], values[3])
    assert nodes[MiddleFirst] < nodes[Connect4] or depth < 3


def test_both_speeds_play_the_same_games():
    game = MiddleFirst(4, 5, 3)
    slow = match(game, Random(), Random(), games=50, seed=3, speed="python")
    quick = match(game, Random(), Random(), games=50, seed=3)
    assert (slow.moves == quick.moves).all()
