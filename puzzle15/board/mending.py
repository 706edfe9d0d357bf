"""Boards that cannot reach the goal: why, and which exchange of two tiles mends them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..parallel import slices
from ..system.later import np
from .board import Board, BoardLike
from .packing import unpack_boards
from .words import packed_words

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["mend", "taxicab", "unsolvable_reason"]

_ROWS = 1 << 13  # boards that are mended together: some hundredths of a second


def mend(packed: ArrayLike, goal: BoardLike) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """The exchange of two tiles that makes each board solvable.

    Any exchange does. The one that is found leaves the tiles nearest to their places in the goal: the sum of their
    taxicab distances is the least. So two tiles that were put in each other's place are found. Of several such
    exchanges, it is that of the smallest tiles.

    Parameters
    ----------
    packed : array of uint64, shape (N,)
        Boards that cannot reach the goal. (Of any other boards it makes unsolvable ones.)
    goal : board

    Returns
    -------
    exchanges : ndarray of uint8, shape (N, 2)
        Two tiles for each board, the smaller one first.
    mended : ndarray of uint64, shape (N,)
        The boards after the exchange.

    Raises
    ------
    BoardError
        With the index of the first word that is no board.

    Examples
    --------
    >>> exchanges, mended = mend([Board("1 2 3/4 5 6/8 7 0").packed], Board.goal((3, 3)))
    >>> exchanges.tolist(), Board(int(mended[0]), (3, 3))
    ([[7, 8]], Board('1 2 3/4 5 6/7 8 0'))
    """
    goal = Board(goal)
    packed = packed_words(packed, goal.shape)
    exchanges = np.empty((len(packed), 2), dtype=np.uint8)
    mended = np.empty_like(packed)
    first, second = np.triu_indices(len(goal.tiles) - 1, 1)
    first, second = first + 1, second + 1  # all pairs of tiles, the smallest first
    for rows in slices(len(packed), _ROWS):
        cells = np.argsort(unpack_boards(packed[rows], goal.shape), axis=1)  # of each tile
        distances = taxicab(goal)[cells]  # [board, tile u, tile t]: from where u lies to where t belongs
        own = np.diagonal(distances, axis1=1, axis2=2)
        change = distances[:, first, second] + distances[:, second, first] - own[:, first] - own[:, second]
        best = np.argmin(change, axis=1)
        pairs = np.stack((first[best], second[best]), axis=1)
        places = np.take_along_axis(cells, pairs, axis=1).astype(np.uint64) * np.uint64(4)
        difference = np.bitwise_xor(*pairs.T).astype(np.uint64)
        exchanges[rows] = pairs
        mended[rows] = packed[rows] ^ difference << places[:, 0] ^ difference << places[:, 1]
    return exchanges, mended


def unsolvable_reason(blank: int, goal: Board) -> str:
    """Why no moves lead to a goal from an unsolvable board with its blank in the cell `blank`.

    Examples
    --------
    >>> board, goal = Board("2 1/3 0"), Board.goal((2, 2))
    >>> print(unsolvable_reason(board.blank, goal))
    each move exchanges the blank with a tile; an odd number of exchanges makes it the goal 1 2/3 0, \
but the blank gets to its place in an even number of moves
    """
    (row, col), (home_row, home_col) = (divmod(cell, goal.shape[1]) for cell in (blank, goal.blank))
    odd = (row - home_row + col - home_col) % 2
    moves, exchanges = ("odd", "even") if odd else ("even", "odd")
    return (
        f"each move exchanges the blank with a tile; an {exchanges} number of exchanges makes it the goal {goal}, "
        f"but the blank gets to its place in an {moves} number of moves"
    )


@lru_cache(maxsize=8)
def taxicab(goal: Board) -> NDArray[np.int64]:
    """The distance from each cell (row) to each tile's cell in the goal (column); 0 for the blank.

    >>> taxicab(Board.goal((2, 2))).tolist()
    [[0, 0, 1, 1], [0, 1, 0, 2], [0, 1, 2, 0], [0, 2, 1, 1]]
    """
    cells = range(len(goal.tiles))
    home = [divmod(goal.tiles.index(tile), goal.shape[1]) for tile in cells]
    place = [divmod(cell, goal.shape[1]) for cell in cells]
    return np.array(
        [[tile and abs(row - home[tile][0]) + abs(col - home[tile][1]) for tile in cells] for row, col in place]
    )
