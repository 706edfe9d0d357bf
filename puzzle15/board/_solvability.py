"""Boards that cannot reach the goal: which, why, and which exchange of two tiles makes them solvable."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .._core.base import board as _board
from .._system.lazy import np
from .._system.quantities import check_choice
from .._system.threads import slices
from ..errors import Puzzle15Error, UnsolvableError
from ._board import Board, BoardLike, read_board_like
from ._packed import check_many, unpack_boards
from ._packing import ON_ERROR, OnError, pack_boards

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_ROWS = 1 << 13  # boards that are mended together: some hundredths of a second


def solvable(packed: ArrayLike, goal: BoardLike) -> NDArray[np.bool_]:
    """Which packed boards, as `pack_boards` returns them, can reach a goal: bool (N,).

    0, which stands for a bad board, gives False. Another number that is not a board raises BoardError.

    >>> solvable([Board("1 2/3 0").packed, Board("2 1/3 0").packed], Board.goal((2, 2))).tolist()
    [True, False]
    """
    target = Board(goal)
    boards = check_many(packed, target.shape, marks=True)
    result = np.empty(len(boards), dtype=np.uint8)
    _board.solvable_many(boards, target.packed, target.shape, result)
    return result.view(np.bool_)


def pack_solvable(boards: Any, goal: Board, on_error: OnError) -> tuple[NDArray[np.uint64], dict[int, Puzzle15Error]]:
    """Pack boards that are to reach a goal, as `pack_boards` does: (packed boards, errors by index).

    >>> packed, errors = pack_solvable(["1 2/3 0", "2 1/3 0", "1 1/3 0"], Board.goal((2, 2)), "mark")
    >>> [(index, type(error).__name__) for index, error in sorted(errors.items())]
    [(1, 'UnsolvableError'), (2, 'BoardError')]
    """
    check_choice("on_error", on_error, ON_ERROR)
    packed, shape, unreadable = pack_boards(boards, goal=goal, on_error="mark")
    errors: dict[int, Puzzle15Error] = dict(unreadable)
    for index in np.flatnonzero(~solvable(packed, goal)).tolist():
        if index not in errors:
            board = Board._of(int(packed[index]), shape)
            errors[index] = UnsolvableError(f"board {index}: {unsolvable_text(board, goal)}")
    if on_error == "raise" and errors:
        raise errors[min(errors)]
    return packed, errors


def check_solvable(board: Board, goal: Board) -> None:
    """Raise UnsolvableError unless moves lead from the board to the goal."""
    if not _board.solvable(board.packed, goal.packed, goal.shape):
        raise UnsolvableError(unsolvable_text(board, goal))


def board_to_solve(goal: Board, given: BoardLike) -> Board:
    """Read a board that is to reach a goal of its shape; BoardError or UnsolvableError if it does not."""
    board = read_board_like(goal, given)
    check_solvable(board, goal)
    return board


def unsolvable_text(board: Board, goal: Board) -> str:
    """Return the message about a board that cannot reach the goal."""
    return (
        f"{board} cannot reach the goal {goal}: half of all arrangements cannot; "
        f"exchanging any two tiles makes it solvable"
    )


def unsolvable_reason(blank: int, goal: Board) -> str:
    """Why no moves lead to a goal from an unsolvable board with its blank in the cell `blank`.

    >>> print(unsolvable_reason(3, Board.goal((2, 2))))
    each move exchanges the blank with a tile; an odd number of exchanges makes it the goal 1 2/3 0, \
but the blank gets to its place in an even number of moves
    """
    distance = sum(abs(a - b) for a, b in zip(divmod(blank, goal.shape[1]), divmod(goal.blank, goal.shape[1])))
    exchanges, moves = ("even", "odd") if distance % 2 else ("odd", "even")
    return (
        f"each move exchanges the blank with a tile; an {exchanges} number of exchanges makes it the goal {goal}, "
        f"but the blank gets to its place in an {moves} number of moves"
    )


def swap_to_solvable(packed: ArrayLike, goal: BoardLike) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """The exchange of two tiles that makes each board solvable: (tiles, uint8 (N, 2), the smaller first; the boards).

    `packed` are boards that cannot reach the goal. Any exchange makes them solvable. This one leaves the tiles nearest
    to their cells in the goal, by the sum of their taxicab distances. So it finds two tiles that were exchanged. Of
    several such exchanges, it takes that of the smallest tiles.

    >>> exchanges, mended = swap_to_solvable([Board("1 2 3/4 5 6/8 7 0").packed], Board.goal((3, 3)))
    >>> exchanges.tolist(), Board(int(mended[0]), (3, 3))
    ([[7, 8]], Board('1 2 3/4 5 6/7 8 0'))
    """
    goal = Board(goal)
    packed = check_many(packed, goal.shape)
    exchanges = np.empty((len(packed), 2), dtype=np.uint8)
    mended = np.empty_like(packed)
    first, second = np.triu_indices(len(goal.tiles) - 1, 1)
    first, second = first + 1, second + 1  # all pairs of tiles, the smallest first
    for rows in slices(len(packed), _ROWS):
        cells = np.argsort(unpack_boards(packed[rows], goal.shape), axis=1)  # of each tile
        distances = taxicab(goal)[cells]  # [board, tile u, tile t]: from the cell of u to the home of t
        own = np.diagonal(distances, axis1=1, axis2=2)
        change = distances[:, first, second] + distances[:, second, first] - own[:, first] - own[:, second]
        best = np.argmin(change, axis=1)
        pairs = np.stack((first[best], second[best]), axis=1)
        shifts = np.take_along_axis(cells, pairs, axis=1).astype(np.uint64) * np.uint64(4)
        difference = np.bitwise_xor(*pairs.T).astype(np.uint64)
        exchanges[rows] = pairs
        mended[rows] = packed[rows] ^ difference << shifts[:, 0] ^ difference << shifts[:, 1]
    return exchanges, mended


@lru_cache(maxsize=8)
def taxicab(goal: Board) -> NDArray[np.int64]:
    """Return the distance from each cell (row) to each tile's cell in the goal (column); 0 for the blank.

    >>> taxicab(Board.goal((2, 2))).tolist()
    [[0, 0, 1, 1], [0, 1, 0, 2], [0, 1, 2, 0], [0, 2, 1, 1]]
    """
    cells = np.array(np.unravel_index(np.arange(len(goal)), goal.shape))  # the rows, and the columns
    homes = cells[:, np.argsort(goal.tiles)]
    distances: NDArray[np.int64] = np.abs(cells[:, :, None] - homes[:, None, :]).sum(axis=0)
    distances[:, 0] = 0
    return distances
