"""Where agents meet: one game to watch (`play`), or many at full speed (`match`)."""

import datetime
import numbers
import warnings
from typing import Any, NamedTuple

import numpy as np

from course_lib.chunks import in_chunks
from course_lib.games.hidden import has_secrets, shown_to
from course_lib.parameters import check_seed
from course_lib.position import PLAYERS, Position, describe, draw
from course_lib.protocol import READY, RESIGN
from course_lib.timelimit import within
from course_lib.twospeed import compilable, fast, is_lean, numba, prepare

NOBODY = -1
STARTERS = ("agent", "opponent", "alternate", "random")
DONE, TURN, ILLEGAL, ACTION, ENDED = range(5)  # what the entries of `Log.status` mean


class AgentError(ValueError):
    """An agent failed. `agent` names it, `games` holds what was played before."""

    def __init__(self, message, agent, games):
        super().__init__(message)
        self.agent = agent
        self.games = games


def label(agent):
    """An agent's name, with those of its parameters that are not as usual: `Minimax(depth=3)`."""
    if not hasattr(agent, "_fields"):
        return type(agent).__name__
    usual = agent._field_defaults
    unusual = [
        f"{field}={value!r}"
        for field, value in zip(agent._fields, agent, strict=True)
        if isinstance(value, bool | int | float | str) and value != usual.get(field, value)
    ]
    return type(agent).__name__ + (f"({', '.join(unusual)})" if unusual else "")


# Many games: this part runs at both speeds


class Frozen(NamedTuple):
    """An agent that plays but does not learn: `choose` only."""

    agent: Any

    @property
    def lean(self):
        return is_lean(self.agent)

    def ready(self, game, seat):
        return READY

    def begin(self):
        pass

    def act(self, game, state, rng):
        return self.agent.choose(game, state, rng)

    def learn(self, game, result):
        pass

    def gauge(self):
        return 0.0


class Seeing(NamedTuple):
    """A side in a game with secrets: it is handed what it may see (`game.seen_by`), and no more."""

    side: Any

    @property
    def lean(self):
        return is_lean(self.side)

    def ready(self, game, seat):
        return self.side.ready(game, seat)

    def begin(self):
        self.side.begin()

    def act(self, game, state, rng):
        return self.side.act(game, game.seen_by(state, game.mover(state)), rng)

    def learn(self, game, result):
        self.side.learn(game, result)

    def gauge(self):
        return self.side.gauge()


class Log(NamedTuple):
    """What is written down of each game. Results are for the agent, not for the opponent."""

    results: np.ndarray  # +1, 0, -1
    resigned: np.ndarray  # 0 the agent, 1 the opponent, -1 nobody
    lengths: np.ndarray  # moves
    moves: np.ndarray  # games × moves, or games × 0 where they are not kept
    gauges: np.ndarray  # games × 2: a number to watch for either side, such as ε or beads
    status: np.ndarray


def new_log(games, longest):
    return Log(
        np.zeros(games, np.int8),
        np.full(games, NOBODY, np.int8),
        np.zeros(games, np.int16),
        np.full((games, longest), -1, np.int8),
        np.zeros((games, 2)),
        np.zeros(5, np.int64),
    )


def is_legal(game, state, action):
    for legal in game.actions(state):
        if action == legal:
            return True
    return False


