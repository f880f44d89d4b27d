"""Tic-trap-toe solved, where missed traps are shown: an equilibrium at every position.

At the start of a turn both players know the board and the square that is barred to the mover, and
they choose at once: the mover its square, the opponent (who laid its trap just before) the trap's.
So every such position is a small matrix game whose payoffs are values of later positions: a
stochastic game (Shapley 1953). Positions are written from the mover's side, so that one table
serves both players.

A hit puts a piece down and takes one off, so play can go round. There are two ways out:
- Count turns (hit_factor=1): the values are computed for 1, 2, 3, ... turns that are left, from
  those with one turn less. That is exact for a game that is a tie after so many turns.
- Let each hit cost a little (hit_factor just below 1), and repeat until nothing changes. Then one
  table serves for all turns. Without that cost a player could take any move that keeps the value
  and still shuffle for ever: the moves that get on look no better than those that do not.
"""

from typing import Any, NamedTuple

import numpy as np

from course_lib.bits import contains, count
from course_lib.exact.matrix_game import LARGEST, room, solve_matrix
from course_lib.games.tic_trap_toe import (
    HIDDEN,
    NONE,
    PLACE,
    REMOVE,
    SQUARES,
    TRAP,
    Board,
    TicTrapToe,
)
from course_lib.twospeed import fast

LOST, TIED = range(2)  # the first rows of all tables: finished, for the player to move
MOST_ROWS = 60_000
NOTHING = -1
HIT_FACTOR = 1 - 1e-8
MOST_SWEEPS = 10_000
CLOSE = 1e-13  # a change of a value that is rounding alone


class Scratch(NamedTuple):
    """Scratch paper for one matrix game at a time."""

    payoffs: np.ndarray
    mixes: np.ndarray  # of the row player (the mover) and of the column player (the trapper)
    tableau: np.ndarray
    basis: np.ndarray


def scratch():
    return Scratch(np.zeros((LARGEST, LARGEST)), np.zeros((2, LARGEST)), *room())


class TrapSolution(NamedTuple):
    """The value of every position at the start of a turn, by the number of turns that are left."""

    game: Any
    row_of: np.ndarray  # by `number`: the row, or NOTHING
    positions: np.ndarray  # by row: the mover's pieces, the opponent's, the barred square
    used: np.ndarray  # how many rows, as an array of one
    values: np.ndarray  # by turns left and row: for the mover. One layer where turns do not count
    hit_factor: float
    scratch: Scratch

    def value(self, game, state):
        """For the player to move at the start of a turn, with the opponent's trap unknown."""
        return self.value_after(game, state, game.most_turns - state.turns)

    def value_after(self, game, state, left):
        """The same, if `left` turns are left."""
        return self.values[min(left, len(self.values) - 1), self.row(game, state)]

    def row(self, game, state):
        if game.over(state):
            return LOST if game.result(state) < 0 else TIED
        return self.row_of[number(game, state)]

    def payoff(self, game, state, square, left):
        """For the mover: what placing on a square is worth, with the traps as they are in `state`
        and `left` turns left after this one.
        """
        placed = game.play(state, square)
        if placed.phase != REMOVE:
            return -self.value_after(game, passed(placed), left)
        least = 1.0
        for action in game.actions(placed):  # the trapper removes the piece that is best for it
            after = passed(game.play(placed, action))
            least = min(least, -self.value_after(game, after, left))
        return self.hit_factor * least

    def solve(self, game, state, left):
        """The value for the mover of a position at the start of a turn; the mixes are in `scratch`.

        left: turns that are left after this one.
        """
        rows = 0
        columns = 0
        for square in range(SQUARES):
            if contains(game.squares(state), square):
                columns = 0
                for trap in range(SQUARES + 1):
                    if may_lay(state, trap):
                        laid = with_trap(state, 1 - state.player, trap)
                        self.scratch.payoffs[rows, columns] = self.payoff(game, laid, square, left)
                        columns += 1
                rows += 1
        return solve_matrix(
            self.scratch.payoffs,
            rows,
            columns,
            self.scratch.mixes[0],
            self.scratch.mixes[1],
            self.scratch.tableau,
            self.scratch.basis,
        )

    def matrix(self, game, state):
        """The matrix game at the start of a turn: a row a square, a column a trap."""
        self.solve(game, state, game.most_turns - state.turns - 1)
        columns = sum(may_lay(state, trap) for trap in range(SQUARES + 1))
        return self.scratch.payoffs[: count(game.squares(state)), :columns].copy()

    def trap_chances(self, game, state):
        """At the start of a turn: the chance that the opponent's trap lies on each square."""
        chances = np.zeros(SQUARES)
        if may_lay(state, NONE):
            return chances
        self.solve(game, state, game.most_turns - state.turns - 1)
        vacant = [n for n in range(SQUARES) if may_lay(state, n)]
        chances[vacant] = self.scratch.mixes[1, : len(vacant)]
        return chances

    def chances(self, game, state, chances):
        """The equilibrium in each phase: writes the probability of each action."""
        left = game.most_turns - state.turns - 1  # after this turn
        chances[:] = 0.0
        if state.phase == PLACE:
            self.solve(game, state, left)
            for choice, action in enumerate(game.actions(state)):
                chances[action] = self.scratch.mixes[0, choice]
        elif state.phase == TRAP:
            self.solve(game, passed(state), max(0, left - 1))
            for choice, action in enumerate(game.actions(state)):
                chances[action] = self.scratch.mixes[1, choice]
        else:
            best = -2.0
            chosen = -1
            for action in game.actions(state):
                value = self.value_after(game, passed(game.play(state, action)), left)
                if value > best:
                    best = value
                    chosen = action
            chances[chosen] = 1.0


