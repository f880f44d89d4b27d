"""Wrong parameters are refused in words: the value, and what was expected."""

import numpy as np
import pytest

from course_lib.agents import Minimax, Negamax, NegamaxWithMemory, with_memory
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.parameters import ranges

REFUSED = [
    (TicTacToe, {"size": 1}, ["size=1", "a whole number from 2 to 6"]),
    (TicTacToe, {"size": 7}, ["size=7", "a whole number from 2 to 6"]),
    (TicTacToe, {"size": 3.0}, ["size=3.0", "a whole number"]),
    (TicTacToe, {"size": "3"}, ["size='3'", "a whole number"]),
    (TicTacToe, {"size": True}, ["size=True", "a whole number"]),
    (TicTacToe, {"size": None}, ["size=None", "a whole number"]),
    (TicTacToe, {"size": float("nan")}, ["size=nan", "a whole number"]),
    (Connect4, {"rows": 0}, ["rows=0", "a whole number from 1 to 20"]),
    (Connect4, {"cols": -1}, ["cols=-1", "a whole number from 1 to 20"]),
    (Connect4, {"cols": 21}, ["cols=21", "a whole number from 1 to 20"]),
    (Connect4, {"k": 1}, ["k=1", "a whole number from 2 to 20"]),
    (Connect4, {"k": 8}, ["k=8", "6 × 7", "smaller k"]),
    (Connect4, {"rows": 1, "cols": 1, "k": 2}, ["k=2", "1 × 1", "smaller k"]),
    (Connect4, {"rows": 8, "cols": 7}, ["rows=8", "cols=7", "62"]),
    (DotsAndBoxes, {"rows": 0}, ["rows=0", "a whole number from 1 to 10"]),
    (DotsAndBoxes, {"cols": 11}, ["cols=11", "a whole number from 1 to 10"]),
    (DotsAndBoxes, {"rows": 5, "cols": 5}, ["rows=5", "cols=5", "60 lines", "50"]),
    (DotsAndBoxes, {"tie_loses": 1}, ["tie_loses=1", "True or False"]),
    (DotsAndBoxes, {"tie_loses": "no"}, ["tie_loses='no'", "True or False"]),
    (Minimax, {"depth": 0}, ["depth=0", "a whole number from 1 to 1000"]),
    (Minimax, {"depth": -3}, ["depth=-3", "a whole number from 1 to 1000"]),
    (Minimax, {"depth": 2.5}, ["depth=2.5", "a whole number"]),
    (Minimax, {"pruning": "yes"}, ["pruning='yes'", "True or False"]),
    (Negamax, {"depth": -1}, ["depth=-1", "a whole number from 1 to 1000"]),
    (Negamax, {"pruning": 0}, ["pruning=0", "True or False"]),
]


@pytest.mark.parametrize(("cls", "wrong", "words"), REFUSED, ids=lambda value: str(value))
def test_a_wrong_parameter_is_named_with_what_was_expected(cls, wrong, words):
    with pytest.raises(ValueError) as refusal:
        cls(**wrong)
    assert str(refusal.value).startswith(cls.__name__ + ": ")
    for word in words:
        assert word in str(refusal.value)


@pytest.mark.parametrize(("cls", "wrong", "words"), REFUSED, ids=lambda value: str(value))
def test_a_right_one_cannot_be_made_wrong_by_replacing_a_field(cls, wrong, words):
    right = cls()
    with pytest.raises(ValueError) as refusal:
        right._replace(**wrong)
    for word in words:
        assert word in str(refusal.value)


def test_fields_in_order_are_checked_as_well_as_named_ones():
    with pytest.raises(ValueError, match="rows=0"):
        Connect4(0, 7, 4)
    with pytest.raises(ValueError, match="size=9"):
        TicTacToe._make([9])


def test_a_refusal_tells_what_the_parameter_means():
    with pytest.raises(ValueError, match="squares a side, and in a row to win"):
        TicTacToe(0)


@pytest.mark.parametrize("bits", [3, 27, -1])
def test_a_memory_of_an_unreasonable_size_is_refused(bits):
    with pytest.raises(ValueError, match=f"bits={bits}.*4 to 26"):
        with_memory(TicTacToe(), bits=bits)


def test_a_memory_without_depth_is_refused():
    with pytest.raises(ValueError, match="NegamaxWithMemory: depth=0"):
        with_memory(TicTacToe(), depth=0)
    with pytest.raises(ValueError, match="depth=-1"):
        with_memory(TicTacToe())._replace(depth=-1)


@pytest.mark.parametrize(
    "build",
    [
        lambda: TicTacToe(2),
        lambda: TicTacToe(6),
        lambda: TicTacToe(np.int64(4)),
        lambda: Connect4(1, 2, 2),
        lambda: Connect4(20, 2, 20),
        lambda: Connect4(1, 20, 20),
        lambda: DotsAndBoxes(10, 1),
        lambda: DotsAndBoxes(4, 5, True),
        lambda: Minimax(True, 1),
        lambda: Negamax(False, 1000),
    ],
)
def test_the_edges_of_the_allowed_ranges_are_allowed(build):
    assert build() == build()._replace()


def test_every_number_that_people_set_has_a_range_and_help():
    for cls in (TicTacToe, Connect4, DotsAndBoxes, Minimax, Negamax, NegamaxWithMemory):
        plain = {field for field, hint in cls.__annotations__.items() if hint in (int, float, bool)}
        assert not plain
        assert ranges(cls)
        assert all(note.help and note.low < note.high for _, note in ranges(cls).values())
