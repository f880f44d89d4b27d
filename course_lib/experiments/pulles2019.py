"""Pulles 2019, "MENACE and Q-Learning Playing Noughts and Crosses": every listing, table, figure.

How the paper is read where it leaves something open is said at `menace_of` and `q_of`.
"""

import time
from typing import NamedTuple

import numpy as np

from course_lib import plots
from course_lib.agents import Minimax, Negamax, Random, perfect, search
from course_lib.agents.exploration import Linear
from course_lib.agents.menace import menace
from course_lib.agents.q_learning import q_learning
from course_lib.experiments.experiment import (
    Curves,
    Outcome,
    Verdict,
    columns_of,
    compare,
    mean_and_error,
    spread,
    ten_points,
)
from course_lib.games import TicTacToe
from course_lib.training import Training

PAPER = "pulles2019"
GAME = TicTacToe(3)
NO_MATTER = 0.5  # where a caption has x: without alternating starters γ has no effect


def menace_of(i, win, tie, seats="first", later=0):
    """M(i, rw, rt): i beads for every empty square at every stage, a loss takes one bead away.

    MENACE moves first unless said otherwise, and has a box for the ninth move, too.
    """
    first, second = seats in ("first", "both"), seats in ("second", "both")
    return menace(GAME, i, win, tie, loss=1, later=later, first=first, second=second)


def q_of(alpha, gamma, epsilon, begin, end, win, tie, loss, per="move"):
    """Q(α, γ, ε, εs, εe, rw, rt, rl): after the game every own move gets the final reward.

    s′ is the position right after the own move, in which the opponent is to move. The table has a
    column for every square, so the maximum is never below 0. per="move" lets ε fall with each own
    move, which fits the plots; per="round" is what one sentence of the text says.
    """
    if per not in ("move", "round"):
        raise ValueError(f"per={per!r}: expected 'move' or 'round'")
    return q_learning(
        GAME,
        alpha,
        gamma,
        win,
        tie,
        loss,
        Linear(epsilon, begin, end, per == "move"),
        symmetry=True,
        reward_all=True,
        own_next=False,
        each_turn=False,
        count_illegal=True,
    )


# Verdicts


