"""Frederiksen & Gunnarsson 2019, "Q-learning for a variant of Tic-tac-toe": tic-trap-toe.

A Q-player learns from 20,000 games against itself (table 1), and its further trained version Q*
from 20,000 more against each of two opponents (table 2). The paper leaves open some rules, what
the If-player's rules are, how fast ε falls, and in which order Q* met its opponents. What is
chosen here is said with each number.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from course_lib import plots
from course_lib.agents import IfPlayer, MinimaxTraps, Random, trap_learner
from course_lib.arena import match
from course_lib.experiments.experiment import Outcome, Verdict, percentile, spread
from course_lib.games import TicTrapToe
from course_lib.training import train

PAPER = "frederiksen2019"
TRAINING_GAMES = 20_000
RATES = ("win", "lose", "tie")
# Whether a line completed on a trap wins at once. The authors play that the trap comes first.
READINGS = {"trap first": TicTrapToe(), "line first": TicTrapToe(trapped_line_wins=True)}
OPPONENTS = {
    "If": IfPlayer(),
    "If, any of equal squares": IfPlayer(random_ties=True),
    "Random": Random(),
}
TABLE_1 = {"Q v If": [9, 81, 10], "Q v Random": [57, 31, 12]}
TABLE_2 = {"Q* v If": [100, 0, 0], "Q* v Random": [62, 27, 11]}


def self_play(learner, games=TRAINING_GAMES, seed=0, progress=False):
    """The learner after games against itself: both seats share one table (section 3.3)."""
    run = train(learner.game, learner, learner.twin(), games, seed, "alternate", progress)
    return run.trained()


def trained_against(learner, opponent, games=TRAINING_GAMES, seed=0, progress=False):
    """A copy of the learner after games against an opponent that does not learn."""
    run = train(learner.game, learner.copy(), opponent, games, seed, "alternate", progress)
    return run.trained()


def rates(player, opponent, training_games, seed):
    """Wins, losses and ties in per cent, with alternating seats: 10,000 games after 20,000."""
    games = max(1, training_games // 2)
    game = getattr(player, "game", None) or player.player.game
    played = match(game, player, opponent, games, seed, "alternate", keep_moves=False)
    return [100 * n / games for n in (played.wins(), played.losses(), played.ties())]


def play_q(game, games, seed):
    """Table 1: {match: rates} of one training seed."""
    q = self_play(trap_learner(game), games, seed)
    return {f"Q v {name}": rates(q, each, games, seed) for name, each in OPPONENTS.items()}


def play_q_star(game, games, seed):
    """Table 2: {match: rates} of one training seed. Q* meets Random first, then the If-player."""
    q = self_play(trap_learner(game), games, seed)
    after_random = trained_against(q, Random(), games, seed + 1)
    stars = {
        name: trained_against(after_random, OPPONENTS[name], games, seed + 2)
        for name in ("If", "If, any of equal squares")
    }
    found = {f"Q* v {name}": rates(q, OPPONENTS[name], games, seed) for name, q in stars.items()}
    found["Q* v Random"] = rates(stars["If"], Random(), games, seed)
    after_if = trained_against(q, IfPlayer(), games, seed + 1)
    other_way = trained_against(after_if, Random(), games, seed + 2)
    found["Q* v If, had it met If first"] = rates(other_way, IfPlayer(), games, seed)
    return found


def judge_q(found):
    """Whether the If-player beats Q and Q beats Random, in each reading and with each seed."""
    words, holds = [], True
    for reading, rows in found.items():
        beaten = np.mean([rows[name][:, 0] < rows[name][:, 1] for name in rows if "If" in name])
        better = np.mean(rows["Q v Random"][:, 0] > rows["Q v Random"][:, 1])
        holds = holds and beaten > 0.9 and better > 0.9
        words.append(
            f"{reading}: loses to the If-player with {100 * beaten:.0f} % of the seeds, "
            f"beats Random with {100 * better:.0f} %"
        )
    return Verdict(bool(holds), "; ".join(words))


def judge_q_star(found):
    """Whether Q* stops losing to the If-player, and wins against Random little more than Q does."""
    words, holds = [], True
    for reading, rows in found.items():
        wins = rows["Q* v If"][:, 0]
        losses = rows["Q* v If"][:, 1]
        random = rows["Q* v Random"][:, 0].mean()
        holds = holds and losses.mean() < 5 and wins.mean() > 50 and random < 80
        words.append(
            f"{reading}: wins {wins.mean():.0f} % ({wins.min():.0f} to {wins.max():.0f}) and loses "
            f"{losses.mean():.0f} % against the If-player that it met last, wins {random:.0f} % "
            "against Random"
        )
    return Verdict(bool(holds), "; ".join(words))


class MatchTable(NamedTuple):
    """A table of the paper: rates of a trained player against others, over training seeds."""

    name: str
    title: str
    claim: str
    published: dict
    play: Callable  # (game, games, seed) -> {match: rates}
    judge: Callable  # ({reading: {match: seeds × rates}}) -> Verdict
    paper: str = PAPER
    sessions: int = 10  # training seeds
    games: int = TRAINING_GAMES  # of each training; a match has half as many

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        sessions = self.sessions if sessions is None else sessions
        games = self.games if games is None else games
        found = {}
        for reading, game in READINGS.items():
            runs = []
            for k in range(sessions):
                if stop is not None and stop() and runs:
                    break
                runs.append(self.play(game, games, seed + 1000 * k))
                if progress:
                    print(f"\r{reading}: {k + 1} of {sessions} training seeds", end="", flush=True)
            found[reading] = {row: np.array([run[row] for run in runs]) for row in runs[0]}
        if progress:
            print("\r" + " " * 60 + "\r", end="")
        return Outcome(
            self,
            sessions,
            games,
            seed,
            self.numbers(found),
            self.lines(found),
            self.judge(found),
            time.perf_counter() - began,
            lambda figure: self.draw(figure, found),
        )

    def numbers(self, found):
        return {
            reading: {
                row: {rate: spread(values[:, i]) for i, rate in enumerate(RATES)}
                for row, values in rows.items()
            }
            for reading, rows in found.items()
        }

    def published_for(self, row):
        """The paper's rates for a row of ours; it says nothing of how the If-player breaks ties."""
        return self.published.get(row.replace(", any of equal squares", ""))

    def lines(self, found):
        """Each row: our mean and range over the seeds, and whether the paper's lies in it."""
        lines = ["win, lose, tie in %: mean (least to most of the training seeds)"]
        for reading, rows in found.items():
            lines.append(f"{reading}:")
            for row, values in rows.items():
                ours = ", ".join(
                    f"{v.mean():.0f} ({v.min():.0f} to {v.max():.0f})" for v in values.T
                )
                paper = self.published_for(row)
                beside = ""
                if paper is not None:
                    within = [inside(p, v) for p, v in zip(paper, values.T, strict=True)]
                    told = "/".join(map(str, paper))
                    places = [percentile(v, p) for p, v in zip(paper, values.T, strict=True)]
                    at = "/".join(f"{place:.0f}" for place in places)
                    beside = f"; paper {told}, " + (
                        "all inside" if all(within) else f"{sum(within)} of 3 inside"
                    )
                    beside += f" (percentiles {at})"
                lines.append(f"  {row}: {ours}{beside}")
        return lines

    def draw(self, figure, found):
        figure.suptitle(f"{PAPER} {self.name}: {self.title}")
        axes = figure.subplots(1, len(found), sharey=True, squeeze=False)[0]
        for each, (reading, rows) in zip(axes, found.items(), strict=True):
            published = {row: self.published_for(row) for row in rows}
            plots.rate_ranges(each, rows, published, reading)
        figure.tight_layout()


