"""The players of tic-trap-toe: rules in words, the formula by hand, one table for two seats."""

import random

import numpy as np
import pytest

from course_lib.agents import (
    IfPlayer,
    MinimaxTraps,
    Random,
    TrapLearner,
    trap_learner,
)
from course_lib.agents.trap_learning import PAIRS, fits, key_of, trap_of
from course_lib.arena import match
from course_lib.exact import best_reply
from course_lib.games import TicTrapToe
from course_lib.games.tic_trap_toe import HIDDEN, NONE, PLACE, REMOVE, TRAP
from course_lib.storage import load, save
from course_lib.training import Training, train
from course_lib.twospeed import SPEEDS
from tests.sample import after

GAME = TicTrapToe()


def position(drawing, player, phase=PLACE, x=NONE, o=NONE, placed=NONE, removed=NONE):
    """The state of a drawn board: "XX. OO. ..."."""
    squares = "".join(drawing.split())
    crosses = sum(1 << n for n, mark in enumerate(squares) if mark == "X")
    noughts = sum(1 << n for n, mark in enumerate(squares) if mark == "O")
    board = type(GAME.start())
    return board(crosses, noughts, "XO".index(player), phase, x, o, placed, removed, 3)


def choice(agent, state, seed=0):
    return agent.choose(GAME, state, np.random.default_rng(seed)) % 9


def choices(agent, state):
    """All that an agent may choose there."""
    return {choice(agent, state, seed) for seed in range(40)}


# ---- the If-player ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("why", "state", "square"),
    [
        ("it wins", position("XX. OO. ...", "X", o=HIDDEN), 2),
        ("it wins rather than blocks, as O too", position("XX. OO. ...", "O", x=HIDDEN), 5),
        ("it blocks", position("XX. O.. ...", "O", x=HIDDEN), 2),
        ("else it takes the centre", position("X.. ... ...", "O", x=HIDDEN), 4),
        ("else a corner, the first of them", position("... .X. ...", "O", x=HIDDEN), 0),
        ("else an edge", position("XOX .O. OXO", "X", o=HIDDEN), 3),
    ],
)
def test_the_if_player_places_by_its_rules(why, state, square):
    assert choice(IfPlayer(), state) == square, why


def test_the_if_player_never_places_on_a_barred_square():
    assert choice(IfPlayer(), position("XX. OO. ...", "X", x=2, o=HIDDEN)) == 5


def test_the_if_player_breaks_ties_by_a_fixed_order_or_at_random():
    state = position("... .X. ...", "O", x=HIDDEN)
    assert choices(IfPlayer(), state) == {0}
    assert choices(IfPlayer(random_ties=True), state) == {0, 2, 6, 8}


def test_the_if_player_lays_its_trap_where_it_would_place_if_it_were_the_opponent():
    state = position("XX. O.. ...", "O", TRAP, x=HIDDEN, placed=3)
    assert choice(IfPlayer(), state) == 2  # where X wins
    state = position("X.. O.. .OX", "O", TRAP, x=HIDDEN, placed=7)
    assert choice(IfPlayer(), state) == 4


def test_the_if_player_lays_no_trap_where_it_knows_the_opponent_to_be_barred():
    state = position("XX. O.. ...", "O", TRAP, x=2, placed=3)
    assert choice(IfPlayer(), state) == 4


def test_the_if_player_removes_the_piece_with_the_most_open_lines():
    state = position("OX. .X. ...", "O", REMOVE, o=1, placed=1)
    assert choice(IfPlayer(), state) == 4  # three lines are open to it, one to the other


@pytest.mark.parametrize("random_ties", [False, True])
def test_the_if_player_plays_as_its_policy_says(random_ties):
    agent, rng = IfPlayer(random_ties), random.Random(1)
    for _ in range(30):
        state = GAME.start()
        while not GAME.over(state):
            seen = GAME.seen_by(state, GAME.mover(state))
            chances = np.zeros(27)
            agent.policy(GAME, seen, chances)
            assert chances.sum() == pytest.approx(1)
            assert chances[agent.choose(GAME, seen, np.random.default_rng(1))] > 0
            state = GAME.play(state, rng.choice(list(GAME.actions(state))))


