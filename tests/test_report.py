"""The report on a folder of what was handed in: whatever is in it, each file gets its rows."""

import csv
import json
import time

import nbformat
import pytest

from course_lib import exercises, report
from course_lib.checks import record
from course_lib.checks.feedback import OPEN, RIGHT, WRONG
from course_lib.checks.record import Entry

WELCOME = "00_welcome"
QUICK = report.Limits(seconds=60, cell=4, memory=3.0)
FREE = "def free_squares(state):\n    return {}"
GOOD = "[s for s in range(9) if not (state.crosses | state.noughts) >> s & 1]"
FORGETFUL = "[s for s in range(9) if not state.crosses >> s & 1]"


def notebook(*cells):
    begin = f'from course_lib.checks import begin, check\nbegin("{WELCOME}")'
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in (begin, *cells)])


def hand_in(folder, student, *cells):
    (folder / student).mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook(*cells), folder / student / f"{WELCOME}.ipynb")


def rows_of(folder, limits=QUICK):
    return {(row.student, row.task): row for row in report.collect(folder, limits)}


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory):
    """A class in which all went wrong that can, reported once."""
    folder = tmp_path_factory.mktemp("class")
    good = FREE.format(GOOD)
    hand_in(folder, "anna", good, "1 / 0", "%time 1", 'check("0.1", free_squares)')
    hand_in(folder, "ben", FREE.format(FORGETFUL))
    hand_in(folder, "cleo-leaves", good, "import os; os._exit(0)")
    hand_in(folder, "dan-hogs", good, "hog = bytearray(10**11)")
    hand_in(folder, "eve-loops", "while True:\n    pass", good)
    hand_in(
        folder,
        "fay-forges",
        "import course_lib.checks as checks\nfrom course_lib.checks.task import Task",
        "checks.check = check = lambda *_: '✓ right'",
        "Task.judge = lambda self, answer: self.feedback('right', '')",
        "def free_squares(state):\n    return []",
    )
    hand_in(folder, "gus-prints", "def check(*_):\n    return 'right'", FREE.format("[]"))
    hand_in(folder, "ida-syntax", "def free_squares(state:\n    return []")
    (folder / "kim.ipynb").write_text("{ broken")
    nbformat.write(nbformat.v4.new_notebook(), folder / "lea.ipynb")
    (folder / "max").mkdir()
    (folder / "max" / "progress.json").write_text("[]")
    record.write(folder / "nia_progress.json", {"0.1": Entry(WRONG, 3, 1, "rows only")})
    account = {"0.1": Entry(RIGHT, 2, 1, ""), "99.9": Entry(RIGHT, 1, 0, "")}
    record.write(folder / "ben" / "progress.json", account)
    return folder, report.collect(folder, QUICK)


@pytest.fixture
def rows(class_folder):
    return {(row.student, row.task): row for row in class_folder[1]}


def test_a_right_function_is_right_also_if_other_cells_fail(rows):
    row = rows["anna", "0.1"]
    assert (row.state, row.note) == (RIGHT, "a cell fails with ZeroDivisionError")
    assert rows["anna", "0.2"].state == OPEN


def test_a_mistake_is_named_and_the_notebook_counts_more_than_the_learners_own_account(rows):
    row = rows["ben", "0.1"]
    assert (row.state, row.mistake) == (WRONG, "the noughts forgotten")
    assert (row.tries, row.hints) == (2, 1), "which only the progress file knows"
    assert row.note == "ben/progress.json says right"
    assert ("ben", "99.9") not in rows


def test_code_that_ends_the_process_is_told(rows):
    row = rows["cleo-leaves", "0.1"]
    assert row.state == report.STOPPED and "ended the process" in row.note


def test_a_hog_of_memory_gets_none_and_the_rest_is_judged(rows):
    row = rows["dan-hogs", "0.1"]
    assert (row.state, row.note) == (RIGHT, "a cell fails with MemoryError")


def test_an_endless_loop_ends_and_the_rest_is_judged(rows):
    row = rows["eve-loops", "0.1"]
    assert (row.state, row.note) == (RIGHT, "a cell was stopped after 4 seconds")


def test_a_notebook_that_changes_the_checks_is_found_out(rows):
    for number in ("0.1", "0.2"):
        row = rows["fay-forges", number]
        assert (row.state, row.note) == (OPEN, "the notebook changes the checks themselves")


def test_a_check_of_ones_own_changes_nothing(rows):
    assert rows["gus-prints", "0.1"].state == WRONG


def test_what_is_not_python_is_told(rows):
    row = rows["ida-syntax", "0.1"]
    assert (row.state, row.note) == (OPEN, "a cell fails with SyntaxError")


