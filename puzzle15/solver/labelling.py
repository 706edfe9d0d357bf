"""Labelling many boards: distances, solutions, first moves and table values, as columns of arrays.

`label` gives the distance and a shortest solution of every board, and on request all first moves of
shortest solutions, the values of the tables, and the same for every board along each solution.  All
arrays have one row per board.  No loop over boards runs in Python.

In the columns a move is a direction of the *blank*: 0 up, 1 left, 2 right, 3 down.  Texts name the *tile's* direction,
as everywhere in puzzle15, which is the opposite one: where the blank moves up (0), a tile moves down (``D``).  `moves`
turns the one into the other.

A solution is packed: it takes two bits per move, and move i lies in bits 2 (i % 4) of byte i // 4.  First moves are a
set: bit d is set if direction d belongs to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core.optimal.idastar import directions_of_path, follow_paths, turn_paths
from ..board import BoardsLike, moves_from_directions, pack_solvable, unpack_boards
from ..parallel import thread_count
from ..system.later import np
from .solver import Solver

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["label", "moves"]


def label(
    solver: Solver,
    boards: BoardsLike,
    *,
    first_moves: bool = False,
    table_values: bool = False,
    along_path: bool = False,
    workers: int = 1,
) -> dict[str, NDArray[Any]]:
    """Label many boards with their distances, solutions, and what else is asked for.

    Parameters
    ----------
    solver : Solver
        Distances are measured to its goal, in single-tile moves.
    boards : array or iterable
        As for `Solver.solve_many`.
    first_moves : bool
        Whether to find all first moves of shortest solutions.
    table_values : bool
        Whether to give the lower bound of each view of the tables.
    along_path : bool
        Whether all boards along its solution, except the goal, follow each board: a board at distance d
        makes d rows. The goal itself makes one row.
    workers : int
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
            One shortest solution, packed; always the same one for the same tables. 0 after its end.
        first_moves : uint8, shape (n,)
            With `first_moves`: bit d is set if the blank's move in direction d (0 up, 1 left, 2 right, 3 down)
            begins a shortest solution. 0 for the goal.
        table_values : uint8, shape (n, solver.view_count)
            With `table_values`: lower bounds; `Solver.heuristic_many` is their maximum.
        start : uint32, shape (n,)
            With `along_path`: the index of the board that was given.

    Raises
    ------
    BoardError, UnsolvableError
        With the index of the first bad board.
    TableCorruptError
        A table file is damaged.

    Notes
    -----
    Of a board at distance d, the child on the known solution is at distance d - 1, and every other
    child at d - 1 or d + 1: a search of that child, limited to d - 1 moves, tells which. The board
    before on the same path is at d + 1, and not asked.

    Examples
    --------
    >>> columns = label(Solver(shape=(3, 3)), ["1 2 3/4 5 0/7 8 6", "1 2 3/0 5 6/4 7 8"], first_moves=True)
    >>> columns["distance"].tolist(), columns["first_moves"].tolist()
    ([1, 3], [8, 8])
    >>> moves(columns["solution"][1], 3)
    'ULL'
    >>> label(Solver(shape=(3, 3)), ["1 2 3/0 5 6/4 7 8"], along_path=True)["board"].tolist()
    [[1, 2, 3, 0, 5, 6, 4, 7, 8], [1, 2, 3, 4, 5, 6, 0, 7, 8], [1, 2, 3, 4, 5, 6, 7, 0, 8]]
    """
    solver.check_single_tile()
    threads = thread_count(workers)
    packed, _ = pack_solvable(boards, solver.goal, "raise")
    results = solver.solve_packed(packed, workers=threads)
    distance, solution = results["length"], results["path"]
    del results
    turn_paths(distance, solver.orientation.direction_back, solution)
    start = None
    if along_path:
        packed, distance, solution, start = follow_paths(packed, distance, solution, solver.shape)
    columns: dict[str, NDArray[Any]] = {"board": unpack_boards(packed, solver.shape), "distance": distance}
    columns["solution"] = solution
    if start is not None:
        columns["start"] = start
    if first_moves:
        columns["first_moves"] = _first_moves(solver, packed, columns, threads)
    if table_values:
        columns["table_values"] = np.empty((len(packed), solver.view_count), dtype=np.uint8)
        solver.look_up(packed, values=columns["table_values"], what="row {}")
    return columns


def moves(solution: NDArray[np.uint8], distance: int) -> str:
    """A packed solution as text: one letter per move.

    A letter is the direction in which the *tile* moves, which is opposite to the blank's.

    Parameters
    ----------
    solution : array of uint8, shape (40,)
        A row of `label`'s column.
    distance : int
        Its moves.

    Returns
    -------
    str

    Examples
    --------
    >>> columns = label(Solver(shape=(2, 2)), ["0 1/3 2"])
    >>> moves(columns["solution"][0], columns["distance"][0])
    'LU'
    """
    return moves_from_directions(directions_of_path(np.ascontiguousarray(solution), int(distance)))


def _first_moves(
    solver: Solver, packed: NDArray[np.uint64], columns: dict[str, NDArray[Any]], threads: int
) -> NDArray[np.uint8]:
    move = columns["solution"][:, 0] & 3
    own = np.where(columns["distance"] > 0, np.uint8(1) << move, 0).astype(np.uint8)
    known = own.copy()
    if "start" in columns:  # the board before is on the same path, unless one begins here
        undone = np.where(columns["start"][1:] == columns["start"][:-1], np.uint8(8) >> move[:-1], 0)
        known[1:] |= undone.astype(np.uint8)
    return own | solver.other_first_moves(packed, columns["distance"], known, workers=threads)
