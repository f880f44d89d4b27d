"""Seed 004: its learner against a naive one, the exhibits, and the experiments' numbers."""

import time

import numpy as np
import pytest

from course_lib.agents import OneStepLookAhead, Random, q_learning
from course_lib.agents.printed import looked_up_by_print
from course_lib.arena import match
from course_lib.experiments.kyziridis2019 import learner
from course_lib.games import Connect4, TicTacToe
from course_lib.table import EMPTY, grown, new_table
from course_lib.training import Training
from tests import shared_chance
from tests.naive import kyziridis
from tests.sample import after, all_states, naively, random_lines_of_play, twin

SMALL = Connect4(4, 5, 3)
OPPONENTS = {
    "random": (Random(), kyziridis.random_player),
    "look-ahead": (OneStepLookAhead(), kyziridis.one_step_look_ahead),
    "blocks": (OneStepLookAhead(only_blocks=True), kyziridis.one_step_block),
}
NAIVE_EPSILON = {"fixed": (0.2, 1, 0), "dynamic": (1.0, 0.99, 0.001)}


def naive_learner(game, seed, episodes, alpha, epsilon):
    rng = shared_chance.of_session(seed)
    return kyziridis.Learner(twin(game), rng, episodes, alpha, 0.99, *NAIVE_EPSILON[epsilon])


def arena(game, agent, opponent, games, seed, **options):
    return match(game, agent, opponent, games, seed, starter="alternate", **options)


# ---- algorithm 3 -----------------------------------------------------------------------------


@pytest.mark.parametrize("speed", ["python", "compiled"])
@pytest.mark.parametrize(
    ("game", "opponent", "epsilon"),
    [
        (TicTacToe(), "random", "fixed"),
        (TicTacToe(), "look-ahead", "dynamic"),
        (SMALL, "random", "dynamic"),
        (SMALL, "blocks", "fixed"),
    ],
    ids=str,
)
def test_it_is_the_naive_algorithm_3_game_by_game_and_value_by_value(
    game, opponent, epsilon, speed
):
    episodes, seed = 301, 5
    ours, theirs = OPPONENTS[opponent]
    agent = learner(game, 0.05, epsilon, episodes)
    run = Training(game, agent, ours, episodes, 1, seed, "alternate", speed=speed).go()
    naive = naive_learner(game, seed, episodes, 0.05, epsilon)
    assert run.results[0].tolist() == naive.train(theirs)
    assert run.gauges[0, -1, 0] == pytest.approx(naive.epsilon)
    table = run.trained()
    assert table.table.used[0] == len(naive.table) > 300
    for actions in random_lines_of_play(game, 200):
        state = after(game, actions)
        if not game.over(state):
            sign = 1 if game.mover(state) == 0 else -1
            key = kyziridis.printed(naive.game, naively(game, state), sign)
            expected = naive.table.get(key, dict.fromkeys(game.actions(state), 0.0))
            assert table.q_values(state) == expected


def test_fixed_epsilon_ends_at_two_thirds_and_dynamic_after_688_random_moves():
    run = Training(SMALL, learner(SMALL, episodes=300), Random(), 300).go()
    assert run.gauges[0, :, 0].tolist() == [0.2] * 199 + [0] * 101
    run = Training(SMALL, learner(SMALL, epsilon="dynamic"), Random(), 60_000).go()
    gauge = run.gauges[0, :, 0]
    assert gauge[0] > 0.9 and gauge[-1] == 0 and gauge[gauge > 0].min() >= 0.001
    assert run.trained().clock[1] == 688  # 0.99 ** 688 is the first power below 0.001
    assert np.argmin(gauge) > 10_000  # rare moves make ε fall ever more slowly


