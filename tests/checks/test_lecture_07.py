"""The checks of lecture 7: right is right, and every typical mistake is caught and named."""

import math

import numpy as np
import pytest

from course_lib.agents import grow, mcts, monte_carlo
from course_lib.arena import replay
from course_lib.checks import lecture_07
from course_lib.checks.feedback import OPEN, RIGHT, WRONG
from course_lib.games import DotsAndBoxes, TicTacToe

TASKS = {task.number: task for task in lecture_07.TASKS}
FUNCTIONS = [task for task in lecture_07.TASKS if hasattr(task, "truth")]
MISTAKES = [(task, mistake) for task in FUNCTIONS for mistake in task.mistakes]


def one_of(answer):
    return min(answer) if isinstance(answer, set) else answer


@pytest.mark.parametrize("task", FUNCTIONS, ids=lambda task: task.number)
def test_what_is_right_is_right(task):
    assert task.judge(lambda *case: one_of(task.truth(*case))).state == RIGHT


@pytest.mark.parametrize(
    ("task", "mistake"), MISTAKES, ids=lambda each: getattr(each, "__name__", "")
)
def test_a_typical_mistake_is_caught_and_named(task, mistake):
    feedback = task.judge(lambda *case: one_of(mistake(*case)))
    assert feedback.state == WRONG
    assert feedback.mistake == mistake.__name__.replace("_", " ")
    assert feedback.advice == task.mistakes[mistake]


@pytest.mark.parametrize("task", lecture_07.TASKS, ids=lambda task: task.number)
def test_a_stub_is_not_attempted(task):
    def stub(*arguments):
        raise NotImplementedError

    assert task.judge(...).state == OPEN and task.hints
    if hasattr(task, "truth"):
        assert task.judge(stub).state == OPEN


def test_the_bound_of_the_exercise_is_the_one_of_the_library():
    game = TicTacToe()
    found = grow(mcts(game, 300, c=0.8), game, game.start())
    for action in range(9):
        ours = lecture_07.bound(found.values[action], int(found.visits[action]), 300, 0.8)
        assert ours == pytest.approx(found.bounds[action])


def test_the_update_of_the_exercise_is_the_one_of_the_library():
    """Replayed simulation by simulation, in a game where the turn may stay."""
    game = DotsAndBoxes(1, 2)
    root = replay(game, [0, 2, 3])[-1].state
    agent, rng = mcts(game, 200), np.random.default_rng(1)
    agent.plant(game, root)
    nodes, tree = agent.tree.nodes, agent.tree
    twice = 0
    for _ in range(200):
        state = agent.expand(game, agent.select(game, root), rng)
        result = agent.roll_out(game, state, rng)
        way = [int(node) for node in tree.path[: tree.counts[1]]]
        path = [(int(nodes[node, 2]), int(nodes[node, 0]), int(nodes[node, 1])) for node in way]
        twice += any(a[0] == b[0] for a, b in zip(path, path[1:], strict=False))
        agent.update(game, state, result)
        expected = lecture_07.update(path, result)
        assert [(int(nodes[node, 0]), int(nodes[node, 1])) for node in way] == expected
    assert twice > 10


def test_an_answer_as_lists_or_with_fractions_is_right_as_well():
    def as_lists(path, result):
        return [list(pair) for pair in lecture_07.update(path, float(result))]

    assert TASKS["7.3"].judge(as_lists).state == RIGHT


def test_a_division_by_zero_is_told_in_words():
    def bound(value, visits, parent_visits, c):
        return value + c * math.sqrt(math.log(parent_visits) / visits)

    feedback = TASKS["7.1"].judge(bound)
    assert feedback.state == WRONG and "ZeroDivisionError" in repr(feedback)


def test_a_budget_a_hundred_times_as_large_brings_ten_times_as_many():
    few, many = (lecture_07.simulations_in(budget, 7) for budget in (10_000, 1_000_000))
    assert 9.5 < many / few < 10.5


def test_flat_search_is_not_enough_for_the_contest():
    contest = TASKS["7.6"]
    flat = monte_carlo(contest.game, rollouts=lecture_07.SIMULATIONS)
    assert contest._replace(games=20).judge(flat).state == WRONG
