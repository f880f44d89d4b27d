"""The If-player of Frederiksen & Gunnarsson 2019: a series of if-statements that play
tic-trap-toe like a "semi-advanced" human. The paper does not print them; these are ours.
"""

from typing import Annotated, NamedTuple

from course_lib.bits import contains, count, lowest
from course_lib.chance import random_index
from course_lib.games.tic_trap_toe import HIDDEN, LINES, PLACE, REMOVE, SQUARES, has_line
from course_lib.parameters import Range, checked

CENTRE = 4
CORNERS = 0b101000101
WIN, BLOCK, MIDDLE, CORNER, EDGE = range(5, 0, -1)


def appeal(own, other, square):
    """How much a player wants to place there: the first rule that fits decides."""
    if has_line(own | 1 << square):
        return WIN
    if has_line(other | 1 << square):
        return BLOCK
    if square == CENTRE:
        return MIDDLE
    return CORNER if contains(CORNERS, square) else EDGE


def open_lines(own, other, square):
    """How many lines through the square the opponent has not spoilt."""
    lines = 0
    for line in LINES:
        if contains(line, square) and line & other == 0:
            lines += 1
    return lines


@checked
class IfPlayer(NamedTuple):
    """Wins, else blocks, else takes the centre, a corner, an edge. Traps where it would place if it
    were the opponent; removes the piece with the most open lines.
    """

    lean = True  # makes no arrays while it plays

    random_ties: Annotated[
        bool, Range(0, 1, "any of the squares that are equally good, not the first of them")
    ] = False

    def wanted(self, game, state):
        """The squares that the rules call best, as bits."""
        own = game.pieces(state, state.player)
        other = game.pieces(state, 1 - state.player)
        squares = game.squares(state)
        if state.phase not in (PLACE, REMOVE):
            trap = game.trap(state, 1 - state.player)  # bars the opponent, if we know of it
            if trap != HIDDEN and squares != 1 << trap:
                squares &= ~(1 << trap)
        best = -1
        found = 0
        for square in range(SQUARES):
            if contains(squares, square):
                if state.phase == PLACE:
                    value = appeal(own, other, square)
                elif state.phase == REMOVE:
                    value = open_lines(other, own, square)
                else:
                    value = appeal(other, own, square)
                if value > best:
                    best = value
                    found = 0
                if value == best:
                    found |= 1 << square
        return found

    def choose(self, game, state, rng):
        found = self.wanted(game, state)
        if self.random_ties:
            for _ in range(random_index(count(found), rng)):
                found &= found - 1
        return SQUARES * state.phase + lowest(found)

    def policy(self, game, state, chances):
        found = self.wanted(game, state)
        if not self.random_ties:
            found = 1 << lowest(found)
        for action in game.actions(state):
            if contains(found, action % SQUARES):
                chances[action] = 1.0 / count(found)
            else:
                chances[action] = 0.0


class MinimaxTraps(NamedTuple):
    """Lets another player place and remove, and lays its trap where the opponent does best.

    Best is what a search with depth 2 of noughts and crosses calls so: the opponent's placement and
    the answer to it, as if there were no traps (Frederiksen & Gunnarsson 2019, section 5.2).
    """

    player: NamedTuple

    def wanted(self, game, state):
        """The squares on which the opponent does best, as bits."""
        own = game.pieces(state, state.player)
        other = game.pieces(state, 1 - state.player)
        squares = game.squares(state)
        trap = game.trap(state, 1 - state.player)
        if trap != HIDDEN and squares != 1 << trap:
            squares &= ~(1 << trap)
        best = -2.0
        found = 0
        for square in range(SQUARES):
            if contains(squares, square):
                value = worth(own, other | 1 << square)
                if value > best:
                    best = value
                    found = 0
                if value == best:
                    found |= 1 << square
        return found

    def choose(self, game, state, rng):
        if state.phase in (PLACE, REMOVE):
            return self.player.choose(game, state, rng)
        found = self.wanted(game, state)
        for _ in range(random_index(count(found), rng)):
            found &= found - 1
        return SQUARES * state.phase + lowest(found)

    def policy(self, game, state, chances):
        if state.phase in (PLACE, REMOVE):
            self.player.policy(game, state, chances)
        else:
            found = self.wanted(game, state)
            for action in game.actions(state):
                chance = 1.0 / count(found) if contains(found, action % SQUARES) else 0.0
                chances[action] = chance


def worth(own, other):
    """For `other`, who has just placed: 1 with a line, -1 if `own` can make one at once, else the
    lines still open to `other` less those open to `own`, as a part of 1.
    """
    if has_line(other):
        return 1.0
    balance = 0
    for line in LINES:
        if line & own == 0:
            balance += count(line & other)
        if line & other == 0:
            balance -= count(line & own)
    for square in range(SQUARES):
        if not contains(own | other, square) and has_line(own | 1 << square):
            return -1.0
    return balance / 25
