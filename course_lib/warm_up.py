"""Compiles what the lectures use, once a version of the library: else their cells would wait.

python3 course.py lab does this before it opens the course.
"""

from tqdm import tqdm

from course_lib.agents import (
    Minimax,
    Negamax,
    OneStepLookAhead,
    Random,
    Simple,
    grow,
    mcts,
    monte_carlo,
    perfect,
    sample,
    search,
)
from course_lib.agents.menace import menace
from course_lib.agents.q_learning import q_learning
from course_lib.arena import match
from course_lib.bandit import pull
from course_lib.exact import exact_rates
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
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


def main():
    stamp = cache_folder() / "warm"
    if default_speed() != "compiled" or stamp.exists():
        return
    print("Compiling the library for this computer, once:", flush=True)
    for work in tqdm([*pieces(TicTacToe()), *rollout_pieces()]):
        work()
    stamp.touch()


if __name__ == "__main__":
    main()