def inside(published, values):
    """Whether a number that was rounded to whole per cent lies between the least and the most."""
    return values.min() - 0.5 <= published <= values.max() + 0.5


class Equations(NamedTuple):
    """Equation 1 against equation 2 as it is printed."""

    name: str = "equations"
    title: str = "equation 2, “rewritten” from equation 1, loses an α"
    claim: str = "equation 1 can be rewritten to equation 2"
    published: dict = {}
    paper: str = PAPER
    sessions: int = 10
    games: int = TRAINING_GAMES

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        sessions = self.sessions if sessions is None else sessions
        games = self.games if games is None else games
        game = READINGS["trap first"]
        largest, against_if = {}, {}
        for printed in (False, True):
            name = "2 as printed" if printed else "1"
            learners = [
                self_play(trap_learner(game, as_printed=printed), games, seed + 1000 * k)
                for k in range(sessions)
            ]
            largest[name] = np.array([np.abs(each.values).max() for each in learners])
            against_if[name] = np.array([rates(q, IfPlayer(), games, seed) for q in learners])
        lines = [
            f"equation {name}: largest |Q| {values.mean():.1f} "
            f"({values.min():.1f} to {values.max():.1f}); against the If-player it wins "
            f"{against_if[name][:, 0].mean():.0f} %, loses {against_if[name][:, 1].mean():.0f} %"
            for name, values in largest.items()
        ]
        lines.append("a win pays 1, a good trap 0.25 on the way there")
        grown = largest["2 as printed"]
        verdict = Verdict(
            False,
            "with γ not multiplied by α the value of a chain of positions grows by 1/α a turn: "
            f"up to {grown.max():.0f}",
        )
        ours = {name: spread(values) for name, values in largest.items()}
        return Outcome(
            self,
            sessions,
            games,
            seed,
            ours,
            lines,
            verdict,
            time.perf_counter() - began,
            lambda figure: self.draw(figure, largest),
        )

    def draw(self, figure, largest):
        axes = figure.subplots()
        names = {f"equation {name}": values for name, values in largest.items()}
        plots.value_dots(axes, names, "largest |Q| after training", self.title)
        figure.tight_layout()


