"""`search`, which runs an algorithm on a board, and `Search`, which runs one on any board of its goal."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from operator import add
from typing import TYPE_CHECKING, Any, Optional, Union

from .._core.base import board as _board
from .._system.machine import available_memory
from .._system.sendable import Sendable
from ..board import Board, BoardLike, farthest, moves_from_directions
from ..board._board import read_board_like
from ..board._distances import check_bound
from ..board._moves import order_of
from ..board._solvability import check_solvable
from ..errors import HeuristicError, InternalError, OptionError
from ..heuristics import Heuristic
from ..heuristics import heuristic as heuristic_of
from ..heuristics._evaluation import own_goal
from ..solver import Counts, Iteration, Solution
from ..solver._solver import best_solver
from ._algorithms import DEFAULT_HEURISTIC, Algorithm
from ._expansions import Improvements, Recorder
from ._options import SearchFields, SearchOptions, options_of, takes_fields
from ._priorities import value_of
from ._registering import COUNTS, refutation, run_registered

if TYPE_CHECKING:
    from typing_extensions import Unpack

_STRAIGHT = bytes(range(4))

#: f of g and h, by `Algorithm.f`.
_VALUES: dict[str, Callable[[int, int], int]] = {"g": lambda g, h: g, "h": lambda g, h: h, "g + h": add}

#: The answer of a search that could not begin.
_NOTHING: dict[str, Any] = {"status": "limit", "directions": None, "lower_bound": 0, **dict.fromkeys(COUNTS, 0)}


@takes_fields(SearchFields)
def search(
    board: BoardLike,
    options: Union[SearchOptions, str, None] = None,
    *,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    **fields: Unpack[SearchFields],
) -> Solution:
    """Search for a solution of one board with a textbook algorithm.

    `puzzle15.solve` is much faster if you only want a shortest solution.

    Parameters
    ----------
    board : board
        Anything that `Board` takes.
    options : SearchOptions or str, optional
        The algorithm, the heuristic, limits, and more; or only the name of the algorithm.
    goal : board, optional
        By default, the goal of the heuristic, or the tiles in order and the blank last.
    shape : (int, int), optional
        Rows and columns, if `board` does not determine them.
    **fields
        Fields of `SearchOptions`, which replace those of `options`, as in ``search(board, algorithm="ida*")``.

    Returns
    -------
    Solution
        Its status is "solved", "failed", or "limit" with the lower bound that was proved until then. If its status is
        "limit" and it has moves, the proof was not completed.

    Raises
    ------
    BoardError, UnsolvableError
    ValueError
        If an option was given that the algorithm does not use, or a value is not possible.
    TableMissingError, TableCorruptError
        From a heuristic that uses tables.
    HeuristicError
        If your own function returns anything but one number from 0 to 255 per board, or is not admissible although it
        claims to be. Exceptions that it raises end the search as they are.

    Notes
    -----
    A node is tested for the goal just before it is expanded; bidirectional, mm, mme and nbs test children when they are
    generated. The move that undoes the last one generates no child. Greedy search ignores boards that it has seen
    before. The others keep the shorter path to such a board, and expand it again if necessary. Hill-climbing ends
    before any limit.

    The search of `prove` is not recorded. An expansion of depth-first, iterative-deepening and ida* lists all children,
    although those after the goal are not in `generated`. A beam reports its expansions when their depth is complete.
    With `on_expand`, each node takes some hundred bytes more, which `max_memory` does not count.

    Examples
    --------
    >>> solution = search("1 2 3/0 5 6/4 7 8", algorithm="ida*", heuristic="manhattan")
    >>> solution.moves, solution.lower_bound, solution.generated
    ('ULL', 3, 6)
    >>> search("1 2 3/0 5 6/4 7 8", "astar") == search("1 2 3/0 5 6/4 7 8", algorithm="a*")
    True
    >>> options = SearchOptions(algorithm="weighted-a*", weight=3)
    >>> search("8 6 7/2 5 4/3 0 1", options).length, search("8 6 7/2 5 4/3 0 1", options, weight=1).length
    (35, 31)
    """
    options = options_of(search, options, fields)
    start, end = board_and_goal(board, own_goal(options.heuristic) if goal is None else goal, shape)
    return Search(options, end).run(start)


class Search(Sendable):
    """Options with a goal and an open heuristic: runs on any board of the goal's shape.

    `share` searches of this machine share the available memory, where `max_memory` does not limit it. It can be pickled
    without callbacks.
    """

    def __init__(self, options: SearchOptions, goal: Board, share: int = 1) -> None:
        self._open(options, goal, share)

    def _open(self, options: SearchOptions, goal: Board, share: int, identity: object = None) -> None:
        self.options, self.algorithm, self.goal, self._share = options, options.kind, goal, share
        self._order = order_of(options.move_order)
        self._kernel_options = options.for_kernel(goal)
        if self.algorithm.informed:
            given = DEFAULT_HEURISTIC if options.heuristic is None else options.heuristic
            self.heuristic = heuristic_of(given, goal=goal, tables=options.tables)
            if options.batch is None and "batch" in self._kernel_options:
                self._kernel_options["batch"] = max(self._kernel_options["batch"], self.heuristic.batch)
        else:
            self.heuristic = heuristic_of("zero", goal=goal)

    def _settings(self) -> tuple[Any, ...]:
        heuristic = self.heuristic if self.algorithm.informed else None
        options = copy.copy(self.options)  # with this algorithm, whatever was registered later
        object.__setattr__(options, "heuristic", heuristic)
        return options, self.goal, self._share, self.algorithm.identity

    @property
    def heuristic_name(self) -> Optional[str]:
        """str or None: as in `Solution`."""
        return self.heuristic.name if self.algorithm.informed else None

    def run(self, start: Board) -> Solution:
        """Search for a solution of a board of the goal's shape; UnsolvableError if it cannot reach the goal."""
        kind, estimate, options = self.algorithm, self.heuristic, self.options
        check_solvable(start, self.goal)
        evaluator, turn, back = estimate.prepare()
        packed = turned = turn(start)
        given = dict(self._kernel_options)
        both_ends = kind.bidirectional and kind.informed
        if both_ends:
            backward, _, back_there = _toward(start, estimate, kind.name).prepare()
            given.update(goal=self.goal.packed, backward=backward, backs=(back, back_there))
        if kind.function is not None or both_ends:
            packed, back = start.packed, _STRAIGHT
        if kind.remembers:
            given["max_bytes"] = self._memory()
        recorder = None
        if options.on_expand is not None:
            f_of = _VALUES.get(kind.f) or partial(value_of, options.priority or "linear", _weight(given))
            recorder = Recorder(options.on_expand, kind, f_of, (start, self.goal), back)
        began = time.monotonic()
        deadline = None if options.time_limit_s is None else began + options.time_limit_s
        with estimate.explain_table_errors():
            proved = partial(_proved_bound, kind, estimate, start, evaluator.board(turned))
            improvements = Improvements(options.on_improvement, proved, back, given.get("g_weight", 1), began)
            if kind.takes("on_improvement"):
                given["on_improvement"] = improvements
            given.update(max_nodes=options.max_nodes, deadline=deadline, on_expand=recorder, counts=options.counts)
            order = bytes(back.index(direction) for direction in self._order)  # the kernel numbers directions anew
            try:
                if kind.function is None:
                    answer = kind.load_kernel()(evaluator, packed, order, **given) or _NOTHING
                else:
                    answer = run_registered(kind, start, estimate, **given)
            except InternalError as error:
                raise InternalError(f"board {start}: {error}") from None
        seconds = time.monotonic() - began
        moves, status = None, answer["status"]
        if answer["directions"] is not None and status != "failed":
            moves = moves_from_directions(bytes(back[direction] for direction in answer["directions"]))
        bound = proved(answer["lower_bound"], status, moves)
        optimal = moves is not None and bound == len(moves)
        solution = Solution(
            board=start,
            goal=self.goal,
            status="solved" if optimal else status,
            moves=moves,
            optimal=optimal,
            lower_bound=bound,
            seconds=seconds,
            iterations=tuple(Iteration(*counts) for counts in answer.get("iterations", ())),
            algorithm=kind.name,
            heuristic=self.heuristic_name,
            max_length=given.get("last_bound", given.get("max_length")),
            counts=_counts(answer, kind, bound if optimal else None, moves is not None),
            improvements=improvements.end(moves, bound, answer) if kind.takes("on_improvement") else (),
            **{name: answer[name] for name in COUNTS},
        )
        proves = options.prove and moves and (not optimal or kind.function is not None)
        return _prove_or_shorten(solution, options, deadline) if proves else solution

    def _memory(self) -> int:
        """Return the most bytes that the nodes may take."""
        if self.options.max_memory is not None:
            return int(self.options.max_memory)
        most = _available_memory(int(time.monotonic())) // 4 * 3 // self._share
        return min(most, self.algorithm.default_memory or most)


