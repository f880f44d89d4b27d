"""Kyziridis & Tsiaousis 2019, "Reinforcement Learning": MCS, MCTS and Q-learning in an Arena.

The searchers' budget is a response time in the paper. Here it is a number of rollouts a move, one
for each millisecond, so that a run is the same on every computer; MCS and MCTS get equally many.
`--by time` takes the paper's times.

The learner's reward for a tie is 0. In a position that it has never met, it plays any legal move,
each equally likely.
"""

import math
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from course_lib import plots
from course_lib.agents import Decaying, StopAfter, monte_carlo, q_learning
from course_lib.agents.monte_carlo import sample
from course_lib.experiments.experiment import Outcome, Verdict
from course_lib.experiments.winrates import OPPONENTS, learning, searching, together
from course_lib.games import Connect4, TicTacToe
from course_lib.sweeps import Cell, Sweep, results_folder, sweep
from course_lib.training import Training

PAPER = "kyziridis2019"
TIC_TAC_TOE = (TicTacToe(3), TicTacToe(4), TicTacToe(5))
CONNECT4 = (Connect4(4, 5, 3), Connect4(5, 6, 4), Connect4(6, 7, 4))
BUDGETS = (10, 50, 100, 250, 500, 750, 1000, 1500, 2000, 3000)  # ms, or rollouts
PLATEAU = 1000  # the paper reads its plateaus from here on
CS = (0, 1, 2, 3, 4, 5)
ALPHAS = (0.01, 0.05, 0.1)
EPSILONS = ("fixed", "dynamic")
GAMES, SEEDS = 100, 5
WORTH_SAYING = 60  # seconds: longer runs say before how long they will take
A_GAP = 0.03  # a difference of win rates that would be worth a sentence in a paper

# Table 1: the best C and the win rate with it, averaged over the response times.
PANELS = {(game, "Random"): None for game in TIC_TAC_TOE + CONNECT4}
PANELS |= {(game, "OneStepLookAhead"): None for game in CONNECT4}
TABLE_1 = dict(
    zip(
        PANELS,
        [
            *((1, 0.8572), (1, 0.7363), (2, 0.5409)),
            *((2, 0.9520), (1, 0.9450), (1, 0.9390)),
            *((4, 0.8170), (3, 0.5910), (5, 0.6550)),
        ],
        strict=True,
    )
)
# Episodes of training, and the number of checkpoints.
EPISODES = dict(
    zip(
        TIC_TAC_TOE + CONNECT4,
        [(300_000, 30), (500_000, 25), (700_000, 25)] * 2,
        strict=True,
    )
)


def board(game):
    """As the paper writes it: "TicTacToe 3×3", "Connect4 (4×5, 3)"."""
    if isinstance(game, TicTacToe):
        return f"TicTacToe {game.size}×{game.size}"
    return f"Connect4 ({game.rows}×{game.cols}, {game.k})"


def panel(game, opponent):
    return board(game) + ("" if opponent == "Random" else f" against {opponent}")


# The learner


