"""Monte Carlo search: its averages are those of random play, and that is all it knows."""

import time
from fractions import Fraction

import numpy as np
import pytest

from course_lib.agents import OneStepLookAhead, Random, grow, mcts, monte_carlo, sample
from course_lib.agents.monte_carlo import rollout
from course_lib.arena import match
from course_lib.exact import exact_rates, solve
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.thoughts import thought
from course_lib.twospeed import fast, is_lean
from tests.naive import solvers
from tests.sample import after, naively, name, noughts_and_crosses, random_lines_of_play, twin

GAMES = [TicTacToe(), TicTacToe(4), Connect4(4, 5, 3), Connect4(), DotsAndBoxes(2, 2)]
GAMES += [DotsAndBoxes(1, 2, True)]


# ---- what it counts --------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_both_speeds_count_the_same(game):
    agent = monte_carlo(game, 30)
    for actions in random_lines_of_play(game, 3, seed=1):
        state = after(game, actions)
        if not game.over(state):
            slow, quick = (sample(agent, game, state, 5, speed) for speed in ("python", "compiled"))
            np.testing.assert_array_equal(slow.counts, quick.counts)
            np.testing.assert_array_equal(slow.values, quick.values)
            for action in range(game.action_count()):
                legal = action in game.actions(state)
                assert slow.visits[action] == (30 if legal else 0)
                assert np.isnan(slow.values[action]) != legal
    assert is_lean(agent)


@pytest.mark.parametrize("game", [TicTacToe(), DotsAndBoxes(1, 2, True)], ids=name)
def test_the_average_over_all_moves_is_the_exact_value_of_random_play(game):
    found = sample(monte_carlo(game, 20_000), game, game.start())
    exact = exact_rates(game, Random(), Random()).score()
    error = np.sqrt(np.sum(found.errors() ** 2)) / game.action_count()
    assert 0 < error < 0.005
    assert abs(found.values.mean() - exact) < 4 * error


@pytest.mark.parametrize(
    ("game", "same"),
    [
        (TicTacToe(), [(0, 2, 6, 8), (1, 3, 5, 7)]),
        (Connect4(4, 5, 3), [(0, 4), (1, 3)]),
        (DotsAndBoxes(2, 2), [(0, 1, 2, 4, 7, 9, 10, 11), (3, 5, 6, 8)]),
    ],
    ids=lambda value: name(value) if hasattr(value, "_fields") else "",
)
def test_moves_that_are_mirror_images_are_worth_the_same(game, same):
    """Within the error bars: a rollout that favoured low actions would show here."""
    found = sample(monte_carlo(game, 20_000), game, game.start())
    errors = found.errors()
    for first, *others in same:
        for other in others:
            gap = abs(found.values[first] - found.values[other])
            assert gap < 4 * np.hypot(errors[first], errors[other])


def random_value(game, pos, memo):
    """The exact value for player 0 if both play at random."""
    if pos not in memo:
        moves = game.moves(pos)
        memo[pos] = (
            Fraction(game.outcome(pos))
            if game.finished(pos)
            else sum(random_value(game, game.play(pos, move), memo) for move in moves) / len(moves)
        )
    return memo[pos]


@pytest.mark.parametrize("game", [TicTacToe(), DotsAndBoxes(1, 2, True)], ids=name)
def test_each_move_is_worth_what_random_play_makes_of_it_for_whoever_moves(game):
    """Also for the second player, and where the turn does not pass."""
    naive, memo, movers = twin(game), {}, set()
    for actions in random_lines_of_play(game, 12, seed=2):
        state = after(game, actions)
        if game.over(state):
            continue
        movers.add(game.mover(state))
        sign = 1 if game.mover(state) == 0 else -1
        found = sample(monte_carlo(game, 4000), game, state)
        for action in game.actions(state):
            exact = sign * random_value(naive, naively(game, game.play(state, action)), memo)
            allowed = 4.5 * found.errors()[action] + 1e-9
            assert abs(found.values[action] - exact) <= allowed
    assert movers == {0, 1}


def test_error_bars_are_as_wide_as_the_values_scatter():
    game = TicTacToe()
    runs = [sample(monte_carlo(game, 200), game, game.start(), seed) for seed in range(200)]
    scatter = np.std([run.values for run in runs], axis=0)
    told = np.mean([run.errors() for run in runs], axis=0)
    np.testing.assert_allclose(told, scatter, rtol=0.2)


