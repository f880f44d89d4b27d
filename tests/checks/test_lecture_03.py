"""The tasks on alpha-beta: what is right passes, and each typical mistake is told by its name."""

import pytest

from course_lib.agents import Negamax, Promise, best_moves, search
from course_lib.checks import lecture_03 as lecture
from course_lib.checks.feedback import OPEN, RIGHT, WRONG
from course_lib.exact import solve

TASKS = {task.number: task for task in lecture.TASKS}
RIGHT_ONES = {
    "3.1": lecture.may_stop,
    "3.2": lecture.window_below,
    "3.3": lecture.alpha_beta,
    "3.4": lambda game, state, find: sorted(lecture.all_best(game, state, find)),
    "3.5": lecture.is_enough,
    "3.6": lecture.best_first,
}
ZOO = [(number, mistake) for number in RIGHT_ONES for mistake in TASKS[number].mistakes]


class Searcher:
    def choose(self, game, state, rng):
        return search(Negamax(True, 4, Promise()), game, state).best_moves[0]


def as_a_learner_writes_it(number, mistake):
    """A wrong function of the zoo, as the answer to its task."""
    if number == "3.3":
        return mistake.function
    if number == "3.4":
        return lambda *case: sorted(mistake(*case))
    return mistake


def stub(*arguments):
    raise NotImplementedError


class Stub:
    def choose(self, game, state, rng):
        raise NotImplementedError


@pytest.mark.parametrize("number", RIGHT_ONES)
def test_the_right_function_is_right(number):
    assert TASKS[number].judge(RIGHT_ONES[number]).state == RIGHT


@pytest.mark.parametrize("number, mistake", ZOO, ids=lambda part: getattr(part, "__name__", part))
def test_a_wrong_function_is_caught_and_named(number, mistake):
    feedback = TASKS[number].judge(as_a_learner_writes_it(number, mistake))
    assert feedback.state == WRONG
    assert feedback.mistake == mistake.__name__.replace("_", " ")
    assert feedback.advice == TASKS[number].mistakes[mistake]


@pytest.mark.parametrize("number", TASKS)
def test_a_stub_is_not_attempted_and_hints_come_in_steps(number):
    assert TASKS[number].judge(Stub if number == "3.7" else stub).state == OPEN
    assert len(TASKS[number].hints) >= 3


def test_a_search_may_look_at_fewer_nodes_but_must_return_something():
    exact = solve(lecture.GAME), solve(lecture.BOXES)

    def knows_it(game, state, alpha, beta):
        return exact[game.action_count() == 12].value(game, state)

    assert TASKS["3.3"].judge(knows_it).state == RIGHT
    silent = TASKS["3.3"].judge(lambda game, state, alpha, beta: None)
    assert silent.state == WRONG
    assert "is a return missing?" in silent.sentence


def test_where_the_window_is_carried_over_the_first_wrong_position_has_one_best_move():
    """The case is worth nothing if the carried window does no harm there."""
    task = TASKS["3.4"]
    harmed = [
        case for case in task.cases if lecture.window_carried_over(*case) > lecture.all_best(*case)
    ]
    assert harmed
    for game, state, _ in task.cases:
        assert lecture.all_best(game, state, lecture.alpha_beta) == set(
            best_moves(Negamax(), game, state)
        )


def test_a_search_four_moves_deep_wins_the_contest():
    feedback = TASKS["3.7"].judge(Searcher())
    assert feedback.state == RIGHT, feedback


@pytest.mark.parametrize("wrong", TASKS["3.7"].mistakes, ids=lambda agent: type(agent).__name__)
def test_a_wrong_agent_loses_the_contest_and_its_mistake_is_drawn(wrong):
    feedback = TASKS["3.7"].judge(wrong)
    assert feedback.state == WRONG
    assert feedback.mistake == type(wrong).__name__
    assert feedback.position is not None
