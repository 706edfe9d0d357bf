"""The algorithms by name, and which options each of them takes."""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple, Optional

from ..board import plain_name

__all__ = ["ALGORITHMS", "DEFAULT_HEURISTIC", "Algorithm", "algorithm_of", "takes"]

DEFAULT_HEURISTIC = "manhattan"


class Algorithm(NamedTuple):
    """What a search is."""

    name: str

    summary: str
    """What it does, in a line."""

    informed: bool
    """Whether it uses a heuristic."""

    optimal: bool
    """Whether its solutions are shortest ones, given an admissible heuristic."""

    options: tuple[str, ...] = ()
    """Those of `search` that not every algorithm takes."""

    ties: Optional[str] = None
    """How it breaks ties, unless told."""


#: Every search, by its name.
ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("breadth-first", "all boards at distance 1, then 2, ..; remembers each", False, True),
        Algorithm("bidirectional", "breadth-first from the board and from the goal until they meet", False, True),
        Algorithm(
            "depth-first",
            "one way to its end, then the next; no longer than the depth limit",
            False,
            False,
            ("depth_limit",),
        ),
        Algorithm("iterative-deepening", "depth-first with a growing depth limit", False, True, ("on_iteration",)),
        Algorithm("ida*", "depth-first within a growing bound on f = g + h", True, True, ("on_iteration",)),
        Algorithm("a*", "least f = g + h first; remembers every board", True, True, ("ties", "batch"), "larger-g"),
        Algorithm(
            "weighted-a*",
            "least g + weight h first: at most weight times as long",
            True,
            False,
            ("ties", "weight", "batch"),
            "larger-g",
        ),
        Algorithm("greedy", "least h first", True, False, ("ties", "batch"), "fifo"),
        Algorithm(
            "branch-and-bound",
            "least h first, and on until nothing can be shorter than the best",
            True,
            True,
            ("ties",),
            "fifo",
        ),
        Algorithm("beam", "breadth-first, but keeps only the best few of each depth", True, False, ("width",)),
        Algorithm("hill-climbing", "to the best child while that is better; no way back", True, False),
    )
}


#: Other names that are understood.
SHORT_NAMES = {
    "bfs": "breadth-first",
    "dfs": "depth-first",
    "iddfs": "iterative-deepening",
    "gbfs": "greedy",
    "greedy-best-first": "greedy",
    "wa*": "weighted-a*",
}


def algorithm_of(name: str) -> Algorithm:
    """The algorithm of this name; ValueError tells the names.

    A shell takes ``*`` for itself, so ``astar`` is ``a*``, too. Case does not count, and short names are known.

    >>> [algorithm_of(name).name for name in ("weighted-astar", "IDA*", "A star", "BFS")]
    ['weighted-a*', 'ida*', 'a*', 'breadth-first']
    """
    written = plain_name(name) if isinstance(name, str) else ""
    written = re.sub("-?star$", "*", written)
    written = SHORT_NAMES.get(written, written)
    if written not in ALGORITHMS:
        close = difflib.get_close_matches(written, ALGORITHMS, n=1)
        guess = f"did you mean {close[0]!r}? " if close else ""
        raise ValueError(f"algorithm {name!r}: {guess}expected one of {', '.join(ALGORITHMS)}")
    return ALGORITHMS[written]


def takes(algorithm: Algorithm, option: str) -> bool:
    """Whether an option of `search`, none of those that all take, is one of the algorithm's."""
    return algorithm.informed if option == "heuristic" else option in algorithm.options
