"""Jose, Kurhekar & Mulik 2022, "The MENACE": Michie's 304 boxes with 8/4/2/1 beads.

The machine always moves first. Beads lie on one square of each symmetry orbit (24 in the first
box), the forced ninth move has no box; +3, +1 and −1 beads for a win, a tie and a loss.
"""

import time
from typing import NamedTuple

import numpy as np

from course_lib import plots
from course_lib.agents import Random, perfect
from course_lib.agents.menace import menace
from course_lib.experiments.experiment import (
    Curves,
    Outcome,
    Verdict,
    mean_and_error,
    percentile,
    spread,
    ten_points,
)
from course_lib.games import TicTacToe
from course_lib.training import Training

PAPER = "jose2022"
GAME = TicTacToe(3)
# games: MENACE's wins, human wins, the printed "training probability"
TABLE = {
    50: (25, 17, 0.32),
    100: (61, 23, 0.55),
    150: (97, 30, 0.70),
    200: (137, 37, 0.70),
    250: (174, 47, 0.71),
    351: (247, 67, 0.72),
    501: (362, 89, 0.75),
    800: (598, 124, 0.76),
    1000: (752, 147, 0.79),
    1503: (1151, 194, 0.87),
}
TEST_RUN = (1000, 2500, 5000, 8000, 10_000)
DECAY = 0.95


def the_machine():
    return menace(GAME, (8, 4, 2, 1), win=3, tie=1, loss=1, per_orbit=True, forced_box=False)


def training_probability(wins, losses):
    """p = 1 − losses / wins, as the paper defines it. (No probability: it may be negative.)"""
    return 1 - losses / wins


def michie_mean(outcomes, decay=DECAY):
    """Michie's running mean μ_j of the outcomes V_0 ... V_j, the last ones weighing most.

    μ_j = (1 − D) / (D − D^(j+2)) · Σ D^(j−i+1) V_i. The paper prints the exponent as (ji + 1).
    The weights are D^(j−i+1) for i = 0 ... j and add up to (D − D^(j+2)) / (1 − D).
    """
    if not 0 < decay < 1:
        raise ValueError(f"decay={decay!r}: expected a number between 0 and 1")
    total = weight = 0.0
    means = np.zeros(len(outcomes))
    for j, outcome in enumerate(outcomes):
        total = decay * (total + outcome)
        weight = decay * (weight + 1)
        means[j] = total / weight
    return means


def learns_to_win(run, counted):
    won = run.wins()[counted] / run.games
    late = (run.results[: run.complete()][counted][:, -100:] == 1).mean()
    return Verdict(
        bool(late > won.mean()),
        f"{100 * won.mean():.0f} % wins over all, {100 * late:.0f} % in the last 100 games",
    )


def learns_to_tie(run, counted):
    results = run.results[: run.complete()]
    alive = ~run.died[: run.complete()]
    tied = (results[alive][:, -50:] == 0).mean() if alive.any() else 0.0
    dead = 100 * run.died[: run.complete()].mean()
    return Verdict(
        bool(tied > 0.9),
        f"{100 * tied:.0f} % ties in the last 50 games of those that live; {dead:.0f} % died",
    )


class ProbabilityTable(NamedTuple):
    """The table of "training probabilities" from 50 to 1503 games."""

    paper: str = PAPER
    name: str = "table"
    title: str = "training probability p = 1 − losses / wins against Random, 50 to 1503 games"
    claim: str = "every iteration gives an increasing probability of winning"
    published: dict = {
        str(games): {"wins": row[0], "losses": row[1], "p_printed": row[2]}
        for games, row in TABLE.items()
    }
    sessions: int = 200
    games: int = 1503

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        sessions = self.sessions if sessions is None else sessions
        games = self.games if games is None else games
        run = Training(GAME, the_machine(), Random(), games, sessions, seed).go(progress, stop)
        results = run.results[: run.complete()]
        ours = {}
        lines = ["games    wins: paper (pct)      losses: paper (pct)      p printed, right, ours"]
        wrong = 0
        for checkpoint, (won, lost, printed) in TABLE.items():
            if checkpoint > games:
                continue
            wins = np.sum(results[:, :checkpoint] == 1, axis=1)
            losses = np.sum(results[:, :checkpoint] == -1, axis=1)
            right = training_probability(won, lost)
            p = 1 - losses / np.maximum(wins, 1)
            wrong += abs(right - printed) > 0.0051
            ours[str(checkpoint)] = {
                "wins": spread(wins),
                "losses": spread(losses),
                "p": spread(p),
                "p_right": right,
            }
            lines.append(
                f"{checkpoint:5}  {wins.mean():6.1f}: {won:4} ({percentile(wins, won):3.0f})"
                f"        {losses.mean():6.1f}: {lost:3} ({percentile(losses, lost):3.0f})"
                f"         {printed:.2f}  {right:.2f}  {p.mean():.2f} ± {p.std():.2f}"
            )
        rows = len(ours)
        ours |= ten_points(run.scores())
        negative = float(np.mean((results[:, :20] == -1).sum(1) > (results[:, :20] == 1).sum(1)))
        verdict = Verdict(
            None,
            f"p is printed wrongly in {wrong} of {rows} rows, and is no probability: "
            f"after 20 games it is negative in {100 * negative:.0f} % of our sessions. That wins "
            "become more frequent does hold",
        )

        def draw(figure):
            axes = figure.subplots()
            at = [g for g in TABLE if g <= games]
            axes.plot(at, [TABLE[g][2] for g in at], "D--", color=plots.RED, label="as printed")
            right = [training_probability(*TABLE[g][:2]) for g in at]
            axes.plot(at, right, "o-", color=plots.BLUE, label="right, from the paper's counts")
            means = [ours[str(g)]["p"]["mean"] for g in at]
            low, high = ([ours[str(g)]["p"][p] for g in at] for p in ("p05", "p95"))
            axes.plot(at, means, color=plots.BLACK, lw=2, label=f"mean of our {run.complete()}")
            axes.fill_between(at, low, high, color=plots.SKY, alpha=0.3, label="middle 90 %")
            axes.set_xlabel("games")
            axes.set_ylabel("1 − losses / wins")
            axes.set_title(f"{PAPER}: the table of training probabilities")
            axes.legend(frameon=False)
            figure.tight_layout()

        seconds = time.perf_counter() - began
        return Outcome(self, run.complete(), games, seed, ours, lines, verdict, seconds, draw)


