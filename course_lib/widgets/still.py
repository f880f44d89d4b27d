"""A small board to look at: nothing on it can be chosen."""

import re
from html import escape

from course_lib.position import draw

CHOOSABLE = re.compile(r' data-(?:cell|action)="[^"]*"')


def still(game, state, last=-1, marks=None):
    """The position as SVG where the game has it, else as text."""
    if not hasattr(game, "svg"):
        return f"<pre>{escape(draw(game, state))}</pre>"
    return CHOOSABLE.sub("", game.svg(state, last, marks))
