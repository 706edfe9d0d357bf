"""The answers of a comparison as lines of a table."""

from __future__ import annotations

from collections.abc import Sequence

from ..solver import Solution
from ..system.quantities import format_size
from .comparison import Run

__all__ = ["format_header", "format_row"]

#: The columns of numbers and their widths. "open" and "closed" are the largest sizes of these lists.
_NUMBERS = {
    "length": 6,
    "optimal": 7,
    "expanded": 13,
    "generated": 13,
    "open": 11,
    "closed": 11,
    "seconds": 8,
    "memory": 9,
}


def format_header(runs: Sequence[Run]) -> str:
    """The line above the rows of these runs."""
    return _line(runs, ["algorithm", "heuristic", *_NUMBERS, "status"])


def format_row(runs: Sequence[Run], solution: Solution) -> str:
    """The answer of one run as a line. If no solution is known, its length is ``>=`` the proved lower bound.

    The status of depth-first names its depth limit.

    Examples
    --------
    >>> from puzzle15.searches import compare, plan_runs
    >>> runs = plan_runs((3, 3), algorithms=["ida*"], heuristics=["manhattan"])
    >>> (solution,) = compare("1 2 3/4 5 6/7 8 0", algorithms=["ida*"], heuristics=["manhattan"])
    >>> format_row(runs, solution).split()[:6]
    ['ida*', 'manhattan', '0', 'yes', '0', '0']
    """
    length = f">={solution.lower_bound}" if solution.length is None else str(solution.length)
    return _line(
        runs,
        [
            solution.algorithm,
            solution.heuristic or "-",
            length,
            "yes" if solution.optimal else "-" if solution.length is None else "no",
            f"{solution.expanded:,}",
            f"{solution.generated:,}",
            f"{solution.largest_open:,}" if solution.largest_open else "-",
            f"{solution.largest_closed:,}" if solution.largest_closed else "-",
            f"{solution.seconds:.3f}",
            format_size(solution.memory_bytes) if solution.memory_bytes else "-",
            f"{solution.status} within {solution.max_length} moves"
            if solution.max_length is not None and not solution.optimal
            else solution.status,
        ],
    )


def _line(runs: Sequence[Run], cells: Sequence[str]) -> str:
    first = max(9, *(len(run.algorithm.name) for run in runs))
    second = max(9, *(len(run.heuristic or "") for run in runs))
    parts = [cells[0].ljust(first), cells[1].ljust(second)]
    parts += [cell.rjust(width) for cell, width in zip(cells[2:], _NUMBERS.values())]
    return "  ".join([*parts, cells[-1]])
