"""What an experiment of a paper is here: its parameters, its published numbers, how to run it."""

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from course_lib import plots
from course_lib.exact import ceiling
from course_lib.training import Training

FEWEST_FOR_SHAPE = 50  # sessions, to say how wins, ties and losses go together


class Verdict(NamedTuple):
    """Whether a claim of the paper holds in our runs (None: can't be said), and why."""

    holds: bool | None
    why: str

    def __repr__(self):
        word = {True: "holds", False: "does not hold", None: "open"}[self.holds]
        return f"{word}: {self.why}"


class Outcome(NamedTuple):
    """An experiment that was run."""

    experiment: Any
    sessions: int
    games: int
    seed: int
    ours: dict
    lines: list  # how the published numbers stand in ours
    verdict: Verdict
    seconds: float
    draw: Callable  # draw(figure): as the paper draws it

    def json(self):
        """As a dictionary that JSON can hold."""
        holds = self.verdict.holds
        return {
            "paper": self.experiment.paper,
            "figure": self.experiment.name,
            "sessions": self.sessions,
            "games": self.games,
            "seed": self.seed,
            "published": self.experiment.published,
            "ours": self.ours,
            "verdict": {"holds": None if holds is None else bool(holds), "why": self.verdict.why},
            "seconds": round(self.seconds, 3),
        }

    def __repr__(self):
        return self.summary(f", {self.seconds:.1f} s")

    def summary(self, took=""):
        """The same in words at each run: without the time it took."""
        what = self.experiment
        size = f"{counted(self.sessions, 'session')} of {self.games} games, "
        size = size if self.sessions else ""
        return "\n".join(
            [
                f"{what.paper} {what.name}: {what.title}",
                f"  {size}seed {self.seed}{took}",
                *(f"  {line}" for line in self.lines),
                f"  claim: {what.claim}",
                f"  {self.verdict}",
            ]
        )

    def picture(self, size=(10, 4)):
        """The drawing, for a notebook to show."""
        figure = Figure(figsize=size, dpi=100)
        self.draw(figure)
        return plots.Picture(figure, f"picture of {self.experiment.paper} {self.experiment.name}")


class Curves(NamedTuple):
    """An experiment in which a learner plays sessions of games and its score is plotted."""

    paper: str
    name: str
    title: str
    claim: str
    published: dict
    sessions: int
    games: int
    make: Callable  # () -> what Training needs: game, agent, opponent, starter
    judge: Callable  # (run, sessions that count) -> Verdict
    only: str = "all"  # which sessions count: all, those that "died" or that "survived"

    def training(self, sessions=None, games=None, seed=0, **options):
        """The experiment as a Training that has not begun."""
        return Training(
            **self.make(),
            games=self.games if games is None else games,
            sessions=self.sessions if sessions is None else sessions,
            seed=seed,
            **options,
        )

    def chosen(self, run):
        """The sessions that count, as a mask over those that are over."""
        died = run.died[: run.complete()]
        return {"all": np.ones_like(died), "died": died, "survived": ~died}[self.only]

    def best_score(self):
        """The exact ceiling: the best expected score a game, where starters are fixed."""
        made = self.make()
        fixed = {"agent": [0], "opponent": [1], "alternate": [0, 1]}[made.get("starter", "agent")]
        if not hasattr(made["opponent"], "policy") or hasattr(made["opponent"], "fresh"):
            return None  # the opponent learns: there is no fixed ceiling
        scores = [ceiling(made["game"], made["opponent"], seat).score() for seat in fixed]
        return sum(scores) / len(scores)

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        run = self.training(sessions, games, seed).go(progress, stop)
        return self.outcome(run, time.perf_counter() - began)

    def outcome(self, run, seconds):
        """What a Training of this experiment shows so far."""
        chosen = self.chosen(run)
        columns = columns_of(run, chosen)
        ours = {name: spread(values) for name, values in columns.items()}
        if run.died.any():
            ours["deaths"] = spread(run.died[: run.complete()].astype(float))
        ours["sessions_counted"] = int(chosen.sum())
        ours |= ten_points(run.scores()[chosen])
        full_size = run.games == self.games
        lines = standing(self.published if full_size else {}, columns)
        lines += taken_together(self.published if full_size else {}, columns)
        if not full_size and self.published:
            lines.append(f"(the paper's numbers are for {self.games} games)")
        if self.only != "all":
            lines.insert(0, f"{chosen.sum()} of {len(chosen)} sessions {self.only}")
        return Outcome(
            self,
            run.complete(),
            run.games,
            run.seed,
            ours,
            lines,
            self.judge(run, chosen),
            seconds,
            lambda figure: self.draw(figure, run),
        )

    def draw(self, figure, run):
        """The curves and, where the paper gives numbers, a histogram with its number in it."""
        counted = self.chosen(run)
        if not counted.any():
            axes = figure.subplots()
            axes.text(0.5, 0.5, f"none of {len(counted)} sessions {self.only}", ha="center")
            axes.set_axis_off()
            return
        published = self.published if run.games == self.games else {}
        score = published["wins"] - published["losses"] if "wins" in published else None
        figure.suptitle(f"{self.paper} {self.name}: {self.title}")
        left, right = figure.subplots(1, 2, width_ratios=[1.7, 1])
        scores = run.scores()[counted]
        plots.learning_curves(left, scores, "each session", score, self.best_score())
        plots.histogram(right, scores[:, -1], score, "score at the end", "all sessions")
        figure.tight_layout()


