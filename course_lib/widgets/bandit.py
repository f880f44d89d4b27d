"""Slot machines with a slider for C: value, bound and pulls of each arm."""

from html import escape

import ipywidgets

from course_lib import svg
from course_lib.bandit import pull
from course_lib.widgets.board import Stack, button
from course_lib.widgets.controls import made

CHANCES = (0.3, 0.5, 0.55, 0.7)
MOST_PULLS = 2000
WIDTH, ROW, LEFT = 600, 34, 70


class BanditView(Stack):
    """All pulls are made again at every change, with the same luck."""

    def __init__(self, chances, c, pulls, seed):
        self.chances, self.seed = chances, seed
        self.picture, self.line = ipywidgets.HTML(), ipywidgets.HTML()
        self.c = made(
            ipywidgets.FloatSlider, "C", "how much is tried out", value=c, min=0, max=3, step=0.05
        )
        self.pulls = made(
            ipywidgets.IntSlider, "pulls", "in all", value=pulls, min=0, max=MOST_PULLS
        )
        self.truth = ipywidgets.Checkbox(description="show the truth", value=False)
        for each in (self.c, self.pulls, self.truth):
            each.observe(lambda _: self.paint(), "value")
        luck = button("Other luck", "the same machines on another day", self.other_luck)
        one = button("Pull ▶", "one pull more", self.one_more)
        wrap = {"flex_flow": "row wrap"}
        row = ipywidgets.Box([self.c, self.pulls, one, luck, self.truth], layout=wrap)
        super().__init__([row, self.picture, self.line])
        self.paint()

    def one_more(self):
        self.pulls.value = min(MOST_PULLS, self.pulls.value + 1)

    def other_luck(self):
        self.seed += 1
        self.paint()

    def paint(self):
        self.found = pull(self.chances, self.pulls.value, self.c.value, self.seed)
        self.picture.value = arms(self.found, self.truth.value)
        self.line.value = escape(repr(self.found))

    def __repr__(self):
        return f"{len(self.chances)} arms, C = {self.c.value:g}: {self.found!r}"


def arms(found, truth=False):
    """A row an arm: its mean as a dot, what may yet be true as a bar up to the bound."""
    shapes = []
    scale = (WIDTH - LEFT - 120) / 2  # up to a bound of 2: larger ones leave the picture

    def across(value):
        return LEFT + scale * min(max(value, 0.0), 2.0)

    means, bounds = found.means(), found.bounds()
    largest = bounds.max()
    for arm, (mean, bound) in enumerate(zip(means, bounds, strict=True)):
        y = 20 + arm * ROW
        shapes.append(svg.text(f"arm {arm + 1}", LEFT / 2, y, 13))
        best = bound == largest
        low = 0.0 if found.pulls[arm] == 0 else mean
        shapes.append(
            svg.shape(
                "rect",
                f"bound {bound:.2f}",
                x=across(low),
                y=y - 7,
                width=across(bound) - across(low),
                height=14,
                fill=svg.MARK if best else svg.FAINT,
            )
        )
        if found.pulls[arm]:
            shapes.append(svg.shape("circle", cx=across(mean), cy=y, r=6, fill=svg.COLOURS[0]))
        if truth:
            at = across(found.chances[arm])
            mark = f"M{at - 6} {y - 10}l6 10l6 -10z"
            shapes.append(
                svg.shape("path", f"truth {found.chances[arm]:g}", d=mark, fill="#009E73")
            )
        many = int(found.pulls[arm])
        shapes.append(svg.text(f"{many:,} pulls", WIDTH - 55, y, 13))
    bottom = 20 + len(means) * ROW
    for value in (0, 0.5, 1, 1.5, 2):
        shapes.append(svg.text(f"{value:g}", across(value), bottom, 11))
    return svg.picture(WIDTH, bottom + 14, shapes, repr(found))


def bandit(chances=CHANCES, c=1.0, pulls=20, seed=0):
    """Slot machines: blue dots are means, bars reach to the bounds, yellow is pulled next."""
    pull(chances, pulls, c, seed)  # a wrong value is told here
    return BanditView(tuple(chances), c, pulls, seed)
