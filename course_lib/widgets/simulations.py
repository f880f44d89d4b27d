"""MCTS step by step: selection, expansion, rollout, update, on the growing tree."""

import copy
import math
from html import escape

import ipywidgets
import numpy as np

from course_lib.agents.mcts import (
    ACTION,
    CHILD,
    LENGTH,
    MCTS,
    NONE,
    PLAYER,
    ROOT,
    SAME,
    SIBLING,
    TOTAL,
    VISITS,
)
from course_lib.agents.monte_carlo import check_unfinished, result_for_first
from course_lib.position import PLAYERS, describe
from course_lib.widgets.board import Stack, button
from course_lib.widgets.still import still
from course_lib.widgets.surface import Surface

MOST = 1000  # simulations to step through
MOST_SHOWN = 120  # nodes at once: more are only ink
STEPS = ("Selection", "Expansion", "Rollout", "Update")


class Simulations(Stack):
    """The tree after a number of simulations, and within the next one after each of its steps.

    The path of the simulation is marked. A click opens a node.
    """

    def __init__(self, agent, game, state, seed=0):
        if not isinstance(agent, MCTS):
            raise ValueError(f"{agent!r}: expected an agent that mcts(game, ...) has made")
        check_unfinished(game, state)
        self.game, self.root, self.seed = game, state, seed
        # a tree of its own: it is grown while others may use the agent's
        self.agent = agent._replace(tree=copy.deepcopy(agent.tree))
        self.last = min(agent.iterations, MOST)
        self.opened = set()
        self.surface = Surface(self.choose, self.__repr__)
        self.slider = ipywidgets.IntSlider(
            0, 0, self.last, description="simulations", layout={"width": "380px"}
        )
        self.slider.observe(lambda _: self.to(self.slider.value), "value")
        row = [
            button("Step ▶", "the next of the four steps", self.step),
            button("Simulation ▶▶", "all four steps", lambda: self.to(self.done + 1)),
            button("◀ Back", "one simulation back", lambda: self.to(self.done - 1)),
            self.slider,
        ]
        super().__init__([ipywidgets.Box(row, layout={"flex_flow": "row wrap"}), self.surface])
        self.begin()
        self.paint()

    # The simulations

    def begin(self):
        self.rng = np.random.default_rng([self.seed, 0])
        self.agent.tree.counts[:] = 0
        self.agent.plant(self.game, self.root)
        self.done = 0  # whole simulations
        self.part = 0  # steps of the next one that are done
        self.told = "the root is all there is: press Step"
        self.end = None  # the position in which a rollout ended

    def advance(self):
        """One of the four steps."""
        agent, game = self.agent, self.game
        if self.part == 0:
            self.state = agent.select(game, self.root)
            self.end = None
            way = ", ".join(self.move(node) for node in self.path()[1:])
            self.told = f"down the largest bounds: {way}" if way else "the root has untried moves"
        elif self.part == 1:
            before = len(self.path())
            self.state = agent.expand(game, self.state, self.rng)
            new = len(self.path()) > before
            self.told = f"a new node: {self.move(self.path()[-1])}" if new else "nothing to add"
        elif self.part == 2:
            self.end = self.end_of_rollout()
            self.result = agent.roll_out(game, self.state, self.rng)
            self.told = f"played on at random to the end: {self.who_won()}"
        else:
            agent.update(game, self.state, self.result)
            self.told = f"{self.who_won()}: each node of the path counts it for who moved there"
        self.part = (self.part + 1) % len(STEPS)
        self.done += self.part == 0

    def end_of_rollout(self):
        """The rollout that comes next, played with a copy of the chances."""
        rng, state = copy.deepcopy(self.rng), self.state
        while not self.game.over(state):
            state = self.game.play(state, int(self.agent.policy.choose(self.game, state, rng)))
        return state

    def who_won(self):
        result = result_for_first(self.game, self.end)
        return "a tie" if result == 0 else f"{PLAYERS[0 if result > 0 else 1]} wins"

    # What a person does

    def step(self):
        if self.done < self.last:
            with self.surface.failures_shown():
                self.advance()
                self.shown_at(self.done)

    def to(self, number):
        """The tree after so many whole simulations."""
        number = min(max(0, number), self.last)
        with self.surface.failures_shown():
            if number == self.done and self.part == 0:
                return
            if number <= self.done:
                self.begin()
            while self.done < number:
                self.advance()
            self.shown_at(number)

    def shown_at(self, number):
        """The slider follows; a change of it comes back here, and finds nothing to do."""
        if self.slider.value != number:
            part, self.part = self.part, 0
            self.slider.value = number
            self.part = part
        self.paint()

    def choose(self, name):
        """Open a node, or close it."""
        self.opened ^= {int(name)}
        self.paint()

    # What is shown

    def path(self):
        tree = self.agent.tree
        return [int(node) for node in tree.path[: int(tree.counts[LENGTH])]]

    def move(self, node):
        return describe(self.game, int(self.agent.tree.nodes[node, ACTION]))

    def paint(self):
        with self.surface.failures_shown():
            self.shown = 0
            self.way = self.path() if self.done or self.part else [ROOT]
            html = f'<ul class="course-tree">{self.node(ROOT, self.root, None)}</ul>'
            if self.end is not None:
                picture = f'<div class="course-mini">{still(self.game, self.end)}</div>'
                html = (
                    f'<div style="display:flex;gap:24px"><div>{html}</div><div>the rollout ended '
                    f"so:{picture}{escape(self.who_won())}</div></div>"
                )
            self.surface.show(html, self.status())

    def status(self):
        if self.done == 0 and self.part == 0:
            return self.told
        number = self.done + (self.part > 0)
        step = STEPS[self.part - 1]
        return f"simulation {number} of {self.last}, {step}: {self.told}"

    def below(self, node):
        """The children of a node, in the order of the actions."""
        nodes, found = self.agent.tree.nodes, []
        child = int(nodes[node, CHILD])
        while child != NONE:
            found.append(child)
            child = int(nodes[child, SIBLING])
        return sorted(found, key=lambda child: nodes[child, ACTION])

    def node(self, node, state, log):
        """One node as HTML; log: of the parent's visits, for the bound."""
        self.shown += 1
        nodes = self.agent.tree.nodes
        same = int(nodes[node, SAME])
        children = self.below(same)
        open_now = same in self.way or node in self.opened
        rows = ""
        if open_now and children and self.shown <= MOST_SHOWN:
            visits = int(nodes[same, VISITS])
            ours = math.log(visits) if visits else None
            rows = "".join(
                self.node(child, self.game.play(state, int(nodes[child, ACTION])), ours)
                for child in children
            )
        sign = ("▾" if open_now else "▸") if children else "•"
        action = int(nodes[node, ACTION]) if node != ROOT else -1
        mini = f'<div class="course-mini">{still(self.game, state, action)}</div>'
        return (
            f"<li>{self.head(node, log, sign, state)}{mini if open_now else ''}"
            f"{f'<ul>{rows}</ul>' if rows else ''}</li>"
        )

    def head(self, node, log, sign, state):
        name = "root" if node == ROOT else self.move(node)
        words = self.numbers(node, log)
        on_way = int(self.agent.tree.nodes[node, SAME]) in self.way
        here = " here" if on_way and node != ROOT else ""
        can_open = f'data-action="{node}"' if sign != "•" and not on_way else ""
        ended = " · over" if self.game.over(state) else ""
        return (
            f'<span class="course-node{here}" data-cell="{node}" data-node="{node}" {can_open} '
            f'aria-label="{escape(f"{name}: {words}{ended}")}">{sign} <b>{escape(name)}</b> '
            f"<small>{escape(words + ended)}</small></span>"
        )

    def numbers(self, node, log):
        """Value, visits and bound of a node."""
        nodes = self.agent.tree.nodes
        node = int(nodes[node, SAME])
        visits = int(nodes[node, VISITS])
        many = f"{visits:,} visit{'s' if visits != 1 else ''}"
        if visits == 0:
            return "new" if node != ROOT else many
        if node == ROOT:
            return many
        value = nodes[node, TOTAL] / visits
        text = f"{value + 0.0:+.2f} for {PLAYERS[nodes[node, PLAYER]]} · {many}"
        if log is not None:
            bonus = self.agent.c * math.sqrt(log / visits)
            text += f" · bound {value:.2f} + {bonus:.2f} = {value + bonus:.2f}"
        return text

    def pictures(self):
        """The position from which it starts."""
        root = still(self.game, self.root)
        return {"image/svg+xml": root} if root.startswith("<svg") else {}

    def __repr__(self):
        lines = [self.status(), f"root: {self.numbers(ROOT, None)}"]
        visits = int(self.agent.tree.nodes[ROOT, VISITS])
        log = math.log(visits) if visits else None
        for child in self.below(ROOT):
            lines.append(f"  {self.move(child)}: {self.numbers(child, log)}")
        return "\n".join(lines)


def simulations(agent, state=None, seed=0):
    """Step through the simulations of an `MCTS`, from the start or from another position."""
    game = getattr(agent, "game", None)
    if state is None and game is not None:
        state = game.start()
    return Simulations(agent, game, state, seed)