def columns_of(run, counted):
    """{name: one number a session} for the sessions that count."""
    wins, ties, losses = run.wins()[counted], run.ties()[counted], run.losses()[counted]
    return {"wins": wins, "ties": ties, "losses": losses, "score": wins - losses}


def spread(values):
    """The distribution of a result over sessions."""
    if len(values) == 0:
        return dict.fromkeys(("mean", "sd", "p05", "p50", "p95"))
    low, middle, high = np.percentile(values, [5, 50, 95])
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return {
        "mean": float(np.mean(values)),
        "sd": sd,
        "p05": float(low),
        "p50": float(middle),
        "p95": float(high),
    }


def ten_points(curves):
    """The mean of some curves at ten equally spaced games."""
    if len(curves) == 0:
        return {"mean_curve_games": [], "mean_curve": []}
    mean = curves.mean(axis=0)
    at = [max(1, round(len(mean) * k / 10)) for k in range(1, 11)]
    return {"mean_curve_games": at, "mean_curve": [float(mean[game - 1]) for game in at]}


def percentile(values, number):
    """Where a number stands among values: the share below it, equal ones counted half, in %."""
    values = np.asarray(values)
    return 100 * float(np.mean(values < number) + np.mean(values == number) / 2)


def standing(published, columns):
    """One line for each published number: where it stands in our distribution."""
    lines = []
    for name, values in columns.items():
        if len(values) == 0:
            continue
        ours = spread(values)
        line = f"{name:7}ours {ours['mean']:.1f} ± {ours['sd']:.1f}"
        if name in published:
            at = percentile(values, published[name])
            unusual = "" if 1 <= at <= 99 else " — an unusual run, or another program than ours"
            line += f", paper {published[name]} (percentile {at:.0f} of ours{unusual})"
        lines.append(line)
    return lines


def taken_together(published, columns):
    """A line on the published numbers as one result: each may be usual, but not all in one session.

    How far a result is from our mean is told in our own spread and correlations (the distance of
    Mahalanobis).
    The limit of 2 % was set when figure 4 of Pulles 2019 was known to lie at 1.6 %: read the share,
    not only the word.
    """
    names = [name for name in ("wins", "ties", "losses") if name in published]
    ours = np.array([columns[name] for name in names], float)
    if len(names) < 2 or ours.shape[1] < FEWEST_FOR_SHAPE:
        return []
    theirs = np.array([published[name] for name in names], float)
    shape = np.linalg.pinv(np.cov(ours), hermitian=True)  # wins + ties + losses is constant

    def distance(result):
        away = result - ours.mean(axis=1)
        return float(away @ shape @ away)

    share = np.mean([distance(each) >= distance(theirs) for each in ours.T])
    unusual = "" if share >= 0.02 else " — an unusual run, or another program than ours"
    return [f"together: {100 * share:.1f} % of our sessions are as far from our mean{unusual}"]


def counted(n, thing):
    """ "1 session", "2 sessions"."""
    return f"{n} {thing}{'' if n == 1 else 's'}"


def mean_and_error(values):
    """Mean and standard error."""
    values = np.asarray(values, float)
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))


def compare(first, second, names, what):
    """A sentence on the difference of two samples, and how many standard errors it is."""
    (a, se_a), (b, se_b) = mean_and_error(first), mean_and_error(second)
    error = math.hypot(se_a, se_b)
    times = (a - b) / error if error else 0.0
    sentence = (
        f"{names[0]} {a:.1f}, {names[1]} {b:.1f} {what} (difference {a - b:+.1f} ± {error:.1f})"
    )
    return times, sentence
