"""The learner of Arvidsson & Wallgren 2010: its naive twin, its variants, its long runs."""

import numpy as np
import pytest

from course_lib.agents import Constant, Counting, PerBox, Random, Simple, UntilNoZero, q_learning
from course_lib.exact import ceiling, exact_rates
from course_lib.experiments import dots
from course_lib.experiments.dots import GAME, LEARNER, learner, long_run
from course_lib.games import DotsAndBoxes, TicTacToe
from course_lib.games.dots_and_boxes import LinesAndStarter, LinesOnly
from course_lib.training import Training
from tests.naive import dots_learner
from tests.sample import after

RNG = np.random.default_rng(1)
CORNERS = [(alpha, gamma) for alpha in (0.2, 0.8) for gamma in (0.2, 0.8)]


def seats(starter, games):
    """The seat of the agent in each game."""
    return [{"agent": 0, "opponent": 1, "alternate": k % 2}[starter] for k in range(games)]


def naive_table(naive):
    table = np.zeros((1 << 12, 12))
    for (drawn, line), value in naive.q.items():
        table[sum(1 << each for each in drawn), line] = value
    return table


# ---- beside the naive implementation ---------------------------------------------------------


@pytest.mark.parametrize("starter", ["agent", "opponent", "alternate"])
@pytest.mark.parametrize(("alpha", "gamma"), CORNERS)
def test_against_simple_it_is_the_naive_learner_game_for_game(alpha, gamma, starter):
    games = 1500
    run = Training(GAME, learner(GAME, alpha, gamma), Simple(), games, 1, 0, starter).go()
    naive = dots_learner.Learner(alpha, gamma, textbook=False)
    textbook = dots_learner.Learner(alpha, gamma)
    for twin in (naive, textbook):
        won = [
            dots_learner.game([twin, dots_learner.Simple()], seat)[0] == 0
            for seat in seats(starter, games)
        ]
        assert (run.results[0] == 1).tolist() == won
        assert (run.results[0] == -1).tolist() == [not each for each in won]
    assert np.array_equal(run.trained().values, naive_table(naive))
    assert np.allclose(run.trained().values, naive_table(textbook), rtol=0, atol=1e-12)
    lost = np.flatnonzero(run.results[0] == -1)
    assert 10 < len(lost) < 0.3 * games and lost[-1] < games - 100  # it learns, then it wins


@pytest.mark.parametrize(("alpha", "gamma"), CORNERS)
def test_two_learners_are_two_naive_learners_game_for_game(alpha, gamma):
    games = 800
    pair = [learner(GAME, alpha, gamma) for _ in range(2)]
    run = Training(GAME, *pair, games, 1, 0, "alternate").go()
    twins = [dots_learner.Learner(alpha, gamma, textbook=False) for _ in range(2)]
    won = [dots_learner.game(twins, seat)[0] == 0 for seat in seats("alternate", games)]
    assert (run.results[0] == 1).tolist() == won
    for side in (0, 1):
        assert np.array_equal(run.trained(side).values, naive_table(twins[side]))


def test_against_random_it_learns_what_the_naive_one_learns():
    games = 3000
    run = Training(GAME, learner(GAME, 0.8, 0.2), Random(), games, 20, 5, "random").go()
    ours = (run.results == 1).mean(axis=1)
    theirs = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        naive = dots_learner.Learner(0.8, 0.2)
        players = [naive, dots_learner.Chance(rng.random)]
        won = [dots_learner.game(players, int(rng.random() < 0.5))[0] == 0 for _ in range(games)]
        theirs.append(np.mean(won))
    error = np.hypot(ours.std() / np.sqrt(20), np.std(theirs, ddof=1) / np.sqrt(6))
    assert abs(ours.mean() - np.mean(theirs)) < 4 * error < 0.03


# ---- what it sees and remembers --------------------------------------------------------------


def test_it_is_the_same_at_both_speeds():
    for options in ({}, {"box": 1.0}, {"sees_starter": True}, {"exploration": Counting(3.0)}):
        runs = [
            Training(GAME, learner(**options), Random(), 150, 1, 3, "random", speed=speed).go()
            for speed in ("python", "compiled")
        ]
        assert np.array_equal(runs[0].results, runs[1].results)
        assert np.array_equal(runs[0].trained().values, runs[1].trained().values)
        assert np.array_equal(runs[0].trained().visits, runs[1].trained().visits)


