"""Dots and boxes solved: values in boxes, who sees less, chains, and where greed loses."""

import functools

import numpy as np
import pytest

from course_lib.agents import Perfect, Random, Simple
from course_lib.exact import LinesPlayer, ceiling, ceiling_for_lines, distance, exact_rates, solve
from course_lib.exact.chains import (
    best_line,
    chains,
    declining_positions,
    double_cross,
    ends_with,
    taking,
)
from course_lib.games import DotsAndBoxes
from tests.sample import after

GAME = DotsAndBoxes(2, 2, tie_loses=True)
VALUES = {(1, 1): -1, (1, 2): 0, (2, 2): 2, (2, 3): -2, (3, 3): -3}


@functools.cache
def solved(rows, cols, tie_loses=False):
    return solve(DotsAndBoxes(rows, cols, tie_loses))


@pytest.mark.parametrize(("size", "value"), VALUES.items(), ids=str)
def test_the_value_of_the_empty_board_in_boxes(size, value):
    solution = solved(*size)
    assert solution.margin(solution.game, solution.game.start()) == value


@pytest.mark.parametrize("size", [(1, 2), (2, 2), (2, 3)])
def test_the_best_line_ends_with_that_lead(size):
    solution = solved(*size)
    state = solution.game.start()
    for line in best_line(solution, state):
        state = solution.game.play(state, line)
    assert solution.game.over(state)
    assert state.first.bit_count() - state.second.bit_count() == VALUES[size]


# ---- who sees the lines only -----------------------------------------------------------------


def test_against_random_it_costs_nothing_to_see_the_lines_only():
    found = ceiling_for_lines(GAME, Random())
    whole = sum(ceiling(GAME, Random(), seat).win for seat in (0, 1)) / 2
    assert found.exact() and found.full == pytest.approx(whole)
    assert found.lines == pytest.approx(found.full, abs=1e-12)
    player = LinesPlayer(found.policy)
    wins = sum(exact_rates(GAME, player, Random(), seat).win for seat in (0, 1)) / 2
    assert wins == pytest.approx(found.lines, abs=1e-12)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (1, 3)])
def test_no_player_of_lines_is_better_than_its_ceiling(rows, cols):
    game = DotsAndBoxes(rows, cols, tie_loses=True)
    for opponent in (Random(), Simple()):
        found = ceiling_for_lines(game, opponent)
        assert found.lines <= found.full + 1e-12
        rng = np.random.default_rng(3)
        for _ in range(20):
            lines = [rng.permutation(list(members_free(game, s)))[:1] for s in all_sets(game)]
            player = LinesPlayer(np.array([each[0] if len(each) else -1 for each in lines]))
            wins = sum(exact_rates(game, player, opponent, seat).win for seat in (0, 1)) / 2
            assert wins <= found.lines + 1e-12 or not found.exact()


def all_sets(game):
    return range(1 << game.longest())


def members_free(game, lines):
    return [line for line in range(game.longest()) if not lines >> line & 1]


def test_a_game_with_ties_is_refused():
    with pytest.raises(ValueError, match="tie_loses=True"):
        ceiling_for_lines(DotsAndBoxes(2, 2), Random())


def test_perfect_play_has_no_distance_and_simple_play_has():
    solution = solved(2, 2, True)
    far = distance(GAME, Perfect(GAME, solution), Random(), solution)
    assert far.optimal == far.by_chance == 1 and far.worst == pytest.approx(0.5)
    simple = distance(GAME, Simple(), Random(), solution)
    assert 0.3 < simple.optimal < 0.95 and simple.worst == 0 and simple.positions > 500


# ---- chains and greed ------------------------------------------------------------------------


def test_chains_are_boxes_that_fall_one_after_the_other():
    game = DotsAndBoxes(1, 3)
    state = after(game, [0, 1, 2, 7, 8, 9])  # top and bottom of all boxes
    assert chains(game, state) == [[0, 1, 2]]
    state = after(game, [0, 1, 2, 7, 8, 9, 5])  # a wall in it
    assert chains(game, state) == [[0, 1], [2]]
    assert chains(game, game.start()) == []


def test_lines_that_take_a_box_are_found():
    state = after(GAME, [0, 2, 3])
    assert taking(GAME, state) == 1 << 5
    assert taking(GAME, GAME.start()) == 0


def naive_declining(rows, cols):
    """Set by set: those with a box to take and no best move that takes one."""
    solution = solved(rows, cols)
    ours, found = solution.game, 0
    for lines in range((1 << ours.longest()) - 1):
        state = type(ours.start())(lines, 0, 0, 0)
        leads, takes = {}, {}
        for line in range(ours.longest()):
            if not lines >> line & 1:
                then = ours.play(state, line)
                takes[line] = then.first > 0
                leads[line] = ends_with(solution, state, line)
        best = [line for line, lead in leads.items() if lead == max(leads.values())]
        found += any(takes.values()) and not any(takes[line] for line in best)
    return found


@pytest.mark.parametrize(("size", "number"), [((1, 2), 0), ((2, 2), 0), ((1, 3), None)], ids=str)
def test_positions_in_which_a_box_is_left_are_counted(size, number):
    game = DotsAndBoxes(*size)
    found = declining_positions(game, solved(*size))
    assert found == naive_declining(*size) and (number is None or found == number)


def test_on_2_by_3_boxes_there_are_some():
    assert declining_positions(DotsAndBoxes(2, 3), solved(2, 3)) == 672


@pytest.mark.parametrize("size", [(2, 3), (3, 3)])
def test_greed_loses_where_giving_two_away_wins(size):
    solution = solved(*size)
    game, cross = solution.game, double_cross(solution)
    assert cross.greedy_lead < 0 < cross.best_lead == solution.margin(game, cross.state)
    assert game.mover(cross.state) == cross.state.lines.bit_count() % 2
    for drawn, lead in ((cross.greedy, cross.greedy_lead), (cross.best, cross.best_lead)):
        state = cross.state
        for line in drawn:
            assert state.player == cross.state.player
            state = game.play(state, line)
        assert -solution.margin(game, state) == lead and state.player != cross.state.player
    boxes = game.rows * game.cols
    state = cross.state
    for line in cross.greedy[:-1]:
        assert game.play(state, line).player == state.player  # each takes a box
        state = game.play(state, line)
    assert not taking(game, state) and boxes > 4
    state = cross.state
    for line in cross.best:
        state = game.play(state, line)
    gift = taking(game, state)
    assert gift and max(
        (game.play(state, line).first | game.play(state, line).second).bit_count()
        for line in range(game.longest())
        if gift >> line & 1
    ) == 2 + (len(cross.best) - 1)


def test_a_board_without_such_a_position_says_so():
    with pytest.raises(ValueError, match="there is no such position"):
        double_cross(solved(2, 2))
