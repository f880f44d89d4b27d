"""A task whose answer is a function: cases, the truth, and the mistakes that people make."""

import dis
from collections.abc import Callable
from typing import Any, NamedTuple

from course_lib.checks.answers import Number, short
from course_lib.checks.feedback import OPEN, RIGHT, WRONG, Feedback
from course_lib.checks.trial import in_words, try_out, unwritten
from course_lib.position import Position

OPEN_SENTENCE = "Replace the line that raises NotImplementedError by your code, and check again."
NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "LOAD_COMMON_CONSTANT"}


def game_and_state(game, state, *rest):
    """What to draw of a case that begins with a game and a state."""
    return Position(game, state)


class Task(NamedTuple):
    """What to write, and how to tell whether it is right.

    `truth` and each of the `mistakes` take the arguments of a case. They return what `answer`, the
    kind of answer, compares with: a value, or for a move the set of all that would do.
    """

    number: str
    title: str
    name: str  # of the function that the learner writes
    cases: list  # the arguments of each call, the easiest first
    truth: Callable
    because: str  # what holds of a right answer, in one sentence
    hints: tuple
    mistakes: dict = {}  # {wrong function: "This behaves like a player who ... Look at ..."}
    answer: Any = Number()
    draw: Callable = game_and_state  # from the arguments of a case, the position to show, or None
    call: Callable | None = None  # how to ask: call(function, *arguments), if not directly
    seconds: float = 5

    def judge(self, function):
        """Feedback on a learner's function."""
        if function is ... or function is None:
            return self.feedback(OPEN, OPEN_SENTENCE)
        if not callable(function) and not hasattr(function, "choose"):
            return self.feedback(WRONG, self.not_a_function(function))
        trial = try_out(self.asking(function), self.cases, self.seconds)
        if is_stub(trial, function):
            return self.feedback(OPEN, still_open(trial.error, function))
        for case, answer, printed in zip(self.cases, trial.answers, trial.printed):
            position = self.draw(*case)
            if nonsense := self.nonsense(answer, position):
                mistake, advice = self.named(trial.answers)
                return self.feedback(
                    WRONG,
                    nonsense,
                    position=position,
                    compared=self.asked(case, position),
                    mistake=mistake,
                    advice=advice,
                    printed=printed,
                )
        if trial.error is not None:
            return self.failed(trial)
        return self.compare(trial)

    def asking(self, function):
        if self.call is None:
            return function
        return lambda *arguments: self.call(function, *arguments)

    def nonsense(self, answer, position):
        """A sentence on an answer that isn't of the kind that was asked for."""
        if answer is None or answer is ...:
            return f"Your function returns {answer!r} here: is a return missing?"
        return self.answer.nonsense(answer, position)

    def not_a_function(self, thing):
        return (
            f"{thing!r} is no function. Hand over the function itself, without brackets: "
            f'check("{self.number}", {self.name})'
        )

    def failed(self, trial):
        """The learner's code raised an error or was stopped, in the case after the last answer."""
        number = len(trial.answers)
        position = self.draw(*self.cases[number])
        return self.feedback(
            WRONG,
            in_words(trial.error, self.seconds),
            position=position,
            compared=self.asked(self.cases[number], position),
            printed=trial.printed[number] if number < len(trial.printed) else "",
        )

    def compare(self, trial):
        truths = [self.truth(*case) for case in self.cases]
        for case, answer, truth, printed in zip(self.cases, trial.answers, truths, trial.printed):
            if not self.alike(answer, truth):
                position = self.draw(*case)
                mistake, advice = self.named(trial.answers)
                return self.feedback(
                    WRONG,
                    self.because,
                    position=position,
                    marks=self.marks(answer, truth, position),
                    compared=(
                        *self.asked(case, position),
                        ("your answer", self.answer.words(answer, position)),
                        ("right", self.answer.words(truth, position)),
                    ),
                    mistake=mistake,
                    advice=advice,
                    printed=printed,
                )
        return self.feedback(RIGHT, self.because)

    def asked(self, case, position):
        """The arguments that can't be seen in the position, if there are any."""
        seen = () if position is None else position[:2]
        words = [
            "…"
            if any(argument is each for each in seen)
            else getattr(argument, "__name__", short(argument))
            for argument in case
        ]
        if all(word == "…" for word in words):
            return ()
        return (("asked", f"{self.name}({', '.join(words)})"),)

    def marks(self, answer, truth, position):
        """Texts on the board for the moves that were given and those that are right."""
        given, right = self.answer.squares(answer), self.answer.squares(truth)
        if position is not None:  # what is on a taken square stays to be seen
            given = given & set(position.game.actions(position.state))
        marks = dict.fromkeys(given - right, "yours")
        return marks | dict.fromkeys(right, "✓")

    def named(self, answers):
        """The typical mistake that gives the same answers in all cases, and what to do about it."""
        for mistake, advice in self.mistakes.items():
            if len(answers) == len(self.cases) and all(
                self.alike(answer, mistake(*case)) for answer, case in zip(answers, self.cases)
            ):
                return mistake.__name__.replace("_", " "), advice
        return "", ""

    def alike(self, answer, other):
        """Whether an answer, which may be nonsense, is the right one, or that of a mistake."""
        try:
            return self.answer.agrees(answer, other)
        except Exception:  # such things can't be compared
            return False

    def feedback(self, state, sentence, **more):
        return Feedback(self.number, self.title, state, sentence, **more)


def still_open(error, thing):
    """What is to be written first, in one sentence."""
    other = unwritten(error, thing) if error is not None else ""
    if other:
        return f"Your code calls {other}, which is not written yet: write that first."
    return OPEN_SENTENCE


def is_stub(trial, function):
    """Whether the very first call shows that nothing has been written yet."""
    if trial.answers:
        return (trial.answers[0] is None or trial.answers[0] is ...) and does_nothing(function)
    return isinstance(trial.error, NotImplementedError)


def does_nothing(function):
    """Whether a function only returns a constant; one that forgets its return does something."""
    code = getattr(function, "__code__", None)
    return code is None or all(each.opname in NOTHING for each in dis.get_instructions(code))