def _proved_bound(
    algorithm: Algorithm, estimate: Heuristic, board: Board, floor: int, answer: int, status: str, moves: Optional[str]
) -> int:
    """Return the proved lower bound, from the heuristic of the board and the bound that the kernel returned.

    Raises TableCorruptError if the bound is larger than the distance of the farthest board, and HeuristicError if that,
    or the solution, refutes what a function or a table given as an array claims.
    """
    goal = estimate.goal
    # No solution is shorter than the Manhattan distance, and the lengths of all solutions have its parity.
    manhattan = _board.manhattan(board.packed, goal.packed, board.shape)
    bound = manhattan
    if not algorithm.informed or estimate.admissible:
        bound = max(int(board != goal), floor)
        if not algorithm.takes("max_length") or status == "failed":  # otherwise its bound is the depth limit
            bound = max(bound, answer)
        if algorithm.promises(estimate) and status == "solved" and moves is not None:
            bound = max(bound, len(moves))
    bound += (bound ^ manhattan) & 1
    if estimate.admissible:
        farthest_board = farthest(goal.shape, goal.blank)
        most = farthest_board if moves is None else len(moves)
        if estimate.user_defined and bound > most:
            names = " and ".join(repr(each.name) for each in estimate.user_defined)
            raise HeuristicError(
                f"heuristic {names}: claims to be admissible, but by it the board {board} needs {bound} moves at "
                f"least, and {most} are enough; lower its values, or leave out admissible=True"
            )
        with estimate.explain_table_errors():
            check_bound(bound, farthest_board, board)
    return bound


