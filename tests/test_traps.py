"""Tic-trap-toe solved: matrix games, equilibria, and what a perfect adversary wins."""

import functools
import random
from functools import lru_cache

import numpy as np
import pytest
from scipy.optimize import linprog

from course_lib.agents import Random, Simple, equilibrium
from course_lib.arena import match
from course_lib.exact import best_reply, exploitability, solve_traps
from course_lib.exact.matrix_game import room, solve_matrix
from course_lib.exact.traps import (
    TIED,
    may_lay,
    passed,
    position,
    with_trap,
)
from course_lib.games import TicTrapToe
from course_lib.games.tic_trap_toe import NONE, PLACE, REMOVE, TRAP
from course_lib.twospeed import SPEEDS, fast
from tests.sample import after, result_for_first

WINS = TicTrapToe(trapped_line_wins=True, missed_traps_shown=True)
AUTHORS = TicTrapToe(missed_traps_shown=True)


# ---- matrix games ----------------------------------------------------------------------------


def solved(matrix, speed=None):
    rows, columns = matrix.shape
    payoffs, row_mix, column_mix = np.zeros((9, 9)), np.zeros(9), np.zeros(9)
    payoffs[:rows, :columns] = matrix
    value = fast(solve_matrix, speed)(payoffs, rows, columns, row_mix, column_mix, *room())
    return value, row_mix[:rows], column_mix[:columns]


def by_highs(matrix):
    """The value by a well-kept solver: maximise v with mix · column ≥ v for every column."""
    rows, columns = matrix.shape
    found = linprog(
        [0] * rows + [-1],
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1] * rows + [0]],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    return -found.fun


def test_paper_scissors_stone_is_worth_nothing_and_played_evenly():
    value, row_mix, column_mix = solved(np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float))
    assert value == pytest.approx(0, abs=1e-12)
    assert row_mix == pytest.approx([1 / 3] * 3)
    assert column_mix == pytest.approx([1 / 3] * 3)


def test_where_one_row_is_always_best_it_is_played_alone():
    value, row_mix, _ = solved(np.array([[0.5, 0.25], [-1.0, 0.0]]))
    assert (value, *row_mix) == pytest.approx((0.25, 1, 0))


def random_matrices(number):
    rng = np.random.default_rng(1)
    for n in range(number):
        shape = rng.integers(1, 10, 2)
        if n % 2:
            yield rng.uniform(-1, 1, shape)
        else:
            yield rng.integers(-1, 2, shape).astype(float)  # many equal payoffs: degenerate


def test_values_of_matrix_games_are_those_of_highs_and_the_mixes_guarantee_them():
    for matrix in random_matrices(300):
        value, row_mix, column_mix = solved(matrix)
        assert value == pytest.approx(by_highs(matrix), abs=1e-9)
        assert min(row_mix @ matrix) >= value - 1e-9
        assert max(matrix @ column_mix) <= value + 1e-9
        assert row_mix.sum() == pytest.approx(1) == column_mix.sum()
        assert min(*row_mix, *column_mix) >= -1e-12


def test_both_speeds_find_the_very_same_mixes():
    for matrix in random_matrices(60):
        results = [solved(matrix, speed) for speed in SPEEDS]
        assert results[0][0] == results[1][0]
        for n in (1, 2):
            assert np.array_equal(results[0][n], results[1][n])


# ---- the solution ----------------------------------------------------------------------------


@functools.cache
def counting():
    """With turns counted: exact for the game that is a tie after 200 turns."""
    return solve_traps(WINS, hit_factor=1)


@functools.cache
def player():
    return equilibrium(WINS)


def by_own_game(game, solution, later, values):
    for row in range(TIED + 1, len(values)):
        values[row] = solution.solve(game, position(solution, row), later)


def test_every_value_is_the_value_of_its_own_matrix_game():
    solution = counting()
    last = len(solution.values) - 1
    for later in (0, 3, last):
        values = np.zeros(solution.values.shape[1])
        fast(by_own_game)(WINS, solution, later, values)
        expected = solution.values[min(later + 1, last), TIED + 1 :]
        assert np.abs(values[TIED + 1 :] - expected).max() < 1e-9


def the_matrix(game, solution, state, left):
    """A position's matrix game, put together from the rules once more."""
    rows = []
    traps = [t for t in range(10) if may_lay(state, t)]
    for square in game.actions(state):
        row = []
        for trap in traps:
            child = game.play(with_trap(state, 1 - state.player, trap), square)
            children = [child]
            if child.phase == REMOVE:
                children = [game.play(child, action) for action in game.actions(child)]
            ends = [passed(each) for each in children]
            row.append(min(-solution.value_after(game, each, left) for each in ends))
        rows.append(row)
    return np.array(rows)


def test_values_of_positions_are_those_that_highs_finds():
    solution = counting()
    rng = random.Random(1)
    for row in rng.sample(range(TIED + 1, solution.values.shape[1]), 150):
        state = position(solution, row)
        matrix = the_matrix(WINS, solution, state, 199)
        assert by_highs(matrix) == pytest.approx(solution.values[-1, row], abs=1e-9)
        assert np.array_equal(solution.matrix(WINS, state), matrix)


