"""Labels of many boards as columns. No loop over boards runs in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .._system.lazy import np
from .._system.threads import thread_count
from ..board import BoardsLike, Shape, blank_cells, moves_from_directions, neighbours, slide, unpack_boards
from ..board._solvability import pack_solvable
from ..errors import OptionError
from ._engine import turn_paths
from ._solver import Solver, check_single_tile

if TYPE_CHECKING:
    from numpy.typing import NDArray


def label(
    solver: Solver,
    boards: BoardsLike,
    *,
    first_moves: bool = False,
    table_values: bool = False,
    along_path: bool = False,
    workers: Optional[int] = 1,
) -> dict[str, NDArray[Any]]:
    """Distances and solutions of many boards as columns, and optional further columns.

    In the columns a move is a direction of the *blank*: 0 up, 1 left, 2 right, 3 down.

    Parameters
    ----------
    solver, boards
        The boards are given as for `Solver.solve_many`.
    first_moves, table_values : bool
        Whether to add these columns.
    along_path : bool
        Whether all boards along its solution, except the goal, follow each board. The goal itself makes one row.
    workers : int or None
        The number of threads. The result does not depend on it.

    Returns
    -------
    dict of str to ndarray
        Columns of n rows, in the order of the boards:

        board : uint8, shape (n, cells)
            Tiles, cell by cell, 0 for the blank.
        distance : uint8, shape (n,)
            Moves of a shortest solution.
        solution : uint8, shape (n, 40)
            One shortest solution, with two bits per move: move i lies in bits 2 (i % 4) of byte i // 4. 0 after its
            end. `moves` makes letters of it.
        first_moves : uint8, shape (n,)
            Bit d is set if the blank's move in direction d begins a shortest solution. 0 for the goal.
        table_values : uint8, shape (n, solver.open_tables.lookups)
            The lower bound of each lookup of the tables; `Solver.lower_bound_many` is their maximum.
        start : uint32, shape (n,)
            With `along_path`: the index of the board that was given.

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> solver = Solver(shape=(3, 3))
    >>> columns = label(solver, ["1 2 3/4 5 0/7 8 6", "1 2 3/0 5 6/4 7 8"], first_moves=True)
    >>> columns["distance"].tolist(), columns["first_moves"].tolist()
    ([1, 3], [8, 8])
    """
    check_single_tile(solver)
    threads, engine = thread_count(workers), solver.engine
    packed, _ = pack_solvable(boards, solver.goal, "raise")
    results = engine.solve(packed, threads=threads)
    distance, solution = results["length"], results["path"]
    del results
    turn_paths(distance, engine.orientation.direction_back, solution)
    start = None
    if along_path:
        packed, distance, solution, start = _follow_paths(packed, distance, solution, engine.goal.shape)
    columns: dict[str, NDArray[Any]] = {"board": unpack_boards(packed, engine.goal.shape), "distance": distance}
    columns["solution"] = solution
    if start is not None:
        columns["start"] = start
    if first_moves:
        known = np.zeros(len(packed), dtype=np.uint8)
        if start is not None:  # the board before is on the same path, unless one begins here; it is at d + 1
            undone = np.where(start[1:] == start[:-1], np.uint8(8) >> (solution[:-1, 0] & 3), 0)
            known[1:] = undone.astype(np.uint8)
        columns["first_moves"] = engine.first_moves(packed, distance, solution, known, threads)[0]
    if table_values:
        columns["table_values"] = np.empty((len(packed), engine.tables.lookups), dtype=np.uint8)
        engine.lower_bounds(packed, columns["table_values"])
    return columns


def moves(solution: NDArray[np.uint8], distance: int) -> str:
    """A row of the column ``solution`` of `label` as text: a letter per move, the direction in which the tile moves.

    >>> from puzzle15 import Solver
    >>> columns = label(Solver(shape=(2, 2)), ["0 1/3 2"])
    >>> moves(columns["solution"][0], columns["distance"][0])
    'LU'
    """
    if distance > 4 * len(solution):
        raise OptionError(f"a path of {distance} moves in {len(solution)} bytes")
    directions = (np.asarray(solution)[:, None] >> np.arange(0, 8, 2) & 3).ravel()  # four in a byte
    return moves_from_directions(directions[: int(distance)].tolist())


def _follow_paths(
    packed: NDArray[np.uint64], lengths: NDArray[np.uint8], paths: NDArray[np.uint8], shape: Shape
) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint32]]:
    """The boards along every path, the goal left out, path after path: (boards, lengths, paths, index of the path)."""
    counts = np.maximum(lengths, 1).astype(np.int64)
    row, beside = np.cumsum(counts) - counts, neighbours(shape).astype(np.int64)
    boards = np.empty(counts.sum(), dtype=np.uint64)
    left, rest = np.empty(len(boards), dtype=np.uint8), np.empty((len(boards), paths.shape[1] // 8), dtype="<u8")
    at, moves, blank = np.arange(len(packed)), np.ascontiguousarray(paths).view("<u8"), blank_cells(packed, shape)
    for step in range(counts.max(initial=0)):
        here = row[at] + step
        boards[here], left[here], rest[here] = packed, lengths[at] - step, moves
        on = counts[at] > step + 1
        at, packed, moves, blank = at[on], packed[on], moves[on], blank[on]
        to = beside[blank, (moves[:, 0] & 3).astype(np.int64)]
        packed, blank = slide(packed, blank, to), to
        moves, following = moves >> np.uint64(2), moves[:, 1:] << np.uint64(62)
        moves[:, :-1] |= following
    return boards, left, rest.view(np.uint8), np.repeat(np.arange(len(counts), dtype=np.uint32), counts)
