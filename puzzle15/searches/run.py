"""The algorithms, and `search`, which runs one on a board."""

from __future__ import annotations

import difflib
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, Optional, Union

from .._core.base import board as _board
from .._core.search.best_first import (
    MAX_EXPANDED,
    MAX_WEIGHT,
    MAX_WIDTH,
    TIES,
    beam,
    best_first,
    bidirectional,
    hill_climbing,
)
from .._core.search.deepening import MAX_BOUND, deepening
from ..board import Board, BoardLike, board_beside, moves_from_directions, unsolvable_text
from ..errors import UnsolvableError
from ..heuristics import Heuristic
from ..heuristics import heuristic as heuristic_of
from ..published import check_bound, farthest
from ..solver import Iteration, Solution, best_solver
from ..system.machine import available_memory
from ..system.names import plain_name
from ..system.quantities import Size, size, whole
from ..system.quantities import seconds as to_seconds
from ..tables import Folder

__all__ = ["ALGORITHMS", "TIES", "Algorithm", "search"]

DEFAULT_HEURISTIC = "manhattan"

_DIRECTIONS = "ULRD"  # of the blank: 0 up, 1 left, 2 right, 3 down
_DEFAULT_WEIGHT = 2
_DEFAULT_WIDTH = 100


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


def search(
    board: BoardLike,
    *,
    algorithm: str = "a*",
    heuristic: Union[str, Sequence[str], Heuristic, None] = None,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    ties: Optional[str] = None,
    move_order: str = _DIRECTIONS,
    weight: Union[int, float, str, Fraction, None] = None,
    width: Optional[int] = None,
    depth_limit: Optional[int] = None,
    batch: Optional[int] = None,
    prove: bool = False,
    tables: Folder = None,
    max_nodes: Optional[int] = None,
    time_limit_s: Optional[float] = None,
    max_memory: Optional[Size] = None,
    on_iteration: Optional[Callable[[Iteration], Any]] = None,
) -> Solution:
    """Search for a solution of one board with a textbook algorithm.

    `puzzle15.solve` is much faster where just a shortest solution is wanted.

    Parameters
    ----------
    board : board
        Anything that `Board` takes.
    algorithm : str
        A name of `ALGORITHMS` in any case, or a short one (``bfs``, ``dfs``, ``gbfs``); ``astar`` for ``a*``, too.
    heuristic : str, list of str or Heuristic, optional
        What `puzzle15.heuristics.heuristic` takes or made; by default ``"manhattan"``. Not for
        breadth-first, bidirectional, depth-first and iterative-deepening. For many boards of one
        goal, make a `Heuristic` once and give that.
    goal : board, optional
        By default that of the heuristic, or the tiles in order and the blank last.
    shape : (int, int), optional
        Rows and columns, where `board` does not tell.
    ties : {"fifo", "lifo", "larger-g"}, optional
        Which one goes first of the nodes that are equally good: the one made first, the one made
        last, or the one with the larger g, of these the one made last. By default ``"larger-g"``
        for a* and weighted-a*; for greedy and branch-and-bound, ``"fifo"``, with which they find
        shorter solutions.
    move_order : str
        The blank's directions in the order in which children are made.
    weight : number, optional
        Of h in weighted-a*: at least 1, a fraction of numbers up to 64 such as 1.25; by default 2.
    width : int, optional
        How many boards of each depth a beam keeps; by default 100.
    depth_limit : int, optional
        The most moves of depth-first. By default, on boards of up to 9 cells, the most that any
        board of the shape needs; larger boards must be given one.
    batch : int, optional
        How many nodes a*, weighted-a* and greedy expand at once, 1 .. 1024; their children are evaluated
        together, which is faster with large networks. By default 1.
    prove : bool
        Whether a solution that is not proved to be a shortest one is, or makes way for one: IDA* with the
        best tables that are there, or small ones in memory, looks for one that is shorter. Counts, seconds
        and limits are of both searches together.
    tables : path, optional
        The folder of the tables, for heuristics that need any and for `prove`.
    max_nodes : int, optional
        Stop once this many nodes were generated.
    time_limit_s : float, optional
        Stop after this many seconds; infinity is no limit.
    max_memory : int or str, optional
        Bytes that nodes may take, as a number or as text such as ``"1G"``; by default three quarters of the memory
        that is available.
    on_iteration : callable, optional
        For ida* and iterative-deepening: called with an `Iteration` each time one is finished.

    Returns
    -------
    Solution
        Status "solved", "failed", or "limit" with the lower bound that was proved until then.
        `optimal` if the algorithm and the heuristic guarantee it, or the lower bound is as large. With the
        status "limit" and moves, it was not yet proved.

    Raises
    ------
    BoardError, UnsolvableError
    ValueError
        An option that the algorithm does not use, or a value that it cannot have.
    TableMissingError, TableCorruptError
        Of a heuristic that looks up tables.

    Notes
    -----
    A node is expanded when its children are made, and tested for the goal just before; bidirectional
    tests children when it makes them. The undoing of the last move is no child. Greedy search drops
    boards that it knows; the others give them the shorter way, and expand them again if need be.
    Hill-climbing is over before any limit.

    Examples
    --------
    >>> solution = search("1 2 3/0 5 6/4 7 8", algorithm="ida*", heuristic="manhattan")
    >>> solution.moves, solution.lower_bound, solution.generated
    ('ULL', 3, 6)
    >>> search("1 2 3/0 5 6/4 7 8", algorithm="breadth-first", heuristic="manhattan")
    Traceback (most recent call last):
        ...
    ValueError: heuristic: breadth-first uses none; ida*, a*, weighted-a*, greedy, branch-and-bound, beam, \
hill-climbing do
    """
    kind = algorithm_of(algorithm)
    if isinstance(heuristic, Heuristic):
        goal = heuristic.goal if goal is None else board_beside(heuristic.goal, goal)
    start, end = board_and_goal(board, goal, shape)
    given = {
        "heuristic": heuristic,
        "ties": ties,
        "weight": weight,
        "width": width,
        "depth_limit": depth_limit,
        "batch": batch,
        "on_iteration": on_iteration,
    }
    check_options(kind, [name for name, value in given.items() if value is not None])
    limits = check_limits(max_nodes, time_limit_s, max_memory)
    max_nodes, time_limit_s, max_memory = limits["max_nodes"], limits["time_limit_s"], limits["max_memory"]
    order = order_of(move_order)
    options = options_of(kind, start.shape, ties, weight, width, depth_limit, batch, on_iteration)
    if kind.informed:
        estimate = _heuristic_of(DEFAULT_HEURISTIC if heuristic is None else heuristic, end, tables)
    else:
        estimate = heuristic_of("zero", goal=end)
    check_solvable(start, end)
    evaluator, turn, back = estimate._prepare()
    packed = turn(start)
    # back[d] is what direction d is to the caller, whose order of the children it must be.
    turned_order = bytes(back.index(direction) for direction in order)
    if kind.name in _REMEMBERING:
        options["max_bytes"] = _available_memory(int(time.monotonic())) // 4 * 3 if max_memory is None else max_memory
    began = time.monotonic()
    deadline = None if time_limit_s is None else began + time_limit_s
    with estimate._folders_named():
        floor = evaluator.board(packed)
        try:
            answer = _KERNELS[kind.name](
                evaluator, packed, turned_order, max_nodes=max_nodes, deadline=deadline, **options
            )
        except MemoryError:  # too little to begin with
            answer = _NOTHING
    seconds = time.monotonic() - began

    status = answer["status"]
    moves = None
    if answer["directions"] is not None and status != "failed":
        moves = moves_from_directions(bytes(back[direction] for direction in answer["directions"]))
    # No solution is shorter than the Manhattan distance, and each has its parity.
    manhattan = _board.manhattan(start.packed, end.packed, start.shape)
    bound = manhattan
    if not kind.informed or estimate.admissible:
        bound = max(int(start != end), floor)
        if kind.name != "depth-first" or status == "failed":  # else its bound is the depth limit
            bound = max(bound, answer["lower_bound"])
        if kind.optimal and status == "solved" and moves is not None:
            bound = max(bound, len(moves))
    bound += (bound ^ manhattan) & 1
    if estimate.admissible:
        with estimate._folders_named():
            check_bound(bound, farthest(end.shape, end.blank), start)
    optimal = moves is not None and bound == len(moves)
    solution = Solution(
        board=start,
        goal=end,
        status="solved" if optimal else status,
        moves=moves,
        optimal=optimal,
        lower_bound=bound,
        expanded=answer["expanded"],
        generated=answer["generated"],
        seconds=seconds,
        iterations=tuple(Iteration(*counts) for counts in answer.get("iterations", ())),
        algorithm=kind.name,
        heuristic=estimate.name if kind.informed else None,
        largest_open=answer["largest_open"],
        largest_closed=answer["largest_closed"],
        memory_bytes=answer["memory_bytes"],
    )
    if prove and moves is not None and not optimal:
        left = None if max_nodes is None else max(max_nodes - solution.generated, 0)
        return _proved(solution, tables, left, None if deadline is None else max(deadline - time.monotonic(), 0.0))
    return solution


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