def test_x_wins_between_four_and_five_tenths_of_a_game_and_best_begins_in_the_middle():
    solution = counting()
    assert 0.4 < solution.value(WINS, WINS.start()) < 0.5
    chances = np.zeros(27)
    player().policy(WINS, WINS.start(), chances)
    assert chances[4] == pytest.approx(1)


def test_a_quarter_of_the_positions_ask_for_chance():
    solution = counting()
    mixed = total = 0
    for row in range(TIED + 1, solution.values.shape[1], 5):
        matrix = the_matrix(WINS, solution, position(solution, row), 199)
        mixed += matrix.min(axis=1).max() < matrix.max(axis=0).min() - 1e-9
        total += 1
    assert 0.2 < mixed / total < 0.3


def test_turned_and_mirrored_positions_have_equal_values():
    """Solved without any use of symmetry, and compared with the solution that uses it."""
    game = WINS._replace(most_turns=8)
    alone = solve_traps(game, hit_factor=1, symmetry=False)
    together = solve_traps(game, hit_factor=1)
    assert alone.values.shape[1] > 7 * together.values.shape[1]
    for row in range(TIED + 1, alone.values.shape[1]):
        same = together.row(game, position(alone, row))
        assert alone.values[-1, row] == pytest.approx(together.values[-1, same], abs=1e-9)


def test_both_speeds_solve_a_position_alike():
    solution = counting()
    rng = random.Random(2)
    for row in rng.sample(range(TIED + 1, solution.values.shape[1]), 25):
        state = position(solution, row)
        found = []
        for speed in SPEEDS:
            value = fast(value_of, speed)(solution, state)
            found.append((value, *solution.scratch.mixes.ravel()))
        assert found[0] == found[1]


def value_of(solution, state):
    return solution.solve(solution.game, state, 30)


def test_only_the_game_with_missed_traps_shown_is_solved():
    with pytest.raises(ValueError, match="missed_traps_shown"):
        solve_traps(TicTrapToe())
    with pytest.raises(ValueError, match="hit_factor=2"):
        solve_traps(WINS, hit_factor=2)


# ---- the agent -------------------------------------------------------------------------------


def replies(game, solution, left, own, other):
    """By row, one turn more: what the best opponent of the equilibrium gets where the equilibrium
    is to move (`own`) and where the opponent is (`other`), from those with one turn less."""
    for row in range(TIED + 1, solution.used[0]):
        state = position(solution, row)
        solution.solve(game, state, left - 1)
        mixes = solution.scratch.mixes.copy()
        best = -2.0
        for trap in range(10):
            if may_lay(state, trap):
                value = 0.0
                for choice, square in enumerate(game.actions(state)):
                    laid = with_trap(state, 1, trap)
                    value += mixes[0, choice] * reply(game, solution, laid, square, other, left, 1)
                best = max(best, value)
        own[left, row] = best
        best = -2.0
        for square in game.actions(state):
            value, choice = 0.0, 0
            for trap in range(10):
                if may_lay(state, trap):
                    laid = with_trap(state, 1, trap)
                    value += mixes[1, choice] * reply(game, solution, laid, square, own, left, -1)
                    choice += 1
            best = max(best, value)
        other[left, row] = best


def reply(game, solution, laid, square, table, left, sign):
    """What the opponent gets after a turn; `sign` 1 where it may remove, -1 where it is caught."""
    placed = game.play(laid, square)
    if placed.phase != REMOVE:
        return at_end(game, solution, passed(placed), table, left, sign)
    best, chosen = -2.0, -1
    for action in game.actions(placed):
        end = passed(game.play(placed, action))
        if sign == 1:
            best = max(best, at_end(game, solution, end, table, left, sign))
        elif solution.value_after(game, end, left - 1) > best:
            best, chosen = solution.value_after(game, end, left - 1), action
    if sign == 1:
        return best
    return at_end(game, solution, passed(game.play(placed, chosen)), table, left, sign)


def at_end(game, solution, end, table, left, sign):
    if game.over(end):
        return sign * float(game.result(end))
    return table[left - 1, solution.row(game, end)]


@pytest.mark.parametrize("game", [WINS._replace(most_turns=12), AUTHORS._replace(most_turns=24)])
def test_nobody_wins_against_the_equilibrium_that_counts_turns(game):
    solution = solve_traps(game, hit_factor=1)
    own, other = np.zeros((2, *solution.values.shape))
    call = fast(replies)
    for left in range(1, game.most_turns + 1):
        call(game, solution, left, own, other)
    rows = slice(TIED + 1, None)
    assert np.abs(own[-1] + solution.values[-1])[rows].max() < 1e-6
    assert np.abs(other[-1] - solution.values[-1])[rows].max() < 1e-6


def test_without_counting_turns_the_equilibrium_loses_less_than_a_millionth():
    value = counting().value(WINS, WINS.start())
    first, second = (best_reply(WINS, player(), seat) for seat in (0, 1))
    assert -1e-9 < first + value < 1e-6
    assert -1e-9 < second - value < 1e-6


