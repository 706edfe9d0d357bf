"""`BucketQueue`: an open list for batches of nodes."""

from __future__ import annotations

import threading
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._system.quantities import whole
from ..errors import OptionError
from ._frontier import checked_arrays, order_by

_ARRAY_BYTES = 160  # of an array without its values


class BucketQueue:
    """Nodes under small whole numbers, such as f: the least key is served first, and of one key the last pushed.

    A node is a row of several arrays, such as packed boards, g and directions. Any number of arrays may be pushed; each
    push has the same number of them. A column keeps the dtype of the first nodes. One thread
    at a time pushes or pops, and others wait.

    Examples
    --------
    >>> queue = BucketQueue()
    >>> queue.push([5, 4, 5], np.array([0x0321, 0x1302, 0x3021], dtype=np.uint64), np.array([2, 2, 3]))
    >>> queue.least, len(queue)
    (4, 3)
    >>> packed, g = queue.pop(10)
    >>> g.tolist(), queue.least, len(queue)
    ([2], 5, 2)
    >>> queue.push([6], packed, g)
    >>> sorted(queue.pop(3, across=True)[1].tolist())
    [2, 2, 3]
    """

    def __init__(self) -> None:
        self._chunks: dict[int, list[tuple[NDArray[Any], ...]]] = {}
        self._keys: list[int] = []  # a heap of those with chunks
        self._dtypes: list[Any] = []
        self._count = self._width = self._row_bytes = 0
        self._lock = threading.RLock()

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            chunks = {key: list(chunks) for key, chunks in self._chunks.items()}
            return {**self.__dict__, "_chunks": chunks, "_keys": list(self._keys), "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=threading.RLock())

    def push(self, keys: ArrayLike, *arrays: ArrayLike) -> None:
        """Push nodes.

        Parameters
        ----------
        keys : array of int, shape (N,)
            Any whole numbers; pushing is fast where they are few, such as some hundred.
        *arrays : arrays, shape (N, ..)
            What is stored of each node; at least one array.

        Raises
        ------
        ValueError
            If a value changes in the dtype of its column. The queue is then as it was.
        """
        numbers, columns = checked_arrays(keys, arrays)
        with self._lock:
            if self._width not in (0, len(columns)) or not columns:
                raise OptionError(f"{len(columns)} arrays: expected {self._width or 'at least 1'}, as before")
            self._width = len(columns)
            if not len(numbers):
                return
            if not self._dtypes:
                self._dtypes = [each.dtype for each in columns]
                self._row_bytes = sum(each[0].nbytes for each in columns)
            order = order_by(numbers)
            numbers, columns = numbers[order], [_as(*each)[order] for each in zip(columns, self._dtypes)]
            ends = [*np.flatnonzero(numbers[1:] != numbers[:-1]) + 1, len(numbers)]
            chunks = [tuple(column[begin:end].copy() for column in columns) for begin, end in zip([0, *ends], ends)]
            for end, chunk in zip(ends, chunks):
                self._put(int(numbers[end - 1]), chunk)

    def _put(self, key: int, chunk: tuple[NDArray[Any], ...]) -> None:
        if key not in self._chunks:
            self._chunks[key] = []
            heappush(self._keys, key)
        self._chunks[key].append(chunk)
        self._count += len(chunk[0])

    def pop(self, count: int, *, across: bool = False) -> tuple[NDArray[Any], ...]:
        """Take up to `count` nodes of the least key, those that were pushed last; IndexError if there are none.

        With `across`, nodes of larger keys follow where these are fewer.

        Returns
        -------
        tuple of arrays
            One for each array that was pushed, in no particular order of nodes.
        """
        left = whole("count", count, 1)
        with self._lock:
            return self._pop(left, across)

    def _pop(self, left: int, across: bool) -> tuple[NDArray[Any], ...]:
        least = self.least
        taken: list[tuple[int, tuple[NDArray[Any], ...]]] = []
        try:
            while left and self._keys and (across or self.least == least):
                chunks = self._chunks[self.least]
                some = tuple(column[-left:] for column in chunks[-1])
                rest = tuple(column[:-left] for column in chunks[-1])
                taken.append((self.least, some))
                chunks[-1:] = [rest] if len(rest[0]) else []
                self._count -= len(some[0])
                left -= len(some[0])
                if not chunks:
                    del self._chunks[heappop(self._keys)]
            return taken[0][1] if len(taken) == 1 else tuple(map(np.concatenate, zip(*(some for _, some in taken))))
        except BaseException:  # such as MemoryError: no node is lost
            for key, some in reversed(taken):
                self._put(key, some)
            raise

    @property
    def least(self) -> int:
        """int: the least key; IndexError if the queue is empty."""
        if not self._keys:
            raise IndexError("the queue is empty")
        return self._keys[0]

    @property
    def memory_bytes(self) -> int:
        """int: about how many bytes the nodes take."""
        with self._lock:
            chunks = sum(map(len, self._chunks.values()))
        return self._count * self._row_bytes + chunks * self._width * _ARRAY_BYTES

    def __len__(self) -> int:
        return self._count


def _as(column: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """Return a column in the dtype of those that were pushed before; numpy would make floats of int64 and uint64."""
    if column.dtype == dtype:
        return column
    with np.errstate(invalid="ignore"):
        same = column.astype(dtype)
    if not (same == column).all():
        changed = column[same != column].flat[0]
        raise OptionError(f"value {changed}: expected values of {dtype}, as were pushed first, or a new queue")
    return same
