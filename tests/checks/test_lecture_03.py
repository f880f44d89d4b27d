"""The tasks on alpha-beta, beyond what holds of all lectures."""

import pytest

from course_lib.agents import Negamax, best_moves
from course_lib.checks import lecture_03 as lecture
from course_lib.checks.feedback import RIGHT, WRONG
from course_lib.exact import solve

TASKS = {task.number: task for task in lecture.TASKS}
SEARCH = TASKS["3.3"]


@pytest.mark.parametrize("mistake", SEARCH.mistakes, ids=lambda mistake: mistake.__name__)
def test_a_wrong_search_of_a_learner_is_caught_and_named(mistake):
    feedback = SEARCH.judge(mistake.function)
    assert feedback.state == WRONG
    assert feedback.mistake == mistake.__name__.replace("_", " ")
    assert feedback.advice == SEARCH.mistakes[mistake]


def fail_hard(game, state, alpha, beta):
    """The other usual form: what it returns never leaves the window."""
    if game.over(state):
        return min(max(game.result(state), alpha), beta)
    for action in game.actions(state):
        child = game.play(state, action)
        window = lecture.window_below(game, state, child, alpha, beta)
        reply = fail_hard(game, child, *window)
        alpha = max(alpha, reply if game.mover(child) == game.mover(state) else -reply)
        if alpha >= beta:
            return beta
    return alpha


def test_both_usual_forms_of_alpha_beta_are_right():
    assert SEARCH.judge(lecture.alpha_beta).state == RIGHT
    assert SEARCH.judge(fail_hard).state == RIGHT


def test_a_search_may_look_at_fewer_nodes_but_must_return_something():
    exact = solve(lecture.GAME), solve(lecture.BOXES)

    def knows_it(game, state, alpha, beta):
        return exact[game.action_count() == 12].value(game, state)

    assert SEARCH.judge(knows_it).state == RIGHT
    silent = SEARCH.judge(lambda game, state, alpha, beta: None)
    assert silent.state == WRONG
    assert "is a return missing?" in silent.sentence


def test_some_positions_have_wrong_moves_that_a_carried_window_makes_look_best():
    """Else the task would let the trap at the root pass."""
    cases = TASKS["3.4"].cases
    assert any(lecture.window_carried_over(*case) > lecture.all_best(*case) for case in cases)
    for game, state, find in cases:
        assert lecture.all_best(game, state, find) == set(best_moves(Negamax(), game, state))
