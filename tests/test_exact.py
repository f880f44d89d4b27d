"""Exact solutions against naive ones, and against values known from elsewhere."""

import importlib
import random
from fractions import Fraction

import numpy as np
import pytest

from course_lib.agents import Minimax, OneStepLookAhead, Perfect, Random, Simple, perfect
from course_lib.arena import match
from course_lib.exact import ceiling, exact_rates, solve
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from tests.naive import solvers
from tests.sample import after, all_states, naively, name, random_lines_of_play, twin

SOLVED = [
    TicTacToe(),
    Connect4(3, 3, 3),
    DotsAndBoxes(1, 2),
    DotsAndBoxes(2, 2),
    DotsAndBoxes(2, 2, tie_loses=True),
]


@pytest.fixture(scope="module")
def solutions():
    return {game: solve(game) for game in SOLVED}


def members(bits):
    return [n for n in range(64) if int(bits) >> n & 1]


# ---- solve -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "cols", "boxes"),
    [(1, 1, -1), (1, 2, 0), (2, 1, 0), (2, 2, 2), (2, 3, -2), (3, 2, -2), (3, 3, -3)],
)
def test_the_first_player_gets_so_many_boxes_more_than_the_second(rows, cols, boxes):
    game = DotsAndBoxes(rows, cols)
    solution = solve(game)
    assert solution.margin(game, game.start()) == boxes
    assert solution.value(game, game.start()) == (boxes > 0) - (boxes < 0)
    assert solution.positions() == 1 << game.longest()


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (2, 2), (2, 3)])
def test_what_is_left_of_the_boxes_falls_as_the_naive_solver_says(rows, cols):
    game = DotsAndBoxes(rows, cols)
    solution, naive = solve(game), solvers.dots_solver(rows, cols)
    rng = random.Random(0)
    everything = range(1 << game.longest())
    for lines in everything if len(everything) <= 4096 else rng.sample(everything, 2000):
        assert solution.margins[lines] == naive(members(lines))


@pytest.mark.parametrize("game", SOLVED, ids=name)
def test_value_and_best_moves_of_every_position_are_those_of_naive_minimax(game, solutions):
    naive, memo, seen = twin(game), {}, set()
    for state in all_states(game):
        position = naively(game, state)
        value = solvers.minimax(naive, position, memo) * (1 if game.mover(state) == 0 else -1)
        seen.add(value)
        assert solutions[game].value(game, state) == value
        best = members(solutions[game].best_actions(game, state))
        assert best == ([] if game.over(state) else solvers.best_moves(naive, position, memo))
    assert {-1, 1} <= seen


def test_as_many_positions_are_solved_as_play_can_reach(solutions):
    assert solutions[TicTacToe()].positions() == 5478
    board = Connect4(3, 3, 3)
    assert solutions[board].positions() == len(all_states(board))


def test_an_equal_score_that_loses_for_the_starter_makes_1x2_a_loss():
    drawn, strict = DotsAndBoxes(1, 2), DotsAndBoxes(1, 2, tie_loses=True)
    assert solve(drawn).value(drawn, drawn.start()) == 0
    assert solve(strict).value(strict, strict.start()) == -1


def test_both_speeds_solve_alike():
    game = TicTacToe()
    slow, quick = solve(game, "python"), solve(game, "compiled")
    for state in all_states(game):
        assert slow.value(game, state) == quick.value(game, state)
        assert slow.best_actions(game, state) == quick.best_actions(game, state)
    game = DotsAndBoxes(1, 2)
    assert (solve(game, "python").margins == solve(game, "compiled").margins).all()


def test_a_table_that_has_to_grow_solves_the_same(monkeypatch, solutions):
    module = importlib.import_module("course_lib.exact.solve")
    monkeypatch.setattr(module, "FIRST_ROWS", 16)
    game = TicTacToe()
    grown = solve(game)
    assert grown.positions() == 5478
    for state in all_states(game):
        assert grown.value(game, state) == solutions[game].value(game, state)
        assert grown.best_actions(game, state) == solutions[game].best_actions(game, state)