@pytest.mark.parametrize("student", ["kim", "lea", "max"])
def test_a_file_that_is_nothing_gets_a_row_that_says_so(rows, student):
    row = rows[student, ""]
    assert row.state == report.UNREADABLE and row.note


def test_a_progress_file_alone_is_believed(rows):
    row = rows["nia", "0.1"]
    assert row[2:6] == (WRONG, 3, 1, "rows only")


def test_the_table_has_a_line_for_each_row(class_folder):
    lines = report.table(class_folder[1]).splitlines()
    assert lines[0].split() == [
        "student",
        "task",
        "state",
        "tries",
        "hints",
        "mistake",
        "file",
        "note",
    ]
    assert len(lines) == len(class_folder[1]) + 1
    assert any("✗ wrong" in line and "the noughts forgotten" in line for line in lines)


def test_each_learner_has_a_line_in_the_summary(class_folder):
    lines = report.summary(class_folder[1]).splitlines()
    assert "anna: 1 of 5 right" in lines and "kim: nothing that can be read" in lines


def test_csv_and_picture_are_written(class_folder, tmp_path):
    _, rows = class_folder
    report.write_csv(rows, tmp_path / "o.csv")
    with open(tmp_path / "o.csv", newline="", encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    assert [each["student"] for each in read] == [row.student for row in rows]
    report.write_picture(rows, tmp_path / "o.png")
    assert (tmp_path / "o.png").read_bytes().startswith(b"\x89PNG")


def test_code_that_cannot_be_stopped_is_killed_with_its_children(tmp_path):
    mark = tmp_path / "alive"
    beat = f"import time\nwhile True: open({str(mark)!r}, 'a').write('.'); time.sleep(0.1)"
    child = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {beat!r}])"
    stubborn = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    hand_in(tmp_path / "in", "zoe", child, stubborn)
    rows = rows_of(tmp_path / "in", report.Limits(seconds=8, cell=30, memory=3.0))
    row = rows["zoe", "0.1"]
    assert (row.state, row.note) == (report.STOPPED, "stopped after 8 seconds")
    length = mark.stat().st_size
    time.sleep(0.5)
    assert mark.stat().st_size == length > 0


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"nonce": "x", "tasks": [["0.1", "right", "", ""]]}', "[" * 100_000],
)
def test_a_result_that_was_not_asked_for_is_none(tmp_path, text):
    (tmp_path / "result").write_text(text)
    results, why = report.read_results(tmp_path / "result", "the nonce", ["0.1"])
    assert results is None and why


def test_a_state_that_does_not_exist_is_no_result(tmp_path):
    forged = {"nonce": "n", "tasks": [["0.1", "excellent", "", ""]]}
    (tmp_path / "result").write_text(json.dumps(forged))
    assert report.read_results(tmp_path / "result", "n", ["0.1"])[0] is None


def test_the_better_of_two_notebooks_counts():
    bad = report.Row("a", "0.1", WRONG, source="1.ipynb")
    good = bad._replace(state=RIGHT, source="2.ipynb")
    assert report.merged([good, bad]) == report.merged([bad, good]) == [good]


def test_untouched_exercises_were_not_attempted(tmp_path):
    path = exercises.target(WELCOME)
    found = report.from_notebook("a", path, "x.ipynb", QUICK)
    assert {row.state for row in found} == {OPEN} and not any(row.note for row in found)


def test_no_text_becomes_a_formula_or_a_command_to_the_terminal():
    assert report.harmless("=1+1") == "'=1+1"
    assert report.plain("a\x1b[31mb\nc") == "a?[31mb c"


def test_a_folder_that_is_not_there_and_an_empty_one_are_told(tmp_path, capsys):
    assert report.main([str(tmp_path / "no")]) == 1
    assert report.main([str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert "There is no folder" in error and "No notebooks" in error


def test_the_command_prints_the_table_and_writes_its_files(tmp_path, capsys):
    record.write(tmp_path / "in" / "amy.json", {"1.1": Entry(RIGHT, 1, 0, "")})
    arguments = [str(tmp_path / "in"), "--csv", str(tmp_path / "o.csv")]
    assert report.main([*arguments, "--png", str(tmp_path / "o.png")]) == 0
    out = capsys.readouterr().out
    assert "amy" in out and "amy: 1 of 1 right" in out
    assert (tmp_path / "o.csv").exists() and (tmp_path / "o.png").exists()
    assert report.main([str(tmp_path / "in"), "--csv", str(tmp_path / "no" / "o.csv")]) == 1
