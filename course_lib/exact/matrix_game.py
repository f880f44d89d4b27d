"""Zero-sum matrix games: both choose at once, the row player gets what the column player pays.

The optimal mixes are found by a small simplex method (Dantzig 1951), which is quick enough to solve
millions of games: with all payoffs positive, the column player's weights y maximise Σy subject to
payoffs · y ≤ 1. The value is 1 / Σy, and the prices of the constraints are the row player's
weights.
"""

from typing import NamedTuple

import numpy as np

CLOSE = 1e-12
LARGEST = 9  # rows and columns
SHIFT = 2.0  # makes payoffs from -1 to +1 positive
WITHOUT_CARE = 50  # pivots by the steepest column; after that by the rule that can't cycle (Bland)


def room():
    """Scratch paper for one game."""
    return np.zeros((LARGEST + 1, LARGEST + 1)), np.zeros(2 * LARGEST, np.int64)


def solve_matrix(payoffs, rows, columns, row_mix, column_mix, tableau, basis):
    """The value for the row player; writes down an optimal mix of either side.

    The last row and column of the tableau are the objective and the right-hand side. `basis` says
    which variable stands at each row and each column: 0 ... are y, 9 ... the slacks.
    """
    for column in range(columns):
        for row in range(rows):
            tableau[row, column] = payoffs[row, column] + SHIFT
        tableau[rows, column] = -1.0
        basis[LARGEST + column] = column
    for row in range(rows):
        tableau[row, columns] = 1.0
        basis[row] = LARGEST + row
    tableau[rows, columns] = 0.0
    pivots = 0
    while True:
        column = entering(tableau, rows, columns, basis, pivots)
        if column < 0:
            break
        row = leaving(tableau, rows, columns, basis, column)
        exchange(tableau, rows, columns, row, column)
        basis[row], basis[LARGEST + column] = basis[LARGEST + column], basis[row]
        pivots += 1
    total = tableau[rows, columns]
    row_mix[:] = 0.0
    column_mix[:] = 0.0
    for row in range(rows):
        if basis[row] < LARGEST:
            column_mix[basis[row]] = tableau[row, columns] / total
    for column in range(columns):
        if basis[LARGEST + column] >= LARGEST:
            row_mix[basis[LARGEST + column] - LARGEST] = tableau[rows, column] / total
    return 1.0 / total - SHIFT


def entering(tableau, rows, columns, basis, pivots):
    """A column whose variable would raise the objective, -1 where none would."""
    chosen = -1
    for column in range(columns):
        if tableau[rows, column] < -CLOSE:
            if chosen < 0:
                chosen = column
            elif pivots < WITHOUT_CARE:
                if tableau[rows, column] < tableau[rows, chosen]:
                    chosen = column
            elif basis[LARGEST + column] < basis[LARGEST + chosen]:
                chosen = column
    return chosen


def leaving(tableau, rows, columns, basis, column):
    """The row that limits the entering variable most (there is one: all payoffs are positive)."""
    chosen = -1
    least = np.inf
    for row in range(rows):
        if tableau[row, column] > CLOSE:
            ratio = tableau[row, columns] / tableau[row, column]
            if ratio < least or (ratio == least and basis[row] < basis[chosen]):
                chosen = row
                least = ratio
    return chosen


def exchange(tableau, rows, columns, row, column):
    """One pivot step: the variables of this row and this column change places."""
    pivot = tableau[row, column]
    for i in range(rows + 1):
        if i != row:
            factor = tableau[i, column] / pivot
            for j in range(columns + 1):
                if j != column:
                    tableau[i, j] -= factor * tableau[row, j]
            tableau[i, column] = -factor
    for j in range(columns + 1):
        tableau[row, j] /= pivot
    tableau[row, column] = 1.0 / pivot


class Mixed(NamedTuple):
    """A solved matrix game, for people."""

    value: float  # for the row player
    rows: list  # the row player's chances
    columns: list  # the column player's chances

    def __repr__(self):
        rows, columns = (", ".join(f"{p:.3f}" for p in mix) for mix in self[1:])
        return f"value {self.value + 0:.3f}; rows by chance {rows}; columns by chance {columns}"


def solve_game(payoffs):
    """The value and the best mixes of a matrix game with payoffs from -1 to 1 (at most 9 × 9)."""
    matrix = np.array(payoffs, float)
    if matrix.ndim != 2 or not 1 <= matrix.size or max(matrix.shape) > LARGEST:
        raise ValueError(f"payoffs of shape {matrix.shape}: expected 1 to 9 rows, equally long")
    if not np.abs(matrix).max() <= 1:
        raise ValueError("payoffs: expected numbers from -1 to 1")
    rows, columns = matrix.shape
    paper, row_mix, column_mix = np.zeros((LARGEST, LARGEST)), np.zeros(LARGEST), np.zeros(LARGEST)
    paper[:rows, :columns] = matrix
    value = solve_matrix(paper, rows, columns, row_mix, column_mix, *room())
    return Mixed(float(value), row_mix[:rows].tolist(), column_mix[:columns].tolist())
