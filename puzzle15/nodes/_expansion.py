"""Children of many boards in one call, and the numbers of boards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._core.nodes import nodes as _nodes
from ..board import Board, BoardLike, BoardsLike, pack_boards
from ..board._board import goal_of
from ..board._notation import check_shape
from ..board._packed import packed_array
from ..errors import BoardError, OptionError

#: Instead of a direction: no move has led to a board.
NO_MOVE = _nodes.NO_MOVE


class Children(NamedTuple):
    """The M children of N boards, in the order of their parents.

    Attributes
    ----------
    packed : ndarray of uint64, shape (M,)
    parent : ndarray of int64, shape (M,)
        The row of each child's parent among the N boards.
    direction : ndarray of uint8, shape (M,)
        Where the blank went: 0 up, 1 left, 2 right, 3 down. ``3 - direction`` undoes it.
    """

    packed: NDArray[np.uint64]
    parent: NDArray[np.int64]
    direction: NDArray[np.uint8]


def packed_boards(boards: BoardsLike, shape: Optional[Sequence[int]] = None) -> NDArray[np.uint64]:
    """Pack boards of any form; without a shape, only packed ones are taken. Those of an array are not checked."""
    if isinstance(boards, np.ndarray) and boards.dtype == np.uint64 and boards.ndim == 1:
        return np.ascontiguousarray(boards)
    return packed_array(boards) if shape is None else pack_boards(boards, shape)[0]


def children(packed: BoardsLike, shape: Sequence[int], last: Optional[ArrayLike] = None) -> Children:
    """Make the children of many boards.

    Parameters
    ----------
    packed : ndarray of uint64, shape (N,)
        Packed boards; or boards in another form that `puzzle15.board.pack_boards` reads.
    shape : (int, int)
        Rows and columns.
    last : array of uint8, shape (N,), optional
        The direction that led to each board; the child that undoes it is not made. `NO_MOVE` is for boards to which no
        move led. By default all children are made.

    Returns
    -------
    Children
        `packed`, `parent` and `direction` of each; the children of one board in the order of their directions.

    Raises
    ------
    BoardError
        If a number is not a packed board of this shape.
    ValueError
        If a last direction is neither a direction nor `NO_MOVE`.

    Examples
    --------
    >>> first = children(["1 2 3/4 5 6/7 8 0"], (3, 3))
    >>> first.direction.tolist()
    [0, 1]
    >>> children(first.packed, (3, 3), first.direction).parent.tolist()
    [0, 0, 1, 1]
    """
    sides = check_shape(shape)
    boards = packed_boards(packed, sides)
    undone = None if last is None else _directions(last, len(boards))
    made, bad = _nodes.children(boards, undone, sides)
    if made is not None:
        return Children(*made)
    try:
        Board(int(boards[bad]), sides)
    except BoardError as error:
        raise BoardError(f"board {bad}: {error}") from None
    direction = None if undone is None else int(undone[bad])
    raise OptionError(f"last direction {direction} of board {bad}: expected 0 .. 3, or NO_MOVE ({NO_MOVE})")


def _directions(given: ArrayLike, count: int) -> NDArray[np.uint8]:
    last: NDArray[Any] = np.asarray(given)
    if last.shape != (count,) or last.dtype.kind not in "iu":
        raise OptionError(f"last: {last.dtype} of shape {last.shape}; expected uint8 directions of shape ({count},)")
    if last.dtype != np.uint8:
        last = np.where((last >= 0) & (last <= NO_MOVE), last, NO_MOVE - 1)  # which is none
    return np.ascontiguousarray(last, dtype=np.uint8)


def ranks(boards: BoardsLike, shape: Optional[Sequence[int]] = None) -> NDArray[np.uint64]:
    """Number boards without gaps: uint64 (N,), each below cells!/2.

    Boards that reach one goal have different numbers, but one of them and one that does not reach it may have the same.
    The first digit of a number is the blank's cell; then each tile's digit counts the smaller tiles after it.

    >>> ranks(["1 2 3/4 5 6/7 8 0", "8 6 7/2 5 4/3 0 1"]).tolist()
    [161280, 160883]
    """
    packed, sides, _ = pack_boards(boards, shape)
    return _nodes.ranks(packed, sides)


def unranks(
    numbers: ArrayLike, goal: Optional[BoardLike] = None, shape: Optional[Sequence[int]] = None
) -> NDArray[Any]:
    """Return the packed boards, uint64 (N,), that reach `goal` and have these `ranks`; ValueError for other numbers.

    >>> from puzzle15.board import format_boards
    >>> format_boards(unranks([161280, 160883], shape=(3, 3)), (3, 3))
    ['1 2 3/4 5 6/7 8 0', '8 6 7/2 5 4/3 0 1']
    """
    target = goal_of(goal, shape)
    end = math.factorial(len(target)) // 2
    given: NDArray[Any] = np.asarray(numbers)
    if given.ndim != 1 or given.dtype.kind not in "iu" or ((given < 0) | (given >= end)).any():
        raise OptionError(f"ranks: {given.dtype} of shape {given.shape}; expected whole numbers from 0 to {end - 1:,}")
    return _nodes.unranks(np.ascontiguousarray(given, dtype=np.uint64), target.packed, target.shape)
