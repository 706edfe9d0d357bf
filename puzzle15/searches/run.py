"""`search`, which runs an algorithm on a board."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Optional, Union

from ..board import Board, BoardLike, board_beside, moves_from_directions, unsolvable_text
from ..errors import UnsolvableError
from ..heuristics import Heuristic
from ..heuristics import heuristic as heuristic_of
from ..solver import Iteration, Solution
from ..system.machine import available_memory
from ..system.quantities import Size
from ..tables import Folder
from .algorithms import DEFAULT_HEURISTIC, algorithm_of
from .kernels import KERNELS, NOTHING, REMEMBERING
from .options import DIRECTIONS, Weight, check_limits, check_options, kernel_options, order_of
from .proof import prove_or_shorten, proved_bound

__all__ = ["board_and_goal", "check_solvable", "search"]


def search(
    board: BoardLike,
    *,
    algorithm: str = "a*",
    heuristic: Union[str, Sequence[str], Heuristic, None] = None,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    ties: Optional[str] = None,
    move_order: str = DIRECTIONS,
    weight: Optional[Weight] = None,
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
    options = kernel_options(kind, start.shape, ties, weight, width, depth_limit, batch, on_iteration)
    if kind.informed:
        estimate = _heuristic_of(DEFAULT_HEURISTIC if heuristic is None else heuristic, end, tables)
    else:
        estimate = heuristic_of("zero", goal=end)
    check_solvable(start, end)
    evaluator, turn, back = estimate.prepare()
    packed = turn(start)
    # back[d] is what direction d is to the caller, whose order of the children it must be.
    turned_order = bytes(back.index(direction) for direction in order)
    if kind.name in REMEMBERING:
        options["max_bytes"] = _available_memory(int(time.monotonic())) // 4 * 3 if max_memory is None else max_memory
    began = time.monotonic()
    deadline = None if time_limit_s is None else began + time_limit_s
    with estimate.folders_named():
        floor = evaluator.board(packed)
        try:
            answer = KERNELS[kind.name](
                evaluator, packed, turned_order, max_nodes=max_nodes, deadline=deadline, **options
            )
        except MemoryError:  # too little to begin with
            answer = NOTHING
    seconds = time.monotonic() - began

    status = answer["status"]
    moves = None
    if answer["directions"] is not None and status != "failed":
        moves = moves_from_directions(bytes(back[direction] for direction in answer["directions"]))
    bound = proved_bound(kind, estimate, start, answer["lower_bound"], floor, status, moves)
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
        return prove_or_shorten(
            solution, tables, left, None if deadline is None else max(deadline - time.monotonic(), 0.0)
        )
    return solution


def board_and_goal(board: BoardLike, goal: Optional[BoardLike], shape: Optional[Sequence[int]]) -> tuple[Board, Board]:
    """A board and its goal, which have one shape; by default the goal has the tiles in order, the blank last."""
    if isinstance(goal, Board) and shape is None:
        return board_beside(goal, board), goal
    start = Board(board, shape)
    return start, Board.goal(start.shape) if goal is None else board_beside(start, goal, "board")


def check_solvable(board: Board, goal: Board) -> None:
    """UnsolvableError if no moves lead from the one to the other."""
    if not board.is_solvable(goal):
        raise UnsolvableError(unsolvable_text(board, goal))


def _heuristic_of(given: Union[str, Sequence[str], Heuristic], goal: Board, tables: Folder) -> Heuristic:
    if isinstance(given, Heuristic):
        if given.goal != goal:
            raise ValueError(f"heuristic: it is for the goal {given.goal}, not for {goal}")
        return given
    return heuristic_of(given, goal=goal, tables=tables)


@lru_cache(maxsize=1)
def _available_memory(second: int) -> int:
    """The available memory, asked for at most once per second, as asking takes longer than a small search."""
    return available_memory()
