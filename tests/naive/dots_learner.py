"""The learner of Arvidsson & Wallgren 2010, naively: sets of lines, dictionaries, listings 1 and 2.

Only what the thesis says of it is used, and the rules of `rules.DotsAndBoxes` are not: boxes are
counted anew after each move.
"""

ROWS = COLS = 2
LINES = range(12)
# The sides of the four boxes, by the numbers of figure 2: above, left, right, below.
BOXES = [{0, 2, 3, 5}, {1, 3, 4, 6}, {5, 7, 8, 10}, {6, 8, 9, 11}]


def full_boxes(drawn):
    return sum(box <= drawn for box in BOXES)


class Learner:
    """`textbook`: Q + α(r + γ max − Q); else the same sum in another order."""

    def __init__(self, alpha, gamma, textbook=True):
        self.alpha, self.gamma, self.textbook = alpha, gamma, textbook
        self.q = {}
        self.last = None

    def value(self, drawn, line):
        return self.q.get((frozenset(drawn), line), 0.0)

    def feedback(self, reward, drawn):
        """Listing 2. `drawn` is None when the game is over."""
        if self.last is None:
            return
        future = 0.0
        if drawn is not None:
            future = max(self.value(drawn, line) for line in LINES if line not in drawn)
        old = self.q.get(self.last, 0.0)
        target = reward + self.gamma * future
        if self.textbook:
            self.q[self.last] = old + self.alpha * (target - old)
        else:
            self.q[self.last] = (1 - self.alpha) * old + self.alpha * target

    def move(self, drawn):
        self.feedback(0, drawn)
        free = [line for line in LINES if line not in drawn]
        unknown = [line for line in free if self.value(drawn, line) == 0]
        line = unknown[0] if unknown else max(free, key=lambda each: self.value(drawn, each))
        self.last = (frozenset(drawn), line)
        return line

    def end(self, won):
        self.feedback(10 if won else -10, None)
        self.last = None


class Simple:
    def move(self, drawn):
        return min(line for line in LINES if line not in drawn)

    def end(self, won):
        pass


class Chance:
    """A line at random, by a function that gives a number from 0 to 1."""

    def __init__(self, number):
        self.number = number

    def move(self, drawn):
        free = [line for line in LINES if line not in drawn]
        return free[int(self.number() * len(free))]

    def end(self, won):
        pass


def game(players, starter):
    """Listing 1. Returns who won and the lines in their order; a tie is lost by the starter."""
    drawn, order, boxes, turn = set(), [], [0, 0], starter
    while len(drawn) < len(LINES):
        line = players[turn].move(drawn)
        before = full_boxes(drawn)
        drawn.add(line)
        order.append(line)
        made = full_boxes(drawn) - before
        boxes[turn] += made
        if not made:
            turn = 1 - turn
    if boxes[0] == boxes[1]:
        winner = 1 - starter
    else:
        winner = 0 if boxes[0] > boxes[1] else 1
    for number, player in enumerate(players):
        player.end(number == winner)
    return winner, order
