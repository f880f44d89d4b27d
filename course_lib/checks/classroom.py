"""What learners call: begin, check, hint, solution, progress."""

import os
import re
from pathlib import Path

import nbformat

from course_lib.checks.feedback import RIGHT, Note
from course_lib.checks.lectures import lecture_of, lectures, task
from course_lib.checks.overview import Overview
from course_lib.checks.record import Record

SOLUTIONS = Path(__file__).parents[2] / "solutions"
MARKERS = re.compile(r"^[ \t]*### (?:BEGIN|END) SOLUTION[ \t]*\n?", re.MULTILINE)
record = Record()


def check(number, answer=...):
    """Feedback on an answer to a task: `check("1.3", my_function)`."""
    feedback = task(number).judge(answer)
    record.checked(feedback)
    message = record.take_message()
    if message:
        feedback = feedback._replace(sentence=f"{feedback.sentence} {message}")
    if "NBGRADER_EXECUTION" in os.environ and feedback.state != RIGHT:
        raise AssertionError(repr(feedback))
    return feedback


def hint(number):
    """The next hint on a task; after the last one, how to see the solution."""
    chosen = task(number)
    number, total = chosen.number, len(chosen.hints)
    given = min(record.entry(number).hints + 1, total)
    record.change(number, hints=given)
    ending = f'That was the last hint: solution("{number}") shows a solution.'
    return Note(
        f"Hint {given} of {total} on {number} {chosen.title}",
        chosen.hints[given - 1] + (f" {ending}" if given == total else ""),
    )


def solution(number):
    """A solution, once all hints were asked for or the task is right."""
    chosen = task(number)
    entry = record.entry(chosen.number)
    left = len(chosen.hints) - entry.hints
    if entry.state != RIGHT and left > 0:
        return Note(
            f"{left} hints on {chosen.number} are left" if left > 1 else "One hint is left",
            f'hint("{chosen.number}") shows the next one; after the last, the solution opens.',
        )
    headline = f"A solution of {chosen.number} {chosen.title}"
    code = written_solution(chosen)
    if code is None:
        return Note(headline, "The folder solutions is not here, so there is nothing to show.")
    return Note(headline, code=code)


def written_solution(chosen):
    """The cell of the solutions that defines what the task asks for; None if there is none."""
    name = lecture_of(chosen.number).NOTEBOOK
    path = SOLUTIONS / name / f"{name}.ipynb"
    if not path.exists():
        return None
    definition = re.compile(rf"^(?:def|class) {chosen.name}\b", re.MULTILINE)
    for cell in nbformat.read(path, as_version=4).cells:
        if "### BEGIN SOLUTION" in cell.source and definition.search(cell.source):
            return MARKERS.sub("", cell.source)
    return None


def begin(notebook):
    """How far you are and what is next: the first cell of a notebook, `begin("01_minimax")`."""
    chosen = [lecture for lecture in lectures() if lecture.NOTEBOOK == notebook]
    if not chosen:
        names = ", ".join(lecture.NOTEBOOK for lecture in lectures())
        raise ValueError(f"there are no exercises {notebook!r}; there are {names}")
    return overview(chosen)


def progress():
    """How far you are in the whole course."""
    return overview(lectures())


def overview(chosen):
    entries = record.entries()
    return Overview(chosen, entries, record.take_message())
