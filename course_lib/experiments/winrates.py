"""Cells of win rates: a searcher in the Arena, or a learner in training and in the Arena.

Their functions are apart from what a paper says of them: a change there computes nothing anew.
"""

import math

import numpy as np

from course_lib.agents import OneStepLookAhead, Random, mcts, monte_carlo
from course_lib.agents.printed import looked_up_by_print
from course_lib.agents.q_learning import q_learning
from course_lib.arena import match, replay
from course_lib.table import EMPTY
from course_lib.training import Training

OPPONENTS = {
    "Random": Random(),
    "OneStepLookAhead": OneStepLookAhead(),
    "OnlyBlocks": OneStepLookAhead(only_blocks=True),
}
BUILDERS = {"MCS": monte_carlo, "MCTS": mcts}
REPETITIONS, GAMES = 10, 100  # of a learner in the Arena, at each checkpoint
EPISODES_A_GAME = 100  # a short training is looked at in fewer games


def standard_error(win, games):
    """Of a share of wins. A win and a loss more keep it from 0 where all games are equal."""
    win = (win * games + 1) / (games + 2)
    return math.sqrt(win * (1 - win) / games)


def rates(results, seats):
    """What is told of some games of an agent: shares of them, and the standard error of `win`."""
    results, seats = np.asarray(results), np.asarray(seats)

    def share(outcome, counted):
        return float(np.mean(results[counted] == outcome)) if counted.any() else None

    everything = np.ones(len(results), bool)
    win = share(1, everything)
    return {
        "win": win,
        "draw": share(0, everything),
        "loss": share(-1, everything),
        "win_first": share(1, seats == 0),
        "win_second": share(1, seats == 1),
        "se": standard_error(win, len(results)),
        "games": len(results),
    }


def together(cells):
    """The same shares over several seeds, and the standard deviation `sd` of `win` over them.

    `se` is the larger of two standard errors: by the games, and by the seeds (what learners have
    learnt differs more from seed to seed than games do).
    """
    games = sum(cell["games"] for cell in cells)
    found = {}
    for name in ("win", "draw", "loss", "win_first", "win_second"):
        known = [(cell[name], cell["games"]) for cell in cells if cell[name] is not None]
        total = sum(weight for _, weight in known)
        found[name] = sum(value * weight for value, weight in known) / total if known else None
    wins = [cell["win"] for cell in cells]
    sd = float(np.std(wins, ddof=1)) if len(wins) > 1 else None
    by_seeds = (sd or 0.0) / math.sqrt(len(wins))
    found["se"] = max(standard_error(found["win"], games), by_seeds)
    return found | {"games": games, "sd": sd, "seeds": len(wins)}


def searching(game, algorithm, options, opponent, games, seed):
    """The win rates of a searcher; starters alternate. opponent: a name, or another searcher."""
    agent = BUILDERS[algorithm](game, **options)
    if isinstance(opponent, str):
        other = OPPONENTS[opponent]
    else:
        other = BUILDERS[opponent["algorithm"]](game, **opponent["options"])
    played = match(game, agent, other, games, seed, "alternate", keep_moves=False)
    return rates(played.results, played.seats)


def learning(game, options, checkpoints, trained_against, arenas, seed):
    """Train a learner; at each checkpoint its win rates in training (since the one before) and
    in the Arena, with the table as it is.

    options: of q_learning. At the end also the exhibits, and what the table does not know.
    """
    opponent = OPPONENTS[trained_against]
    agent = q_learning(game, **options)
    run = Training(game, agent, opponent, checkpoints[-1], 1, seed, "alternate")
    training, arena = [], {name: [] for name in arenas}
    before, each = 0, max(1, min(GAMES, checkpoints[-1] // EPISODES_A_GAME))
    for at in checkpoints:
        while run.done() < at:
            run.advance(at - run.done())
        training.append(rates(run.results[0, before:at], np.arange(before, at) % 2))
        table = run.trained()
        for name in arenas:
            arena[name].append(in_the_arena(table, name, seed + at, each))
        before = at
    exhibits = {
        f"{look} {name}": in_the_arena(player, name, seed, each)
        for look, player in (("as it is", table), ("by print", looked_up_by_print(table)))
        for name in (OPPONENTS if len(arenas) > 1 else arenas)
    }
    return {
        "training": training,
        "arena": arena,
        "exhibits": exhibits,
        "positions": int(table.table.used[0]),
        "bytes": table_bytes(table),
        "unknown": unknown(table, arenas[0], seed, each),
    }


def in_the_arena(table, opponent, seed, each=GAMES):
    """10 repetitions of 100 games (`each`), and how much they differ."""
    games = REPETITIONS * each
    played = match(
        table.game, table, OPPONENTS[opponent], games, seed, "alternate", keep_moves=False
    )
    repetitions = (played.results.reshape(REPETITIONS, each) == 1).mean(axis=1)
    return rates(played.results, played.seats) | {"sd_of_10": float(repetitions.std(ddof=1))}


def table_bytes(learner):
    """What a table takes in memory."""
    table = learner.table
    arrays = (table.slots, table.keys, learner.values, learner.visits)
    return int(sum(array.nbytes for array in arrays))


def unknown(learner, opponent, seed, games):
    """The share of its turns in the Arena in which the table does not know the position."""
    game = learner.game
    played = match(game, learner, OPPONENTS[opponent], games, seed, "alternate")
    turns = new = 0
    for number in range(games):
        moves = [int(each) for each in played.moves[number, : played.lengths[number]]]
        for position in replay(game, moves)[:-1]:
            if game.mover(position.state) == played.seats[number]:
                turns += 1
                key, _ = learner.eyes.look(game, position.state)
                new += int(learner.table.find(key)) == EMPTY
    return new / turns
