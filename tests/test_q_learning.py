"""The learner with the table: single updates by hand, its exploration, and its naive twin."""

import itertools
from typing import NamedTuple

import numpy as np
import pytest

from course_lib.agents import Random, perfect
from course_lib.agents.exploration import (
    GAMES,
    STEPS,
    Constant,
    Decaying,
    Linear,
    StopAfter,
    UntilNoZero,
)
from course_lib.agents.q_learning import q_learning
from course_lib.experiments.pulles2019 import menace_of, q_of
from course_lib.games import DotsAndBoxes, TicTacToe
from course_lib.training import Training
from tests import shared_chance
from tests.naive import learners
from tests.sample import after, all_states

GAME = TicTacToe()
WON, LOST = [0, 3, 1, 4, 2], [0, 3, 1, 4, 8, 5]
TIED = [0, 4, 8, 1, 7, 6, 2, 5, 3]


class Numbers:
    """Chance that was written down beforehand."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


def learner(alpha=0.5, gamma=0.8, exploration=Constant(1.0), **options):  # noqa: B008
    """Always explores: the test decides by the number drawn which move that is."""
    return q_learning(GAME, alpha, gamma, exploration=exploration, **options)


def act(agent, before, square):
    """Let the agent make this very move."""
    state = after(GAME, before)
    _, symmetry = agent.eyes.look(GAME, state)
    legal = list(GAME.actions(state))
    places = [place for place in range(9) if agent.eyes.real(GAME, place, symmetry) in legal]
    real = [agent.eyes.real(GAME, place, symmetry) for place in places]
    aim = (real.index(square) + 0.5) / len(places)
    assert agent.act(GAME, state, Numbers(0.0, aim)) == square


def act_out(agent, actions):
    agent.begin()
    for turn in range(0, len(actions), 2):
        act(agent, actions[:turn], actions[turn])


def play_out(agent, actions, result):
    act_out(agent, actions)
    agent.learn(GAME, result)


def value(agent, actions):
    """Q of the last of these actions, in the position before it."""
    return agent.q_values(after(GAME, actions[:-1]))[actions[-1]]


def values_of(agent, actions, seat=0):
    return [value(agent, actions[: turn + 1]) for turn in range(seat, len(actions), 2)]


def remembered(agent):
    """{key: (Q of all places, visits)}."""
    used = int(agent.table.used[0])
    rows = zip(agent.values[:used].tolist(), agent.visits[:used].tolist(), strict=True)
    return dict(zip(agent.table.keys[:used].tolist(), rows, strict=True))


# ---- one update by hand ----------------------------------------------------------------------


@pytest.mark.parametrize("each_turn", [True, False])
def test_only_the_last_move_is_rewarded_and_the_rest_follows_game_by_game(each_turn):
    """α = 0.5, γ = 0.8, a win is 1: the reward wanders back by one own move a game."""
    agent = learner(each_turn=each_turn)
    play_out(agent, WON, 1)
    assert values_of(agent, WON) == [0, 0, 0.5]
    play_out(agent, WON, 1)
    assert values_of(agent, WON) == pytest.approx([0, 0.5 * 0.8 * 0.5, 0.75])
    play_out(agent, WON, 1)
    assert values_of(agent, WON) == pytest.approx([0.5 * 0.8 * 0.2, 0.1 + 0.4 * 0.75, 0.875])


@pytest.mark.parametrize(
    ("actions", "result", "reward"), [(WON, 1, 3), (TIED, 0, 2), (LOST, -1, -5)]
)
def test_reward_all_gives_the_reward_of_the_game_to_every_own_move(actions, result, reward):
    agent = learner(0.25, win=3, tie=2, loss=-5, reward_all=True, each_turn=False, own_next=False)
    for share in (0.25, 0.4375):
        play_out(agent, actions, result)
        assert values_of(agent, actions) == [share * reward] * len(actions[::2])


@pytest.mark.parametrize(("own_next", "expected"), [(True, [0, 0, 0.5]), (False, [0.2, 0.2, 0.5])])
def test_the_next_position_is_the_own_next_turn_or_the_opponents(own_next, expected):
    """Values for the opponent's turns are there once the learner has sat in the other seat."""
    agent = learner(own_next=own_next, each_turn=False)
    for turn in (1, 3):
        agent.begin()
        act(agent, LOST[:turn], LOST[turn])
        agent.learn(GAME, 1)
    assert values_of(agent, LOST[:4], seat=1) == [0.5, 0.5]
    play_out(agent, WON, 1)
    assert values_of(agent, WON) == pytest.approx(expected)