def board_and_goal(board: BoardLike, goal: Optional[BoardLike], shape: Optional[Sequence[int]]) -> tuple[Board, Board]:
    """A board and its goal, which have one shape; by default the goal has the tiles in order, the blank last."""
    if isinstance(goal, Board) and shape is None:
        return board_beside(goal, board), goal
    start = Board(board, shape)
    return start, Board.goal(start.shape) if goal is None else board_beside(start, goal, "board")


def takes(algorithm: Algorithm, option: str) -> bool:
    """Whether an option of `search`, none of those that all take, is one of the algorithm's."""
    return algorithm.informed if option == "heuristic" else option in algorithm.options


def check_options(algorithm: Algorithm, options: Sequence[str]) -> None:
    """ValueError if the algorithm does not use one of the options that were given."""
    for option in options:
        if not takes(algorithm, option):
            users = ", ".join(other.name for other in ALGORITHMS.values() if takes(other, option))
            raise ValueError(f"{option}: {algorithm.name} uses none; {users} {'do' if ',' in users else 'does'}")


def check_solvable(board: Board, goal: Board) -> None:
    """UnsolvableError if no moves lead from the one to the other."""
    if not board.is_solvable(goal):
        raise UnsolvableError(unsolvable_text(board, goal))


def order_of(letters: str) -> bytes:
    """The blank's directions, as kernels count them, of a permutation of ``ULRD``."""
    if not isinstance(letters, str) or sorted(letters.upper()) != sorted(_DIRECTIONS):
        raise ValueError(f"move_order {letters!r}: expected each of the letters U, L, R and D once")
    return bytes(_DIRECTIONS.index(letter) for letter in letters.upper())


