"""MENACE, Michie's machine of match boxes (1961): a box for each position, beads for its moves.

To move, it draws a bead from the box of the position. After the game the drawn beads are put back
with company (a win, a tie) or taken away (a loss). A box that has run empty makes it resign; if
that happens to the box of its first move, it is dead.

Both machines of the papers are this one with other parameters: see `menace`.
"""

import functools
from typing import Annotated, Any, NamedTuple

import numpy as np

from course_lib.bits import contains, count
from course_lib.games.symmetry import UpToSymmetry
from course_lib.parameters import Range, checked, is_whole
from course_lib.protocol import DEAD, READY, RESIGN
from course_lib.table import Table, new_table
from course_lib.twospeed import fast

MOST_BOXES = 1 << 16
DRAWN, BEADS = range(2)  # what the entries of `Menace.totals` mean

Beads = Annotated[int, Range(1, 1000, "beads for a move before the first game", (1, 20))]
Win = Annotated[int, Range(0, 100, "beads added for each move of a won game", (0, 10))]
Tie = Annotated[int, Range(0, 100, "beads added for each move of a tied game", (0, 10))]
Loss = Annotated[int, Range(0, 100, "beads taken away for each move of a lost game", (0, 10))]
Later = Annotated[int, Range(0, 100, "more beads for a win with each later move", (0, 5))]
PerOrbit = Annotated[bool, Range(0, 1, "beads on one of the squares that symmetry makes equal")]
ForcedBox = Annotated[bool, Range(0, 1, "a box for the position with only one move, too")]


class Layout(NamedTuple):
    """How many beads are in a box before the first game."""

    by_stage: np.ndarray  # beads for a move at the machine's first, second, ... turn
    per_orbit: PerOrbit
    forced_box: ForcedBox


@checked
class Menace(NamedTuple):
    """The boxes and the rules by which their beads change. Built by `menace(game, ...)`."""

    lean = True  # makes no arrays while it plays

    game: Any
    layout: Layout
    win: Win
    tie: Tie
    loss: Loss
    later: Later
    first: Annotated[bool, Range(0, 1, "has the boxes of the player who moves first")]
    second: Annotated[bool, Range(0, 1, "has the boxes of the player who moves second")]
    table: Table  # which box belongs to which position, up to symmetry
    beads: np.ndarray  # by box and place
    opened: np.ndarray  # by box: how often
    drawn_boxes: np.ndarray  # the boxes of the last game, in order
    drawn_places: np.ndarray  # the beads that were drawn from them
    totals: np.ndarray  # how many were drawn in the last game; all beads in all boxes

    def plays(self, seat):
        """Whether it has boxes for this seat."""
        return self.first if seat == 0 else self.second

    def choose(self, game, state, rng):
        """Draw a bead; RESIGN if there is none."""
        key, symmetry = game.canonical(state)
        place = self.draw_bead(game, state, self.table.find(key), symmetry, rng)
        return RESIGN if place == RESIGN else game.seen(place, symmetry)

    def draw_bead(self, game, state, box, symmetry, rng):
        """A place of the turned board, as likely as it has beads."""
        if box < 0:  # the forced move, if that has no box
            return only_place(UpToSymmetry().legal(game, state, symmetry))
        bead = int(rng.random() * self.beads[box].sum())
        for place in range(game.action_count()):
            bead -= self.beads[box, place]
            if bead < 0:
                return place
        return RESIGN

    def policy(self, game, state, chances):
        """The chance of each action: its share of the beads. (An empty box has none: it loses.)"""
        key, symmetry = game.canonical(state)
        box = self.table.find(key)
        for place in range(game.action_count()):
            if box < 0:
                legal = UpToSymmetry().legal(game, state, symmetry)
                chances[game.seen(place, symmetry)] = 1.0 if contains(legal, place) else 0.0
            elif self.beads[box].sum() > 0:
                share = self.beads[box, place] / self.beads[box].sum()
                chances[game.seen(place, symmetry)] = share

    # Learning

    def ready(self, game, seat):
        """DEAD if the boxes of the own first move are all empty, else READY."""
        start = game.start()
        if seat == 0:
            return DEAD if self.is_empty(game, start) else READY
        for action in game.actions(start):
            if not self.is_empty(game, game.play(start, action)):
                return READY
        return DEAD

    def is_empty(self, game, state):
        key, _ = game.canonical(state)
        return self.beads[self.table.find(key)].sum() == 0

    def begin(self):
        self.totals[DRAWN] = 0

    def act(self, game, state, rng):
        """Draw a bead, and put the box aside until the game is over."""
        key, symmetry = game.canonical(state)
        box = self.table.find(key)
        place = self.draw_bead(game, state, box, symmetry, rng)
        if place == RESIGN:
            return RESIGN
        if box >= 0:
            drawn = self.totals[DRAWN]
            self.drawn_boxes[drawn] = box
            self.drawn_places[drawn] = place
            self.opened[box] += 1
            self.totals[DRAWN] += 1
        return game.seen(place, symmetry)

    def learn(self, game, result):
        """Reward or punish each bead that was drawn."""
        for turn in range(self.totals[DRAWN]):
            box = self.drawn_boxes[turn]
            place = self.drawn_places[turn]
            before = self.beads[box, place]
            if result > 0:
                self.beads[box, place] += self.win + self.later * turn
            elif result == 0:
                self.beads[box, place] += self.tie
            else:
                self.beads[box, place] -= min(self.loss, before)
            self.totals[BEADS] += self.beads[box, place] - before

    def gauge(self):
        """All beads in all boxes."""
        return float(self.totals[BEADS])

    def fresh(self):
        """The same machine before its first game."""
        table, beads = boxes_for(self.game, _hashable(self.layout), self.first, self.second)
        return self._replace(
            table=table,
            beads=beads.copy(),
            opened=np.zeros_like(self.opened),
            drawn_boxes=np.zeros_like(self.drawn_boxes),
            drawn_places=np.zeros_like(self.drawn_places),
            totals=np.array([0, beads.sum()]),
        )

    def grown(self):
        return self  # a machine has all of its boxes from the start

    def boxes(self, stage=None):
        """The boxes as the drawer shows them, in order: `Box`es, all or those of one stage."""
        found = [Box(self, number) for number in range(int(self.table.used[0]))]
        return [box for box in found if stage is None or box.stage() == stage]

    def last_game(self):
        """(box, place of the drawn bead) for each own move of the last game."""
        n = int(self.totals[DRAWN])
        return [
            (Box(self, int(box)), int(place))
            for box, place in zip(self.drawn_boxes[:n], self.drawn_places[:n])
        ]


