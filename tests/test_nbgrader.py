"""An instructor may use solutions/ as the source folder of an nbgrader course, as it is."""

import os
import re
import sys

import nbformat
import pytest
from traitlets.config import Config

from course_lib import exercises

pytestmark = pytest.mark.filterwarnings("ignore:Object of type <Submitted")  # nbgrader's own
NAME = "00_welcome"
RIGHT = ("0.1", "0.3", "0.5")
WRONG = {"0.2": "def place(state, square):\n    return state"}  # 0.4 stays as it is


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """nbgrader with a course folder of its own; only the source is ours."""
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory

    root = tmp_path_factory.mktemp("course")
    config = Config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.source_directory = str(exercises.SOLUTIONS)
    config.CourseDirectory.db_url = f"sqlite:///{root / 'gradebook.db'}"
    return root, NbGraderAPI(coursedir=CourseDirectory(config=config), config=config)


def number_of(cell):
    found = re.fullmatch(r"(?:solution|check)-(\d+)-(\d+)", cell.metadata.nbgrader.grade_id)
    return f"{found[1]}.{found[2]}"


def write_answers(released, submitted):
    """A submission with some right answers, a wrong one, and one that is missing."""
    solved = nbformat.read(exercises.source(NAME), as_version=4)
    solutions = {number_of(c): c.source for c in solved.cells if is_solution(c)}
    notebook = nbformat.read(released, as_version=4)
    for cell in filter(is_solution, notebook.cells):
        number = number_of(cell)
        if number in RIGHT:
            cell.source = solutions[number]
        cell.source = WRONG.get(number, cell.source)
    submitted.parent.mkdir(parents=True)
    nbformat.write(notebook, submitted)


def is_solution(cell):
    return cell.metadata.get("nbgrader", {}).get("solution", False)


@pytest.fixture(scope="module")
def graded(course):
    """The points of each check, by number, after one submission went all the way."""
    root, api = course
    before = {path: path.read_bytes() for path in exercises.SOLUTIONS.rglob("*") if path.is_file()}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)  # nbgrader leaves a log where it runs
        scripts = os.path.dirname(sys.executable)  # it calls alembic by its name
        patch.setenv("PATH", scripts + os.pathsep + os.environ["PATH"])
        made = api.generate_assignment(NAME)
        assert made["success"], made
        released = root / "release" / NAME / f"{NAME}.ipynb"
        write_answers(released, root / "submitted" / "anna" / NAME / f"{NAME}.ipynb")
        done = api.autograde(NAME, "anna")
        assert done["success"], done
        with api.gradebook as book:
            grades = book.find_submission_notebook(NAME, NAME, "anna").grades
            points = {each.name: (each.auto_score, each.max_score) for each in grades}
    after = {path: path.read_bytes() for path in exercises.SOLUTIONS.rglob("*") if path.is_file()}
    assert before == after, "the source folder stays as it was"
    return released, points


def test_nbgrader_releases_what_our_own_command_makes(graded):
    released, _ = graded
    theirs = nbformat.read(released, as_version=4)
    ours = nbformat.read(exercises.target(NAME), as_version=4)
    stub = "# YOUR CODE HERE\n{0}raise NotImplementedError()"
    for one, other in zip(theirs.cells, ours.cells, strict=True):
        wanted = re.sub(
            rf"( *){re.escape(exercises.STUB)}",
            lambda found: found[1] + stub.format(found[1]),
            other.source,
        )
        assert one.source == wanted


def test_each_right_answer_gets_its_points_and_nothing_else_does(graded):
    _, points = graded
    wanted = {"check-0-1": 1, "check-0-2": 0, "check-0-3": 1, "check-0-4": 0, "check-0-5": 2}
    assert {name: score for name, (score, _) in points.items()} == wanted
    assert sum(most for _, most in points.values()) == 6


@pytest.mark.parametrize("name", exercises.names())
def test_every_check_is_worth_points_and_every_cell_is_known_by_its_number(name):
    cells = nbformat.read(exercises.source(name), as_version=4).cells
    checked = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]
    solved = [cell for cell in cells if is_solution(cell)]
    assert [number_of(cell) for cell in checked] == [number_of(cell) for cell in solved]
    for cell in checked:
        assert cell.source.startswith(f'check("{number_of(cell)}", ')
        assert cell.metadata.nbgrader.points >= 1 and cell.metadata.nbgrader.locked
