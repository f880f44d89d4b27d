"""Exact solutions: the yardstick for every learner."""

from course_lib.exact.ceiling import Rates, ceiling, exact_rates
from course_lib.exact.evaluate import Evaluation, evaluate
from course_lib.exact.solve import BoxesSolution, Solution, solve

__all__ = [
    "BoxesSolution",
    "Evaluation",
    "Rates",
    "Solution",
    "ceiling",
    "evaluate",
    "exact_rates",
    "solve",
]