# ---- how it plays ----------------------------------------------------------------------------

WINS = [
    (TicTacToe(), noughts_and_crosses("XX. OO. ..."), 2),
    (TicTacToe(), noughts_and_crosses("XX. OO. X.."), 5),  # O wins in the middle row
    (Connect4(), after(Connect4(), [2, 6, 3, 6, 4, 6, 5][:-1]), 1),
    (Connect4(), after(Connect4(), [0, 3, 0, 3, 1, 3, 6]), 3),
]
LOSSES = [
    (TicTacToe(), noughts_and_crosses("XX. .O. ..."), 2),
    (TicTacToe(), noughts_and_crosses("X.O ..O .X."), 8),
    (Connect4(), after(Connect4(), [0, 0, 1, 1, 2]), 3),
    (Connect4(), after(Connect4(), [6, 3, 0, 3, 0, 3]), 3),
]
PLAYERS = [
    lambda game: monte_carlo(game, 3000),
    lambda game: mcts(game, 1000),
    lambda game: mcts(game, 1000, by_value=True),
    lambda game: mcts(game, 1000, solver=True),
    lambda game: mcts(game, 1000, keep=True),
    lambda game: mcts(game, 1000, share=True),
]
KINDS = ["MCS", "MCTS", "by-value", "solver", "keep", "share"]


def chosen(agent, game, state, seeds=range(10)):
    """The moves that it makes, with several seeds."""
    think = sample if hasattr(agent, "sample") else grow
    return {move for seed in seeds for move in think(agent, game, state, seed).best_moves}


@pytest.mark.parametrize("build", PLAYERS, ids=KINDS)
def test_it_takes_a_win_in_one(build):
    for game, state, win in WINS:
        wins = {win, 5} if (game, win) == (Connect4(), 1) else {win}
        assert chosen(build(game), game, state) <= wins


@pytest.mark.parametrize("build", PLAYERS, ids=KINDS)
def test_it_stops_a_loss_in_one(build):
    for game, state, block in LOSSES:
        assert chosen(build(game), game, state) == {block}


@pytest.mark.parametrize("build", PLAYERS, ids=KINDS)
def test_it_closes_the_box_that_decides_and_moves_again(build):
    """
    2 × 2 boxes, one line missing of the last two boxes each: who draws one must draw the other.
    """
    game = DotsAndBoxes(2, 2)
    state = after(game, [0, 2, 5, 3, 1, 4, 6, 7, 10])
    assert not game.over(state)
    solution = solve(game)
    best = {n for n in range(12) if int(solution.best_actions(game, state)) >> n & 1}
    assert best < set(game.actions(state)), "or this position would tell nothing"
    assert chosen(build(game), game, state) <= best


def test_a_position_in_which_no_number_of_rollouts_helps_but_a_tree_does():
    """
    X | . | O     A corner wins for X: O must block, and X has two threats. At random, O rarely
    . | . | .     blocks: by exact averages the middle looks best, and it only draws.
    . | . | .
    """
    game = TicTacToe()
    naive, state = twin(game), noughts_and_crosses("X.O ... ...")
    pos = naively(game, state)
    exact = {m: random_value(naive, naive.play(pos, m), {}) for m in naive.moves(pos)}
    best = solvers.best_moves(naive, pos)
    assert max(exact, key=exact.get) == 4 and 4 not in best
    assert solvers.minimax(naive, pos) == 1 and solvers.minimax(naive, naive.play(pos, 4)) == 0
    assert chosen(monte_carlo(game, 20_000), game, state) == {4}
    assert chosen(mcts(game, 5_000), game, state) <= set(best)


def test_it_is_far_better_than_random_and_the_better_the_more_rollouts():
    game = Connect4(4, 5, 3)
    few, many = (
        match(game, monte_carlo(game, n), OneStepLookAhead(), 400, starter="alternate")
        for n in (2, 100)
    )
    assert many.wins() > few.wins() + 60
    assert match(game, monte_carlo(game, 20), Random(), 200, starter="alternate").wins() > 180