class Box(NamedTuple):
    """One match box, to look at."""

    machine: Menace
    number: int

    def state(self):
        """The position on the box."""
        return positions_on_boxes(self.machine.game)[int(self.machine.table.keys[self.number])]

    def stage(self):
        """0 for the machine's first move of a game, 1 for its second, ..."""
        return int(self.machine.game.ply(self.state())) // 2

    def beads(self):
        """{action: beads} for the legal actions."""
        return {a: int(self.machine.beads[self.number, a]) for a in self.legal()}

    def chances(self):
        """{action: probability}; all 0 in an empty box."""
        beads = self.beads()
        return {action: n / max(1, sum(beads.values())) for action, n in beads.items()}

    def opened(self):
        """How often it was opened."""
        return int(self.machine.opened[self.number])

    def legal(self):
        return [int(action) for action in self.machine.game.actions(self.state())]

    def __repr__(self):
        drawn = self.machine.game.draw(self.state())
        return f"{drawn}\nbeads {self.beads()}, opened {self.opened()} times"


def only_place(places):
    """The one member of a set of one."""
    place = 0
    while not contains(places, place):
        place += 1
    return place


def lay_out(game, state, seat, layout, table, beads, seen):
    """A box for each position below this one in which `seat` is to move; earlier stages first."""
    for ply in range(game.longest()):
        lay_out_ply(game, state, ply, seat, layout, table, beads, seen)
        seen.used[0] = 0
        seen.slots[:] = -1


def lay_out_ply(game, state, ply, seat, layout, table, beads, seen):
    """The boxes for the positions after `ply` moves; `seen` are those already gone through."""
    if game.over(state):
        return
    key, symmetry = game.canonical(state)
    if seen.find(key) >= 0:
        return
    seen.add(key)
    if game.ply(state) < ply:
        for action in game.actions(state):
            lay_out_ply(game, game.play(state, action), ply, seat, layout, table, beads, seen)
    elif game.mover(state) == seat:
        places = UpToSymmetry().legal(game, state, symmetry)
        if count(places) > 1 or layout.forced_box:
            fill(game, state, key, symmetry, places, layout, beads[table.add(key)])