def number(game, state):
    """A number of its own for each position at the start of a turn, as its mover sees it."""
    own = game.pieces(state, state.player)
    other = game.pieces(state, 1 - state.player)
    return 10 * (other << SQUARES | own) + barred(state)


def barred(state):
    """The square that the mover's last trap bars: NONE if it is taken or no other is vacant."""
    trap = state.cross_trap if state.player == 0 else state.nought_trap
    taken = state.crosses | state.noughts
    if trap >= NONE or contains(taken, trap) or count(taken) == SQUARES - 1:
        return NONE
    return trap


def may_lay(state, trap):
    """Whether the opponent of the mover may have an active trap there (NONE: whether none)."""
    taken = state.crosses | state.noughts
    if state.turns == 0 or count(taken) == SQUARES - 1:
        return trap == NONE
    return trap < SQUARES and not contains(taken, trap)


def with_trap(state, player, trap):
    """The same position with a player's last trap somewhere else."""
    return Board(
        state.crosses,
        state.noughts,
        state.player,
        state.phase,
        trap if player == 0 else state.cross_trap,
        trap if player == 1 else state.nought_trap,
        state.placed,
        state.removed,
        state.turns,
    )


def passed(state):
    """The position when the turn has passed, with the trap still to be chosen."""
    if state.phase == PLACE:
        return state
    return Board(
        state.crosses,
        state.noughts,
        1 - state.player,
        PLACE,
        state.cross_trap,
        state.nought_trap,
        state.placed,
        state.removed,
        state.turns + 1,
    )


def explore(game, solution, symmetry):
    """Follow every turn from the start and give each position a row."""
    meet(game, game.start(), solution, symmetry)
    row = TIED + 1
    while row < solution.used[0]:
        state = position(solution, row)
        for trap in range(SQUARES + 1):
            if may_lay(state, trap):
                laid = with_trap(state, 1, trap)
                for action in game.actions(laid):
                    placed = game.play(laid, action)
                    if placed.phase == REMOVE:
                        for removal in game.actions(placed):
                            after = passed(game.play(placed, removal))
                            meet(game, after, solution, symmetry)
                    else:
                        meet(game, passed(placed), solution, symmetry)
        row += 1


def meet(game, state, solution, symmetry):
    """Give a position a row if it has none; turned and mirrored copies share it."""
    if game.over(state) or solution.row_of[number(game, state)] != NOTHING:
        return
    own = game.pieces(state, state.player)
    other = game.pieces(state, 1 - state.player)
    bar = barred(state)
    row = solution.used[0]
    solution.positions[row, 0] = own
    solution.positions[row, 1] = other
    solution.positions[row, 2] = bar
    solution.positions[row, 3] = state.turns == 0
    solution.used[0] = row + 1
    for turn in range(game.symmetries() if symmetry else 1):
        turned_own = 0
        turned_other = 0
        turned_bar = NONE
        for place in range(SQUARES):
            square = game.seen(place, turn)
            turned_own |= (own >> square & 1) << place
            turned_other |= (other >> square & 1) << place
            turned_bar = place if square == bar else turned_bar
        solution.row_of[10 * (turned_other << SQUARES | turned_own) + turned_bar] = row


def position(solution, row):
    """The position of a row, with X to move and O's trap unknown."""
    own, other, bar, first = solution.positions[row]
    return Board(own, other, 0, PLACE, bar, HIDDEN, NONE, NONE, 0 if first else 1)


def solve_layer(game, solution, left):
    """Solve all positions with `left` turns left; returns by how much one more turn matters."""
    most = 0.0
    for row in range(TIED + 1, solution.used[0]):
        value = solution.solve(game, position(solution, row), left - 1)
        before = solution.values[left - 1, row]
        solution.values[left, row] = value if abs(value - before) > CLOSE else before
        most = max(most, abs(value - before))
    return most


def solve_traps(game=None, hit_factor=HIT_FACTOR, symmetry=True, speed=None, progress=None):
    """Solve tic-trap-toe with missed traps shown.

    hit_factor: what a position after a hit counts; 1 counts turns instead, up to game.most_turns.
    symmetry: turned and mirrored positions are solved once. progress: called after each sweep.
    """
    game = TicTrapToe(missed_traps_shown=True) if game is None else game
    if not game.missed_traps_shown:
        raise ValueError(
            f"{game}: only the game in which missed traps are shown is solved "
            "(missed_traps_shown=True); where they stay a secret, no exact solution is known"
        )
    if not 0 < hit_factor <= 1:
        raise ValueError(f"hit_factor={hit_factor!r}: expected a number above 0, at the most 1")
    solution = TrapSolution(
        game,
        np.full(10 << 2 * SQUARES, NOTHING, np.int32),
        np.zeros((MOST_ROWS, 4), np.int64),
        np.full(1, TIED + 1, np.int64),
        np.zeros((1, MOST_ROWS)),
        float(hit_factor),
        scratch(),
    )
    fast(explore, speed)(game, solution, symmetry)
    rows = int(solution.used[0])
    counting = hit_factor == 1
    values = np.zeros((game.most_turns + 1 if counting else 2, rows))
    values[:, LOST] = -1.0
    solution = solution._replace(positions=solution.positions[:rows].copy(), values=values)
    layer = fast(solve_layer, speed)
    last = game.most_turns if counting else MOST_SWEEPS
    for sweep in range(1, last + 1):
        most = layer(game, solution, sweep if counting else 1)
        if not counting:
            values[0] = values[1]
        if progress is not None:
            progress(sweep)
        if most <= CLOSE:
            break
    return solution._replace(values=values[: sweep + 1 if counting else 1].copy())