def play_games(game, agent, opponent, seats, upto, rng, log):
    """Play on until `upto` games are done; in game number g the agent is player seats[g].

    Stops early before a game for which one side is not ready, and in one with an illegal move.
    """
    log.status[ENDED] = READY
    while log.status[DONE] < upto:
        number = log.status[DONE]
        seat = seats[number]
        log.status[ENDED] = max(agent.ready(game, seat), opponent.ready(game, 1 - seat))
        if log.status[ENDED] != READY:
            return
        log.status[TURN] = 0  # who is to blame if this fails
        agent.begin()
        log.status[TURN] = 1
        opponent.begin()
        state = game.start()
        length = 0
        while not game.over(state):
            if game.mover(state) == seat:
                log.status[TURN] = 0
                action = agent.act(game, state, rng)
            else:
                log.status[TURN] = 1
                action = opponent.act(game, state, rng)
            if action == RESIGN:
                log.resigned[number] = log.status[TURN]
                break
            if not is_legal(game, state, action):
                log.status[ILLEGAL] = 1
                log.status[ACTION] = action
                return
            if length < log.moves.shape[1]:
                log.moves[number, length] = action
            state = game.play(state, action)
            length += 1
        if log.resigned[number] != NOBODY:
            result = -1 if log.resigned[number] == 0 else 1
        else:
            result = game.result(state)
            result = result if game.mover(state) == seat else -result
        log.status[TURN] = 0
        agent.learn(game, result)
        log.status[TURN] = 1
        opponent.learn(game, -result)
        log.results[number] = result
        log.lengths[number] = length
        log.gauges[number, 0] = agent.gauge()
        log.gauges[number, 1] = opponent.gauge()
        log.status[DONE] += 1


class Match(NamedTuple):
    """Games between an agent and an opponent; results are +1, 0, -1 for the agent."""

    game: Any
    agent: str
    opponent: str
    results: np.ndarray
    seats: np.ndarray  # 0 where the agent moved first
    moves: np.ndarray
    lengths: np.ndarray

    def wins(self):
        return int(np.sum(self.results == 1))

    def ties(self):
        return int(np.sum(self.results == 0))

    def losses(self):
        return int(np.sum(self.results == -1))

    def running_score(self):
        """One up for a win, one down for a loss, after each game (Pulles 2019, section 4)."""
        return np.cumsum(self.results, dtype=np.int64)

    def positions(self, number):
        """All positions of game `number`, from the start."""
        actions = [int(action) for action in self.moves[number, : self.lengths[number]]]
        if len(actions) < self.lengths[number]:
            raise ValueError("the moves of this match were not kept: use keep_moves=True")
        return replay(self.game, actions)

    def __repr__(self):
        return (
            f"{self.agent} against {self.opponent}: {self.wins()} wins, {self.ties()} ties, "
            f"{self.losses()} losses in {len(self.results)} games"
        )


def match(
    game,
    agent,
    opponent,
    games=100,
    seed=0,
    starter="agent",
    keep_moves=True,
    speed=None,
    time_limit=None,
    progress=False,
    stop=None,
):
    """Play many games at full speed.

    starter: "agent", "opponent", "alternate" (the agent first) or "random" (a coin each game).
    time_limit: seconds an agent may take for a move; the games are then played as plain Python.
    Ctrl-C or `stop()` ends the match early and keeps the games so far.
    """
    if games < 0:
        raise ValueError(f"games={games}: expected 0 or more")
    check_seed(seed)
    seats = seats_of(starter, games, seed)
    check_agent(game, agent, seats)
    check_agent(game, opponent, 1 - seats)
    log = new_log(games, game.longest() if keep_moves else 0)
    rng = np.random.default_rng([seed, 0])
    sides = (Frozen(agent), Frozen(opponent))
    names = (label(agent), label(opponent))

    def so_far():
        n = int(log.status[DONE])
        return Match(game, *names, log.results[:n], seats[:n], log.moves[:n], log.lengths[:n])

    advance = advancing(game, sides, names, seats, rng, log, so_far, speed, time_limit)
    in_chunks(advance, games, progress=progress, stop=stop, label=" – ".join(names))
    return so_far()


def seats_of(starter, games, seed):
    """The agent's seat in each game: 0 where it moves first."""
    if starter not in STARTERS:
        raise ValueError(f"starter={starter!r}: expected one of {STARTERS}")
    if starter == "random":
        return (np.random.default_rng([seed, 1]).random(games) < 0.5).astype(np.int64)
    if starter == "alternate":
        return np.arange(games, dtype=np.int64) % 2
    return np.full(games, STARTERS.index(starter), np.int64)


