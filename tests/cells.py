"""Cells for the tests of sweeps: functions that other processes can import."""

import os
import time
from pathlib import Path

import numpy as np

from course_lib.agents import Random, q_learning
from course_lib.games import TicTacToe
from course_lib.training import Training


def square(x):
    return x * x


def learnt(alpha, seed):
    """A cell as they are: some training; its result holds an array."""
    agent = q_learning(TicTacToe(3), alpha=alpha)
    run = Training(agent.game, agent, Random(), games=500, seed=seed).go()
    return {"wins": int(run.wins()[0]), "results": run.results[0]}


def slow(number, folder, seconds=0.3):
    """Notes in the folder who began and who finished it, and takes its time."""
    mark(folder, "began", number)
    time.sleep(seconds)
    mark(folder, "done", number)
    return {"number": number, "noise": np.random.default_rng(number).random(3)}


def mark(folder, word, number):
    (Path(folder) / f"{word}-{number}-{os.getpid()}-{time.monotonic_ns()}").touch()


def half_a_session(folder):
    """More games than anybody waits for, in chunks, as the library's trainings are."""
    mark(folder, "began", 0)
    run = Training(TicTacToe(3), Random(), Random(), games=100_000_000)
    run.go()
    return run.done()


def deadly(folder):
    """Ends its worker, as a lack of memory would."""
    mark(folder, "began", 0)
    os.kill(os.getpid(), 9)


def wrong(x):
    raise ZeroDivisionError(f"no cell can do {x}")
