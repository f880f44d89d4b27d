"""The frame around the course: course.py, the pinned packages, and what the repository may hold."""

import ast
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
CAN_SIGNAL = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")


def pins(name):
    """The packages of a requirements file and their versions."""
    lines = (ROOT / name).read_text().splitlines()
    return dict(line.split("==") for line in lines if line and line[0] not in "#-")


def plain(package):
    return package.lower().replace("_", "-")


@pytest.fixture
def course(tmp_path):
    """course.py in a folder of its own, far from the environment that runs these tests."""
    for name in ["course.py", "requirements.txt", "constraints.txt"]:
        shutil.copy(ROOT / name, tmp_path)
    spec = importlib.util.spec_from_file_location("course_under_test", tmp_path / "course.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def ready_course(course):
    """A set-up that has run to its end: a Python that works, and the stamp."""
    if os.name == "nt":
        pytest.skip("needs a link to Python")
    course.SCRIPTS.mkdir(parents=True)
    course.PYTHON.symlink_to(sys.executable)
    course.STAMP.write_bytes(course.fingerprint())
    return course


@pytest.fixture
def commands(course, monkeypatch):
    """Nothing is installed: the commands of a set-up are only written down."""
    seen = []

    def pretend(command, show=None):
        seen.append(command)
        packages = sysconfig.get_path("purelib", "venv", vars={"base": str(course.VENV)})
        Path(packages).mkdir(parents=True, exist_ok=True)
        return 0, []

    monkeypatch.setattr(course, "watch", pretend)
    return seen


# ---- pins ------------------------------------------------------------------------------------


def test_every_package_has_one_exact_version_in_one_place():
    direct, brought_along = pins("requirements.txt"), pins("constraints.txt")
    for version in [*direct.values(), *brought_along.values()]:
        assert re.fullmatch(r"[\w.]+", version)
    assert not set(map(plain, direct)) & set(map(plain, brought_along))


def test_conda_and_binder_install_the_same_packages():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    *conda, through_pip = environment["dependencies"]
    first, *packages, last = through_pip["pip"]
    assert (first, last) == ("-c constraints.txt", "-e .")
    assert dict(package.split("==") for package in packages) == pins("requirements.txt")
    assert conda == ["python=3.11", "pip"], "packages come through pip, as in requirements.txt"


def test_what_course_lib_imports_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["dependencies"]) <= set(pins("requirements.txt"))


@pytest.mark.parametrize("first", ["agents", "exact", "experiments", "widgets"])
def test_each_part_may_be_the_first_that_is_imported(first):
    subprocess.run([sys.executable, "-c", f"import course_lib.{first}"], cwd=ROOT, check=True)


def test_the_oldest_python_is_the_same_everywhere(course):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == ">=" + course.dotted(course.OLDEST_PYTHON)


# ---- what the repository holds ---------------------------------------------------------------

FOREIGN = re.compile(
    r"pypi[.]org|pythonhosted[.]org|registry[.]npmjs[.]org|--(?:extra-)?index-ur[l]"  # where from
    r"|[/](?:home|Users|root)[/]\w|[A-Z]:\\+Users\\"  # whose computer
)


def test_no_file_names_a_package_index_or_somebodys_folder():
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git repository")
    found = []
    for name in filter(None, os.fsdecode(names).split("\0")):
        path = ROOT / name
        text = path.read_bytes().decode(errors="replace") if path.is_file() else ""
        found += [(name, match.group()) for match in FOREIGN.finditer(text)]
        if str(ROOT) + os.sep in text:
            found.append((name, str(ROOT)))
    assert not found


def test_stored_notebooks_hold_no_state_of_widgets():
    """It belongs to a kernel that is gone, and may be large."""
    stored = [path for path in ROOT.rglob("*.ipynb") if not set(path.parts) & {".venv", ".git"}]
    assert stored
    for path in stored:
        text = path.read_text(encoding="utf-8")
        assert "widget-state" not in text and "widget-view" not in text, path.name


# ---- course.py -------------------------------------------------------------------------------


def test_an_old_python_can_read_course_py():
    ast.parse((ROOT / "course.py").read_text(), feature_version=(3, 6))


def test_a_python_that_is_too_old_is_named_with_what_is_needed(course):
    with pytest.raises(course.Problem, match=r"Python 3\.10, .* needs 3\.11 or newer"):
        course.require_python((3, 10, 14, "final", 0))
    course.require_python((3, 11, 0, "final", 0))
    course.require_python((4, 0, 0, "final", 0))


