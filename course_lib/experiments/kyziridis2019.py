"""Kyziridis & Tsiaousis 2019, "Reinforcement Learning": MCS, MCTS and Q-learning in an Arena."""

from course_lib.agents import Decaying, StopAfter, q_learning

PAPER = "kyziridis2019"
ALPHAS = (0.01, 0.05, 0.1)
EPSILONS = ("fixed", "dynamic")


def learner(game, alpha=0.05, epsilon="fixed", episodes=300_000, random_ties=True):
    """Algorithm 3: the opponent is part of the surroundings; it learns at each own turn.

    In a position that it has never met (all values are 0) it plays any legal move, each equally
    likely; with random_ties=False the lowest.
    """
    schedules = {
        "fixed": StopAfter(
            0.2, max(0, 2 * episodes // 3 - 1)
        ),  # episode 2/3 · N is the first without
        "dynamic": Decaying(1.0, 0.99, 0.001),
    }
    return q_learning(
        game, alpha, 0.99, 1, 0, -1, exploration=schedules[epsilon], random_ties=random_ties
    )