def test_each_turn_learns_during_the_game_else_only_after_it():
    early, late = learner(each_turn=True), learner(each_turn=False)
    for agent in (early, late):
        play_out(agent, WON, 1)
        play_out(agent, WON, 1)
        act_out(agent, WON)
    assert values_of(early, WON) == pytest.approx([0.08, 0.4, 0.75])
    assert values_of(late, WON) == pytest.approx([0, 0.2, 0.75])


@pytest.mark.parametrize("own_next", [True, False])
@pytest.mark.parametrize(("count_illegal", "future"), [(True, 0), (False, -0.5)])
def test_the_maximum_counts_illegal_squares_as_0_or_not_at_all(own_next, count_illegal, future):
    """All legal moves of the next position are bad: the best of them is worse than nothing."""
    agent = learner(own_next=own_next, count_illegal=count_illegal)
    following = WON[:2] if own_next else WON[:1]
    row = agent.table.add(GAME.key(after(GAME, following)))
    for square in set(range(9)) - set(following):
        agent.values[row, square] = -0.5 - square
    agent.values[row, 7] = -0.5
    act_out(agent, WON[:3])
    assert value(agent, [0]) == pytest.approx(0.5 * 0.8 * future)


def test_with_symmetry_turned_and_mirrored_positions_share_their_values():
    agent, plain = learner(symmetry=True), learner(symmetry=False)
    for each in (agent, plain):
        play_out(each, WON, 1)
    turned = [[2, 1, 5, 4, 8], [2, 5, 1, 4, 0], [8, 5, 7, 4, 6], [0, 1, 3, 4, 6]]
    for actions in turned:
        assert value(agent, actions) == value(agent, WON) == 0.5
        assert value(plain, actions) == 0
    assert value(agent, [*turned[0][:4], 0]) == 0
    assert value(plain, WON) == 0.5


def test_among_equally_good_moves_any_is_taken_or_the_lowest():
    best = [2, 5, 7]
    for random_ties, expected in ((True, [2, 5, 7]), (False, [2, 2, 2])):
        agent = learner(exploration=Constant(0.0), random_ties=random_ties)
        row = agent.table.add(GAME.key(GAME.start()))
        agent.values[row, best] = 0.25
        chosen = [agent.choose(GAME, GAME.start(), Numbers(n)) for n in (0.0, 0.5, 0.99)]
        acted = []
        for number in (0.0, 0.5, 0.99):
            agent.begin()
            acted.append(agent.act(GAME, GAME.start(), Numbers(0.5, number)))
        assert chosen == acted == expected


def test_exploring_takes_any_legal_move_also_a_bad_one():
    agent = learner(exploration=Constant(0.3))
    row = agent.table.add(GAME.key(GAME.start()))
    agent.values[row] = [1, 0, 0, 0, -7, 0, 0, 0, 0]
    agent.begin()
    assert agent.act(GAME, GAME.start(), Numbers(0.2999, 4.5 / 9)) == 4
    assert agent.act(GAME, GAME.start(), Numbers(0.3, 0.5)) == 0


# ---- exploration -----------------------------------------------------------------------------


def epsilons(schedule, story):
    """ε before each own move; story: (game, whether the move was random)."""
    clock, found = np.zeros(2), []
    for game, explored in story:
        clock[GAMES] = game
        found.append(schedule.epsilon(clock))
        schedule.after_move(clock, explored)
    return found


def test_a_constant_epsilon_stays():
    assert epsilons(Constant(0.3), [(1, True), (50, False), (10**6, True)]) == [0.3] * 3


def test_linear_per_game_is_a_straight_line_from_the_first_game_to_the_last():
    schedule = Linear(0.3, 100, 200, per_move=False)
    story = [(game, False) for game in (1, 99, 100, 101, 150, 199, 200, 201, 5000)]
    expected = [0.3, 0.3, 0.3, 0.297, 0.15, 0.003, 0, 0, 0]
    assert epsilons(schedule, story) == pytest.approx(expected)


