"""The few shapes that boards are drawn with, as SVG text.

Player 0 is a blue cross, player 1 an orange ring: shape and colour tell them apart, and the two
colours are from the colour-blind-safe palette of Okabe and Ito. Whatever can be played carries
`data-action`, so that a page can make it clickable.
"""

from html import escape

COLOURS = ("#0072B2", "#D55E00")
MARK = "#F0E442"  # the last move and the winning line
INK, PAPER, FAINT = "#333333", "#FFFFFF", "#C8C8C8"
CELL = 60


def shape(tag, title="", **attributes):
    """One element: `shape("circle", cx=3, stroke_width=2)`; a title is spoken by screen readers."""
    named = "".join(
        f' {name.replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items()
    )
    return f"<{tag}{named}><title>{escape(title)}</title></{tag}>" if title else f"<{tag}{named}/>"


def text(content, x, y, size=14, colour=INK):
    """Centred text."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" text-anchor="middle" '
        f'dominant-baseline="central" font-family="sans-serif">{escape(str(content))}</text>'
    )


def mark(content, x, y, size=14):
    """A number that belongs to an action: written on the board in place of what is there."""
    return text(content, x, y, size, "#000000")


def piece(player, x, y, radius):
    """A cross for player 0, a ring for player 1, around (x, y)."""
    style = {"stroke": COLOURS[player], "stroke_width": round(radius / 3, 1), "fill": "none"}
    if player == 1:
        return shape("circle", cx=x, cy=y, r=radius, **style)
    arms = f"M{x - radius:g} {y - radius:g}l{2 * radius:g} {2 * radius:g}"
    arms += f"M{x + radius:g} {y - radius:g}l{-2 * radius:g} {2 * radius:g}"
    return shape("path", d=arms, stroke_linecap="round", **style)


def picture(width, height, shapes, label):
    """A whole drawing; `label` says in words what it shows."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" aria-label="{escape(label)}">'
        + shape("rect", width=width, height=height, rx=6, fill=PAPER)
        + "".join(shapes)
        + "</svg>"
    )
