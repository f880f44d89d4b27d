"""Arvidsson & Wallgren 2010, "Q-Learning for a Simple Board Game": dots and boxes, 2 × 2 boxes.

Every run here is a sweep: cells of `dots.long_run`, on all cores or a Dask cluster, kept when
finished. The learner is `dots.learner`.

The thesis calls its parameters "learning rate" and "discount factor". Figure 8 comes out of this
learner only if its learning rate is γ and its discount factor is α. So each figure is run in both
readings: "as labelled", and "exchanged". α and γ without more words are those of the update.

A run of the chain goes on from the memory of an earlier one; both players then learn with the
run's own α and γ. Where a caption does not name the parameters of the earlier run, they are those
of the run itself.
"""

import functools
import math
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from course_lib import plots
from course_lib.agents import Constant, Counting, Random, StopAfter
from course_lib.bits import members
from course_lib.exact import ceiling, ceiling_for_lines, distance, exact_rates, solve
from course_lib.exact.chains import declining_positions, double_cross
from course_lib.experiments.dots import AT_ONCE, GAME, LEARNER, learner, long_run, remembering
from course_lib.experiments.experiment import Outcome, Verdict, ten_points
from course_lib.games import DotsAndBoxes
from course_lib.position import draw as draw_text
from course_lib.sweeps import Cell, results_folder, sweep
from course_lib.training import Training

PAPER = "arvidsson2010"
FULL = 10_000_000  # games of a run
RATES = (0.2, 0.4, 0.6, 0.8)
NEW = "new"
PAGE = 4096  # bytes: memory is taken by pages
# Figure 5: who goes on from whose memory, against whom, in the order in which they can be run.
FIGURE_5 = {
    "Q1": (NEW, "Random"),
    "Q2": (NEW, NEW),
    "Q3": (NEW, "Simple"),
    "Q4": ("Q1", NEW),
    "Q5": ("Q2", "Random"),
    "Q6": ("Q4", "Q5"),
    "Q7": ("Q3", "Q1"),
    "Q8": ("Q1", "Q2"),
}
# Figure 8, as it is labelled: FIGURE_8[discount factor][learning rate].
FIGURE_8 = {
    0.2: {0.2: 0.888696, 0.4: 0.852646, 0.6: 0.850625, 0.8: 0.854005},
    0.4: {0.2: 0.941035, 0.4: 0.938424, 0.6: 0.930991, 0.8: 0.918433},
    0.6: {0.2: 0.965532, 0.4: 0.965026, 0.6: 0.962405, 0.8: 0.958045},
    0.8: {0.2: 0.989537, 0.4: 0.987815, 0.6: 0.986991, 0.8: 0.979817},
}
AS_LABELLED, EXCHANGED = "as labelled", "exchanged"
READINGS = (AS_LABELLED, EXCHANGED)
LEARNING, DISCOUNT = "learning rate", "discount factor"  # the thesis' words


def pair_of(reading, rate, discount):
    """(α, γ) of a learning rate and a discount factor of the thesis."""
    return (rate, discount) if reading == AS_LABELLED else (discount, rate)


# Runs, and those that they go on from


class Run(NamedTuple):
    """One of the runs of figure 5. `bases`: (name, α, γ) of the runs it goes on from."""

    name: str
    alpha: float
    gamma: float
    games: int = FULL
    base_games: int = FULL
    bases: tuple = ()
    session: int = 0

    def before(self):
        """The runs that this one goes on from, by name."""
        pairs = {name: pair for name, *pair in self.bases}
        return {
            name: Run(
                name,
                *pairs.get(name, (self.alpha, self.gamma)),
                self.base_games,
                self.base_games,
                self.bases,
                self.session,
            )
            for name in FIGURE_5[self.name]
            if name in FIGURE_5
        }

    def cell(self, seed, done):
        """As a cell; `done` has what the runs before it have left."""
        first, second = FIGURE_5[self.name]
        before = self.before()
        memories = {name: done[run.known_as()]["memory"] for name, run in before.items()}
        return Cell(
            long_run,
            {
                "alpha": self.alpha,
                "gamma": self.gamma,
                "games": self.games,
                "seed": seed,
                "session": self.session,
                "opponent": second if second in ("Random", "Simple") else LEARNER,
                "memory": memories.get(first),
                "opponent_memory": memories.get(second),
            },
        )

    def known_as(self):
        """What tells this run from others: those before it, too."""
        before = tuple(run.known_as() for run in self.before().values())
        return (self.name, self.alpha, self.gamma, self.games, self.session, before)


def run_chain(runs, seed=0, progress=False, stop=None):
    """The results of some runs, in their order; those that they go on from are run first."""
    waiting = {run.known_as(): run for run in runs}
    for run in list(waiting.values()):
        _add_before(run, waiting)
    done = {}
    while waiting:
        ready = [
            key
            for key, run in waiting.items()
            if all(each.known_as() in done for each in run.before().values())
        ]
        cells = [waiting.pop(key).cell(seed, done) for key in ready]
        done |= dict(zip(ready, swept(cells, progress, stop), strict=True))
    return [done[run.known_as()] for run in runs]