def test_games_that_are_too_large_are_refused(monkeypatch):
    with pytest.raises(ValueError, match="31 lines are too many to solve; at most 24"):
        solve(DotsAndBoxes(3, 4))
    module = importlib.import_module("course_lib.exact.solve")
    monkeypatch.setattr(module, "MOST_POSITIONS", module.FIRST_ROWS)
    with pytest.raises(ValueError, match=r"TicTacToe\(size=4\) has more than 16,384 positions"):
        solve(TicTacToe(4))


def test_exact_rates_of_games_that_are_too_large_are_refused(monkeypatch):
    module = importlib.import_module("course_lib.exact.ceiling")
    monkeypatch.setattr(module, "MOST_POSITIONS", module.FIRST_ROWS)
    with pytest.raises(ValueError, match=r"TicTacToe\(size=4\) has more than 16,384 positions"):
        exact_rates(TicTacToe(4), Random(), Random())


def test_a_position_that_play_cannot_reach_has_no_value(solutions):
    """Three crosses and no nought: there is nothing in the table to be read for it."""
    game = TicTacToe()
    impossible = type(game.start())(0b000010011, 0, 1)
    with pytest.raises((ValueError, KeyError)):
        solutions[game].value(game, impossible)


# ---- the ceiling -----------------------------------------------------------------------------

NAIVELY = {
    Random: solvers.random_opponent,
    Simple: solvers.lowest_opponent,
    OneStepLookAhead: solvers.lookahead_opponent,
}


def naive_player(agent):
    return NAIVELY[type(agent)] if type(agent) in NAIVELY else solvers.perfect_opponent()


@pytest.fixture(scope="module")
def players(solutions):
    """One agent of each kind that tells its chances, for noughts and crosses."""
    agents = [Random(), Simple(), OneStepLookAhead(), Perfect(TicTacToe(), solutions[TicTacToe()])]
    return {type(agent).__name__: agent for agent in agents}


def assert_equal_rates(rates, exact):
    assert sum(exact) == 1
    assert tuple(rates) == pytest.approx([float(part) for part in exact], abs=1e-12, rel=0)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponent", ["Random", "Simple", "OneStepLookAhead", "Perfect"])
def test_nobody_does_better_at_noughts_and_crosses_than_the_naive_best_response(
    players, opponent, seat
):
    agent = players[opponent]
    best = solvers.best_response(twin(TicTacToe()), naive_player(agent), seat)
    assert_equal_rates(ceiling(TicTacToe(), agent, seat, speed="python"), best)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponent", [Random(), OneStepLookAhead()], ids=str)
def test_both_speeds_find_the_same_ceiling(opponent, seat):
    slow, quick = (ceiling(TicTacToe(), opponent, seat, speed) for speed in ("python", "compiled"))
    assert tuple(slow) == pytest.approx(tuple(quick), abs=1e-15)


def test_the_ceiling_against_random_play_is_191_of_192_games():
    rates = ceiling(TicTacToe(), Random())
    assert_equal_rates(rates, (Fraction(191, 192), Fraction(1, 192), Fraction(0)))
    assert rates.score() == pytest.approx(191 / 192)
    assert repr(rates) == "win 0.9948, tie 0.0052, loss 0.0000"


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("tie_loses", [False, True])
@pytest.mark.parametrize("opponent", [Random(), Simple()], ids=str)
@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (2, 2)])
def test_nobody_does_better_at_dots_and_boxes_either(rows, cols, opponent, tie_loses, seat):
    game = DotsAndBoxes(rows, cols, tie_loses)
    best = solvers.best_response(twin(game), naive_player(opponent), seat)
    assert_equal_rates(ceiling(game, opponent, seat), best)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("tie_loses", [False, True])
def test_against_perfect_dots_the_ceiling_is_the_value_of_the_game(solutions, tie_loses, seat):
    game = DotsAndBoxes(2, 2, tie_loses)
    agent = Perfect(game, solutions[game])
    score = ceiling(game, agent, seat).score()
    assert score == pytest.approx(1 if seat == 0 else -1, abs=1e-12), (
        "who starts on 2 × 2 can win by two boxes"
    )


