"""Who plays: one file an idea. CONTRIBUTING.md says what an agent is."""

from course_lib.agents.baselines import OneStepLookAhead, Random, Simple
from course_lib.agents.exploration import Constant, Decaying, Linear, StopAfter, UntilNoZero
from course_lib.agents.grown import grow
from course_lib.agents.mcts import MCTS, mcts
from course_lib.agents.menace import Menace, menace
from course_lib.agents.minimax import Minimax
from course_lib.agents.monte_carlo import MonteCarlo, monte_carlo, sample
from course_lib.agents.negamax import Negamax
from course_lib.agents.perfect import Perfect, perfect
from course_lib.agents.q_learning import QLearning, q_learning
from course_lib.agents.search import Promise, Unknown, best_moves, search
from course_lib.agents.transposition import NegamaxWithMemory, with_memory

__all__ = [
    "MCTS",
    "Constant",
    "Decaying",
    "Linear",
    "Menace",
    "Minimax",
    "MonteCarlo",
    "Negamax",
    "NegamaxWithMemory",
    "OneStepLookAhead",
    "Perfect",
    "Promise",
    "QLearning",
    "Random",
    "Simple",
    "StopAfter",
    "Unknown",
    "UntilNoZero",
    "best_moves",
    "grow",
    "mcts",
    "menace",
    "monte_carlo",
    "perfect",
    "q_learning",
    "sample",
    "search",
    "with_memory",
]
