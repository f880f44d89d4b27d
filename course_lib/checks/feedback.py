"""What a learner sees: text everywhere, and in a notebook a picture of the position as well."""

import re
from html import escape
from typing import Any, NamedTuple

from course_lib.position import draw

OPEN, WRONG, RIGHT = STATES = ("not attempted", "wrong", "right")
SIGNS = {OPEN: "○", WRONG: "✗", RIGHT: "✓"}
COLOURS = {OPEN: "#888888", WRONG: "#D55E00", RIGHT: "#009E73"}
BOX = (
    '<div style="border-left:4px solid {colour};padding:2px 12px;margin:4px 0;'
    'color:var(--jp-content-font-color1,inherit)">{content}</div>'
)


class Feedback(NamedTuple):
    """The outcome of one check; it shows itself."""

    number: str
    title: str
    state: str
    sentence: str
    position: Any = None  # where it went wrong
    marks: dict = {}  # texts on the board there: {action: text}
    compared: tuple = ()  # pairs: ("your answer", "1"), ("right", "0")
    mistake: str = ""  # the name of a typical mistake that behaves alike
    advice: str = ""  # how to look for it
    printed: str = ""

    def headline(self):
        return f"{SIGNS[self.state]} {self.number} {self.title}: {self.state}"

    def texts(self):
        """All that is said below the picture."""
        texts = [f"{name}: {value}" for name, value in self.compared]
        texts += [self.sentence] if self.sentence else []
        if self.mistake:
            texts.append(f"This looks like: {in_plain_words(self.mistake)}. {self.advice}")
        if self.state == WRONG:
            texts.append(f'Stuck? hint("{self.number}") goes one step further.')
        return texts

    def __repr__(self):
        board = [] if self.position is None else board_lines(self.position)
        printed = ["it printed:", self.printed.rstrip()] if self.printed else []
        return "\n".join([self.headline(), *board, *self.texts(), *printed])

    def _repr_html_(self):
        content = [f"<b>{escape(self.headline())}</b>"]
        if self.position is not None:
            content.append(board_html(self.position, self.marks))
        content += [f"<div>{escape(text)}</div>" for text in self.texts()]
        if self.printed:
            content.append(f"<div>it printed:</div><pre>{escape(self.printed.rstrip())}</pre>")
        return BOX.format(colour=COLOURS[self.state], content="".join(content))


def in_plain_words(name):
    """The name of a function or a class as people say it: AMinusAlways, "a minus always"."""
    if " " in name:
        return name
    return re.sub("(?<!^)(?=[A-Z])", " ", name).replace("_", " ").lower()


def board_lines(position):
    return [draw(position.game, position.state), position.status()]


def board_html(position, marks):
    game = position.game
    if hasattr(game, "svg"):
        picture = game.svg(position.state, position.last, marks)
    else:
        picture = f"<pre>{escape(draw(game, position.state))}</pre>"
    return f'<div style="margin:6px 0">{picture}</div><div>{escape(position.status())}</div>'


class Note(NamedTuple):
    """A hint, a solution, a message: a headline, and text or code."""

    headline: str
    text: str = ""
    code: str = ""

    def __repr__(self):
        return "\n".join(part for part in (self.headline, self.text, self.code) if part)

    def _repr_html_(self):
        content = f"<b>{escape(self.headline)}</b>"
        if self.text:
            content += f"<div>{escape(self.text)}</div>"
        if self.code:
            content += f"<pre>{escape(self.code)}</pre>"
        return BOX.format(colour="#0072B2", content=content)
