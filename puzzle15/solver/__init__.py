"""The optimal solver: it chooses tables, solves boards, and labels many of them."""

from .choice import View, choices, covers, embedded_choice, named_choice, usable_files
from .labelling import label, moves
from .solution import Iteration, PathStep, Solution, SolutionBatch
from .solver import Solver, best_solver, solve

__all__ = [
    "Iteration",
    "PathStep",
    "Solution",
    "SolutionBatch",
    "Solver",
    "View",
    "best_solver",
    "choices",
    "covers",
    "embedded_choice",
    "label",
    "moves",
    "named_choice",
    "solve",
    "usable_files",
]
