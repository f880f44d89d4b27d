"""What holds of the exercises of every lecture: a new lecture is covered by being there."""

import re
from pathlib import Path

import nbformat
import pytest

from course_lib.checks.answers import Move
from course_lib.checks.contest import Contest
from course_lib.checks.feedback import OPEN, RIGHT, WRONG
from course_lib.checks.lectures import lectures, tasks
from course_lib.checks.record import Record

ROOT = Path(__file__).parents[2]
LECTURES = {lecture.NOTEBOOK: lecture for lecture in lectures()}
TASKS = {number: task for number, task in tasks().items() if not isinstance(task, Contest)}
CONTESTS = {number: task for number, task in tasks().items() if isinstance(task, Contest)}
ZOO = [(number, mistake) for number, task in TASKS.items() for mistake in task.mistakes]
PLAYERS = [(number, agent) for number, contest in CONTESTS.items() for agent in contest.mistakes]
SEEDS = (0, 1)


def name_of(thing):
    return thing if isinstance(thing, str) else getattr(thing, "__name__", type(thing).__name__)


def code_of(notebook, folder):
    """The code cells of a notebook, in order."""
    path = ROOT / folder / notebook / f"{notebook}.ipynb"
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def grade_id(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def filled(notebook):
    """The exercise with each stub replaced by its solution."""
    solutions = {
        grade_id(cell): cell.source
        for cell in code_of(notebook, "solutions")
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    return [solutions.get(grade_id(cell), cell.source) for cell in code_of(notebook, "exercises")]


def run_cells(sources):
    """Run cells one after the other, as a kernel would; return their names."""
    names = {"__name__": "__main__"}
    for source in sources:
        exec(compile(source, "cell", "exec"), names)
    return names


@pytest.mark.parametrize("notebook", LECTURES)
def test_every_stub_filled_with_its_solution_reaches_100_percent(notebook, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    names = run_cells(filled(notebook))
    entries = Record().entries()
    wanted = [task.number for task in LECTURES[notebook].TASKS]
    assert [number for number in wanted if entries[number].state != RIGHT] == []
    assert {entry.tries for entry in entries.values()} == {1}
    done = names["begin"](notebook)
    assert done.ending() == "All tasks are right."
    assert f"{len(wanted)} of {len(wanted)} right" in repr(done)


@pytest.mark.parametrize("notebook", LECTURES)
def test_each_stub_is_not_attempted(notebook, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    names = run_cells(cell.source for cell in code_of(notebook, "exercises"))
    for task in LECTURES[notebook].TASKS:
        assert task.judge(names[task.name]).state == OPEN
        assert task.judge(...).state == OPEN
    assert not Record().entries(), "and no try was counted"


@pytest.mark.parametrize("notebook", LECTURES)
def test_a_notebook_begins_with_its_own_bar_and_checks_each_task_once_in_order(notebook):
    cells = code_of(notebook, "solutions")
    assert f'begin("{notebook}")' in cells[0].source
    calls = [
        re.fullmatch(r'check\("(.+?)", (\w+)\)', cell.source)
        for cell in cells
        if cell.metadata.get("nbgrader", {}).get("grade")
    ]
    wanted = [(task.number, task.name) for task in LECTURES[notebook].TASKS]
    assert [call.groups() for call in calls] == wanted


@pytest.mark.parametrize("notebook", LECTURES)
def test_a_lecture_has_four_to_seven_tasks_with_hints_and_its_own_numbers(notebook):
    lecture = LECTURES[notebook]
    numbers = [task.number for task in lecture.TASKS]
    assert 4 <= len(numbers) <= 7
    assert numbers == [f"{int(notebook[:2])}.{i}" for i in range(1, len(numbers) + 1)]
    for task in lecture.TASKS:
        assert task.hints and all(task.hints) and task.title and task.because
        assert all(task.mistakes.values()), "each mistake comes with advice"


@pytest.mark.parametrize(("number", "mistake"), ZOO, ids=name_of)
def test_each_mistake_of_the_zoo_is_caught_and_named(number, mistake):
    task = TASKS[number]
    for pick in (min, max) if isinstance(task.answer, Move) else (None,):

        def answer(*case, pick=pick):
            found = mistake(*case)
            return pick(found) if pick and isinstance(found, set) else found

        feedback = task._replace(call=None).judge(answer)
        assert feedback.state == WRONG
        assert feedback.mistake == mistake.__name__.replace("_", " ")
        assert task.mistakes[mistake] in repr(feedback)


@pytest.mark.parametrize("number", TASKS)
def test_the_truth_itself_is_right(number):
    task = TASKS[number]

    def truth(*case):
        found = task.truth(*case)
        return min(found) if isinstance(task.answer, Move) else found

    assert task._replace(call=None).judge(truth).state == RIGHT


@pytest.mark.parametrize(("number", "agent"), PLAYERS, ids=name_of)
def test_each_player_of_the_zoo_is_caught_and_named(number, agent):
    for seed in SEEDS:
        feedback = CONTESTS[number]._replace(seed=seed).judge(agent)
        assert feedback.state == WRONG
        assert feedback.mistake == type(agent).__name__
        assert CONTESTS[number].mistakes[agent] in repr(feedback)


@pytest.mark.parametrize("number", CONTESTS)
def test_the_score_asked_for_is_between_the_zoo_and_the_solution_by_more_than_luck(number):
    """Whatever the seed, a right agent passes and a wrong one does not."""
    contest = CONTESTS[number]
    notebook = next(name for name, each in LECTURES.items() if contest in each.TASKS)
    stages = filled(notebook)
    names = run_cells(each for each in stages if not each.startswith("check("))
    for seed in SEEDS:
        assert contest._replace(seed=seed).judge(names[contest.name]).state == RIGHT
