"""One table of what learners have handed in: python3 course.py report FOLDER.

The folder holds notebooks of exercises, progress files, or both, as files or in a folder for each
learner. Notebooks are run and judged anew, each in a process of its own with limits on time and
memory. A progress file is the learner's own account: a notebook counts more.
"""

import argparse
import contextlib
import csv
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import nbformat

from course_lib.checks import record
from course_lib.checks.feedback import OPEN, RIGHT, SIGNS, WRONG
from course_lib.checks.lectures import lectures, tasks

UNREADABLE = "unreadable"
STOPPED = "not judged"
RANK = (STOPPED, UNREADABLE, OPEN, WRONG, RIGHT)  # of two notebooks, the better result counts
PATIENCE = 300  # seconds for a notebook
CELL = 30  # seconds for a cell
MEMORY = 3.0  # GB
LARGEST = 20_000_000  # bytes of a file
FILE_SIZE = 50_000_000  # bytes that handed-in code may write into a file


class Row(NamedTuple):
    """What is known of a learner's task; `task` is empty for a file of which nothing is."""

    student: str
    task: str
    state: str
    tries: int = 0
    hints: int = 0
    mistake: str = ""
    source: str = ""  # the file that it was found in
    note: str = ""


class Limits(NamedTuple):
    """For each notebook."""

    seconds: float = PATIENCE
    cell: float = CELL
    memory: float = MEMORY


# ---- one file --------------------------------------------------------------------------------


def from_progress(student, path, name):
    """The rows of a progress file."""
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError(f"larger than {LARGEST:,} bytes")
        entries = record.read(path)
    except (OSError, ValueError) as error:
        return [Row(student, "", UNREADABLE, source=name, note=plain(error))]
    known = tasks()
    return [
        Row(student, number, *entry[:3], mistake=plain(entry.mistake), source=name)
        for number, entry in entries.items()
        if number in known
    ]


def from_notebook(student, path, name, limits):
    """The rows of a notebook: its tasks, judged in another process."""
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError(f"larger than {LARGEST:,} bytes")
        notebook = nbformat.read(path, as_version=4)
        lecture = lecture_of(notebook, path)
    except Exception as error:  # a file can be wrong in more ways than can be listed
        return [Row(student, "", UNREADABLE, source=name, note=f"no notebook: {plain(error)}")]
    if lecture is None:
        note = "no exercises of the course are in it"
        return [Row(student, "", UNREADABLE, source=name, note=note)]
    numbers = [task.number for task in lecture.TASKS]
    results, why = judge(path, numbers, limits)
    if results is None:
        return [Row(student, each, STOPPED, source=name, note=why) for each in numbers]
    return [
        Row(student, number, state, mistake=plain(mistake), source=name, note=plain(note))
        for number, state, mistake, note in results
    ]


def lecture_of(notebook, path):
    """The lecture that a notebook belongs to: it says so, or its name does."""
    text = "\n".join(str(cell.source) for cell in notebook.cells if cell.cell_type == "code")
    begun = re.search(r"""begin\(["'](\w+)["']\)""", text)
    checked = re.search(r"""check\(["'](\d+)\.\d+["']""", text)
    for lecture in lectures():
        if begun and begun[1] == lecture.NOTEBOOK:
            return lecture
    for lecture in lectures():
        if checked and int(checked[1]) == int(lecture.NOTEBOOK[:2]):
            return lecture
    return next((each for each in lectures() if each.NOTEBOOK in path.stem), None)


def judge(path, numbers, limits):
    """What came of the tasks, or None and why nothing did."""
    with tempfile.TemporaryDirectory(prefix="course-report-") as place:
        (Path(place) / "work").mkdir()
        order = {
            "notebook": str(path.absolute()),
            "tasks": numbers,
            "seconds": limits.cell,
            "nonce": secrets.token_hex(16),
            "result": str(Path(place) / f"{secrets.token_hex(16)}.json"),
        }
        ended = run_limited(json.dumps(order), Path(place) / "work", limits)
        if ended:
            return None, ended
        return read_results(Path(order["result"]), order["nonce"], numbers)