def test_sets_of_lines_address_the_table_directly():
    agent = learner()
    assert agent.values.shape == (4096, 12)
    state = after(GAME, [0, 7, 11])
    assert agent.eyes.look(GAME, state) == (0b1000_1000_0001, 0)
    agent.values[0b1000_1000_0001, 3] = 1.5
    assert agent.q_values(state) == {
        line: 1.5 if line == 3 else 0.0 for line in range(12) if line not in (0, 7, 11)
    }


def test_the_same_lines_are_the_same_position_whoever_has_the_boxes():
    """Box 0 by X, or by O: the same lines, another score."""
    by_x, by_o = [0, 2, 11, 3, 5, 10], [0, 2, 3, 5, 10, 11]
    one, other = after(GAME, by_x), after(GAME, by_o)
    assert one.lines == other.lines and one.second != other.second
    assert LinesOnly().look(GAME, one) == LinesOnly().look(GAME, other)
    keys = {GAME.key(one), GAME.key(other)}
    assert len(keys) == 2


def test_who_sees_the_starter_tells_these_apart():
    state = after(GAME, [0, 7])
    other = state._replace(player=1 - state.player)
    assert LinesOnly().look(GAME, state) == LinesOnly().look(GAME, other)
    assert LinesAndStarter().look(GAME, state) != LinesAndStarter().look(GAME, other)
    assert learner(sees_starter=True).values.shape == (8192, 12)


def test_a_board_with_too_many_lines_gets_a_table_that_grows():
    game = DotsAndBoxes(3, 4, tie_loses=True)
    agent = learner(game)
    run = Training(game, agent, Random(), 300, 1, 2, "random").go()
    assert agent.values.shape[0] == 1024 < run.trained().values.shape[0]


def test_the_table_of_3_by_3_boxes_takes_what_is_written_of_it():
    game = DotsAndBoxes(3, 3, tie_loses=True)
    agent = learner(game)
    assert agent.values.shape == (1 << 24, 24) and agent.values.nbytes == 2**24 * 24 * 8
    run = Training(game, agent, Random(), 200, 1, 2, "random").go()
    assert run.played[0] == 200 and 1000 < np.count_nonzero(run.trained().visits) < 3000


def test_eyes_and_symmetry_do_not_go_together():
    with pytest.raises(ValueError, match="only one of them"):
        q_learning(DotsAndBoxes(), symmetry=True, eyes=LinesOnly())


# ---- rewards for boxes -----------------------------------------------------------------------


def test_a_box_is_rewarded_at_the_next_own_turn():
    """Two boxes in a row; the learner closes the left one and moves again."""
    game = DotsAndBoxes(1, 2, tie_loses=True)
    agent = learner(game, alpha=0.5, gamma=0.0, box=2.0)
    states = [after(game, [0, 2, 3, 5, 1][:n]) for n in range(6)]
    agent.values[states[3].lines, :] = [0, 0, 0, 0, 0, 1, 0]  # draws line 5, which closes the box
    agent.values[states[3].lines, [1, 4, 6]] = -1
    agent.begin()
    assert agent.act(game, states[3], RNG) == 5
    assert agent.values[states[3].lines, 5] == 1
    agent.act(game, states[4], RNG)
    assert agent.values[states[3].lines, 5] == 0.5 * 1 + 0.5 * 2.0


def test_the_box_of_the_other_costs_as_much():
    game = DotsAndBoxes(1, 2, tie_loses=True)
    agent = learner(game, alpha=1.0, gamma=0.0, box=3.0)
    mine = after(game, [0, 2])
    agent.values[mine.lines, :] = -1
    agent.values[mine.lines, 3] = 1  # a third side of the left box
    agent.begin()
    assert agent.act(game, mine, RNG) == 3
    later = after(game, [0, 2, 3, 5, 1])  # the other closed it, and drew line 1
    assert game.mover(later) == game.mover(mine)
    agent.act(game, later, RNG)
    assert agent.values[mine.lines, 3] == -3.0


def test_the_last_move_gets_its_boxes_besides_the_end():
    game = DotsAndBoxes(1, 1, tie_loses=True)
    agent = learner(game, alpha=1.0, gamma=0.0, box=3.0)
    state = after(game, [0, 1, 2])
    agent.begin()
    assert agent.act(game, state, RNG) == 3
    agent.learn(game, 1)
    assert agent.values[state.lines, 3] == 13.0


def test_boxes_are_counted_from_turn_to_turn_only():
    with pytest.raises(ValueError, match="PerBox"):
        q_learning(DotsAndBoxes(), each_turn=False, rewards=PerBox())