# ---- one fixed agent against another ---------------------------------------------------------


@pytest.mark.parametrize("second", ["Random", "Simple", "OneStepLookAhead", "Perfect"])
@pytest.mark.parametrize("first", ["Random", "Simple", "OneStepLookAhead", "Perfect"])
def test_two_fixed_agents_score_as_in_naive_play(players, first, second):
    one, two = players[first], players[second]
    game = TicTacToe()
    exact = solvers.fixed_play(twin(game), naive_player(one), naive_player(two))
    assert_equal_rates(exact_rates(game, one, two, speed="python"), exact)
    seated_second = exact_rates(game, two, one, seat=1, speed="python")
    assert_equal_rates(seated_second, exact[::-1])


def test_random_noughts_and_crosses_is_won_by_the_first_player_in_737_of_1260_games():
    rates = exact_rates(TicTacToe(), Random(), Random())
    assert_equal_rates(rates, (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420)))


@pytest.mark.parametrize("tie_loses", [False, True])
def test_random_dots_and_boxes_scores_as_in_naive_play(tie_loses):
    game = DotsAndBoxes(1, 2, tie_loses)
    exact = solvers.fixed_play(twin(game), *[solvers.random_opponent] * 2)
    assert_equal_rates(exact_rates(game, Random(), Random()), exact)


def test_games_that_were_played_come_near_the_exact_rates():
    games = 40_000
    played = match(TicTacToe(), OneStepLookAhead(), Random(), games=games, keep_moves=False)
    exact = exact_rates(TicTacToe(), OneStepLookAhead(), Random())
    for share, expected in zip((played.wins(), played.ties(), played.losses()), exact, strict=True):
        spread = (expected * (1 - expected) / games) ** 0.5
        assert abs(share / games - expected) < 5 * spread


@pytest.mark.parametrize("name", ["Random", "Simple", "OneStepLookAhead", "Perfect"])
def test_chances_add_up_and_fall_on_legal_moves_that_are_also_chosen(players, name):
    game, agent = TicTacToe(), players[name]
    rng = np.random.default_rng(0)
    for actions in random_lines_of_play(game, 40, seed=8):
        state = after(game, actions)
        if game.over(state):
            continue
        chances = np.zeros(game.action_count())
        agent.policy(game, state, chances)
        assert chances.sum() == pytest.approx(1)
        possible = set(np.flatnonzero(chances))
        assert possible <= set(game.actions(state))
        chosen = {agent.choose(game, state, rng) for _ in range(40 * len(possible))}
        assert chosen == possible


# ---- perfect play ----------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponent", ["Random", "Simple", "OneStepLookAhead", "Perfect"])
def test_perfect_noughts_and_crosses_never_loses(players, opponent, seat):
    rates = exact_rates(TicTacToe(), players["Perfect"], players[opponent], seat, speed="python")
    assert rates.loss < 1e-12
    assert opponent != "Perfect" or rates.tie > 1 - 1e-12


@pytest.mark.parametrize("tie_loses", [False, True])
def test_perfect_dots_and_boxes_wins_every_game_that_it_starts(solutions, tie_loses):
    game = DotsAndBoxes(2, 2, tie_loses)
    agent = Perfect(game, solutions[game])
    assert match(game, agent, Random(), games=300).wins() == 300
    assert match(game, agent, agent, games=50).wins() == 50


def test_a_perfect_player_chooses_among_all_of_the_best_moves():
    game = TicTacToe()
    played = match(game, perfect(game), Random(), games=300)
    assert set(played.moves[:, 0]) == set(range(9))


# ---- wrong input -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rates", [ceiling, lambda *args: exact_rates(*args[:2], Random(), args[2])]
)
def test_a_seat_is_0_or_1(rates):
    with pytest.raises(ValueError, match=r"seat=2: expected 0 .* or 1"):
        rates(TicTacToe(), Random(), 2)


def test_an_agent_that_does_not_tell_its_chances_has_no_exact_rates():
    with pytest.raises(ValueError, match=r"Minimax.*policy"):
        ceiling(TicTacToe(), Minimax())
