"""A board to click: shows a position, plays moves, takes them back."""

import re
from html import escape

import ipywidgets

from course_lib.arena import move
from course_lib.games.hidden import shown_to
from course_lib.position import PLAYERS, Position, describe
from course_lib.thoughts import thought
from course_lib.widgets.surface import Surface, WithoutKernel


class Stack(WithoutKernel, ipywidgets.VBox):
    """Widgets below each other."""


class Board(Stack):
    """A position that can be edited: click to play for whoever is to move.

    mind: an agent whose thoughts are written on the board, such as perfect(game) for exact values.
    words: below the board its thoughts in words, too.
    """

    def __init__(self, game, state=None, mind=None, words=False):
        self.game = game
        self.states = [game.start() if state is None else state]
        self.actions = []
        self.mind, self.words = mind, words
        self.surface = Surface(self.choose, self.__repr__)
        self.undo_button = self.button("Undo", "take the last move back", self.undo)
        self.new_button = self.button("New game", "start again", self.new)
        super().__init__([self.surface, row([self.undo_button, self.new_button])])
        self.paint()

    def button(self, text, tooltip, on_click):
        """A button whose failures are shown on the board."""

        def clicked():
            with self.surface.failures_shown():
                on_click()

        return button(text, tooltip, clicked)

    @property
    def state(self):
        return self.states[-1]

    def position(self):
        return Position(self.game, self.state, self.actions[-1] if self.actions else -1)

    def choose(self, action):
        self.put(int(action))
        self.paint()

    def put(self, action):
        """Play a move; a ValueError where it is not legal."""
        self.states.append(move(self.game, self.state, action))
        self.actions.append(action)

    def undo(self):
        if self.actions:
            self.states.pop()
            self.actions.pop()
        self.paint()

    def new(self):
        del self.states[1:]
        self.actions.clear()
        self.paint()

    def over(self):
        return self.game.over(self.state)

    def watch(self, made):
        """For the arena: play(game, first, second, observers=[board.watch]) shows every move."""
        if self.over():  # the first move of the next game
            del self.states[1:]
            self.actions.clear()
        if made.position.state != self.state:
            self.states.append(made.position.state)
            self.actions.append(made.action)
            self.paint()

    def paint(self, message=""):
        position = self.position()
        marks = {}
        if self.mind is not None and not self.game.over(self.state):
            seen = shown_to(self.game, self.state, self.game.mover(self.state))
            found = thought(self.mind, self.game, seen)
            marks = found.marks
            message = message or found.words * self.words
        self.undo_button.disabled = not self.actions
        self.surface.show(
            drawing(position, marks),
            position.status(),
            self.moves_told(),
            message,
            mover=self.game.mover(self.state),
            spoken=self.spoken(),
        )

    def spoken(self):
        """The last move and who made it: what a person who sees the board sees on it."""
        if not self.actions:
            return ""
        who = PLAYERS[self.game.mover(self.states[-2])]
        return f"{who} played {self.words_of(len(self.actions) - 1)}"

    def words_of(self, number):
        """Move `number` of this game, as far as it may be told."""
        return describe(self.game, self.actions[number])

    def moves_told(self):
        return ", ".join(f"{n + 1}. {self.words_of(n)}" for n in range(len(self.actions)))

    def pictures(self):
        svg = self.surface.view["html"]
        return {"image/svg+xml": svg} if svg.startswith("<svg") else {}

    def __repr__(self):
        return repr(self.position())


def board(game, state=None, mind=None, words=False):
    """A board to try things out on."""
    return Board(game, state, mind, words)


def drawing(position, marks=None):
    """SVG where the game has it, else its text. What is written on a part is in its name, too."""
    if hasattr(position.game, "svg"):
        picture = position.game.svg(position.state, position.last, marks)
        for action, mark in (marks or {}).items():
            name = rf'( data-action="{action}"[^>]*><title>[^<]*)'
            picture = re.sub(name, rf"\g<1>, {escape(mark)}", picture)
        return picture
    return f"<pre>{escape(repr(position))}</pre>"


def row(widgets):
    """Side by side, and on a narrow page below each other."""
    return ipywidgets.Box(widgets, layout=ipywidgets.Layout(flex_flow="row wrap"))


def button(text, tooltip, on_click):
    made = ipywidgets.Button(
        description=text, tooltip=tooltip, layout=ipywidgets.Layout(width="auto")
    )
    made.on_click(lambda _: on_click())
    return made


class Buttons(Stack):
    """The same board without a picture: a button for each legal action. For a page that shows no
    drawings, or for whoever prefers words."""

    def __init__(self, of):
        self.of = of
        self.text = ipywidgets.HTML()
        self.row = row([])
        super().__init__([self.text, self.row])
        of.surface.observe(lambda _: self.paint(), "view")
        self.paint()

    def paint(self):
        of = self.of
        self.text.value = f"<pre>{escape(repr(of))}</pre>{escape(of.surface.view['message'])}"
        legal = [] if of.over() else of.game.actions(of.state)
        before = self.row.children
        self.row.children = [
            button(describe(of.game, action), f"play {action}", self._chooser(action))
            for action in legal
        ]
        for each in before:
            each.close()

    def _chooser(self, action):
        return lambda: self.of.surface.choose(action)

    def __repr__(self):
        return repr(self.of)
