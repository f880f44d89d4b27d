"""Views into what a learner remembers: MENACE's drawer of match boxes, and a Q-table."""

import functools

import ipywidgets

from course_lib.agents.menace import Menace
from course_lib.agents.q_learning import QLearning
from course_lib.position import draw
from course_lib.widgets.board import Stack, button
from course_lib.widgets.surface import Surface

A_PAGE = 40
MOST_POSITIONS = 100_000


class Pages(Stack):
    """Small boards, a page at a time, with a filter and a search."""

    def __init__(self, stages):
        self.surface = Surface(as_text=self.__repr__)
        self.page = 0
        self.stage = ipywidgets.Dropdown(
            options=[("all", None), *((f"move {n + 1}", n) for n in range(stages))],
            description="own move",
        )
        self.search = ipywidgets.Text(
            placeholder="X.O/.X./... or a part of it", description="search"
        )
        self.before = button("◀", "page before", lambda: self.turn(-1))
        self.after = button("▶", "next page", lambda: self.turn(1))
        self.count = ipywidgets.Label()
        super().__init__(
            [
                ipywidgets.HBox([self.stage, self.search]),
                ipywidgets.HBox([self.before, self.after, self.count]),
                self.surface,
            ]
        )
        self.stage.observe(lambda _: self.turn_to(0), "value")
        self.search.observe(lambda _: self.turn_to(0), "value")
        self.refresh()

    def turn(self, by):
        self.turn_to(self.page + by)

    def turn_to(self, page):
        self.page = page
        self.refresh()

    def refresh(self, *_):
        """Show what is remembered now."""
        with self.surface.failures_shown():
            found = self.found()
            last = max(0, (len(found) - 1) // A_PAGE)
            self.page = min(max(0, self.page), last)
            shown = found[self.page * A_PAGE : (self.page + 1) * A_PAGE]
            self.before.disabled, self.after.disabled = self.page == 0, self.page == last
            self.count.value = f"{len(found)} positions, page {self.page + 1} of {last + 1}"
            cards = "".join(self.card(each) for each in shown)
            self.surface.show(f'<div class="course-cards">{cards}</div>', self.summary())

    def wanted(self, state, stage):
        if self.stage.value is not None and stage != self.stage.value:
            return False
        return self.search.value.strip().upper() in code(self.game, state)


def code(game, state):
    """A position in one line: X.O/.X./..."""
    rows = [row for row in draw(game, state).splitlines() if not row.startswith("---")]
    return "/".join(row.replace("|", "").replace(" ", "") for row in rows)


class Drawer(Pages):
    """All match boxes of a MENACE. Give it a board of `play` to see the beads change."""

    def __init__(self, of):
        self.of = of
        self.game = self.machine().game
        super().__init__((self.game.longest() + 1) // 2)
        if hasattr(of, "surface"):
            of.surface.observe(self.refresh, "view")

    def machine(self):
        if isinstance(self.of, Menace):
            return self.of
        for player in getattr(self.of, "players", ()):
            if isinstance(player, Menace):
                return player
        raise ValueError(f"{self.of!r}: expected a Menace, or a board on which one plays")

    def found(self):
        return [b for b in self.machine().boxes() if self.wanted(b.state(), b.stage())]

    def drawn(self):
        """{box: place of its bead} of the last game."""
        return {box.number: place for box, place in self.machine().last_game()}

    def card(self, box):
        drawn = self.drawn()
        marks = {action: str(n) for action, n in box.beads().items()}
        last = drawn.get(box.number, -1)
        title = f"box {box.number + 1}: {sum(box.beads().values())} beads"
        chosen = " drawn" if box.number in drawn else ""
        return (
            f'<figure class="course-card{chosen}" data-box="{box.number}">'
            f"{box.machine.game.svg(box.state(), last, marks)}"
            f"<figcaption>{title}<br>opened {box.opened()}×</figcaption></figure>"
        )

    def summary(self):
        machine = self.machine()
        return (
            f"{len(machine.boxes())} boxes, {int(machine.gauge()):,} beads; "
            f"{len(self.drawn())} boxes of the last game are marked"
        )

    def __repr__(self):
        return f"Drawer: {self.summary()}"


class QTableView(Pages):
    """The rows of a Q-table, the most visited first."""

    def __init__(self, agent):
        if not isinstance(agent, QLearning):
            raise ValueError(f"{agent!r}: expected a learner that q_learning made")
        self.agent, self.game = agent, agent.game
        super().__init__((self.game.longest() + 1) // 2)

    def found(self):
        agent = self.agent
        states = states_by_key(self.game, agent.eyes)
        rows = sorted(range(int(agent.table.used[0])), key=lambda row: -agent.visits[row])
        found = [(row, states[int(agent.table.keys[row])]) for row in rows]
        return [each for each in found if self.wanted(each[1], self.game.ply(each[1]) // 2)]

    def card(self, each):
        row, state = each
        marks = {a: f"{value:.2f}" for a, value in self.agent.q_values(state).items()}
        return (
            f'<figure class="course-card" data-row="{row}">{self.game.svg(state, -1, marks)}'
            f"<figcaption>visited {int(self.agent.visits[row])}×</figcaption></figure>"
        )

    def summary(self):
        return f"{int(self.agent.table.used[0])} positions met"

    def __repr__(self):
        return f"Q-table: {self.summary()}"


@functools.cache
def states_by_key(game, eyes):
    """{key: a position that has it}, over all positions that play can reach."""
    found, todo, seen = {}, [game.start()], {game.start()}
    while todo:
        state = todo.pop()
        found.setdefault(int(eyes.look(game, state)[0]), state)
        if len(seen) > MOST_POSITIONS:
            raise ValueError(f"{game} has too many positions to show them one by one")
        if not game.over(state):
            new = {game.play(state, action) for action in game.actions(state)} - seen
            seen |= new
            todo.extend(new)
    return found


def drawer(of):
    """The match boxes of a MENACE, or of the one that plays on a board of `play`."""
    return Drawer(of)


def qtable(agent):
    """The values of a Q-learner, position by position."""
    return QTableView(agent)