def advancing(game, sides, names, seats, rng, log, so_far, speed, time_limit=None):
    """The function that plays n more games into the log and turns failures into AgentErrors."""
    own_code = [side.agent for side in sides if isinstance(side, Frozen)]
    if time_limit is not None or (speed is None and not compilable(game, *own_code)):
        speed = "python"
    if has_secrets(game):
        sides = [Seeing(side) for side in sides]
    call = fast(play_games, speed, is_lean(game, *sides))

    def play_until(upto):
        nonlocal call
        if call is play_games:
            watched = [_Watched(side, time_limit) for side in sides]
            call(game, *watched, seats, upto, rng, log)
            return
        try:
            call(game, *sides, seats, upto, rng, log)
        except numba.errors.NumbaError as error:
            if speed is not None:
                raise
            why = str(error).strip().splitlines()
            warnings.warn(
                f"{' or '.join(names)} can't be compiled, so this goes at Python speed. "
                f"numba says: {why[1] if len(why) > 1 else why[0]}",
                stacklevel=2,
            )
            call = play_games
            play_until(upto)

    def advance(n):
        before = int(log.status[DONE])
        try:
            play_until(before + n)
        except Exception as error:
            culprit = names[int(log.status[TURN])]
            raise AgentError(
                f"{culprit} failed in game {int(log.status[DONE]) + 1}: "
                f"{type(error).__name__}: {error}",
                culprit,
                so_far(),
            ) from error
        if log.status[ILLEGAL]:
            raise illegal_in_log(game, names, log, so_far())
        return int(log.status[DONE]) - before

    return advance


def illegal_in_log(game, names, log, games):
    """The error for the illegal move on which `play_games` stopped."""
    number, action = int(log.status[DONE]), int(log.status[ACTION])
    culprit = names[int(log.status[TURN])]
    played = [int(each) for each in log.moves[number] if each >= 0]
    if log.moves.shape[1] == 0:
        return AgentError(
            f"{culprit} returned action {action} in game {number + 1}, which was not legal there "
            "(keep_moves=True shows the position)",
            culprit,
            games,
        )
    position = replay(game, played)[-1]
    return AgentError(
        f"{culprit} in game {number + 1}: {illegal(position, action)}", culprit, games
    )


class _Watched:
    """A side at Python speed: it must return a number, and in time if there is a limit."""

    def __init__(self, side, seconds):
        self.side, self.seconds = side, seconds

    def act(self, *args):
        action = self.side.act(*args) if self.seconds is None else self._in_time(*args)
        if not isinstance(action, int | numbers.Integral):
            game, state, _ = args
            raise ValueError(illegal(Position(game, state), action))
        return action

    def _in_time(self, *args):
        return within(self.seconds, self.side.act, *args)

    def __getattr__(self, name):
        return getattr(self.side, name)


# One game, to watch


class Move(NamedTuple):
    """One move of a watched game."""

    player: int
    agent: str
    action: int  # RESIGN where the player gave up
    position: Position  # after the move
    at: datetime.datetime


class Record(NamedTuple):
    """A game that was played; `result` is for player 0, None where a failure ended it."""

    game: Any
    agents: tuple
    moves: list
    result: int | None

    def positions(self):
        return replay(self.game, [move.action for move in self.moves if move.action != RESIGN])

    def log(self):
        """The game in words with time stamps, a line a move (as Jose et al. 2022 log theirs)."""
        lines = [f"{move.at:%Y-%m-%d %H:%M:%S} {in_words(self.game, move)}" for move in self.moves]
        ended = self.moves[-1].at if self.moves else datetime.datetime.now()
        ending = self.ending()
        if self.result:
            winner = 0 if self.result > 0 else 1
            ending = f"{self.agents[winner]} ({PLAYERS[winner]}) won"
        return "\n".join([*lines, f"{ended:%Y-%m-%d %H:%M:%S} {ending}"])

    def ending(self):
        """How it ended, in words."""
        if self.result is None:
            return "broken off"
        if self.result == 0:
            return "a tie"
        resigned = self.moves[-1].action == RESIGN
        return f"{PLAYERS[0 if self.result > 0 else 1]} wins" + (", by resignation" * resigned)

    def __repr__(self):
        return f"{' – '.join(self.agents)}: {self.ending()}\n{self.positions()[-1]!r}"

    def _repr_svg_(self):
        return self.positions()[-1]._repr_svg_()


