"""The kernels of the algorithms, which are all called in the same way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Optional

from .._core.search.anytime import anytime, beam_stack
from .._core.search.best_first import MAX_TIES, beam, best_first, bidirectional, hill_climbing
from .._core.search.deepening import deepening
from .._core.search.evaluator import Evaluator
from .._core.search.layers import breadth_first_heuristic
from .._core.search.meeting import RULES, meeting
from .._core.search.memory_bounded import rbfs, sma
from .algorithms import TIES

__all__ = ["KERNELS", "MEETING", "NOTHING", "REMEMBERING", "TABLE_BYTES"]

assert len(TIES) == MAX_TIES + 1


def _breadth_first(evaluator: Evaluator, start: int, order: bytes, **limits: Any) -> dict[str, Any]:
    return best_first(evaluator, start, order, g_weight=1, h_weight=0, ties=TIES.index("fifo"), **limits)


def _bidirectional(evaluator: Evaluator, start: int, order: bytes, **limits: Any) -> dict[str, Any]:
    return bidirectional(evaluator.shape, start, evaluator.goal, order, **limits)


def _hill_climbing(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    max_nodes: Optional[int],
    deadline: Optional[float],
    on_expand: Optional[Callable[..., bool]],
) -> dict[str, Any]:
    """It ends before it reaches any limit."""
    return hill_climbing(evaluator, start, order, on_expand=on_expand)


#: The answer of a search that could not begin.
NOTHING: dict[str, Any] = {
    "status": "limit",
    "directions": None,
    "lower_bound": 0,
    "expanded": 0,
    "generated": 0,
    "largest_open": 0,
    "largest_closed": 0,
    "memory_bytes": 0,
}

#: Algorithms whose second side searches from the goal with a heuristic to the start: their kernels take
#: `goal`, `backward` and `backs`, and the caller's boards and directions.
MEETING = RULES

#: Algorithms that remember nodes, so they need a limit on memory.
REMEMBERING = (
    "breadth-first",
    "bidirectional",
    "a*",
    "weighted-a*",
    "greedy",
    "branch-and-bound",
    "beam",
    *MEETING,
    "sma*",
    "ida*-tt",
    "anytime-a*",
    "ara*",
    "breadth-first-heuristic",
    "beam-stack",
)

#: The table of ida*-tt has this size by default: its counts of nodes should not depend on the machine.
TABLE_BYTES = 256 * 1024**2

#: By the names of the algorithms.
KERNELS: dict[str, Callable[..., dict[str, Any]]] = {
    "breadth-first": _breadth_first,
    "bidirectional": _bidirectional,
    "depth-first": deepening,
    "iterative-deepening": deepening,
    "ida*": deepening,
    "a*": best_first,
    "weighted-a*": best_first,
    "greedy": best_first,
    "branch-and-bound": best_first,
    "beam": beam,
    "hill-climbing": _hill_climbing,
    **{name: partial(meeting, rule=rule) for rule, name in enumerate(MEETING)},
    "rbfs": rbfs,
    "sma*": sma,
    "ida*-tt": deepening,
    "anytime-a*": anytime,
    "ara*": anytime,
    "breadth-first-heuristic": breadth_first_heuristic,
    "beam-stack": beam_stack,
}
