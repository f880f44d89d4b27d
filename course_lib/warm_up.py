"""Compiles what the lectures use, once a version of the library: else their cells would wait.

python3 course.py lab does this in the background while it opens the course (--background), and
course.py test before all tests.
"""

import os
import subprocess
import sys

import numpy as np
from tqdm import tqdm

from course_lib.agents import (
    IfPlayer,
    Minimax,
    Negamax,
    OneStepLookAhead,
    Promise,
    Random,
    Simple,
    equilibrium,
    grow,
    mcts,
    monte_carlo,
    perfect,
    sample,
    search,
    trap_learner,
    with_memory,
)
from course_lib.agents.exploration import Constant, Linear
from course_lib.agents.menace import menace
from course_lib.agents.q_learning import q_learning
from course_lib.arena import choose, match
from course_lib.bandit import pull
from course_lib.exact import best_reply, ceiling, ceiling_for_lines, exact_rates, solve
from course_lib.exact.chains import declining_positions, double_cross
from course_lib.experiments.arvidsson2010 import judged_table
from course_lib.experiments.dots import GAME, LEARNER, long_run
from course_lib.games import Connect4, DotsAndBoxes, MiddleFirst, TicTacToe, TicTrapToe
from course_lib.training import Training, train
from course_lib.twospeed import cache_folder, default_speed, fast


def pieces(game):
    """Small pieces of work which between them need what is to be compiled."""
    for other in (Connect4(), MiddleFirst(), DotsAndBoxes(1, 2)):
        for searcher in (Negamax(True, 2, Promise()), with_memory(other, 2, 4, Promise())):
            yield lambda searcher=searcher, other=other: search(searcher, other, other.start())
    yield lambda: search(with_memory(game), game, game.start())
    for opponent in (Random(), perfect(game)):
        yield lambda opponent=opponent: exact_rates(game, menace(game), opponent)
    yield lambda: ceiling(game, Random())
    second = menace(game, first=False, second=True)
    yield lambda: Training(game, menace(game), second, games=2, sessions=1).go()
    opponents = [Random(), Simple(), OneStepLookAhead(), perfect(game)]
    for searcher in (Minimax(), Negamax(), Negamax(pruning=True)):
        yield lambda searcher=searcher: search(searcher, game, game.start())
    for opponent in opponents:
        yield lambda opponent=opponent: match(game, opponent, Random(), games=2)
        for build in (menace, q_learning):
            yield lambda build=build, opponent=opponent: Training(
                game, build(game), opponent, games=2, sessions=1
            ).go()
    for schedule in (Constant(), Linear()):
        learner = q_learning(game, exploration=schedule, symmetry=True)
        for opponent in (Random(), perfect(game)):
            yield lambda learner=learner, opponent=opponent: Training(
                game, learner, opponent, games=2, sessions=1
            ).go()
            yield lambda learner=learner, opponent=opponent: exact_rates(game, learner, opponent)


def rollout_pieces():
    """What the lectures on rollouts and tree search need."""
    yield lambda: pull([0.5], 1)
    small, policy = Connect4(3, 3, 3), OneStepLookAhead()
    yield lambda: sample(monte_carlo(small, 1, policy=policy), small, small.start())
    yield lambda: search(Negamax(pruning=True), small, small.start())
    yield lambda: exact_rates(TicTacToe(), Random(), Random())
    for game in (TicTacToe(), Connect4(), DotsAndBoxes()):
        flat, tree = monte_carlo(game, 1), mcts(game, 1)
        yield lambda flat=flat, game=game: sample(flat, game, game.start())
        yield lambda tree=tree, game=game: grow(tree, game, game.start())
        for agent, other in ((tree, flat), (tree, Random()), (flat, Random())):
            yield lambda agent=agent, other=other, game=game: match(game, agent, other, games=2)
        for agent in (flat, tree):
            yield lambda agent=agent, game=game: match(game, agent, OneStepLookAhead(), games=2)


def at_the_table():
    """Who plays against people: else their first move is long in coming."""
    small, boxes = TicTacToe(), DotsAndBoxes(2, 2)
    for game, agent in (
        (small, Minimax()),
        (small, perfect(small)),
        (small, q_learning(small, exploration=Constant(), symmetry=True)),
        (small, mcts(small, 1)),
        (Connect4(), Minimax(depth=1, heuristic=Promise())),
        (Connect4(), mcts(Connect4(), 1)),
        (MiddleFirst(), Negamax(True, 1, Promise())),
        (boxes, perfect(boxes)),
    ):
        yield lambda agent=agent, game=game: fast(choose)(
            agent, game, game.start(), np.random.default_rng(0)
        )


def pieces_of_boxes():
    """Likewise for the lecture on dots and boxes."""
    run = {"games": 2, "seed": 0}
    for given in ({}, {"opponent": LEARNER}, {"opponent": "Simple"}, {"box": 1.0}):
        yield lambda given=given: long_run(0.2, 0.8, **run, **given)
    yield lambda: ceiling_for_lines(GAME, Random())
    yield lambda: judged_table(long_run(0.2, 0.8, **run)["memory"], alpha=0.2, gamma=0.8)
    yield lambda: declining_positions(GAME)
    yield lambda: double_cross(solve(DotsAndBoxes(2, 3)))


def trap_pieces():
    """The same for tic-trap-toe: its players, the equilibrium, and the perfect adversary."""
    game = TicTrapToe(trapped_line_wins=True, missed_traps_shown=True)
    learner = trap_learner(game)
    yield lambda: train(game, learner, learner.twin(), games=2)
    for opponent in (Random(), IfPlayer()):
        yield lambda opponent=opponent: train(game, learner, opponent, games=2)
        yield lambda opponent=opponent: match(game, learner, opponent, games=2)
    solved = equilibrium(game)
    yield lambda: match(game, solved, IfPlayer(), games=2)
    for player in (IfPlayer(), learner, solved):
        yield lambda player=player: best_reply(game._replace(most_turns=1), player)


def main(arguments):
    stamp = cache_folder() / "warm"
    if default_speed() != "compiled" or stamp.exists():
        return
    if arguments == ["--background"]:
        print("Compiling the library for this computer, once, beside the course: for some minutes")
        print("the first answer of a cell may take a while.", flush=True)
        command = [sys.executable, "-m", "course_lib.warm_up", "--yielding"]
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return
    if arguments == ["--yielding"] and hasattr(os, "nice"):
        os.nice(10)  # the notebook comes first
    print("Compiling the library for this computer, once:", flush=True)
    steps = [
        *at_the_table(),
        *pieces(TicTacToe()),
        *rollout_pieces(),
        *pieces_of_boxes(),
        *trap_pieces(),
    ]
    for work in tqdm(steps):
        work()
    stamp.touch()


if __name__ == "__main__":
    main(sys.argv[1:])
