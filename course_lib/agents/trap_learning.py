"""The Q-player of Frederiksen & Gunnarsson 2019: Q-learning for tic-trap-toe.

Its table has a row for each board with the own last trap, and 72 entries a row: a square to place
on together with a square for the trap. One update a turn:

    Q(s, a) ← Q(s, a) + α · (r + γ · max Q(s′, ·) − Q(s, a))                      equation 1
    Q(s, a) ← (1 − α) · Q(s, a) + α · r + γ · max Q(s′, ·)            equation 2, as it is printed

The paper says that they are the same. They are not: in the second α is missing before γ.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from course_lib.bits import contains, count
from course_lib.chance import random_action, random_index
from course_lib.games.tic_trap_toe import NONE, PLACE, SQUARES, TRAP
from course_lib.parameters import Range, as_float, checked
from course_lib.protocol import FULL, READY
from course_lib.table import EMPTY, Table, grown, new_table

PAIRS = SQUARES * (SQUARES - 1)
ROWS = 1 << 16  # enough for every board with every trap
# What is remembered of the turn before: the entry of the table, its trap, and what came of it.
ROW, PAIR, PLAN, LAID, HIT = range(5)
# The entry of the removal before.
TAKEN_ROW, TAKEN_PIECE = 5, 6
GAMES = 0

Alpha = Annotated[float, Range(0, 1, "α, learning rate: how far one turn moves a value")]
Gamma = Annotated[float, Range(0, 1, "γ, discount: how much the next position counts")]
Win = Annotated[float, Range(-100, 100, "reward for a win", (-2, 2))]
Tie = Annotated[float, Range(-100, 100, "reward for a tie", (-2, 2))]
Loss = Annotated[float, Range(-100, 100, "reward for a loss", (-2, 2))]
GoodTrap = Annotated[float, Range(-100, 100, "reward for a trap that caught", (-2, 2))]
FailedTrap = Annotated[float, Range(-100, 100, "reward for a trap that did not", (-2, 2))]
Epsilon = Annotated[float, Range(0, 1, "ε: the chance of a random turn at first")]
Factor = Annotated[float, Range(0, 1, "what ε is multiplied by after each game", (0.99, 1))]
Floor = Annotated[float, Range(0, 1, "ε does not fall below this", (0, 0.1))]
AsPrinted = Annotated[bool, Range(0, 1, "learn by equation 2 as it is printed")]
LearnRemoval = Annotated[bool, Range(0, 1, "learn which piece to remove; else any")]


@checked
class TrapLearner(NamedTuple):
    """A Q-table of placements with traps. Built by `trap_learner(game, ...)`."""

    plans = True  # its trap together with its placement

    game: Any
    alpha: Alpha
    gamma: Gamma
    win: Win
    tie: Tie
    loss: Loss
    good_trap: GoodTrap
    failed_trap: FailedTrap
    epsilon: Epsilon
    factor: Factor
    floor: Floor
    as_printed: AsPrinted
    learn_removal: LearnRemoval
    table: Table
    values: np.ndarray  # Q, by row and pair
    visits: np.ndarray  # by row: how often it moved there
    removals: np.ndarray  # by row of the table and piece: what removing it led to
    last: np.ndarray  # the own last turn: see ROW ... above
    clock: np.ndarray  # games begun
    ticks: Annotated[int, Range(0, 1, "1 if its games count for ε, 0 for a twin")]

    # Playing

    def choose(self, game, state, rng):
        """The best pair it knows: its square, then (in the phase for that) its trap."""
        if state.phase == PLACE:
            row = self.table.find(key_of(game, state))
            pair = self.best_pair(row, game.squares(state), vacant(state), rng)
            return pair // (SQUARES - 1)
        if state.phase == TRAP:
            before = before_turn(game, state)
            row = self.table.find(before)
            here = 1 << state.placed
            pair = self.best_pair(row, here, vacant_before(before), rng)
            return SQUARES * TRAP + trap_of(pair)
        return self.best_removal(game, state, rng)

    def best_pair(self, row, places, traps, rng):
        """A pair with the largest value, each of them equally likely."""
        best = self.largest(row, places, traps)
        n = 0
        for pair in range(PAIRS):
            if fits(pair, places, traps) and self.value(row, pair) == best:
                n += 1
        skip = random_index(n, rng)
        for pair in range(PAIRS):
            if fits(pair, places, traps) and self.value(row, pair) == best:
                if skip == 0:
                    return pair
                skip -= 1
        return -1

    def value(self, row, pair):
        return 0.0 if row == EMPTY else self.values[row, pair]

    def largest(self, row, places, traps):
        """The largest value of the pairs that are allowed."""
        best = -np.inf
        for pair in range(PAIRS):
            if fits(pair, places, traps):
                best = max(best, self.value(row, pair))
        return best

    def best_removal(self, game, state, rng):
        row = self.table.find(key_of(game, state))
        if not self.learn_removal or row == EMPTY:
            return random_action(game, state, rng)
        best = -np.inf
        n = 0
        for action in game.actions(state):
            value = self.removals[row, action % SQUARES]
            n = 1 if value > best else n + (value == best)
            best = max(best, value)
        skip = random_index(n, rng)
        for action in game.actions(state):
            if self.removals[row, action % SQUARES] == best:
                if skip == 0:
                    return action
                skip -= 1
        return -1

    def policy(self, game, state, chances):
        """Without exploration: the best pairs, each equally likely."""
        chances[:] = 0.0
        if state.phase == PLACE:
            row = self.table.find(key_of(game, state))
            self.share(row, game.squares(state), vacant(state), chances, False)
        elif state.phase == TRAP:
            before = before_turn(game, state)
            row = self.table.find(before)
            self.share(row, 1 << state.placed, vacant_before(before), chances, True)
        else:
            row = self.table.find(key_of(game, state))
            known = self.learn_removal and row != EMPTY
            best = -np.inf
            for action in game.actions(state):
                value = self.removals[row, action % SQUARES] if known else 0.0
                best = max(best, value)
            for action in game.actions(state):
                value = self.removals[row, action % SQUARES] if known else 0.0
                chances[action] = 1.0 if value == best else 0.0
        chances /= chances.sum()

    def share(self, row, places, traps, chances, of_traps):
        best = self.largest(row, places, traps)
        for pair in range(PAIRS):
            if fits(pair, places, traps) and self.value(row, pair) == best:
                action = SQUARES * TRAP + trap_of(pair) if of_traps else pair // (SQUARES - 1)
                chances[action] += 1.0

    # Learning

    def ready(self, game, seat):
        """FULL if the positions of another game might not fit into the table."""
        return READY if self.table.free() >= game.longest() else FULL

    def begin(self):
        self.last[:] = EMPTY
        self.clock[GAMES] += self.ticks

    def gauge(self):
        """ε as it is now."""
        games = max(0, self.clock[GAMES] - 1)
        return max(self.floor, self.epsilon * self.factor**games)

    def act(self, game, state, rng):
        """Explore or play the best known pair, and note what was done."""
        if state.phase == TRAP:
            self.last[LAID] = 1
            return SQUARES * TRAP + self.last[PLAN]
        if state.phase == PLACE:
            return self.act_turn(game, state, rng)
        self.last[HIT] = 1
        if not self.learn_removal:
            return random_action(game, state, rng)
        row = self.row_for(key_of(game, state))
        explore = rng.random() < self.gauge()
        if explore:
            action = random_action(game, state, rng)
        else:
            action = self.best_removal(game, state, rng)
        self.last[TAKEN_ROW] = row
        self.last[TAKEN_PIECE] = action % SQUARES
        return action

    def act_turn(self, game, state, rng):
        places = game.squares(state)
        traps = vacant(state)
        row = self.row_for(key_of(game, state))
        self.learn_from_turn(self.largest(row, places, traps))
        if rng.random() < self.gauge():
            pair = random_pair(places, traps, rng)
        else:
            pair = self.best_pair(row, places, traps, rng)
        self.visits[row] += 1
        self.last[ROW] = row
        self.last[PAIR] = pair
        self.last[PLAN] = trap_of(pair)
        self.last[LAID] = EMPTY
        self.last[HIT] = EMPTY
        self.last[TAKEN_ROW] = EMPTY
        return pair // (SQUARES - 1)

    def row_for(self, key):
        row = self.table.find(key)
        return self.table.add(key) if row == EMPTY else row

    def learn_from_turn(self, future):
        """The own next turn has come: was the trap of the last one any good?"""
        if self.last[ROW] == EMPTY:
            return
        reward = 0.0
        if self.last[LAID] != EMPTY:
            reward = self.failed_trap if self.last[HIT] == EMPTY else self.good_trap
        self.update(reward, future)
        self.learn_removed(0.0, future)

    def learn(self, game, result):
        """The game is over."""
        reward = self.win if result > 0 else self.tie if result == 0 else self.loss
        if self.last[ROW] != EMPTY:
            self.update(reward, 0.0)
            self.learn_removed(reward, 0.0)

    def update(self, reward, future):
        """The formula, for the pair of the last turn."""
        row = self.last[ROW]
        pair = self.last[PAIR]
        old = self.values[row, pair]
        future = self.gamma * future
        if not self.as_printed:
            future = self.alpha * future
        self.values[row, pair] = (1 - self.alpha) * old + self.alpha * reward + future

    def learn_removed(self, reward, future):
        """A removal is worth what the own next turn is worth."""
        row = self.last[TAKEN_ROW]
        if row != EMPTY:
            piece = self.last[TAKEN_PIECE]
            old = self.removals[row, piece]
            aim = reward + self.gamma * future
            self.removals[row, piece] = old + self.alpha * (aim - old)
            self.last[TAKEN_ROW] = EMPTY

    def fresh(self):
        """The same learner before its first game."""
        return self._replace(**_empty())

    def grown(self):
        """The same learner with room for twice as many positions."""
        table, values, visits, removals = grown(self.table, self.values, self.visits, self.removals)
        return self._replace(table=table, values=values, visits=visits, removals=removals)

    def copy(self):
        """A learner that knows the same and goes its own way from here on."""
        table = Table(*(column.copy() for column in self.table))
        learnt = {"values": self.values, "visits": self.visits, "removals": self.removals}
        own = {"last": self.last, "clock": self.clock}
        return self._replace(
            table=table, **{name: array.copy() for name, array in (learnt | own).items()}
        )

    def twin(self):
        """The same player for the other seat: one table for both, each with notes of its own."""
        return self._replace(last=self.last.copy(), ticks=0)

    # To look at

    def place_values(self, state):
        """{action: the largest Q of its pairs} of a position in which it is to place."""
        row = self.table.find(key_of(self.game, state))
        traps = vacant(state)
        return {
            action: float(self.largest(row, 1 << action % SQUARES, traps))
            for action in self.game.actions(state)
        }


def key_of(game, state):
    """The board and the own last trap, as the paper's states (section 3.2.2)."""
    own_trap = game.trap(state, state.player)
    key = 10 * (state.noughts << SQUARES | state.crosses) + own_trap
    return key if state.phase == PLACE else key | 1 << 40


