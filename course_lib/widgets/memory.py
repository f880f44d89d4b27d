"""Views into what a learner remembers: MENACE's drawer of match boxes, and a Q-table."""

import functools
import re
from html import escape
from typing import NamedTuple

import ipywidgets

from course_lib import svg
from course_lib.agents.menace import Menace
from course_lib.agents.q_learning import QLearning
from course_lib.position import describe, draw
from course_lib.widgets.board import Stack, button, row
from course_lib.widgets.still import still
from course_lib.widgets.surface import Surface

A_PAGE = 40  # cards
IN_PICTURE = 8
MOST_POSITIONS = 100_000
ALL, LAST_GAME = "all", "last game"  # as filters


class Card(NamedTuple):
    """A small board with a line below it; `spoken` tells the rest to who can't see it."""

    number: int
    picture: str
    title: str
    spoken: str
    drawn: bool = False  # in the last game

    def html(self):
        return (
            f'<figure class="course-card{" drawn" if self.drawn else ""}" '
            f'data-cell="{self.number}" aria-label="{escape(self.title)}: {escape(self.spoken)}">'
            f"{self.picture}<figcaption>{escape(self.title)}</figcaption></figure>"
        )


def mosaic(cards, columns=4, width=150, height=170):
    """Cards in one SVG, for where no kernel runs."""
    shapes = []
    for place, card in enumerate(cards):
        row, column = divmod(place, columns)
        x, y = column * width, row * height
        inside = f'<svg x="{x + 10}" y="{y + 5}" width="{width - 20}" height="{height - 40}"'
        shapes.append(re.sub('width="[^"]*" height="[^"]*"', "", card.picture, count=1))
        shapes[-1] = shapes[-1].replace("<svg", inside, 1)
        shapes.append(svg.text(card.title, x + width / 2, y + height - 18, size=9))
    rows = -(-len(cards) // columns)
    return svg.picture(columns * width, rows * height, shapes, "the first of the positions")


class Pages(Stack):
    """Small boards, a page at a time, with a filter and a search."""

    more = ()  # filters of one's own: pairs of a text and a value

    def __init__(self, of, kind):
        """of: a learner of this kind, or a board of `play` on which one plays."""
        self.of, self.kind = of, kind
        self.game = self.learner().game
        self.surface = Surface(as_text=self.__repr__)
        self.page = 0
        self.shown = b""  # the content that is shown
        self.cards = []
        stages = (self.game.longest() + 1) // 2
        self.stage = ipywidgets.Dropdown(
            options=[("all", ALL), *self.more, *((f"move {n + 1}", n) for n in range(stages))],
            description="own move",
            layout={"width": "220px"},
        )
        self.search = ipywidgets.Text(
            placeholder="X.O/.X./... or a part of it",
            description="search",
            tooltip="a position row by row, turned or mirrored as you like",
        )
        self.before = button("◀", "page before", lambda: self.turn(-1))
        self.after = button("▶", "next page", lambda: self.turn(1))
        self.count = ipywidgets.Label()
        super().__init__(
            [
                row([self.stage, self.search]),
                row([self.before, self.after, self.count]),
                self.surface,
            ]
        )
        self.stage.observe(lambda _: self.turn_to(0), "value")
        self.search.observe(lambda _: self.turn_to(0), "value")
        if of is not self.learner():
            of.surface.observe(self.notice, "view")
        self.refresh()

    def learner(self):
        """It may be another object after a game: a table that was full has grown."""
        for each in (self.of, *getattr(self.of, "players", ())):
            if isinstance(each, self.kind):
                return each
        kind = self.kind.__name__
        raise ValueError(f"{self.of!r}: expected a {kind}, or a board of play on which one plays")

    def notice(self, _):
        """The board was painted: paint here only if something was learnt."""
        if self.content() != self.shown:
            self.refresh()

    def turn(self, by):
        self.turn_to(self.page + by)

    def turn_to(self, page):
        self.page = page
        self.refresh()

    def refresh(self, *_):
        """Show what is remembered now."""
        with self.surface.failures_shown():
            self.shown = self.content()
            found = self.found()
            last = max(0, (len(found) - 1) // A_PAGE)
            self.page = min(max(0, self.page), last)
            shown = found[self.page * A_PAGE : (self.page + 1) * A_PAGE]
            self.before.disabled, self.after.disabled = self.page == 0, self.page == last
            self.count.value = f"{len(found)} positions, page {self.page + 1} of {last + 1}"
            self.cards = [self.card(each) for each in shown]
            cards = "".join(each.html() for each in self.cards)
            self.surface.show(f'<div class="course-cards">{cards}</div>', self.summary())

    def pictures(self):
        drawn = hasattr(self.game, "svg") and self.cards
        return {"image/svg+xml": mosaic(self.cards[:IN_PICTURE])} if drawn else {}

    def wanted(self, state, stage):
        """Whether the filter and the search let this position through."""
        if self.stage.value not in (ALL, LAST_GAME, stage):
            return False
        text = self.search.value.strip().upper()
        return not text or same_place(self.game, state) in places_with(self.game, text)


def code(game, state):
    """A position in one line: X.O/.X./..."""
    rows = [row for row in draw(game, state).splitlines() if not row.startswith("---")]
    return "/".join(row.replace("|", "").replace(" ", "") for row in rows)


def same_place(game, state):
    """Equal for positions that symmetry makes equal, where the game has symmetries."""
    return int(game.canonical(state)[0] if hasattr(game, "canonical") else game.key(state))


@functools.lru_cache(maxsize=8)
def places_with(game, text):
    """The positions that hold this text, however they are turned."""
    return {place for each, place in codes(game).items() if text in each}


@functools.cache
def codes(game):
    return {code(game, state): same_place(game, state) for state in reachable(game)}


def reachable(game):
    """All positions that play can reach; a ValueError if they are too many to look at."""
    found = _reachable(game)
    if not found:
        raise ValueError(
            f"{game} has more than {MOST_POSITIONS:,} positions: too many to show them one by one"
        )
    return found


@functools.cache
def _reachable(game):
    """In order; nothing if they are too many."""
    seen, todo = {game.start()}, [game.start()]
    while todo and len(seen) <= MOST_POSITIONS:
        state = todo.pop()
        if not game.over(state):
            new = {game.play(state, action) for action in game.actions(state)} - seen
            seen |= new
            todo.extend(new)
    return [] if todo else sorted(seen)


class Drawer(Pages):
    """All match boxes of a MENACE. Give it a board of `play` to see the beads change."""

    more = (("of the last game", LAST_GAME),)

    def __init__(self, of):
        super().__init__(of, Menace)

    def content(self):
        """What is shown: if it changes, the drawer is painted."""
        return self.learner().beads.tobytes()

    def found(self):
        boxes = self.learner().boxes()
        if self.stage.value == LAST_GAME:
            boxes = [box for box, _ in self.learner().last_game()]
        return [box for box in boxes if self.wanted(box.state(), box.stage())]

    def drawn(self):
        """{box: place of its bead} of the last game."""
        return {box.number: place for box, place in self.learner().last_game()}

    def card(self, box):
        drawn = self.drawn()
        beads = box.beads()
        marks = {action: str(n) for action, n in beads.items()}
        title = f"box {box.number + 1}: {sum(beads.values())} beads, opened {box.opened()}×"
        picture = still(self.game, box.state(), drawn.get(box.number, -1), marks)
        spoken = ", ".join(f"{describe(self.game, a)} {n}" for a, n in beads.items())
        return Card(box.number, picture, title, spoken, box.number in drawn)

    def summary(self):
        machine, drawn = self.learner(), len(self.drawn())
        marked = (
            "1 box of the last game is" if drawn == 1 else f"{drawn} boxes of the last game are"
        )
        boxes, beads = len(machine.boxes()), int(machine.gauge())
        return f"{boxes} boxes, {beads:,} beads; {marked} marked"

    def __repr__(self):
        return f"Drawer: {self.summary()}"


class QTableView(Pages):
    """The rows of a Q-table, the most visited first."""

    def __init__(self, of):
        super().__init__(of, QLearning)

    def content(self):
        agent = self.learner()
        return agent.values.tobytes() + agent.visits.tobytes()

    def found(self):
        agent = self.learner()
        states = states_by_key(self.game, agent.eyes)
        rows = sorted(range(int(agent.table.used[0])), key=lambda row: -agent.visits[row])
        found = [(row, states[int(agent.table.keys[row])]) for row in rows]
        return [each for each in found if self.wanted(each[1], self.game.ply(each[1]) // 2)]

    def card(self, each):
        row, state = each
        agent = self.learner()
        marks = {action: f"{value:.2f}" for action, value in agent.q_values(state).items()}
        title = f"visited {int(agent.visits[row])}×"
        spoken = ", ".join(f"{describe(self.game, a)} {text}" for a, text in marks.items())
        picture = still(self.game, state, marks=marks)
        return Card(row, picture, title, spoken)

    def summary(self):
        return f"{int(self.learner().table.used[0])} positions met"

    def __repr__(self):
        return f"Q-table: {self.summary()}"


@functools.cache
def states_by_key(game, eyes):
    """{key: a position that has it}, over all positions that play can reach."""
    return {int(eyes.look(game, state)[0]): state for state in reachable(game)}


def drawer(of):
    """The match boxes of a MENACE, or of the one that plays on a board of `play`."""
    return Drawer(of)


def qtable(of):
    """The values of a Q-learner, or of the one that plays on a board of `play`."""
    return QTableView(of)
