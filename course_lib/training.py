"""Learning from many games: sessions from one seed, in chunks, to stop and go on at will.

    run = Training(game, agent, opponent, games=300, sessions=50, seed=1)
    run.go(progress=True)      # Ctrl-C, or `stop`, keeps what was done; go() again goes on
    run.scores()               # sessions × games: +1 a win, -1 a loss, added up

A session is one learner from its first game to its last. Session k is the same whatever the number
of sessions, the size of the chunks and the speed.
"""

import numpy as np

from course_lib.arena import (
    DONE,
    ENDED,
    Frozen,
    advancing,
    check_agent,
    label,
    new_log,
    seats_of,
)
from course_lib.chunks import in_chunks
from course_lib.parameters import check_seed
from course_lib.protocol import DEAD, FULL

LEARNERS_METHODS = ("ready", "begin", "act", "learn", "gauge", "fresh", "grown")


def is_learner(agent):
    return all(hasattr(agent, name) for name in LEARNERS_METHODS)


class Training:
    """An experiment: some sessions of some games, and what came of each game."""

    def __init__(
        self,
        game,
        agent,
        opponent,
        games=300,
        sessions=1,
        seed=0,
        starter="agent",
        agent_learns=True,
        opponent_learns=True,
        fresh=True,
        speed=None,
    ):
        """fresh: each session begins with learners that know nothing; else, in a single session,
        these learners go on from what they know.
        """
        for name, value, least in (("games", games, 1), ("sessions", sessions, 1)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
                raise ValueError(f"{name}={value!r}: expected a whole number, {least} or more")
        if not fresh and sessions != 1:
            raise ValueError(f"sessions={sessions}: with fresh=False there is only one session")
        check_seed(seed)
        seats = seats_of(starter, games, seed)
        check_agent(game, agent, seats)
        check_agent(game, opponent, 1 - seats)
        self.game, self.agent, self.opponent = game, agent, opponent
        self.games, self.sessions, self.seed, self.starter = games, sessions, seed, starter
        self.agent_learns = agent_learns and is_learner(agent)
        self.opponent_learns = opponent_learns and is_learner(opponent)
        self.fresh, self.speed = fresh, speed
        self.names = (label(agent), label(opponent))
        self.results = np.zeros((sessions, games), np.int8)
        self.resigned = np.full((sessions, games), -1, np.int8)
        self.gauges = np.zeros((sessions, games, 2))
        self.played = np.zeros(sessions, np.int64)  # games, until the end or death
        self.died = np.zeros(sessions, bool)
        self.session = 0  # the one under way
        self._begin()

    def _begin(self):
        """Lay out the session that is next."""
        key = [self.seed, 2, self.session]
        self.rng = np.random.default_rng(key)
        self.seats = seats_of(self.starter, self.games, key)
        self.log = new_log(self.games, 0)
        self.sides = (
            self._side(self.agent, self.agent_learns),
            self._side(self.opponent, self.opponent_learns),
        )

    def _side(self, agent, learns):
        if not learns:
            return Frozen(agent)
        return agent.fresh() if self.fresh else agent

    def trained(self, side=0):
        """The agent (0) or the opponent (1) of the session under way, as it is now."""
        return self.sides[side].agent if isinstance(self.sides[side], Frozen) else self.sides[side]

    def done(self):
        """How many of all games are over; those that a dead learner will not play count."""
        if self.session == self.sessions:
            return self.sessions * self.games
        return self.session * self.games + int(self.played[self.session])

    def finished(self):
        return self.done() == self.sessions * self.games

    def advance(self, n):
        """Play at most n more games; returns how many of the experiment's games are now over."""
        began = self.done()
        while self.done() - began < n and not self.finished():
            if self.log.status[DONE] == self.games or self.log.status[ENDED] == DEAD:
                self._begin()
            k = self.session
            left = n - (self.done() - began)
            self._advance_session(min(left, self.games - int(self.played[k])))
            self._keep(k)
        return self.done() - began

    def _advance_session(self, n):
        sides, names, seats = self.sides, self.names, self.seats
        advancing(self.game, sides, names, seats, self.rng, self.log, self.so_far, self.speed)(n)
        if self.log.status[ENDED] == FULL:
            self.sides = tuple(
                side.grown() if not isinstance(side, Frozen) else side for side in self.sides
            )

    def _keep(self, k):
        n = int(self.log.status[DONE])
        self.results[k, :n] = self.log.results[:n]
        self.resigned[k, :n] = self.log.resigned[:n]
        self.gauges[k, :n] = self.log.gauges[:n]
        self.played[k] = n
        self.died[k] = self.log.status[ENDED] == DEAD
        if self.died[k] or n == self.games:
            self.gauges[k, n:] = self.gauges[k, n - 1] if n else 0
            self.session += 1

    def go(self, progress=False, stop=None):
        """Play to the end, or until `stop()` or Ctrl-C; returns self. May be called again."""
        total = self.sessions * self.games
        in_chunks(self.advance, total, self.done(), progress, stop, " – ".join(self.names))
        return self

    # Results

    def so_far(self):
        """What an AgentError keeps of the games before it."""
        self._keep(self.session)
        return self

    def complete(self):
        """The sessions that are over."""
        return self.session

    def scores(self):
        """The running score of each session: one up for a win, one down for a loss."""
        return np.cumsum(self.results[: self.session], axis=1, dtype=np.int64)

    def tally(self, outcome):
        """How many games of each session ended so (+1, 0 or -1 for the agent)."""
        happened = np.arange(self.games) < self.played[: self.session, None]
        return np.sum((self.results[: self.session] == outcome) & happened, axis=1)

    def wins(self):
        return self.tally(1)

    def ties(self):
        return self.tally(0)

    def losses(self):
        return self.tally(-1)

    def __repr__(self):
        if self.session == 0:
            return f"{' against '.join(self.names)}: {self.done()} of {self.games} games played"
        dead = int(self.died[: self.session].sum())
        return (
            f"{' against '.join(self.names)}, {self.session} sessions of {self.games} games: "
            f"{self.wins().mean():.1f} wins, {self.ties().mean():.1f} ties, "
            f"{self.losses().mean():.1f} losses a session" + (f", {dead} died" if dead else "")
        )


def train(game, agent, opponent, games=300, seed=0, starter="agent", progress=False, **options):
    """One session that goes on from what the agent has learnt already.

    Returns the Training; `.trained()` is the agent as it is then.
    """
    run = Training(game, agent, opponent, games, 1, seed, starter, fresh=False, **options)
    return run.go(progress)
