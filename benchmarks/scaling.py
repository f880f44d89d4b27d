"""How the time of a sweep grows with its games and falls with its workers.

    python benchmarks/scaling.py [--quick] [--json FILE]

The sweep is a small figure 8 of Arvidsson & Wallgren 2010: 8 of its cells. Each number is the best
of some rounds, on the clock on the wall: only on an idle computer is it worth anything.
"""

import os
import time

import measure
from measure import Goal

from course_lib.experiments.dots import long_run
from course_lib.sweeps import Cell, sweep

CELLS = [(alpha, gamma) for alpha in (0.2, 0.4, 0.6, 0.8) for gamma in (0.2, 0.8)]
LINEAR_GOAL = 1.3  # so far from proportional the time may be for four times as many games
WORKERS_GOAL = 0.7  # of the ideal: n workers, n times as fast


def cells(games):
    return [Cell(long_run, {"alpha": a, "gamma": g, "games": games, "seed": 1}) for a, g in CELLS]


def seconds_of(games, workers, rounds):
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        sweep(cells(games), workers=workers)
        best = min(best, time.perf_counter() - began)
    return best


def run(quick):
    cores = os.cpu_count()
    rounds, games = (1, 50_000) if quick else (3, 400_000)
    by_workers, by_games = {}, {}
    for workers in sorted({1, 2, cores}):
        sweep(cells(1000), workers=workers)  # starts the workers and compiles
        by_workers[workers] = seconds_of(games, workers, rounds)
    for factor in (1, 2, 4):
        by_games[factor * games] = seconds_of(factor * games, cores, rounds)

    print(f"{len(CELLS)} cells of {games:,} games by workers, on {cores} cores")
    for workers, seconds in by_workers.items():
        print(
            f"  {workers:3} workers {seconds:7.2f} s: {by_workers[1] / seconds:.2f} times as fast"
        )
    print(f"{len(CELLS)} cells by games, {cores} workers")
    for each, seconds in by_games.items():
        print(f"  {each:10,} games a cell {seconds:7.2f} s: {1e9 * seconds / each / 8:.0f} ns each")

    growth = by_games[4 * games] / by_games[games] / 4
    speed_up = by_workers[1] / by_workers[cores] / cores
    goals = [
        Goal(
            f"4 times the games: ≤ {LINEAR_GOAL} × 4 times the time",
            growth <= LINEAR_GOAL,
            f"{growth:.2f} × 4",
        ),
        Goal(
            f"{cores} workers: ≥ {WORKERS_GOAL} × {cores} times as fast",
            speed_up >= WORKERS_GOAL,
            f"{speed_up:.2f} × {cores}",
        ),
    ]
    return {"by_workers": by_workers, "by_games": by_games, "cores": cores}, goals


if __name__ == "__main__":
    measure.main(__doc__, run)
