"""Dots and boxes for a player who sees which lines are drawn, and neither the score nor who began.

Such a player has one line for each set of lines. The exact ceiling of a player who sees everything
bounds what it can do. `ceiling_for_lines` builds a player of lines that reaches the same ceiling,
where one is found: then its ceiling is known exactly.
"""

from typing import NamedTuple

import numpy as np

from course_lib.exact.ceiling import ceiling
from course_lib.exact.evaluate import optimal_share
from course_lib.games.dots_and_boxes import Board
from course_lib.twospeed import fast

CLOSE = 1e-12  # chances that differ by rounding alone count as equal
OWN, OTHER = range(2)  # whose turn it is
SECOND, FIRST = range(2)  # whether the player has begun


class LinesCeiling(NamedTuple):
    """How often a player can win against an opponent, if each begins half of the games."""

    full: float  # who sees everything
    lines: float  # who sees the lines only: what `policy` reaches
    conflicts: int  # sets of lines in which no line is best whatever the score
    policy: np.ndarray  # a line for each set of lines that it meets, else -1

    def exact(self):
        """Whether nobody who sees only the lines can do better: `policy` does all there is."""
        return self.conflicts == 0

    def __repr__(self):
        tail = "" if self.exact() else f" at least ({self.conflicts} sets of lines in doubt)"
        return f"sees everything: wins {self.full:.6f}; sees the lines: {self.lines:.6f}{tail}"


class LinesPlayer(NamedTuple):
    """Plays one line for each set of lines."""

    lines: np.ndarray

    def choose(self, game, state, rng):
        return self.lines[state.lines]

    def policy(self, game, state, chances):
        chances[self.lines[state.lines]] = 1.0


def best_chances(game, theirs, values):
    """Backwards from the full board: the chance to win of a player who sees everything.

    theirs: sets × lines, the opponent's chances. values: sets × whose turn × whether the player
    has begun × the player's lead in boxes (shifted by the number of boxes).
    """
    boxes = game.rows * game.cols
    everything = len(values) - 1
    for lead in range(-boxes, boxes + 1):
        values[everything, :, FIRST, lead + boxes] = 1.0 if lead > 0 else 0.0
        values[everything, :, SECOND, lead + boxes] = 1.0 if lead >= 0 else 0.0
    for lines in range(everything - 1, -1, -1):
        for began in range(2):
            for lead in range(-boxes, boxes + 1):
                best = 0.0
                mean = 0.0
                for line in game.actions(Board(lines, 0, 0, 0)):
                    best = max(best, after_own(game, values, lines, line, began, lead))
                    mean += theirs[lines, line] * after_theirs(
                        game, values, lines, line, began, lead
                    )
                values[lines, OWN, began, lead + boxes] = best
                values[lines, OTHER, began, lead + boxes] = mean


def after_own(game, values, lines, line, began, lead):
    """The chance to win after the player has drawn a line."""
    boxes = game.rows * game.cols
    made = game.boxes_completed(lines | 1 << line, line).bit_count()
    turn = OWN if made > 0 else OTHER
    return values[lines | 1 << line, turn, began, min(lead + made, boxes) + boxes]


def after_theirs(game, values, lines, line, began, lead):
    boxes = game.rows * game.cols
    made = game.boxes_completed(lines | 1 << line, line).bit_count()
    turn = OTHER if made > 0 else OWN
    return values[lines | 1 << line, turn, began, max(lead - made, -boxes) + boxes]