def _weight(given: dict[str, Any]) -> Fraction:
    """Return the weight of h, as a kernel or a registered function is given it."""
    weight: Fraction = given["weight"] if "weight" in given else Fraction(given["h_weight"], given["g_weight"])
    return weight


def _counts(answer: dict[str, Any], kind: Algorithm, shortest: Optional[int], solved: bool) -> Optional[Counts]:
    """Return the counts of nodes by layer, if they were asked for."""
    layers = answer.get("layers")
    if layers is None:
        return None
    two = kind.bidirectional or (kind.function is not None and layers[0][1].any())
    return Counts.from_kernel(answer, 2 if two else 1, shortest, solved)


def _prove_or_shorten(solution: Solution, options: SearchOptions, deadline: Optional[float]) -> Solution:
    """Prove that a solution is shortest, or find a shorter one; status "limit" if the limits end the proof."""
    assert solution.length is not None and solution.board is not None
    nodes_left = None if options.max_nodes is None else max(options.max_nodes - solution.generated, 0)
    seconds_left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
    answer = best_solver(solution.goal, tables=options.tables).solve(
        solution.board, max_length=solution.length - 2, max_nodes=nodes_left, time_limit_s=seconds_left
    )
    bound = max(solution.lower_bound, answer.lower_bound)
    shorter = answer.length if answer.status == "solved" else None
    if shorter is not None and solution.lower_bound > shorter:
        raise refutation(solution.algorithm, solution.board, solution.lower_bound, shorter)
    optimal = shorter is not None or bound >= solution.length
    return replace(
        solution,
        status="solved" if optimal else "limit",
        moves=solution.moves if shorter is None else answer.moves,
        optimal=optimal,
        lower_bound=min(bound, solution.length) if shorter is None else shorter,
        expanded=solution.expanded + answer.expanded,
        generated=solution.generated + answer.generated,
        seconds=solution.seconds + answer.seconds,
    )


def board_and_goal(board: BoardLike, goal: Optional[BoardLike], shape: Optional[Sequence[int]]) -> tuple[Board, Board]:
    """Return a board and its goal of the same shape; by default, the goal has the tiles in order and the blank last."""
    if isinstance(goal, Board) and shape is None:
        return read_board_like(goal, board), goal
    start = Board(board, shape)
    return start, Board.goal(start.shape) if goal is None else read_board_like(start, goal, "board")


def _toward(start: Board, estimate: Heuristic, algorithm: str) -> Heuristic:
    """Return the heuristic to the start of the search."""
    try:
        return estimate.toward(start)
    except ValueError as error:
        raise OptionError(f"heuristic: {algorithm} needs it toward the board, too: {error}") from error


@lru_cache(maxsize=1)
def _available_memory(second: int) -> int:
    """Return the available memory. It is read once per second, because reading it takes longer than a small search."""
    return available_memory()