def _add_before(run, waiting):
    for each in run.before().values():
        waiting[each.known_as()] = each
        _add_before(each, waiting)


def swept(cells, progress=False, stop=None):
    return sweep(cells, results_folder() / PAPER, progress=progress, stop=stop)


def ratios(result):
    """The share of won games so far, after each stretch of the statistics."""
    wins = np.asarray(result["wins"])
    return np.cumsum(wins) / (result["every"] * np.arange(1, len(wins) + 1))


def mean_ratios(results):
    """Likewise, in the mean of some sessions."""
    return np.mean([ratios(each) for each in results], axis=0)


def outcome_of(experiment, sessions, games, seed, ours, lines, verdict, began, draw):
    seconds = time.perf_counter() - began
    return Outcome(experiment, sessions, games, seed, ours, lines, verdict, seconds, draw)


# Figure 8


class Table8(NamedTuple):
    """Figure 8: the win ratios of Q1 for all pairs, beside both readings of the published ones."""

    paper: str = PAPER
    name: str = "fig8"
    title: str = "Q1, trained against Random: the win ratio of all 16 pairs"
    claim: str = "a low learning rate and a high discount factor are best"
    published: dict = {
        f"{DISCOUNT} {d}": {f"{LEARNING} {rate}": value for rate, value in row.items()}
        for d, row in FIGURE_8.items()
    }
    sessions: int = 1
    games: int = FULL
    sweeps: bool = True

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        sessions = sessions or self.sessions
        games = games or self.games
        pairs = [(alpha, gamma) for alpha in RATES for gamma in RATES]
        runs = [
            Run("Q1", *pair, games, games, session=k) for pair in pairs for k in range(sessions)
        ]
        results = run_chain(runs, seed, progress, stop)
        found = {
            pair: float(mean_ratios(results[i * sessions : (i + 1) * sessions])[-1])
            for i, pair in enumerate(pairs)
        }
        away = {reading: rms(found, reading) for reading in READINGS}
        ours = {
            "cells": [
                {"alpha": alpha, "gamma": gamma, "win_ratio": ratio}
                for (alpha, gamma), ratio in found.items()
            ],
            "rms_exchanged": away[EXCHANGED],
            "rms_as_labelled": away[AS_LABELLED],
            "errors": {
                reading: [
                    {"learning_rate": rate, "discount_factor": d, "error": error}
                    for (rate, d), error in errors(found, reading).items()
                ]
                for reading in READINGS
            },
        }
        lines = ["ours (paper as labelled, paper exchanged), α down and γ across:"]
        lines.append("  α \\ γ " + "".join(f"{gamma:>22}" for gamma in RATES))
        for alpha in RATES:
            lines.append(
                f"  {alpha}   "
                + "".join(
                    f"  {found[alpha, gamma]:.4f} ({FIGURE_8[gamma][alpha]:.3f}, "
                    f"{FIGURE_8[alpha][gamma]:.3f})"
                    for gamma in RATES
                )
            )
        lines += [f"distance {reading}: {each:.4f} (RMS)" for reading, each in away.items()]
        fits = min(away, key=away.get)
        verdict = Verdict(
            None if games < FULL else fits == AS_LABELLED,
            f"the table fits {fits}: {away[fits]:.4f} away in the mean instead of "
            f"{max(away.values()):.4f}. In our runs a high α and a low γ are best: "
            f"{best_pair(found)}",
        )

        def draw(figure):
            panels = figure.subplots(1, 2)
            for axes, reading in zip(panels, READINGS, strict=True):
                table = [[found[pair_of(reading, rate, d)] for rate in RATES] for d in RATES]
                printed = [[FIGURE_8[d][rate] for rate in RATES] for d in RATES]
                names = ((DISCOUNT, RATES), (LEARNING, RATES))
                if reading == EXCHANGED:
                    names = ((f"{DISCOUNT} (our α)", RATES), (f"{LEARNING} (our γ)", RATES))
                title = f"ours (less the paper's), {reading}: RMS {away[reading]:.4f}"
                plots.two_tables(axes, table, printed, *names, title)
            figure.tight_layout()

        return outcome_of(self, sessions, games, seed, ours, lines, verdict, began, draw)


def errors(found, reading):
    """Ours less the published one, by (learning rate, discount factor) of the thesis."""
    return {
        (rate, d): found[pair_of(reading, rate, d)] - FIGURE_8[d][rate]
        for d in RATES
        for rate in RATES
    }


def rms(found, reading):
    """Root mean square of the errors."""
    return math.sqrt(np.mean([error**2 for error in errors(found, reading).values()]))


def best_pair(found):
    alpha, gamma = max(found, key=found.get)
    return f"α = {alpha}, γ = {gamma} wins {100 * found[alpha, gamma]:.1f} %"


