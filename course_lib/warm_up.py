"""Compiles what the lectures use, once a version of the library: else their cells would wait.

python3 course.py lab does this before it opens the course.
"""

from tqdm import tqdm

from course_lib.agents import (
    IfPlayer,
    Minimax,
    Negamax,
    OneStepLookAhead,
    Random,
    Simple,
    equilibrium,
    perfect,
    search,
    trap_learner,
)
from course_lib.agents.menace import menace
from course_lib.agents.q_learning import q_learning
from course_lib.arena import match
from course_lib.exact import best_reply
from course_lib.games import TicTacToe, TicTrapToe
from course_lib.training import Training, train
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


def main():
    stamp = cache_folder() / "warm"
    if default_speed() != "compiled" or stamp.exists():
        return
    print("Compiling the library for this computer, once:", flush=True)
    for work in tqdm([*pieces(TicTacToe()), *trap_pieces()]):
        work()
    stamp.touch()


if __name__ == "__main__":
    main()
