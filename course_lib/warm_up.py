"""Compiles what the lectures use, once a version of the library: else their cells would wait.

python3 course.py lab does this before it opens the course.
"""

from tqdm import tqdm

from course_lib.agents import Minimax, Negamax, OneStepLookAhead, Random, Simple, perfect, search
from course_lib.agents.menace import menace
from course_lib.agents.q_learning import q_learning
from course_lib.arena import match
from course_lib.exact import ceiling_for_lines, solve
from course_lib.exact.chains import declining_positions, double_cross
from course_lib.experiments.arvidsson2010 import judged_table
from course_lib.experiments.dots import GAME, LEARNER, long_run
from course_lib.games import DotsAndBoxes, TicTacToe
from course_lib.training import Training
from course_lib.twospeed import cache_folder, default_speed


def pieces(game):
    """Small pieces of work which between them need what is to be compiled."""
    opponents = [Random(), Simple(), OneStepLookAhead(), perfect(game)]
    for searcher in (Minimax(), Negamax(), Negamax(pruning=True)):
        yield lambda searcher=searcher: search(searcher, game, game.start())
    for opponent in opponents:
        yield lambda opponent=opponent: match(game, opponent, Random(), games=2)
        for build in (menace, q_learning):
            yield lambda build=build, opponent=opponent: Training(
                game, build(game), opponent, games=2, sessions=1
            ).go()


def pieces_of_boxes():
    """Likewise for the lecture on dots and boxes."""
    run = {"games": 2, "seed": 0}
    for given in ({}, {"opponent": LEARNER}, {"opponent": "Simple"}, {"box": 1.0}):
        yield lambda given=given: long_run(0.2, 0.8, **run, **given)
    yield lambda: ceiling_for_lines(GAME, Random())
    yield lambda: judged_table(long_run(0.2, 0.8, **run)["memory"], alpha=0.2, gamma=0.8)
    yield lambda: declining_positions(GAME)
    yield lambda: double_cross(solve(DotsAndBoxes(2, 3)))


def main():
    stamp = cache_folder() / "warm"
    if default_speed() != "compiled" or stamp.exists():
        return
    print("Compiling the library for this computer, once:", flush=True)
    for work in tqdm([*pieces(TicTacToe()), *pieces_of_boxes()]):
        work()
    stamp.touch()


if __name__ == "__main__":
    main()