def test_traps_by_minimax_lie_where_the_opponent_wins_else_where_it_threatens_most():
    agent = MinimaxTraps(IfPlayer())
    assert choices(agent, position("XX. O.. ...", "O", TRAP, x=HIDDEN, placed=3)) == {2}
    assert choices(agent, position("OO. X.. ...", "O", TRAP, x=HIDDEN, placed=1)) == {2}  # forced
    assert choices(agent, position("O.. ... ...", "O", TRAP, x=HIDDEN, placed=0)) == {4}
    place = position("XX. O.. ...", "O", x=HIDDEN)
    assert choice(agent, place) == choice(IfPlayer(), place)


# ---- pairs -----------------------------------------------------------------------------------


def test_there_are_72_pairs_of_a_square_and_another_one_for_the_trap():
    pairs = {(pair // 8, trap_of(pair)) for pair in range(PAIRS)}
    assert pairs == {(a, b) for a in range(9) for b in range(9) if a != b}


def test_a_pair_fits_where_both_squares_are_vacant_and_the_first_is_not_barred():
    vacant, allowed = 0b111, 0b110
    found = [(p // 8, trap_of(p)) for p in range(PAIRS) if fits(p, allowed, vacant)]
    assert found == [(1, 0), (1, 2), (2, 0), (2, 1)]


def test_on_the_last_vacant_square_one_pair_fits():
    assert sum(fits(pair, 1 << 5, 1 << 5) for pair in range(PAIRS)) == 1


def test_a_state_of_the_table_is_the_board_and_the_own_trap():
    state = after(GAME, [4, 9 + 0, 1, 9 + 8])
    shown = GAME.seen_by(state, 0)
    other_secret = GAME.seen_by(state._replace(nought_trap=7), 0)
    own_trap_elsewhere = GAME.seen_by(state._replace(cross_trap=2), 0)
    assert key_of(GAME, shown) == key_of(GAME, other_secret) != key_of(GAME, own_trap_elsewhere)


# ---- learning --------------------------------------------------------------------------------


class Script:
    """The random numbers that are wanted: exploring or not, then which."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


def played(learner, actions, seat=0):
    """The learner as X (or O) in a game with these actions; it explores its own part of them."""
    state = GAME.start()
    learner.begin()
    waiting = list(actions)
    while waiting:
        action = waiting.pop(0)
        if GAME.mover(state) == seat:
            seen = GAME.seen_by(state, seat)
            numbers = Script() if seen.phase == TRAP else Script(0.0, wanted(seen, action, waiting))
            if seen.phase == REMOVE and not learner.learn_removal:
                numbers.numbers.pop(0)
            assert learner.act(GAME, seen, numbers) == action
        state = GAME.play(state, action)
    return state


def wanted(state, action, waiting):
    """The random number that makes it explore this action with the trap that comes next."""
    if state.phase == REMOVE:
        removable = list(GAME.actions(state))
        return (removable.index(action) + 0.5) / len(removable)
    traps = [each - 9 for each in waiting if 9 <= each < 18]
    vacant = 511 & ~(state.crosses | state.noughts)
    pairs = [pair for pair in range(PAIRS) if fits(pair, GAME.squares(state), vacant)]
    if not traps:
        return 0.5 / len(pairs) + [p // 8 for p in pairs].index(action) / len(pairs)
    at = [(pair // 8, trap_of(pair)) for pair in pairs].index((action, traps[0]))
    return (at + 0.5) / len(pairs)


def q(learner, actions, place, trap):
    """Q of a pair in the position after these actions."""
    state = after(GAME, actions)
    row = learner.table.find(key_of(GAME, GAME.seen_by(state, GAME.mover(state))))
    return 0.0 if row < 0 else learner.values[row, place * 8 + trap - (trap > place)]


def test_a_failed_trap_is_punished_at_the_own_next_turn():
    learner = trap_learner(GAME, epsilon=1, factor=1)
    played(learner, [4, 9 + 0, 1, 9 + 8, 2])
    assert q(learner, [], 4, 0) == pytest.approx(0.4 * -0.15)


def test_a_trap_that_caught_is_rewarded_at_the_own_next_turn():
    learner = trap_learner(GAME, epsilon=1, factor=1)
    played(learner, [4, 9 + 0, 0, 18 + 0, 9 + 8, 2])
    assert q(learner, [], 4, 0) == pytest.approx(0.4 * 0.25)


@pytest.mark.parametrize(("result", "reward"), [(1, 1), (0, 0.5), (-1, -1)])
def test_the_end_of_a_game_rewards_the_last_turn(result, reward):
    learner = trap_learner(GAME, epsilon=1, factor=1)
    played(learner, [4, 9 + 0, 1, 9 + 8, 2, 9 + 3])
    learner.learn(GAME, result)
    assert q(learner, [4, 9 + 0, 1, 9 + 8], 2, 3) == pytest.approx(0.4 * reward)


@pytest.mark.parametrize(
    ("printed", "expected"), [(False, 0.6 * 0.5 + 0.4 * -0.15 + 0.4 * 2), (True, 0.24 + 2)]
)
def test_equation_2_as_printed_counts_the_future_in_full(printed, expected):
    learner = trap_learner(GAME, epsilon=1, factor=1, as_printed=printed)
    moves = [4, 9 + 0, 1, 9 + 8]
    played(learner, [*moves, 2])  # to have rows
    for actions, place, trap, value in (([], 4, 0, 0.5), (moves, 6, 7, 2.0)):
        state = after(GAME, actions)
        row = learner.table.find(key_of(GAME, GAME.seen_by(state, 0)))
        learner.values[row, place * 8 + trap - (trap > place)] = value
    played(learner, [*moves, 2])
    assert q(learner, [], 4, 0) == pytest.approx(expected)


def test_epsilon_falls_by_a_factor_each_game_down_to_its_floor():
    learner = trap_learner(GAME, epsilon=0.9, factor=0.5, floor=0.2)
    seen = []
    for _ in range(4):
        learner.begin()
        seen.append(learner.gauge())
    assert seen == pytest.approx([0.9, 0.45, 0.225, 0.2])


def test_a_learnt_removal_is_worth_what_the_own_next_turn_is_worth():
    learner = trap_learner(GAME, epsilon=1, factor=1, learn_removal=True)
    moves = [4, 9 + 0, 0, 18 + 0, 9 + 8, 2]
    played(learner, moves)
    state = after(GAME, moves[:5])
    row = learner.table.find(key_of(GAME, GAME.seen_by(state, 0)))
    learner.values[row, :] = 1.0
    played(learner, moves)
    caught = after(GAME, moves[:3])
    row = learner.table.find(key_of(GAME, GAME.seen_by(caught, 0)))
    assert learner.removals[row, 0] == pytest.approx(0.4 * 1.0)
    learner.values[:] = 0


def test_in_self_play_both_seats_learn_into_one_table_and_a_game_counts_once():
    learner = trap_learner(GAME)
    run = train(GAME, learner, learner.twin(), 50, starter="alternate")
    first, second = run.trained(0), run.trained(1)
    assert first.values is second.values
    assert first.clock[0] == 50
    boards = [key // 10 for key in first.table.keys[: first.table.used[0]]]
    more_crosses = {(board & 511).bit_count() - (board >> 9 & 511).bit_count() for board in boards}
    assert {0, 1} <= more_crosses  # positions of either player


@pytest.mark.parametrize("learn_removal", [False, True])
def test_both_speeds_learn_the_same(learn_removal):
    learnt = []
    for speed in SPEEDS:
        learner = trap_learner(GAME, learn_removal=learn_removal)
        train(GAME, learner, learner.twin(), 12, seed=3, speed=speed)
        learnt.append(learner)
    assert np.array_equal(learnt[0].values, learnt[1].values)
    assert np.array_equal(learnt[0].removals, learnt[1].removals)
    assert np.abs(learnt[0].values).max() > 0


def test_a_learner_plays_as_its_policy_says():
    learner = trap_learner(GAME)
    learner = train(GAME, learner, learner.twin(), 300).trained()
    rng = random.Random(2)
    for _ in range(3):
        state = GAME.start()
        while not GAME.over(state):
            seen = GAME.seen_by(state, GAME.mover(state))
            chances = np.zeros(27)
            learner.policy(GAME, seen, chances)
            assert chances.sum() == pytest.approx(1)
            drawn = {learner.choose(GAME, seen, np.random.default_rng(n)) for n in range(30)}
            assert drawn <= set(np.flatnonzero(chances))
            state = GAME.play(state, rng.choice(list(GAME.actions(state))))


def test_a_position_that_was_never_met_is_played_at_random():
    chances = np.zeros(27)
    trap_learner(GAME).policy(GAME, GAME.start(), chances)
    assert chances[:9] == pytest.approx([1 / 9] * 9)


def test_a_copy_goes_its_own_way():
    learner = trap_learner(GAME)
    copy = learner.copy()
    train(GAME, copy, Random(), 20)
    assert learner.table.used[0] == 0 and not learner.values.any()


def test_fresh_and_grown_learners():
    learner = train(GAME, trap_learner(GAME), Random(), 20).trained()
    assert not learner.fresh().values.any()
    bigger = learner.grown()
    assert len(bigger.values) == 2 * len(learner.values)
    state = GAME.seen_by(GAME.start(), 0)
    assert bigger.place_values(state) == learner.place_values(state) != {}


def test_sessions_of_a_training_do_not_depend_on_each_other():
    run = Training(GAME, trap_learner(GAME), Random(), games=60, sessions=2, seed=1).go()
    again = Training(GAME, trap_learner(GAME), Random(), games=60, sessions=1, seed=1).go()
    assert np.array_equal(run.results[0], again.results[0])
    assert not np.array_equal(run.results[0], run.results[1])


def test_a_learner_is_saved_and_loaded(tmp_path):
    learner = train(GAME, trap_learner(GAME), Random(), 20).trained()
    loaded = load(save(learner, tmp_path / "q.npz"), GAME)
    assert isinstance(loaded, TrapLearner)
    assert np.array_equal(loaded.values, learner.values)


def test_after_training_against_the_if_player_it_hardly_ever_loses_to_it():
    learner = trap_learner(GAME, factor=0.998)
    learner = train(GAME, learner, IfPlayer(), 6000, seed=1, starter="alternate").trained()
    result = match(GAME, learner, IfPlayer(), 1000, 1, "alternate", keep_moves=False)
    assert result.losses() < 50 < 500 <= result.wins()


@pytest.mark.parametrize("seat", [0, 1])
def test_the_if_player_can_be_beaten_in_every_game_even_where_it_varies(seat):
    game = TicTrapToe(missed_traps_shown=True)
    assert best_reply(game, IfPlayer(), seat) == 1
    assert best_reply(game, IfPlayer(random_ties=True), seat) > 0.9


@pytest.mark.parametrize("seat", [0, 1])
def test_a_greedy_learner_is_beaten_in_nearly_every_game(seat):
    game = TicTrapToe(missed_traps_shown=True)
    learner = trap_learner(game)
    learner = train(game, learner, learner.twin(), 20_000, starter="alternate").trained()
    assert best_reply(game, learner, seat) > 0.9