def run_limited(order, folder, limits):
    """Judge in a process of its own; why it had to be ended, or ""."""
    environment = {**os.environ, "COURSE_PROGRESS": "off", "IPYTHONDIR": str(folder)}
    environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # they take memory
    child = subprocess.Popen(
        [sys.executable, "-m", "course_lib.checks.handed_in"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=with_library(environment),
        start_new_session=True,
        preexec_fn=limiting(limits) if os.name == "posix" else None,
    )
    try:
        child.communicate(order.encode(), timeout=limits.seconds)
        return ""
    except subprocess.TimeoutExpired:
        return f"stopped after {limits.seconds:g} seconds"
    except OSError:  # it ended before it had heard what to do
        return ""
    finally:
        end_all(child)


def with_library(environment):
    """The child must find course_lib from any folder."""
    library = str(Path(__file__).parents[1])
    before = environment.get("PYTHONPATH")
    return {**environment, "PYTHONPATH": library + (os.pathsep + before if before else "")}


def limiting(limits):
    """What the new process does to itself before it starts."""

    def limit():
        import resource

        memory = int(limits.memory * 1e9)
        processor = int(limits.seconds) + 5
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return limit


def end_all(child):
    """The process and what it has started."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)  # it leads a group of its own
    child.kill()
    child.wait()


def read_results(path, nonce, numbers):
    """What the process has written, if it is what was asked for."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.loads(file.read(1_000_000))
        if content["nonce"] != nonce:
            raise ValueError("forged")
        results = [tuple(map(str, each)) for each in content["tasks"]]
        states = [state for _, state, _, _ in results]
        if [each[0] for each in results] != numbers or not set(states) <= {OPEN, WRONG, RIGHT}:
            raise ValueError("forged")
    except FileNotFoundError:
        return None, "the code ended the process, or took too much memory"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None, "what came of it can't be read"
    return results, ""


# ---- the folder ------------------------------------------------------------------------------


def collect(folder, limits, tell=lambda text: None):
    """The rows of all that is in a folder."""
    rows = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if any(part.startswith(".") for part in inside.parts) or not path.is_file():
            continue
        name, student = plain(inside), student_of(inside)
        if path.suffix == ".ipynb":
            tell(name)
            rows += from_notebook(student, path, name, limits)
        elif path.suffix == ".json":
            rows += from_progress(student, path, name)
    return merged(rows)


def student_of(inside):
    """Whose file: the first folder's name, else the file's without what all have in common."""
    if len(inside.parts) > 1:
        return plain(inside.parts[0])
    stem = inside.stem
    for common in ("progress", *(lecture.NOTEBOOK for lecture in lectures())):
        stem = stem.replace(common, "")
    return plain(stem).strip(" _-.") or plain(inside.stem)


def merged(rows):
    """One row for each learner and task; a notebook counts more than the learner's own account."""
    order = list(tasks())
    found, loose = {}, []
    for row in rows:
        if not row.task:
            loose.append(row)
            continue
        key = row.student, row.task
        found[key] = joined(found[key], row) if key in found else row
    known = sorted(found.values(), key=lambda row: (row.student, order.index(row.task)))
    return sorted([*known, *loose], key=lambda row: row.student)


def joined(one, other):
    """Two rows on the same task."""
    if is_account(one) and not is_account(other):
        one, other = other, one
    if is_account(one) != is_account(other):
        note = one.note
        if one.state in (OPEN, WRONG) and other.state == RIGHT:
            note = "; ".join(filter(None, (note, f"{other.source} says right")))
        mistake = one.mistake or other.mistake
        return one._replace(tries=other.tries, hints=other.hints, mistake=mistake, note=note)
    better = max(one, other, key=lambda row: RANK.index(row.state))
    return better._replace(tries=one.tries + other.tries, hints=max(one.hints, other.hints))


def is_account(row):
    return row.source.endswith(".json")


def plain(thing):
    """Text on one line, without what a terminal would obey, and not too long."""
    text = " ".join(str(thing).split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= 120 else text[:117] + "..."


# ---- the table -------------------------------------------------------------------------------


def table(rows):
    """The rows as text in columns."""
    lines = [[field if field != "source" else "file" for field in Row._fields]]
    for row in rows:
        shown = f"{SIGNS.get(row.state, '!')} {row.state}"
        lines.append([str(each) for each in row._replace(state=shown)])
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = ("  ".join(each.ljust(width) for each, width in zip(line, widths)) for line in lines)
    return "\n".join(line.rstrip() for line in text)


def summary(rows):
    """A line for each learner."""
    students = sorted({row.student for row in rows})
    lines = []
    for student in students:
        own = [row for row in rows if row.student == student and row.task]
        right = sum(row.state == RIGHT for row in own)
        told = f"{right} of {len(own)} right" if own else "nothing that can be read"
        lines.append(f"{student}: {told}")
    return "\n".join(lines)


def write_csv(rows, path):
    """For a spreadsheet, in which no text may become a formula."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(Row._fields)
        for row in rows:
            writer.writerow([harmless(each) for each in row])


def harmless(cell):
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")) else cell


def write_picture(rows, path):
    from course_lib import plots

    states = {(row.student, row.task): row.state for row in rows if row.task}
    students = sorted({row.student for row in rows})
    states |= {(row.student, "file"): row.state for row in rows if not row.task}
    columns = [number for number in tasks() if any(number == task for _, task in states)]
    columns += ["file"] if any(task == "file" for _, task in states) else []
    size = (2.5 + 0.45 * max(len(columns), 6), 1.6 + 0.32 * len(students))
    drawn = plots.picture(
        plots.state_table, students, columns, states, size=size, title="Exercises handed in\n"
    )
    path.write_bytes(drawn.png)


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="course.py report", description=__doc__.split("\n\n")[1].replace("\n", " ")
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--csv", type=Path, help="write the table to this file")
    parser.add_argument("--png", type=Path, help="write a picture of the table to this file")
    parser.add_argument(
        "--seconds", type=float, default=PATIENCE, help="time for a notebook (%(default)s)"
    )
    parser.add_argument(
        "--memory", type=float, default=MEMORY, help="memory for a notebook, in GB (%(default)s)"
    )
    chosen = parser.parse_args(arguments)
    if not chosen.folder.is_dir():
        print(f"There is no folder {chosen.folder}.", file=sys.stderr)
        return 1
    limits = Limits(chosen.seconds, min(CELL, chosen.seconds), chosen.memory)
    rows = collect(chosen.folder, limits, lambda text: print(f"running {text}", file=sys.stderr))
    if not rows:
        print(f"No notebooks and no progress files are in {chosen.folder}.", file=sys.stderr)
        return 1
    try:
        if chosen.csv:
            write_csv(rows, chosen.csv)
        if chosen.png:
            write_picture(rows, chosen.png)
    except OSError as error:
        print(f"{error.filename} can't be written: {error.strerror}.", file=sys.stderr)
        return 1
    finally:
        print(table(rows))
        print("\n" + summary(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