# ---- exploration -----------------------------------------------------------------------------


def test_the_lowest_line_with_value_zero_is_tried_first():
    agent = learner()
    agent.values[0, :] = [3, -1, 0, 5, 0, 1, 1, 1, 1, 1, 1, 1]
    agent.begin()
    assert agent.act(GAME, GAME.start(), None) == 2
    agent.values[0, [2, 4]] = 5
    agent.begin()
    assert agent.act(GAME, GAME.start(), RNG) == 2  # the lowest of the best


def test_counting_explores_less_with_each_visit_to_a_position():
    clock = np.zeros(3)
    found = []
    for visits in (0, 10, 90):
        clock[2] = visits
        found.append(Counting(10.0).epsilon(clock))
    assert found == [1.0, 0.5, 0.1]
    run = Training(GAME, learner(exploration=Counting(5.0)), Random(), 500, 1, 1, "random").go()
    assert (run.trained().visits > 5).sum() > 20


# ---- long runs -------------------------------------------------------------------------------


def test_a_long_run_adds_up_its_stretches():
    found = long_run(0.8, 0.2, 25_000, seed=3)
    assert found["every"] == 1000 and found["wins"].shape == (25,)
    assert (found["wins"] <= 1000).all() and found["wins"][-5:].mean() > found["wins"][0]
    assert found["memory"].shape == (4096, 12) and found["opponent_memory"] is None


def test_a_long_run_is_the_same_each_time_and_another_with_another_seed():
    one, two, other = (long_run(0.8, 0.2, 3000, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one["wins"], two["wins"])
    assert np.array_equal(one["memory"], two["memory"])
    assert not np.array_equal(one["wins"], other["wins"])
    assert not np.array_equal(one["wins"], long_run(0.8, 0.2, 3000, 1, session=1)["wins"])


def test_a_run_goes_on_from_a_memory_and_leaves_it_as_it_was():
    first = long_run(0.8, 0.2, 5000, seed=1)
    before = first["memory"].copy()
    second = long_run(0.8, 0.2, 5000, seed=2, memory=first["memory"])
    assert np.array_equal(first["memory"], before)
    assert not np.array_equal(second["memory"], before)
    assert second["wins"].sum() > first["wins"].sum() + 100  # it need not begin again


def test_the_parts_of_a_run_do_not_show(monkeypatch):
    whole = long_run(0.8, 0.2, 4000, seed=1, opponent="Simple", starter="alternate")
    monkeypatch.setattr(dots, "AT_ONCE", 1000)
    parts = long_run(0.8, 0.2, 4000, seed=1, opponent="Simple", starter="alternate")
    assert np.array_equal(whole["wins"], parts["wins"])
    assert np.array_equal(whole["memory"], parts["memory"])


def test_two_learners_learn_in_one_run():
    found = long_run(0.2, 0.8, 20_000, seed=1, opponent=LEARNER)
    assert 0.45 < found["wins"].sum() / 20_000 < 0.55
    assert np.count_nonzero(found["opponent_memory"]) > 500
    assert not np.array_equal(found["memory"], found["opponent_memory"])
    alone = long_run(0.2, 0.8, 2000, 1, LEARNER, opponent_memory=found["memory"])
    assert alone["wins"].sum() < 0.5 * 2000  # a beginner against that memory


@pytest.mark.parametrize("options", [{"exploration": Constant(0.1)}, {"box": 1.0}], ids=str)
def test_a_variant_is_part_of_the_run(options):
    usual, other = long_run(0.8, 0.2, 3000, 1), long_run(0.8, 0.2, 3000, 1, **options)
    assert not np.array_equal(usual["memory"], other["memory"])
    assert usual["memory"].shape == other["memory"].shape


def test_what_is_learnt_wins_nearly_as_often_as_anybody_can():
    """The exact rates of a table after 400,000 games, beside those of perfect knowledge."""
    found = long_run(0.8, 0.2, 400_000, seed=1)
    agent = dots.remembering(learner(), found["memory"])
    own = sum(exact_rates(GAME, agent, Random(), seat).win for seat in (0, 1)) / 2
    best = sum(ceiling(GAME, Random(), seat).win for seat in (0, 1)) / 2
    assert best - 0.05 < own < best < 1
    assert isinstance(agent.exploration, UntilNoZero) and agent.game == GAME


def test_the_thesis_eyes_are_for_dots_and_boxes_only():
    agent = q_learning(TicTacToe())
    assert not hasattr(agent.eyes, "keys")