def in_words(game, move):
    who = f"{move.agent} ({PLAYERS[move.player]})"
    if move.action == RESIGN:
        return f"{who} resigned"
    return f"{who} played {describe(game, move.action)}"


def choose(agent, game, state, rng):
    return agent.choose(game, state, rng)


def play(game, first, second, seed=0, observers=(), time_limit=None, speed=None):
    """Play one game. Each observer is called with every `Move` as it is made.

    The library's own agents think at full speed; those that are written elsewhere run as plain
    Python, so that they may print and be stepped through. `speed` decides for both.
    """
    check_seed(seed)
    agents = (first, second)
    for seat, agent in enumerate(agents):
        check_agent(game, agent, [seat])
    rng = np.random.default_rng([seed, 0])
    names = tuple(label(agent) for agent in agents)
    state, moves = game.start(), []
    while not game.over(state):
        player = game.mover(state)
        call = fast(choose, speed or _speed_of(game, agents[player]))
        args = (agents[player], game, shown_to(game, state, player), rng)
        try:
            if time_limit is not None:
                prepare(call, *args)
            action = call(*args) if time_limit is None else within(time_limit, call, *args)
        except Exception as error:
            message = f"{names[player]} as {PLAYERS[player]} failed: "
            message += f"{type(error).__name__}: {error}"
            record = Record(game, names, moves, None)
            raise AgentError(message, names[player], record) from error
        if action == RESIGN:
            position = Position(game, state, moves[-1].action if moves else -1)
        else:
            if not is_legal(game, state, action):
                message = illegal(Position(game, state), action)
                record = Record(game, names, moves, None)
                raise AgentError(f"{names[player]}: {message}", names[player], record)
            state = game.play(state, int(action))
            position = Position(game, state, int(action))
        move = Move(player, names[player], int(action), position, datetime.datetime.now())
        moves.append(move)
        for observer in observers:
            observer(move)
        if action == RESIGN:
            return Record(game, names, moves, -1 if player == 0 else 1)
    result = game.result(state)
    return Record(game, names, moves, int(result if game.mover(state) == 0 else -result))


def _speed_of(game, agent):
    ours = all(type(each).__module__.startswith("course_lib.") for each in (game, agent))
    return None if ours and compilable(game, agent) else "python"


# Checks on what people hand in


def check_agent(game, agent, seats=()):
    """Say clearly what is wrong with an agent before it plays in these seats."""
    if isinstance(agent, type):
        raise ValueError(f"{agent.__name__} is a class: write {agent.__name__}() for an agent")
    if not callable(getattr(agent, "choose", None)):
        raise ValueError(f"{agent!r} is no agent: it has no method choose(game, state, rng)")
    made_for = getattr(agent, "game", game)
    if (type(made_for), made_for) != (type(game), game):
        raise ValueError(f"{label(agent)} was made for {made_for} and can't play {game}")
    for seat in np.unique(seats):
        if hasattr(agent, "plays") and not agent.plays(seat):
            place = ("first", "second")[seat]
            raise ValueError(f"{label(agent)} can't move {place}: build it with {place}=True")


def move(game, state, action):
    """The state after an action that a person asked for; a ValueError where it is not legal."""
    if game.over(state):
        raise ValueError("this game is finished; start a new one:\n" + draw(game, state))
    if not is_legal(game, state, action):
        raise ValueError(illegal(Position(game, state), action))
    return game.play(state, action)


def replay(game, actions):
    """The positions that a list of actions leads through, from the start."""
    positions = [Position(game, game.start())]
    for action in actions:
        positions.append(Position(game, move(game, positions[-1].state, action), action))
    return positions


def illegal(position, action):
    """In words: an action, where it was tried, and what would have been legal."""
    game = position.game
    legal = ", ".join(f"{each} ({describe(game, each)})" for each in game.actions(position.state))
    return f"action {action!r} is not legal here; legal are {legal}:\n{position!r}"