def test_rollouts_by_a_player_who_looks_one_step_ahead_see_what_random_ones_miss():
    """Where O must block and X then has two threats, as above: now the middle looks no better."""
    game, state = TicTacToe(), noughts_and_crosses("X.O ... ...")
    agent = monte_carlo(game, 2_000, policy=OneStepLookAhead())
    found = sample(agent, game, state)
    assert set(found.best_moves) <= {3, 6, 8} and is_lean(agent)
    slow = sample(monte_carlo(game, 20, policy=OneStepLookAhead()), game, state, speed="python")
    quick = sample(monte_carlo(game, 20, policy=OneStepLookAhead()), game, state)
    np.testing.assert_array_equal(slow.counts, quick.counts)


# ---- budgets ---------------------------------------------------------------------------------


def test_a_budget_of_rollouts_is_shared_evenly_and_never_exceeded_once_all_moves_were_tried():
    game = TicTacToe()
    for budget, iterations in ((1, 1), (9, 1), (17, 1), (18, 2), (100, 11)):
        found = sample(monte_carlo(game, rollouts=budget), game, game.start())
        assert found.iterations == iterations
    found = sample(monte_carlo(game, 5, rollouts=1000), game, game.start())
    assert found.iterations == 5


@pytest.mark.parametrize("build", [monte_carlo, mcts])
@pytest.mark.parametrize("speed", ["python", "compiled"])
@pytest.mark.parametrize("seconds", [0.01, 0.05, 0.2])
def test_a_budget_of_time_is_kept_within_10_percent_or_5_milliseconds(build, speed, seconds):
    """The best of several tries counts: another process may have had the processor."""
    game = Connect4()
    agent = build(game, seconds=seconds)
    call = fast(agent_chooses, speed, True)
    rng = np.random.default_rng(0)
    call(agent, game, game.start(), rng)
    took = []
    for _ in range(4):
        began = time.perf_counter()
        call(agent, game, game.start(), rng)
        took.append(time.perf_counter() - began)
    assert seconds <= min(took) <= max(1.1 * seconds, seconds + 0.005)


def agent_chooses(agent, game, state, rng):
    return agent.choose(game, state, rng)


def test_more_time_means_more_iterations():
    game = Connect4()
    short, long = (
        sample(monte_carlo(game, seconds=seconds), game, game.start()) for seconds in (0.01, 0.1)
    )
    assert long.iterations > 3 * short.iterations > 10


def test_an_agent_with_a_budget_of_time_can_play_a_match_at_full_speed():
    game = TicTacToe()
    agent = mcts(game, seconds=0.002)
    match(game, agent, Random(), 1, speed="compiled")  # compiles
    began = time.perf_counter()
    assert match(game, agent, Random(), 10, speed="compiled").wins() >= 7
    assert 0.05 < time.perf_counter() - began < 3


# ---- what it says, and wrong input -----------------------------------------------------------


def test_the_evidence_speaks_in_words_with_error_bars():
    game = TicTacToe()
    text = repr(sample(monte_carlo(game, 100), game, noughts_and_crosses("XX. OO. X.O")))
    lines = text.splitlines()
    assert lines[0].startswith("top right: +1.00 ± 0.00 from 100 rollouts") and len(lines) == 3


def test_a_thought_shows_averages_on_the_board():
    game = TicTacToe()
    found = thought(monte_carlo(game, 100), game, noughts_and_crosses("XX. OO. ..."))
    assert found.marks[2].startswith("+1.00") and set(found.marks) == {2, 5, 6, 7, 8}
    assert "top right" in found.words


def test_wrong_input_is_refused():
    game = TicTacToe()
    with pytest.raises(ValueError, match="iterations=0: expected a whole number from 1"):
        monte_carlo(game, 0)
    with pytest.raises(ValueError, match="seconds=-1"):
        monte_carlo(game, seconds=-1)
    with pytest.raises(ValueError, match="finished"):
        sample(monte_carlo(game), game, noughts_and_crosses("XXX OO. ..."))
    with pytest.raises(ValueError, match="was made for"):
        match(TicTacToe(4), monte_carlo(game), Random())


def test_a_rollout_reports_the_result_for_the_first_player():
    game = TicTacToe()
    rng = np.random.default_rng(0)
    assert rollout(Random(), game, noughts_and_crosses("XXX OO. ..."), rng) == 1
    assert rollout(Random(), game, noughts_and_crosses("XX. OOO X.."), rng) == -1
    assert rollout(Random(), game, noughts_and_crosses("XOX XXO OXO"), rng) == 0
