"""The columns of `Solver.label`, and what is in them. No loop over boards runs in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core.optimal.idastar import directions_of_path, follow_paths, turn_paths
from ..board import moves_from_directions, unpack_boards
from ..system.later import np
from .engine import Engine

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["label", "moves"]


def label(
    engine: Engine,
    packed: NDArray[np.uint64],
    first_moves: bool,
    table_values: bool,
    along_path: bool,
    threads: int,
) -> dict[str, NDArray[Any]]:
    """`Solver.label` of packed boards."""
    results = engine.solve(packed, threads=threads)
    distance, solution = results["length"], results["path"]
    del results
    turn_paths(distance, engine.orientation.direction_back, solution)
    start = None
    if along_path:
        packed, distance, solution, start = follow_paths(packed, distance, solution, engine.goal.shape)
    columns: dict[str, NDArray[Any]] = {"board": unpack_boards(packed, engine.goal.shape), "distance": distance}
    columns["solution"] = solution
    if start is not None:
        columns["start"] = start
    if first_moves:
        columns["first_moves"] = _first_moves(engine, packed, columns, threads)
    if table_values:
        columns["table_values"] = np.empty((len(packed), engine.tables.lookups), dtype=np.uint8)
        engine.lower_bounds(packed, columns["table_values"])
    return columns


def moves(solution: NDArray[np.uint8], distance: int) -> str:
    """A packed solution as text: one letter per move, the direction in which the tile moves.

    Parameters
    ----------
    solution : array of uint8, shape (40,)
        A row of the column of `Solver.label`.
    distance : int
        Its moves.

    Returns
    -------
    str

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> columns = Solver(shape=(2, 2)).label(["0 1/3 2"])
    >>> moves(columns["solution"][0], columns["distance"][0])
    'LU'
    """
    return moves_from_directions(directions_of_path(np.ascontiguousarray(solution), int(distance)))


def _first_moves(
    engine: Engine, packed: NDArray[np.uint64], columns: dict[str, NDArray[Any]], threads: int
) -> NDArray[np.uint8]:
    """Bit d is set if the blank's move in direction d begins a shortest solution.

    For a board at distance d, the child on its solution is at distance d - 1, and any other child at d - 1 or d + 1: a
    search of that child, limited to d - 1 moves, finds out which. The board before on the same path is at d + 1.
    """
    move = columns["solution"][:, 0] & 3
    own = np.where(columns["distance"] > 0, np.uint8(1) << move, 0).astype(np.uint8)
    known = own.copy()
    if "start" in columns:  # the board before is on the same path, unless one begins here
        undone = np.where(columns["start"][1:] == columns["start"][:-1], np.uint8(8) >> move[:-1], 0)
        known[1:] |= undone.astype(np.uint8)
    others: NDArray[np.uint8] = engine.first_moves(packed, columns["distance"], known, threads)[0]
    return own | others