def test_linear_per_move_falls_with_each_own_move_from_the_first_game_on():
    """The moves of game 1 and 2 do not count; from game 3 on 0.8 · 1/4 less at each move."""
    story = [(1, True), (2, False), (2, True), (3, False), (3, True), (4, False), (4, True)]
    story += [(5, True), (6, False)]
    expected = [0.8, 0.8, 0.8, 0.8, 0.6, 0.4, 0.2, 0, 0]
    assert epsilons(Linear(0.8, 3, 7), story) == pytest.approx(expected)


def test_a_linear_fall_within_no_time_is_a_step():
    for per_move in (True, False):
        schedule = Linear(0.4, 5, 5, per_move)
        assert epsilons(schedule, [(4, True), (5, True), (6, True)]) == [0.4, 0, 0]


def test_stop_after_explores_in_exactly_so_many_games():
    story = [(1, True), (3, False), (4, True), (5, True)]
    assert epsilons(StopAfter(0.2, 3), story) == [0.2, 0.2, 0, 0]
    assert epsilons(StopAfter(0.2, 0), story) == [0] * 4


def test_decaying_falls_at_random_moves_only_and_ends_at_its_floor():
    story = [(1, True), (1, False), (1, True), (2, True), (2, False)]
    assert epsilons(Decaying(0.8, 0.5, 0.15), story) == pytest.approx([0.8, 0.4, 0.4, 0.2, 0])
    assert epsilons(Decaying(0.8, 0.5, 0.2), story)[3] == pytest.approx(0.2)


def test_until_no_zero_tries_every_move_once_in_order_and_then_plays_the_best():
    """Each first move loses a little less than the one before: 8 is the best in the end."""
    agent = learner(exploration=UntilNoZero())
    tried = []
    for loss in range(10, 0, -1):
        agent.begin()
        tried.append(agent.act(GAME, GAME.start(), Numbers(0.5, 0.0)))
        agent = agent._replace(loss=-float(loss))
        agent.learn(GAME, -1)
    assert tried == [0, 1, 2, 3, 4, 5, 6, 7, 8, 8]
    assert agent.clock[STEPS] == 0


def test_the_gauge_of_a_session_is_epsilon_after_each_game():
    agent = q_learning(GAME, exploration=Linear(0.4, 3, 7, per_move=False))
    run = Training(GAME, agent, Random(), games=8).go()
    assert run.gauges[0, :, 0] == pytest.approx([0.4, 0.4, 0.4, 0.3, 0.2, 0.1, 0, 0])
    assert run.trained().clock[GAMES] == 8


# ---- both speeds -----------------------------------------------------------------------------

SCHEDULES = [
    Constant(0.2),
    Linear(0.5, 5, 40),
    Linear(0.5, 5, 20, per_move=False),
    StopAfter(0.5, 10),
    Decaying(1.0, 0.9, 0.05),
    UntilNoZero(),
]
OPTIONS = [
    {},
    {"each_turn": False},
    {"each_turn": False, "reward_all": True},
    {"each_turn": False, "reward_all": True, "own_next": False, "count_illegal": True},
    {"own_next": False},
    {"count_illegal": True},
    {"random_ties": False},
]


def assert_same_at_both_speeds(game, build, opponent, games=30):
    slow, quick = (
        Training(game, build(), opponent(), games, 2, 7, "alternate", speed=speed).go()
        for speed in ("python", "compiled")
    )
    assert (slow.results == quick.results).all() and (slow.gauges == quick.gauges).all()
    assert remembered(slow.trained()) == remembered(quick.trained())
    assert np.count_nonzero(slow.trained().values) > 10
    return slow


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("symmetry", [False, True])
def test_every_option_is_the_same_at_both_speeds(options, symmetry):
    def build():
        return q_learning(GAME, 0.3, 0.8, tie=0.5, symmetry=symmetry, **options)

    assert_same_at_both_speeds(GAME, build, Random)


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_every_schedule_is_the_same_at_both_speeds(schedule):
    assert_same_at_both_speeds(GAME, lambda: q_learning(GAME, exploration=schedule), Random)


