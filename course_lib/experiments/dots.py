"""The learner of Arvidsson & Wallgren 2010, and long runs of it: what its sweeps compute.

(Apart from the figures and their texts, so that these may change without a run of hours.)
"""

from typing import Annotated

import numpy as np

from course_lib.agents import PerBox, Random, Simple
from course_lib.agents.exploration import (
    Constant,
    Counting,
    Decaying,
    Linear,
    StopAfter,
    UntilNoZero,
)
from course_lib.agents.q_learning import Alpha, Gamma, OnlyTheEnd, q_learning
from course_lib.games.dots_and_boxes import DotsAndBoxes, LinesAndStarter, LinesOnly
from course_lib.parameters import Choice, Range
from course_lib.training import Training

GAME = DotsAndBoxes(2, 2, tie_loses=True)
AT_ONCE = 250_000  # games: their results are then added up and forgotten
EVERY = 1000  # games from one number of the statistics to the next
FIXED = {"Random": Random(), "Simple": Simple()}
LEARNER = "learner"


def learner(
    game=GAME,
    alpha: Alpha = 0.2,
    gamma: Gamma = 0.8,
    exploration: Annotated[
        object,
        Choice(
            (UntilNoZero, Constant, Linear, StopAfter, Decaying, Counting),
            "when it tries something new",
        ),
    ] = UntilNoZero(),
    box: Annotated[float, Range(0, 100, "reward for a box, besides ±10 at the end", (0, 10))] = 0.0,
    sees_starter: Annotated[bool, Range(0, 1, "it also sees whether it began")] = False,
):
    """The thesis' learner (sections 2.2 and 2.3, listings 1 and 2), as it stands.

    Its table has an entry for each set of drawn lines and each line. It learns at each own turn,
    extra turns included, and gets 10 for a win and −10 for a loss. As long as a line has the value
    0 it draws the lowest of these; then the line with the largest value, the lowest of equals.
    """
    return q_learning(
        game,
        alpha,
        gamma,
        win=10,
        loss=-10,
        exploration=exploration,
        random_ties=False,
        rewards=PerBox(float(box)) if box else OnlyTheEnd(),
        eyes=LinesAndStarter() if sees_starter else LinesOnly(),
    )


def long_run(
    alpha,
    gamma,
    games,
    seed,
    opponent="Random",
    memory=None,
    opponent_memory=None,
    game=GAME,
    session=0,
    starter="random",
    keep_memory=True,
    **variant,
):
    """One run of a learner against "Random", "Simple" or another "learner": a cell of a sweep.

    memory, opponent_memory: the tables that they go on from; both learn with this α and γ, and
    explore in the same way. The result has the wins of each thousand games and the tables.
    """
    agent = remembering(learner(game, alpha, gamma, **variant), memory)
    if opponent == LEARNER:
        other = remembering(learner(game, alpha, gamma, **variant), opponent_memory)
    else:
        other = FIXED[opponent]
    every = stretch(games)
    wins, untried = [], []
    for part, size in enumerate(parts_of(games, every)):
        own_seed = int(np.random.SeedSequence([seed, session, part]).generate_state(1)[0])
        run = Training(game, agent, other, size, 1, own_seed, starter, fresh=False).go()
        wins.append((run.results[0] == 1).reshape(-1, every).sum(axis=1))
        untried.append(zeros_met(agent))
    result = {"every": every, "wins": np.concatenate(wins).astype(np.int32), "untried": untried}
    if keep_memory:
        result["memory"] = agent.values
        result["opponent_memory"] = other.values if opponent == LEARNER else None
    return result


def remembering(agent, memory):
    """The learner with this table: a copy of it, for the run to write into."""
    return agent if memory is None else agent._replace(values=np.array(memory))


def stretch(games):
    """From one number of the statistics to the next: a thousand games, a tenth of short runs."""
    return EVERY if games >= 10 * EVERY else max(1, games // 10)


def parts_of(games, every):
    """The run in parts, each a whole number of stretches (what is left over is not played)."""
    whole = games // every * every
    part = max(every, AT_ONCE // every * every)
    return [min(part, whole - done) for done in range(0, whole, part)]


def zeros_met(agent):
    """How many moves are still to be tried in positions where it has moved: their value is 0."""
    met = np.flatnonzero(agent.visits)
    lines = agent.game.longest()
    free = (met[:, None] >> np.arange(lines) & 1) == 0
    return int(np.sum(free & (agent.values[met] == 0)))
