"""The algorithms by name, and which options each of them takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Optional

from ..system.names import plain_name

__all__ = ["ALGORITHMS", "DEFAULT_HEURISTIC", "TIES", "Algorithm", "algorithm_of", "check_options", "takes"]

DEFAULT_HEURISTIC = "manhattan"

#: Which of equally good nodes can go first, in the order of the C core.
TIES = ("fifo", "lifo", "larger-g")


class Algorithm(NamedTuple):
    """A search algorithm."""

    name: str

    summary: str
    """What it does, in one line."""

    informed: bool
    """Whether it uses a heuristic."""

    optimal: bool
    """Whether its solutions are shortest ones if the heuristic is admissible (and, of sma*, if their paths fit into its
    memory: otherwise it says so by its status)."""

    options: tuple[str, ...] = ()
    """The options of `search` that it takes, without those that every algorithm takes."""

    ties: Optional[str] = None
    """How it breaks ties by default."""

    layered: bool = False
    """Whether it goes depth by depth, and so evaluates the children of many nodes together without being asked to."""


#: Every algorithm, by its name.
ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("breadth-first", "expand all boards at distance 1, then 2, ..; remember each", False, True),
        Algorithm(
            "bidirectional", "search breadth-first from the board and from the goal until they meet", False, True
        ),
        Algorithm(
            "depth-first",
            "follow one path to the depth limit, then backtrack",
            False,
            False,
            ("max_length",),
        ),
        Algorithm(
            "iterative-deepening", "search depth-first with a growing depth limit", False, True, ("on_iteration",)
        ),
        Algorithm("ida*", "search depth-first with a growing bound on f = g + h", True, True, ("on_iteration",)),
        Algorithm(
            "a*", "expand the least f = g + h first; remember every board", True, True, ("ties", "batch"), "larger-g"
        ),
        Algorithm(
            "weighted-a*",
            "expand the least g + weight h first: at most weight times as long",
            True,
            False,
            ("ties", "weight", "batch"),
            "larger-g",
        ),
        Algorithm("greedy", "expand the least h first", True, False, ("ties", "batch"), "fifo"),
        Algorithm(
            "branch-and-bound",
            "expand the least h first, until no solution can be shorter than the best",
            True,
            True,
            ("ties", "batch"),
            "fifo",
        ),
        Algorithm(
            "beam",
            "search breadth-first, but keep only the best few boards of each depth",
            True,
            False,
            ("width",),
            layered=True,
        ),
        Algorithm("hill-climbing", "move to the best child while it is better; never backtrack", True, False),
        Algorithm(
            "mm",
            "search best-first from both ends; neither side goes beyond half of the solution",
            True,
            True,
            ("batch",),
        ),
        Algorithm("mme", "search like mm, which knows that every move costs at least 1", True, True, ("batch",)),
        Algorithm(
            "nbs", "search from both ends; expand the pair of boards with the least bound", True, True, ("batch",)
        ),
        Algorithm("rbfs", "expand the least f first, remember one path; forget, and expand again", True, True),
        Algorithm("sma*", "like a*, but forget the worst leaf when the memory is full", True, True),
        Algorithm(
            "ida*-tt",
            "like ida*, with a table of what is known of boards searched before",
            True,
            True,
            ("on_iteration",),
        ),
        Algorithm(
            "anytime-a*",
            "search like weighted-a*, and go on to shorter solutions, until the best one is proved",
            True,
            True,
            ("weight", "batch", "on_improvement"),
        ),
        Algorithm(
            "ara*",
            "search like weighted-a*, again with ever smaller weights; use again what was found",
            True,
            True,
            ("weight", "weight_step", "on_improvement"),
        ),
        Algorithm(
            "breadth-first-heuristic",
            "search breadth-first within a growing bound on f = g + h; remember two depths",
            True,
            True,
            ("on_iteration",),
            layered=True,
        ),
        Algorithm(
            "beam-stack",
            "search like beam, then come back for the boards that were dropped",
            True,
            True,
            ("width", "on_improvement"),
            layered=True,
        ),
    )
}


#: Other names that are accepted.
SHORT_NAMES = {
    "bfs": "breadth-first",
    "dfs": "depth-first",
    "iddfs": "iterative-deepening",
    "gbfs": "greedy",
    "greedy-best-first": "greedy",
    "wa*": "weighted-a*",
    "awa*": "anytime-a*",
    "anytime-weighted-a*": "anytime-a*",
    "bfhs": "breadth-first-heuristic",
    "ida*+tt": "ida*-tt",
}


def algorithm_of(name: str) -> Algorithm:
    """The algorithm of a name; ValueError lists the names.

    Shells expand ``*``, so ``astar`` means ``a*``, too. Case does not matter, and short names are accepted.

    >>> [algorithm_of(name).name for name in ("weighted-astar", "IDA*", "A star", "BFS")]
    ['weighted-a*', 'ida*', 'a*', 'breadth-first']
    """
    written = plain_name(name) if isinstance(name, str) else ""
    written = re.sub(r"-?star(?=$|[-+])", "*", written)
    written = SHORT_NAMES.get(written, written)
    if written not in ALGORITHMS:
        from difflib import get_close_matches

        names = {name.replace("*", "star"): name for name in ALGORITHMS}
        close = get_close_matches(written.replace("*", "star"), names, n=1)
        guess = f"did you mean {names[close[0]]!r}? " if close else ""
        raise ValueError(f"algorithm {name!r}: {guess}expected one of {', '.join(ALGORITHMS)}")
    return ALGORITHMS[written]


def takes(algorithm: Algorithm, option: str) -> bool:
    """Whether an algorithm takes an option of `search`; not for options that every algorithm takes."""
    return algorithm.informed if option == "heuristic" else option in algorithm.options


def check_options(algorithm: Algorithm, options: Sequence[str]) -> None:
    """ValueError if an option was given that the algorithm does not use."""
    for option in options:
        if not takes(algorithm, option):
            users = ", ".join(other.name for other in ALGORITHMS.values() if takes(other, option))
            raise ValueError(f"{option}: {algorithm.name} does not use it; {users} {'do' if ',' in users else 'does'}")
