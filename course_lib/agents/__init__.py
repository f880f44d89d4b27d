"""Who plays: one file an idea. CONTRIBUTING.md says what an agent is."""

from course_lib.agents.baselines import OneStepLookAhead, Random, Simple
from course_lib.agents.minimax import Minimax
from course_lib.agents.negamax import Negamax
from course_lib.agents.perfect import Perfect, perfect
from course_lib.agents.search import Promise, Unknown, best_moves, search
from course_lib.agents.transposition import NegamaxWithMemory, with_memory

__all__ = [
    "Minimax",
    "Negamax",
    "NegamaxWithMemory",
    "OneStepLookAhead",
    "Perfect",
    "Promise",
    "Random",
    "Simple",
    "Unknown",
    "best_moves",
    "perfect",
    "search",
    "with_memory",
]
