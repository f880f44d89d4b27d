"""The formula of Q-learning with a slider for each of its letters: how far does one step go?"""

import ipywidgets

from course_lib import svg
from course_lib.widgets.board import Stack

LOW, HIGH = -4, 4  # no target is further away
WIDTH, HEIGHT, MARGIN = 640, 130, 30
GREEN = "#009E73"  # the target
LETTERS = (
    ("old", -2, 2, "Q as it was"),
    ("alpha", 0, 1, "α, learning rate: how much of the way to the target"),
    ("reward", -2, 2, "r, the reward"),
    ("gamma", 0, 1, "γ, discount: how much the next position counts"),
    ("future", -2, 2, "max Q(s′, ·), the best value in the next position"),
)


class Update(Stack):
    """The old value, the target and the new value on one line; built by `update`."""

    def __init__(self, values):
        self.sliders = {}
        for name, low, high, help in LETTERS:
            if not low <= values[name] <= high:
                raise ValueError(
                    f"{name}={values[name]!r}: expected a number from {low} to {high} ({help})"
                )
            self.sliders[name] = ipywidgets.FloatSlider(
                values[name],
                min=low,
                max=high,
                step=0.05,
                description=name,
                tooltip=help,
                style={"description_width": "70px"},
            )
        self.drawing = ipywidgets.HTML()
        self.line = ipywidgets.HTML()
        sliders = ipywidgets.Box(
            list(self.sliders.values()), layout={"flex_flow": "row wrap", "max_width": "680px"}
        )
        super().__init__([self.drawing, self.line, sliders])
        for each in self.sliders.values():
            each.observe(lambda _: self.paint(), "value")
        self.paint()

    def values(self):
        return {name: each.value for name, each in self.sliders.items()}

    def target(self):
        """Where the value is drawn to."""
        now = self.values()
        return now["reward"] + now["gamma"] * now["future"]

    def new(self):
        """The value after the step."""
        now = self.values()
        return (1 - now["alpha"]) * now["old"] + now["alpha"] * self.target()

    def paint(self):
        self.drawing.value = self.picture()
        self.line.value = f"<div class='course-line' role='note'>{self.words()}</div>"

    def words(self):
        now = {name: number(value) for name, value in self.values().items()}
        return (
            f"new value = (1 − {now['alpha']}) · {now['old']} + {now['alpha']} · "
            f"({now['reward']} + {now['gamma']} · {now['future']}) = {number(self.new())}"
        )

    def picture(self):
        """The number line; an arrow from the old value to the new one."""
        old, target, new = (place(each) for each in (self.sliders["old"].value, *self.ends()))
        base = 75
        shapes = [svg.shape("path", d=f"M{place(LOW)} {base}H{place(HIGH)}", stroke=svg.INK)]
        for tick in range(LOW, HIGH + 1):
            x = place(tick)
            shapes.append(svg.shape("path", d=f"M{x} {base - 4}v8", stroke=svg.INK))
            shapes.append(svg.text(number(tick), x, base + 20, 12))
        arrow = {"stroke": svg.COLOURS[0], "stroke_width": 6}
        shapes += [
            svg.shape("path", d=f"M{old} {base}H{new}", **arrow),
            svg.shape("circle", cx=old, cy=base, r=8, fill=svg.FAINT, stroke=svg.INK),
            svg.shape("path", d=f"M{target} {base - 10}l10 10l-10 10l-10 -10z", fill=GREEN),
            svg.shape("circle", cx=new, cy=base, r=8, fill=svg.COLOURS[0]),
            svg.text("target", target, base - 50, 13, GREEN),
            svg.text("old", old, base + 42, 13),
            svg.text("new", new, base - 26, 13, svg.COLOURS[0]),
        ]
        return svg.picture(WIDTH, HEIGHT, shapes, self.words())

    def ends(self):
        return self.target(), self.new()

    def pictures(self):
        return {"image/svg+xml": self.picture()}

    def __repr__(self):
        return f"{self.words()}; the target is {number(self.target())}"


def place(value):
    """Where on the picture a value is."""
    return round(MARGIN + (value - LOW) / (HIGH - LOW) * (WIDTH - 2 * MARGIN), 1)


def number(value):
    """At most three digits behind the point, and a true minus sign."""
    return f"{round(value, 3) + 0:g}".replace("-", "−")


def update(old=0.0, alpha=0.5, reward=1.0, gamma=0.9, future=0.0):
    """One step of Q-learning, to be dragged: each letter of the formula is a slider."""
    return Update({"old": old, "alpha": alpha, "reward": reward, "gamma": gamma, "future": future})
