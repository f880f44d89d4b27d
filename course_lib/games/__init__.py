"""The rules: one file a game. CONTRIBUTING.md lists the methods that a game has."""

from course_lib.games.connect4 import Connect4
from course_lib.games.dots_and_boxes import DotsAndBoxes
from course_lib.games.middle_first import MiddleFirst
from course_lib.games.tic_tac_toe import TicTacToe
from course_lib.games.tic_trap_toe import TicTrapToe

__all__ = ["Connect4", "DotsAndBoxes", "MiddleFirst", "TicTacToe", "TicTrapToe"]
