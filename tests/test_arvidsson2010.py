"""Arvidsson & Wallgren 2010, run again: the table, the chain of runs, the verdicts, resuming."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from course_lib import reproduce
from course_lib.experiments import PAPERS, arvidsson2010
from course_lib.experiments.arvidsson2010 import (
    AS_LABELLED,
    DISCOUNT,
    EXCHANGED,
    EXPERIMENTS,
    FIGURE_5,
    FIGURES,
    LEARNING,
    RATES,
    Run,
    errors,
    pair_of,
    ratios,
    rms,
    run_chain,
)

ROOT = Path(__file__).parent.parent
# As the thesis prints it: a row for each discount factor, a column for each learning rate.
PRINTED = """
    0.888696 0.852646 0.850625 0.854005
    0.941035 0.938424 0.930991 0.918433
    0.965532 0.965026 0.962405 0.958045
    0.989537 0.987815 0.986991 0.979817
"""


@pytest.fixture(autouse=True)
def results_here(tmp_path, monkeypatch):
    """Finished cells of other runs must not answer for these."""
    monkeypatch.setenv("COURSE_RESULTS", str(tmp_path / "results"))
    return tmp_path / "results"


def printed():
    rows = [list(map(float, row.split())) for row in PRINTED.split("\n") if row.strip()]
    return {(rate, d): rows[j][i] for j, d in enumerate(RATES) for i, rate in enumerate(RATES)}


def small(name, games=400, seed=1, **options):
    return EXPERIMENTS[name].run(games=games, seed=seed, **options)


# ---- figure 8 --------------------------------------------------------------------------------


def test_every_figure_and_every_section_that_is_discussed_is_there():
    figures = {f"fig{n}" for n in (5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)}
    sections = {"greed", "boxes", "starter", "exploration", "discounts", "opponents", "enough"}
    assert figures | sections | {"size3x3"} == set(EXPERIMENTS) == set(PAPERS["arvidsson2010"])


def test_a_table_that_is_the_printed_one_has_no_error_in_its_own_reading():
    as_labelled = {(rate, d): value for (rate, d), value in printed().items()}
    exchanged = {(d, rate): value for (rate, d), value in printed().items()}  # α is the discount
    assert rms(as_labelled, AS_LABELLED) == rms(exchanged, EXCHANGED) == 0
    between = np.mean([(printed()[a, g] - printed()[g, a]) ** 2 for a in RATES for g in RATES])
    assert np.sqrt(between) > 0.05
    assert rms(as_labelled, EXCHANGED) == pytest.approx(np.sqrt(between))


def test_an_error_is_ours_less_theirs():
    found = {pair: value + 0.01 for pair, value in printed().items()}
    assert all(error == pytest.approx(0.01) for error in errors(found, AS_LABELLED).values())
    assert rms(found, AS_LABELLED) == pytest.approx(0.01)


def test_the_numbers_of_figure_8_are_those_of_its_cells():
    outcome = small("fig8")
    found = outcome.json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    cells = {(each["alpha"], each["gamma"]): each["win_ratio"] for each in found["ours"]["cells"]}
    assert sorted(cells) == sorted(itertools.product(RATES, repeat=2)) and len(cells) == 16
    for (alpha, gamma), ratio in cells.items():
        (one,) = run_chain([Run("Q1", alpha, gamma, 400, 400)], seed=1)
        assert ratio == one["wins"].sum() / 400
    both = {
        "rms_exchanged": [cells[d, rate] - value for (rate, d), value in printed().items()],
        "rms_as_labelled": [cells[rate, d] - value for (rate, d), value in printed().items()],
    }
    for name, away in both.items():
        assert found["ours"][name] == pytest.approx(np.sqrt(np.mean(np.square(away))))


def test_after_300000_games_the_exchanged_table_is_already_the_closer_one():
    """Four cells where the readings differ most, at a thirtieth of the games."""
    corners = [(0.2, 0.8), (0.8, 0.2)]
    runs = [Run("Q1", *pair, 300_000, 300_000) for pair in corners]
    ours = [ratios(each)[-1] for each in run_chain(runs, seed=2)]
    low, high = ours  # α = 0.2, γ = 0.8, and the other way round
    assert high - low > 0.05
    assert printed()[0.2, 0.8] - printed()[0.8, 0.2] > 0.1  # learning rate first


# ---- the chain -------------------------------------------------------------------------------


def test_the_runs_are_those_of_figure_5():
    table = """
        Q1 new Random
        Q2 new new
        Q3 new Simple
        Q4 Q1 new
        Q5 Q2 Random
        Q6 Q4 Q5
        Q7 Q3 Q1
        Q8 Q1 Q2
    """
    rows = [row.split() for row in table.strip().split("\n")]
    assert {name: (first, second) for name, first, second in rows} == FIGURE_5


def memory(name, alpha=0.8, gamma=0.2):
    (result,) = run_chain([Run(name, alpha, gamma, 300, 300)], seed=4)
    return result


def test_q4_goes_on_from_q1_and_q6_meets_q4_with_q5():
    assert not np.array_equal(memory("Q4")["memory"], memory("Q1")["memory"])
    cells = {}
    for name in ("Q1", "Q2", "Q4", "Q5"):
        cells[name] = memory(name)["memory"]
    run = Run("Q6", 0.8, 0.2, 300, 300)
    done = {each.known_as(): {"memory": cells[name]} for name, each in run.before().items()}
    given = run.cell(4, done).parameters
    assert np.array_equal(given["memory"], cells["Q4"])
    assert np.array_equal(given["opponent_memory"], cells["Q5"])
    assert given["opponent"] == "learner"
    q4 = Run("Q4", 0.8, 0.2, 300, 300)
    done = {each.known_as(): {"memory": cells[name]} for name, each in q4.before().items()}
    given = q4.cell(4, done).parameters
    assert np.array_equal(given["memory"], cells["Q1"]) and given["opponent_memory"] is None


def test_a_base_has_the_parameters_that_its_figure_names():
    run = FIGURES["fig11"].runs(AS_LABELLED, 2_500_000)[0.6][0]
    assert (run.name, run.alpha, run.gamma, run.games) == ("Q4", 0.6, 0.2, 2_500_000)
    base = run.before()["Q1"]
    assert (base.alpha, base.gamma, base.games) == (0.2, 0.4, 10_000_000)
    run = FIGURES["fig11"].runs(EXCHANGED, 2_500_000)[0.6][0]
    assert (run.alpha, run.gamma) == (0.2, 0.6)
    assert run.before()["Q1"][1:3] == (0.4, 0.2)


def test_a_base_without_named_parameters_takes_those_of_the_run_that_needs_it():
    run = FIGURES["fig14"].runs(AS_LABELLED, 200_000)[0.2][0]
    assert (run.alpha, run.gamma) == (0.4, 0.2)
    q4 = run.before()["Q4"]
    assert (q4.alpha, q4.gamma) == (0.6, 0.8)
    assert q4.before()["Q1"][1:3] == (0.6, 0.8)


def test_figures_share_the_runs_that_they_have_in_common(results_here):
    small("fig8", 1000)
    there = set(results_here.rglob("*.npz"))
    assert len(there) == 16
    small("enough", 1000)
    assert set(results_here.rglob("*.npz")) == there


@pytest.mark.parametrize("name", ["fig6", "fig9", "fig10", "fig11", "fig14"])
def test_a_figure_has_four_curves_in_both_readings(name):
    found = small(name, 300).json()
    json.dumps(found, allow_nan=False)
    fixed, value = FIGURES[name].fixed
    for reading in (AS_LABELLED, EXCHANGED):
        curves = found["ours"][reading]
        assert [float(each) for each in curves] == list(RATES)
        for varied, curve in curves.items():
            pair = (value, float(varied)) if fixed == LEARNING else (float(varied), value)
            assert (curve["alpha"], curve["gamma"]) == pair_of(reading, *pair)
            assert len(curve["mean_curve"]) == 10 and 0 <= curve["win_ratio"] <= 1
            assert curve["mean_curve"][-1] == curve["win_ratio"]
    assert fixed in (LEARNING, DISCOUNT) and "as labelled it" in found["verdict"]["why"]


def test_the_chain_runs_all_pairs_of_all_runs():
    found = small("fig5", 20).json()
    assert sorted(found["ours"]) == [f"Q{n}" for n in range(1, 9)]
    assert all(len(row) == 16 for row in found["ours"].values())


# ---- verdicts --------------------------------------------------------------------------------


def curves(*ends, start=0.5):
    """Curves that go straight from one ratio to the four others, a point for each 1000 games."""
    return {v: np.linspace(start, end, 400) for v, end in zip(RATES, ends, strict=True)}


def test_verdicts_follow_the_curves():
    up, down, flat = (0.6, 0.7, 0.8, 0.9), (0.9, 0.8, 0.7, 0.6), (0.5, 0.51, 0.49, 0.5)
    high, low = arvidsson2010.high_is_better, arvidsson2010.low_is_better
    assert high(curves(*up), 1000)[0] and not high(curves(*down), 1000)[0]
    assert low(curves(*down), 1000)[0] and not low(curves(*up), 1000)[0]
    assert not high(curves(*flat), 1000)[0] and not low(curves(*flat), 1000)[0]
    both = arvidsson2010.both_alike
    assert both(curves(*flat), 1000)[0] and not both(curves(*up), 1000)[0]
    simple = arvidsson2010.learns_simple
    assert simple(curves(1, 1, 1, 1, start=0.96), 1000)[0]
    assert not simple(curves(*up), 1000)[0]
    gains = arvidsson2010.newcomer_gains_by_a_high_rate
    assert gains(curves(0.4, 0.3, 0.2, 0.1), 1000)[0] and not gains(curves(*up), 1000)[0]
    for judge in (
        arvidsson2010.experience_of_random_helps_at_first,
        arvidsson2010.learnt_from_a_learner_is_better_at_first,
    ):
        assert judge(curves(0.6, 0.6, 0.6, 0.6, start=0.1), 1000)[0] is True
        assert not judge(curves(*up), 1000)[0]
    best = arvidsson2010.low_is_best_in_the_end
    assert not best(curves(*down), 1000)[0]  # 0.8 does not rise more steeply
    crossing = {v: np.linspace(0.3 + v / 2, 1 - v / 4, 400) for v in RATES}
    assert best(crossing, 1000)[0]


@pytest.mark.parametrize(("up", "down", "holds"), [(1, 1, True), (0, 0, False), (1, 0, None)])
def test_a_claim_that_holds_in_one_reading_only_stays_open(up, down, holds):
    answers = iter([(bool(up), "so"), (bool(down), "so")])
    figure = FIGURES["fig9"]._replace(judge=lambda curves, every: next(answers))
    assert figure.run(games=20).verdict.holds is holds


def test_lately_is_the_share_of_a_stretch():
    wins = np.array([0, 0, 5, 10])
    curve = np.cumsum(wins) / (10 * np.arange(1, 5))
    assert arvidsson2010.lately(curve, 0.5, 1) == pytest.approx(0.75)


# ---- the variants ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["boxes", "exploration", "opponents"])
def test_a_variant_says_how_strong_each_table_is(name):
    found = small(name, 500, sessions=1).json()
    json.dumps(found, allow_nan=False)
    rows = EXPERIMENTS[name].rows
    assert list(found["ours"]) == [label for label, _ in rows] and len(rows) >= 6
    for row in found["ours"].values():
        assert {"alpha", "gamma", "win_ratio", "strength", "optimal", "worst"} <= set(row)
        assert 0 <= row["worst"] <= 0.5 and 0 < row["optimal"] <= 1 and 0 < row["strength"] < 1
    assert isinstance(found["verdict"]["holds"], bool)


def test_the_3_by_3_matrix_is_bounded_and_runs():
    found = small("size3x3", 200).json()["ours"]
    assert found["bytes_at_most"] == 2**24 * (24 + 1) * 8 < 4e9
    assert 0 < found["bytes_written"] < 0.02 * found["bytes_at_most"]
    assert found["sets_met"] > 1000


# ---- interrupted, killed, resumed ------------------------------------------------------------


def at_the_command_line(folder, file, *options):
    command = [sys.executable, "-m", "course_lib.reproduce", "arvidsson2010", "fig8"]
    command += ["--games", "60000", "--seed", "3", "--workers", "2", "--json", str(file), *options]
    env = os.environ | {"PYTHONPATH": str(ROOT), "COURSE_RESULTS": str(folder)}
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=env,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ours_in(file):
    return json.loads(file.read_text("utf-8"))["ours"]


@pytest.mark.skipif(os.name == "nt", reason="signals are sent to another process")
def test_the_table_is_the_same_after_ctrl_c_and_after_kill_minus_9(tmp_path, monkeypatch):
    folder, file = tmp_path / "interrupted", tmp_path / "resumed.json"

    def finished():
        return len(list(folder.rglob("*.npz")))

    for blow in (signal.SIGINT, signal.SIGKILL):
        before = finished()
        run = at_the_command_line(folder, file)
        deadline = time.monotonic() + 120
        while finished() < before + 3 and run.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.killpg(run.pid, blow)
        _, said = run.communicate(timeout=60)
        assert run.returncode != 0 and not file.exists()
        assert blow == signal.SIGKILL or "Finished cells are kept" in said
    assert 6 <= finished() < 16
    run = at_the_command_line(folder, file)
    told, said = run.communicate(timeout=240)
    assert run.returncode == 0, said
    assert finished() == 16 and "RMS" in told
    monkeypatch.setenv("COURSE_RESULTS", str(tmp_path / "straight"))
    straight = EXPERIMENTS["fig8"].run(games=60_000, seed=3)
    assert ours_in(file) == json.loads(json.dumps(straight.ours))


def test_afresh_computes_again(results_here, tmp_path, capsys):
    file = tmp_path / "a.json"
    command = ["arvidsson2010", "fig8", "--games", "100", "--workers", "1", "--json", str(file)]
    assert reproduce.main(command) == 0
    first = ours_in(file)
    times = {path: path.stat().st_mtime_ns for path in results_here.rglob("*.npz")}
    assert reproduce.main(command) == 0 and ours_in(file) == first
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert reproduce.main([*command, "--afresh"]) == 0 and ours_in(file) == first
    assert all(path.stat().st_mtime_ns > then for path, then in times.items())
    assert "distance exchanged" in capsys.readouterr().out


def test_a_picture_is_drawn_of_each_kind_of_experiment(tmp_path):
    for name in ("fig8", "fig9", "fig5", "discounts"):
        outcome = small(name, 20, sessions=1)
        assert outcome.picture()._repr_png_().startswith(b"\x89PNG")
        assert EXPERIMENTS[name].title in repr(outcome) and "claim: " in repr(outcome)