def check_limits(max_nodes: Optional[int], time_limit_s: Optional[float], max_memory: Optional[Size]) -> dict[str, Any]:
    """The limits of a search by their names, None where there is none; ValueError for what is no limit."""
    return {
        "max_nodes": None if max_nodes is None else whole("max_nodes", max_nodes),
        "time_limit_s": to_seconds("time_limit_s", time_limit_s),
        "max_memory": None if max_memory is None else min(size("max_memory", max_memory), sys.maxsize),
    }


def options_of(
    kind, shape, ties=None, weight=None, width=None, depth_limit=None, batch=None, on_iteration=None
) -> dict[str, Any]:
    """What the kernel of an algorithm takes besides its limits; ValueError if that is not possible."""
    if kind.name == "beam":
        return {"width": _DEFAULT_WIDTH if width is None else whole("width", width, 1, MAX_WIDTH)}
    if kind.name == "depth-first":
        if depth_limit is None:
            if shape[0] * shape[1] > 9:
                raise ValueError(f"depth_limit: depth-first needs one on a {shape[0]}x{shape[1]} board")
            depth_limit = farthest(shape, 0)
        depth_limit = whole("depth_limit", depth_limit, 0, MAX_BOUND)
        return {"first_bound": depth_limit, "last_bound": depth_limit}
    if on_iteration is not None:
        return {"on_iteration": lambda *counts: on_iteration(Iteration(*counts))}
    if "ties" not in kind.options:
        return {}
    ties = kind.ties if ties is None else ties
    if ties not in TIES:
        raise ValueError(f"ties {ties!r}: expected one of {', '.join(TIES)}")
    g_weight, h_weight = {"greedy": (0, 1), "branch-and-bound": (0, 1)}.get(kind.name, (1, 1))
    if kind.name == "weighted-a*":
        h_weight, g_weight = _fraction_of(_DEFAULT_WEIGHT if weight is None else weight)
    batch = 1 if batch is None else whole("batch", batch, 1, MAX_EXPANDED)
    return {
        "ties": TIES.index(ties),
        "g_weight": g_weight,
        "h_weight": h_weight,
        "batch": batch,
        "prove": kind.name == "branch-and-bound",
    }