def test_a_set_up_installs_the_pins_and_is_stamped(course, commands):
    course.make_environment()
    venv, pip = commands
    assert venv[1:4] == ["-m", "venv", "--clear"]
    assert pip[-1] == str(course.ROOT / "requirements.txt")
    assert course.STAMP.read_bytes() == course.fingerprint()
    (link,) = course.VENV.rglob("course.pth")
    assert (link.parent / link.read_text().strip()).resolve() == course.ROOT.resolve()
    (page,) = course.VENV.rglob("labconfig/page_config.json")
    assert json.loads(page.read_text())["disabledExtensions"]["@jupyter/nbgrader"] is True


def test_a_second_start_installs_nothing(ready_course, commands):
    ready_course.set_up()
    assert not commands


@pytest.mark.parametrize("change", ["pins", "place", "python", "python gone", "no stamp"])
def test_an_environment_that_no_longer_fits_is_made_anew(
    ready_course, commands, monkeypatch, change
):
    if change == "pins":
        ready_course.PINS[1].write_text("numpy==1.0\n")
    elif change == "place":
        monkeypatch.setattr(ready_course, "ROOT", ready_course.ROOT / "elsewhere")
    elif change == "python":
        monkeypatch.setattr(ready_course, "dotted", lambda version: "3.99")
    elif change == "python gone":
        ready_course.PYTHON.unlink()
        ready_course.PYTHON.symlink_to("no-such-python")
    else:
        ready_course.STAMP.unlink()
    ready_course.set_up()
    assert len(commands) == 2


def test_a_half_made_environment_and_no_index_end_in_advice(course):
    course.SCRIPTS.mkdir(parents=True)
    course.PYTHON.write_text("cut off in the middle")
    nowhere = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": "0",
    }
    done = subprocess.run(
        [sys.executable, course.__file__, "test"],
        env={**os.environ, **nowhere},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "package index can't be reached" in done.stderr
    assert "No matching distribution" in done.stderr, "pip's own last lines are shown"
    assert "Traceback" not in done.stdout + done.stderr
    assert course.PYTHON.exists() and not course.STAMP.exists()
    assert not course.is_ready()


def test_a_python_without_venv_ends_in_advice(course, monkeypatch, capsys):
    monkeypatch.setattr(course.importlib.util, "find_spec", lambda name: None)
    assert course.main(["lab"]) == 1
    assert "apt install python3-venv" in capsys.readouterr().err


@pytest.mark.parametrize("when", ["before", "during", "in course.py"])
def test_a_full_disk_ends_in_advice(course, commands, monkeypatch, capsys, when):
    def full(*_):
        raise OSError(28, "No space left on device")

    if when == "before":
        monkeypatch.setattr(course, "DISK_SPACE", 1e30)
    elif when == "during":
        monkeypatch.setattr(course, "watch", lambda *_: (1, ["OSError: No space left on device"]))
    else:
        monkeypatch.setattr(course, "link_course_lib", full)
    assert course.main(["lab"]) == 1
    assert "disk is too full" in capsys.readouterr().err
    assert not course.STAMP.exists()


def test_ctrl_c_during_a_set_up_is_quiet_and_leaves_no_stamp(course, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(course, "watch", interrupted)
    assert course.main(["lab"]) == 130
    assert "Stopped" in capsys.readouterr().err
    assert not course.STAMP.exists()


@CAN_SIGNAL
def test_the_lock_lasts_while_what_was_started_under_it_lives(course):
    """A killed set-up may leave pip running: the next one waits until that has ended, too."""
    code = (
        "import course, sys\n"
        "with course.one_at_a_time():\n"
        "    course.watch([sys.executable, '-c', 'import time; print(1, flush=True);"
        " time.sleep(1.5)'], lambda line: print('locked', flush=True))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=course.ROOT, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout.readline() == b"locked\n"
        began = time.monotonic()
        holder.send_signal(signal.SIGKILL)
    with course.one_at_a_time():
        assert time.monotonic() - began > 1


def test_what_follows_the_command_is_handed_on(course):
    assert course.parse(["lab", "--no-browser", "--help"]) == ("lab", ["--no-browser", "--help"])
    assert course.lab(["--no-browser"])[-1][-1] == "--no-browser"
    assert course.test(["tests/test_x.py", "-x"]) == [["-m", "pytest", "tests/test_x.py", "-x"]]
    assert course.module("course_lib.x")(["-h"]) == [["-m", "course_lib.x", "-h"]]


def test_the_first_failure_is_the_outcome_and_later_steps_still_run(ready_course, capfd):
    steps = [["-c", f"print({code}, flush=True); exit({code})"] for code in (0, 3, 4)]
    assert ready_course.run(steps) == 3
    assert capfd.readouterr().out.split() == ["0", "3", "4"]


@CAN_SIGNAL
def test_a_step_ended_from_outside_ends_the_run(ready_course):
    killed = ["-c", "import os, signal; os.kill(os.getpid(), signal.SIGINT)"]
    assert ready_course.run([killed, ["-c", "exit(9)"]]) == 130
