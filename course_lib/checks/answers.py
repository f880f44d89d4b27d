"""The kinds of answers that tasks ask for: what is nonsense, what is right, how to put it.

A kind has four methods. `nonsense(answer, position)` is a sentence if the answer is none of its
kind. `agrees(answer, truth)` compares, with the right answer or with that of a typical mistake.
`words(answer, position)` is for people; `squares(answer)` are the actions to mark on the board.
"""

import math
import numbers

import numpy as np

from course_lib.arena import is_legal
from course_lib.position import describe


def short(thing, most=120):
    """A thing as people see it in code, cut where it gets long."""
    try:
        text = " ".join(repr(thing).split())
    except Exception:  # a class that can't show itself
        text = f"a {type(thing).__name__}"
    return text if len(text) <= most else text[: most - 3] + "..."


def is_whole(thing):
    return isinstance(thing, numbers.Integral) and not isinstance(thing, bool)


class Number:
    """A value, a count, a chance."""

    def nonsense(self, answer, position):
        if isinstance(answer, bool | np.bool_) or not isinstance(answer, numbers.Real):
            return f"Your answer is {short(answer)}; a number was asked for."
        try:
            answer = float(answer)
        except OverflowError:
            return "Your answer is a number of more than 300 digits, which can't be right."
        if math.isnan(answer):
            return "Your answer is NaN, which is no number: was something left empty?"
        return ""

    def agrees(self, answer, truth):
        return math.isclose(answer, truth, rel_tol=1e-9, abs_tol=1e-9)

    def words(self, answer, position):
        return f"{float(answer) + 0:g}" if abs(answer) < 1e6 else f"{answer:,}"

    def squares(self, answer):
        return set()


class YesNo(Number):
    """True or False."""

    def nonsense(self, answer, position):
        if isinstance(answer, bool | np.bool_):
            return ""
        return f"Your answer is {short(answer)}; True or False was asked for."

    def agrees(self, answer, truth):
        return bool(answer) == bool(truth)

    def words(self, answer, position):
        return str(bool(answer))


class Thing(Number):
    """Anything that can be compared with ==, such as a position or a tuple; `like` is one."""

    def __init__(self, like):
        self.like = like

    def nonsense(self, answer, position):
        if type(answer) is type(self.like):
            return ""
        return f"Your answer is {short(answer)}; something like {short(self.like)} was asked for."

    def agrees(self, answer, truth):
        return bool(answer == truth)

    def words(self, answer, position):
        return short(answer)


class Numbers(Number):
    """A list or an array of numbers."""

    def nonsense(self, answer, position):
        try:
            array = np.asarray(answer, float)
        except (TypeError, ValueError):
            return f"Your answer is {short(answer)}; numbers were asked for."
        if array.ndim == 0:
            return f"Your answer is {short(answer)}; a list or an array was asked for."
        return ""

    def agrees(self, answer, truth):
        answer, truth = np.asarray(answer, float), np.asarray(truth, float)
        return answer.shape == truth.shape and np.allclose(answer, truth, equal_nan=True)

    def words(self, answer, position):
        array = np.asarray(answer, float).round(4)
        whole = np.isfinite(array).all() and (array == array.round()).all()
        return short((array.astype(int) if whole else array).tolist(), 300)


class Move(Number):
    """One action; the truth is the set of all that are right."""

    def nonsense(self, answer, position):
        if not is_whole(answer):
            return f"Your answer is {short(answer)}; the number of a move was asked for."
        return illegal([answer], position)

    def agrees(self, answer, truth):
        return answer in truth

    def words(self, answer, position):
        moves = sorted(answer) if isinstance(answer, set) else [answer]
        return " or ".join(move_in_words(move, position) for move in moves) or "none"

    def squares(self, answer):
        return set(answer) if isinstance(answer, set) else {answer}


class Moves(Number):
    """Several actions, in any order; the truth is a set."""

    def nonsense(self, answer, position):
        if not isinstance(answer, list | tuple | set | frozenset | np.ndarray | range):
            return f"Your answer is {short(answer)}; a list of moves was asked for."
        if not all(is_whole(move) for move in answer):
            return f"Your answer is {short(answer)}; a list of whole numbers was asked for."
        if len(set(answer)) < len(answer):
            return f"Your answer is {short(answer)}: a move is in it twice."
        return illegal(answer, position)

    def agrees(self, answer, truth):
        return set(answer) == set(truth)

    def words(self, answer, position):
        return ", ".join(move_in_words(move, position) for move in sorted(answer)) or "none"

    def squares(self, answer):
        return set(answer)


def illegal(moves, position):
    """A sentence on the first move that can't be played, if there is one."""
    for move in moves:
        if position is not None and not is_legal(position.game, position.state, move):
            legal = ", ".join(str(each) for each in position.game.actions(position.state))
            return f"Your answer has the move {move}, which is not legal here; legal are {legal}."
    return ""


def move_in_words(move, position):
    return str(move) if position is None else f"{move} ({describe(position.game, move)})"
