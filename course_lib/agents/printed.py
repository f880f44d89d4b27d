"""An exhibit: a learner that looks its positions up by how their board is printed.

The environments of Kyziridis & Tsiaousis 2019 hand each player a board on which the own pieces
are 1 and the other's −1: for the second player they multiply by −1. TicTacToe's board holds whole
numbers. Connect4's holds floats, and 0.0 · −1 is −0.0, which is equal to 0.0 but printed as "-0.".
The tables were learnt on boards that were not multiplied, and looked up by the print.
"""

from typing import NamedTuple

from course_lib.games.connect4 import Connect4
from course_lib.games.symmetry import legal_actions


class AsPrinted(NamedTuple):
    """Eyes that see the print of a board: for the second player, with floats, each one is new."""

    floats: bool

    def look(self, game, state):
        """(key, symmetry). Keys of other prints are negative: no learner ever met them."""
        key = game.key(state)
        if self.floats and game.mover(state) == 1:
            return -2 - key, 0
        return key, 0

    def real(self, game, place, symmetry):
        return place

    def places(self, game, actions, symmetry):
        return actions

    def legal(self, game, state, symmetry):
        return legal_actions(game, state)


def looked_up_by_print(learner):
    """The same table with the eyes of 2019: for the Arena, where the board is multiplied."""
    return learner._replace(eyes=AsPrinted(isinstance(learner.game, Connect4)))