# The figures with curves


class Ratios(NamedTuple):
    """One of the figures: win ratios over the games, for the four values of one parameter."""

    paper: str
    name: str
    title: str
    claim: str
    agent: str  # which of Q1–Q8
    fixed: tuple  # (LEARNING or DISCOUNT, value)
    judge: Callable  # ({value: ratios}, every) -> (holds, sentence), for one reading
    games: int  # as many as the figure shows
    bases: tuple = ()  # (name, learning rate, discount factor)
    played: int = 0  # more games than are shown, if another figure needs them anyway
    published: dict = {}
    sessions: int = 1
    sweeps: bool = True

    def runs(self, reading, games, sessions=1):
        """{value: runs} for one reading."""
        name, value = self.fixed
        scale = games / self.games
        bases = tuple((base, *pair_of(reading, *pair)) for base, *pair in self.bases)
        length = max(games, round(self.played * scale))
        return {
            other: [
                Run(
                    self.agent,
                    *pair_of(reading, *((value, other) if name == LEARNING else (other, value))),
                    length,
                    max(10, min(FULL, round(FULL * scale))),
                    bases,
                    session,
                )
                for session in range(sessions)
            ]
            for other in RATES
        }

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        sessions = sessions or self.sessions
        games = games or self.games
        wanted = {reading: self.runs(reading, games, sessions) for reading in READINGS}
        flat = [run for rows in wanted.values() for runs in rows.values() for run in runs]
        results = iter(run_chain(flat, seed, progress, stop))
        curves, every = {}, 1
        for reading, rows in wanted.items():
            curves[reading] = {}
            for value, runs in rows.items():
                own = [next(results) for _ in runs]
                every = own[0]["every"]
                curves[reading][value] = mean_ratios(own)[: max(1, games // every)]
        judged = {reading: self.judge(each, every) for reading, each in curves.items()}
        varied = DISCOUNT if self.fixed[0] == LEARNING else LEARNING
        ours, lines = {}, []
        for reading, each in curves.items():
            ours[reading] = {}
            for value, curve in each.items():
                run = wanted[reading][value][0]
                points = ten_points(curve[None, :])
                points["mean_curve_games"] = [n * every for n in points["mean_curve_games"]]
                ours[reading][str(value)] = {
                    "alpha": run.alpha,
                    "gamma": run.gamma,
                    "win_ratio": float(curve[-1]),
                    **points,
                }
            told = ", ".join(f"{value}: {curve[-1]:.4f}" for value, curve in each.items())
            lines.append(f"{reading}: win ratio by {self.symbol(varied, reading)} {told}")
        holds = [holds for holds, _ in judged.values()]
        verdict = Verdict(
            holds[0] if holds[0] == holds[1] else None,
            "; ".join(
                f"{reading} it {word(holds)} ({why})" for reading, (holds, why) in judged.items()
            ),
        )

        def draw(figure):
            panels = figure.subplots(1, 2, sharey=True)
            for axes, (reading, each) in zip(panels, curves.items(), strict=True):
                symbol = self.symbol(varied, reading)
                named = {f"{symbol} = {value}": curve for value, curve in each.items()}
                fixed = f"{self.symbol(self.fixed[0], reading)} = {self.fixed[1]}"
                plots.ratio_curves(axes, named, every, f"{self.agent}, {reading}: {fixed}")
            figure.suptitle(f"{PAPER} {self.name}: {self.title}")
            figure.tight_layout()

        return outcome_of(self, sessions, games, seed, ours, lines, verdict, began, draw)

    def symbol(self, name, reading):
        """α or γ: what the thesis' word means in this reading."""
        return "α" if (name == LEARNING) == (reading == AS_LABELLED) else "γ"


def word(holds):
    return {True: "holds", False: "does not hold", None: "stays open"}[holds]


def at_end(curves):
    return {value: float(curve[-1]) for value, curve in curves.items()}


def at(curves, share):
    """The win ratios after a share of the games."""
    return {v: float(curve[place(curve, share) - 1]) for v, curve in curves.items()}


def place(curve, share):
    return max(1, round(share * len(curve)))


def games_at(curves, every, share):
    """How many games a share of them is, in words."""
    return f"{every * place(next(iter(curves.values())), share):,}"


def lately(curve, begin, end):
    """The share of won games from one share of the games to another."""
    first, last = place(curve, begin), place(curve, end)
    if last == first:
        return float(curve[last - 1])
    return float((curve[last - 1] * last - curve[first - 1] * first) / (last - first))


def falls(by_value):
    """Whether the numbers get smaller from each value to the next (noise of 0.002 allowed)."""
    found = [by_value[value] for value in RATES]
    return all(b < a + 0.002 for a, b in zip(found, found[1:], strict=False)) and bool(
        found[0] > found[-1] + 0.002
    )


def rises(by_value):
    return falls({value: -number for value, number in by_value.items()})


def told(by_value):
    return ", ".join(f"{value}: {number:.3f}" for value, number in by_value.items())


def low_is_best_in_the_end(curves, every):
    """Figure 6 and section 4.1: 0.2 is best in the end, a higher rate is steeper at first."""
    end, early = at_end(curves), at(curves, 0.01)
    best = max(end, key=end.get)
    steep = early[0.8] > early[0.2]
    return bool(best == 0.2 and steep), (
        f"{best} is best in the end, and after {games_at(curves, every, 0.01)} games 0.8 is "
        f"{early[0.8] - early[0.2]:+.3f} from 0.2"
    )


def high_is_better(curves, every):
    end = at_end(curves)
    return rises(end), f"by its value {told(end)}"


def low_is_better(curves, every):
    end = at_end(curves)
    return falls(end), f"by its value {told(end)}"


def both_alike(curves, every):
    """Two learners who know as much as each other win about as often."""
    end, early = at_end(curves), at(curves, 0.05)
    largest = max(abs(ratio - 0.5) for ratio in end.values())
    first = max(abs(ratio - 0.5) for ratio in early.values())
    return largest < 0.05, (
        f"at most {largest:.3f} from one half in the end, {first:.3f} after "
        f"{games_at(curves, every, 0.05)} games"
    )


def learns_simple(curves, every):
    """Figure 10: it soon understands Simple."""
    soon = {value: lately(curve, 0.05, 0.1) for value, curve in curves.items()}
    end = {value: lately(curve, 0.9, 1) for value, curve in curves.items()}
    return bool(min(end.values()) > 0.95), (
        f"after {games_at(curves, every, 0.05)} games it wins {told(soon)}, at the end {told(end)}"
    )


def newcomer_gains_by_a_high_rate(curves, every):
    """Figure 11: the experienced player loses more, the higher the rate."""
    early, end = at(curves, 0.1), at_end(curves)
    lose = [value for value, ratio in early.items() if ratio < 0.5]
    return falls(early), (
        f"after {games_at(curves, every, 0.1)} games the experienced one has won {told(early)}: it "
        f"is behind for {len(lose)} of {len(early)}; in the end {told(end)}"
    )


def experience_of_random_helps_at_first(curves, every):
    """Figure 15: Q1 is better than Q3 in the beginning; the curve is Q3's."""
    early, end = at(curves, 0.05), at_end(curves)
    return bool(max(early.values()) < 0.5), (
        f"after {games_at(curves, every, 0.05)} games Q3 has won {told(early)}; in the end "
        f"{told(end)}"
    )


def learnt_from_a_learner_is_better_at_first(curves, every):
    """Figure 16: Q2 is better than Q1 in the first 250,000 games; the curve is Q1's."""
    early, end = at(curves, 0.125), at_end(curves)
    return bool(max(early.values()) < 0.5), (
        f"after {games_at(curves, every, 0.125)} games Q1 has won {told(early)}; in the end "
        f"{told(end)}"
    )


def figure(name, title, claim, agent, fixed, judge, games, bases=(), played=0):
    return Ratios(PAPER, name, title, claim, agent, fixed, judge, games, bases, played)


FIGURES = {
    each.name: each
    for each in (
        figure(
            "fig6",
            "Q1 against Random with discount factor 0.2, 5 million games",
            "a learning rate of 0.2 is best in the end, higher ones rise more steeply (4.1)",
            "Q1",
            (DISCOUNT, 0.2),
            low_is_best_in_the_end,
            5_000_000,
            played=FULL,
        ),
        figure(
            "fig7",
            "Q1 against Random with learning rate 0.2, 5 million games",
            "a higher discount factor gives better results (3.1, 4.2)",
            "Q1",
            (LEARNING, 0.2),
            high_is_better,
            5_000_000,
            played=FULL,
        ),
        figure(
            "fig9",
            "Q2 against another new learner with discount factor 0.8, 2 million games",
            "the two win almost equally often from start to end (3.2)",
            "Q2",
            (DISCOUNT, 0.8),
            both_alike,
            2_000_000,
        ),
        figure(
            "fig10",
            "Q3 against Simple with learning rate 0.8, 400,000 games",
            "it does not take long to understand Simple (3.3)",
            "Q3",
            (LEARNING, 0.8),
            learns_simple,
            400_000,
        ),
        figure(
            "fig11",
            "Q4, which is Q1 against a new learner, with discount factor 0.2, 2.5 million games",
            "the new learner gains by a high learning rate, and wins against Q1 (3.4, 4.1, 4.4)",
            "Q4",
            (DISCOUNT, 0.2),
            newcomer_gains_by_a_high_rate,
            2_500_000,
            (("Q1", 0.2, 0.4),),
        ),
        figure(
            "fig12",
            "Q5, which is Q2 against Random, with discount factor 0.8, 5 million games",
            "Q2 has no problem with Random, and lower learning rates are better (3.5)",
            "Q5",
            (DISCOUNT, 0.8),
            low_is_better,
            5_000_000,
            (("Q2", 0.2, 0.8),),
        ),
        figure(
            "fig13",
            "Q5, which is Q2 against Random, with learning rate 0.2, 5 million games",
            "a higher discount factor gives better results (4.2)",
            "Q5",
            (LEARNING, 0.2),
            high_is_better,
            5_000_000,
            (("Q2", 0.6, 0.8),),
        ),
        figure(
            "fig14",
            "Q6, which is Q4 against Q5, with learning rate 0.4, 200,000 games",
            "there is not much difference between Q4 and Q5 (3.6)",
            "Q6",
            (LEARNING, 0.4),
            both_alike,
            200_000,
            (("Q4", 0.6, 0.8), ("Q5", 0.6, 0.8)),
        ),
        figure(
            "fig15",
            "Q7, which is Q3 against Q1, with discount factor 0.8, 400,000 games",
            "Q1 is better in the beginning (3.7)",
            "Q7",
            (DISCOUNT, 0.8),
            experience_of_random_helps_at_first,
            400_000,
            (("Q1", 0.2, 0.8), ("Q3", 0.2, 0.8)),
        ),
        figure(
            "fig16",
            "Q8, which is Q1 against Q2, with discount factor 0.2, 2 million games",
            "Q2 is better in the first 250,000 games (3.8, 4.5)",
            "Q8",
            (DISCOUNT, 0.2),
            learnt_from_a_learner_is_better_at_first,
            2_000_000,
            (("Q1", 0.2, 0.8), ("Q2", 0.2, 0.8)),
        ),
    )
}


# Figure 5: all runs with all pairs


class Chain(NamedTuple):
    """Figure 5: Q1–Q8, each from the memories that it names, with all 16 pairs."""

    paper: str = PAPER
    name: str = "fig5"
    title: str = "Q1–Q8, each with all 16 pairs; each goes on with the pair that it began with"
    claim: str = (
        "a higher discount factor always gives better results, independent of opponent, previous "
        "experience or learning rate (4.5)"
    )
    published: dict = {}
    sessions: int = 1
    games: int = FULL
    sweeps: bool = True

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        sessions = sessions or self.sessions
        games = games or self.games
        pairs = [(alpha, gamma) for alpha in RATES for gamma in RATES]
        runs = [
            Run(name, *pair, games, games, session=k)
            for name in FIGURE_5
            for pair in pairs
            for k in range(sessions)
        ]
        results = iter(run_chain(runs, seed, progress, stop))
        found = {
            name: {
                pair: mean_ratios([next(results) for _ in range(sessions)])[-1] for pair in pairs
            }
            for name in FIGURE_5
        }
        ours = {
            name: [
                {"alpha": alpha, "gamma": gamma, "win_ratio": float(ratio)}
                for (alpha, gamma), ratio in row.items()
            ]
            for name, row in found.items()
        }
        lines = []
        for name, row in found.items():
            first, second = FIGURE_5[name]
            lines.append(f"{name}: {first} against {second}; α down, γ across {RATES}")
            for alpha in RATES:
                lines.append(f"  {alpha} " + "".join(f"{row[alpha, g]:9.4f}" for g in RATES))
        counts = {
            reading: sum(
                rises({d: row[pair_of(reading, rate, d)] for d in RATES})
                for row in found.values()
                for rate in RATES
            )
            for reading in READINGS
        }
        rows = len(found) * len(RATES)
        verdict = Verdict(
            counts[AS_LABELLED] == rows,
            "; ".join(
                f"{reading} the ratio rises with it in {count} of {rows} rows"
                for reading, count in counts.items()
            ),
        )

        def draw(figure):
            panels = figure.subplots(2, 4).flat
            for axes, (name, row) in zip(panels, found.items(), strict=True):
                table = [[row[alpha, gamma] for gamma in RATES] for alpha in RATES]
                middle = np.full((4, 4), np.mean(table))
                plots.two_tables(axes, table, middle, ("α", RATES), ("γ", RATES), name)
            figure.set_size_inches(16, 8.5)
            figure.tight_layout()

        return outcome_of(self, sessions, games, seed, ours, lines, verdict, began, draw)


# What the thesis discusses and leaves: variants of the learner, and how strong they become


class Variants(NamedTuple):
    """Some learners of the same length of training, and how strong each table is then."""

    name: str
    title: str
    claim: str
    rows: tuple  # (label, what long_run is given besides games and seed)
    judge: Callable  # ({label: numbers}) -> Verdict
    games: int = 1_000_000
    sessions: int = 4
    paper: str = PAPER
    published: dict = {}
    sweeps: bool = True

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        sessions = sessions or self.sessions
        games = games or self.games
        cells = [
            Cell(long_run, {"games": games, "seed": seed, "session": k, **given})
            for _, given in self.rows
            for k in range(sessions)
        ]
        results = iter(swept(cells, progress, stop))
        found, curves = {}, {}
        every = 1
        for label, given in self.rows:
            own = [next(results) for _ in range(sessions)]
            every = own[0]["every"]
            curves[label] = mean_ratios(own)
            judged = [judged_table(each["memory"], **of_learner(given)) for each in own]
            found[label] = {
                "alpha": given["alpha"],
                "gamma": given["gamma"],
                "early": at({0: curves[label]}, 0.05)[0],
                "win_ratio": float(curves[label][-1]),
                **{name: float(np.mean([each[name] for each in judged])) for name in judged[0]},
            }
        best = best_strength()
        lines = ["the win ratio of the first 5 % of the games and of all; then, without exploring:"]
        lines.append("wins against Random (exact), optimal moves, wins against who knows the table")
        lines += [
            f"  {label:41}{row['early']:.3f}  {row['win_ratio']:.3f}    {row['strength']:.4f}  "
            f"{row['optimal']:.3f}  {row['worst']:.2f}"
            for label, row in found.items()
        ]
        lines.append(f"  {'perfect play':55}{best:.4f}  1.000  0.50")

        def draw(figure):
            axes = figure.subplots()
            plots.ratio_curves(axes, curves, every, f"{PAPER}: {self.title}", best)
            figure.tight_layout()

        verdict = self.judge(found)
        return outcome_of(self, sessions, games, seed, found, lines, verdict, began, draw)


def of_learner(given):
    """What of a run's parameters makes the learner."""
    return {
        name: value
        for name, value in given.items()
        if name in ("alpha", "gamma", "exploration", "box", "sees_starter")
    }


def judged_table(memory, **variant):
    """How strong a table is if it does not explore, without a single random number."""
    agent = remembering(learner(GAME, **variant), memory)
    far = distance(GAME, agent, Random(), solved())
    wins = sum(exact_rates(GAME, agent, Random(), seat).win for seat in (0, 1)) / 2
    return {"strength": wins, "optimal": far.optimal, "worst": far.worst}


@functools.cache
def solved(game=GAME):
    return solve(game)


def best_strength(opponent=Random()):  # noqa: B008 (immutable)
    """The exact ceiling against an opponent for a player who begins half of the games."""
    return sum(ceiling(GAME, opponent, seat).win for seat in (0, 1)) / 2


BEST_LABELLED, BEST_OURS = (0.2, 0.8), (0.8, 0.2)  # (α, γ)


def both_pairs(variants):
    """Each variant with the pair that the thesis advises, and with that pair exchanged."""
    return tuple(
        (f"α = {alpha}, γ = {gamma}, {label}", {"alpha": alpha, "gamma": gamma, **given})
        for alpha, gamma in (BEST_LABELLED, BEST_OURS)
        for label, given in variants.items()
    )


def pairs_of(found, usual, other):
    """(row with `usual`, row with `other`) for each pair."""
    rows = {label: row for label, row in found.items() if label.endswith(usual)}
    return [(row, found[label.removesuffix(usual) + other]) for label, row in rows.items()]


def box_rewards(found):
    pairs = pairs_of(found, "the end only", "1 a box")
    faster = sum(other["win_ratio"] > usual["win_ratio"] for usual, other in pairs)
    wiser = sum(other["optimal"] > usual["optimal"] for usual, other in pairs)
    declined = declining_positions(GAME)
    return Verdict(
        faster == len(pairs),
        f"with a point a box more of the games are won with {faster} of {len(pairs)} "
        f"pairs, and it ends with more optimal moves with {wiser}. Sets of lines where all best "
        f"moves leave a box to the other: {declined} on this board, more on larger ones",
    )


def seeing_the_starter(found):
    pairs = pairs_of(found, "lines only", "lines and starter")
    stronger = sum(other["strength"] > usual["strength"] for usual, other in pairs)
    here = ceiling_for_lines(GAME, Random())
    return Verdict(
        stronger == len(pairs),
        f"it ends stronger against Random with {stronger} of {len(pairs)} pairs. It need not: who "
        f"sees the lines only can win {here.lines:.4f} of the games against Random, who sees "
        f"everything {here.full:.4f}",
    )


def other_explorations(found):
    better, others = [], 0
    for way in ("ε = 0.1", "ε = 0.1 for 500,000 games", "by visits"):
        for usual, other in pairs_of(found, "no zero", way):
            others += 1
            if other["strength"] > usual["strength"]:
                better.append(f"{way} with α = {other['alpha']}, γ = {other['gamma']}")
    return Verdict(
        bool(better),
        f"{len(better)} of {others} others end stronger against Random than the thesis' own: "
        + "; ".join(better),
    )


def still_higher(found):
    by_gamma = {row["gamma"]: row["strength"] for row in found.values() if row["alpha"] == 0.2}
    by_alpha = {row["alpha"]: row["strength"] for row in found.values() if row["gamma"] == 0.2}
    up = max(by_gamma[g] for g in by_gamma if g > 0.8) > by_gamma[0.8]
    also = max(by_alpha[a] for a in by_alpha if a > 0.8) > by_alpha[0.8]
    return Verdict(
        bool(up),
        f"as labelled, against Random by γ: {told(by_gamma)}; exchanged, by α: {told(by_alpha)} "
        f"({'higher is better there, too' if also else '0.8 is best there'})",
    )


def best_teacher(found):
    """Section 4.5: the best results come against another learner."""
    by_teacher = {}
    for label, row in found.items():
        by_teacher.setdefault(label.split(", ")[-1], []).append(row)
    means = {name: np.mean([row["optimal"] for row in rows]) for name, rows in by_teacher.items()}
    worst = {name: max(row["worst"] for row in rows) for name, rows in by_teacher.items()}
    best = max(means, key=means.get)
    return Verdict(
        best == "against a learner",
        "optimal moves in games with Random: "
        + ", ".join(f"{name} {share:.3f}" for name, share in means.items())
        + "; at best they win against who knows the table: "
        + ", ".join(f"{name} {share:.2f}" for name, share in worst.items()),
    )


VARIANTS = {
    each.name: each
    for each in (
        Variants(
            "boxes",
            "a reward for each box, besides the end (2.2.2)",
            "a reward for a box speeds up learning, but assumes that losing boxes is never good",
            both_pairs(
                {"the end only": {}, "1 a box": {"box": 1.0}, "5 a box": {"box": 5.0}},
            ),
            box_rewards,
        ),
        Variants(
            "starter",
            "the starter as a part of the state (2.2.2)",
            "that the state does not say who began could be improved upon",
            both_pairs({"lines only": {}, "lines and starter": {"sees_starter": True}}),
            seeing_the_starter,
        ),
        Variants(
            "exploration",
            "other ways to explore (4.3)",
            "it may end in a local maximum: other ways to explore may do better",
            both_pairs(
                {
                    "no zero": {},
                    "ε = 0.1": {"exploration": Constant(0.1)},
                    "ε = 0.1 for 500,000 games": {"exploration": StopAfter(0.1, 500_000)},
                    "by visits": {"exploration": Counting(10.0)},
                },
            ),
            other_explorations,
        ),
        Variants(
            "discounts",
            "even higher discount factors (4.5)",
            "it is probably a good idea to look at even higher discount factors",
            tuple(
                (f"α = {alpha}, γ = {gamma}", {"alpha": alpha, "gamma": gamma})
                for alpha, gamma in (
                    *((0.2, gamma) for gamma in (0.8, 0.9, 0.95, 1.0)),
                    *((alpha, 0.2) for alpha in (0.8, 0.9, 0.95, 1.0)),
                )
            ),
            still_higher,
        ),
        Variants(
            "opponents",
            "what is learnt from Random, from Simple and from another learner (4.5)",
            "the best results are gained against another Q-learning agent",
            both_pairs(
                {
                    "against Random": {"opponent": "Random"},
                    "against Simple": {"opponent": "Simple"},
                    "against a learner": {"opponent": LEARNER},
                },
            ),
            best_teacher,
        ),
    )
}


class Enough(NamedTuple):
    """Sections 4.3, 4.4 and 4.5: how many games it takes."""

    paper: str = PAPER
    name: str = "enough"
    title: str = "how many games Q1 needs against Random: four pairs"
    claim: str = (
        "the exploration phase takes 200,000 to 250,000 games, an acceptable level 250,000 to "
        "500,000, and more than about 1 million is not necessary (4.3–4.5)"
    )
    published: dict = {"explored": [200_000, 250_000], "enough": 1_000_000}
    sessions: int = 1
    games: int = FULL
    sweeps: bool = True

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        games = games or self.games
        pairs = [(alpha, gamma) for alpha in (0.2, 0.8) for gamma in (0.2, 0.8)]
        results = run_chain(
            [Run("Q1", *pair, games, games) for pair in pairs], seed, progress, stop
        )
        ours, lines, curves, every = {}, [], {}, 1
        for (alpha, gamma), each in zip(pairs, results, strict=True):
            every = each["every"]
            wins = np.asarray(each["wins"]) / every
            width = max(1, len(wins) // 100)
            late = np.convolve(wins, np.ones(width) / width, "valid")
            label = f"α = {alpha}, γ = {gamma}"
            curves[label] = late
            parts = {
                name: float(
                    wins[
                        max(0, int(share * len(wins)) - width) : max(1, int(share * len(wins)))
                    ].mean()
                )
                for name, share in (("at 2.5 %", 0.025), ("at 10 %", 0.1), ("at the end", 1.0))
            }
            ours[label] = {"alpha": alpha, "gamma": gamma, "untried": each["untried"], **parts}
            lines.append(
                f"{label}: wins lately "
                + ", ".join(f"{name} {share:.4f}" for name, share in parts.items())
                + f"; moves not tried where it has been: {each['untried'][0]} after "
                f"{min(games, AT_ONCE):,} games, {each['untried'][-1]} in the end"
            )
        gained = {label: row["at the end"] - row["at 10 %"] for label, row in ours.items()}
        verdict = Verdict(
            bool(max(gained.values()) < 0.01),
            "from a tenth of the games to the end it gains "
            + ", ".join(f"{gain:+.4f} ({label})" for label, gain in gained.items()),
        )

        def draw(figure):
            axes = figure.subplots()
            plots.ratio_curves(axes, curves, every, f"{PAPER}: {self.title}", best_strength())
            axes.set_ylabel("won lately, as a share")
            figure.tight_layout()

        return outcome_of(self, 1, games, seed, ours, lines, verdict, began, draw)


class Bigger(NamedTuple):
    """Section 2.2.1: 3 × 3 boxes, for which the thesis' matrix was too large."""

    paper: str = PAPER
    name: str = "size3x3"
    title: str = "3 × 3 boxes, α = 0.8, γ = 0.2, against Random: memory and time"
    claim: str = "with 2^24 sets of lines it is too slow and runs out of memory (2.2.1, 2.3.6)"
    published: dict = {"sets_of_lines": 2**24, "pairs_of_set_and_line": 2**24 * 12}
    sessions: int = 1
    games: int = 300_000

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        games = games or self.games
        game = DotsAndBoxes(3, 3, tie_loses=True)
        agent = learner(game, *BEST_OURS)
        run = Training(game, agent, Random(), games, 1, seed, "random", fresh=False)
        run.go(progress, stop)
        seconds = time.perf_counter() - began
        played = int(run.played[0]) if run.played[0] else 0
        won = np.cumsum(run.results[0][:played] == 1) / np.arange(1, played + 1)
        met = np.flatnonzero(agent.visits)
        row = agent.values[0].nbytes
        touched = len(np.unique(met * row // PAGE)) * PAGE
        ours = {
            "win_ratio": float(won[-1]),
            "sets_met": len(met),
            "bytes_at_most": agent.values.nbytes + agent.visits.nbytes,
            "bytes_written": touched,
            "games_per_second": played / seconds,
        }
        lines = [
            f"{played:,} games in {seconds:.1f} s; wins {won[-1]:.3f} of them",
            f"{len(met):,} of {1 << 24:,} sets of lines met",
            f"memory {touched / 1e9:.2f} GB: what is written; at most "
            f"{ours['bytes_at_most'] / 1e9:.2f} GB",
        ]
        verdict = Verdict(
            False,
            "it runs: memory that is never written is never taken, and the whole matrix would fit "
            "into a computer of today. To meet all sets of lines takes many more games",
        )
        stretch = max(1, played // 1000)

        def draw(figure):
            axes = figure.subplots()
            name = {"3 × 3 boxes": won[stretch - 1 :: stretch]}
            plots.ratio_curves(axes, name, stretch, f"{PAPER}: {self.title}")
            figure.tight_layout()

        return outcome_of(self, 1, played, seed, ours, lines, verdict, began, draw)


class Greed(NamedTuple):
    """Figures 3 and 4: a position where taking all boxes loses, and giving two away wins."""

    paper: str = PAPER
    name: str = "greed"
    title: str = "figures 3 and 4: where greed loses"
    claim: str = "there are strategies where losing boxes is good (2.2.2)"
    published: dict = {}
    sessions: int = 0
    games: int = 0

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        counts = {"2 × 2": declining_positions(GAME)}
        game = DotsAndBoxes(3, 3)
        counts["3 × 3"] = declining_positions(game)
        cross = double_cross(solved(game))
        ours = {
            "sets_of_lines_where_all_best_moves_decline_a_box": counts,
            "lines": sorted(members(cross.state.lines)),
            "greedy": cross.greedy,
            "greedy_lead": cross.greedy_lead,
            "best": cross.best,
            "best_lead": cross.best_lead,
        }
        lines = [
            *(
                f"{size}: in {n:,} sets of lines all best moves leave a box"
                for size, n in counts.items()
            ),
            *draw_text(game, cross.state).splitlines(),
            f"taking all that there is, {cross.greedy}: {cross.greedy_lead:+d} boxes in the end",
            f"giving two away, {cross.best}: {cross.best_lead:+d} boxes in the end",
        ]
        verdict = Verdict(
            cross.greedy_lead < 0 < cross.best_lead,
            "on the board above, whoever takes all boxes loses, and who gives two away wins",
        )

        def draw(figure):
            axes = figure.subplots()
            plots.count_bars(axes, counts, "sets of lines", f"{PAPER}: {self.claim}")
            figure.tight_layout()

        return outcome_of(self, 0, 0, seed, ours, lines, verdict, began, draw)


EXPERIMENTS = {
    "greed": Greed(),
    "fig5": Chain(),
    "fig6": FIGURES["fig6"],
    "fig7": FIGURES["fig7"],
    "fig8": Table8(),
    **{name: each for name, each in FIGURES.items() if name not in ("fig6", "fig7")},
    "enough": Enough(),
    **VARIANTS,
    "size3x3": Bigger(),
}
