"""The tasks of lecture 9: right functions are right, typical wrong ones are caught and named."""

import pytest

from course_lib.agents import IfPlayer
from course_lib.checks import lecture_09 as lecture
from course_lib.checks.feedback import OPEN, RIGHT, WRONG
from course_lib.exact import solve_game

PAIRS = [(task, mistake) for task in lecture.TASKS for mistake in task.mistakes]


def as_a_learner_writes_it(task, function):
    """A learner's move is one action, the truth of a move a set."""
    if task.number != "9.5":
        return function
    return lambda *case: min(function(*case))


@pytest.mark.parametrize("task", lecture.TASKS, ids=lambda task: task.number)
def test_the_right_answer_is_right(task):
    assert task.judge(as_a_learner_writes_it(task, task.truth)).state == RIGHT


@pytest.mark.parametrize(
    ("task", "mistake"), PAIRS, ids=[f"{task.number}-{m.__name__}" for task, m in PAIRS]
)
def test_every_typical_mistake_is_caught_and_named(task, mistake):
    feedback = task.judge(as_a_learner_writes_it(task, mistake))
    assert feedback.state == WRONG
    assert feedback.mistake == mistake.__name__.replace("_", " ")
    assert feedback.advice == task.mistakes[mistake]


@pytest.mark.parametrize("task", lecture.TASKS, ids=lambda task: task.number)
def test_a_stub_is_not_attempted_and_there_are_hints(task):
    def stub(*arguments):
        raise NotImplementedError

    assert task.judge(stub).state == OPEN
    assert len(task.hints) >= 2


@pytest.mark.parametrize("payoffs", lecture.PAYOFFS)
def test_the_best_chance_is_what_the_solver_finds(payoffs):
    solved = solve_game(payoffs)
    chance = lecture.best_chance(payoffs)
    assert chance == pytest.approx(solved.rows[0])
    assert lecture.sure_of(payoffs, chance) == pytest.approx(solved.value)


@pytest.mark.parametrize("case", lecture.TRAPPING)
def test_the_trap_is_where_the_if_player_then_places(case):
    game, state = case
    (action,) = lecture.trap_for_the_if_player(game, state)
    after = game.play(state, action)
    seen = game.seen_by(after, after.player)
    barred = game.trap(seen, seen.player)
    if action - 9 != barred:
        assert IfPlayer().choose(game, seen, None) == action - 9
