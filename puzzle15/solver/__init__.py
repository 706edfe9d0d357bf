"""The optimal solver: it chooses tables, solves boards, and labels many of them."""

from .analysis import Analysis, Mistake
from .choice import View, choices, covers, embedded_choice, named_choice, usable_files
from .hints import AllSolutions, Hint
from .labelling import label, moves
from .solution import Iteration, Solution, SolutionBatch
from .solver import Solver, best_solver, solve

__all__ = [
    "AllSolutions",
    "Analysis",
    "Hint",
    "Iteration",
    "Mistake",
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
