"""Stores the notebooks as a fresh kernel runs them: python3 course.py notebooks [FILE ...].

Without names: the lectures, the solutions, and the exercises that follow from them.
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

KEPT = ("nbgrader", "tags", "deletable", "editable")  # of a cell's metadata
LIVE = "application/vnd.jupyter.widget-view+json"  # of a kernel that is gone; numbered at random
ROOT = Path(__file__).parents[1]
LECTURES, SOLUTIONS, EXERCISES = (ROOT / name for name in ("notebooks", "solutions", "exercises"))


def store(path):
    """Run a notebook from top to bottom on a new kernel and write it back with its output."""
    notebook = nbformat.read(path, as_version=4)
    run(notebook, path.parent)
    nbformat.write(tidy(notebook), path)


def run(notebook, folder):
    """Run all cells on a new kernel that works in this folder."""
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
    )
    os.environ["COURSE_PROGRESS"] = "off"  # the kernel's: nobody's progress shows in the output
    client.execute()


def tidy(notebook):
    """Only what every run and every machine has in common."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {key: cell.metadata[key] for key in KEPT if key in cell.metadata}
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(LIVE, None)  # its text and its picture stay
    return notebook


def everything():
    """Lectures and solutions, in order."""
    return sorted(LECTURES.glob("*.ipynb")) + sorted(SOLUTIONS.glob("*/*.ipynb"))


def main(arguments):
    from course_lib import exercises  # which needs this module

    for path in [Path(each).absolute() for each in arguments] or everything():
        if path.is_relative_to(EXERCISES):
            raise SystemExit("Exercises follow from solutions: python3 course.py exercises")
        print(path.name, flush=True)
        store(path)
    return 0 if arguments else exercises.main([])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
