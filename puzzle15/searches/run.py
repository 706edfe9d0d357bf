"""`search`, which runs an algorithm on a board, and `Search`, the algorithm ready to run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Optional, Union

from ..board import Board, BoardLike, board_beside, moves_from_directions, unsolvable_text
from ..errors import InternalError, UnsolvableError
from ..heuristics import Heuristic, HeuristicLike, own_goal
from ..heuristics import heuristic as heuristic_of
from ..published import farthest
from ..solver import Improvement, Iteration, Solution
from ..system.machine import available_memory
from ..system.quantities import Size
from ..tables import Folder
from .algorithms import DEFAULT_HEURISTIC, Algorithm, algorithm_of, check_options
from .expansions import Expansion
from .improving import Improvements
from .kernels import KERNELS, MEETING, NOTHING, REMEMBERING, TABLE_BYTES
from .options import DIRECTIONS, Weight, check_limits, kernel_options, order_of
from .proof import prove_or_shorten, proved_bound
from .recording import Recorder, f_weights

__all__ = ["Search", "board_and_goal", "check_solvable", "goal_beside", "heuristic_for", "search"]


def search(
    board: BoardLike,
    *,
    algorithm: str = "a*",
    heuristic: Union[HeuristicLike, Heuristic, None] = None,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    ties: Optional[str] = None,
    move_order: str = DIRECTIONS,
    weight: Optional[Weight] = None,
    weight_step: Optional[Weight] = None,
    width: Optional[int] = None,
    max_length: Optional[int] = None,
    batch: Optional[int] = None,
    prove: bool = False,
    tables: Folder = None,
    max_nodes: Optional[int] = None,
    time_limit_s: Optional[float] = None,
    max_memory: Optional[Size] = None,
    on_iteration: Optional[Callable[[Iteration], Any]] = None,
    on_improvement: Optional[Callable[[Improvement], Any]] = None,
    on_expand: Optional[Callable[[Expansion], Any]] = None,
) -> Solution:
    """Search for a solution of one board with a textbook algorithm.

    `puzzle15.solve` is much faster if you only want a shortest solution.

    Parameters
    ----------
    board : board
        Anything that `Board` takes.
    algorithm : str
        A name of `ALGORITHMS`, in upper or lower case, or a short one (``bfs``, ``dfs``, ``gbfs``). ``astar`` means
        ``a*``.
    heuristic : str, callable, list of these, or Heuristic, optional
        A heuristic, or what `puzzle15.heuristics.heuristic` takes: its name, a function of one's own (see
        `puzzle15.heuristics.HeuristicFunction`), or several; by default ``"manhattan"``. The algorithms
        breadth-first, bidirectional, depth-first and iterative-deepening do not use one. For many boards with one
        goal, make a `Heuristic` once and pass it to each search.
    goal : board, optional
        By default, the goal of the heuristic, or the tiles in order and the blank last.
    shape : (int, int), optional
        Rows and columns, if `board` does not determine them.
    ties : {"fifo", "lifo", "larger-g"}, optional
        Which of several equally good nodes is expanded first: the one made first, the one made last, or the one with
        the largest g (of several, the one made last). The default of a* and weighted-a* is ``"larger-g"``; that of
        greedy and branch-and-bound is ``"fifo"``, with which they find shorter solutions.
    move_order : str
        The blank's directions in the order in which children are made.
    weight : number, optional
        The weight of h in weighted-a* and anytime-a*, and in the first round of ara*, by default 2: at least 1, and a
        fraction of whole numbers up to 64, such as 1.25.
    weight_step : number, optional
        What the weight of ara* loses after each round, until it is 1; by default 0.2.
    width : int, optional
        How many boards of each depth a beam keeps; by default 100, and 1000 in a beam stack.
    max_length : int, optional
        The most moves that depth-first makes, which is its depth limit. By default, on boards of up to 9 cells, the
        distance of the farthest board of the shape; for larger boards, there is no default.
    batch : int, optional
        How many nodes a*, weighted-a*, greedy, branch-and-bound, mm, mme, nbs and anytime-a* expand at once, 1 .. 1024;
        by default 1, or what a function of one's own asks for. Their children are evaluated together, which is faster
        with functions and with large networks.
    prove : bool
        Whether to prove a solution optimal, or replace it by an optimal one: IDA* with the best installed tables, or
        with small ones in memory, searches for a shorter solution. Counts, seconds and limits cover both searches.
    tables : path, optional
        The folder of the tables, for heuristics that need them and for `prove`.
    max_nodes : int, optional
        Stop when this many nodes have been generated.
    time_limit_s : float, optional
        Stop after this many seconds; infinity is no limit.
    max_memory : int or str, optional
        The bytes that nodes may take, as a number or as text such as ``"1G"``; by default three quarters of the
        available memory. sma* forgets nodes to stay below it; of ida*-tt, it is the size of the table, by default
        256 MiB.
    on_iteration : callable, optional
        For ida*, ida*-tt, iterative-deepening and breadth-first-heuristic: called with an `Iteration` when each one is
        finished.
    on_improvement : callable, optional
        For anytime-a*, ara* and beam-stack: called with an `Improvement` whenever there is a better solution, or a
        better proof of how good it is. If it returns False, the search ends with what it has, as at a limit.
    on_expand : callable, optional
        Called with an `Expansion` for each node at its turn, in the order of the search: what it is, and what became
        of its children. As soon as it returns False, the search goes on without it, at full speed. An exception ends
        the search. `SearchTree.add` collects expansions.

    Returns
    -------
    Solution
        Its status is "solved", "failed", or "limit" with the lower bound that was proved until then. It is `optimal` if
        the algorithm and the heuristic guarantee that, or if its length is equal to the lower bound. If its status is
        "limit" and it has moves, the proof was not completed.

    Raises
    ------
    BoardError, UnsolvableError
    ValueError
        If an option was given that the algorithm does not use, or a value is not possible.
    TableMissingError, TableCorruptError
        From a heuristic that uses tables.
    HeuristicError
        If a function of one's own returns something else than one number from 0 to 255 per board, or is not admissible
        although it claims to be. Exceptions that it raises end the search as they are.

    Notes
    -----
    A node is tested for the goal just before it is expanded; bidirectional tests children when they are generated, and
    so do mm, mme and nbs, which go on until they have proved the solution. The move that undoes the last one generates
    no child. Greedy search ignores boards that it has seen before. The others keep the shorter path to such a board,
    and expand it again if necessary. Hill-climbing ends before any limit.

    Mm, mme and nbs need the heuristic toward the board, too (`Heuristic.toward`): a function of one's own must be for
    any goal, tables must be there for the place of the board's blank, and ``ann`` needs it in a corner.

    `on_expand` changes neither the answer nor the counts: as many expansions as `expanded` says have the fate
    "expanded", and one more per goal found the fate "goal". The search of `prove` is not recorded. An expansion of
    depth-first, iterative-deepening and ida* lists all children, although these algorithms make each one just before
    its turn: if they end before, those are not in `generated`. The expansions of a beam are told when their depth is
    complete, because then it is known which children it keeps. While they are told, each node that waits takes some
    hundred bytes more, which `max_memory` does not count.

    Examples
    --------
    >>> solution = search("1 2 3/0 5 6/4 7 8", algorithm="ida*", heuristic="manhattan")
    >>> solution.moves, solution.lower_bound, solution.generated
    ('ULL', 3, 6)
    >>> search("1 2 3/0 5 6/4 7 8", algorithm="a*", max_length=5)
    Traceback (most recent call last):
        ...
    ValueError: max_length: a* does not use it; depth-first does
    """
    kind = algorithm_of(algorithm)
    goal = goal_beside(heuristic, goal)
    start, end = board_and_goal(board, goal, shape)
    return Search(
        kind,
        end,
        heuristic=heuristic,
        ties=ties,
        move_order=move_order,
        weight=weight,
        weight_step=weight_step,
        width=width,
        max_length=max_length,
        batch=batch,
        prove=prove,
        tables=tables,
        max_nodes=max_nodes,
        time_limit_s=time_limit_s,
        max_memory=max_memory,
        on_iteration=on_iteration,
        on_improvement=on_improvement,
        on_expand=on_expand,
    ).run(start)


class Search:
    """An algorithm with a heuristic and options, which are checked: it runs on any board of its goal.

    Parameters
    ----------
    algorithm : Algorithm
    goal : Board
    share : int
        How many searches of this machine share the available memory, where `max_memory` does not limit it.
    **options
        As for `search`.

    Notes
    -----
    It can be pickled without callbacks. A process makes one object of all that it receives of the same search, so that
    it opens the heuristic once.
    """

    def __init__(
        self,
        algorithm: Algorithm,
        goal: Board,
        *,
        share: int = 1,
        heuristic: Union[HeuristicLike, Heuristic, None] = None,
        ties: Optional[str] = None,
        move_order: str = DIRECTIONS,
        weight: Optional[Weight] = None,
        weight_step: Optional[Weight] = None,
        width: Optional[int] = None,
        max_length: Optional[int] = None,
        batch: Optional[int] = None,
        prove: bool = False,
        tables: Folder = None,
        max_nodes: Optional[int] = None,
        time_limit_s: Optional[float] = None,
        max_memory: Optional[Size] = None,
        on_iteration: Optional[Callable[[Iteration], Any]] = None,
        on_improvement: Optional[Callable[[Improvement], Any]] = None,
        on_expand: Optional[Callable[[Expansion], Any]] = None,
    ) -> None:
        given = {
            "heuristic": heuristic,
            "ties": ties,
            "weight": weight,
            "width": width,
            "max_length": max_length,
            "batch": batch,
            "on_iteration": on_iteration,
            "weight_step": weight_step,
            "on_improvement": on_improvement,
        }
        check_options(algorithm, [name for name, value in given.items() if value is not None])
        self.algorithm, self.goal = algorithm, goal
        self._limits = check_limits(max_nodes, time_limit_s, max_memory)
        self._order = order_of(move_order)
        self._options = kernel_options(
            algorithm, goal.shape, ties, weight, width, max_length, batch, on_iteration, weight_step
        )
        if algorithm.informed:
            self.heuristic = heuristic_for(DEFAULT_HEURISTIC if heuristic is None else heuristic, goal, tables)
            if batch is None and "batch" in self._options:
                self._options["batch"] = self.heuristic.batch
        else:
            self.heuristic = heuristic_of("zero", goal=goal)
        self._prove, self._tables, self._share = prove, tables, share
        self._on_improvement, self._on_expand = on_improvement, on_expand
        self._token = os.urandom(16)

    @property
    def heuristic_name(self) -> Optional[str]:
        """str or None: as in `Solution`."""
        return self.heuristic.name if self.algorithm.informed else None

    def run(self, start: Board) -> Solution:
        """Search for a solution of a board of the goal's shape; UnsolvableError if it cannot reach the goal."""
        kind, end, estimate, options = self.algorithm, self.goal, self.heuristic, dict(self._options)
        max_nodes, time_limit_s, max_memory = (
            self._limits["max_nodes"],
            self._limits["time_limit_s"],
            self._limits["max_memory"],
        )
        check_solvable(start, end)
        evaluator, turn, back = estimate.prepare()
        packed = floor_board = turn(start)
        if kind.name in MEETING:
            backward, _, back_there = _toward(start, estimate, kind.name).prepare()
            options |= {"goal": end.packed, "backward": backward, "backs": (back, back_there)}
            packed, back = start.packed, bytes(range(4))
        # The children must be in the caller's order, in whose view direction d is back[d].
        turned_order = bytes(back.index(direction) for direction in self._order)
        if kind.name in REMEMBERING:
            if max_memory is None:
                max_memory = _available_memory(int(time.monotonic())) // 4 * 3 // self._share
                max_memory = min(max_memory, TABLE_BYTES) if kind.name == "ida*-tt" else max_memory
            options["max_bytes"] = max_memory
        recorder = None
        if self._on_expand is not None:
            recorder = Recorder(self._on_expand, kind, f_weights(kind, options), start, end, back)
        began = time.monotonic()
        deadline = None if time_limit_s is None else began + time_limit_s
        with estimate.folders_named():
            floor = evaluator.board(floor_board)
            improvements = None
            if "on_improvement" in kind.options:
                improvements = Improvements(
                    self._on_improvement, kind, estimate, start, floor, back, options.get("g_weight", 1), began
                )
                options["on_improvement"] = improvements
            if kind.name == "beam-stack":
                options["below"] = farthest(end.shape, end.blank) + 1
            try:
                answer = KERNELS[kind.name](
                    evaluator,
                    packed,
                    turned_order,
                    max_nodes=max_nodes,
                    deadline=deadline,
                    on_expand=recorder,
                    **options,
                )
            except InternalError as error:
                raise InternalError(f"board {start}: {error}") from None
            except MemoryError:  # there is not even enough for the first node
                if recorder is not None and recorder.count:
                    raise
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
            heuristic=self.heuristic_name,
            max_length=options.get("last_bound"),
            largest_open=answer["largest_open"],
            largest_closed=answer["largest_closed"],
            memory_bytes=answer["memory_bytes"],
            improvements=() if improvements is None else improvements.end(moves, bound, answer),
        )
        if self._prove and moves is not None and not optimal:
            left = None if max_nodes is None else max(max_nodes - solution.generated, 0)
            return prove_or_shorten(
                solution, self._tables, left, None if deadline is None else max(deadline - time.monotonic(), 0.0)
            )
        return solution

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (self.__dict__,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Search) and self._token == other._token

    def __hash__(self) -> int:
        return hash(self._token)