def fill(game, state, key, symmetry, places, layout, box):
    """Put the first beads into a box."""
    stage = min(game.ply(state) // 2, len(layout.by_stage) - 1)
    for place in range(game.action_count()):
        if contains(places, place):
            twin = layout.per_orbit and has_earlier_twin(game, state, key, symmetry, place)
            if not twin:
                box[place] = layout.by_stage[stage]


def has_earlier_twin(game, state, key, symmetry, place):
    """Whether a symmetry of the position itself takes an earlier place to this one."""
    for other in range(game.symmetries()):
        if game.turned_key(state, other) == key:
            for earlier in range(place):
                if game.seen(earlier, other) == game.seen(place, symmetry):
                    return True
    return False


@functools.cache
def boxes_for(game, layout, first, second):
    """The table of boxes and their first beads."""
    by_stage, per_orbit, forced_box = layout
    rows = 1 << 10
    while True:
        table, seen = new_table(rows), new_table(4 * rows)
        beads = np.zeros((len(table.keys), game.action_count()), np.int64)
        try:
            for seat, wanted in enumerate((first, second)):
                if wanted:
                    full = Layout(np.array(by_stage), per_orbit, forced_box)
                    fast(lay_out)(game, game.start(), seat, full, table, beads, seen)
            return table, beads
        except OverflowError:
            rows *= 4
            if rows > MOST_BOXES:
                raise ValueError(
                    f"{game} would need more than {MOST_BOXES:,} match boxes: take a smaller board"
                ) from None


@functools.cache
def positions_on_boxes(game):
    """{canonical key: position that looks like it}, for the drawings on the boxes."""
    found, todo = {}, [game.start()]
    visited = set(todo)
    while todo:
        state = todo.pop()
        key, _ = game.canonical(state)
        if game.key(state) == key:
            found[key] = state
        if not game.over(state):
            after = {game.play(state, action) for action in game.actions(state)} - visited
            visited |= after
            todo.extend(after)
    return found


def _hashable(layout):
    return tuple(layout.by_stage.tolist()), layout.per_orbit, layout.forced_box


def menace(
    game,
    beads: Beads = (4, 3, 2, 1, 1),
    win: Win = 3,
    tie: Tie = 1,
    loss: Loss = 1,
    per_orbit: PerOrbit = False,
    forced_box: ForcedBox = True,
    later: Later = 0,
    first=True,
    second=False,
):
    """A new machine for a game with symmetries.

    beads: for each move of a box before the first game, one number for all stages or one a stage.
    Pulles 2019, M(i, rw, rt):  menace(game, beads=i, win=rw, tie=rt)
    Jose et al. 2022:           menace(game, (8, 4, 2, 1), per_orbit=True, forced_box=False)
    """
    if not hasattr(game, "canonical"):
        raise ValueError(
            f"{game}: MENACE needs a game with symmetries (methods symmetries, seen, turned_key "
            "and canonical), such as TicTacToe"
        )
    by_stage = tuple(beads) if isinstance(beads, list | tuple | np.ndarray) else (beads,)
    if not by_stage or not all(is_whole(n) and 1 <= n <= 1000 for n in by_stage):
        raise ValueError(f"beads={beads!r}: expected whole numbers from 1 to 1000, one a stage")
    if not (first or second):
        raise ValueError("first=False, second=False: expected at least one of them to be True")
    layout = Layout(np.array(by_stage, np.int64), per_orbit, forced_box)
    empty = np.zeros(0, np.int64)
    machine = Menace(
        game,
        layout,
        win,
        tie,
        loss,
        later,
        first,
        second,
        new_table(1),
        np.zeros((1, 1), np.int64),
        empty,
        np.zeros(game.longest(), np.int64),
        np.zeros(game.longest(), np.int64),
        empty,
    )
    table, _ = boxes_for(game, _hashable(layout), first, second)
    return machine._replace(opened=np.zeros(len(table.keys), np.int64)).fresh()
