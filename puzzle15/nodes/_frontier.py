"""Operations on frontiers: boards as sets, and nodes in the order of a key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..board import BoardsLike
from ..errors import OptionError
from ._board_table import BoardTable
from ._expansion import packed_boards


def unique(packed: BoardsLike) -> NDArray[np.uint64]:
    """Return each board once, in the order of their first occurrences.

    >>> unique(np.array([0x0321, 0x1302, 0x0321], dtype=np.uint64)).tolist()
    [801, 4866]
    """
    boards = packed_boards(packed)
    return boards[BoardTable(expected=len(boards)).insert(boards)]


def minus(packed: BoardsLike, *others: BoardsLike) -> NDArray[np.uint64]:
    """Return the boards that are in none of the others, in their order; boards that occur twice stay twice.

    >>> minus(np.array([0x0321, 0x1302], dtype=np.uint64), np.array([0x0321], dtype=np.uint64)).tolist()
    [4866]
    """
    boards = packed_boards(packed)
    known = [packed_boards(each) for each in others]
    table = BoardTable(expected=sum(map(len, known)))
    for each in known:
        table.insert(each)
    return boards[~table.get(boards)[1]]


def sort_by(keys: ArrayLike, *arrays: ArrayLike) -> tuple[NDArray[Any], ...]:
    """Sort keys and the rows of arrays by the keys; rows with equal keys keep their order.

    Parameters
    ----------
    keys : array of int, shape (N,)
        Whole numbers; within a range of 65,536 the time is proportional to N.
    *arrays : arrays, shape (N, ..)

    Returns
    -------
    tuple of arrays
        The sorted keys, then each array.

    Examples
    --------
    >>> keys, g = sort_by([7, 5, 7], np.array([1, 2, 3]))
    >>> keys.tolist(), g.tolist()
    ([5, 7, 7], [2, 1, 3])
    """
    numbers, columns = checked_arrays(keys, arrays)
    order = order_by(numbers)
    return (numbers[order], *(column[order] for column in columns))


def checked_arrays(keys: ArrayLike, arrays: Sequence[ArrayLike]) -> tuple[NDArray[Any], list[NDArray[Any]]]:
    """Keys and arrays as such; ValueError unless the keys are whole numbers, and there is one for each row."""
    numbers, columns = np.asarray(keys), [np.asarray(array) for array in arrays]
    if numbers.ndim != 1 or (numbers.dtype.kind not in "iu" and len(numbers)):
        raise OptionError(f"keys: {numbers.dtype} of shape {numbers.shape}; expected whole numbers of shape (N,)")
    for column in columns:
        if column.shape[:1] != numbers.shape:
            raise OptionError(f"an array of shape {column.shape} beside {len(numbers)} keys: expected a row per key")
    return numbers, columns


def order_by(keys: NDArray[Any]) -> NDArray[np.intp]:
    """Return the rows in the order of their keys."""
    if len(keys):
        low, high = keys.min(), keys.max()
        span = int(high) - int(low)
        if span < 1 << 16:  # numpy sorts such numbers by counting
            keys = (keys - low).astype(np.uint8 if span < 1 << 8 else np.uint16)
    return np.argsort(keys, kind="stable")
