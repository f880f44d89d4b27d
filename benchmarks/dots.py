"""The learner of Arvidsson & Wallgren 2010 beside plain scalar C; memory and time of 3 × 3 boxes.

    python benchmarks/dots.py [--quick] [--json FILE]

`dots.c` is the same algorithm, written by hand for this one board. It is compiled here if there
is a C compiler (cc, gcc or clang); without one there is nothing to compare with. Both run in this
process and take turns. The seconds are those of the processor: others on it don't count.
"""

import ctypes
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import measure
import numpy as np
from measure import Goal

from course_lib.agents import Random
from course_lib.experiments.dots import GAME, learner
from course_lib.games import DotsAndBoxes
from course_lib.training import Training

SOURCE = Path(__file__).with_name("dots.c")
PAIRS = [(0.2, 0.2), (0.2, 0.8), (0.8, 0.2), (0.8, 0.8)]
SPEED_GOAL = 0.5  # of plain C
MEMORY_GOAL = 4.0  # GB, of the table for 3 × 3 boxes
BIG = DotsAndBoxes(3, 3, tie_loses=True)


def compiled_c(folder):
    """The functions of dots.c, or None where nothing compiles them."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        print("there is no C compiler (cc, gcc, clang), so nothing to compare with")
        return None
    library = Path(folder) / "dots.so"
    subprocess.run(
        [compiler, "-O3", "-shared", "-fPIC", "-o", str(library), str(SOURCE)], check=True
    )
    code = ctypes.CDLL(str(library))
    code.train.restype = ctypes.c_long
    code.train.argtypes = [ctypes.c_long, ctypes.c_double, ctypes.c_double, ctypes.c_uint64]
    return code


def ours(alpha, gamma, games, seed):
    """Wins of a new learner."""
    run = Training(GAME, learner(GAME, alpha, gamma), Random(), games, 1, seed, "random").go()
    return int(run.wins()[0])


def seconds_of(call, *args):
    began = time.process_time()
    result = call(*args)
    return time.process_time() - began, result


def beside_c(code, rounds, games):
    """Games a second and core of both, and the median of the ratios, by pair (α, γ)."""

    def in_c(alpha, gamma, games, seed):
        return code.train(games, alpha, gamma, seed)

    found = {}
    for pair in PAIRS:
        ours(*pair, 1000, 0)
        speeds = {"compiled": [], "C": []}
        wins = {"compiled": [], "C": []}
        for seed in range(rounds):
            for name, call in (("compiled", ours), ("C", in_c)):
                seconds, won = seconds_of(call, *pair, games, seed)
                speeds[name].append(games / seconds)
                wins[name].append(won / games)
        ratios = [a / b for a, b in zip(speeds["compiled"], speeds["C"], strict=True)]
        found[str(pair)] = {
            "games_per_second": {name: statistics.median(each) for name, each in speeds.items()},
            "ratio": statistics.median(ratios),
            "win_ratio": {name: statistics.mean(each) for name, each in wins.items()},
        }
    return found


def three_by_three(games):
    """What the table of 3 × 3 boxes takes: at most, and after some games."""
    agent = learner(BIG, 0.8, 0.2)
    Training(BIG, agent.fresh(), Random(), 10, 1, 0, "random").go()
    seconds, run = seconds_of(Training(BIG, agent, Random(), games, 1, 0, "random").go)
    trained = run.trained()
    page = 4096 // trained.values[0].nbytes + 1  # rows: what is written takes whole pages
    met = np.flatnonzero(trained.visits)
    return {
        "games": games,
        "games_per_second": games / seconds,
        "positions": len(met),
        "gigabytes_at_most": (trained.values.nbytes + trained.visits.nbytes) / 1e9,
        "gigabytes_written": 4096 * len(np.unique(met // page)) / 1e9,
        "win_ratio": int(run.wins()[0]) / games,
    }


def run(quick):
    rounds, games = (3, 200_000) if quick else (7, 1_000_000)
    measured = {"beside C": None}
    goals = []
    with tempfile.TemporaryDirectory() as folder:
        code = compiled_c(folder)
        if code is not None:
            measured["beside C"] = beside = beside_c(code, rounds, games)
            print(f"Q against Random on 2 × 2 boxes, {games:,} games: games a second and core")
            for pair, each in beside.items():
                speeds = each["games_per_second"]
                print(
                    f"  (α, γ) = {pair}: compiled {speeds['compiled']:,.0f}, C {speeds['C']:,.0f}: "
                    f"{each['ratio']:.2f} of its speed; wins {each['win_ratio']['compiled']:.4f} "
                    f"and {each['win_ratio']['C']:.4f}"
                )
    worst = min((each["ratio"] for each in (measured["beside C"] or {}).values()), default=None)
    met = None if worst is None else worst >= SPEED_GOAL
    text = f"training games, against plain C: ≥ {SPEED_GOAL} of its speed"
    goals.append(Goal(text, met, "not measured" if worst is None else f"{worst:.2f}"))
    measured["3 × 3"] = big = three_by_three(20_000 if quick else 300_000)
    print(
        f"3 × 3 boxes: {big['games']:,} games at {big['games_per_second']:,.0f} a second; "
        f"{big['positions']:,} of {1 << 24:,} line sets met; the table takes "
        f"{big['gigabytes_written']:.2f} GB of memory, at most {big['gigabytes_at_most']:.2f} GB"
    )
    fits = big["gigabytes_at_most"] <= MEMORY_GOAL
    goals.append(
        Goal(f"3 × 3 table: ≤ {MEMORY_GOAL:g} GB", fits, f"{big['gigabytes_at_most']:.2f} GB")
    )
    return measured, goals


if __name__ == "__main__":
    measure.main(__doc__, run)
