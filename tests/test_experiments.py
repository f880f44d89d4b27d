"""The papers' experiments: published numbers, exact identities, the naive learners, the command."""

import functools
import json
import os
import random
import signal
from collections import Counter

import numpy as np
import pytest

from course_lib import reproduce
from course_lib.experiments import PAPERS
from course_lib.experiments.experiment import Curves, percentile, spread, standing, ten_points
from course_lib.experiments.jose2022 import michie_mean
from course_lib.training import Training
from tests.naive import learners

OWN_TESTS = ("arvidsson2010",)  # papers whose sweeps have a file of tests of their own
ALL = [
    (paper, name)
    for paper, experiments in PAPERS.items()
    for name, experiment in experiments.items()
    if paper not in OWN_TESTS and not getattr(experiment, "sweeps", False)
]
CURVES = [(paper, name) for paper, name in ALL if isinstance(PAPERS[paper][name], Curves)]
SESSIONS, SEED, NAIVE_SESSIONS = 1000, 12, 100

# As the captions and the text of the papers give them: wins, ties, losses.
PUBLISHED = {
    ("pulles2019", "fig3"): (197, 42, 61),
    ("pulles2019", "fig4"): (175, 25, 100),
    ("pulles2019", "fig5"): (0, 4, 17),
    ("pulles2019", "fig6"): (0, 264, 36),
    ("pulles2019", "fig7"): (267, 14, 19),
    ("pulles2019", "fig8"): (217, 29, 54),
    ("pulles2019", "fig9"): (209, 55, 36),
    ("jose2022", "random"): (271, 59, 70),
    ("jose2022", "perfect"): (0, 212, 42),
}
UNUSUAL = ("pulles2019", "fig4")
GAMES = {"fig11": 800, "fig12": 800, "fig14": 600, "random": 400, "perfect": 254}
# Games, wins of MENACE, wins of the human, the "training probability" as printed.
JOSE_TABLE = [
    (50, 25, 17, 0.32),
    (100, 61, 23, 0.55),
    (150, 97, 30, 0.70),
    (200, 137, 37, 0.70),
    (250, 174, 47, 0.71),
    (351, 247, 67, 0.72),
    (501, 362, 89, 0.75),
    (800, 598, 124, 0.76),
    (1000, 752, 147, 0.79),
    (1503, 1151, 194, 0.87),
]


@functools.cache
def trained(paper, name):
    """1000 sessions of an experiment. Figures 5 and 6 are the same ones, the dead and the rest."""
    if name == "fig6":
        return trained(paper, "fig5")
    return PAPERS[paper][name].training(SESSIONS, seed=SEED).go()


@functools.cache
def small(paper, name, seed=3):
    return PAPERS[paper][name].run(sessions=30, games=30, seed=seed).json()


def counted(paper, name):
    """Wins, ties and losses of the sessions that the figure shows."""
    run = trained(paper, name)
    shown = {"fig5": run.died, "fig6": ~run.died, "perfect": ~run.died}.get(name, slice(None))
    return run.wins()[shown], run.ties()[shown], run.losses()[shown]


# ---- published numbers -----------------------------------------------------------------------


def test_every_figure_and_run_is_there():
    assert {f"fig{n}" for n in range(3, 15)} | {"listings", "tables1-2"} < set(PAPERS["pulles2019"])
    assert {"random", "perfect", "table", "test-run", "michie"} <= set(PAPERS["jose2022"])
    for paper, name in CURVES:
        assert PAPERS[paper][name].games == GAMES.get(name, 300)
        if (paper, name) in PUBLISHED:
            wins, ties, losses = PUBLISHED[paper, name]
            expected = {"wins": wins, "ties": ties, "losses": losses}
            assert PAPERS[paper][name].published == expected


@pytest.mark.parametrize(("paper", "name"), sorted(set(PUBLISHED) - {UNUSUAL}))
def test_the_published_numbers_lie_within_ours(paper, name):
    for ours, theirs in zip(counted(paper, name), PUBLISHED[paper, name], strict=True):
        low, high = np.percentile(ours, [1, 99])
        assert low <= theirs <= high
    run = trained(paper, name)
    assert "unusual" not in "".join(PAPERS[paper][name].outcome(run, 0).lines)