@pytest.mark.parametrize("options", [{}, {"own_next": False}, {"count_illegal": True}], ids=str)
def test_dots_and_boxes_where_the_mover_may_stay_is_the_same_at_both_speeds(options):
    game = DotsAndBoxes(1, 2, tie_loses=True)

    def build():
        return q_learning(game, 0.5, 0.9, exploration=UntilNoZero(), random_ties=False, **options)

    assert_same_at_both_speeds(game, build, build)


def test_in_dots_and_boxes_an_extra_turn_of_the_own_is_the_next_position():
    """One box: player 1 completes it with the fourth line; before that each draws in turn."""
    game = DotsAndBoxes(1, 2)
    agent = q_learning(game, 0.5, 0.8, exploration=Constant(1.0))
    lines = [0, 2, 3, 5, 1]  # the fourth completes the left box, so player 1 draws the fifth
    states = [after(game, lines[:n]) for n in range(6)]
    assert [game.mover(state) for state in states[:5]] == [0, 1, 0, 1, 1]
    key = game.key(states[4])
    agent.values[agent.table.add(key), 6] = 0.75
    agent.begin()
    for turn in (3, 4):
        legal = list(game.actions(states[turn]))
        aim = (legal.index(lines[turn]) + 0.5) / len(legal)
        assert agent.act(game, states[turn], Numbers(0.0, aim)) == lines[turn]
    assert agent.q_values(states[3])[5] == pytest.approx(0.5 * 0.8 * 0.75)


# ---- the papers' learner ---------------------------------------------------------------------


def learner_of_pulles(gamma, starter, opponent):
    agent = q_of(0.3, gamma, 0.3, 20, 60, 2, 1, -1)
    return Training(GAME, agent, opponent, 150, 5, 3, starter).go()


@pytest.mark.parametrize("starter", ["agent", "opponent"])
def test_without_alternating_starters_gamma_makes_no_difference_at_all(starter):
    runs = [learner_of_pulles(gamma, starter, Random()) for gamma in (0, 0.5, 1)]
    for run in runs[1:]:
        assert (run.results == runs[0].results).all()
        assert remembered(run.trained()) == remembered(runs[0].trained())
    assert len(set(map(bytes, runs[0].results))) == 5


def test_with_alternating_starters_gamma_does_make_a_difference():
    low, high = (learner_of_pulles(gamma, "alternate", Random()) for gamma in (0.1, 0.9))
    assert remembered(low.trained()) != remembered(high.trained())


NAIVE = {
    "fig8": (learners.Q8, "move", "random", "agent"),
    "fig9 per round": (learners.Q9, "round", "random", "agent"),
    "fig10": (learners.Q10, "move", "perfect", "agent"),
    "fig11": (learners.Q11, "move", "random", "alternate"),
    "fig12 per round": (learners.Q12, "round", "random", "alternate"),
    "fig13": (learners.Q13, "move", "itself", "agent"),
    "fig14": (learners.Q14, "move", "menace", "alternate"),
}


def assert_same_table(ours, naive):
    ours = remembered(ours)
    met = 0
    for board, row in naive.table.items():
        values, visits = ours.get(shared_chance.library_key(board), ([0.0] * 9, 0))
        assert values == [row.get(square, 0.0) for square in range(9)]
        met += visits > 0
    assert met == len(ours) > 30


@pytest.mark.parametrize("name", NAIVE)
def test_with_the_same_random_numbers_it_is_the_naive_learner_game_by_game(name):
    parameters, per, against, starter = NAIVE[name]
    agent, seed, sessions, games = q_of(*parameters, per=per), 17, 10, 400
    ours = {
        "random": Random,
        "perfect": lambda: perfect(GAME),
        "itself": lambda: agent,
        "menace": lambda: menace_of(1, 2, 1, "both"),
    }[against]()
    run = Training(GAME, agent, ours, games, sessions, seed, starter).go()
    with shared_chance.classes():
        for k in range(sessions):
            naive = learners.QLearner(*parameters, per=per)
            twin = {
                "itself": learners.QLearner(*parameters, per=per),
                "menace": shared_chance.Menace(1, 2, 1),
            }.get(against, against)
            rng = shared_chance.of_session(seed, k)
            played = learners.session(naive, twin, games, rng, starter == "alternate")
            assert run.results[k, : run.played[k]].tolist() == played.outcomes
            assert run.died[k] == played.died
    assert_same_table(run.trained(), naive)
    if against == "itself":
        assert_same_table(run.trained(1), twin)