def _arrived(state: dict[str, Any]) -> Search:
    """The search of a pickle."""
    search = Search.__new__(Search)
    search.__dict__.update(state)
    return _first(search)


@lru_cache(maxsize=16)
def _first(search: Search) -> Search:
    """The first of equal searches that arrived in this process: its heuristic is open."""
    return search


def board_and_goal(board: BoardLike, goal: Optional[BoardLike], shape: Optional[Sequence[int]]) -> tuple[Board, Board]:
    """A board and its goal of the same shape; by default, the goal has the tiles in order and the blank last."""
    if isinstance(goal, Board) and shape is None:
        return board_beside(goal, board), goal
    start = Board(board, shape)
    return start, Board.goal(start.shape) if goal is None else board_beside(start, goal, "board")


def goal_beside(heuristic: Union[HeuristicLike, Heuristic, None], goal: Optional[BoardLike]) -> Optional[BoardLike]:
    """The goal that was given, by default that of the heuristic; None if neither says one."""
    if isinstance(heuristic, Heuristic):
        return heuristic.goal if goal is None else board_beside(heuristic.goal, goal)
    return own_goal(heuristic) if goal is None and heuristic is not None else goal


def check_solvable(board: Board, goal: Board) -> None:
    """UnsolvableError if no moves lead from the board to the goal."""
    if not board.is_solvable(goal):
        raise UnsolvableError(unsolvable_text(board, goal))


def heuristic_for(given: Union[HeuristicLike, Heuristic], goal: Board, tables: Folder) -> Heuristic:
    """The heuristic for a goal that was given as one, or as what `puzzle15.heuristics.heuristic` takes."""
    if isinstance(given, Heuristic):
        if given.goal != goal:
            raise ValueError(f"heuristic: it is for the goal {given.goal}, not for {goal}")
        return given
    return heuristic_of(given, goal=goal, tables=tables)


def _toward(start: Board, estimate: Heuristic, algorithm: str) -> Heuristic:
    """The same heuristic, to the start of the search."""
    try:
        return estimate.toward(start)
    except ValueError as error:
        raise ValueError(f"heuristic: {algorithm} needs it toward the board, too: {error}") from error


@lru_cache(maxsize=1)
def _available_memory(second: int) -> int:
    """The available memory, asked for at most once per second, as asking takes longer than a small search."""
    return available_memory()
