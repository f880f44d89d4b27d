"""A table that finds the row of a position: one open-addressing hash table for all learners.

Rows are handed out in the order in which positions are first met: row 0, 1, 2, ... What is kept
in a row (beads, values, best moves) lies in arrays beside the table, one entry a row. `slots`
holds row numbers at places that follow from the key; where a place is taken, the next one is
tried.
"""

from typing import NamedTuple

import numpy as np

from course_lib.twospeed import fast

EMPTY = -1


class Table(NamedTuple):
    """Which row belongs to which key. At most half of the slots are ever in use."""

    slots: np.ndarray  # row numbers, or EMPTY; a power of two of them
    keys: np.ndarray  # the key of each row
    used: np.ndarray  # how many rows are in use, as an array of one

    def place(self, key):
        """The slot that holds the key's row, or the empty one where it would go."""
        last = len(self.slots) - 1
        # The product stays below 2⁶³, so Python's integers and compiled ones agree.
        mixed = ((key ^ key >> 31) & 0x7FFFFFFF) * 0x45D9F3B5
        slot = (mixed >> 15) & last
        while self.slots[slot] != EMPTY and self.keys[self.slots[slot]] != key:
            slot = (slot + 1) & last
        return slot

    def find(self, key):
        """The row of a key, or EMPTY."""
        return self.slots[self.place(key)]

    def add(self, key):
        """The row of a key that was not there before."""
        row = self.used[0]
        if row == len(self.keys):
            raise OverflowError("the table is full")
        self.slots[self.place(key)] = row
        self.keys[row] = key
        self.used[0] = row + 1
        return row

    def free(self):
        """How many more rows fit."""
        return len(self.keys) - self.used[0]


class Direct(NamedTuple):
    """A table without a search: the key is the row. For keys from 0 to rows − 1."""

    rows: int

    def find(self, key):
        return key

    def add(self, key):
        return key

    def free(self):
        """There is a row for every key: no position is ever without one."""
        return self.rows


def new_table(rows):
    """An empty table for at least `rows` rows."""
    rows = 1 << max(4, int(rows - 1).bit_length())
    return Table(
        np.full(2 * rows, EMPTY, np.int32), np.zeros(rows, np.int64), np.zeros(1, np.int64)
    )


def grown(table, *columns):
    """The table at twice its size and its columns (arrays with one entry a row) likewise."""
    bigger = new_table(2 * len(table.keys))
    fast(add_all, lean=True)(bigger, table.keys, int(table.used[0]))
    longer = []
    for column in columns:
        fresh = np.zeros((len(bigger.keys), *column.shape[1:]), column.dtype)
        fresh[: len(column)] = column
        longer.append(fresh)
    return bigger, *longer


def add_all(table, keys, n):
    """The first n keys, in their order. (Tables grow to millions of rows: this runs compiled.)"""
    for row in range(n):
        table.add(int(keys[row]))
