"""Exercises follow from solutions: what is stored is what is generated, and nothing leaks."""

import nbformat
import pytest

from course_lib import exercises, notebooks

NAMES = exercises.names()
HEADERS = ("for ", "if ", "elif ", "else:", "def ", "class ", "while ", "with ", "try:", '"""')


def read(path):
    return nbformat.read(path, as_version=4)


def solution_lines(cell):
    """The lines of a cell between the markers."""
    return [line for line, inside in lines_of(cell) if inside]


def given_lines(cell):
    """All others."""
    return [line for line, inside in lines_of(cell) if not inside]


def lines_of(cell):
    inside = False
    for line in cell.source.splitlines():
        if "### END SOLUTION" in line:
            inside = False
        yield line.strip(), inside
        if "### BEGIN SOLUTION" in line:
            inside = True


def test_each_solution_has_its_exercise_and_nothing_else_is_there():
    stored = sorted(path.stem for path in notebooks.EXERCISES.glob("*/*.ipynb"))
    assert stored == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stored_is_what_is_generated(name):
    """The outputs are compared when the stored notebook is run as a test itself."""
    made = exercises.stubs(read(exercises.source(name)))
    stored = read(exercises.target(name))
    assert stored.metadata == made.metadata
    for old, new in zip(stored.cells, made.cells, strict=True):
        assert (old.id, old.cell_type, old.source) == (new.id, new.cell_type, new.source)
        assert old.metadata == new.metadata
    assert not exercises.is_changed(exercises.target(name))


def test_it_comes_out_the_same_to_the_last_byte(tmp_path):
    name = NAMES[0]
    exercises.make(name, tmp_path / "again" / "made.ipynb")
    made = (tmp_path / "again" / "made.ipynb").read_bytes()
    assert made == exercises.target(name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_a_solution_stands_in_the_exercises(name):
    solved, stored = read(exercises.source(name)), read(exercises.target(name))
    given = {line.strip() for cell in stored.cells for line in cell.source.splitlines()}
    shown = {line for cell in solved.cells for line in given_lines(cell)}  # on purpose
    text = exercises.target(name).read_text()
    found = 0
    for old, new in zip(solved.cells, stored.cells, strict=True):
        own = {line.strip() for line in new.source.splitlines()}
        for line in filter(None, solution_lines(old)):
            found += 1
            assert line not in own
            if line.startswith("return ") or line not in shown:
                if len(line) >= 12 and not line.startswith(HEADERS):  # more than any code may have
                    assert line not in given
                    assert line.replace('"', '\\"') not in text
    assert found >= 5 and "SOLUTION" not in text


@pytest.mark.parametrize("name", NAMES)
def test_every_task_says_that_it_was_not_attempted(name):
    checked = [c for c in read(exercises.target(name)).cells if c.source.startswith("check(")]
    assert checked
    for cell in checked:
        (output,) = cell.outputs
        assert "not attempted" in output.data["text/plain"]
        assert cell.metadata["editable"] is False and cell.metadata["deletable"] is False


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """One solution in folders of its own, and no kernel: running is slow and tested above."""
    monkeypatch.setattr(exercises, "SOLUTIONS", tmp_path / "solutions")
    monkeypatch.setattr(exercises, "EXERCISES", tmp_path / "exercises")
    monkeypatch.setattr(exercises, "run", lambda notebook, folder: None)
    original = notebooks.SOLUTIONS / NAMES[0] / f"{NAMES[0]}.ipynb"
    exercises.source(NAMES[0]).parent.mkdir(parents=True)
    exercises.source(NAMES[0]).write_bytes(original.read_bytes())


def test_answers_that_somebody_wrote_are_never_overwritten(folders, capsys):
    path = exercises.target(NAMES[0])
    assert exercises.main([]) == 0
    assert exercises.main([]) == 0, "made anew as long as nobody has changed it"
    notebook = read(path)
    notebook.cells[-1].source += "\nmy notes"
    nbformat.write(notebook, path)
    before = path.read_bytes()
    assert exercises.main([]) == 1
    assert path.read_bytes() == before
    assert "kept" in capsys.readouterr().out


def test_a_notebook_that_was_only_run_is_made_anew(folders):
    path = exercises.target(NAMES[0])
    exercises.main([])
    notebook = read(path)
    code = next(cell for cell in notebook.cells if cell.cell_type == "code")
    code.outputs = [nbformat.v4.new_output("stream", text="ran")]
    nbformat.write(notebook, path)
    assert '"ran"' in path.read_text()
    assert exercises.main([]) == 0
    assert "ran" not in [
        output.get("text") for c in read(path).cells for output in c.get("outputs", [])
    ]


def test_a_file_that_is_no_notebook_is_kept(folders):
    path = exercises.target(NAMES[0])
    path.parent.mkdir(parents=True)
    path.write_text("my notes")
    assert exercises.main([]) == 1
    assert path.read_text() == "my notes"


def test_a_name_that_is_not_there_is_told(capsys):
    assert exercises.main(["99_nothing"]) == 1
    assert "99_nothing" in capsys.readouterr().out


def test_a_solution_outside_of_a_solution_cell_is_refused():
    solved = read(exercises.source(NAMES[0]))
    plain = nbformat.v4.new_code_cell("### BEGIN SOLUTION\nsecret = 1\n### END SOLUTION")
    solved.cells.append(plain)
    with pytest.raises(RuntimeError):
        exercises.stubs(solved)


def test_the_notebooks_command_stores_lectures_and_solutions_then_makes_exercises(monkeypatch):
    done = []
    monkeypatch.setattr(notebooks, "store", lambda path: done.append(path.parent.parent.name))
    monkeypatch.setattr(exercises, "main", lambda names: done.append("exercises") or 0)
    assert notebooks.main([]) == 0
    assert done[-2:] == ["solutions", "exercises"] and done[0] != "solutions"
    with pytest.raises(SystemExit, match=r"python3 course\.py exercises"):
        notebooks.main([str(exercises.target(NAMES[0]))])
