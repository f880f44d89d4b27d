"""Runs a handed-in notebook and judges its tasks, in a process that has nothing else to do.

`course_lib.report` starts it, with limits from outside: what a learner's code does to this process
is its own affair. Tasks are judged by the names that they ask for; what the notebook prints, or its
own calls of `check`, count for nothing. If it changes the checks, that is said instead of a result.
"""

import json
import os
import re
import sys
from pathlib import Path

import nbformat
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from course_lib import timelimit
from course_lib.checks import answers, contest, feedback, task, trial
from course_lib.checks.lectures import lectures

CALLS = re.compile(r"\s*(?:check|hint|solution|progress)\([^\n]*\)\s*")  # needless here
MISSING = "nothing of this name is in the notebook"
TOO_LONG = "a cell was stopped after {:g} seconds"
CHANGED = "the notebook changes the checks themselves"


def judged(notebook, tasks, seconds):
    """What came of each task: its number, state, mistake, and a note where there is one."""
    before = code_of_the_checks()
    names, note = names_of(notebook, seconds)
    results = []
    for each in tasks:
        if each.name not in names:
            results.append((each.number, feedback.OPEN, "", note or MISSING))
            continue
        found = each.judge(names[each.name])
        results.append((each.number, found.state, found.mistake, note))
        if not same(code_of_the_checks(), before):
            return [(each.number, feedback.OPEN, "", CHANGED) for each in tasks]
    return results


def names_of(notebook, seconds):
    """Run all cells; what they have defined, and why the first that failed did."""
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    note = ""
    for cell in notebook.cells:
        if cell.cell_type != "code" or CALLS.fullmatch(cell.source):
            continue
        try:
            done = timelimit.within(seconds, shell.run_cell, cell.source)
        except TimeoutError:
            note = note or TOO_LONG.format(seconds)
            continue
        failed = done.error_before_exec or done.error_in_exec
        if failed is not None and not isinstance(failed, NotImplementedError):
            note = note or f"a cell fails with {type(failed).__name__}"
    return shell.user_ns, note


def code_of_the_checks():
    """What the functions of the checks consist of, to see whether they are still the same."""
    found = {}
    for module in (answers, contest, feedback, task, trial, timelimit, *lectures()):
        for name, thing in vars(module).items():
            parts = vars(thing) if isinstance(thing, type) else {"": thing}
            for part in parts.keys() - {"__slotnames__"}:  # which copying leaves behind
                each = parts[part]
                found[module.__name__, name, part] = getattr(each, "__code__", each)
    return found


def same(found, before):
    """Whether these are the very same things."""
    return found.keys() == before.keys() and all(found[key] is before[key] for key in before)


def main():
    """Read what to do from the standard input, write what came of it to a file."""
    order = json.load(sys.stdin)
    sys.stdin.close()
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silence, stream)
    notebook = nbformat.read(order["notebook"], as_version=4)
    chosen = [t for each in lectures() for t in each.TASKS if t.number in order["tasks"]]
    results = judged(notebook, chosen, order["seconds"])
    Path(order["result"]).write_text(json.dumps({"nonce": order["nonce"], "tasks": results}))
    os._exit(0)  # whatever threads are left


if __name__ == "__main__":
    main()
