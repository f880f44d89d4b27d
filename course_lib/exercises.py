"""Makes the exercises from the solutions: python3 course.py exercises [01_minimax ...].

An exercise notebook is its solution without what stands between ### BEGIN SOLUTION and
### END SOLUTION, run once, so that every task says that it was not attempted. A notebook in which
somebody has written answers is never overwritten.
"""

import hashlib
import sys

import nbformat
from nbgrader.preprocessors import CheckCellMetadata, ClearOutput, ClearSolutions, LockCells
from traitlets.config import Config

from course_lib.notebooks import EXERCISES, SOLUTIONS, run, tidy

STUB = "raise NotImplementedError  # replace this line by your code"
STEPS = (CheckCellMetadata, ClearSolutions, LockCells, ClearOutput)  # nbgrader's own
SETTINGS = Config(ClearSolutions={"code_stub": {"python": STUB}})


def names():
    """All exercises, in order: 00_welcome, 01_minimax, ..."""
    return sorted(path.stem for path in SOLUTIONS.glob("*/*.ipynb"))


def source(name):
    return SOLUTIONS / name / f"{name}.ipynb"


def target(name):
    return EXERCISES / name / f"{name}.ipynb"


def stubs(solved):
    """A solutions notebook without its solutions, not run yet."""
    notebook, resources = nbformat.from_dict(solved), {}
    for step in STEPS:
        notebook, resources = step(config=SETTINGS).preprocess(notebook, resources)
    notebook = tidy(notebook)
    notebook.metadata["course"] = {"made": fingerprint(notebook)}
    return notebook


def fingerprint(notebook):
    """Of all that a learner may write into a notebook; running it changes nothing here."""
    text = "\0".join(f"{cell.cell_type}\0{cell.source}" for cell in notebook.cells)
    return hashlib.sha256(text.encode()).hexdigest()


def make(name, path):
    """Generate an exercise notebook, run it, and write it to a file."""
    notebook = stubs(nbformat.read(source(name), as_version=4))
    made = notebook.metadata["course"]
    path.parent.mkdir(parents=True, exist_ok=True)
    run(notebook, path.parent)
    notebook = tidy(notebook)
    notebook.metadata["course"] = made
    nbformat.write(notebook, path)


def is_changed(path):
    """Whether somebody has worked in an exercise notebook since it was made."""
    if not path.exists():
        return False
    try:
        notebook = nbformat.read(path, as_version=4)
        return notebook.metadata["course"]["made"] != fingerprint(notebook)
    except Exception:  # not what we have made, whatever it is
        return True


def main(arguments):
    unknown = set(arguments) - set(names())
    if unknown:
        print(f"There is no {', '.join(sorted(unknown))} in solutions: {', '.join(names())}")
        return 1
    kept = 0
    for name in arguments or names():
        path = target(name)
        if is_changed(path):
            kept += 1
            print(f"{name}: kept, as somebody has worked in it (move it away to make it anew)")
        else:
            print(f"{name}: exercises", flush=True)
            make(name, path)
    return 1 if kept else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
