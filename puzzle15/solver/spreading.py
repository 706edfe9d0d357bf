"""Many boards in chunks for workers of any kind: each answers a chunk of them, and the answers come in order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, TypeVar

from ..board import Board, Shape
from ..parallel import spread, thread_count
from ..system.later import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Chunk", "gather", "parts_of", "spread_rows", "threads_of"]

Answer = TypeVar("Answer")

_CHUNKS = 64  # that boards are spread in, so that workers end together;
_MOST_IN_CHUNK = 256  # more, if a chunk would be longer: with the 7-8 tables, a tenth of a second's work


class Chunk(NamedTuple):
    """Boards for one worker.

    Attributes
    ----------
    columns : dict of str to array
        What belongs to each board, such as its limits; ``packed`` is the board itself.
    end : float or None
        The value of `time.time` at which the work ends, because all processes and machines have that clock.
    """

    columns: dict[str, Any]
    end: Optional[float]

    @property
    def deadline(self) -> Optional[float]:
        """float or None: the same as a value of this process's `time.monotonic`."""
        return None if self.end is None else time.monotonic() + self.end - time.time()


def threads_of(workers: Any) -> Optional[int]:
    """The number of threads that `workers` asks for: one for None, and None if it is something else than a number."""
    if workers is None:
        return 1
    return thread_count(workers) if hasattr(workers, "__index__") else None


def parts_of(rows: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """The rows of each chunk."""
    size = min(max(-(-len(rows) // _CHUNKS), 1), _MOST_IN_CHUNK)
    return (rows[begin : begin + size] for begin in range(0, len(rows), size))


def spread_rows(
    answer: Callable[[Chunk], Answer],
    columns: Mapping[str, Any],
    parts: Iterable[NDArray[np.int64]],
    workers: Any,
    *,
    shape: Shape,
    deadline: Optional[float],
) -> Iterator[tuple[NDArray[np.int64], Answer]]:
    """Each part of the rows of some columns, with what `answer` returns for it.

    Parameters
    ----------
    answer : callable
        It can be pickled, and takes a `Chunk`.
    columns : dict of str to array or None
        One entry per board; what is None is left out.
    parts : iterable of arrays of int
        The rows of each chunk.
    workers
        As for `puzzle15.parallel.spread`.
    shape : (int, int)
        Of the boards, for messages.
    deadline : float, optional
        A `time.monotonic`.
    """
    end = None if deadline is None else time.time() + deadline - time.monotonic()
    given = {name: column for name, column in columns.items() if column is not None}
    parts = list(parts)
    chunks = (Chunk({name: column[rows] for name, column in given.items()}, end) for rows in parts)
    threads = threads_of(workers)
    answers = spread(
        answer,
        chunks,
        workers=None if threads == 1 else workers,
        boards_of=lambda chunk: [Board._of(int(board), shape) for board in chunk.columns["packed"]],
    )
    return zip(parts, answers)


def gather(
    answer: Callable[[Chunk], dict[str, NDArray[Any]]],
    columns: Mapping[str, Any],
    rows: NDArray[np.int64],
    workers: Any,
    *,
    shape: Shape,
    deadline: Optional[float],
    progress: Optional[Callable[[int, int], Any]],
) -> dict[str, NDArray[Any]]:
    """What `answer` returns for some rows as columns of all rows, with 0 in the others; see `spread_rows`."""
    count, done = len(columns["packed"]), 0
    none = answer(Chunk({name: column[:0] for name, column in columns.items() if column is not None}, None))
    results = {name: np.zeros((count, *array.shape[1:]), array.dtype) for name, array in none.items()}
    for part, found in spread_rows(answer, columns, parts_of(rows), workers, shape=shape, deadline=deadline):
        for name, array in found.items():
            results[name][part] = array
        done += len(part)
        if progress:
            progress(count - len(rows) + done, count)
    return results
