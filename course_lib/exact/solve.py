"""Every reachable position of a small game, solved once."""

from typing import Any, NamedTuple

import numpy as np

from course_lib.agents.search import for_mover
from course_lib.games.dots_and_boxes import Board, DotsAndBoxes
from course_lib.games.hidden import refuse_secrets
from course_lib.table import Table, grown, new_table
from course_lib.twospeed import fast

MOST_POSITIONS = 1 << 24
FIRST_ROWS = 1 << 14


class Solution(NamedTuple):
    """Value and best moves of every position that play can reach."""

    game: Any
    table: Table
    values: np.ndarray  # by row: +1, 0 or -1 for the player to move
    best: np.ndarray  # by row: the set of best actions, as bits

    def value(self, game, state):
        """For the player to move: +1 a win, 0 a tie, -1 a loss, if both play perfectly."""
        return self.values[self.row(game, state)]

    def best_actions(self, game, state):
        """The set of actions that keep this value, as bits; empty when the game is over."""
        return self.best[self.row(game, state)]

    def row(self, game, state):
        row = self.table.find(game.key(state))
        if row < 0:
            raise ValueError("no game leads to this position, so it has no value")
        return row

    def positions(self):
        """How many positions were solved."""
        return int(self.table.used[0])


class BoxesSolution(NamedTuple):
    """Dots and boxes, solved over the sets of drawn lines: how the rest of the boxes will fall.

    The rest of a game depends on the lines alone. Whoever gets the most of it also does the best
    possible for the result, so values of positions follow from `margins` and the score so far.
    """

    game: Any
    margins: np.ndarray  # by set of lines: boxes still to come, the mover's less the other's

    def value(self, game, state):
        """For the player to move: +1 a win, 0 a tie, -1 a loss, if both play perfectly."""
        lead = self.margin(game, state)
        if lead == 0 and game.tie_loses:
            return -1 if state.player == 0 else 1
        return (lead > 0) - (lead < 0)

    def margin(self, game, state):
        """The final lead in boxes of the player to move, if both play for boxes."""
        return game.lead(state) + int(self.margins[state.lines])

    def best_actions(self, game, state):
        """The set of actions that keep the value, as bits; empty when the game is over."""
        best = 0
        value = self.value(game, state)
        for action in game.actions(state):
            child = game.play(state, action)
            if for_mover(game, state, child, self.value(game, child)) == value:
                best |= 1 << action
        return best

    def positions(self):
        """How many sets of lines were solved."""
        return len(self.margins)


def solve_below(game, state, table, values, best):
    """The value of a position for its mover; writes down those of all positions below it."""
    key = game.key(state)
    row = table.find(key)
    if row >= 0:
        return values[row]
    value = -1
    actions = 0
    if game.over(state):
        value = game.result(state)
    else:
        for action in game.actions(state):
            child = game.play(state, action)
            found = solve_below(game, child, table, values, best)
            found = for_mover(game, state, child, found)
            if found > value:
                value = found
                actions = 0
            if found == value:
                actions |= 1 << action
    row = table.add(key)
    values[row] = value
    best[row] = actions
    return values[row]


def solve_line_sets(game, margins):
    """From the full board backwards: what the mover can get of the boxes that are left."""
    everything = len(margins) - 1
    for lines in range(everything - 1, -1, -1):
        state = Board(lines, 0, 0, 0)
        margin = -127
        for action in game.actions(state):
            child = game.play(state, action)
            rest = for_mover(game, state, child, int(margins[child.lines]))
            margin = max(margin, rest + game.lead(child) * (child.player == 0))
        margins[lines] = margin


def solve(game, speed=None):
    """The exact solution of a game that is small enough: `value` and `best_actions` of positions.

    Dots and boxes goes over sets of lines (3 × 3 boxes: 2**24), all others over the positions
    that play can reach, at most MOST_POSITIONS.
    """
    if isinstance(game, DotsAndBoxes):
        if game.longest() > 24:
            raise ValueError(f"{game}: {game.longest()} lines are too many to solve; at most 24")
        margins = np.zeros(1 << game.longest(), np.int8)
        fast(solve_line_sets, speed)(game, margins)
        return BoxesSolution(game, margins)
    refuse_secrets(game)
    if game.action_count() > 62:
        raise ValueError(f"{game}: more than 62 actions do not fit into one set of bits")
    table = new_table(FIRST_ROWS)
    values = np.zeros(FIRST_ROWS, np.int8)
    best = np.zeros(FIRST_ROWS, np.int64)
    while True:
        try:
            fast(solve_below, speed)(game, game.start(), table, values, best)
            return Solution(game, table, values, best)
        except OverflowError:  # what was solved so far stays: go on from there
            if len(table.keys) >= MOST_POSITIONS:
                raise ValueError(
                    f"{game} has more than {MOST_POSITIONS:,} positions: too many to solve; "
                    "take a smaller board, or a search with a depth"
                ) from None
            table, values, best = grown(table, values, best)
