"""Textbook searches by name: `search` and `search_many` run any of `ALGORITHMS`, and `compare` runs several.

>>> from puzzle15.searches import search
>>> solution = search("8 6 7/2 5 4/3 0 1", algorithm="a*", heuristic="linear-conflict")
>>> solution.length, solution.optimal
(31, True)
>>> search("8 6 7/2 5 4/3 0 1", algorithm="greedy").optimal
False
"""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .algorithms import ALGORITHMS, DEFAULT_HEURISTIC, TIES, algorithm_of, check_options
    from .comparison import HEURISTICS, TIME_LIMIT_S, Comparison, compare, plan_runs
    from .comparison_table import format_header, format_row
    from .expansions import Child, Expansion
    from .many import SearchBatch, search_many
    from .options import order_of
    from .run import check_solvable, search
    from .search_tree import SearchTree
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        algorithms="ALGORITHMS DEFAULT_HEURISTIC TIES algorithm_of check_options",
        comparison="HEURISTICS TIME_LIMIT_S Comparison compare plan_runs",
        comparison_table="format_header format_row",
        expansions="Child Expansion",
        many="SearchBatch search_many",
        options="order_of",
        run="check_solvable search",
        search_tree="SearchTree",
    )

__all__ = [
    "ALGORITHMS",
    "Child",
    "Comparison",
    "DEFAULT_HEURISTIC",
    "Expansion",
    "HEURISTICS",
    "SearchBatch",
    "SearchTree",
    "TIES",
    "TIME_LIMIT_S",
    "algorithm_of",
    "check_options",
    "check_solvable",
    "compare",
    "format_header",
    "format_row",
    "order_of",
    "plan_runs",
    "search",
    "search_many",
]