def _fraction_of(weight):
    """(numerator, denominator) of a weight; 1.2 is 6/5, whatever a float makes of it."""
    try:
        exact = Fraction(0 if isinstance(weight, bool) else weight)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        exact = Fraction(0)
    near = exact.limit_denominator(MAX_WEIGHT)
    if near < 1 or near.numerator > MAX_WEIGHT or abs(near - exact) > 1e-9:
        raise ValueError(
            f"weight {weight!r}: expected a number of at least 1 that is a fraction of numbers up to "
            f"{MAX_WEIGHT}, such as 2, 1.25 or 4/3"
        )
    return near.numerator, near.denominator


def _proved(solution, tables, max_nodes, time_limit_s):
    """The solution, proved to be a shortest one, or one that is; status "limit" where the limits do not allow that."""
    assert solution.length is not None
    answer = best_solver(solution.goal, tables).solve(
        solution.board, limit=solution.length - 2, max_nodes=max_nodes, time_limit_s=time_limit_s
    )
    bound = max(solution.lower_bound, answer.lower_bound)
    moves = answer.moves if answer.status == "solved" else solution.moves
    optimal = answer.status == "solved" or bound >= solution.length
    return replace(
        solution,
        status="solved" if optimal else "limit",
        moves=moves,
        optimal=optimal,
        lower_bound=answer.length if answer.status == "solved" else min(bound, solution.length),
        expanded=solution.expanded + answer.expanded,
        generated=solution.generated + answer.generated,
        seconds=solution.seconds + answer.seconds,
    )


def _heuristic_of(given, goal, tables):
    if isinstance(given, Heuristic):
        if given.goal != goal:
            raise ValueError(f"heuristic: it is for the goal {given.goal}, not for {goal}")
        return given
    return heuristic_of(given, goal=goal, tables=tables)


@lru_cache(maxsize=1)
def _available_memory(second):
    """Asked once a second at most: it takes longer than a small search."""
    return available_memory()


# ---------------------------------------------------------------- the kernels, called alike


def _breadth_first(evaluator, start, order, **limits):
    return best_first(evaluator, start, order, g_weight=1, h_weight=0, ties=TIES.index("fifo"), **limits)


def _bidirectional(evaluator, start, order, **limits):
    return bidirectional(evaluator.shape, start, evaluator.goal, order, **limits)


def _hill_climbing(evaluator, start, order, *, max_nodes, deadline):
    """Before it comes to any limit it has ended."""
    return hill_climbing(evaluator, start, order)


#: What a search answers that could not begin.
_NOTHING: dict[str, Any] = {
    "status": "limit",
    "directions": None,
    "lower_bound": 0,
    "expanded": 0,
    "generated": 0,
    "largest_open": 0,
    "largest_closed": 0,
    "memory_bytes": 0,
}

#: Those that remember nodes, and so need a bound on memory.
_REMEMBERING = ("breadth-first", "bidirectional", "a*", "weighted-a*", "greedy", "branch-and-bound", "beam")

_KERNELS: dict[str, Callable[..., dict[str, Any]]] = {
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
}