def play_future(game, games, seed):
    """Section 5.2: a removal that is learnt, and traps by minimax. {match: rates}"""
    players = {
        "Q": self_play(trap_learner(game), games, seed),
        "Q, removal learnt": self_play(trap_learner(game, learn_removal=True), games, seed),
    }
    found = {}
    for name, player in players.items():
        for opponent in ("If, any of equal squares", "Random"):
            found[f"{name} v {opponent}"] = rates(player, OPPONENTS[opponent], games, seed)
    both = MinimaxTraps(players["Q, removal learnt"])
    for opponent in ("If, any of equal squares", "Random"):
        row = f"Q, also traps by minimax v {opponent}"
        found[row] = rates(both, OPPONENTS[opponent], games, seed)
    return found


def judge_future(found):
    """Whether either idea helps against the If-player."""
    words, holds = [], True
    for reading, rows in found.items():
        wins = {name: values[:, 0] for name, values in rows.items() if "If" in name}
        plain, removal, traps = wins.values()
        holds = holds and removal.mean() > plain.mean()
        words.append(
            f"{reading}: wins against the If-player {plain.mean():.0f} %, with learnt removal "
            f"{removal.mean():.0f} %, with traps by minimax as well {traps.mean():.0f} %"
        )
    return Verdict(bool(holds), "; ".join(words))


EXPERIMENTS = {
    each.name: each
    for each in (
        MatchTable(
            "table1",
            "Q after 20,000 games against itself",
            "the If-player beats Q, and Q beats Random",
            TABLE_1,
            play_q,
            judge_q,
        ),
        MatchTable(
            "table2",
            "Q* after 20,000 more against Random and the If-player",
            "Q* learns to beat the If-player (they say: every time), and is hardly better against "
            "Random",
            TABLE_2,
            play_q_star,
            judge_q_star,
        ),
        Equations(),
        MatchTable(
            "future",
            "what section 5.2 proposes: removal learnt, traps by minimax",
            "a better phase 3, or traps by minimax, would make a better player",
            {},
            play_future,
            judge_future,
        ),
    )
}
