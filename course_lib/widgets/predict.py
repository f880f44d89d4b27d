"""Say what you expect before you look: guess = predict(...), and later guess.answer(...)."""

import math
from html import escape

from ipywidgets import HTML, RadioButtons, Text

from course_lib.widgets.board import Stack

MARKS = {True: "✓", False: "✗", None: "?"}


class Predict(Stack):
    """A question with answers to choose from or, without them, with room for a number.

    Where the choices are numbers, the one nearest to the answer is right, as a ratio if all are
    positive: predictions are about sizes.
    """

    def __init__(self, question, choices=()):
        self.question, self.choices = question, tuple(choices)
        if self.choices:
            labels = [(shown(choice), choice) for choice in self.choices]
            # Of all choices that ipywidgets has, only these say which is chosen without colours.
            auto = {"width": "auto", "height": "auto"}
            self.field = RadioButtons(options=labels, value=None, layout=auto)
        else:
            self.field = Text(placeholder="a number", continuous_update=False)
        head = HTML(f"<b>Your prediction:</b> {escape(question)}")
        self.problem = HTML()
        super().__init__([head, self.field, self.problem])
        self.field.observe(lambda _: self.check(), "value")

    def guess(self):
        """What was chosen or typed; None as long as there is nothing that can be read."""
        value = self.field.value
        if self.choices:
            return value
        try:
            return float(value.replace(",", "").replace(" ", ""))
        except ValueError:
            return None

    def check(self):
        unreadable = not self.choices and self.field.value and self.guess() is None
        self.problem.value = "a number, please, such as 1000 or 0.5" if unreadable else ""

    def answer(self, found):
        """The answer beside the prediction; it changes when the prediction does."""
        return Answer(self, found)

    def nearest(self, found):
        """The choice that is right."""
        if found in self.choices:
            return found
        if not self.choices or not all(isinstance(each, int | float) for each in self.choices):
            raise ValueError(
                f"{found!r} is none of the choices: {', '.join(map(str, self.choices))}"
            )
        if min(*self.choices, found) > 0:
            return min(self.choices, key=lambda each: abs(math.log(each / found)))
        return min(self.choices, key=lambda each: abs(each - found))

    def __repr__(self):
        choices = "   ".join(f"( ) {shown(each)}" for each in self.choices) or "____"
        return f"Your prediction: {self.question}\n{choices}"


class Answer(Stack):
    """What came out, and what was predicted."""

    def __init__(self, of, found):
        self.of, self.found = of, found
        self.right = of.nearest(found) if of.choices else None
        self.text = HTML()
        super().__init__([self.text])
        of.field.observe(lambda _: self.paint(), "value")
        self.paint()

    def verdict(self):
        """True, False, or None where nothing was predicted or nothing is simply right."""
        guess = self.of.guess()
        return None if guess is None or not self.of.choices else guess == self.right

    def paint(self):
        self.text.value = f"<b>{MARKS[self.verdict()]}</b> {escape(repr(self))}"

    def __repr__(self):
        guess = self.of.guess()
        said = "no prediction yet" if guess is None else f"your prediction: {shown(guess)}"
        return f"The answer: {shown(self.found)} ({said})"


def shown(value):
    """Numbers with commas between the thousands; words as they are."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:,.10g}" if number else str(value)


def predict(question, choices=()):
    """Ask for a prediction: `guess = predict(...)`; `guess.answer(found)` shows both."""
    return Predict(question, choices)
