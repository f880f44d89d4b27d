"""Runs a learner's code so that nothing it does can hurt: errors, endless loops, floods of text."""

import contextlib
import copy
import io
import linecache
import sysconfig
from pathlib import Path
from typing import NamedTuple

from course_lib.timelimit import within

COURSE = str(Path(__file__).parents[1])
NOT_THEIRS = (COURSE, "<frozen", *map(sysconfig.get_path, ("stdlib", "purelib", "platlib")))
MOST_PRINTED = 600  # characters


class Trial(NamedTuple):
    """What came of calling a function with each of the cases, up to the first that failed."""

    answers: list
    printed: list  # what was printed in each case, the failed one included
    error: BaseException | None


class Printed(io.StringIO):
    """Keeps the beginning of what is printed and forgets the flood."""

    def write(self, text):
        room = MOST_PRINTED - self.tell()
        super().write(text if len(text) <= room else text[: max(room, 0)])
        return len(text)


def try_out(function, cases, seconds):
    """Call function(*arguments) for each case, all within a time limit."""
    answers, printed = [], []

    def run():
        for arguments in cases:
            printed.append(Printed())
            with contextlib.redirect_stdout(printed[-1]), contextlib.redirect_stderr(printed[-1]):
                answers.append(finished(function(*copy.deepcopy(arguments))))

    error = None
    try:
        with contextlib.redirect_stdout(Printed()):  # restores what a stopped thread left behind
            within(seconds, run)
    except KeyboardInterrupt:
        raise
    except BaseException as failure:
        error = failure
    return Trial(answers, [each.getvalue() for each in printed], error)


def finished(answer):
    """The answer as it is now: a generator is used up, a list is copied, before it can change."""
    if hasattr(answer, "__next__"):
        return list(answer)
    return copy.deepcopy(answer) if isinstance(answer, list | dict | set) else answer


def unwritten(error, thing):
    """The name of another function that a learner's code calls, and that is still a stub; or ""."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    stub = trace.tb_frame.f_code.co_qualname.split(".")[0]
    own = getattr(thing, "__name__", type(thing).__name__)
    return stub if stub.isidentifier() and stub != own else ""


def in_words(error, seconds):
    """One sentence on why a learner's code gave no answer."""
    if isinstance(error, TimeoutError) and error.__cause__ is None and not their_line(error):
        return (
            f"Your code was stopped after {seconds:g} seconds: it seems to run for ever. "
            "Look for a loop whose condition never becomes false."
        )
    where = their_line(error)
    if isinstance(error, RecursionError):
        return f"Your function calls itself without end{where}: when should it stop?"
    if isinstance(error, SystemExit):
        return f"Your code asks Python to exit{where}, so it gives no answer."
    message = " ".join(str(error).split())[:200]
    return f"Your code fails with {type(error).__name__}{': ' * bool(message)}{message}{where}."


def their_line(error):
    """The last line of the learner's own code that an error passed: ", in line 3: return 1 / 0"."""
    found = ""
    trace = error.__traceback__
    while trace is not None:
        file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        if not file.startswith(NOT_THEIRS):
            source = linecache.getline(file, line).strip()
            found = f", in line {line}" + (f": {source}" if source else "")
        trace = trace.tb_next
    return found
