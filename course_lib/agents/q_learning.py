"""Q-learning: a table of how good each action is in each position, learnt from the own games.

    Q(s, a) ← (1 − α) · Q(s, a) + α · (r + γ · max Q(s′, ·))

The papers differ in what they reward, in which position they take for s′ and in when they learn.
Each difference is a parameter of the one learner here; the papers' own learners are named
combinations of them (see `course_lib.experiments`).
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from course_lib.agents.exploration import GAMES, SCHEDULES, VISITS, Constant
from course_lib.bits import contains, count, lowest, nth_member
from course_lib.chance import random_index
from course_lib.games.symmetry import AsItIs, UpToSymmetry
from course_lib.parameters import Choice, Range, as_float, checked
from course_lib.protocol import FULL, READY
from course_lib.table import EMPTY, Direct, grown, new_table
from course_lib.twospeed import is_lean

NO_KEY = -1
FIRST_ROWS = 1 << 10
MOST_DIRECT_ROWS = 1 << 25  # 3 × 3 boxes with their starter; memory that is not written costs none

Alpha = Annotated[float, Range(0, 1, "α, learning rate: how far one game moves a value")]
Gamma = Annotated[float, Range(0, 1, "γ, discount: how much the next position counts")]
Win = Annotated[float, Range(-1000, 1000, "reward for a win", (-5, 5))]
Tie = Annotated[float, Range(-1000, 1000, "reward for a tie", (-5, 5))]
Loss = Annotated[float, Range(-1000, 1000, "reward for a loss", (-5, 5))]
RewardAll = Annotated[bool, Range(0, 1, "reward every move of a game, not only the last")]
OwnNext = Annotated[bool, Range(0, 1, "s′ is the own next turn, not the opponent's reply to")]
EachTurn = Annotated[bool, Range(0, 1, "learn at each own turn, not after the game")]
CountIllegal = Annotated[bool, Range(0, 1, "the maximum counts illegal actions, as 0")]
RandomTies = Annotated[bool, Range(0, 1, "any of the best actions, not the lowest of them")]
Symmetry = Annotated[bool, Range(0, 1, "turned and mirrored positions are one")]
Exploration = Annotated[Any, Choice(SCHEDULES, "when it tries something new")]


class Notes(NamedTuple):
    """The own moves of a game: which entry of the table, and which position came after."""

    moves: np.ndarray  # a row a move; the columns are named below
    made: np.ndarray  # how many, as an array of one


ROW, PLACE = range(2)  # the entry of the table that was chosen
NEXT_KEY = 2  # s′, or NO_KEY where the game was over
NEXT_PLACES = 3  # the entries of s′ that count for the maximum, as bits
LEAD, MADE = 4, 5  # for PerBox: the lead in boxes before the move, and the boxes that it made
COLUMNS = 6


class OnlyTheEnd(NamedTuple):
    """Rewards: for the result of the game alone."""

    def note(self, notes, turn, game, state, action):
        pass

    def since(self, notes, turn, game, state):
        """The reward for what came of an own move by the next own turn."""
        return 0.0

    def at_the_end(self, notes, turn):
        """What the last own move gets besides the reward for the result."""
        return 0.0


@checked
class PerBox(NamedTuple):
    """Rewards for boxes as well: for the own ones, and as much less for the other's.

    Arvidsson & Wallgren 2010, section 2.2.2: what they tried and left, since it makes greedy.
    """

    each: Annotated[float, Range(0, 1000, "reward for a box", (0, 10))] = 1.0

    def note(self, notes, turn, game, state, action):
        after = game.play(state, action)
        lead = game.lead(state)
        stays = game.mover(after) == game.mover(state)
        notes.moves[turn, LEAD] = lead
        notes.moves[turn, MADE] = game.lead(after) - lead if stays else 0

    def since(self, notes, turn, game, state):
        return self.each * (game.lead(state) - notes.moves[turn, LEAD])

    def at_the_end(self, notes, turn):
        return self.each * notes.moves[turn, MADE]


@checked
class QLearning(NamedTuple):
    """A Q-table and the way it is learnt. Built by `q_learning(game, ...)`."""

    game: Any
    alpha: Alpha
    gamma: Gamma
    win: Win
    tie: Tie
    loss: Loss
    exploration: Any  # a schedule of course_lib.agents.exploration
    rewards: Any  # OnlyTheEnd() or PerBox(): what there is besides win, tie and loss
    eyes: Any  # AsItIs(), UpToSymmetry(), or those of a game, such as LinesOnly()
    reward_all: RewardAll
    own_next: OwnNext
    each_turn: EachTurn
    count_illegal: CountIllegal
    random_ties: RandomTies
    table: Any  # a Table, or Direct
    values: np.ndarray  # Q, by row and place
    visits: np.ndarray  # by row: how often it moved there
    notes: Notes
    clock: np.ndarray  # for the exploration schedule

    def problem(self):
        if self.each_turn and self.reward_all:
            return "each_turn and reward_all: the reward of a game is not known before its end"
        if isinstance(self.rewards, PerBox) and not (self.each_turn and self.own_next):
            return "PerBox: boxes are counted from own turn to own turn, with each_turn, own_next"
        return ""

    @property
    def lean(self):
        return is_lean(self.exploration)

    def choose(self, game, state, rng):
        """The best action it knows. In a position that it has never met all are equally good."""
        key, symmetry = self.eyes.look(game, state)
        legal = self.eyes.legal(game, state, symmetry)
        place = self.best_place(self.table.find(key), legal, rng)
        return self.eyes.real(game, place, symmetry)

    def best_place(self, row, legal, rng):
        """One of the legal places with the largest value."""
        equals = best_places(self.values, row, legal)
        skip = random_index(count(equals), rng) if self.random_ties else 0
        return nth_member(equals, skip)

    def policy(self, game, state, chances):
        """Without exploration: the best actions, each equally likely (or the lowest of them)."""
        key, symmetry = self.eyes.look(game, state)
        row = self.table.find(key)
        legal = self.eyes.legal(game, state, symmetry)
        equals = best_places(self.values, row, legal)
        if not self.random_ties:
            equals = 1 << lowest(equals)
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
        legal = self.eyes.legal(game, state, symmetry)
        made = self.notes.made[0]
        if self.own_next and made > 0:
            self.notes.moves[made - 1, NEXT_KEY] = key
            self.notes.moves[made - 1, NEXT_PLACES] = self.counting(legal)
        if self.each_turn and made > 0:
            self.update(made - 1, self.rewards.since(self.notes, made - 1, game, state))
        row = self.table.find(key)
        if row == EMPTY:
            row = self.table.add(key)
        place = self.explore_or_exploit(row, legal, rng)
        action = self.eyes.real(game, place, symmetry)
        self.visits[row] += 1
        self.notes.moves[made, ROW] = row
        self.notes.moves[made, PLACE] = place
        self.notes.moves[made, NEXT_KEY] = NO_KEY
        self.notes.made[0] = made + 1
        self.rewards.note(self.notes, made, game, state, action)
        if not self.own_next:
            after = game.play(state, action)
            if not game.over(after):
                after_key, after_symmetry = self.eyes.look(game, after)
                after_legal = self.eyes.legal(game, after, after_symmetry)
                self.notes.moves[made, NEXT_KEY] = after_key
                self.notes.moves[made, NEXT_PLACES] = self.counting(after_legal)
        return action

    def counting(self, legal):
        """The places over which the maximum of the next position is taken."""
        return (1 << self.values.shape[1]) - 1 if self.count_illegal else legal

    def explore_or_exploit(self, row, legal, rng):
        if self.exploration.wants_untried():
            untried = lowest_zero(self.values, row, legal)
            if untried >= 0:
                return untried
        self.clock[VISITS] = self.visits[row]
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
                self.update(turn, reward + self.rewards.at_the_end(self.notes, turn))
            elif not self.each_turn:
                self.update(turn, reward if self.reward_all else 0.0)

    def update(self, turn, reward):
        """The formula, for the own move number `turn` of this game."""
        row = self.notes.moves[turn, ROW]
        place = self.notes.moves[turn, PLACE]
        future = 0.0
        if self.notes.moves[turn, NEXT_KEY] != NO_KEY:
            next_row = self.table.find(self.notes.moves[turn, NEXT_KEY])
            future = largest(self.values, next_row, self.notes.moves[turn, NEXT_PLACES])
        old = self.values[row, place]
        self.values[row, place] = (1 - self.alpha) * old + self.alpha * (
            reward + self.gamma * future
        )

    def gauge(self):
        """ε as it is now."""
        return float(self.exploration.epsilon(self.clock))

    def fresh(self):
        """The same learner before its first game."""
        return self._replace(**_empty(self.game, self.eyes))

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
        if row == EMPTY:
            return dict.fromkeys(sorted(legal), 0.0)
        return {a: float(self.values[row, real[a]]) for a in sorted(legal)}


def best_places(values, row, places):
    """Those of these places with the largest Q, as bits; all of them in a row never met.

    (A function of the values alone: handing on a whole learner would take longer than the work.)
    """
    if row == EMPTY:
        return places
    best = -np.inf
    found = 0
    while places:
        place = lowest(places)
        places &= places - 1
        if values[row, place] > best:
            best = values[row, place]
            found = 0
        if values[row, place] == best:
            found |= 1 << place
    return found


def largest(values, row, places):
    """The maximum of Q over these places of a row; 0 in a row never met."""
    if row == EMPTY or places == 0:
        return 0.0
    best = -np.inf
    while places:
        best = max(best, values[row, lowest(places)])
        places &= places - 1
    return best


def lowest_zero(values, row, places):
    """The lowest of these places whose Q is exactly 0, or -1."""
    while places:
        place = lowest(places)
        if values[row, place] == 0:
            return place
        places &= places - 1
    return -1


def _empty(game, eyes):
    """What a learner remembers before its first game: nothing."""
    moves = game.longest()
    rows = max(FIRST_ROWS, 2 * moves)
    if hasattr(eyes, "keys") and eyes.keys(game) <= MOST_DIRECT_ROWS:
        rows = eyes.keys(game)
        table = Direct(rows)
    else:
        table = new_table(rows)
        rows = len(table.keys)
    return {
        "table": table,
        "values": np.zeros((rows, game.action_count())),
        "visits": np.zeros(rows, np.int64),
        "notes": Notes(np.zeros((moves, COLUMNS), np.int64), np.zeros(1, np.int64)),
        "clock": np.zeros(3),
    }


def q_learning(
    game,
    alpha: Alpha = 0.1,
    gamma: Gamma = 0.9,
    win: Win = 1.0,
    tie: Tie = 0.0,
    loss: Loss = -1.0,
    exploration: Exploration = Constant(),  # noqa: B008 (immutable)
    symmetry: Symmetry = False,
    reward_all: RewardAll = False,
    own_next: OwnNext = True,
    each_turn: EachTurn = True,
    count_illegal: CountIllegal = False,
    random_ties: RandomTies = True,
    rewards=OnlyTheEnd(),  # noqa: B008 (immutable)
    eyes=None,
):
    """A new learner; as it stands, one-step Q-learning with the opponent as its surroundings.

    rewards: PerBox() rewards boxes besides the end of dots and boxes. eyes: what it sees of a
    position, such as LinesOnly() of dots and boxes; without them `symmetry` decides.
    """
    if game.action_count() > 62:
        raise ValueError(f"{game}: more than 62 actions do not fit into one set of bits")
    if symmetry and not hasattr(game, "canonical"):
        raise ValueError(f"{game}: symmetry=True needs a game with symmetries, such as TicTacToe")
    if symmetry and eyes is not None:
        raise ValueError(f"symmetry=True, eyes={eyes!r}: only one of them can be")
    if isinstance(exploration, type) or not hasattr(exploration, "epsilon"):
        raise ValueError(
            f"exploration={exploration!r}: expected a schedule of course_lib.agents.exploration, "
            "such as Constant(0.1)"
        )
    if eyes is None:
        eyes = UpToSymmetry() if symmetry else AsItIs()
    return QLearning(
        game=game,
        alpha=as_float(alpha),
        gamma=as_float(gamma),
        win=as_float(win),
        tie=as_float(tie),
        loss=as_float(loss),
        exploration=exploration,
        rewards=rewards,
        eyes=eyes,
        reward_all=reward_all,
        own_next=own_next,
        each_turn=each_turn,
        count_illegal=count_illegal,
        random_ties=random_ties,
        **_empty(game, eyes),
    )