def test_without_symmetry_it_is_the_naive_learner_without_symmetry():
    agent = q_of(*learners.Q11)._replace(eyes=q_learning(GAME).eyes)
    run = Training(GAME, agent, Random(), 400, 1, 5, "alternate").go()
    with shared_chance.classes(symmetry=False):
        naive = learners.QLearner(*learners.Q11)
        played = learners.session(naive, "random", 400, shared_chance.of_session(5), True)
    assert run.results[0].tolist() == played.outcomes
    assert_same_table(run.trained(), naive)


# ---- to look at ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("symmetry", "random_ties"), list(itertools.product([True, False], repeat=2))
)
def test_values_choice_and_policy_agree_in_every_position(symmetry, random_ties):
    agent = q_learning(GAME, 0.4, symmetry=symmetry, random_ties=random_ties)
    trained = Training(GAME, agent, Random(), 200, 1, 3, "alternate").go().trained()
    rng, kinds = np.random.default_rng(4), set()
    for state in all_states(GAME):
        if GAME.over(state):
            continue
        values, chances = trained.q_values(state), np.full(9, 0.125)
        trained.policy(GAME, state, chances)
        best = [action for action, each in values.items() if each == max(values.values())]
        assert list(values) == list(GAME.actions(state))
        assert chances.sum() == pytest.approx(1)
        assert {a for a in range(9) if chances[a] > 0} <= set(best)
        assert np.count_nonzero(chances) == (len(best) if random_ties else 1)
        if not symmetry and not random_ties:
            assert chances[min(best)] == 1
        assert chances[trained.choose(GAME, state, rng)] > 0
        kinds.add(len(best))
    assert {1, 2, 3} <= kinds


# ---- wrong inputs ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *itertools.product(["alpha", "gamma"], [1.1, -0.1, float("nan"), "fast", "0.1", None]),
        *itertools.product(["win", "tie", "loss"], [1000.5, -1000.5, float("inf"), None]),
        *itertools.product(["reward_all", "own_next", "each_turn", "random_ties"], [1, "yes"]),
        ("count_illegal", None),
    ],
)
def test_wrong_parameters_are_refused_by_name(option, value):
    with pytest.raises(ValueError, match=f"{option}={value!r}: expected"):
        q_learning(GAME, **{option: value})


@pytest.mark.parametrize("kind", [Constant, Linear, StopAfter, Decaying])
@pytest.mark.parametrize("epsilon", [-0.01, 1.01, float("nan"), "0.1", None])
def test_an_epsilon_out_of_range_is_refused(kind, epsilon):
    with pytest.raises(ValueError, match=f"start={epsilon!r}: expected a number from 0 to 1"):
        kind(epsilon)


def test_a_fall_that_ends_before_it_begins_is_refused():
    with pytest.raises(ValueError, match=r"begin=200, end=100: ε can't stop falling before"):
        Linear(0.3, 200, 100)
    with pytest.raises(ValueError, match="begin=200, end=100"):
        q_of(0.1, 0.5, 0.3, 200, 100, 2, 1, -1)


@pytest.mark.parametrize("schedule", [0.1, None, "Constant", Constant])
def test_exploration_that_is_no_schedule_is_refused(schedule):
    with pytest.raises(ValueError, match="expected a schedule"):
        q_learning(GAME, exploration=schedule)


def test_each_turn_does_not_go_with_reward_all():
    with pytest.raises(ValueError, match="the reward of a game is not known before its end"):
        q_learning(GAME, reward_all=True, each_turn=True)


class Plain(NamedTuple):
    """A game that says nothing of symmetries."""

    def action_count(self):
        return 2


def test_symmetry_needs_a_game_with_symmetries():
    with pytest.raises(ValueError, match="needs a game with symmetries"):
        q_learning(Plain(), symmetry=True)


def test_a_learner_for_another_game_is_refused():
    for other in (TicTacToe(4), DotsAndBoxes()):
        with pytest.raises(ValueError, match=r"was made for .* and can't play"):
            Training(GAME, q_learning(other), Random())
        with pytest.raises(ValueError, match=r"was made for .* and can't play"):
            Training(GAME, Random(), q_learning(other))
