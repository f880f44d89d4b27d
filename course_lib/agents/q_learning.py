"""Q-learning: a table of how good each action is in each position, learnt from the own games.

    Q(s, a) ← (1 − α) · Q(s, a) + α · (r + γ · max Q(s′, ·))

The papers differ in what they reward, in which position they take for s′ and in when they learn.
Each difference is a parameter of the one learner here; the papers' own learners are named
combinations of them (see `course_lib.experiments`).
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from course_lib.agents.exploration import GAMES, Constant
from course_lib.bits import contains, count
from course_lib.chance import random_index
from course_lib.games.symmetry import AsItIs, UpToSymmetry, legal_places
from course_lib.parameters import Range, checked
from course_lib.protocol import FULL, READY
from course_lib.table import EMPTY, Table, grown, new_table

NO_KEY = -1
FIRST_ROWS = 1 << 10


class Notes(NamedTuple):
    """The own moves of a game: which entry of the table, and which position came after."""

    rows: np.ndarray
    places: np.ndarray
    next_keys: np.ndarray  # s′, or NO_KEY where the game was over
    next_places: np.ndarray  # the entries of s′ that count for the maximum, as bits
    made: np.ndarray  # how many, as an array of one


@checked
class QLearning(NamedTuple):
    """A Q-table and the way it is learnt. Built by `q_learning(game, ...)`."""

    game: Any
    alpha: Annotated[float, Range(0, 1, "α, learning rate: how far one game moves a value")]
    gamma: Annotated[float, Range(0, 1, "γ, discount: how much the next position counts")]
    win: Annotated[float, Range(-1000, 1000, "reward for a win")]
    tie: Annotated[float, Range(-1000, 1000, "reward for a tie")]
    loss: Annotated[float, Range(-1000, 1000, "reward for a loss")]
    exploration: Any  # a schedule of course_lib.agents.exploration
    eyes: Any  # AsItIs() or UpToSymmetry()
    reward_all: Annotated[bool, Range(0, 1, "reward every move of a game, not only the last")]
    own_next: Annotated[bool, Range(0, 1, "s′ is the own next turn, not the opponent's reply to")]
    each_turn: Annotated[bool, Range(0, 1, "learn at each own turn, not after the game")]
    count_illegal: Annotated[bool, Range(0, 1, "the maximum counts illegal actions, as 0")]
    random_ties: Annotated[bool, Range(0, 1, "any of the best actions, not the lowest of them")]
    table: Table
    values: np.ndarray  # Q, by row and place
    visits: np.ndarray  # by row: how often it moved there
    notes: Notes
    clock: np.ndarray  # for the exploration schedule

    def problem(self):
        if self.each_turn and self.reward_all:
            return "each_turn and reward_all: the reward of a game is not known before its end"
        return ""

    def choose(self, game, state, rng):
        """The best action it knows. In a position that it has never met all are equally good."""
        key, symmetry = self.eyes.look(game, state)
        legal = legal_places(self.eyes, game, state, symmetry)
        place = self.best_place(self.table.find(key), legal, rng)
        return self.eyes.real(game, place, symmetry)

    def best_place(self, row, legal, rng):
        """One of the legal places with the largest value."""
        best = self.largest(row, legal)
        equals = 0
        for place in range(self.values.shape[1]):
            if contains(legal, place) and self.value(row, place) == best:
                equals |= 1 << place
        skip = random_index(count(equals), rng) if self.random_ties else 0
        return nth_member(equals, skip)

    def value(self, row, place):
        """Q, which is 0 in a position that was never met."""
        return 0.0 if row == EMPTY else self.values[row, place]

    def largest(self, row, places):
        """The maximum of Q over these places of a row."""
        if row == EMPTY or places == 0:
            return 0.0
        largest = -np.inf
        for place in range(self.values.shape[1]):
            if contains(places, place):
                largest = max(largest, self.values[row, place])
        return largest

    def policy(self, game, state, chances):
        """Without exploration: the best actions, each equally likely (or the lowest of them)."""
        key, symmetry = self.eyes.look(game, state)
        row = self.table.find(key)
        legal = legal_places(self.eyes, game, state, symmetry)
        best = self.largest(row, legal)
        equals = 0
        for place in range(self.values.shape[1]):
            if contains(legal, place) and self.value(row, place) == best:
                equals |= 1 << place
        if not self.random_ties:
            equals = 1 << nth_member(equals, 0)
        for place in range(self.values.shape[1]):
            action = self.eyes.real(game, place, symmetry)
            chances[action] = 1.0 / count(equals) if contains(equals, place) else 0.0

    # Learning

    def ready(self, game, seat):
        """FULL if the positions of another game might not fit into the table."""
        return READY if self.table.free() >= game.longest() else FULL

    def begin(self):
        self.notes.made[0] = 0
        self.clock[GAMES] += 1

    def act(self, game, state, rng):
        """Explore or play the best known action, and note what was done."""
        key, symmetry = self.eyes.look(game, state)
        legal = legal_places(self.eyes, game, state, symmetry)
        made = self.notes.made[0]
        if self.own_next and made > 0:
            self.notes.next_keys[made - 1] = key
            self.notes.next_places[made - 1] = self.counting(legal)
        if self.each_turn and made > 0:
            self.update(made - 1, 0.0)
        row = self.table.find(key)
        if row == EMPTY:
            row = self.table.add(key)
        place = self.explore_or_exploit(row, legal, rng)
        action = self.eyes.real(game, place, symmetry)
        self.visits[row] += 1
        self.notes.rows[made] = row
        self.notes.places[made] = place
        self.notes.next_keys[made] = NO_KEY
        self.notes.made[0] = made + 1
        if not self.own_next:
            after = game.play(state, action)
            if not game.over(after):
                after_key, after_symmetry = self.eyes.look(game, after)
                after_legal = legal_places(self.eyes, game, after, after_symmetry)
                self.notes.next_keys[made] = after_key
                self.notes.next_places[made] = self.counting(after_legal)
        return action

    def counting(self, legal):
        """The places over which the maximum of the next position is taken."""
        return (1 << self.values.shape[1]) - 1 if self.count_illegal else legal

    def explore_or_exploit(self, row, legal, rng):
        if self.exploration.wants_untried():
            for place in range(self.values.shape[1]):
                if contains(legal, place) and self.values[row, place] == 0:
                    return place
        explored = rng.random() < self.exploration.epsilon(self.clock)
        self.exploration.after_move(self.clock, explored)
        if explored:
            return nth_member(legal, random_index(count(legal), rng))
        return self.best_place(row, legal, rng)

    def learn(self, game, result):
        """The game is over: update the entries of the own moves."""
        reward = self.win if result > 0 else self.tie if result == 0 else self.loss
        made = self.notes.made[0]
        for turn in range(made):
            if turn == made - 1:
                self.update(turn, reward)
            elif not self.each_turn:
                self.update(turn, reward if self.reward_all else 0.0)

    def update(self, turn, reward):
        """The formula, for the own move number `turn` of this game."""
        row = self.notes.rows[turn]
        place = self.notes.places[turn]
        future = 0.0
        if self.notes.next_keys[turn] != NO_KEY:
            next_row = self.table.find(self.notes.next_keys[turn])
            future = self.largest(next_row, self.notes.next_places[turn])
        old = self.values[row, place]
        self.values[row, place] = (1 - self.alpha) * old + self.alpha * (
            reward + self.gamma * future
        )

    def gauge(self):
        """ε as it is now."""
        return float(self.exploration.epsilon(self.clock))

    def fresh(self):
        """The same learner before its first game."""
        return self._replace(**_empty(self.game))

    def grown(self):
        """The same learner with room for twice as many positions."""
        table, values, visits = grown(self.table, self.values, self.visits)
        return self._replace(table=table, values=values, visits=visits)

    # To look at

    def q_values(self, state):
        """{action: Q} of a position for the legal actions; all 0 where it was never met."""
        key, symmetry = self.eyes.look(self.game, state)
        row = self.table.find(key)
        legal = set(self.game.actions(state))
        real = {self.eyes.real(self.game, p, symmetry): p for p in range(self.values.shape[1])}
        return {a: float(self.value(row, real[a])) for a in sorted(legal)}


def nth_member(places, skip):
    """The member of a set after `skip` lower ones."""
    place = 0
    while True:
        if contains(places, place):
            if skip == 0:
                return place
            skip -= 1
        place += 1


def _empty(game):
    """What a learner remembers before its first game: nothing."""
    moves = game.longest()
    rows = max(FIRST_ROWS, 2 * moves)
    table = new_table(rows)
    notes = [np.zeros(moves, np.int64) for _ in range(4)]
    return {
        "table": table,
        "values": np.zeros((len(table.keys), game.action_count())),
        "visits": np.zeros(len(table.keys), np.int64),
        "notes": Notes(*notes, np.zeros(1, np.int64)),
        "clock": np.zeros(2),
    }


def q_learning(
    game,
    alpha=0.1,
    gamma=0.9,
    win=1.0,
    tie=0.0,
    loss=-1.0,
    exploration=Constant(),  # noqa: B008 (immutable)
    symmetry=False,
    reward_all=False,
    own_next=True,
    each_turn=True,
    count_illegal=False,
    random_ties=True,
):
    """A new learner; as it stands, one-step Q-learning with the opponent as its surroundings."""
    if game.action_count() > 62:
        raise ValueError(f"{game}: more than 62 actions do not fit into one set of bits")
    if symmetry and not hasattr(game, "canonical"):
        raise ValueError(f"{game}: symmetry=True needs a game with symmetries, such as TicTacToe")
    if not hasattr(exploration, "epsilon"):
        raise ValueError(
            f"exploration={exploration!r}: expected a schedule of course_lib.agents.exploration, "
            "such as Constant(0.1)"
        )
    return QLearning(
        game=game,
        alpha=float(alpha),
        gamma=float(gamma),
        win=float(win),
        tie=float(tie),
        loss=float(loss),
        exploration=exploration,
        eyes=UpToSymmetry() if symmetry else AsItIs(),
        reward_all=reward_all,
        own_next=own_next,
        each_turn=each_turn,
        count_illegal=count_illegal,
        random_ties=random_ties,
        **_empty(game),
    )
