"""A task whose answer is an agent: it has to hold its own in a match with a fixed seed."""

from typing import Any, NamedTuple

from course_lib.arena import AgentError, match
from course_lib.checks.feedback import OPEN, RIGHT, WRONG, Feedback
from course_lib.checks.task import OPEN_SENTENCE, still_open
from course_lib.checks.trial import in_words, try_out
from course_lib.position import describe

LOOKED_AT = 30  # lost games, for a typical mistake


class Contest(NamedTuple):
    """An agent to design, the opponent, and the score that it must reach.

    A wrong agent of the zoo has `gives_away(game, state, action)`: whether such a move is this
    player's mistake. The first lost game with one is drawn there. If it has `would_play`, with the
    same arguments, a player counts as this one only if all of its moves are such moves.
    """

    number: str
    title: str
    name: str  # of the class that the learner writes
    game: Any
    opponent: Any
    least: int  # wins less losses; tests derive it from the spread of right and wrong agents
    because: str
    hints: tuple
    mistakes: dict = {}  # {wrong agent: "This behaves like a player who ... Look at ..."}
    games: int = 200
    starter: str = "alternate"
    seed: int = 0
    seconds: float = 20

    def judge(self, agent):
        """Feedback on a learner's agent, or on the class of it."""
        if agent is ... or agent is None:
            return self.feedback(OPEN, OPEN_SENTENCE)
        trial = try_out(self.play, [(agent,)], self.seconds)
        if trial.error is None:
            return self.compare(trial.answers[0])
        cause = trial.error.__cause__ or trial.error
        if isinstance(cause, NotImplementedError):
            return self.feedback(OPEN, still_open(cause, agent))
        if cause is trial.error and isinstance(cause, AgentError | ValueError):
            return self.feedback(WRONG, str(cause), printed=trial.printed[0])
        if isinstance(cause, ValueError) and str(cause).startswith("action None"):
            sentence = f"Your agent returns None: is a return missing? {cause}"
            return self.feedback(WRONG, sentence, printed=trial.printed[0])
        return self.feedback(WRONG, in_words(cause, self.seconds), printed=trial.printed[0])

    def play(self, agent):
        agent = agent() if isinstance(agent, type) else agent
        return match(
            self.game, agent, self.opponent, self.games, self.seed, self.starter, speed="python"
        )

    def compare(self, played):
        """Right if the score is reached; else a lost game, and the mistake in it if it has one."""
        score = played.wins() - played.losses()
        words = f"{played}. Wins less losses: {score}; at least {self.least} were asked for."
        if score >= self.least:
            return self.feedback(RIGHT, f"{words} {self.because}")
        lost = [number for number, result in enumerate(played.results) if result < 0]
        if not lost:
            return self.feedback(WRONG, f"{words} {self.because}")
        mistake, found = self.named(played, lost[:LOOKED_AT])
        if mistake is None:
            compared = ((f"game {lost[0] + 1}", "lost, this is how it ended"),)
            end = played.positions(lost[0])[-1]
            return self.feedback(WRONG, f"{words} {self.because}", position=end, compared=compared)
        number, before, action = found
        return self.feedback(
            WRONG,
            words,
            position=before,
            marks={action: "yours"},
            compared=(self.told(number, action),),
            mistake=type(mistake).__name__,
            advice=self.mistakes[mistake],
        )

    def named(self, played, lost):
        """The mistake that shows in most moves of the lost games, and where it shows first."""
        moves = [(number, *each) for number in lost for each in own_moves(played, number)]
        shown = {
            mistake: [
                (number, before, action)
                for number, before, action in moves
                if mistake.gives_away(before.game, before.state, action)
            ]
            for mistake in self.mistakes
            if plays_like(mistake, moves)
        }
        most = max(shown, key=lambda mistake: len(shown[mistake]), default=None)
        return (most, shown[most][0]) if most is not None and shown[most] else (None, None)

    def told(self, number, action):
        return (f"game {number + 1}, lost", f"here your agent played {describe(self.game, action)}")

    def feedback(self, state, sentence, **more):
        return Feedback(self.number, self.title, state, sentence, **more)


def own_moves(played, number):
    """The positions of a game in which the agent was to move, each with what it played."""
    positions = played.positions(number)
    for before, after in zip(positions, positions[1:]):
        if before.game.mover(before.state) == played.seats[number]:
            yield before, after.last


def plays_like(mistake, moves):
    """Whether a player of the zoo, if it says what it `would_play`, may have made all the moves."""
    return not hasattr(mistake, "would_play") or all(
        mistake.would_play(before.game, before.state, action) for _, before, action in moves
    )