def test_figure_4_is_an_unusual_run():
    """25 ties and 100 losses: each alone is rare, and both together are very rare."""
    _, ties, losses = counted(*UNUSUAL)
    assert 0 < np.mean(ties <= 25) < 0.03 and 0 < np.mean(losses >= 100) < 0.03
    assert np.mean((ties <= 25) & (losses >= 100)) < 0.005


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_the_summary_of_figure_4_says_that_it_is_unusual_whatever_the_seed(seed):
    experiment = PAPERS["pulles2019"]["fig4"]._replace(judge=lambda *_: None)
    lines = experiment.outcome(experiment.training(SESSIONS, seed=seed).go(), 0).lines
    assert any("unusual" in line for line in lines)


def test_where_a_number_stands_is_the_share_below_it_with_equals_half():
    values = np.arange(1, 201)
    assert percentile(values, 100) == pytest.approx(100 * (99 + 0.5) / 200)
    for number, unusual in ((1, True), (3, False), (199, True), (198, False), (500, True)):
        (line,) = standing({"wins": number}, {"wins": values})
        assert f"paper {number} " in line and ("unusual" in line) == unusual


@pytest.mark.parametrize(
    ("paper", "name", "beads", "per_tie"),
    [("pulles2019", "fig5", 9, 2), ("jose2022", "perfect", 24, 1)],
)
def test_at_death_losses_are_first_beads_and_all_that_were_added(paper, name, beads, per_tie):
    run = trained(paper, name)
    died = run.died
    assert died.sum() >= 50 and (run.wins() == 0).all() and run.ties()[died].max() > 0
    assert (run.losses()[died] == beads + per_tie * run.ties()[died]).all()
    assert (run.played[died] == run.losses()[died] + run.ties()[died]).all()


def test_node_counts_of_the_listings():
    outcome = PAPERS["pulles2019"]["listings"].run()
    for name in ("minimax", "negamax"):
        assert outcome.ours[name] == {"nodes": 549_946, "value": 0}
        assert outcome.ours[f"{name}_pruned"] == {"nodes": 30_709 + 1, "value": 0}
    assert outcome.verdict.holds is True


def test_the_values_of_table_2_can_not_come_from_these_rewards():
    outcome = PAPERS["pulles2019"]["tables1-2"].run(games=2000)
    assert -1 <= outcome.ours["smallest"] < 0 < outcome.ours["largest"] <= 2
    assert outcome.ours["rows_met"] <= 338 and outcome.verdict.holds is False


def test_the_column_p_is_misprinted_in_8_of_10_rows():
    outcome = PAPERS["jose2022"]["table"].run(sessions=40, seed=1)
    wrong = 0
    for games, wins, losses, printed in JOSE_TABLE:
        theirs, ours = outcome.experiment.published[str(games)], outcome.ours[str(games)]
        assert theirs == {"wins": wins, "losses": losses, "p_printed": printed}
        assert ours["p_right"] == pytest.approx((wins - losses) / wins)
        wrong += f"{(wins - losses) / wins:.2f}" != f"{printed:.2f}"
    assert wrong == 8 and "wrongly in 8 of 10 rows" in outcome.verdict.why
    assert outcome.verdict.holds is None


def test_the_papers_own_test_can_not_fail():
    outcome = PAPERS["jose2022"]["test-run"].run(sessions=5)
    sizes = ["1000", "2500", "5000", "8000", "10000"]
    assert [name for name in outcome.ours if name.isdecimal()] == sizes
    assert all(outcome.ours[size]["passes"] == 1 for size in sizes)
    assert "can't fail" in outcome.verdict.why


def test_a_high_discount_factor_does_not_do_better_as_the_paper_says():
    low, high = (trained("pulles2019", name) for name in ("fig11", "fig12"))
    difference = (high.wins() - high.losses()).mean() - (low.wins() - low.losses()).mean()
    assert difference < 0
    assert PAPERS["pulles2019"]["fig12"].judge(high, np.ones(SESSIONS, bool)).holds is False


@pytest.mark.parametrize("decay", [0.5, 0.95, 0.999])
def test_michies_mean_is_the_formula(decay):
    outcomes = np.random.default_rng(1).integers(-1, 2, 60)
    means = michie_mean(outcomes, decay)
    for j in range(60):
        weights = [decay ** (j - i + 1) for i in range(j + 1)]
        factor = (1 - decay) / (decay - decay ** (j + 2))
        assert factor * sum(weights) == pytest.approx(1)
        assert means[j] == pytest.approx(factor * np.dot(weights, outcomes[: j + 1]))


