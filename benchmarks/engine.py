"""How fast the engine is, side by side with plain Python, open_spiel and easyAI.

    python benchmarks/engine.py [--quick] [--json FILE]

Only the ratios mean something, and only those from one run: the engines take turns.
"""

import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import measure
from measure import PYTHON, SPEEDS, Goal, at_least, seconds_of

import course_lib
from course_lib.agents import Minimax, Random, Unknown, search
from course_lib.agents.alpha_beta import minimax_alpha_beta
from course_lib.agents.search import new_notes
from course_lib.arena import match
from course_lib.exact import ceiling, solve
from course_lib.experiments import pulles2019
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.twospeed import fast

GAMES = {
    "tic-tac-toe": TicTacToe(),
    "Connect4 6×7": Connect4(),
    "dots and boxes 2×2": DotsAndBoxes(),
}
FIRST_CALLS = {  # what a lesson calls, and the least that makes it run
    "random tic-tac-toe": lambda: match(TicTacToe(), Random(), Random(), games=1),
    "random Connect4": lambda: match(Connect4(), Random(), Random(), games=1),
    "random dots and boxes": lambda: match(DotsAndBoxes(), Random(), Random(), games=1),
    "minimax": lambda: search(Minimax(), TicTacToe(), TicTacToe().start()),
    "solve tic-tac-toe": lambda: solve(TicTacToe()),
    "solve dots and boxes": lambda: solve(DotsAndBoxes()),
    "ceiling": lambda: ceiling(TicTacToe(), Random()),
    "MENACE, figure 3": lambda: pulles2019.FIGURES["fig3"].training(1, games=1).go(),
    "Q-learning, figure 8": lambda: pulles2019.FIGURES["fig8"].training(1, games=1).go(),
}
GAMES_GOAL = 20  # times open_spiel, in the loop of its own example
MINIMAX_GOAL = 50  # times plain Python
CACHE_GOAL = 0.10  # of the seconds with an empty cache
COUNTED, LEFT_OUT = "start counted", "start left out"  # numba's own start


# What is measured: {engine: function that does it n times}


def random_games(name):
    def playing(speed):
        return lambda n: match(
            GAMES[name], Random(), Random(), games=n, keep_moves=False, speed=speed
        )

    return {engine: playing(speed) for engine, speed in SPEEDS.items()}


def searches(kind):
    once = {"minimax": minimax, "alpha-beta": alpha_beta}[kind]

    def searching(speed):
        return measure.times(lambda: once(speed))

    return {engine: searching(speed) for engine, speed in SPEEDS.items()}


def minimax(speed):
    """The value of every first move, without pruning."""
    search(Minimax(), TicTacToe(), TicTacToe().start(), speed=speed)


def alpha_beta(speed):
    """The value of the empty board, as open_spiel's `alpha_beta_search` finds it."""
    game = TicTacToe()
    window = (-math.inf, math.inf)
    fast(minimax_alpha_beta, speed)(game, game.start(), *window, 9, Unknown(), new_notes(0))


# First calls, each in a fresh process


def first_call(name):
    """In the fresh process: print the seconds of numba's own start, and of the call after it.

    numba loads most of itself not when it is imported but when it compiles or loads its first
    function, whichever that is. Here it is made to do so before.
    """
    from numba.core.registry import cpu_target

    print(seconds_of(cpu_target.target_context.refresh), seconds_of(FIRST_CALLS[name]))


def first_calls(name, rounds):
    """Medians of the seconds of numba's own start, of the call with an empty cache, a full one."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(Path(course_lib.__file__).parent, Path(folder, "course_lib"))
        environment = {**os.environ, "PYTHONPATH": folder}  # the copy has a cache of its own

        def fresh_process():
            command = [sys.executable, __file__, "--first-call", name]
            run = subprocess.run(command, env=environment, capture_output=True, text=True)
            if run.returncode:
                sys.exit(f"{name} failed in a fresh process:\n{run.stderr}")
            return [float(word) for word in run.stdout.split()]

        for _ in range(rounds):
            shutil.rmtree(Path(folder, ".course_cache"), ignore_errors=True)
            (start_1, empty), (start_2, full) = fresh_process(), fresh_process()
            found.append(((start_1 + start_2) / 2, empty, full))
    return [statistics.median(column) for column in zip(*found)]


# All of it


def run(quick):
    import peers  # not at the top: a process that measures a first call goes without

    rounds, seconds = (2, 0.1) if quick else (7, 0.3)
    games, search_times, cache = {}, {}, {}

    columns = [*SPEEDS, peers.OPEN_SPIEL, peers.TIGHT, peers.EASYAI]
    measure.heading("Random games a second (compiled is so many times as fast)", columns)
    for name in GAMES:
        engines = random_games(name) | peers.random_games(name)
        games[name] = measure.compare(engines, rounds, seconds)
        measure.line_of(name, games[name], columns, "{:,.0f}".format)

    columns = [*SPEEDS, peers.OPEN_SPIEL, peers.EASYAI]
    measure.heading("Searches of tic-tac-toe: milliseconds for one", columns)
    for kind in ("minimax", "alpha-beta"):
        engines = searches(kind) | peers.searches(kind)
        search_times[kind] = measure.compare(engines, (rounds + 1) // 2, seconds)
        measure.line_of(kind, search_times[kind], columns, lambda rate: f"{1000 / rate:,.2f}")

    columns = ["numba's own start", "call, empty cache", "call, full cache", COUNTED, LEFT_OUT]
    measure.heading("First call in a fresh process: seconds; full against empty cache", columns)
    for name in ("random tic-tac-toe", "minimax") if quick else FIRST_CALLS:
        start, empty, full = first_calls(name, 1 if quick else 3)
        shares = {COUNTED: (start + full) / (start + empty), LEFT_OUT: full / empty}
        cache[name] = {"start": start, "empty": empty, "full": full, **shares}
        seconds_shown = [f"{each:.3f}" for each in (start, empty, full)]
        measure.line(name, seconds_shown + [f"{share:.1%}" for share in shares.values()])

    found = {"random games": games, "searches": search_times, "first calls": cache}
    return found, goals(found, peers.OPEN_SPIEL)


def goals(found, open_spiel):
    for name, compared in found["random games"].items():
        ratio = compared.get(open_spiel, {}).get("ratio")
        yield at_least(f"random games against open_spiel, {name}", GAMES_GOAL, ratio)
    ratio = found["searches"]["minimax"][PYTHON]["ratio"]
    yield at_least("full minimax against plain Python", MINIMAX_GOAL, ratio)
    for how in (LEFT_OUT, COUNTED):
        shares = {name: each[how] for name, each in found["first calls"].items()}
        worst = max(shares, key=shares.get)
        yield Goal(
            f"full cache ≤ {CACHE_GOAL:.0%} of empty, numba's own {how}",
            shares[worst] <= CACHE_GOAL,
            f"median {statistics.median(shares.values()):.1%}, "
            f"at worst {shares[worst]:.1%} ({worst})",
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--first-call"]:
        first_call(sys.argv[2])
    else:
        measure.main(__doc__, run)
