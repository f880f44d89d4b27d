"""How the time of a sweep grows with its games and falls with its workers.

    python benchmarks/scaling.py [--quick] [--json FILE]

The sweep is a small figure 8 of Arvidsson & Wallgren 2010: 8 of its cells. Each number is the best
of some rounds. The clock on the wall means something on an idle computer only; the seconds of the
processor, which the cells take themselves, mean something on any: they say whether workers get in
each other's way.
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
PROCESSOR_GOAL = 1.3  # times the processor's seconds of one worker
IDLE = 0.5  # load a core, up to which the clock on the wall says something


def timed(alpha, gamma, games):
    """The processor's seconds of a cell, without the start of its worker."""
    began = time.process_time()
    long_run(alpha, gamma, games, seed=1)
    return time.process_time() - began


def seconds_of(games, workers, rounds):
    """(on the wall, of the processor) for the whole sweep."""
    table = [Cell(timed, {"alpha": a, "gamma": g, "games": games}) for a, g in CELLS]
    best = (float("inf"), float("inf"))
    for _ in range(rounds):
        began = time.perf_counter()
        processor = sum(sweep(table, workers=workers))
        wall = time.perf_counter() - began
        best = (min(best[0], wall), min(best[1], processor))
    return best


def run(quick):
    cores = os.cpu_count()
    idle = not hasattr(os, "getloadavg") or os.getloadavg()[0] <= IDLE * cores
    rounds, games = (2, 50_000) if quick else (3, 400_000)
    by_workers, by_games = {}, {}
    for workers in sorted({1, 2, cores}):
        seconds_of(20_000, workers, 2)  # starts the workers and compiles
        by_workers[workers] = seconds_of(games, workers, rounds)
    for factor in (1, 2, 4):
        by_games[factor * games] = seconds_of(factor * games, cores, rounds)

    print(f"{len(CELLS)} cells of {games:,} games by workers, on {cores} cores")
    for workers, (wall, processor) in by_workers.items():
        faster = by_workers[1][0] / wall
        print(
            f"  {workers:3} workers: {wall:7.2f} s, {faster:.2f} times as fast as one; "
            f"{processor:7.2f} s of the processor"
        )
    print(f"{len(CELLS)} cells by games, {cores} workers")
    for each, (wall, processor) in by_games.items():
        a_game = 1e9 * processor / each / len(CELLS)
        print(
            f"  {each:10,} games a cell: {wall:7.2f} s; {processor:7.2f} s of the processor, "
            f"{a_game:.0f} ns a game"
        )

    growth = by_games[4 * games][1] / by_games[games][1] / 4
    speed_up = by_workers[1][0] / by_workers[cores][0] / cores
    dearer = by_workers[cores][1] / by_workers[1][1]
    goals = [
        Goal(
            f"4 times the games: ≤ {LINEAR_GOAL} × 4 times the processor's time",
            growth <= LINEAR_GOAL,
            f"{growth:.2f} × 4",
        ),
        Goal(
            f"{cores} workers: ≤ {PROCESSOR_GOAL} times the processor's time of one",
            dearer <= PROCESSOR_GOAL,
            f"{dearer:.2f}",
        ),
        Goal(
            f"{cores} workers: ≥ {WORKERS_GOAL} × {cores} times as fast, on an idle computer",
            speed_up >= WORKERS_GOAL if idle else None,
            f"{speed_up:.2f} × {cores}" + ("" if idle else ", but others were at work"),
        ),
    ]
    return {"by_workers": by_workers, "by_games": by_games, "cores": cores, "idle": idle}, goals


if __name__ == "__main__":
    measure.main(__doc__, run)
