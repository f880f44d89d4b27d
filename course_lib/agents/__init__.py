"""Who plays: one file an idea. CONTRIBUTING.md says what an agent is."""

from course_lib.agents.baselines import OneStepLookAhead, Random, Simple
from course_lib.agents.equilibrium import Equilibrium, equilibrium
from course_lib.agents.exploration import (
    Constant,
    Counting,
    Decaying,
    Linear,
    StopAfter,
    UntilNoZero,
)
from course_lib.agents.grown import grow
from course_lib.agents.if_player import IfPlayer, MinimaxTraps
from course_lib.agents.mcts import MCTS, mcts
from course_lib.agents.menace import Menace, menace
from course_lib.agents.minimax import Minimax
from course_lib.agents.monte_carlo import MonteCarlo, monte_carlo, sample
from course_lib.agents.negamax import Negamax
from course_lib.agents.perfect import Perfect, perfect
from course_lib.agents.q_learning import PerBox, QLearning, q_learning
from course_lib.agents.search import Promise, Unknown, best_moves, search
from course_lib.agents.transposition import NegamaxWithMemory, with_memory
from course_lib.agents.trap_learning import TrapLearner, trap_learner

__all__ = [
    "MCTS",
    "Constant",
    "Counting",
    "Decaying",
    "Equilibrium",
    "IfPlayer",
    "Linear",
    "Menace",
    "Minimax",
    "MinimaxTraps",
    "MonteCarlo",
    "Negamax",
    "NegamaxWithMemory",
    "OneStepLookAhead",
    "PerBox",
    "Perfect",
    "Promise",
    "QLearning",
    "Random",
    "Simple",
    "StopAfter",
    "TrapLearner",
    "Unknown",
    "UntilNoZero",
    "best_moves",
    "equilibrium",
    "grow",
    "mcts",
    "menace",
    "monte_carlo",
    "perfect",
    "q_learning",
    "sample",
    "search",
    "trap_learner",
    "with_memory",
]
