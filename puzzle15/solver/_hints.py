"""The first moves of all shortest solutions of a board, and all these solutions.

A graph holds the boards on shortest solutions that are known. It begins with those on one solution, and grows by
limited searches of the boards beside them; see `puzzle15/_core/optimal/graph.pyx`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Optional

from .._core.optimal.graph import Graph, Listing
from .._system.quantities import count_text
from .._system.unsendable import Unsendable
from ..board import Board, format_moves
from ..board._moves import KINDS, Convention, Metric, directions_from_moves
from ..errors import Puzzle15Error
from ._engine import Engine, Limits, Progress, moves_of_set, turn_paths
from ._solution import Solution, Status

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_Left = tuple[Optional[int], Optional[float]]  # max_nodes, deadline
_SPACES: dict[Metric, str] = {"stm": "", "mtm": " "}  # between first moves


@dataclass(frozen=True)
class Hint:
    """The distance of a board, and its optimal moves.

    Attributes
    ----------
    board, goal : Board
        The board is None if the input was not a board.
    status : {"solved", "limit", "error"}
        "limit": moves may be missing. "error": only of `Solver.hint_many` with ``on_error="mark"``.
    distance : int or None
        Moves of a shortest solution; None if it is not known.
    best_moves : str
        The first moves of all shortest solutions, in the order ``UDLR``: a letter each, the direction in which a tile
        moves. Of multi-tile moves a letter per tile that moves, and a space between moves: ``D DD L``.
    lower_bound, expanded, generated, error
        As in `Solution`; nodes of all searches.
    seconds : float
        Wall time; 0 of boards that `Solver.hint_many` answers together. It is left out of comparisons.
    metric : {"stm", "mtm"}
        Whether `distance` and `lower_bound` count single-tile or multi-tile moves.

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> print(Solver(shape=(3, 3)).hint("8 6 7/2 5 4/3 0 1"))
    31 moves; optimal: D L R
    >>> print(Solver(shape=(3, 3), metric="mtm").hint("8 6 7/2 5 4/3 0 1"))
    20 multi-tile moves; optimal: D D2
    """

    board: Optional[Board]
    goal: Board
    status: Status
    distance: Optional[int]
    best_moves: str
    lower_bound: int
    expanded: int = 0
    generated: int = 0
    seconds: float = field(default=0.0, compare=False)
    error: Optional[Puzzle15Error] = field(default=None, compare=False)
    metric: Metric = "stm"

    def to_dict(self, *, convention: Convention = "tile") -> dict[str, Any]:
        """Return the hint as plain values, which JSON can hold; `convention` as for `Solution.to_dict`.

        >>> from puzzle15 import Solver
        >>> record = Solver(shape=(3, 3)).hint("1 2 3/4 5 6/7 0 8").to_dict()
        >>> record["distance"], record["moves"], record["convention"]
        (1, 'L', 'tile')
        """
        return {
            "board": None if self.board is None else str(self.board),
            "goal": str(self.goal),
            "distance": self.distance,
            "moves": format_moves(self.best_moves, convention=convention),
            "convention": convention,
            "metric": self.metric,
            "lower_bound": self.lower_bound,
            "expanded": self.expanded,
            "generated": self.generated,
            "seconds": round(self.seconds, 6),
            "status": self.status,
            "error": None if self.error is None else " ".join(str(self.error).split()),
        }

    def __str__(self) -> str:
        return self.text()

    def text(self, *, convention: Convention = "tile") -> str:
        """Return the hint as one line for people; `convention` as for `to_dict`."""
        if self.error is not None:
            return f"error: {self.error}"
        if self.distance is None:
            return f"{self.status}: at least {count_text(self.lower_bound, KINDS[self.metric])}"
        line = count_text(self.distance, KINDS[self.metric])
        if self.best_moves:
            moves = " ".join(self.best_moves) if self.metric == "stm" else self.best_moves
            line += f"; optimal: {format_moves(moves, convention=convention, compress=True)}"
        return line + (", and perhaps others" if self.status == "limit" else "")


class AllSolutions(Unsendable, instead="it searches on in this process; send a list of it, or the board"):
    """All shortest solutions of a board: an iterator over their moves, which searches only for what is used of it.

    Each solution comes once, as a string of letters. They are ordered by their moves, from the first move on, and moves
    in the order ``UDLR``; of multi-tile moves in one direction, that of fewer tiles comes first. Several threads may
    use it: then each solution comes to one of them.

    Attributes
    ----------
    solution : Solution
        One shortest solution; without moves if a limit was reached.
    complete : bool
        Whether all solutions have been given. If it is false at the end, a limit was reached.

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> solutions = Solver(shape=(2, 3)).all_solutions("4 5 2/3 0 1")
    >>> list(solutions), solutions.complete
    (['LDRURDLULDRUL', 'LDRURDLLURDLU'], True)
    """

    def __init__(self, engine: Engine, board: Board, limits: Limits, workers: int) -> None:
        self.complete = False
        self._engine = engine
        self.solution, self._graph, self._board, self._limits = graph_of(engine, board, limits, workers)
        if self.solution.moves is not None:
            self._listing = Listing(self._graph, self._board, engine.order)

    def __iter__(self) -> AllSolutions:
        return self

    def __next__(self) -> str:
        if self.solution.moves is None:
            raise StopIteration
        with self._engine.tables.explain_table_errors(self.solution.board):
            directions = self._listing.next(*self._limits)
        if directions is None:
            self.complete = self._listing.ended
            raise StopIteration
        return self._engine.letters(directions)

    def count(self) -> Optional[int]:
        """Return the number of all shortest solutions, counted without a list of them; None if a limit was reached.

        >>> from puzzle15 import Solver
        >>> Solver(shape=(3, 3)).all_solutions("8 6 7/2 5 4/3 0 1").count()
        40
        """
        if self.solution.moves is None:
            return None
        with self._engine.tables.explain_table_errors(self.solution.board):
            return self._graph.count_solutions(self._board, *self._limits)


def graph_of(engine: Engine, board: Board, limits: Limits, threads: int) -> tuple[Solution, Graph, int, _Left]:
    """A solution, a graph of the boards on it, empty without moves; the packed board there, and what limits leave."""
    solution = engine.solve_one(board, limits, threads)
    left = limits.after(solution.generated)
    graph, packed = Graph(engine.tables.problem, threads), engine.orientation.turn_one(board)
    if solution.moves is not None:
        graph.add(packed, engine.directions(solution.moves))
    return solution, graph, packed, (left.max_nodes, left.deadline)


def hint_of(engine: Engine, board: Board, limits: Limits, threads: int) -> Hint:
    """See `Solver.hint`."""
    start = time.monotonic()
    solution, graph, packed, left = graph_of(engine, board, limits, threads)
    moves, whole = "", False
    if solution.moves is not None:
        with engine.tables.explain_table_errors(board):
            _, mask, whole = graph.query(packed, *left)
        moves = _SPACES[engine.metric].join(moves_of_set(mask, engine.order))
    return Hint(
        board=board,
        goal=solution.goal,
        status="solved" if whole else "limit",
        distance=solution.length,
        best_moves=moves,
        lower_bound=solution.lower_bound,
        expanded=solution.expanded + graph.expanded,
        generated=solution.generated + graph.generated,
        seconds=time.monotonic() - start,
        metric=engine.metric,
    )


def share_searches(engine: Engine, limits: Limits) -> bool:
    """Whether the boards of `hints_of` share searches; in multi-tile moves, all slots search one board anyway."""
    return engine.metric == "stm" and not limits.any


def hints_of(
    engine: Engine, packed: NDArray[np.uint64], limits: Limits, threads: int = 1, progress: Progress = None
) -> list[Hint]:
    """Return the hints for packed boards; without limits, the boards share their searches of single-tile moves."""
    boards = [Board._of(board, engine.goal.shape) for board in packed.tolist()]
    if not share_searches(engine, limits):
        found: list[Hint] = []
        while len(found) < len(boards) and limits.seconds_left > 0:
            found.append(hint_of(engine, boards[len(found)], limits.of(len(found)), threads))
        rows = slice(len(found), None)
        bounds = engine.solve(packed[rows], limits.of(rows), threads)["lower_bound"].tolist() if boards[rows] else []
        unknown = Hint(None, engine.goal, "limit", None, "", 0, metric=engine.metric)
        return found + [replace(unknown, board=board, lower_bound=bound) for board, bound in zip(boards[rows], bounds)]
    results = engine.solve(packed, threads=threads)
    distance, path = results["length"], results["path"]
    turn_paths(distance, engine.orientation.direction_back, path)
    first, expanded, generated = engine.first_moves(packed, distance, path, threads=threads, progress=progress)
    order = directions_from_moves("UDLR")
    return [
        Hint(board, engine.goal, "solved", length, "".join(moves_of_set(directions, order)), length, *counts)
        for board, length, directions, *counts in zip(
            boards,
            distance.tolist(),
            first.tolist(),
            (results["expanded"] + expanded).tolist(),
            (results["generated"] + generated).tolist(),
        )
    ]