@pytest.mark.parametrize("decay", [0, 1, -0.5, 2, float("nan")])
def test_a_decay_that_is_none_is_refused(decay):
    with pytest.raises(ValueError, match=r"decay=.*: expected a number between 0 and 1"):
        michie_mean([1, 0], decay)


# ---- the naive learners ----------------------------------------------------------------------

NAIVE = {
    "fig3": lambda rng: learners.menace_session(1, 2, 1, "random", rng),
    "fig5": lambda rng: learners.menace_session(1, 2, 2, "perfect", rng),
    "fig7": learners.menace_vs_menace,
    "fig8": lambda rng: learners.q_session(learners.Q8, "random", rng),
    "fig9": lambda rng: learners.q_session(learners.Q9, "random", rng),
    "fig10": lambda rng: learners.q_session(learners.Q10, "perfect", rng),
    "fig11": lambda rng: learners.q_session(learners.Q11, "random", rng, 800, alternate=True),
    "fig13": learners.q_vs_q,
    "fig14": learners.q_vs_menace,
    "random": lambda rng: learners.menace002_session("random", rng, 400),
    "perfect": lambda rng: learners.menace002_session("perfect", rng, 254),
}


@pytest.mark.parametrize("name", NAIVE)
def test_in_the_mean_our_sessions_are_those_of_the_naive_learners(name):
    run = trained("pulles2019" if name.startswith("fig") else "jose2022", name)
    naive = [NAIVE[name](random.Random(seed)) for seed in range(NAIVE_SESSIONS)]
    counts = [Counter(one.outcomes) for one in naive]
    columns = {
        "wins": (run.wins(), [count[1] for count in counts]),
        "ties": (run.ties(), [count[0] for count in counts]),
        "losses": (run.losses(), [count[-1] for count in counts]),
        "deaths": (run.died, [one.died for one in naive]),
    }
    varied = 0
    for column, (ours, theirs) in columns.items():
        ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
        error = np.hypot(
            ours.std(ddof=1) / np.sqrt(len(ours)), theirs.std(ddof=1) / np.sqrt(len(theirs))
        )
        assert abs(ours.mean() - theirs.mean()) <= 4 * error, column
        varied += error > 0
    assert varied >= 2


# ---- what is written down --------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "name"), ALL)
def test_the_json_has_all_its_keys_and_no_strange_values(paper, name):
    found = small(paper, name)
    keys = {"paper", "figure", "sessions", "games", "seed", "published", "ours", "seconds"}
    assert keys <= set(found) and (found["paper"], found["figure"]) == (paper, name)
    if name != "listings":
        assert (found["games"], found["seed"]) == (30, 3)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize(("paper", "name"), CURVES)
def test_the_numbers_in_the_json_are_those_of_the_sessions(paper, name):
    experiment, run = PAPERS[paper][name], trained(paper, name)
    found = experiment._replace(judge=lambda *_: None).outcome(run, 0).ours
    for key, values in zip(("wins", "ties", "losses"), counted(paper, name), strict=True):
        low, middle, high = np.quantile(values, [0.05, 0.5, 0.95])
        expected = {"mean": values.mean(), "sd": values.std(ddof=1)}
        assert found[key] == pytest.approx(expected | {"p05": low, "p50": middle, "p95": high})
    wins, _, losses = counted(paper, name)
    assert len(found["mean_curve"]) == len(found["mean_curve_games"]) == 10
    assert found["mean_curve_games"][-1] == run.games
    assert found["mean_curve"][-1] == pytest.approx((wins - losses).mean())
    assert found["sessions_counted"] == len(wins)


def test_ten_points_are_the_mean_at_equally_spaced_games():
    curves = np.array([np.arange(1, 51), np.arange(1, 51) * 3])
    found = ten_points(curves)
    assert found["mean_curve_games"] == [5 * k for k in range(1, 11)]
    assert found["mean_curve"] == [10 * k for k in range(1, 11)]
    assert spread(np.array([7]))["sd"] == 0 and spread(np.array([]))["mean"] is None


@pytest.mark.parametrize(("paper", "name"), [("pulles2019", "fig13"), ("jose2022", "table")])
def test_the_same_seed_gives_the_same_numbers(paper, name):
    again = PAPERS[paper][name].run(sessions=30, games=30, seed=3).json()
    other = PAPERS[paper][name].run(sessions=30, games=30, seed=4).json()
    for each in (again, other):
        each["seconds"] = small(paper, name)["seconds"]
    assert again == small(paper, name) and other["ours"] != again["ours"]


