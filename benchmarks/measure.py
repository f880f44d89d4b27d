"""What the measurements share: how engines are compared, and how it is told."""

import argparse
import importlib
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple

from course_lib.twospeed import default_speed, describe_speed

COMPILED, PYTHON = "compiled", "plain Python"
SPEEDS = {COMPILED: "compiled", PYTHON: "python"}  # engine: speed


class Goal(NamedTuple):
    text: str
    met: bool | None  # None: nothing to compare with
    measured: str


def at_least(text, goal, ratio):
    """The goal to be so many times as fast; `ratio` is None where it was not measured."""
    text = f"{text}: ≥ {goal}×"
    if ratio is None:
        return Goal(text, None, "not measured")
    return Goal(text, ratio >= goal, f"{ratio:.1f}×")


def optional(module, package):
    """A peer's module, or None with a message."""
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"{package} is missing and left out; to have it: pip install {package}")
        return None


# How it is measured


def seconds_of(call, *args):
    began = time.perf_counter()
    call(*args)
    return time.perf_counter() - began


def compare(engines, rounds, seconds):
    """{engine: {"per_second", "ratio"}} for engines {name: function that does it n times}.

    ratio: how many times as fast as this engine the first one is. The engines take turns of about
    `seconds`; each ratio is taken within one round, and the median of all rounds counts.
    """
    counts = dict.fromkeys(engines, 1)
    for name, repeat in engines.items():
        repeat(1)  # so that nothing is compiled or loaded below
        while seconds_of(repeat, counts[name]) < seconds / 2:
            counts[name] *= 2
    rates = {name: [] for name in engines}
    for _ in range(rounds):
        for name, repeat in engines.items():
            rates[name].append(counts[name] / seconds_of(repeat, counts[name]))
    first, *_ = rates.values()
    median = statistics.median
    return {
        name: {"per_second": median(own), "ratio": median(a / b for a, b in zip(first, own))}
        for name, own in rates.items()
    }


def times(once):
    """A function that calls `once` n times."""

    def repeat(n):
        for _ in range(n):
            once()

    return repeat


# How it is told


def heading(text, columns):
    print(f"\n{text}")
    line("", columns)


def line(name, cells):
    print(f"{name:27}" + "".join(f"{cell:>21}" for cell in cells), flush=True)


def line_of(name, compared, columns, number):
    """A line of `compare`d engines; number: the text for how often a second it goes."""
    cells = {
        engine: f"{number(each['per_second'])} ({each['ratio']:.1f}×)"
        for engine, each in compared.items()
    }
    line(name, [cells.get(column, "–") for column in columns])


def main(what, measure):
    """The command line: `measure(quick)` prints what it finds and returns it, with the Goals."""
    parser = argparse.ArgumentParser(description=what.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="less exact")
    parser.add_argument("--json", metavar="FILE", type=Path, help="save what was measured")
    options = parser.parse_args()
    if options.json and not options.json.parent.is_dir():
        parser.error(f"--json: there is no folder {options.json.parent}")
    if default_speed() != "compiled":
        sys.exit(f"Nothing to compare: {describe_speed()}")
    computer = f"{describe_speed()}, {platform.platform()}, {os.cpu_count()} cores"
    print(computer)
    found, goals = measure(options.quick)
    goals = list(goals)
    print("\nGoals, in this run")
    for goal in goals:
        word = {True: "met", False: "MISSED", None: "open"}[goal.met]
        print(f"{word:8}{goal.text}: {goal.measured}")
    if options.json:
        saved = {"computer": computer, **found, "goals": [goal._asdict() for goal in goals]}
        options.json.write_text(json.dumps(saved, indent=1, ensure_ascii=False), encoding="utf-8")