def options_of(alpha=0.05, epsilon="fixed", episodes=300_000, random_ties=True):
    """Algorithm 3 as options of `q_learning`: the opponent is part of the surroundings."""
    schedules = {
        # Episode 2/3 · N is the first without exploration.
        "fixed": StopAfter(0.2, max(0, 2 * episodes // 3 - 1)),
        "dynamic": Decaying(1.0, 0.99, 0.001),
    }
    if epsilon not in schedules:
        raise ValueError(f"epsilon={epsilon!r}: expected one of {EPSILONS}")
    return {
        **{"alpha": alpha, "gamma": 0.99, "win": 1.0, "tie": 0.0, "loss": -1.0},
        **{"exploration": schedules[epsilon], "random_ties": random_ties},
        **{"own_next": True, "each_turn": True, "symmetry": False},
    }


def learner(game, alpha=0.05, epsilon="fixed", episodes=300_000, random_ties=True):
    """The paper's learner; in a position that it has never met it plays any legal move.

    random_ties=False: the lowest of the best moves, so the lowest of all where it knows nothing.
    """
    return q_learning(game, **options_of(alpha, epsilon, episodes, random_ties))


# What an experiment is here


class Size(NamedTuple):
    sessions: int  # seeds
    games: int  # of a cell: in the Arena, or episodes of training
    seed: int
    by: str  # "iterations" or "time"

    def seeds(self):
        return range(1000 * self.seed, 1000 * self.seed + self.sessions)


class Reading(NamedTuple):
    """What an experiment's results say."""

    ours: dict
    lines: list
    verdict: Verdict
    draw: Callable


class Grid(NamedTuple):
    """A table of cells, each for some seeds, and what they say. Its cells are kept on disk."""

    name: str
    title: str
    claim: str
    published: dict
    plan: Callable  # (Size) -> {key: Cell}; the last entry of a key is the seed
    read: Callable  # ({key without seed: rates or a learner's results}, Size) -> Reading
    sessions: int = SEEDS
    games: int = GAMES
    paper: str = PAPER
    by: str = "iterations"
    timed: bool = False  # whether its budget can be a time

    sweeps = True

    def budget_by(self, by):
        """The same experiment with its budgets as rollouts ("iterations") or as times ("time")."""
        return self._replace(by=by)

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        size = Size(
            self.sessions if sessions is None else sessions,
            self.games if games is None else games,
            seed,
            self.by,
        )
        cells = self.plan(size)
        folder = results_folder() / PAPER
        say_how_long(self, Sweep(cells.values(), folder).missing(), size)
        results = sweep(list(cells.values()), folder, None, progress, stop)
        seeds = {}
        for key, result in zip(cells, results, strict=True):
            seeds.setdefault(key[:-1], []).append(result)
        reading = self.read(seeds, size)
        small = size.games != self.games or size.sessions != self.sessions
        lines = [*reading.lines]
        if small:
            lines.append(f"(the paper's size: {self.sessions} seeds, {self.games:,} games)")
        return Outcome(
            *(self, size.sessions, size.games, seed, reading.ours | {"by": self.by}, lines),
            *(reading.verdict, time.perf_counter() - began, reading.draw),
        )


def label_of(cell):
    return {name: value for name, value in cell.items() if value is not None}


def search_cell(game, opponent, algorithm, c, budget, size, seed, **special):
    """One cell of a searcher: (key, Cell)."""
    if size.by == "time":
        options = {"seconds": budget / 1000}
    else:
        options = {"rollouts" if algorithm == "MCS" else "iterations": budget}
    if algorithm == "MCTS":
        options |= {"c": float(c), **special}
    parameters = {
        **{"game": game, "algorithm": algorithm, "options": options, "opponent": opponent},
        **{"games": size.games, "seed": 10_000 * seed + budget},
    }
    return (game, opponent, algorithm, c, budget, seed), Cell(searching, parameters)


def checkpoints_of(episodes, number):
    return sorted({max(1, episodes * part // number) for part in range(1, number + 1)})


def learn_cell(game, alpha, epsilon, trained, arenas, episodes, number, seed, random_ties=True):
    parameters = {
        "game": game,
        "options": options_of(alpha, epsilon, episodes, random_ties),
        "checkpoints": checkpoints_of(episodes, number),
        "trained_against": trained,
        "arenas": list(arenas),
        "seed": 10_000_000 * (seed + 1),
    }
    return (game, alpha, epsilon, trained, random_ties, seed), Cell(learning, parameters)


def arenas_of(game):
    """Each learner meets all opponents of its game: figures 7 and 9 look at the same learners."""
    return ("Random",) if isinstance(game, TicTacToe) else ("Random", "OneStepLookAhead")


# How long it will take


def say_how_long(experiment, cells, size):
    """Before a long run, on stderr: a rough estimate from a small piece of it.

    cells: those that are not finished yet.
    """
    work = estimate(cells)
    if work > WORTH_SAYING:
        words = f"{work / 60:.0f} minutes" if work < 7200 else f"{work / 3600:.0f} hours"
        print(
            f"{experiment.name}: {len(cells)} cells are to be computed, with {size.sessions} seeds "
            f"and {size.games:,} games: about {words} of one core. --sessions and --games make it "
            "smaller, and what is finished is kept.",
            file=sys.stderr,
        )


def estimate(cells):
    """Seconds of one core that these cells will take, roughly."""
    total, prices = 0.0, {}
    for cell in cells.values():
        given = cell.parameters
        game = given["game"]
        if cell.function is searching:
            moves = given["games"] * game.longest() / 4
            seconds = given["options"].get("seconds")
            if seconds is None:
                given = given["options"]
                rollouts = given.get("rollouts") or given["iterations"]
                if moves * rollouts > 1000 and game not in prices:
                    prices[game] = seconds_a_rollout(game)
                seconds = rollouts * prices.get(game, 0.0)
            total += moves * seconds
        else:
            kind = (game, given["trained_against"])
            episodes = given["checkpoints"][-1]
            if episodes > 1000 and kind not in prices:
                prices[kind] = seconds_an_episode(*kind)
            total += episodes * prices.get(kind, 0.0)
    return total


def seconds_a_rollout(game):
    """From the empty board; halved, for a game's later moves have shorter ones."""
    agent = monte_carlo(game, rollouts=500)
    sample(agent, game, game.start())
    began = time.process_time()
    sample(agent, game, game.start())
    return (time.process_time() - began) / 500 / 2


def seconds_an_episode(game, opponent):
    """Doubled, for large tables are slow."""
    run = Training(game, learner(game), OPPONENTS[opponent], 4000, starter="alternate")
    run.advance(1000)
    began = time.process_time()
    run.advance(3000)
    return 2 * (time.process_time() - began) / 3000


# Differences and verdicts


def difference(first, second):
    """(difference of win rates, its standard error)."""
    return first["win"] - second["win"], math.hypot(first["se"], second["se"])


def average(cells):
    """Several cells as one: the mean of their win rates, the error of that mean."""
    wins = [cell["win"] for cell in cells]
    error = math.sqrt(sum(cell["se"] ** 2 for cell in cells)) / len(cells)
    return {"win": sum(wins) / len(wins), "se": error}


def judged(gaps, least=A_GAP):
    """Whether all of some differences are there: True, False, or None for "can't be said".

    gaps: (difference, error). One that is clearly below `least` is none, or the other way round.
    """
    if any(gap + 2 * error < least for gap, error in gaps):
        return False
    return True if all(gap > 2 * error for gap, error in gaps) else None


def told(gap, error):
    return f"{100 * gap:+.1f} ± {100 * error:.1f}"


def percent(cell):
    return f"{100 * cell['win']:.1f} ± {100 * cell['se']:.1f}"


# Searchers: figures 1–4, 11–13 and table 1


def searchers(name, boards, claim, judge, published=None, opponent="Random"):
    """A figure of MCS and MCTS over budgets; MCTS with the C of table 1."""
    panels = [(game, opponent) for game in boards]

    def plan(size):
        return dict(
            search_cell(game, other, algorithm, c, budget, size, seed)
            for game, other in panels
            for algorithm, c in (("MCS", None), ("MCTS", TABLE_1[game, other][0]))
            for budget in BUDGETS
            for seed in size.seeds()
        )

    def read(seeds, size):
        curves = curves_of(seeds)
        return Reading(
            {"cells": rows(seeds)},
            lines_of_searchers(curves, panels, published or {}),
            judge(curves, panels),
            lambda figure: draw_searchers(figure, curves, panels, size),
        )

    names = " and ".join(board(game) for game in boards)
    title = f"MCS and MCTS against {opponent}: {names}"
    return Grid(name, title, claim, published or {}, plan, read, timed=True)


def curves_of(seeds):
    """{(game, opponent, algorithm, c): {budget: rates over the seeds}}."""
    curves = {}
    for (*which, budget), cells in seeds.items():
        curves.setdefault(tuple(which), {})[budget] = together(cells)
    return curves


def rows(seeds):
    """The cells of searchers for the JSON."""
    return [
        {
            **label_of({"game": board(game), "opponent": opponent, "algorithm": algorithm, "C": c}),
            "budget": budget,
            **together(cells),
        }
        for (game, opponent, algorithm, c, budget), cells in seeds.items()
    ]


def of(curves, game, opponent, algorithm):
    """The one curve of an algorithm in a panel."""
    (found,) = (curves[key] for key in curves if key[:3] == (game, opponent, algorithm))
    return found


def part(curve, low=0, high=math.inf):
    """The budgets from low to high as one."""
    return average([cell for budget, cell in curve.items() if low <= budget <= high])


def steadiness(curve):
    """The standard deviation over seeds, averaged over the budgets."""
    return float(np.mean([cell["sd"] for cell in curve.values()]))


def lines_of_searchers(curves, panels, published):
    lines = ["win rate in %, mean over all budgets; from 1000 on (paper); sd over seeds"]
    for game, opponent in panels:
        for algorithm in ("MCS", "MCTS"):
            curve = of(curves, game, opponent, algorithm)
            theirs = published.get(panel(game, opponent), {}).get(algorithm)
            theirs = "" if theirs is None else f" (paper {100 * theirs:g})"
            lines.append(
                f"{panel(game, opponent):42} {algorithm:4} {percent(part(curve))}; "
                f"{percent(part(curve, PLATEAU))}{theirs}; sd {100 * steadiness(curve):.1f}"
            )
    return lines


def mcs_wins_more(low=0, high=math.inf):
    """Judges "MCS has the higher win rate" over some budgets, in all panels."""

    def judge(curves, panels):
        gaps, words = [], []
        for game, opponent in panels:
            mcs, tree = (
                part(of(curves, game, opponent, name), low, high) for name in ("MCS", "MCTS")
            )
            gaps.append(difference(mcs, tree))
            words.append(f"{panel(game, opponent)} {told(*gaps[-1])}")
        return Verdict(judged(gaps), f"MCS less MCTS at equal rollouts, in points: {join(words)}")

    return judge


def join(words):
    return "; ".join(words)


def draw_searchers(figure, curves, panels, size):
    across = "response time (ms)" if size.by == "time" else "rollouts a move"
    for axes, (game, opponent) in zip(grid(figure, len(panels)), panels, strict=True):
        groups = {
            name: columns(of(curves, game, opponent, name), with_sd=True)
            for name in ("MCS", "MCTS")
        }
        plots.rates(axes, groups, across, panel(game, opponent))
    figure.tight_layout()


def columns(curve, with_sd=False):
    """(x, win rates, spread) for a picture."""
    spread = [cell["sd" if with_sd else "se"] for cell in curve.values()]
    return list(curve), [cell["win"] for cell in curve.values()], spread


def grid(figure, panels):
    return np.atleast_1d(figure.subplots(1, panels, sharey=True))


# C: figure 1 and table 1


def cs_of(name, panels, title, claim, judge, published=None):
    def plan(size):
        return dict(
            search_cell(game, opponent, "MCTS", c, budget, size, seed)
            for game, opponent in panels
            for c in CS
            for budget in BUDGETS
            for seed in size.seeds()
        )

    def read(seeds, size):
        curves = curves_of(seeds)
        lines = ["win rate in % for C = 0 ... 5, mean over all budgets; best C (paper)"]
        best = {}
        for game, opponent in panels:
            means = {c: part(curves[game, opponent, "MCTS", c]) for c in CS}
            c = max(CS, key=lambda c: means[c]["win"])
            best[panel(game, opponent)] = {"C": c, **means[c]}
            theirs_c, theirs = TABLE_1[game, opponent]
            values = " ".join(f"{100 * means[c]['win']:5.1f}" for c in CS)
            lines.append(
                f"{panel(game, opponent):42} {values} ± {100 * means[c]['se']:.1f}; "
                f"C = {c} ({theirs_c}), {100 * means[c]['win']:.1f} ({100 * theirs:.1f})"
            )
        return Reading(
            {"cells": rows(seeds), "best": best},
            lines,
            judge(curves, panels),
            lambda figure: draw_cs(figure, curves, panels, size),
        )

    # One seed in the paper; more give an error bar over seeds.
    return Grid(name, title, claim, published or {}, plan, read, sessions=1, timed=True)


def draw_cs(figure, curves, panels, size):
    across = "response time (ms)" if size.by == "time" else "rollouts a move"
    shown = list(panels)[:3]
    for axes, (game, opponent) in zip(grid(figure, len(shown)), shown, strict=True):
        groups = {f"C = {c}": columns(curves[game, opponent, "MCTS", c]) for c in CS}
        plots.rates(axes, groups, across, panel(game, opponent))
    figure.tight_layout()


def no_exploration_is_worst(curves, panels):
    gaps, words = [], []
    for game, opponent in panels:
        none = part(curves[game, opponent, "MCTS", 0])
        rest = average([part(curves[game, opponent, "MCTS", c]) for c in CS[1:]])
        gaps.append(difference(rest, none))
        words.append(f"{panel(game, opponent)} {told(*gaps[-1])}")
    return Verdict(judged(gaps), f"C = 1 ... 5 less C = 0, in points: {join(words)}")


def large_c_against_the_better_player(curves, panels):
    gains = {}
    for opponent in ("Random", "OneStepLookAhead"):
        large, small = (
            average(
                [part(curves[game, name, "MCTS", c]) for game, name in panels if name == opponent
                 for c in cs]
            )
            for cs in ((3, 4, 5), (1, 2))
        )  # fmt: skip
        gains[opponent] = difference(large, small)
    gap = gains["OneStepLookAhead"][0] - gains["Random"][0]
    error = math.hypot(gains["OneStepLookAhead"][1], gains["Random"][1])
    words = [f"{name} {told(*gain)}" for name, gain in gains.items()]
    holds = judged([gains["OneStepLookAhead"]], 0.0)
    return Verdict(
        holds,
        f"what C = 3, 4, 5 gain over C = 1, 2, in points: {join(words)} (difference "
        f"{told(gap, error)})",
    )


# Learners: figures 5–10 and 14–16


def learners(name, boards, claim, judge, published, shown):
    """A figure of learners that trained against Random.

    shown: "training" (and the Arena against Random beside it), or an opponent in the Arena.
    """

    def plan(size):
        return dict(
            learn_cell(
                *(game, alpha, epsilon, "Random", arenas_of(game)),
                *(episodes_of(game, size), EPISODES[game][1], seed),
            )
            for game in boards
            for alpha in ALPHAS
            for epsilon in EPSILONS
            for seed in size.seeds()
        )

    def episodes_of(game, size):
        return scaled(EPISODES[game][0], size.games, EPISODES[boards[0]][0])

    def read(seeds, size):
        found = learnt(seeds)
        return Reading(
            {"cells": learner_rows(seeds, plan(size)), "exhibits": exhibits(seeds)},
            lines_of_learners(found, boards, published, shown),
            judge(found, boards),
            lambda figure: draw_learners(figure, found, boards, shown, size, plan),
        )

    names = " and ".join(board(game) for game in boards)
    against = "Random" if shown == "training" else shown
    return Grid(
        name,
        f"the Q-agent against {against}: {names}",
        claim,
        published,
        plan,
        read,
        games=EPISODES[boards[0]][0],
    )


def scaled(episodes, games, usual):
    """The paper's episodes of a board, less if fewer games than usual were asked for."""
    return max(1, episodes * games // usual)


def learnt(seeds):
    """Over the seeds: {key: {"training": [rates ...], "arena": {opponent: [rates ...]}, ...}}."""
    found = {}
    for key, results in seeds.items():
        found[key] = {
            "training": over_seeds([each["training"] for each in results]),
            "arena": {
                name: over_seeds([each["arena"][name] for each in results])
                for name in results[0]["arena"]
            },
            "exhibits": {
                name: together([each["exhibits"][name] for each in results])
                for name in results[0]["exhibits"]
            },
            "positions": float(np.mean([each["positions"] for each in results])),
            "useful": float(np.mean([each["useful"] for each in results])),
            "bytes": max(each["bytes"] for each in results),
            "unknown": float(np.mean([each["unknown"] for each in results])),
        }
    return found


def over_seeds(lists):
    return [together(cells) for cells in zip(*lists, strict=True)]


def learner_rows(seeds, cells):
    """The cells of learners for the JSON: each checkpoint, in training and in the Arena."""
    written = []
    checkpoints = {key[:-1]: cell.parameters["checkpoints"] for key, cell in cells.items()}
    for key, found in learnt(seeds).items():
        game, alpha, epsilon, trained, random_ties = key
        which = {
            **{"game": board(game), "alpha": alpha, "epsilon": epsilon},
            **{"trained_against": trained, "random_ties": random_ties},
        }
        places = {"training": (trained, found["training"])}
        places |= {f"Arena, {name}": (name, found["arena"][name]) for name in found["arena"]}
        for place, (opponent, curve) in places.items():
            where = {"where": place.split(",")[0], "opponent": opponent}
            for episodes, cell in zip(checkpoints[key], curve, strict=True):
                written.append({**which, **where, "episodes": episodes, **cell})
    return written


def exhibits(seeds):
    """At the end of training: as it is, looked up by print, against each opponent; table sizes."""
    return [
        {
            **{"game": board(key[0]), "alpha": key[1], "epsilon": key[2]},
            **{"trained_against": key[3], "random_ties": key[4]},
            **found["exhibits"],
            **{name: found[name] for name in ("positions", "useful", "bytes", "unknown")},
        }
        for key, found in learnt(seeds).items()
    ]


def exhibit_cells(seeds):
    """The same, a row a cell; "by print Random" is looked up by print, against Random."""
    written = []
    for (game, alpha, epsilon, trained, random_ties), found in learnt(seeds).items():
        which = {
            **{"game": board(game), "alpha": alpha, "epsilon": epsilon},
            **{"trained_against": trained, "random_ties": random_ties},
        }
        places = {"training": found["training"][-1], **found["exhibits"]}
        written += [{**which, "where": place, **cell} for place, cell in places.items()]
    return written


def final(found, game, alpha, epsilon, place, trained="Random", random_ties=True):
    """The win rate at the end of training, in "training" or in the Arena against an opponent."""
    which = found[game, alpha, epsilon, trained, random_ties]
    return (which["training"] if place == "training" else which["arena"][place])[-1]


def lines_of_learners(found, boards, published, shown):
    lines = []
    for game in boards:
        places = ("training", "Random") if shown == "training" else (shown,)
        lines.append(f"{board(game)}: win rate in % at the end for α = {join(map(str, ALPHAS))}")
        for place in places:
            for epsilon in EPSILONS:
                values = " ".join(
                    percent(final(found, game, alpha, epsilon, place)) for alpha in ALPHAS
                )
                name = place if place == "training" else f"Arena, {place}"
                lines.append(f"  {name:24} {epsilon:8} {values}")
        theirs = published.get(board(game), {})
        if shown == "OneStepLookAhead":
            fixed = {alpha: found[game, alpha, "fixed", "Random", True] for alpha in ALPHAS}
            words = [
                f"α = {alpha} {percent(each['exhibits'][AS_IN_2019])}"
                for alpha, each in fixed.items()
            ]
            lines.append(f"  printed key, a player that only blocks, fixed: {join(words)}")
        if theirs:
            words = ", ".join(
                f"{name} {value if name == 'alpha' else f'{100 * value:g}'}"
                for name, value in theirs.items()
            )
            lines.append(f"  paper, best: {words}")
        every = [found[key] for key in found if key[0] == game]
        lines.append(
            f"  {np.mean([each['positions'] for each in every]):,.0f} positions in "
            f"{max(each['bytes'] for each in every) / 1e6:,.0f} MB, "
            f"{np.mean([each['useful'] for each in every]):,.0f} of them met again and not all 0; "
            f"{100 * np.mean([each['unknown'] for each in every]):.0f} % of its turns in the Arena "
            "are in positions that it does not know"
        )
    return lines


AS_IN_2019 = "by print OnlyBlocks"  # the exhibits together


def draw_learners(figure, found, boards, shown, size, plan):
    x = {key[:-1]: cell.parameters["checkpoints"] for key, cell in plan(size).items()}
    wanted = [(game, shown) for game in boards]
    if shown == "training":
        wanted = [(game, place) for game in boards for place in ("training", "Random")]
    for axes, (game, place) in zip(grid(figure, len(wanted)), wanted, strict=True):
        groups = {}
        for epsilon in EPSILONS:
            for alpha in ALPHAS:
                key = (game, alpha, epsilon, "Random", True)
                which = found[key]
                curve = which["training"] if place == "training" else which["arena"][place]
                wins, spread = ([cell[name] for cell in curve] for name in ("win", "sd"))
                groups[f"{epsilon} ε, α = {alpha}"] = x[key], wins, spread
        name = "training" if place == "training" else f"Arena against {place}"
        plots.rates(axes, groups, "episodes", f"{board(game)}, {name}", logarithmic=False)
    figure.tight_layout()


def fixed_is_better(place):
    """Judges "fixed ε is better than dynamic ε" at the end, over all α."""

    def judge(found, boards):
        gaps, words = [], []
        for game in boards:
            fixed, dynamic = (
                average([final(found, game, alpha, epsilon, place) for alpha in ALPHAS])
                for epsilon in EPSILONS
            )
            gaps.append(difference(fixed, dynamic))
            words.append(f"{board(game)} {told(*gaps[-1])}")
        return Verdict(judged(gaps, 0.005), f"fixed less dynamic, in points: {join(words)}")

    return judge


def training_and_arena_agree(found, boards):
    """For TicTacToe: fixed ε with α = 0.1 ends with the same win rate in both."""
    (game,) = boards[:1]
    words, agree = [], True
    for game in boards:
        training, arena = (final(found, game, 0.1, "fixed", place) for place in PLACES)
        gap, error = difference(training, arena)
        agree = agree and abs(gap) < max(0.03, 2 * error)
        words.append(f"{board(game)} {percent(training)} and {percent(arena)}")
    return Verdict(agree, f"training and Arena, in %: {join(words)}")


PLACES = ("training", "Random")


def drops_in_the_arena(found, boards):
    """For Connect4: 20–30 points below training. And what the printed key makes of it."""
    gaps, words = [], []
    for game in boards:
        alpha = 0.1 if game == CONNECT4[2] else 0.05
        training, arena = (final(found, game, alpha, "fixed", place) for place in PLACES)
        printed = found[game, alpha, "fixed", "Random", True]["exhibits"]["by print Random"]
        gaps.append(difference(training, arena))
        words.append(
            f"{board(game)} training {percent(training)}, Arena {percent(arena)}, and with the "
            f"printed board as key {percent(printed)}"
        )
    return Verdict(judged(gaps, 0.1), f"in %: {join(words)}")


# Figure 10 and the six questions


def trained_well(size):
    """Figure 10: trained against OneStepLookAhead, and the same against Random to compare."""
    cells = {}
    for game, episodes in FIGURE_10.items():
        for seed in size.seeds():
            for trained, wanted in (
                ("OneStepLookAhead", scaled(episodes, size.games, FIGURE_10[CONNECT4[0]])),
                ("Random", scaled(EPISODES[game][0], size.games, FIGURE_10[CONNECT4[0]])),
            ):
                number = 20 if trained != "Random" else EPISODES[game][1]
                key, cell = learn_cell(
                    game, 0.01, "fixed", trained, arenas_of(game), wanted, number, seed
                )
                cells[key] = cell
    return cells


FIGURE_10 = {CONNECT4[0]: 2_000_000, CONNECT4[1]: 4_000_000}


def read_trained_well(seeds, size):
    found = learnt(seeds)
    lines, gains = [], {}
    for game in FIGURE_10:
        for opponent in ("Random", "OneStepLookAhead"):
            ends = {
                trained: final(found, game, 0.01, "fixed", opponent, trained)
                for trained in ("Random", "OneStepLookAhead")
            }
            gains[game, opponent] = difference(ends["OneStepLookAhead"], ends["Random"])
            words = ", ".join(
                f"trained against {name} {percent(end)}" for name, end in ends.items()
            )
            lines.append(f"{board(game)}, Arena against {opponent}: {words}")
    words = [f"{panel(*which)} {told(*gain)}" for which, gain in gains.items()]
    as_published = [
        judged([gains[CONNECT4[1], "OneStepLookAhead"]]),
        judged([gains[CONNECT4[0], "OneStepLookAhead"]]) is False,
        judged([gains[game, "Random"] for game in FIGURE_10]) is False,
    ]
    holds = None if None in as_published else all(as_published)
    if not holds and judged([gains[CONNECT4[0], "OneStepLookAhead"]]):
        holds = False
    verdict = Verdict(holds, f"gain by training against OneStepLookAhead, in points: {join(words)}")

    def draw(figure):
        x = {key[:-1]: cell.parameters["checkpoints"] for key, cell in trained_well(size).items()}
        for axes, game in zip(grid(figure, 2), FIGURE_10, strict=True):
            key = (game, 0.01, "fixed", "OneStepLookAhead", True)
            groups = {}
            for opponent, curve in found[key]["arena"].items():
                wins, spread = ([cell[name] for cell in curve] for name in ("win", "sd"))
                groups[f"against {opponent}"] = x[key], wins, spread
            title = f"{board(game)}, trained against OneStepLookAhead"
            plots.rates(axes, groups, "episodes", title, logarithmic=False)
        figure.tight_layout()

    ours = {"cells": learner_rows(seeds, trained_well(size)), "exhibits": exhibits(seeds)}
    return Reading(ours, lines, verdict, draw)


def question(name, title, claim, panels, judge):
    """A question about MCS and MCTS, answered by the cells of their figures."""
    wanted = list(panels)

    def plan(size):
        return dict(
            search_cell(game, opponent, algorithm, c, budget, size, seed)
            for game, opponent in wanted
            for algorithm, c in (("MCS", None), ("MCTS", TABLE_1[game, opponent][0]))
            for budget in BUDGETS
            for seed in size.seeds()
        )

    def read(seeds, size):
        curves = curves_of(seeds)
        lines = ["from which budget on within 3 points of the plateau; sd over seeds, in points"]
        for game, opponent in wanted:
            words = [
                f"{name} {converged(of(curves, game, opponent, name)):5} "
                f"sd {100 * steadiness(of(curves, game, opponent, name)):.1f} "
                f"(games alone: {100 * by_chance(of(curves, game, opponent, name), size):.1f})"
                for name in ("MCS", "MCTS")
            ]
            lines.append(f"{panel(game, opponent):42} {join(words)}")

        def draw(figure):
            axes = figure.subplots()
            for name, marker in (("MCS", "o"), ("MCTS", "s")):
                found = [of(curves, *which, name) for which in wanted]
                axes.plot(
                    [converged(curve) for curve in found],
                    [100 * steadiness(curve) for curve in found],
                    **{"marker": marker, "ls": "", "label": name},
                    color=plots.BLUE if name == "MCS" else plots.RED,
                )
            axes.set_xscale("log")
            axes.set_xlabel("rollouts a move until within 3 points of the plateau")
            axes.set_ylabel("sd over seeds, in points")
            axes.set_title(f"{PAPER} {title}")
            axes.legend(frameon=False)
            figure.tight_layout()

        return Reading({"cells": rows(seeds)}, lines, judge(curves, wanted), draw)

    return Grid(name, title, claim, {}, plan, read, timed=True)


def converged(curve):
    """The first budget from which on all win rates are within 3 points of the plateau."""
    plateau = part(curve, PLATEAU)["win"]
    late = 0
    for budget, cell in curve.items():
        if abs(cell["win"] - plateau) > A_GAP:
            late = budget
    return min((budget for budget in curve if budget > late), default=max(curve))


def by_chance(curve, size):
    """The sd of win rates over seeds that games of chance alone would give."""
    return float(
        np.mean(
            [math.sqrt(cell["win"] * (1 - cell["win"]) / size.games) for cell in curve.values()]
        )
    )


def sd_gap(curves, game, opponent):
    """How much larger the sd over seeds of MCTS is than that of MCS, with its standard error."""
    found = []
    for name in ("MCTS", "MCS"):
        sds = [cell["sd"] for cell in of(curves, game, opponent, name).values()]
        seeds = of(curves, game, opponent, name)[min(BUDGETS)]["seeds"]
        error = math.sqrt(sum(sd**2 for sd in sds) / (2 * (seeds - 1))) / len(sds)
        found.append((float(np.mean(sds)), error))
    (tree, tree_error), (mcs, mcs_error) = found
    return tree - mcs, math.hypot(tree_error, mcs_error)


def mcs_is_steadier(curves, panels):
    gaps = [sd_gap(curves, *which) for which in panels]
    words = [f"{panel(*which)} {told(*gap)}" for which, gap in zip(panels, gaps, strict=True)]
    mean = sum(gap for gap, _ in gaps) / len(gaps)
    error = math.sqrt(sum(error**2 for _, error in gaps)) / len(gaps)
    return Verdict(
        judged([(mean, error)], 0.005),
        f"sd over seeds of MCTS less that of MCS, in points: {told(mean, error)} on average; "
        f"{join(words)}",
    )


def faster_and_steadier(curves, panels):
    speed, steady = mcs_wins_more(high=250)(curves, panels), mcs_is_steadier(curves, panels)
    both = (speed.holds, steady.holds)
    holds = False if False in both else None if None in both else True
    return Verdict(holds, f"{speed.why}; {steady.why}")


# Question 2 and 5 look at learners, too


def all_learners(size, boards, epsilons=EPSILONS, alphas=ALPHAS, usual=GAMES, ties=(True,)):
    """The learners of the figures; games as a share of `usual` scale their episodes."""
    return dict(
        learn_cell(
            *(game, alpha, epsilon, "Random", arenas_of(game)),
            *(scaled(EPISODES[game][0], size.games, usual), EPISODES[game][1], seed, random_ties),
        )
        for game in boards
        for alpha in alphas
        for epsilon in epsilons
        for random_ties in ties
        for seed in size.seeds()
    )


def epsilon_matters_more(seeds, size):
    found = learnt(seeds)
    lines = ["in the Arena against Random, in points: fixed less dynamic ε; best less worst α"]
    gaps = []
    for game in TIC_TAC_TOE + CONNECT4:
        by_epsilon = [
            average([final(found, game, alpha, epsilon, "Random") for alpha in ALPHAS])
            for epsilon in EPSILONS
        ]
        by_alpha = [
            average([final(found, game, alpha, epsilon, "Random") for epsilon in EPSILONS])
            for alpha in ALPHAS
        ]
        by_alpha.sort(key=lambda cell: cell["win"])
        first, second = difference(*by_epsilon), difference(by_alpha[-1], by_alpha[0])
        gaps.append((abs(first[0]) - second[0], math.hypot(first[1], second[1])))
        lines.append(f"{board(game):22} ε {told(*first)}   α {told(*second)}")
    mean = sum(gap for gap, _ in gaps) / len(gaps)
    error = math.sqrt(sum(error**2 for _, error in gaps)) / len(gaps)
    verdict = Verdict(
        judged([(mean, error)], 0.01),
        f"ε changes the win rate by {told(mean, error)} points more than α does, on average",
    )
    ours = {"cells": learner_rows(seeds, all_learners(size, TIC_TAC_TOE + CONNECT4))}

    def draw(figure):
        draw_learners(
            *(figure, found, CONNECT4, "Random", size),
            lambda size: all_learners(size, TIC_TAC_TOE + CONNECT4),
        )

    return Reading(ours, lines, verdict, draw)


def sizes(size):
    """Question 5: searchers and learners on all boards, against Random."""
    boards = TIC_TAC_TOE + CONNECT4
    cells = dict(
        search_cell(game, "Random", algorithm, c, budget, size, seed)
        for game in boards
        for algorithm, c in (("MCS", None), ("MCTS", TABLE_1[game, "Random"][0]))
        for budget in BUDGETS
        for seed in size.seeds()
    )
    return cells | all_learners(size, boards, ("fixed",), (0.1,))


def sensitive_to_size(seeds, size):
    boards = TIC_TAC_TOE + CONNECT4
    searchers = {key: cells for key, cells in seeds.items() if key[2] in ("MCS", "MCTS")}
    taught = {key: results for key, results in seeds.items() if key not in searchers}
    curves, found = curves_of(searchers), learnt(taught)
    wins = {"MCS": {}, "MCTS": {}, "Q": {}}
    for game in boards:
        for name in ("MCS", "MCTS"):
            wins[name][game] = part(of(curves, game, "Random", name))
        wins["Q"][game] = final(found, game, 0.1, "fixed", "Random")
    names = [board(game) for game in boards]
    lines = ["win rate against Random in %: " + join(names)]
    lines += [
        f"{name:5} {join(percent(each[game]) for game in boards)}" for name, each in wins.items()
    ]
    falls = {
        name: difference(each[TicTacToe(3)], each[TicTacToe(5)]) for name, each in wins.items()
    }
    lines.append(
        "from TicTacToe 3×3 to 5×5 it falls by " + join(f"{n} {told(*f)}" for n, f in falls.items())
    )
    tree = falls["MCTS"][0] - falls["MCS"][0], math.hypot(falls["MCTS"][1], falls["MCS"][1])
    learner_gap = falls["Q"][0] - falls["MCTS"][0], math.hypot(falls["Q"][1], falls["MCTS"][1])
    verdict = Verdict(
        judged([tree, learner_gap]),
        f"from 3×3 to 5×5 MCTS loses {told(*tree)} points more than MCS, and Q "
        f"{told(*learner_gap)} more than MCTS",
    )

    def draw(figure):
        axes = figure.subplots()
        for (name, each), marker in zip(wins.items(), "os^", strict=True):
            axes.errorbar(
                names,
                [each[game]["win"] for game in boards],
                [each[game]["se"] for game in boards],
                **{"marker": marker, "capsize": 3, "label": name},
            )
        axes.set_ylabel("win rate against Random")
        axes.tick_params("x", labelrotation=20)
        axes.legend(frameon=False)
        figure.tight_layout()

    cells = {
        "cells": rows(searchers)
        + learner_rows(taught, all_learners(size, boards, ("fixed",), (0.1,)))
    }
    return Reading(cells, lines, verdict, draw)


# Exhibits: where the paper's numbers may come from


def drop_cells(size):
    return {
        **all_learners(size, TIC_TAC_TOE, ("fixed",), (0.1,), 300_000),
        **all_learners(size, CONNECT4[:2], ("fixed",), (0.05,), 300_000),
        **all_learners(size, CONNECT4[2:], ("fixed",), (0.1,), 300_000),
    }


def where_the_rest_went(seeds, size):
    found = learnt(seeds)
    lines = ["win rate in %: training; Arena; Arena with the printed board as key: first, second"]
    gaps, printed_gaps = [], []
    for key, each in found.items():
        game = key[0]
        printed = each["exhibits"]["by print Random"]
        training, arena = each["training"][-1], each["arena"]["Random"][-1]
        lines.append(
            f"{board(game):22} {percent(training)}; {percent(arena)}; {percent(printed)}: "
            f"{of_seat(printed, 'first')}, {of_seat(printed, 'second')}"
            + (f" (paper: Arena {100 * DROPS[game]:g})" if game in DROPS else "")
        )
        if game in DROPS:
            gaps.append(difference(training, arena))
            printed_gaps.append(difference(training, printed))
    words = join(told(*gap) for gap in gaps)
    printed_words = join(told(*gap) for gap in printed_gaps)
    verdict = Verdict(
        judged(gaps, 0.1),
        f"training less Arena on Connect4, in points: {words}; with the printed board as key: "
        f"{printed_words}",
    )

    def draw(figure):
        axes = figure.subplots()
        names = [board(key[0]) for key in found]
        places = {
            "training": [each["training"][-1] for each in found.values()],
            "Arena": [each["arena"]["Random"][-1] for each in found.values()],
            "Arena, printed key": [each["exhibits"]["by print Random"] for each in found.values()],
        }
        for (name, cells), marker in zip(places.items(), "osX", strict=True):
            axes.plot(names, [cell["win"] for cell in cells], marker, label=name, ms=9)
        axes.set_ylabel("win rate against Random")
        axes.tick_params("x", labelrotation=20)
        axes.legend(frameon=False)
        figure.tight_layout()

    return Reading({"cells": exhibit_cells(seeds), "tables": exhibits(seeds)}, lines, verdict, draw)


DROPS = dict(zip(CONNECT4, (0.71, 0.71, 0.695), strict=True))


def of_seat(cell, seat):
    value = cell[f"win_{seat}"]
    return "none" if value is None else f"{100 * value:.1f}"


def never_seen_cells(size):
    game = TicTacToe(5)
    return all_learners(size, (game,), ("fixed",), (0.1,), EPISODES[game][0], (True, False))


def never_seen(seeds, size):
    found = learnt(seeds)
    lines, wins = [], {}
    for key, each in found.items():
        name = "any legal move" if key[-1] else "the lowest"
        wins[name] = each["arena"]["Random"][-1]
        lines.append(
            f"{name:15} Arena {percent(wins[name])}; {100 * each['unknown']:.0f} % of its turns in "
            f"positions that it does not know; {each['positions']:,.0f} positions, "
            f"{each['useful']:,.0f} of them met again and not all 0; {each['bytes'] / 1e6:,.0f} MB"
        )
    gap = difference(wins["the lowest"], wins["any legal move"])
    verdict = Verdict(
        judged([(0.3 - wins["any legal move"]["win"], wins["any legal move"]["se"])], 0.0),
        f"with the lowest of equal moves the same learner wins {told(*gap)} points more; with "
        "any of them a value is almost never met again, so it is a random player, whatever α is",
    )

    def draw(figure):
        axes = figure.subplots()
        cells = next(iter(never_seen_cells(size).values())).parameters["checkpoints"]
        groups = {}
        for key, each in found.items():
            curve = each["arena"]["Random"]
            name = "any legal move" if key[-1] else "the lowest"
            groups[name] = (cells, *([cell[n] for cell in curve] for n in ("win", "sd")))
        plots.rates(axes, groups, "episodes", "TicTacToe 5×5, Arena", logarithmic=False)
        figure.tight_layout()

    return Reading({"cells": exhibit_cells(seeds), "tables": exhibits(seeds)}, lines, verdict, draw)


ROLLOUTS = 500  # a move, head to head


def head_to_head_cells(size):
    cells = {}
    for game in TIC_TAC_TOE + CONNECT4:
        for seed in size.seeds():
            parameters = {
                **{"game": game, "algorithm": "MCTS", "games": size.games, "seed": 10_000 * seed},
                "options": {"iterations": ROLLOUTS, "c": 1.0},
                "opponent": {"algorithm": "MCS", "options": {"rollouts": ROLLOUTS}},
            }
            cells[game, seed] = Cell(searching, parameters)
    return cells


def head_to_head(seeds, size):
    found = {game: together(cells) for (game,), cells in seeds.items()}
    lines = [f"MCTS (C = 1) against MCS, {ROLLOUTS} rollouts a move each, in %: won, tied, lost"]
    gaps = []
    for game, cell in found.items():
        score = cell["win"] - cell["loss"]
        decided = cell["win"] + cell["loss"]
        error = math.sqrt(max(decided - score**2, 1 / cell["games"]) / cell["games"])
        gaps.append((-score, error))
        lines.append(
            f"{board(game):22} {100 * cell['win']:.0f}, {100 * cell['draw']:.0f}, "
            f"{100 * cell['loss']:.0f}: {told(score, error)} points"
        )
    words = join(
        f"{board(game)} {told(-gap, e)}" for game, (gap, e) in zip(found, gaps, strict=True)
    )
    verdict = Verdict(judged(gaps), f"won less lost games of MCTS, in points: {words}")

    def draw(figure):
        axes = figure.subplots()
        names = [board(game) for game in found]
        left = np.zeros(len(found))
        for name, colour in (("win", plots.BLUE), ("draw", plots.GREY), ("loss", plots.RED)):
            width = np.array([cell[name] for cell in found.values()])
            axes.barh(names, width, left=left, color=colour, label=name)
            left += width
        axes.set_xlabel("share of the games of MCTS against MCS")
        axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
        axes.invert_yaxis()
        figure.tight_layout()

    cells = [{"game": board(game), **cell} for game, cell in found.items()]
    return Reading({"cells": cells}, lines, verdict, draw)


FEW = (3, 5, 8, 12, 20, 40, 80, 160, 320)  # simulations


def few_simulations(size):
    cells = {}
    for game in TIC_TAC_TOE + CONNECT4:
        for budget in FEW:
            for seed in size.seeds():
                key, cell = search_cell(
                    *(game, "Random", "MCTS", TABLE_1[game, "Random"][0], budget),
                    *(size._replace(by="iterations"), seed),
                )
                cells[key] = cell
    return cells


def expected_average(curve, simulations):
    """The win rate averaged over the paper's times, if `simulations(ms)` are done in them."""
    x, wins = np.log(list(curve)), [cell["win"] for cell in curve.values()]
    return float(np.mean([np.interp(np.log(simulations(ms)), x, wins) for ms in BUDGETS]))


def fitted(curves, law):
    """(factor, root mean square error): the factor by which a law fits table 1 best."""
    best = (0.0, math.inf)
    for factor in np.geomspace(0.003, 30, 200):
        errors = [
            expected_average(curve, lambda ms: factor * law(ms)) - TABLE_1[game, "Random"][1]  # noqa: B023
            for game, curve in curves.items()
        ]
        miss = math.sqrt(float(np.mean(np.square(errors))))
        best = min(best, (float(factor), miss), key=lambda pair: pair[1])
    return best


def root_of_time(seeds, size):
    curves = {key[0]: curve for key, curve in curves_of(seeds).items()}
    laws = {"√time": math.sqrt, "time": float}
    fits = {name: fitted(curves, law) for name, law in laws.items()}
    lines = [
        f"simulations = {factor:.3g} · {name} (ms): table 1 is missed by {100 * miss:.1f} points"
        for name, (factor, miss) in fits.items()
    ]
    own_fits = {}
    for kind in (TicTacToe, Connect4):
        of_kind = {game: curve for game, curve in curves.items() if isinstance(game, kind)}
        own_fits[kind.__name__] = {name: fitted(of_kind, law) for name, law in laws.items()}
    apart = join(
        f"{name}: √time {100 * each['√time'][1]:.1f}, time {100 * each['time'][1]:.1f}"
        for name, each in own_fits.items()
    )
    factor = fits["√time"][0]
    for game, curve in curves.items():
        ours = expected_average(curve, lambda ms: factor * math.sqrt(ms))
        theirs = TABLE_1[game, "Random"][1]
        lines.append(f"{board(game):22} by √time {100 * ours:.1f}, paper {100 * theirs:.1f}")
    (_, root_miss), (_, linear_miss) = fits["√time"], fits["time"]
    least, most = (factor * math.sqrt(ms) for ms in (BUDGETS[0], BUDGETS[-1]))
    verdict = Verdict(
        bool(root_miss < 0.05 and root_miss < linear_miss),
        f"with {least:.0f} to {most:.0f} simulations a move a correct MCTS wins as often as in "
        f"table 1, within {100 * root_miss:.1f} points; as many as the time allows would be off by "
        f"{100 * linear_miss:.1f}. With a factor for each game apart they miss by: {apart}",
    )

    def draw(figure):
        axes = figure.subplots()
        groups = {board(game): columns(curve) for game, curve in curves.items()}
        plots.rates(axes, groups, "simulations a move", "a correct MCTS against Random")
        figure.tight_layout()

    return Reading(
        {"cells": rows(seeds), "fits": {name: list(fit) for name, fit in fits.items()}},
        lines,
        verdict,
        draw,
    )


LARGE = (100, 1000, 10_000)
TOO_CLEVER = (TicTacToe(4), TicTacToe(5))


def large_budgets(size):
    size = size._replace(by="iterations")
    return dict(
        search_cell(game, "Random", algorithm, c, budget, size, seed)
        for game in TOO_CLEVER
        for algorithm, c in (("MCS", None), ("MCTS", 1))
        for budget in LARGE
        for seed in size.seeds()
    )


def stops_caring(seeds, size):
    curves = curves_of(seeds)
    panels = [(game, "Random") for game in TOO_CLEVER]
    lines, gaps = [], []
    for game, opponent in panels:
        for name in ("MCS", "MCTS"):
            curve = of(curves, game, opponent, name)
            words = join(f"{budget}: {percent(cell)}" for budget, cell in curve.items())
            lost = max(cell["loss"] for cell in curve.values())
            lines.append(f"{board(game)} {name:4} {words}; lost at most {100 * lost:.1f} %")
        tree = of(curves, game, opponent, "MCTS")
        gaps.append(difference(tree[1000], tree[10_000]))
    verdict = Verdict(
        judged(gaps, 0.0),
        f"MCTS with 1,000 less with 10,000 simulations, in points: {join(told(*g) for g in gaps)}",
    )
    return Reading(
        {"cells": rows(seeds)},
        lines,
        verdict,
        lambda figure: draw_searchers(figure, curves, panels, size),
    )


SWITCHES = ("skip_ends", "own_reward", "one_side", "wrong_side", "share", "by_value")
SWITCHES += ("skip_ends by_value", "own_reward by_value")  # the paper moves by value
SWITCH_BUDGETS = (30, 100, 300, 1000, 3000)


def switch_cells(size):
    cells = {}
    game = TicTacToe(3)
    for switch in (None, *SWITCHES):
        special = {} if switch is None else dict.fromkeys(switch.split(), True)
        for budget in SWITCH_BUDGETS:
            for seed in size.seeds():
                _, cell = search_cell(
                    *(game, "Random", "MCTS", 1, budget, size._replace(by="iterations"), seed),
                    **special,
                )
                cells[switch or "standard", budget, seed] = cell
    return cells


def each_switch(seeds, size):
    curves = {}
    for (switch, budget), cells in seeds.items():
        curves.setdefault(switch, {})[budget] = together(cells)
    lines = [
        f"TicTacToe 3×3 against Random, C = 1, win rate in % with {SWITCH_BUDGETS} simulations"
    ]
    lines += [
        f"{switch:19} {join(percent(cell) for cell in curve.values())}"
        for switch, curve in curves.items()
    ]
    published = 0.88
    plateaus = {switch: part(curve, SWITCH_BUDGETS[2]) for switch, curve in curves.items()}
    near = [
        f"{switch} ({percent(plateau)})"
        for switch, plateau in plateaus.items()
        if abs(plateau["win"] - published) < max(0.02, 2 * plateau["se"])
    ]
    standard = plateaus.pop("standard")
    verdict = Verdict(
        bool(near) and judged([(standard["win"] - published, standard["se"])]),
        f"from {SWITCH_BUDGETS[2]} simulations on the standard algorithm is at "
        f"{percent(standard)}; at the paper's 88: {', '.join(near) if near else 'none'}",
    )

    def draw(figure):
        axes = figure.subplots()
        groups = {switch: columns(curve) for switch, curve in curves.items()}
        plots.rates(axes, groups, "simulations a move", "departures of algorithm 2, TicTacToe 3×3")
        figure.tight_layout()

    cells = [
        {"switch": switch, "budget": budget, **cell}
        for switch, curve in curves.items()
        for budget, cell in curve.items()
    ]
    return Reading({"cells": cells}, lines, verdict, draw)


MCS_BETTER = "MCS performs better than MCTS"
BOTH_WELL = "MCS converges faster than MCTS; both beat Random nearly always"
AGREE = "the win rates in training and in the Arena agree"
DROP = "the win rate in the Arena is 20 to 30 points below that in training"
FIXED = "fixed ε performs better than dynamic ε"

EXPERIMENTS = {
    each.name: each
    for each in (
        cs_of(
            "table1",
            PANELS,
            "MCTS with C = 0 ... 5: the best C and its average win rate",
            "small C is best against Random, larger C against OneStepLookAhead",
            large_c_against_the_better_player,
            {panel(*which): {"C": c, "win": win} for which, (c, win) in TABLE_1.items()},
        ),
        cs_of(
            "fig1",
            [
                (TIC_TAC_TOE[0], "Random"),
                (CONNECT4[0], "Random"),
                (CONNECT4[1], "OneStepLookAhead"),
            ],
            "MCTS with C = 0 ... 5 on three boards",
            "C has a strong impact; without exploration (C = 0) the win rate is lowest",
            no_exploration_is_worst,
        ),
        searchers(
            "fig2",
            TIC_TAC_TOE[:2],
            f"{MCS_BETTER} in all TicTacToe configurations",
            mcs_wins_more(),
            {"TicTacToe 3×3": {"MCTS": 0.88}, "TicTacToe 4×4": {"MCS": 0.94, "MCTS": 0.82}},
        ),
        searchers(
            "fig3",
            CONNECT4[:2],
            BOTH_WELL,
            mcs_wins_more(high=500),
            {
                "Connect4 (4×5, 3)": {"MCS": 0.985, "MCTS": 0.985},
                "Connect4 (5×6, 4)": {"MCS": 1.0, "MCTS": 0.97},
            },
        ),
        searchers(
            "fig4",
            CONNECT4[:2],
            f"{MCS_BETTER} against OneStepLookAhead, and converges faster",
            mcs_wins_more(),
            opponent="OneStepLookAhead",
        ),
        learners(
            "fig5",
            TIC_TAC_TOE[:1],
            AGREE,
            training_and_arena_agree,
            {"TicTacToe 3×3": {"alpha": 0.1, "training": 0.96, "Arena": 0.955}},
            "training",
        ),
        learners(
            "fig6",
            TIC_TAC_TOE[1:2],
            AGREE,
            training_and_arena_agree,
            {"TicTacToe 4×4": {"alpha": 0.1, "training": 0.83, "Arena": 0.82}},
            "training",
        ),
        learners(
            "fig7",
            CONNECT4[:1],
            DROP,
            drops_in_the_arena,
            {"Connect4 (4×5, 3)": {"alpha": 0.05, "training": 0.98, "Arena": 0.71}},
            "training",
        ),
        learners(
            "fig8",
            CONNECT4[1:2],
            DROP,
            drops_in_the_arena,
            {"Connect4 (5×6, 4)": {"alpha": 0.05, "training": 0.93, "Arena": 0.71}},
            "training",
        ),
        learners(
            "fig9",
            CONNECT4[:2],
            FIXED,
            fixed_is_better("OneStepLookAhead"),
            {
                "Connect4 (4×5, 3)": {"alpha": 0.1, "Arena": 0.585},
                "Connect4 (5×6, 4)": {"alpha": 0.05, "Arena": 0.27},
            },
            "OneStepLookAhead",
        ),
        Grid(
            "fig10",
            "the Q-agent trained against OneStepLookAhead: Connect4 (4×5, 3) and (5×6, 4)",
            "it helps against OneStepLookAhead on (5×6, 4) by 7 to 10 points, and nowhere else",
            {"Connect4 (5×6, 4) against OneStepLookAhead": {"gain": [0.07, 0.10]}},
            trained_well,
            read_trained_well,
            games=FIGURE_10[CONNECT4[0]],
        ),
        searchers(
            "fig11",
            TIC_TAC_TOE[2:],
            f"{MCS_BETTER} in all TicTacToe configurations",
            mcs_wins_more(),
            {"TicTacToe 5×5": {"MCS": 0.92, "MCTS": 0.66}},
        ),
        searchers(
            "fig12",
            CONNECT4[2:],
            BOTH_WELL,
            mcs_wins_more(high=500),
            {"Connect4 (6×7, 4)": {"MCS": 1.0, "MCTS": 0.99}},
        ),
        searchers(
            "fig13",
            CONNECT4[2:],
            f"{MCS_BETTER} against OneStepLookAhead, and converges faster",
            mcs_wins_more(),
            opponent="OneStepLookAhead",
        ),
        learners(
            "fig14",
            TIC_TAC_TOE[2:],
            AGREE,
            training_and_arena_agree,
            {"TicTacToe 5×5": {"alpha": 0.1, "training": 0.2, "Arena": 0.2}},
            "training",
        ),
        learners(
            "fig15",
            CONNECT4[2:],
            DROP,
            drops_in_the_arena,
            {"Connect4 (6×7, 4)": {"alpha": 0.1, "training": 0.94, "Arena": 0.695}},
            "training",
        ),
        learners(
            "fig16",
            CONNECT4[2:],
            FIXED,
            fixed_is_better("OneStepLookAhead"),
            {"Connect4 (6×7, 4)": {"alpha": 0.1, "Arena": 0.32}},
            "OneStepLookAhead",
        ),
        question(
            "rq1",
            "question 1: convergence of the win rate",
            "MCS converges faster than MCTS at Connect4",
            [which for which in PANELS if which[0] in CONNECT4],
            mcs_wins_more(high=250),
        ),
        Grid(
            "rq2",
            "question 2: what ε and α change (for C see table1)",
            "the choice of ε affects the win rate more than α",
            {},
            lambda size: all_learners(size, TIC_TAC_TOE + CONNECT4),
            epsilon_matters_more,
        ),
        question(
            "rq3",
            "question 3: stability over seeds",
            "MCS has lower variance over seeds than MCTS",
            PANELS,
            mcs_is_steadier,
        ),
        question(
            "rq4",
            "question 4: convergence and stability together",
            "MCS is ahead in both: there is nothing to trade off",
            PANELS,
            faster_and_steadier,
        ),
        Grid(
            "rq5",
            "question 5: sensitivity to the board, against Random",
            "MCS does not mind the size of the board, MCTS loses with it, Q loses most",
            {},
            sizes,
            sensitive_to_size,
        ),
        Grid(
            "rq6",
            "question 6: training against a skilful opponent (as figure 10)",
            "it helps against OneStepLookAhead on (5×6, 4) by 7 to 10 points, and nowhere else",
            {},
            trained_well,
            read_trained_well,
            games=FIGURE_10[CONNECT4[0]],
        ),
        Grid(
            "arena-drop",
            "exhibit: where training at 0.98 and 0.71 in the Arena come from",
            "the win rate drops from training to the Arena on Connect4, not on TicTacToe",
            {board(game): {"Arena": win} for game, win in DROPS.items()},
            drop_cells,
            where_the_rest_went,
            games=300_000,
        ),
        Grid(
            "never-seen",
            "exhibit: TicTacToe 5×5, what to do in a position never met",
            "Q fails to learn a good strategy on 5×5: about 0.2",
            {"TicTacToe 5×5": {"Arena": 0.2}},
            never_seen_cells,
            never_seen,
            games=EPISODES[TicTacToe(5)][0],
        ),
        Grid(
            "head-to-head",
            f"exhibit: MCTS against MCS at {ROLLOUTS} rollouts a move each",
            "MCTS is consistently worse than MCS",
            {},
            head_to_head_cells,
            head_to_head,
        ),
        Grid(
            "root-of-time",
            "exhibit: a correct MCTS with few simulations",
            "(ours) a list that is searched lets simulations grow like √time: that fits table 1",
            {panel(*which): {"win": TABLE_1[which][1]} for which in list(PANELS)[:6]},
            few_simulations,
            root_of_time,
        ),
        Grid(
            "large-budget",
            "exhibit: MCTS that proves a tie and stops caring",
            "(ours) with 10,000 simulations MCTS wins less against Random than with 1,000",
            {},
            large_budgets,
            stops_caring,
        ),
        Grid(
            "switches",
            "exhibit: departures of algorithm 2, alone and with the final move by value",
            "(ours) a departure of algorithm 2 explains the plateau of 0.88 on TicTacToe 3×3",
            {"TicTacToe 3×3": {"MCTS": 0.88}},
            switch_cells,
            each_switch,
        ),
    )
}