def vacant(state):
    return (1 << SQUARES) - 1 & ~(state.crosses | state.noughts)


def before_turn(game, state):
    """The key of the position at the start of a turn, when its player is to lay a trap."""
    gone = 0 if state.removed == NONE else 1 << state.removed
    pieces = (game.pieces(state, state.player) | gone) & ~(1 << state.placed)
    crosses = pieces if state.player == 0 else state.crosses
    noughts = pieces if state.player == 1 else state.noughts
    return 10 * (noughts << SQUARES | crosses) + game.trap(state, state.player)


def vacant_before(key):
    pieces = key // 10
    return (1 << SQUARES) - 1 & ~(pieces | pieces >> SQUARES)


def trap_of(pair):
    """The square of the trap of a pair: the eight squares beside the one placed on."""
    place = pair // (SQUARES - 1)
    trap = pair % (SQUARES - 1)
    return trap + (trap >= place)


def fits(pair, places, traps):
    """Whether a pair is allowed. On the last vacant square, one pair without a trap is."""
    place = pair // (SQUARES - 1)
    if not contains(places, place):
        return False
    if count(traps) == 1:
        return pair % (SQUARES - 1) == 0
    return contains(traps, trap_of(pair))


def random_pair(places, traps, rng):
    n = 0
    for pair in range(PAIRS):
        n += fits(pair, places, traps)
    skip = random_index(n, rng)
    for pair in range(PAIRS):
        if fits(pair, places, traps):
            if skip == 0:
                return pair
            skip -= 1
    return -1


def _empty():
    table = new_table(ROWS)
    rows = len(table.keys)
    return {
        "table": table,
        "values": np.zeros((rows, PAIRS)),
        "visits": np.zeros(rows, np.int64),
        "removals": np.zeros((rows, SQUARES)),
        "last": np.full(7, EMPTY, np.int64),
        "clock": np.zeros(1),
    }


def trap_learner(
    game,
    alpha: Alpha = 0.4,
    gamma: Gamma = 1.0,
    win: Win = 1.0,
    tie: Tie = 0.5,
    loss: Loss = -1.0,
    good_trap: GoodTrap = 0.25,
    failed_trap: FailedTrap = -0.15,
    epsilon: Epsilon = 0.9,
    factor: Factor = 0.9995,
    floor: Floor = 0.001,
    as_printed: AsPrinted = False,
    learn_removal: LearnRemoval = False,
):
    """A new Q-player with the parameters of the paper's section 4. (How fast ε falls is ours.)"""
    return TrapLearner(
        game,
        *map(as_float, (alpha, gamma, win, tie, loss, good_trap, failed_trap)),
        *map(as_float, (epsilon, factor, floor)),
        as_printed=as_printed,
        learn_removal=learn_removal,
        ticks=1,
        **_empty(),
    )
