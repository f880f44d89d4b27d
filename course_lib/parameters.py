"""Parameters that explain and check themselves.

A game or agent says next to each parameter which values it takes and what it means:

    @checked
    class TicTacToe(NamedTuple):
        size: Annotated[int, Range(2, 6, "squares a side, and in a row to win")] = 3

Building one with a wrong value raises a `ValueError` in words; a lab makes its sliders from the
same lines.
"""

import functools
import math
import numbers
from typing import NamedTuple, get_type_hints


class Range(NamedTuple):
    """The values that a parameter takes, and one line of help."""

    low: float
    high: float
    help: str


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


def _in_words(kind, allowed):
    if kind is bool:
        return "True or False"
    number = "a whole number" if kind is int else "a number"
    return f"{number} from {allowed.low:g} to {allowed.high:g}"
