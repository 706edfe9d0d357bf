"""The optimal solver: it chooses tables, solves boards, and labels many of them."""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .analysis import Analysis, Mistake
    from .choice import View, choices, covers, embedded_choice, named_choice, usable_files
    from .columns import columns_of, structured
    from .hints import AllSolutions, Hint
    from .labelling import label, moves
    from .scrambling import scramble
    from .solution import SEARCH_FIELDS, Improvement, Iteration, PathStep, Solution, SolutionBatch, Solutions
    from .solver import Solver, best_solver, solve
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        analysis="Analysis Mistake",
        choice="View choices covers embedded_choice named_choice usable_files",
        columns="columns_of structured",
        hints="AllSolutions Hint",
        labelling="label moves",
        scrambling="scramble",
        solution="SEARCH_FIELDS Improvement Iteration PathStep Solution SolutionBatch Solutions",
        solver="Solver best_solver solve",
    )

__all__ = [
    "AllSolutions",
    "Analysis",
    "Hint",
    "Improvement",
    "Iteration",
    "Mistake",
    "PathStep",
    "SEARCH_FIELDS",
    "Solution",
    "SolutionBatch",
    "Solutions",
    "Solver",
    "View",
    "best_solver",
    "choices",
    "columns_of",
    "covers",
    "embedded_choice",
    "label",
    "moves",
    "named_choice",
    "scramble",
    "solve",
    "structured",
    "usable_files",
]