class TestRun(NamedTuple):
    """The test cases of 1000 to 10,000 games, each with a machine of its own."""

    __test__ = False  # not one of pytest's

    paper: str = PAPER
    name: str = "test-run"
    title: str = "the paper's test cases of 1000 to 10,000 games against Random"
    claim: str = "all tests pass: the probability is at most 1"
    published: dict = {"assertion": "probability <= 1"}
    sessions: int = 20
    games: int = 10_000

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        sessions = self.sessions if sessions is None else sessions
        games = self.games if games is None else games
        ours, lines, runs = {}, [], {}
        for n in [n for n in TEST_RUN if n <= games] or [games]:
            run = Training(GAME, the_machine(), Random(), n, sessions, seed).go(progress, stop)
            p = 1 - run.losses() / np.maximum(run.wins(), 1)
            runs[n] = run
            ours[str(n)] = {
                "wins": spread(run.wins()),
                "ties": spread(run.ties()),
                "losses": spread(run.losses()),
                "p": spread(p),
                "passes": float(np.mean(p <= 1)),
            }
            lines.append(f"{n:6} games: p = {p.mean():.3f} ± {p.std():.3f}, largest {p.max():.3f}")
        ours |= ten_points(runs[max(runs)].scores())
        verdict = Verdict(
            True,
            "and it can't fail: 1 − losses / wins is at most 1 for any machine, learning or not",
        )

        def draw(figure):
            axes = figure.subplots()
            plots.learning_curves(axes, runs[max(runs)].scores(), f"{PAPER}: {self.title}")
            figure.tight_layout()

        seconds = time.perf_counter() - began
        return Outcome(self, sessions, games, seed, ours, lines, verdict, seconds, draw)


class MichieMean(NamedTuple):
    """Michie's running mean of the outcomes, with the sign that the paper's formula lost."""

    paper: str = PAPER
    name: str = "michie"
    title: str = f"Michie's running mean (D = {DECAY}) of 400 games against Random"
    claim: str = "the running mean rises towards near-perfect play"
    published: dict = {}
    sessions: int = 50
    games: int = 400

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        sessions = self.sessions if sessions is None else sessions
        games = self.games if games is None else games
        run = Training(GAME, the_machine(), Random(), games, sessions, seed).go(progress, stop)
        means = np.array([michie_mean(each) for each in run.results[: run.complete()]])
        start, end = means[:, min(20, games - 1)], means[:, -1]
        (early, _), (late, error) = mean_and_error(start), mean_and_error(end)
        ours = {"after_20": spread(start), "at_end": spread(end)}
        ours |= ten_points(means)
        lines = [f"after 20 games {early:+.2f}, at the end {late:+.2f} ± {error:.2f}"]
        verdict = Verdict(
            bool(late > early + 2 * error),
            "the formula as printed, with D^(ji+1), is no mean: its weights do not add up to 1",
        )

        def draw(figure):
            axes = figure.subplots()
            plots.gauge_curve(axes, means, "running mean of +1, 0, −1", f"{PAPER}: {self.title}")
            figure.tight_layout()

        seconds = time.perf_counter() - began
        return Outcome(self, run.complete(), games, seed, ours, lines, verdict, seconds, draw)


EXPERIMENTS = {
    "random": Curves(
        PAPER,
        "random",
        "8/4/2/1 beads against Random, 400 games",
        "MENACE learns to win most of its games against a random player",
        {"wins": 271, "ties": 59, "losses": 70},
        50,
        400,
        lambda: {"game": GAME, "agent": the_machine(), "opponent": Random()},
        learns_to_win,
    ),
    "perfect": Curves(
        PAPER,
        "perfect",
        "8/4/2/1 beads against perfect play, 254 games: the sessions that survived",
        "after a dip MENACE learns to tie against perfect play",
        {"wins": 0, "ties": 212, "losses": 42},
        50,
        254,
        lambda: {"game": GAME, "agent": the_machine(), "opponent": perfect(GAME)},
        learns_to_tie,
        "survived",
    ),
    "table": ProbabilityTable(),
    "test-run": TestRun(),
    "michie": MichieMean(),
}
