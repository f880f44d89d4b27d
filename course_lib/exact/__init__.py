"""Exact solutions: the yardstick for every learner."""

import course_lib.agents  # noqa: F401 (first: some agents need modules of this package)
from course_lib.exact.ceiling import Rates, ceiling, exact_rates
from course_lib.exact.evaluate import Evaluation, evaluate
from course_lib.exact.exploit import best_reply, exploitability
from course_lib.exact.lines import LinesPlayer, ceiling_for_lines, distance
from course_lib.exact.matrix_game import solve_game
from course_lib.exact.solve import BoxesSolution, Solution, solve
from course_lib.exact.traps import TrapSolution, solve_traps

__all__ = [
    "BoxesSolution",
    "Evaluation",
    "LinesPlayer",
    "Rates",
    "Solution",
    "TrapSolution",
    "best_reply",
    "ceiling",
    "ceiling_for_lines",
    "distance",
    "evaluate",
    "exact_rates",
    "exploitability",
    "solve",
    "solve_game",
    "solve_traps",
]
