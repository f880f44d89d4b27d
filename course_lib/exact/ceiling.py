"""The best that anybody can do against a fixed opponent, by exact expectation.

A fixed opponent tells the chance of each of its actions (`policy`). Against it a game is a
decision problem for one: at the own turn take the action with the largest expected score, at the
opponent's turn average. No learner can do better in the long run: plots draw this ceiling.
"""

from typing import Any, NamedTuple

import numpy as np

from course_lib.games.hidden import refuse_secrets
from course_lib.table import grown, new_table
from course_lib.twospeed import compilable, fast

FIRST_ROWS = 1 << 14
MOST_POSITIONS = 1 << 24
CLOSE = 1e-12  # expected scores that differ by rounding alone count as equal


class Rates(NamedTuple):
    """Long-run shares of games."""

    win: float
    tie: float
    loss: float

    def score(self):
        """Wins less losses: the expected score of a game."""
        return self.win - self.loss

    def __repr__(self):
        return f"win {self.win:.4f}, tie {self.tie:.4f}, loss {self.loss:.4f}"


class Anyone(NamedTuple):
    """Stands for the best there can be: it takes the action with the largest expected score."""

    def best_of(self):
        return True

    def policy(self, game, state, chances):
        pass


class Fixed(NamedTuple):
    """Stands for an agent that plays by its policy."""

    agent: Any

    def best_of(self):
        return False

    def policy(self, game, state, chances):
        self.agent.policy(game, state, chances)


def rates_below(game, state, first, second, table, wins, ties):
    """The row of a position in `wins` and `ties`: chances from there on, for player 0."""
    key = game.key(state)
    row = table.find(key)
    if row >= 0:
        return row
    win = 0.0
    tie = 0.0
    mover = game.mover(state)
    if game.over(state):
        result = game.result(state)
        win = 1.0 if result == (1 if mover == 0 else -1) else 0.0
        tie = 1.0 if result == 0 else 0.0
    else:
        chances = np.zeros(game.action_count())
        choosing = False
        if mover == 0:
            choosing = first.best_of()
            first.policy(game, state, chances)
        else:
            choosing = second.best_of()
            second.policy(game, state, chances)
        if not choosing and chances.sum() == 0:  # it resigns
            win = 0.0 if mover == 0 else 1.0
        best = -2.0
        for action in game.actions(state):
            if choosing or chances[action] > 0:
                child = rates_below(
                    game, game.play(state, action), first, second, table, wins, ties
                )
                if choosing:
                    score = 2 * wins[child] + ties[child] - 1
                    score = score if mover == 0 else -score
                    own_wins = wins[child] if mover == 0 else 1 - wins[child] - ties[child]
                    kept_wins = win if mover == 0 else 1 - win - tie
                    better = score > best + CLOSE
                    if better or (score > best - CLOSE and own_wins > kept_wins + CLOSE):
                        best = max(best, score)
                        win = wins[child]
                        tie = ties[child]
                else:
                    win += chances[action] * wins[child]
                    tie += chances[action] * ties[child]
    row = table.add(key)
    wins[row] = win
    ties[row] = tie
    return row


def rates(game, first, second, speed):
    """Exact chances of player 0's win, tie and loss."""
    refuse_secrets(game)
    for player in (first, second):
        if isinstance(player, Fixed) and not hasattr(player.agent, "policy"):
            raise ValueError(
                f"{player.agent}: exact rates need an agent with a method `policy`, "
                "such as Random, Simple, OneStepLookAhead or Perfect"
            )
    if not compilable(game, *first, *second):
        speed = "python"
    table, wins, ties = new_table(FIRST_ROWS), np.zeros(FIRST_ROWS), np.zeros(FIRST_ROWS)
    while True:
        try:
            row = fast(rates_below, speed)(game, game.start(), first, second, table, wins, ties)
            win, tie = float(wins[row]), float(ties[row])
            return Rates(win, tie, max(0.0, 1 - win - tie))
        except OverflowError:
            if len(table.keys) >= MOST_POSITIONS:
                raise ValueError(
                    f"{game} has more than {MOST_POSITIONS:,} positions: "
                    "too many for exact rates; play a match instead"
                ) from None
            table, wins, ties = grown(table, wins, ties)


def ceiling(game, opponent, seat=0, speed=None):
    """The best long-run rates against `opponent`, for a player who moves first (seat 0) or second.

    Best is the expected score, wins less losses; among equals, the most wins.
    """
    if seat not in (0, 1):
        raise ValueError(f"seat={seat!r}: expected 0 (moves first) or 1 (moves second)")
    if seat == 0:
        return rates(game, Anyone(), Fixed(opponent), speed)
    return _turned(rates(game, Fixed(opponent), Anyone(), speed))


def exact_rates(game, agent, opponent, seat=0, speed=None):
    """The long-run rates of one fixed agent against another."""
    if seat not in (0, 1):
        raise ValueError(f"seat={seat!r}: expected 0 (moves first) or 1 (moves second)")
    if seat == 0:
        return rates(game, Fixed(agent), Fixed(opponent), speed)
    return _turned(rates(game, Fixed(opponent), Fixed(agent), speed))


def _turned(rates):
    return Rates(rates.loss, rates.tie, rates.win)