def play_by_lines(game, theirs, values, policy, chances):
    """Forwards: choose for each set of lines that can be met, whatever the score is there.

    A line that is best for all scores that can be met costs nothing; where there is none, take
    the one that is best on average. Returns how often there was none.
    """
    boxes = game.rows * game.cols
    conflicts = 0
    for lines in range(len(values) - 1):
        if chances[lines, OWN].sum() > 0:
            chosen = -1
            least = np.inf
            for line in game.actions(Board(lines, 0, 0, 0)):
                loss = 0.0
                for began in range(2):
                    for lead in range(-boxes, boxes + 1):
                        chance = chances[lines, OWN, began, lead + boxes]
                        if chance > 0:
                            best = values[lines, OWN, began, lead + boxes]
                            here = after_own(game, values, lines, line, began, lead)
                            if best - here > CLOSE:
                                loss += chance * (best - here)
                if loss < least:
                    least = loss
                    chosen = line
            conflicts += 1 if least > 0 else 0
            policy[lines] = chosen
        for line in game.actions(Board(lines, 0, 0, 0)):
            after = lines | 1 << line
            made = game.boxes_completed(after, line).bit_count()
            for began in range(2):
                for lead in range(-boxes, boxes + 1):
                    if line == policy[lines]:
                        turn = OWN if made > 0 else OTHER
                        chance = chances[lines, OWN, began, lead + boxes]
                        if chance > 0:
                            chances[after, turn, began, lead + made + boxes] += chance
                    chance = theirs[lines, line] * chances[lines, OTHER, began, lead + boxes]
                    if chance > 0:
                        turn = OTHER if made > 0 else OWN
                        chances[after, turn, began, lead - made + boxes] += chance
    return conflicts


def ceiling_for_lines(game, opponent, speed=None):
    """The exact ceilings against an opponent whose `policy` looks at the lines alone."""
    if not game.tie_loses or game.longest() > 16:
        raise ValueError(f"{game}: expected tie_loses=True and at most 16 lines")
    sets = 1 << game.longest()
    boxes = game.rows * game.cols
    theirs = np.zeros((sets, game.longest()))
    for lines in range(sets - 1):
        opponent.policy(game, Board(lines, 0, 0, 0), theirs[lines])
    values = np.zeros((sets, 2, 2, 2 * boxes + 1))
    fast(best_chances, speed)(game, theirs, values)
    policy = np.full(sets, -1)
    chances = np.zeros_like(values)
    chances[0, OWN, FIRST, boxes] = chances[0, OTHER, SECOND, boxes] = 0.5
    conflicts = fast(play_by_lines, speed)(game, theirs, values, policy, chances)
    full = (values[0, OWN, FIRST, boxes] + values[0, OTHER, SECOND, boxes]) / 2
    at_end = chances[-1].sum(axis=0)
    won = at_end[FIRST, boxes + 1 :].sum() + at_end[SECOND, boxes:].sum()
    return LinesCeiling(float(full), float(won), int(conflicts), policy)


class Distance(NamedTuple):
    """How far a player is from optimal play."""

    positions: int  # that occur, with the player to move
    optimal: float  # share of them in which its move keeps the exact value
    by_chance: float  # the same, each position weighing as often as it occurs
    worst: float  # share of games won against an opponent who knows it, half of them first

    def __repr__(self):
        return (
            f"{100 * self.optimal:.1f} % of {self.positions} positions played optimally "
            f"({100 * self.by_chance:.1f} % as they occur); against an opponent who knows it "
            f"it wins {self.worst:g} of the games"
        )


def distance(game, agent, opponent, solution, speed=None):
    """The positions are those that occur in games against `opponent`, each half of them first."""
    found = [positions_met(game, agent, opponent, seat) for seat in (0, 1)]
    right = total = 0
    for states in found:
        for state in states:
            chances = np.zeros(game.action_count())
            agent.policy(game, state, chances)
            best = int(solution.best_actions(game, state))
            right += bool(best >> int(np.argmax(chances)) & 1)
            total += 1
    shares = [optimal_share(game, agent, opponent, seat, solution) for seat in (0, 1)]
    worst = sum(ceiling(game, agent, 1 - seat, speed).loss for seat in (0, 1)) / 2
    return Distance(total, right / total, sum(shares) / 2, worst)


def positions_met(game, agent, opponent, seat):
    """The positions with the agent to move that can occur in a game."""
    found, layer = set(), {game.start()}
    while layer:
        following = set()
        for state in layer:
            if game.over(state):
                continue
            own = game.mover(state) == seat
            if own:
                found.add(state)
            chances = np.zeros(game.action_count())
            (agent if own else opponent).policy(game, state, chances)
            following.update(
                game.play(state, action) for action in game.actions(state) if chances[action] > 0
            )
        layer = following
    return found