# ---- the command -----------------------------------------------------------------------------


def command(*arguments):
    """What the command returns, also where argparse leaves by itself."""
    try:
        return reproduce.main([str(each) for each in arguments])
    except SystemExit as leaving:
        return leaving.code


def test_without_arguments_everything_is_listed(capsys):
    assert command() == 0
    words = capsys.readouterr().out.split()
    for paper, experiments in PAPERS.items():
        assert {paper, *experiments} <= set(words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody1999"], ["nobody1999", "pulles2019", "jose2022"]),
        (["pulles2019", "fig99"], ["fig99", "fig3", "listings"]),
        (["pulles2019", "fig3", "--sessions", "1"], ["sessions", "2 or more"]),
        (["pulles2019", "fig3", "--sessions", "2.5"], ["sessions", "whole number"]),
        (["pulles2019", "fig3", "--games", "0"], ["games", "1 or more"]),
        (["pulles2019", "fig3", "--games", "many"], ["games", "whole number"]),
        (["pulles2019", "fig3", "--seed", "x"], ["seed", "whole number"]),
        (["pulles2019", "--json", "a.json"], ["need one figure", "fig3"]),
    ],
)
def test_what_does_not_exist_is_refused_in_words(arguments, words, capsys):
    assert command(*arguments) == 2
    said = capsys.readouterr().err
    assert all(word in said for word in words) and "Traceback" not in said


@pytest.mark.parametrize(("paper", "name"), ALL)
def test_every_experiment_runs_from_the_command_line_however_small(paper, name, tmp_path, capsys):
    files = ["--json", tmp_path / "a.json", "--png", tmp_path / "a.png"]
    assert command(paper, name, "--sessions", 2, "--games", 1, "--seed", 5, *files) == 0
    said = capsys.readouterr().out
    assert f"{paper} {name}: " in said and "claim: " in said and "nan" not in said
    found = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert (found["paper"], found["figure"], found["seed"]) == (paper, name, 5)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert (tmp_path / "a.png").read_bytes().endswith(b"IEND\xaeB`\x82")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "a.png"]


def test_a_file_that_is_there_is_replaced(tmp_path, capsys):
    file = tmp_path / "a.json"
    file.write_text("old" * 10_000)
    assert command("pulles2019", "fig3", "--sessions", 2, "--games", 5, "--json", file) == 0
    assert json.loads(file.read_text("utf-8"))["games"] == 5


def interrupt(*_, **__):
    raise KeyboardInterrupt


def press_ctrl_c(self, n, advance=Training.advance):
    signal.raise_signal(signal.SIGINT)
    return advance(self, n)


@pytest.mark.parametrize(
    ("where", "name", "what"),
    [
        (Training, "advance", interrupt),
        (Training, "advance", press_ctrl_c),
        (reproduce, "picture", interrupt),
        (os, "replace", interrupt),
    ],
)
def test_ctrl_c_leaves_no_file_not_even_a_temporary_one(
    where, name, what, tmp_path, capsys, monkeypatch
):
    handler = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(where, name, what)
    files = ["--json", tmp_path / "a.json", "--png", tmp_path / "a.png"]
    assert command("pulles2019", "fig3", "--sessions", 2, "--games", 40, *files) == 130
    assert "nothing was written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [] and signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize("option", ["--json", "--png"])
@pytest.mark.parametrize("place", ["missing/a.out", "."])
def test_a_file_that_can_not_be_written_is_refused_before_the_run(
    option, place, tmp_path, capsys, monkeypatch
):
    began = []
    monkeypatch.setattr(Training, "advance", lambda self, n: began.append(n) or 0)
    assert command("pulles2019", "fig3", option, tmp_path / place) == 2
    assert str(tmp_path) in capsys.readouterr().err and not began


def test_a_summary_is_the_same_at_each_run_and_leaves_out_the_time():
    first, second = (PAPERS["pulles2019"]["fig3"].run(20, seed=5) for _ in range(2))
    assert first.summary() == second.summary()
    assert f"{first.seconds:.1f} s" in repr(first) and " s\n" not in first.summary()
    assert first.picture()._repr_png_() == second.picture()._repr_png_()
