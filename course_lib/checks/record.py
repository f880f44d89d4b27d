"""A learner's progress, kept next to the exercises in a file that is never left half written.

COURSE_PROGRESS in the environment names another file, or is "off": nothing is written then.
"""

import json
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from course_lib.checks.feedback import OPEN, RIGHT, STATES

FILE = Path(__file__).parents[2] / "exercises" / "progress.json"
FORMAT = "course progress 1"


class Entry(NamedTuple):
    """What is remembered of a task."""

    state: str = OPEN
    tries: int = 0  # checks of an attempt
    hints: int = 0
    mistake: str = ""  # the last one that had a name


class Damaged(ValueError):
    """A progress file that can't be read, and why."""


class Record:
    """The entries of all tasks; read anew before each change, as other notebooks write, too."""

    def __init__(self):
        self.memory = {}
        self.message = ""  # what went wrong with the file, for the learner

    def entries(self):
        path = place()
        if path is None:
            return self.memory
        try:
            return read(path)
        except FileNotFoundError:
            return {}
        except (OSError, Damaged) as error:
            self.put_aside(path, error)
            return self.memory

    def entry(self, number):
        return self.entries().get(number, Entry())

    def change(self, number, **changes):
        """Change what is remembered of a task, and save it."""
        self.memory = self.entries()
        entry = self.memory.get(number, Entry())._replace(**changes)
        self.memory = {**self.memory, number: entry}
        path = place()
        if path is not None:
            try:
                write(path, self.memory)
            except OSError as error:
                self.message = f"Your progress could not be saved: {error.strerror}."
        return entry

    def checked(self, feedback):
        """Remember the outcome of a check; what was right once stays right."""
        before = self.entry(feedback.number)
        if feedback.state == OPEN:
            return before
        return self.change(
            feedback.number,
            state=RIGHT if before.state == RIGHT else feedback.state,
            tries=before.tries + (before.state != RIGHT),
            mistake=feedback.mistake or before.mistake,
        )

    def put_aside(self, path, error):
        """Nothing is lost: a file that can't be read is kept under another name."""
        aside = unused(path.with_suffix(".unreadable.json"))
        try:
            path.rename(aside)
            self.message = f"{path.name} could not be read ({error}); it is kept as {aside.name}."
        except OSError:
            self.message = f"{path.name} could not be read: {error}."

    def take_message(self):
        """The message, once."""
        message, self.message = self.message, ""
        return message


def place():
    """The file in which progress is kept, or None."""
    wish = os.environ.get("COURSE_PROGRESS", "")
    if wish == "off":
        return None
    return Path(wish) if wish else FILE


def read(path):
    """The entries of a progress file; Damaged if it is none."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise Damaged("it has another format")
        return {str(number): entry(**fields) for number, fields in content["tasks"].items()}
    except Damaged:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Damaged("it is not a progress file") from error


def entry(state, tries, hints, mistake):
    """An entry whose fields are what they should be."""
    counts = all(type(count) is int and count >= 0 for count in (tries, hints))
    if state not in STATES or not counts or not isinstance(mistake, str):
        raise Damaged("an entry is not valid")
    return Entry(state, tries, hints, mistake)


def write(path, entries):
    """Write to a new file that then takes the place of the old one."""
    tasks = {number: entries[number]._asdict() for number in sorted(entries)}
    text = json.dumps({"format": FORMAT, "tasks": tasks}, indent=1) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".progress-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise


def unused(path):
    """This path, or one like it with a number, that no file has yet."""
    number, candidate = 2, path
    while candidate.exists():
        candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return candidate