# ---- the exhibits ----------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "drops"), [(SMALL, True), (TicTacToe(), False)], ids=str)
def test_looked_up_by_print_it_plays_as_the_naive_one_with_real_prints(game, drops):
    """The naive table has NumPy's prints as keys; −0. is all that the second player suffers."""
    naive = naive_learner(game, 3, 600, 0.1, "fixed")
    naive.train(kyziridis.random_player)
    run = Training(game, learner(game, 0.1, episodes=600), Random(), 600, 1, 3, "alternate").go()
    table = looked_up_by_print(run.trained())
    ours = arena(game, table, Random(), 300, 9)
    naive.rng = shared_chance.Shared(np.random.default_rng([9, 0]))
    look = kyziridis.printed_in_the_arena
    theirs, unknown = naive.arena(kyziridis.random_player, 300, look)
    assert ours.results.tolist() == theirs
    second = ours.seats == 1
    own_moves_of_second = int((ours.lengths[second] // 2).sum())
    assert (unknown[1] == own_moves_of_second) == drops


def test_as_second_player_with_prints_it_is_a_random_player_and_as_first_it_is_itself():
    agent = Training(SMALL, learner(SMALL, episodes=20_000), Random(), 20_000, 1, 1, "alternate")
    agent = agent.go().trained()
    printed = looked_up_by_print(agent)
    rates = {
        name: [
            np.mean(match(SMALL, each, Random(), 4000, 2, seat, False).results == 1)
            for seat in ("agent", "opponent")
        ]
        for name, each in {"itself": agent, "printed": printed, "random": Random()}.items()
    }
    assert rates["printed"][0] == rates["itself"][0] > 0.9
    assert rates["printed"][1] == pytest.approx(rates["random"][1], abs=0.04)
    assert rates["itself"][1] > 0.85


def test_the_player_that_only_blocks_misses_every_win_and_blocks_like_the_other():
    sees, blocks = OneStepLookAhead(), OneStepLookAhead(only_blocks=True)
    rules, wins, rng = twin(SMALL), 0, np.random.default_rng(1)
    for actions in random_lines_of_play(SMALL, 400):
        state = after(SMALL, actions)
        if SMALL.over(state):
            continue
        pos, me = naively(SMALL, state), SMALL.mover(state)
        winning = {m for m in rules.moves(pos) if rules.wins_at(pos, m, me)}
        stopping = {m for m in rules.moves(pos) if rules.wins_at(pos, m, 1 - me)}
        for agent, best in ((sees, winning or stopping), (blocks, stopping)):
            chances = np.zeros(SMALL.action_count())
            agent.policy(SMALL, state, chances)
            expected = best or set(rules.moves(pos))
            assert set(np.flatnonzero(chances)) == expected and chances.sum() == pytest.approx(1)
            assert agent.choose(SMALL, state, rng) in expected
        wins += bool(winning - stopping)
    assert wins > 20


# ---- tables of millions ----------------------------------------------------------------------


def test_a_table_that_has_grown_finds_each_key_in_its_row():
    rng = np.random.default_rng(4)
    keys = np.unique(rng.integers(-(1 << 61), 1 << 61, 3000))
    rng.shuffle(keys)
    table, values = new_table(16), np.zeros((16, 2))
    for row, key in enumerate(keys.tolist()):
        if table.free() == 0:
            table, values = grown(table, values)
        assert table.add(key) == row
        values[row] = row, -key
    assert [table.find(key) for key in keys.tolist()] == list(range(len(keys)))
    assert table.find(12345) == EMPTY and len(table.keys) == len(values) == 4096
    assert (values[: len(keys), 1] == -keys).all()


def test_growing_to_a_million_positions_takes_no_longer_than_playing_there():
    """A Python loop over the keys would take seconds at each doubling."""
    table = new_table(1 << 19)
    table.keys[:] = np.arange(1 << 19) * 977
    table.used[0] = 1 << 19
    grown(new_table(16))  # compiled
    began = time.perf_counter()
    bigger, _ = grown(table, np.zeros((1 << 19, 25)))
    assert time.perf_counter() - began < 1
    assert bigger.find(977 * 123_456) == 123_456


def test_the_prints_of_the_second_player_never_meet_a_real_key():
    game = Connect4(3, 3, 3)
    states = all_states(game)
    eyes = looked_up_by_print(q_learning(game)).eyes
    real = {game.key(state) for state in states}
    seen = {state: eyes.look(game, state)[0] for state in states}
    assert all((key in real) == (game.mover(state) == 0) for state, key in seen.items())
    assert len(set(seen.values())) == len(states)
