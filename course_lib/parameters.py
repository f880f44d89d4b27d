"""Parameters that explain and check themselves.

A game or agent says next to each parameter which values it takes and what it means:

    @checked
    class TicTacToe(NamedTuple):
        size: Annotated[int, Range(2, 6, "squares a side, and in a row to win")] = 3

Building one with a wrong value raises a `ValueError` in words; a lab makes its sliders from the
same lines.
"""

import functools
import inspect
import math
import numbers
from typing import NamedTuple, get_type_hints


class Range(NamedTuple):
    """The values that a parameter takes, and one line of help."""

    low: float
    high: float
    help: str
    usual: tuple = ()  # what a slider offers, where that is less


class Choice(NamedTuple):
    """A parameter that is one of several parts, each with parameters of its own."""

    options: tuple
    help: str


class Parameter(NamedTuple):
    """A parameter as a lab sees it."""

    name: str
    kind: type
    note: Range | Choice
    default: object


def parameters(build):
    """The parameters of a class or of a function that builds one, as far as they have a note."""
    found = []
    hints = get_type_hints(build, include_extras=True)
    for name, given in inspect.signature(build).parameters.items():
        for note in getattr(hints.get(name), "__metadata__", ()):
            if isinstance(note, Range | Choice):
                found.append(Parameter(name, hints[name].__origin__, note, given.default))
    return found


def checked(cls):
    """Make a NamedTuple refuse wrong parameters, however it is built.

    A class may add a method `problem()` that returns a sentence where values do not go together.
    """
    build = cls.__new__

    def __new__(cls, *args, **kwargs):
        self = build(cls, *args, **kwargs)
        _check(self)
        return self

    cls.__new__ = __new__
    cls._make = classmethod(lambda cls, values: cls(*values))  # which _replace uses
    return cls


@functools.cache
def ranges(cls):
    """The parameters of a class that have a range: {name: (type, Range)}."""
    found = {}
    for name, hint in get_type_hints(cls, include_extras=True).items():
        for note in getattr(hint, "__metadata__", ()):
            if isinstance(note, Range):
                found[name] = (hint.__origin__, note)
    return found


def _check(self):
    name = type(self).__name__
    for field, (kind, allowed) in ranges(type(self)).items():
        value = getattr(self, field)
        if not _fits(value, kind, allowed):
            raise ValueError(
                f"{name}: {field}={value!r}: expected {_in_words(kind, allowed)} ({allowed.help})"
            )
    problem = self.problem() if hasattr(self, "problem") else ""
    if problem:
        raise ValueError(f"{name}: {problem}")


def _fits(value, kind, allowed):
    if kind is bool:
        return isinstance(value, bool)
    number = is_whole(value) if kind is int else isinstance(value, numbers.Real)
    if isinstance(value, bool) or not number:
        return False
    return allowed.low <= value <= allowed.high and not math.isnan(value)


def is_whole(value):
    """Whether this is a whole number (True and False are none)."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def as_float(value):
    """A number as a float, so that 1 and 1.0 are compiled alike; anything else as it is."""
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    return float(value) if number else value


def check_seed(seed):
    if not is_whole(seed) or seed < 0:
        raise ValueError(f"seed={seed!r}: expected a whole number, 0 or more")


def _in_words(kind, allowed):
    if kind is bool:
        return "True or False"
    number = "a whole number" if kind is int else "a number"
    return f"{number} from {allowed.low:g} to {allowed.high:g}"
