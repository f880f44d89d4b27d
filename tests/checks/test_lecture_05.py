"""What is special in the checks of lecture 5; what holds of all lectures is in test_lectures.py."""

import pytest

from course_lib.agents import Constant, perfect, q_learning
from course_lib.checks import lecture_05
from course_lib.checks.feedback import RIGHT, WRONG
from course_lib.checks.lecture_05 import game
from course_lib.training import train

TASKS = {task.number: task for task in lecture_05.TASKS}


def explorer(share):
    """A learner's function for 5.3 that behaves as the mistake does."""
    return lambda epsilon, rng: bool(rng.random() < share(epsilon))


def learner(changed):
    """A learner's function for 5.6: it writes to the values."""

    def learn_game(values, moves, reward, alpha):
        values.update(zip(moves, changed(values, moves, reward, alpha), strict=True))

    return learn_game


AS_WRITTEN = {"5.3": explorer, "5.6": learner}
WRITTEN = [(number, mistake) for number in AS_WRITTEN for mistake in TASKS[number].mistakes]


@pytest.mark.parametrize("number", AS_WRITTEN)
def test_what_a_learner_writes_is_right(number):
    task = TASKS[number]
    assert task.judge(AS_WRITTEN[number](task.truth)).state == RIGHT


@pytest.mark.parametrize(("number", "mistake"), WRITTEN)
def test_a_mistake_in_what_a_learner_writes_is_named(number, mistake):
    feedback = TASKS[number].judge(AS_WRITTEN[number](mistake))
    assert feedback.state == WRONG
    assert feedback.mistake == mistake.__name__.replace("_", " ")


def test_exploring_with_a_number_instead_of_true_or_false_is_said():
    feedback = TASKS["5.3"].judge(lambda epsilon, rng: rng.random() * 0)
    assert feedback.state == WRONG and "True or False was asked for" in feedback.sentence


def test_exploring_may_draw_its_numbers_in_another_way():
    assert TASKS["5.3"].judge(lambda epsilon, rng: 1 - rng.random() <= epsilon).state == RIGHT
    assert TASKS["5.3"].judge(lambda epsilon, rng: rng.uniform(0, 2) < epsilon).state == WRONG


def test_a_taken_square_is_told_and_what_is_on_it_stays_to_be_seen():
    feedback = TASKS["5.2"].judge(
        lambda game, state, values: {a for a in range(9) if values[a] == max(values)}
    )
    assert feedback.mistake == "taken squares count too"
    assert ("your answer", "0 (taken)") in feedback.compared
    assert set(feedback.marks.values()) == {"✓"}


@pytest.fixture(scope="module")
def champion():
    """An agent that trained as the last hint says."""
    learner = q_learning(game, alpha=0.1, symmetry=True, exploration=Constant(0.2))
    opponent = TASKS["5.7"].opponent
    return train(game, learner, opponent, games=20_000, starter="alternate").trained()


def test_a_trained_agent_beats_perfection(champion):
    assert TASKS["5.7"].judge(champion).state == RIGHT


def test_perfection_is_not_enough_and_has_no_mistake():
    feedback = TASKS["5.7"].judge(perfect(game))
    assert feedback.state == WRONG and feedback.mistake == "" and "plays safe" in feedback.sentence


def test_the_worst_of_what_was_learnt_is_caught(champion):
    class Worst:
        def choose(self, game, state, rng):
            values = champion.q_values(state)
            return min(values, key=values.get)

    assert TASKS["5.7"].judge(Worst).state == WRONG