def learns(run, counted):
    """The score rises faster at the end than at the start."""
    results = run.results[: run.complete()][counted]
    fifth = max(1, run.games // 5)
    (first, _), (last, error) = (
        mean_and_error(results[:, :fifth].mean(axis=1)),
        mean_and_error(results[:, -fifth:].mean(axis=1)),
    )
    return Verdict(
        last > first + 2 * error,
        f"{first:+.2f} points a game in the first fifth, {last:+.2f} ± {error:.2f} in the last",
    )


def fewer_beads_learn_faster(run, counted):
    """Figure 4 against figure 3: with i = 10 it learns more slowly than with i = 1."""
    other = FIGURES["fig3"].training(run.sessions, run.games, run.seed).go()
    mine = columns_of(run, counted)["score"]
    times, why = compare(mine, other.wins() - other.losses(), ("i = 10", "i = 1"), "points")
    return Verdict(times < -2, why)


def identity_at_death(run, counted):
    """At death 9i + rw·W + rt·T beads have come into the first box, and each loss took one."""
    lost, tied = run.losses()[counted], run.ties()[counted]
    if len(lost) == 0:
        return Verdict(None, "no session died")
    share = run.died[: run.complete()].mean()
    return Verdict(
        bool(np.all(lost == 9 + 2 * tied)),
        f"{100 * share:.0f} % of the sessions died; losses = 9 + 2 · ties in "
        f"{np.sum(lost == 9 + 2 * tied)} of {len(lost)} of them (paper: 17 = 9 + 2 · 4)",
    )


def survives(run, counted):
    share = counted.mean()
    return Verdict(share > 0, f"{100 * share:.0f} % of the sessions survived")


def first_player_adapts(run, counted):
    resigned = np.mean(run.resigned[: run.complete()] == 1) * run.games
    wins = run.wins()[counted]
    return Verdict(
        bool(np.percentile(wins, 99) >= 0.85 * run.games and resigned > 0),
        f"the second machine resigns {resigned:.1f} games a session; the first wins 267 or more "
        f"of 300 in {100 * np.mean(wins >= 0.89 * run.games):.0f} % of the sessions",
    )


def low_alpha_is_steadier(run, counted):
    """Figure 9 against figure 8: a low learning rate gives a steadier curve."""
    other = FIGURES["fig8"].training(run.sessions, run.games, run.seed).go()
    tenth = max(1, run.games // 10)
    if run.games < 2:
        return Verdict(None, "one game has no stretches to compare")

    def roughness(each):
        """How much the score of one stretch of games differs from that of the next."""
        results = each.results[: each.complete(), : tenth * (run.games // tenth)]
        stretches = results.reshape(len(results), -1, tenth).sum(axis=2)
        return np.abs(np.diff(stretches, axis=1)).mean(axis=1)

    times, why = compare(
        roughness(run), roughness(other), ("α = 0.1", "α = 0.9"), "points from stretch to stretch"
    )
    return Verdict(bool(times < -2), why)


def ends_in_ties(run, counted):
    last = run.results[: run.complete(), -max(1, run.games // 3) :]
    tied = (last == 0).mean()
    return Verdict(bool(tied > 0.95), f"{100 * tied:.1f} % ties in the last third of the games")


def high_gamma_is_better(run, counted):
    """Figure 12 against figure 11, with the same seeds."""
    other = FIGURES["fig11"].training(run.sessions, run.games, run.seed).go()
    mine, theirs = columns_of(run, counted)["score"], other.wins() - other.losses()
    times, why = compare(mine, theirs, ("γ = 0.9", "γ = 0.1"), "points")
    return Verdict(None if abs(times) < 2 else bool(times > 0), why)


def ties_and_a_slight_advantage(run, counted):
    last = run.results[: run.complete(), -max(1, run.games // 6) :]
    score, error = mean_and_error(columns_of(run, counted)["score"])
    return Verdict(
        bool((last == 0).mean() > 0.95 and score > 2 * error),
        f"{100 * (last == 0).mean():.1f} % ties in the last sixth of the games; "
        f"the first player is {score:+.1f} ± {error:.1f} points ahead",
    )


def menace_is_slightly_better(run, counted):
    scores = columns_of(run, counted)["score"]
    score, error = mean_and_error(scores)
    middle = float(np.median(scores))
    return Verdict(
        bool(middle < 0 and abs(score) < 2 * error),
        f"Q's score is {score:+.1f} ± {error:.1f} in the mean and {middle:+.0f} in the middle: "
        f"MENACE is ahead in {100 * np.mean(scores < 0):.0f} % of the sessions, Q far ahead (by "
        f"100 or more) in {100 * np.mean(scores >= 100):.0f} %",
    )


def _figure(name, title, claim, make, judge, games=300, sessions=50, published=None, only="all"):
    return Curves(PAPER, name, title, claim, published or {}, sessions, games, make, judge, only)


def against(agent, opponent, starter="agent"):
    return {"game": GAME, "agent": agent, "opponent": opponent, "starter": starter}


FIGURES = {
    each.name: each
    for each in (
        _figure(
            "fig3",
            "M(1,2,1) against Random",
            "MENACE struggles a little at the start, then wins or ties",
            lambda: against(menace_of(1, 2, 1), Random()),
            learns,
            published={"wins": 197, "ties": 42, "losses": 61},
        ),
        _figure(
            "fig4",
            "M(10,2,1) against Random",
            "with more beads it is punished less and learns more slowly",
            lambda: against(menace_of(10, 2, 1), Random()),
            fewer_beads_learn_faster,
            published={"wins": 175, "ties": 25, "losses": 100},
        ),
        _figure(
            "fig5",
            "M(1,x,2) against Negamax: the sessions that died",
            "few beads let MENACE die against a perfect player",
            lambda: against(menace_of(1, 0, 2), perfect(GAME)),
            identity_at_death,
            sessions=200,
            published={"wins": 0, "ties": 4, "losses": 17},
            only="died",
        ),
        _figure(
            "fig6",
            "M(1,x,2) against Negamax: the sessions that survived",
            "with luck at the start MENACE survives",
            lambda: against(menace_of(1, 0, 2), perfect(GAME)),
            survives,
            published={"wins": 0, "ties": 264, "losses": 36},
            only="survived",
        ),
        _figure(
            "fig7",
            "M(1,2,1) against M(1,2,1)",
            "the first machine adapts to the empty boxes of the second",
            lambda: against(menace_of(1, 2, 1), menace_of(1, 2, 1, "second")),
            first_player_adapts,
            published={"wins": 267, "ties": 14, "losses": 19},
        ),
        _figure(
            "fig8",
            "Q(0.9,x,0.3,100,200,2,1,−1) against Random",
            "Q struggles a bit at the start, but soon plays well and improves",
            lambda: against(q_of(0.9, NO_MATTER, 0.3, 100, 200, 2, 1, -1), Random()),
            learns,
            published={"wins": 217, "ties": 29, "losses": 54},
        ),
        _figure(
            "fig9",
            "Q(0.1,x,0.3,100,200,2,1,−1) against Random",
            "a low learning rate gives a steadier curve",
            lambda: against(q_of(0.1, NO_MATTER, 0.3, 100, 200, 2, 1, -1), Random()),
            low_alpha_is_steadier,
            published={"wins": 209, "ties": 55, "losses": 36},
        ),
        _figure(
            "fig10",
            "Q(0.1,x,0.1,0,50,y,2,−1) against Negamax",
            "Q finds the optimal play against the perfect player quite fast",
            lambda: against(q_of(0.1, NO_MATTER, 0.1, 0, 50, 2, 2, -1), perfect(GAME)),
            ends_in_ties,
        ),
        _figure(
            "fig11",
            "Q(0.1,0.1,0.2,200,400,2,1,−1) against Random, alternating",
            "with a low discount factor Q learns",
            lambda: against(q_of(0.1, 0.1, 0.2, 200, 400, 2, 1, -1), Random(), "alternate"),
            learns,
            games=800,
        ),
        _figure(
            "fig12",
            "Q(0.1,0.9,0.2,200,400,2,1,−1) against Random, alternating",
            "a high discount factor performs slightly better than a low one",
            lambda: against(q_of(0.1, 0.9, 0.2, 200, 400, 2, 1, -1), Random(), "alternate"),
            high_gamma_is_better,
            games=800,
        ),
        _figure(
            "fig13",
            "Q(0.1,x,0.2,100,200,2,1,−1) against itself",
            "both converge to constant ties; the first player has a slight advantage",
            lambda: against(
                q_of(0.1, NO_MATTER, 0.2, 100, 200, 2, 1, -1),
                q_of(0.1, NO_MATTER, 0.2, 100, 200, 2, 1, -1),
            ),
            ties_and_a_slight_advantage,
        ),
        _figure(
            "fig14",
            "Q(0.1,0.9,0.2,200,400,2,1,−1) against M(1,2,1), alternating",
            "equal strength on average; MENACE is consistently slightly better",
            lambda: against(
                q_of(0.1, 0.9, 0.2, 200, 400, 2, 1, -1), menace_of(1, 2, 1, "both"), "alternate"
            ),
            menace_is_slightly_better,
            games=600,
        ),
    )
}


# What is not a figure of curves


class Listings(NamedTuple):
    """Listings 1–6: how many nodes minimax and negamax look at for the first move."""

    paper: str = PAPER
    name: str = "listings"
    title: str = "nodes for the first move, with alpha-beta pruning and without"
    claim: str = "pruning looks at about 30,000 instead of about 500,000 nodes"
    published: dict = {"nodes": 500_000, "nodes_pruned": 30_000}
    sessions: int = 0
    games: int = 0

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        start = GAME.start()
        found = {
            "minimax": search(Minimax(), GAME, start),
            "minimax_pruned": search(Minimax(pruning=True), GAME, start),
            "negamax": search(Negamax(), GAME, start),
            "negamax_pruned": search(Negamax(pruning=True), GAME, start),
        }
        ours = {name: {"nodes": each.nodes, "value": each.value} for name, each in found.items()}
        lines = [f"{name:15}{each.nodes:9,} nodes with the root" for name, each in found.items()]
        full, cut = found["minimax"].nodes, found["minimax_pruned"].nodes
        verdict = Verdict(
            abs(full / 500_000 - 1) < 0.15 and abs(cut / 30_000 - 1) < 0.15,
            f"{full:,} and {cut:,}: pruning saves {100 * (1 - cut / full):.0f} %",
        )

        def draw(figure):
            axes = figure.subplots()
            axes.barh(list(found), [each.nodes for each in found.values()], color=plots.BLUE)
            axes.set_xscale("log")
            axes.set_xlabel("nodes for the first move")
            axes.set_title(f"{PAPER}: {self.title}")
            figure.tight_layout()

        return Outcome(self, 0, 0, seed, ours, lines, verdict, time.perf_counter() - began, draw)


class QTable(NamedTuple):
    """Tables 1 and 2: the Q-table when just made, and after some games."""

    paper: str = PAPER
    name: str = "tables1-2"
    title: str = "the Q-table before and after learning, Q(0.1,x,0.3,100,200,2,1,−1) against Random"
    claim: str = "765 rows of zeros before; after some games values such as −12.04 and 14.96"
    published: dict = {"rows": 765, "largest": 14.96, "smallest": -12.04}
    sessions: int = 1
    games: int = 300

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        games = self.games if games is None else games
        agent = q_of(0.1, NO_MATTER, 0.3, 100, 200, 2, 1, -1)
        run = Training(GAME, agent, Random(), games, 1, seed).go(progress, stop)
        table = run.trained()
        met = int(table.table.used[0])
        values = table.values[:met]
        first_box = table.q_values(GAME.start())
        ours = {
            "rows_before": 0,
            "rows_met": met,
            "largest": float(values.max(initial=0)),
            "smallest": float(values.min(initial=0)),
            "empty_board": {str(square): value for square, value in first_box.items()},
        }
        lines = [
            f"before: every value is 0; after {games} games {met} of 627 unfinished positions met",
            f"values from {ours['smallest']:.2f} to {ours['largest']:.2f}",
            "empty board: " + ", ".join(f"{a}: {v:.2f}" for a, v in first_box.items()),
        ]
        verdict = Verdict(
            False,
            "with rewards 2, 1 and −1 and no future, each value is an average of rewards and "
            "lies between −1 and 2: the numbers printed in table 2 are for illustration only",
        )

        def draw(figure):
            left, right = figure.subplots(1, 2)
            plots.board_heat(left, 3, dict.fromkeys(range(9), 0.0), title="table 1: before")
            plots.board_heat(
                right, 3, first_box, title=f"table 2: after {games} games", form="{:.2f}"
            )
            figure.tight_layout()

        return Outcome(
            self, 1, games, seed, ours, lines, verdict, time.perf_counter() - began, draw
        )


class LaterMovesMore(NamedTuple):
    """Section 6.2: the improvement that the paper proposes, measured against the original."""

    paper: str = PAPER
    name: str = "later-moves-more"
    title: str = "M(1,2,1) with one more bead for each later move of a won game, against Random"
    claim: str = "more beads for later moves make the learning of MENACE more stable (section 6.2)"
    published: dict = {}
    sessions: int = 200
    games: int = 300

    def run(self, sessions=None, games=None, seed=0, progress=False, stop=None):
        began = time.perf_counter()
        sessions = self.sessions if sessions is None else sessions
        games = self.games if games is None else games
        runs = {
            "original": Training(GAME, menace_of(1, 2, 1), Random(), games, sessions, seed),
            "later moves more": Training(
                GAME, menace_of(1, 2, 1, later=1), Random(), games, sessions, seed
            ),
        }
        for run in runs.values():
            run.go(progress, stop)
        columns = {
            name: columns_of(run, np.ones(run.complete(), bool)) for name, run in runs.items()
        }
        ours = {
            name: {key: spread(values) for key, values in each.items()}
            | ten_points(runs[name].scores())
            for name, each in columns.items()
        }
        old, new = columns["original"]["score"], columns["later moves more"]["score"]
        _, why = compare(new, old, ("later moves more", "original"), "points")
        sd_old, sd_new = old.std(ddof=1), new.std(ddof=1)
        error = np.hypot(sd_old, sd_new) / np.sqrt(2 * max(2, len(old)))
        verdict = Verdict(
            None if abs(sd_old - sd_new) < 2 * error else bool(sd_new < sd_old),
            f"the scores of the sessions spread by {sd_new:.1f} instead of {sd_old:.1f} "
            f"(± {error:.1f}); {why}",
        )
        lines = [
            f"{name:17}{ours[name]['score']['mean']:.1f} ± {ours[name]['score']['sd']:.1f} points"
            for name in runs
        ]

        def draw(figure):
            left, right = figure.subplots(1, 2, sharey=True)
            for axes, (name, run) in zip((left, right), runs.items(), strict=True):
                plots.learning_curves(axes, run.scores(), name)
            figure.tight_layout()

        seconds = time.perf_counter() - began
        return Outcome(self, sessions, games, seed, ours, lines, verdict, seconds, draw)


EXPERIMENTS = {
    "listings": Listings(),
    "tables1-2": QTable(),
    **FIGURES,
    "later-moves-more": LaterMovesMore(),
}
