"""Everything about the course starts here; it needs nothing but Python.

python3 course.py lab     opens the course in JupyterLab
python3 course.py test    checks everything

The first start sets up a Python environment in the folder .venv; later starts find it ready.
This file uses old grammar throughout, so that an old Python can still read it and say so.
"""

import argparse
import collections
import contextlib
import errno
import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import textwrap
import time
from pathlib import Path

OLDEST_PYTHON = (3, 11)
DISK_SPACE = 1.5e9  # bytes; the environment takes 1 GB, and pip unpacks beside it
ROOT = Path(__file__).absolute().parent
PINS = [ROOT / "requirements.txt", ROOT / "constraints.txt"]
VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "course-stamp"
LOCK = ROOT / ".venv.lock"


class Problem(Exception):
    """What went wrong and what to do about it, in words for the person at the keyboard."""


# ---- what the commands run -------------------------------------------------------------------


def lab(arguments):
    """JupyterLab sees the whole course folder and starts on the first notebook."""
    start = ["--ServerApp.root_dir=" + str(ROOT)]
    if (ROOT / "notebooks" / "00_welcome.ipynb").exists():
        start.append("--LabApp.default_url=/lab/tree/notebooks/00_welcome.ipynb")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        start.append("--allow-root")  # a container; JupyterLab listens to this computer only
    warm_up = ["-m", "course_lib.warm_up", "--background"]
    return [warm_up, ["-m", "jupyterlab"] + start + arguments]


def test(arguments):
    """Everything, or just what the arguments for pytest name; pyproject.toml lists the folders."""
    if arguments:
        return [["-m", "pytest"] + arguments]
    return [
        ["-m", "ruff", "check"],
        ["-m", "ruff", "format", "--check"],
        ["-m", "course_lib.warm_up"],  # once, not in each of the processes
        ["-m", "pytest", "-n", "2", "--dist", "loadfile"],
    ]


def module(name):
    """A command that hands its arguments on to a module of the course."""
    return lambda arguments: [["-m", name] + arguments]


# name: (what it does, the arguments of each Python run it consists of)
COMMANDS = {
    "lab": ("open the course in JupyterLab (arguments go to jupyter lab)", lab),
    "test": ("check everything, or what the arguments for pytest name", test),
    "notebooks": ("run all notebooks and store their output", module("course_lib.notebooks")),
    "exercises": ("make the exercises from the solutions", module("course_lib.exercises")),
    "report": ("what learners have handed in, as one table", module("course_lib.report")),
    "reproduce": ("run an experiment of a paper again; lists them", module("course_lib.reproduce")),
}


def main(argv):
    try:
        require_python(sys.version_info)
        command, arguments = parse(argv)
        set_up()
        return run(COMMANDS[command][1](arguments))
    except Problem as problem:
        say("\n" + str(problem), sys.stderr)
        return 1
    except KeyboardInterrupt:
        say("\nStopped.", sys.stderr)
        return 130


def parse(argv):
    """Only the first argument is ours: what follows belongs to the program that is run."""
    table = [f"  {name:<10} {COMMANDS[name][0]}" for name in COMMANDS]
    parser = argparse.ArgumentParser(
        prog="course.py",
        usage="python3 course.py {" + ",".join(COMMANDS) + "} ...",
        description="commands:\n" + "\n".join(table),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=list(COMMANDS), help=argparse.SUPPRESS)
    return parser.parse_args(argv[:1] or ["--help"]).command, argv[1:]


def run(steps):
    """Run each step in the environment; the first exit code that isn't 0 is the outcome."""
    outcome = 0
    failed = []
    for step in steps:
        code = run_python(step)
        if code:
            outcome = outcome or code
            failed.append(" ".join(step[1:]))
        if code > 128:  # ended from outside, say by Ctrl-C: the steps to come are not wanted either
            break
    if len(steps) > 1 and failed:
        say("Failed: " + "; ".join(failed), sys.stderr)
    return outcome


def run_python(arguments):
    """Run the environment's Python as if it were activated; return its exit code."""
    environment = dict(
        os.environ,
        VIRTUAL_ENV=str(VENV),
        PATH=str(SCRIPTS) + os.pathsep + os.environ.get("PATH", ""),
        JUPYTER_PREFER_ENV_PATH="1",  # our kernel, not another "python3" of the same user
    )
    child = subprocess.Popen([str(PYTHON)] + arguments, cwd=str(ROOT), env=environment)
    # The child hears Ctrl-C as well and decides what it means (JupyterLab asks, pytest sums up).
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    code = child.wait()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    return code if code >= 0 else 128 - code  # a child ended by signal n: 128 + n, as in a shell


# ---- the environment -------------------------------------------------------------------------


def require_python(version):
    if tuple(version[:2]) < OLDEST_PYTHON:
        needed = dotted(OLDEST_PYTHON)
        raise paragraph(
            f"This is Python {dotted(version)}, and the course needs {needed} or newer.",
            "Install a newer Python from python.org or your system's packages, then start",
            f"course.py with it, for example: python{needed} course.py lab",
        )


def set_up():
    """Make the environment, unless it is ready.

    The stamp is written last: whatever interrupts a set-up, the next one starts afresh.
    """
    if is_ready():
        return
    try:
        with one_at_a_time():
            if not is_ready():
                make_environment()
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise no_space() from error
        raise paragraph(f"The course can't be set up in this folder: {error}.") from error


def is_ready():
    try:
        if STAMP.read_bytes() != fingerprint():
            return False
        return subprocess.call([str(PYTHON), "-S", "-c", ""]) == 0
    except OSError:
        return False


