"""A game of two rows and two columns with sliders: what is a mix worth?"""

from html import escape

from ipywidgets import HTML, FloatSlider, HBox, Image, Layout, VBox

from course_lib import plots
from course_lib.exact.matrix_game import solve_game
from course_lib.widgets.board import Stack

NAMES = (("left", "left"), ("left", "right"), ("right", "left"), ("right", "right"))


class Mixing(Stack):
    """You place left or right; the other traps left or right. Sliders for payoffs and chance."""

    def __init__(self, payoffs, chance=1.0):
        (a, b), (c, d) = payoffs
        self.sliders = [
            slider(f"{place}, trap {trap}", value, -1, 1, f"score: you {place}, the trap {trap}")
            for (place, trap), value in zip(NAMES, (a, b, c, d), strict=True)
        ]
        self.chance = slider("chance of left", chance, 0, 1, "how often you place left")
        self.image = Image(format="png", layout=Layout(width="480px", height="320px"))
        self.text = HTML()
        for each in (*self.sliders, self.chance):
            each.observe(lambda _: self.paint(), "value")
        super().__init__(
            [HBox([VBox([*self.sliders, self.chance, self.text]), self.image])],
        )
        self.paint()

    def payoffs(self):
        a, b, c, d = (each.value for each in self.sliders)
        return [[a, b], [c, d]]

    def worst(self):
        """What the chance chosen is sure to be worth, whatever the trapper does."""
        p, (first, second) = self.chance.value, self.payoffs()
        return min(p * first[c] + (1 - p) * second[c] for c in (0, 1))

    def paint(self):
        picture = plots.picture(
            plots.mixing, self.payoffs(), self.chance.value, size=(4.8, 3.2), words="mixes"
        )
        self.image.value = picture.png
        self.image.alt = repr(self)
        self.text.value = f"<pre>{escape(repr(self))}</pre>"

    def pictures(self):
        return {}

    def __repr__(self):
        best = solve_game(self.payoffs())
        p = self.chance.value
        return "\n".join(
            [
                f"left {100 * p:.0f}% of the time: sure of {self.worst() + 0:+.2f}",
                f"best possible: {best.value + 0:+.2f}",
            ]
        )


def slider(name, value, low, high, help):
    return FloatSlider(
        value=value,
        min=low,
        max=high,
        step=0.05,
        description=name,
        tooltip=help,
        style={"description_width": "120px"},
        layout=Layout(width="330px"),
    )


def mixing(payoffs=((-1.0, 1.0), (0.5, -0.5)), chance=1.0):
    """Sliders for a game of two rows and two columns: find the chance that nobody can punish."""
    return Mixing(payoffs, chance)
