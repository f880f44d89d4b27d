"""Stores the notebooks as a fresh kernel runs them: python3 course.py notebooks [FILE ...]."""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

KEPT = ("nbgrader", "tags")  # of a cell's metadata
LIVE = "application/vnd.jupyter.widget-view+json"  # of a kernel that is gone; numbered at random
FOLDER = Path(__file__).parents[1] / "notebooks"


def store(path):
    """Run a notebook from top to bottom on a new kernel and write it back with its output."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
    )
    os.environ["COURSE_PROGRESS"] = "off"  # the kernel's: nobody's progress shows in the output
    client.execute()
    nbformat.write(tidy(notebook), path)


def tidy(notebook):
    """Only what every run and every machine has in common."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {key: cell.metadata[key] for key in KEPT if cell.metadata.get(key)}
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(LIVE, None)  # its text and its picture stay
    return notebook


def main(arguments):
    for path in [Path(each) for each in arguments] or sorted(FOLDER.glob("*.ipynb")):
        print(path.name, flush=True)
        store(path)


if __name__ == "__main__":
    main(sys.argv[1:])