def fingerprint():
    """What the environment was made from and where; if any of it changes, it is made anew."""
    parts = [dotted(sys.version_info).encode(), os.fsencode(str(ROOT))]
    parts += [pins.read_bytes() for pins in PINS]
    return hashlib.sha256(b"\0".join(parts)).hexdigest().encode()


def make_environment():
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise paragraph(
            "This Python lacks the modules venv and ensurepip, which make environments.",
            "On Debian and Ubuntu: sudo apt install python3-venv. Elsewhere, install Python from",
            "python.org. Then run the same command again.",
        )
    say("Setting up the course in .venv. This happens once, and takes one to five minutes.")
    began = time.time()
    # The Python behind any environment that is active now: .venv itself may be about to go.
    base_python = getattr(sys, "_base_executable", None) or sys.executable
    code, output = watch([base_python, "-m", "venv", "--clear", str(VENV)])
    if code:
        raise failure(
            output,
            "Python could not make an environment in the folder .venv. Close the programs that",
            "use it, delete the folder, then run the same command again.",
        )
    if shutil.disk_usage(str(VENV)).free < DISK_SPACE:
        raise no_space()

    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    pip += ["--progress-bar", "off", "--requirement", str(PINS[0])]
    code, output = watch(pip, Progress().show)
    if code:
        raise failure(
            output,
            "pip could not install the packages that requirements.txt names, so the course is not",
            "set up. Most often the package index can't be reached: check the internet connection",
            "(and the proxy, if your network has one), then run the same command again. If the",
            "index was reached but has no such package for this Python",
            f"({dotted(sys.version_info)}), use an older one, from {dotted(OLDEST_PYTHON)} on.",
        )

    link_course_lib()
    hide_graders_panels()
    unfinished = STAMP.with_name(STAMP.name + ".unfinished")
    unfinished.write_bytes(fingerprint())
    os.replace(str(unfinished), str(STAMP))
    say(f"Ready after {time.time() - began:.0f} s.")


def link_course_lib():
    """Let the environment import course_lib from this folder, wherever a notebook lies."""
    base = {"base": str(VENV), "platbase": str(VENV)}
    packages = sysconfig.get_path("purelib", "venv", vars=base)
    Path(packages, "course.pth").write_text(os.path.relpath(str(ROOT), packages) + "\n")


def hide_graders_panels():
    """nbgrader is there for its commands: what it adds to JupyterLab would only confuse."""
    folder = VENV / "etc" / "jupyter" / "labconfig"
    folder.mkdir(parents=True, exist_ok=True)
    names = ("@jupyter/nbgrader", "@jupyter-notebook/lab-extension")
    disabled = {"disabledExtensions": dict.fromkeys(names, True)}
    (folder / "page_config.json").write_text(json.dumps(disabled))


def watch(command, show=lambda line: None):
    """Run a command; return its exit code and its last lines. `show` sees each line."""
    tail = collections.deque(maxlen=8)
    child = subprocess.Popen(
        command,
        cwd=str(ROOT),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        errors="replace",
        close_fds=False,  # it inherits the lock, and so holds it should we be killed
    )
    try:
        for line in child.stdout:
            tail.append(line.rstrip())
            show(line)
        return child.wait(), list(tail)
    except BaseException:
        child.kill()
        child.wait()
        raise


class Progress:
    """Tells how far pip is: one changing line on a terminal, only the stages in a log."""

    def __init__(self):
        self.total = sum("==" in line for pins in PINS for line in pins.read_text().splitlines())
        self.seen = 0

    def show(self, line):
        if line.startswith(("Collecting ", "Processing ")):
            self.seen += 1
            if sys.stdout.isatty():
                name = line.split()[1].replace("\\", "/").split("/")[-1]
                text = f"  fetching {self.seen} of about {self.total}: {name}"
                print("\r" + text[:70].ljust(70), end="", flush=True)
            elif self.seen == 1:
                say(f"  fetching about {self.total} packages")
        elif line.startswith("Installing collected packages"):
            text = f"  unpacking {line.count(',') + 1} packages; this takes a while"
            say("\r" + text.ljust(70) if sys.stdout.isatty() else text)


try:
    import fcntl

    def try_lock(file):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

except ImportError:  # Windows
    import msvcrt

    def try_lock(file):
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)


@contextlib.contextmanager
def one_at_a_time():
    """Wait for any other set-up of this folder. The system frees the lock of one that died."""
    with open(str(LOCK), "a") as lock:
        os.set_inheritable(lock.fileno(), True)
        waiting = False
        while True:
            try:
                try_lock(lock)
                break
            except (BlockingIOError, PermissionError):
                if not waiting:
                    say("Another set-up of this folder is running; waiting for it to end.")
                waiting = True
                time.sleep(0.5)
            except OSError:  # a file system without locks: go ahead without one
                break
        yield


# ---- messages --------------------------------------------------------------------------------


def failure(output, *sentences):
    if any("No space left" in line for line in output):
        return no_space()
    return paragraph(*sentences, output=output)


def no_space():
    return paragraph(
        f"The disk is too full: setting up the course needs about {DISK_SPACE / 1e9} GB",
        "in the folder of course.py (and in the folder for temporary files). Make room, then",
        "run the same command again.",
    )


def paragraph(*sentences, output=()):
    lines = textwrap.wrap(" ".join(sentences), 88)
    if output:
        lines += ["", "Its last lines:"] + ["  " + line[:150] for line in output]
    return Problem("\n".join(lines))


def dotted(version):
    return f"{version[0]}.{version[1]}"


def say(text, file=None):
    print(text, file=file, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
