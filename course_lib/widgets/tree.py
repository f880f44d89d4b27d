"""The tree that a search walked: open it node by node, or follow the search step by step."""

from html import escape

import ipywidgets
import numpy as np

from course_lib.agents.search import Evidence
from course_lib.position import PLAYERS, describe
from course_lib.widgets.board import Stack, button, row
from course_lib.widgets.still import still
from course_lib.widgets.surface import SpokenSliders, Surface

MOST_SHOWN = 150  # nodes at once: more are only ink
PALE = "opacity:0.55"


class TreeView(Stack):
    """Only what is open is drawn, so a large tree stays quick.

    Step 0 shows the tree as it was in the end; at step n the search enters its n-th node, and only
    what it knows by then is shown.
    """

    def __init__(self, evidence):
        if not isinstance(evidence, Evidence) or len(evidence.tree.parents) == 0:
            raise ValueError(
                "expected what search(searcher, game, state, keep_tree=N) returns, with N > 0"
            )
        self.evidence, self.tree = evidence, evidence.tree
        self.game = evidence.tree.game
        self.children_of = Children(self.tree.parents)
        self.last = last_below(self.tree.parents)
        self.opened = {0}
        self.surface = Surface(self.choose, self.__repr__)
        last = len(self.tree.parents)
        self.step = ipywidgets.IntSlider(0, 0, last, description="step", layout={"width": "380px"})
        self.step.observe(lambda _: self.follow(), "value")
        steps = [
            button("◀ Back", "the visit before", lambda: self.go(-1)),
            button("Step ▶", "the next visit of the search", lambda: self.go(1)),
            self.step,
            button("Whole tree", "no stepping; only the root is open", self.close_all),
        ]
        super().__init__([row(steps), self.surface, SpokenSliders()])
        self.paint()

    # What a person does

    def choose(self, name):
        """Open a node, or close it."""
        self.opened ^= {int(name)}
        self.paint()

    def go(self, by):
        self.step.value = min(max(0, self.step.value + by), self.step.max)

    def follow(self):
        """Open just the way to the node that the search enters at this step."""
        self.opened = set(self.path(self.here())) if self.step.value else {0}
        self.paint()

    def close_all(self):
        self.opened = {0}
        self.step.value = 0
        self.paint()

    # What is known

    def here(self):
        """The node that the search enters at this step."""
        return max(0, self.step.value - 1)

    def path(self, node):
        way = [node]
        while way[-1] > 0:
            way.append(int(self.tree.parents[way[-1]]))
        return way[::-1]

    def visited(self, node):
        return self.step.value == 0 or node <= self.here()

    def left(self, node):
        """Whether the search is done with a node by now: it has a value."""
        complete = self.tree.complete or self.last[node] < len(self.tree.parents) - 1
        return complete and (self.step.value == 0 or self.last[node] <= self.here())

    # What is shown

    def paint(self):
        with self.surface.failures_shown():
            self.shown = 0
            self.way = set(self.path(self.here()))
            html = f'<ul class="course-tree">{self.node(0, self.tree.root)}</ul>'
            if self.shown > MOST_SHOWN:
                html += "<p>More nodes are open than are shown: close some.</p>"
            self.surface.show(html, self.status())

    def status(self):
        tree, node = self.tree, self.here()
        if self.step.value == 0:
            words = f"{len(tree.parents):,} nodes were looked at: click one to open it"
        else:
            move = describe(self.game, int(tree.actions[node])) if node else "the root"
            words = f"step {self.step.value} of {self.step.max}: {move}; {self.window(node)}"
        if not tree.complete:
            words += f" (of {self.evidence.nodes:,} nodes the first {len(tree.parents):,} are kept)"
        return words

    def window(self, node):
        return f"α = {number(self.tree.alphas[node])}, β = {number(self.tree.betas[node])}"

    def node(self, node, state):
        """One node as HTML, with what is open below it."""
        self.shown += 1
        if not self.visited(node):
            return self.not_yet(node)
        children = self.children_of(node)
        action = int(self.tree.actions[node]) if node else -1
        open_now = bool(children) and node in self.opened and self.shown <= MOST_SHOWN
        below = self.below(node, state, children) if open_now else ""
        sign = ("▾" if open_now else "▸") if children else "•"
        # While stepping, boards only on the way: the rest would push it out of sight.
        drawn = self.step.value == 0 or node in self.way
        picture = f'<div class="course-mini">{still(self.game, state, action)}</div>'
        return f"<li>{self.head(node, state, sign)}{picture if drawn else ''}{below}</li>"

    def head(self, node, state, sign):
        tree = self.tree
        move = describe(self.game, int(tree.actions[node])) if node else "root"
        value = f"value {number(tree.values[node])}" if self.left(node) else "value ?"
        who = "over" if self.game.over(state) else f"{PLAYERS[self.game.mover(state)]} to move"
        cut = " · cut: the rest can't matter" if tree.cuts[node] and self.left(node) else ""
        here = " here" if self.step.value and node == self.here() else ""
        open_now = "true" if sign == "▾" else "false"
        can_open = "" if sign == "•" else f'data-action="{node}" aria-expanded="{open_now}"'
        words = f"{self.window(node)}, {who}{cut}"
        return (
            f'<span class="course-node{here}" data-cell="{node}" data-node="{node}" {can_open} '
            f'aria-label="{escape(f"{move}: {value}, {words}")}">{sign} <b>{escape(move)}</b> '
            f"{value} <small>{escape(words)}</small></span>"
        )

    def below(self, node, state, children):
        """The children, and those that were cut off."""
        actions = [int(self.tree.actions[child]) for child in children]
        rows = [
            self.node(child, self.game.play(state, action))
            for child, action in zip(children, actions, strict=True)
        ]
        if self.tree.cuts[node] and self.left(node):
            for action in self.game.actions(state):
                if action not in actions:
                    move = escape(describe(self.game, int(action)))
                    rows.append(
                        f'<li style="{PALE}" data-cut="{action}">✂ {move}: not looked at</li>'
                    )
        return f"<ul>{''.join(rows)}</ul>"

    def not_yet(self, node):
        move = escape(describe(self.game, int(self.tree.actions[node])))
        return f'<li style="{PALE}" data-later="{node}">{move}</li>'

    def pictures(self):
        """The position that was searched."""
        root = still(self.game, self.tree.root)
        return {"image/svg+xml": root} if root.startswith("<svg") else {}

    def __repr__(self):
        lines = [f"Tree of {self.evidence!r}", *self.as_lines(0, self.tree.root, "  ")]
        return "\n".join(lines)

    def as_lines(self, node, state, indent):
        """What is open, as text."""
        if not self.visited(node):
            return []
        move = describe(self.game, int(self.tree.actions[node])) if node else "root"
        value = number(self.tree.values[node]) if self.left(node) else "?"
        lines = [f"{indent}{move}: {value}"]
        if node in self.opened:
            for child in self.children_of(node):
                after = self.game.play(state, int(self.tree.actions[child]))
                lines += self.as_lines(child, after, indent + "  ")
        return lines


class Children:
    """The children of each node. (To look through all nodes for each one would take too long.)"""

    def __init__(self, parents):
        self.order = np.argsort(parents, kind="stable")
        self.starts = np.searchsorted(parents[self.order], np.arange(len(parents) + 1))

    def __call__(self, node):
        return self.order[self.starts[node] : self.starts[node + 1]].tolist()


def last_below(parents):
    """For each node the last one of those below it, itself if there is none."""
    above = parents.tolist()
    last = list(range(len(above)))
    for node in range(len(above) - 1, 0, -1):
        last[above[node]] = max(last[above[node]], last[node])
    return last


def number(value):
    """∞ for the ends of a window."""
    if np.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value + 0.0:g}"


def tree(evidence):
    """The tree of `search(searcher, game, state, keep_tree=N)`."""
    return TreeView(evidence)
