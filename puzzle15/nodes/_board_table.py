"""`BoardTable`: values of many boards, in C."""

from __future__ import annotations

import sys
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from .._core.nodes.nodes import INSERT, LOWER, MOST_VALUE_BYTES, UPDATE, Table
from .._system.machine import available_memory
from .._system.quantities import Size, format_size, size
from ..board import BoardsLike
from ..errors import BoardError, OptionError
from ._expansion import packed_boards


class BoardTable:
    """A table from packed boards to values of a fixed dtype; or, if no values are given, a set of boards.

    Any number of threads may use it, one after the other. It can be pickled, with its boards.

    Parameters
    ----------
    values : dtype
        Of the values, 1 to 16 bytes; it may be structured, such as ``[("g", np.uint8), ("closed", bool)]``.
    max_memory : int or str, optional
        The most memory that it may take, in bytes or as text such as ``"2G"``; by default three quarters of what is
        available now. Address space is reserved for it, and memory is taken as the table grows.

    Attributes
    ----------
    dtype : numpy.dtype
    max_memory, memory_bytes : int
        The most bytes, and those that it takes: 1.3 to 2.7 times 8 and the size of a value for each board.

    Notes
    -----
    A call that raises MemoryError or is interrupted loses nothing of what was there. The first boards of that call may
    be in the table.

    Examples
    --------
    >>> from puzzle15.board import pack_boards
    >>> boards, shape, _ = pack_boards(["1 2/3 0", "0 1/3 2", "1 2/3 0"])
    >>> table = BoardTable(values=np.uint8, max_memory="1M")
    >>> table.insert(boards, [5, 7, 9]).tolist()
    [True, True, False]
    >>> table.lower(boards[:2], [4, 8]).tolist()
    [True, False]
    >>> values, found = table.get(boards)
    >>> values.tolist(), found.tolist(), len(table)
    ([4, 7, 4], [True, True, True], 2)
    """

    def __init__(self, values: DTypeLike = np.uint8, *, max_memory: Optional[Size] = None, expected: int = 0) -> None:
        self.dtype = np.dtype(values)
        if not 1 <= self.dtype.itemsize <= MOST_VALUE_BYTES or self.dtype.hasobject:
            raise OptionError(f"values {self.dtype}: expected a dtype of 1 .. {MOST_VALUE_BYTES} bytes without objects")
        self.max_memory = available_memory() // 4 * 3 if max_memory is None else size("max_memory", max_memory)
        self._expected = expected
        self.clear()

    def clear(self) -> None:
        """Remove all boards, and give the memory back."""
        first = self.dtype if self.dtype.names is None else self.dtype.fields[self.dtype.names[0]][0]  # type: ignore
        is_number = first.kind == "u" and (self.dtype.names is None or self.dtype.fields[self.dtype.names[0]][1] == 0)  # type: ignore
        self._key_bytes = first.itemsize if is_number and first.isnative else 0
        self._table = Table(self.dtype.itemsize, self._key_bytes, self._expected, min(self.max_memory, sys.maxsize))

    def insert(self, packed: BoardsLike, values: Optional[ArrayLike] = None) -> NDArray[np.bool_]:
        """Insert the boards that are not there. Of equal boards in one call the first counts.

        Parameters
        ----------
        packed : ndarray of uint64, shape (N,)
        values : array, shape (N,), or one value, optional
            Zeros by default.

        Returns
        -------
        ndarray of bool, shape (N,)
            True where the board was not there.
        """
        return self._put(INSERT, packed, values)

    def update(self, packed: BoardsLike, values: ArrayLike) -> NDArray[np.bool_]:
        """Insert boards, or replace their values. Of equal boards in one call the last counts.

        The result is that of `insert`.
        """
        return self._put(UPDATE, packed, values)

    def lower(self, packed: BoardsLike, values: ArrayLike) -> NDArray[np.bool_]:
        """Insert the boards that are not there, and replace values that are larger than the given ones.

        Values are compared by their first field, which must be an unsigned integer, such as g. The result is True where
        a value was written. Of equal boards in one call several may be; the least value stays.
        """
        if not self._key_bytes:
            raise OptionError(f"values {self.dtype}: expected an unsigned integer as first field, to compare values by")
        return self._put(LOWER, packed, values)

    def get(self, packed: BoardsLike) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return the values of boards, zeros where a board is not there; and whether each board is there, bool (N,)."""
        boards = packed_boards(packed)
        values = np.empty(len(boards), dtype=self.dtype)
        found = np.empty(len(boards), dtype=bool)
        self._table.get(boards, self._octets(values), found.view(np.uint8))
        return values, found

    def keys(self) -> NDArray[np.uint64]:
        """Return all boards, uint64 (N,), in no particular order."""
        return self._table.keys()

    @property
    def memory_bytes(self) -> int:
        return self._table.memory_bytes

    def __len__(self) -> int:
        return self._table.count

    def _put(self, rule: int, packed: BoardsLike, values: Optional[ArrayLike]) -> NDArray[np.bool_]:
        boards = packed_boards(packed)
        if not boards.all():
            raise BoardError(f"board {int((boards == 0).argmax())}: 0 is not a packed board")
        octets = None if values is None else self._octets(self._as_values(values, len(boards)))
        changed = np.empty(len(boards), dtype=bool)
        try:
            self._table.put(rule, boards, octets, changed.view(np.uint8))
        except MemoryError:
            raise MemoryError(
                f"BoardTable: {len(self):,} boards take {format_size(self.memory_bytes)}, and more do not fit into "
                f"max_memory={self.max_memory:,}; expected more memory"
            ) from None
        return changed

    def _as_values(self, given: ArrayLike, count: int) -> NDArray[Any]:
        if isinstance(given, np.ndarray) and given.dtype == self.dtype and given.shape == (count,):
            return np.ascontiguousarray(given)
        if self.dtype.names is not None:
            wanted = np.asarray(given, dtype=self.dtype)
        else:
            numbers = np.asarray(given)
            wanted = numbers.astype(self.dtype)
            if (wanted != numbers).any():
                bad = numbers[wanted != numbers].flat[0]
                raise OptionError(f"value {bad}: expected values that {self.dtype} can hold")
        if wanted.shape not in ((), (count,)):
            raise OptionError(f"values of shape {wanted.shape}: expected ({count},), one per board, or one value")
        return np.ascontiguousarray(np.broadcast_to(wanted, (count,)))

    def _octets(self, values: NDArray[Any]) -> NDArray[np.uint8]:
        return values.view(np.uint8).reshape(len(values), self.dtype.itemsize)

    def __reduce__(self) -> tuple[Any, ...]:
        keys = self.keys()
        return _restored, (self.dtype, self.max_memory, keys, self.get(keys)[0])

    def __repr__(self) -> str:
        return f"<BoardTable of {len(self):,} boards, values {self.dtype}, {format_size(self.memory_bytes)}>"


def _restored(dtype: Any, max_memory: int, keys: NDArray[np.uint64], values: NDArray[Any]) -> BoardTable:
    table = BoardTable(dtype, max_memory=max_memory)
    table.insert(keys, values)
    return table
