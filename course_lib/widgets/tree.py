"""The tree that a search walked: open it node by node, or follow the search step by step."""

from html import escape

import ipywidgets
import numpy as np

from course_lib.agents.search import Evidence
from course_lib.position import PLAYERS, describe
from course_lib.widgets.board import Stack, button
from course_lib.widgets.surface import Surface

MOST_SHOWN = 300  # nodes at once: more are only ink


class TreeView(Stack):
    """Only what is open is drawn, so a large tree stays quick."""

    def __init__(self, evidence):
        if not isinstance(evidence, Evidence) or len(evidence.tree.parents) == 0:
            raise ValueError(
                "expected what search(searcher, game, state, keep_tree=N) returns, with N > 0"
            )
        self.evidence, self.tree = evidence, evidence.tree
        self.game = evidence.tree.game
        self.opened = {0}
        self.surface = Surface(self.choose, self.__repr__)
        last = len(self.tree.parents) - 1
        self.step = ipywidgets.IntSlider(0, 0, last, description="step", layout={"width": "420px"})
        self.step.observe(lambda _: self.follow(), "value")
        super().__init__(
            [
                ipywidgets.HBox(
                    [
                        button("◀ Back", "the visit before", lambda: self.go(-1)),
                        button("Step ▶", "the next visit of the search", lambda: self.go(1)),
                        self.step,
                        button("Close all", "only the root", self.close_all),
                    ]
                ),
                self.surface,
            ]
        )
        self.paint()

    def choose(self, name):
        """Open a node, or close it."""
        self.opened ^= {int(name)}
        self.paint()

    def go(self, by):
        self.step.value = min(max(0, self.step.value + by), self.step.max)

    def follow(self):
        """Open the way to the node that the search visits at this step."""
        self.opened |= set(self.path(self.step.value)[:-1])
        self.paint()

    def close_all(self):
        self.opened = {0}
        self.paint()

    def path(self, node):
        way = [node]
        while way[-1] > 0:
            way.append(int(self.tree.parents[way[-1]]))
        return way[::-1]

    def paint(self):
        self.shown = 0
        html = f'<ul class="course-tree">{self.node(0)}</ul>'
        if self.shown > MOST_SHOWN:
            html += "<p>More nodes are open than are shown: close some.</p>"
        self.surface.show(html, self.status())

    def status(self):
        tree, node = self.tree, self.step.value
        words = f"step {node} of {self.step.max}"
        if node:
            words += f": {describe(self.game, int(tree.actions[node]))}"
        words += f"; α = {number(tree.alphas[node])}, β = {number(tree.betas[node])}"
        if not tree.complete:
            words += (
                f" (the first {len(tree.parents):,} of {self.evidence.nodes:,} nodes were kept)"
            )
        return words

    def node(self, node):
        """One node as HTML, with what is open below it."""
        self.shown += 1
        tree = self.tree
        children = tree.children(node)
        state = tree.state(node)
        visited = node <= self.step.value or self.step.value == 0
        value = f"value {number(tree.values[node])}" if visited or not self.step.value else ""
        cut = " · cut: the rest can't matter" if tree.cuts[node] else ""
        who = "over" if self.game.over(state) else f"{PLAYERS[self.game.mover(state)]} to move"
        move = describe(self.game, int(tree.actions[node])) if node else "root"
        sign = ("▾" if node in self.opened else "▸") if children else "•"
        action = f'data-action="{node}"' if children else ""
        here = " here" if node == self.step.value and self.step.value else ""
        label = f"{move}: {value}, {who}{cut}"
        head = (
            f'<span class="course-node{here}" data-cell="{node}" data-node="{node}" {action} '
            f'aria-label="{escape(label)}">{sign} <b>{escape(move)}</b> {escape(value)} '
            f"<small>[α {number(tree.alphas[node])}, β {number(tree.betas[node])}] {who}{cut}"
            f"</small></span>"
        )
        picture = self.game.svg(state, int(tree.actions[node]) if node else -1)
        picture = f'<div class="course-mini">{picture}</div>' if hasattr(self.game, "svg") else ""
        below = ""
        if node in self.opened and children and self.shown <= MOST_SHOWN:
            below = f"<ul>{''.join(self.node(child) for child in children)}</ul>"
        return f"<li>{head}{picture}{below}</li>"

    def __repr__(self):
        return f"Tree of {self.evidence!r}"


def number(value):
    """∞ for the ends of a window."""
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value + 0.0:g}"


def tree(evidence):
    """The tree of `search(searcher, game, state, keep_tree=N)`."""
    return TreeView(evidence)
