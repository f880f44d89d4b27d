"""All tasks of the course: one module a lecture, `lecture_01.py`, with NOTEBOOK, TITLE, TASKS."""

import functools
import importlib
import pkgutil


@functools.cache
def lectures():
    """The modules with the tasks, in order."""
    package = importlib.import_module("course_lib.checks")
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__))
    return [
        importlib.import_module(f"course_lib.checks.{name}")
        for name in names
        if name.startswith("lecture_")
    ]


def tasks():
    """All tasks by number."""
    return {task.number: task for lecture in lectures() for task in lecture.TASKS}


def task(number):
    """The task with this number, "1.3"."""
    found = tasks().get(str(number))
    if found is None:
        raise ValueError(f"there is no task {number!r}; there are {', '.join(tasks())}")
    return found


def lecture_of(number):
    """The lecture to which a task belongs."""
    return next(each for each in lectures() if any(t.number == number for t in each.TASKS))