@pytest.mark.parametrize("opponent", [Random(), Simple(), "itself"], ids=str)
def test_the_equilibrium_loses_to_nobody_beyond_the_error_bar_of_its_value(opponent):
    opponent = player() if opponent == "itself" else opponent
    games = 10_000
    value = counting().value(WINS, WINS.start())
    for starter, promise in (("agent", value), ("opponent", -value)):
        results = match(WINS, player(), opponent, games, 1, starter, keep_moves=False).results
        assert results.mean() > promise - 4 * results.std() / games**0.5


def test_the_agent_says_the_chances_by_which_it_plays():
    state = after(WINS, [4, 9])
    state = WINS.seen_by(state, 1)
    chances = np.zeros(27)
    player().policy(WINS, state, chances)
    rng = np.random.default_rng(1)
    played = [fast(choose)(player(), state, rng) for _ in range(4000)]
    assert np.bincount(played, minlength=27) / 4000 == pytest.approx(chances, abs=0.04)
    assert 0.1 < chances.max() < 0.9


def choose(agent, state, rng):
    return agent.choose(agent.game, state, rng)


def test_it_takes_a_win_that_cannot_be_trapped_away():
    start = WINS.start()
    state = type(start)(
        0b110000011, 0b001110000 & ~0b110000000, 0, PLACE, NONE, NONE, NONE, NONE, 6
    )
    chances = np.zeros(27)
    player().policy(WINS, state, chances)
    assert chances[2] == pytest.approx(1)


@pytest.mark.parametrize("speed", SPEEDS)
def test_games_of_the_equilibrium_are_the_same_at_both_speeds(speed):
    played = match(WINS, player(), player(), games=3, seed=4, speed=speed)
    again = match(WINS, player(), player(), games=3, seed=4)
    assert np.array_equal(played.moves, again.moves)


# ---- the perfect adversary -------------------------------------------------------------------


def naive_reply(game, agent, seat):
    """By plain recursion over everything that can happen; for a few turns only."""

    @lru_cache(None)
    def chances(state):
        found = np.zeros(27)
        agent.policy(game, game.seen_by(state, seat), found)
        return {action: found[action] for action in game.actions(state) if found[action] > 0}

    @lru_cache(None)
    def worth(state):
        """At the start of a turn, before the trap of whoever is not to move is known."""
        if game.over(state):
            result = result_for_first(game, state)
            return result if seat == 1 else -result
        if state.player == seat:  # the adversary chose its trap already
            return max(
                sum(
                    chance * turn(with_trap(state, 1 - seat, trap), square)
                    for square, chance in chances(with_trap(state, 1 - seat, trap)).items()
                )
                for trap in range(10)
                if may_lay(state, trap)
            )
        raise AssertionError("the adversary's turn begins in `after_trap`")

    def turn(state, square):
        """The agent places: then it lays its trap, perhaps after a removal."""
        placed = game.play(state, square)
        if placed.phase == REMOVE:
            return max(adversary(game.play(placed, a)) for a in game.actions(placed))
        return adversary(placed)

    @lru_cache(None)
    def adversary(state):
        """The agent has placed; it lays its trap, and the adversary places without knowing it."""
        if game.over(state):
            return worth(state)
        laid = {state: 1.0}
        if state.phase == TRAP:
            laid = {game.play(state, action): c for action, c in chances(state).items()}
        if game.over(next(iter(laid))):
            return worth(next(iter(laid)))
        allowed = game.actions(next(iter(laid)))
        return max(sum(c * caught(each, square) for each, c in laid.items()) for square in allowed)

    def caught(state, square):
        placed = game.play(state, square)
        if placed.phase == REMOVE:
            return sum(c * worth(passed(game.play(placed, a))) for a, c in chances(placed).items())
        return worth(passed(placed))

    return worth(game.start()) if seat == 0 else adversary(game.start())


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("agent", [Random(), Simple()], ids=str)
def test_the_best_reply_is_that_of_plain_recursion(agent, seat):
    game = TicTrapToe(missed_traps_shown=True, most_turns=6)
    if agent == Random():
        game = game._replace(most_turns=4)
    expected = naive_reply(game, agent, seat)
    assert best_reply(game, agent, seat) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("game", [WINS, AUTHORS], ids=str)
def test_a_player_who_never_varies_is_beaten_in_every_game(game):
    assert best_reply(game, Simple(), 0) == best_reply(game, Simple(), 1) == 1
    assert exploitability(game, Simple()) == 1


def test_a_best_reply_needs_to_know_the_chances_and_the_seat():
    with pytest.raises(ValueError, match="policy"):
        best_reply(WINS, object())
    with pytest.raises(ValueError, match="seat=2"):
        best_reply(WINS, Simple(), 2)


def test_an_agent_for_another_game_is_refused():
    with pytest.raises(ValueError, match="was made for"):
        match(AUTHORS, player(), Random(), games=1)
