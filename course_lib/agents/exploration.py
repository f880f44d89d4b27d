"""When a learner tries something new: how ε, the chance of a random move, goes over time.

A schedule says what ε is now (`epsilon`) and is told of each own move (`after_move`). What it has
to remember is in the learner's `clock`: the games begun, its own count, and how often the learner
has moved in the present position before.
"""

from typing import Annotated, NamedTuple

from course_lib.parameters import Range, checked

GAMES, STEPS, VISITS = range(3)  # what the entries of a clock mean


@checked
class Constant(NamedTuple):
    """The same ε for ever."""

    lean = True

    start: Annotated[float, Range(0, 1, "ε: the chance of a random move")] = 0.1

    def epsilon(self, clock):
        return self.start

    def after_move(self, clock, explored):
        pass

    def wants_untried(self):
        return False


@checked
class Linear(NamedTuple):
    """ε until game `begin`, then evenly less, to 0 (Pulles 2019, section 3.1.4).

    The text lets ε fall with each game, so that it is 0 from game `end` on. The plots fit a step
    of ε / (end − begin) at each own *move*: it is 0 several times sooner (`per_move`).
    """

    lean = True

    start: Annotated[float, Range(0, 1, "ε: the chance of a random move at first")] = 0.3
    begin: Annotated[
        int, Range(0, 10_000_000, "εs: the game in which ε begins to fall", (0, 500))
    ] = 100
    end: Annotated[
        int, Range(0, 10_000_000, "εe: the game in which it would reach 0", (0, 1000))
    ] = 200
    per_move: Annotated[bool, Range(0, 1, "falls with each own move, not with each game")] = True

    def problem(self):
        if self.end < self.begin:
            return f"begin={self.begin}, end={self.end}: ε can't stop falling before it begins to"
        return ""

    def epsilon(self, clock):
        if clock[GAMES] < self.begin:
            return self.start
        if self.end == self.begin:
            return 0.0
        steps = clock[STEPS] if self.per_move else clock[GAMES] - self.begin
        return max(0.0, self.start * (1 - steps / (self.end - self.begin)))

    def after_move(self, clock, explored):
        if clock[GAMES] >= self.begin:
            clock[STEPS] += 1

    def wants_untried(self):
        return False


@checked
class StopAfter(NamedTuple):
    """The same ε for a number of games, then 0 (Kyziridis & Tsiaousis 2019: two thirds of all)."""

    lean = True

    start: Annotated[float, Range(0, 1, "ε: the chance of a random move at first")] = 0.2
    games: Annotated[int, Range(0, 1_000_000_000, "games with exploration", (0, 1000))] = 1000

    def epsilon(self, clock):
        return self.start if clock[GAMES] <= self.games else 0.0

    def after_move(self, clock, explored):
        pass

    def wants_untried(self):
        return False


@checked
class Decaying(NamedTuple):
    """ε times `factor` at each random move, 0 once below `floor` (Kyziridis & Tsiaousis 2019)."""

    lean = True

    start: Annotated[float, Range(0, 1, "ε: the chance of a random move at first")] = 1.0
    factor: Annotated[
        float, Range(0, 1, "what ε is multiplied by at each random move", (0.9, 1))
    ] = 0.99
    floor: Annotated[float, Range(0, 1, "below this, ε is 0", (0, 0.2))] = 0.001

    def epsilon(self, clock):
        epsilon = self.start * self.factor ** clock[STEPS]
        return epsilon if epsilon >= self.floor else 0.0

    def after_move(self, clock, explored):
        if explored:
            clock[STEPS] += 1

    def wants_untried(self):
        return False


@checked
class Counting(NamedTuple):
    """ε falls in each position with the visits to it: times / (times + visits)."""

    lean = True

    times: Annotated[
        float, Range(0, 1_000_000, "visits to a position until ε is a half there", (0, 100))
    ] = 10.0

    def epsilon(self, clock):
        return self.times / (self.times + clock[VISITS]) if self.times > 0 else 0.0

    def after_move(self, clock, explored):
        pass

    def wants_untried(self):
        return False


class UntilNoZero(NamedTuple):
    """No chance at all: the first move whose value is still exactly 0 is tried first.

    Arvidsson & Wallgren 2010, section 2.2.3: the exploration phase.
    """

    lean = True

    def epsilon(self, clock):
        return 0.0

    def after_move(self, clock, explored):
        pass

    def wants_untried(self):
        return True


SCHEDULES = (Constant, Linear, StopAfter, Decaying, Counting, UntilNoZero)
