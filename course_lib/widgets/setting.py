"""What a lab's sliders say, as data: an experiment that can be run, named and written as Python."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from course_lib.agents import Menace, OneStepLookAhead, QLearning, Random, Simple, perfect
from course_lib.agents.menace import menace
from course_lib.agents.q_learning import q_learning
from course_lib.arena import label
from course_lib.exact import ceiling
from course_lib.games.symmetry import UpToSymmetry
from course_lib.parameters import parameters
from course_lib.training import Training

OPPONENTS = {
    "Random": lambda game: Random(),
    "Perfect": perfect,
    "OneStepLookAhead": lambda game: OneStepLookAhead(),
    "Simple": lambda game: Simple(),
}
STARTERS = {"agent": [0], "opponent": [1], "alternate": [0, 1], "random": [0, 1]}  # agent's seats
LONGEST_FOR_CEILING = 12  # moves: it looks at every position that there is


class Setting(NamedTuple):
    """A learner, its opponent and the size of the experiment."""

    build: Callable  # build(game, **values) makes the learner
    game: Any
    values: dict
    opponent: str = "Random"
    games: int = 300
    sessions: int = 50
    starter: str = "agent"
    seed: int = 0
    paper: Any = None  # the experiment that it comes from

    def training(self):
        """The experiment, before its first game. A ValueError says what does not go together."""
        return Training(
            self.game,
            self.build(self.game, **self.values, **self.seats()),
            self.against(),
            games=self.games,
            sessions=self.sessions,
            seed=self.seed,
            starter=self.starter,
        )

    def seats(self):
        """For a learner that must be told which seats it will take."""
        if "second" not in inspect.signature(self.build).parameters:
            return {}
        taken = STARTERS[self.starter]
        return {"first": 0 in taken, "second": 1 in taken}

    def against(self):
        if self.opponent in OPPONENTS:
            return opponent_of(self.opponent, self.game)
        return self.paper.make()["opponent"]

    def best_score(self):
        """The best expected score a game; None where it is not known."""
        if self.opponent not in OPPONENTS or self.game.longest() > LONGEST_FOR_CEILING:
            return None
        scores = [best_score(self.game, self.opponent, seat) for seat in STARTERS[self.starter]]
        return sum(scores) / len(scores)

    def is_of_paper(self):
        """Whether this is the paper's experiment; more sessions or another seed do not matter."""
        if self.paper is None:
            return False
        papers = setting_of(self.paper)
        same = papers._replace(sessions=self.sessions, seed=self.seed)
        return not self.differences(same)

    def published(self):
        """The published score at the end, if the paper has one."""
        found = {} if self.paper is None else self.paper.published
        return found["wins"] - found["losses"] if "wins" in found else None

    def differences(self, other):
        """In words: what is not as in another setting of the same lab."""
        words = [f"{k}={_short(v)}" for k, v in self.values.items() if v != other.values[k]]
        for name in ("opponent", "games", "sessions", "starter", "seed"):
            if getattr(self, name) != getattr(other, name):
                words.append(f"{name}={getattr(self, name)}")
        return ", ".join(words)

    def python(self):
        """The Python that makes this curve, with its imports."""
        given = {**self.values, **self.seats()}
        learner = (
            f"{self.build.__name__}(game, {', '.join(f'{k}={v!r}' for k, v in given.items())})"
        )
        if self.opponent == "Perfect":
            against, needed = "perfect(game)", perfect
        elif self.opponent in OPPONENTS:
            against, needed = f"{self.opponent}()", type(self.against())
        else:
            against = f'PAPERS["{self.paper.paper}"]["{self.paper.name}"].make()["opponent"]'
            needed = None
        parts = [type(v) for v in given.values() if hasattr(v, "_fields")]
        needed = [self.build, type(self.game), Training, *parts, *([needed] if needed else [])]
        imports = {f"from {each.__module__} import {each.__name__}" for each in needed}
        if "PAPERS" in against:
            imports.add("from course_lib.experiments import PAPERS")
        own = "from __main__ "  # what was made in the notebook itself is there already
        return "\n".join(
            [
                *sorted(each for each in imports if not each.startswith(own)),
                "",
                f"game = {self.game!r}",
                f"learner = {learner}",
                f"run = Training(game, learner, {against}, games={self.games}, "
                f"sessions={self.sessions}, seed={self.seed}, starter={self.starter!r})",
                "scores = run.go().scores()",
            ]
        )


@functools.cache
def opponent_of(name, game):
    return OPPONENTS[name](game)


@functools.cache
def best_score(game, opponent, seat):
    return ceiling(game, opponent_of(opponent, game), seat).score()


def setting_of(paper):
    """An experiment of a paper as a setting."""
    if not hasattr(paper, "make"):
        raise ValueError(f"{paper.name}: expected an experiment with learning curves")
    made = paper.make()
    build, values = builder_of(made["agent"])
    opponent = type(made["opponent"]).__name__
    if opponent not in OPPONENTS:
        opponent = f"the paper's {opponent}"
    starter = made.get("starter", "agent")
    size = (paper.games, paper.sessions)
    return Setting(build, made["game"], values, opponent, *size, starter, paper=paper)


def builder_of(agent):
    """The function that built a learner, and the values it was given."""
    if isinstance(agent, Menace):
        beads = tuple(agent.layout.by_stage.tolist())
        special = {
            "beads": beads[0] if len(beads) == 1 else beads,
            "per_orbit": agent.layout.per_orbit,
            "forced_box": agent.layout.forced_box,
        }
        build = menace
    elif isinstance(agent, QLearning):
        special = {"symmetry": isinstance(agent.eyes, UpToSymmetry)}
        build = q_learning
    else:
        raise ValueError(f"{label(agent)}: expected a learner that menace or q_learning built")
    names = [each.name for each in parameters(build)]
    return build, {name: special.get(name, getattr(agent, name, None)) for name in names}


def _short(value):
    """A schedule without the names of its parameters."""
    if not hasattr(value, "_fields"):
        return value
    return f"{type(value).__name__}({', '.join(str(each) for each in value)})"
