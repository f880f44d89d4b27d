"""The checks of lecture 8: right answers are right, each mistake is caught and named."""

from pathlib import Path

import nbformat
import pytest

from course_lib.agents import perfect
from course_lib.checks import lecture_08
from course_lib.checks.contest import Contest
from course_lib.checks.feedback import OPEN, RIGHT, WRONG
from course_lib.checks.lecture_08 import GAME, Greedy, LeavesABox, OpensABox, one_of, safe_lines
from course_lib.exact.chains import taking
from course_lib.experiments.dots import LEARNER, learner, long_run, remembering

TASKS = {task.number: task for task in lecture_08.TASKS}
FUNCTIONS = {n: task for n, task in TASKS.items() if not isinstance(task, Contest)}
ZOO = [(number, mistake) for number, task in FUNCTIONS.items() for mistake in task.mistakes]
CONTEST = TASKS["8.6"]
SOLUTIONS = Path(__file__).parents[2] / "solutions" / lecture_08.NOTEBOOK
SEEDS = (0, 1, 2)


def name_of(thing):
    return thing if isinstance(thing, str) else thing.__name__


def test_there_are_six_tasks_with_hints_in_steps():
    assert list(TASKS) == [f"8.{n}" for n in range(1, 7)]
    for task in TASKS.values():
        assert len(task.hints) >= 2 and task.because and all(task.mistakes.values())
        assert len(task.mistakes) >= 2


@pytest.mark.parametrize("number", FUNCTIONS)
def test_the_truth_is_right_and_a_stub_is_not_attempted(number):
    task = FUNCTIONS[number]
    assert task.judge(task.truth).state == RIGHT

    def stub(*case):
        raise NotImplementedError

    assert task.judge(stub).state == task.judge(...).state == OPEN


@pytest.mark.parametrize(("number", "mistake"), ZOO, ids=name_of)
def test_each_mistake_is_caught_and_named(number, mistake):
    feedback = TASKS[number].judge(mistake)
    assert feedback.state == WRONG
    assert feedback.mistake == mistake.__name__.replace("_", " ")
    assert TASKS[number].mistakes[mistake] in repr(feedback)


def test_the_positions_of_8_3_are_solved_in_boxes():
    exact = perfect(GAME).solution
    found = [lecture_08.finally_ahead(*case) for case in lecture_08.ENDS]
    for (game, state), ahead in zip(lecture_08.ENDS, found, strict=True):
        if game == GAME:
            assert ahead == exact.margin(game, state)
    assert min(found) < 0 < max(found)


def test_a_solution_is_stored_with_every_check_right():
    notebook = nbformat.read(SOLUTIONS / f"{lecture_08.NOTEBOOK}.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    checks = [c for c in cells if c.metadata.get("nbgrader", {}).get("grade")]
    assert [c.source for c in checks] == [f'check("{n}", {t.name})' for n, t in TASKS.items()]
    for cell in checks:
        (output,) = cell.outputs
        assert ": right" in output["data"]["text/plain"]
    assert 'begin("08_dots_and_boxes")' in cells[0].source


# ---- the contest -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("agent", CONTEST.mistakes, ids=lambda agent: type(agent).__name__)
def test_each_player_of_the_zoo_is_caught_and_named(agent, seed):
    feedback = CONTEST._replace(seed=seed).judge(agent)
    assert feedback.state == WRONG and feedback.mistake == type(agent).__name__
    assert CONTEST.mistakes[agent] in repr(feedback)


class ByRulesOfThumb:
    """Takes boxes and opens none if it need not: good, and not good enough."""

    def choose(self, game, state, rng):
        boxes = [line for line in game.actions(state) if taking(game, state) >> line & 1]
        return one_of(boxes or safe_lines(game, state) or list(game.actions(state)), rng)


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_of_thumb_are_not_enough_and_the_solution_is(seed):
    contest = CONTEST._replace(seed=seed)
    feedback = contest.judge(ByRulesOfThumb)
    assert feedback.state == WRONG and feedback.mistake == ""
    assert contest.judge(perfect(GAME)).state == RIGHT


def test_a_learner_that_played_another_one_is_good_enough():
    memory = long_run(0.2, 0.8, 300_000, 1, LEARNER)["memory"]
    assert CONTEST.judge(remembering(learner(GAME, 0.2, 0.8), memory)).state == RIGHT


def test_a_stub_agent_is_not_attempted():
    class Champion:
        def choose(self, game, state, rng):
            raise NotImplementedError

    assert CONTEST.judge(Champion).state == OPEN


def test_what_is_a_mistake_is_told_by_the_position():
    open_box = lecture_08.at(GAME, 0, 2, 3)
    assert LeavesABox().gives_away(GAME, open_box, 1)
    assert not LeavesABox().gives_away(GAME, open_box, 5)
    assert OpensABox().gives_away(GAME, lecture_08.at(GAME, 0, 2), 3)
    assert not OpensABox().gives_away(GAME, lecture_08.at(GAME, 0, 2), 11)
    assert Greedy().choose(GAME, open_box, _Half()) == 5


class _Half:
    def random(self):
        return 0.5
