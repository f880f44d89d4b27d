"""The naive learners fed with the very random numbers of a Training: then every game is the same.

Only the way in which a symmetry class is written down is shared with the library (which of eight
equal boards stands for the class is a matter of taste); rules, learning and choices are naive.
"""

import random
from contextlib import contextmanager
from functools import cache
from unittest import mock

import numpy as np

from course_lib.games import TicTacToe
from tests.naive import learners

GAME = TicTacToe()
DIGIT = {".": 0, "X": 1, "O": 2}


class Shared(random.Random):
    """Python's choices made from the numbers of a NumPy Generator."""

    def __new__(cls, generator):
        return super().__new__(cls)

    def __init__(self, generator):
        super().__init__()
        self.generator = generator

    def random(self):
        return self.generator.random()

    def choice(self, options):
        return options[int(self.random() * len(options))]


def of_session(seed, session=0):
    """The numbers that session number `session` of a Training draws."""
    return Shared(np.random.default_rng([seed, 2, session]))


class Menace(learners.Menace):
    """Draws a number for an empty box, too, as the library does."""

    def choose(self, pos, rng):
        move = super().choose(pos, rng)
        if move is None:
            rng.random()
        return move


class Menace002(Menace, learners.Menace002):
    pass


@cache
def canonical(pos):
    """Of eight turned boards the one that is the smallest number in base 3."""
    turns = [
        tuple(GAME.seen(n, symmetry) for n in range(9)) for symmetry in range(GAME.symmetries())
    ]
    boards = [tuple(pos[n] for n in turn) for turn in turns]
    values = [[DIGIT[mark] for mark in board] for board in boards]
    smallest = values.index(min(values))
    return boards[smallest], turns[smallest]


def as_it_is(pos):
    return pos, tuple(range(9))


@contextmanager
def classes(symmetry=True):
    """The naive learners write symmetry classes as the library does (or know of no symmetry)."""
    with mock.patch.object(learners, "canonical", canonical if symmetry else as_it_is):
        yield


def library_key(pos):
    """The library's number of a naive board."""
    return int("".join(str(DIGIT[mark]) for mark in pos), 3)
