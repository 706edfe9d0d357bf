"""Work spread over threads, processes or machines: by this process's threads, or by any executor."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any, Optional, Protocol, SupportsIndex, TypeVar, Union

from ..errors import ChunkError, ClusterError, TableMissingError
from .lazy import np
from .machine import processor_count
from .sendable import PicklableCallable
from .threads import Team, check_stop, result_of, thread_count


class Executor(Protocol):
    """What runs calls elsewhere, such as the executors of `concurrent.futures`, of loky, of MPI, and of Dask."""

    def submit(self, function: Any, /, *arguments: Any) -> Any:
        """Return a future of the call."""


#: A number of threads of this process, or an executor; None is one thread per processor.
Workers = Union[SupportsIndex, Executor, None]

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

_CHUNKS_PER_WORKER = 3  # one at work, one being sent, one for the time that the oldest takes
_RECOUNT_SECONDS = 5.0
_GONE = "the Dask scheduler is gone; start one, and connect to it again"


def map_chunks(
    function: Callable[[Chunk], Result],
    chunks: Iterable[Chunk],
    *,
    workers: Workers = 1,
    boards_of: Optional[Callable[[Chunk], Any]] = None,
) -> Iterator[Result]:
    """Return the results of a function for each of many chunks, in the chunks' order.

    `workers` is a number of threads of this process, or an executor: anything with ``submit``, such as those of
    `concurrent.futures`, of loky, of MPI (``mpi4py.futures``), and of Dask (see `connect`). With 1, this thread
    computes each result when it is asked for; with None, there is one thread per processor. For other processes, the
    function must be picklable: a method of a `Solver`, of which only the settings are sent, or a function at the top
    level of a module; and any function once cloudpickle was imported.

    Chunks are taken when work on them begins, at most 3 per worker ahead of the results; there may be endlessly many.
    If the iterator is closed, or an exception ends it, the chunks that have not begun are cancelled, and its own
    threads end within a tenth of a second.

    It raises ChunkError if a chunk failed twice in an executor (`boards_of` gives its boards; by default they are the
    chunk); TableMissingError at once if a worker does not have the tables; ClusterError if the scheduler of a Dask
    cluster is gone; and ThreadsError if the system refuses to start so many threads.

    >>> from puzzle15 import Solver
    >>> solver = Solver(shape=(3, 3))
    >>> chunks = [["1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/7 0 8"], ["8 6 7/2 5 4/3 0 1"]]
    >>> [distances.tolist() for distances in map_chunks(solver.distance_many, chunks, workers=2)]
    [[0, 1], [31]]
    """
    if workers is None or hasattr(workers, "__index__"):
        threads = thread_count(workers)
        return (function(chunk) for chunk in chunks) if threads == 1 else _by_threads(threads, function, chunks)
    if not hasattr(workers, "submit"):
        raise TypeError(f"workers {workers!r}: expected a whole number, an executor, which has submit, or None")
    numbers = count()
    return _in_order(
        lambda chunk: _Task(workers, PicklableCallable(function), next(numbers), chunk, boards_of),
        _window(workers),
        chunks,
    )


def worker_count(workers: Workers) -> int:
    """Return how many of the `workers` of `map_chunks` work at a time; if unknown, as many as there are processors.

    >>> worker_count(3)
    3
    """
    if workers is None or hasattr(workers, "__index__"):
        return thread_count(workers)
    for name in ("_max_workers", "num_workers"):  # concurrent.futures and loky; MPI
        known = getattr(workers, name, None)
        if isinstance(known, int):
            return known
    client = getattr(workers, "_client", None)  # Dask
    try:
        return processor_count() if client is None else int(sum(client.nthreads().values()))
    except Exception as error:  # of many types, while its connection ends and later
        raise ClusterError(_GONE) from error


def _by_threads(threads: int, function: Callable[[Any], Any], chunks: Iterable[Any]) -> Iterator[Any]:
    with Team(threads) as team:
        yield from _in_order(partial(team.submit, function), lambda: _CHUNKS_PER_WORKER * threads, chunks)


def _in_order(begin: Callable[[Any], Any], window: Callable[[], int], chunks: Iterable[Any]) -> Iterator[Any]:
    """Yield the results of the futures that `begin` makes of chunks; at most `window()` futures wait."""
    waiting: deque[Any] = deque()

    def finished() -> Any:
        result = result_of(waiting[0])
        waiting.popleft()  # only now, so that an exception cancels it
        return result

    try:
        for chunk in chunks:
            waiting.append(begin(chunk))
            while len(waiting) >= window():
                yield finished()
        while waiting:
            yield finished()
    finally:
        for future in reversed(waiting):  # otherwise the next ones begin while the first are cancelled
            future.cancel()


class _Task:
    """A chunk that an executor works on, as a future that begins once more if the chunk fails."""

    def __init__(
        self,
        executor: Any,
        function: PicklableCallable,
        index: int,
        chunk: Any,
        boards_of: Optional[Callable[[Any], Any]],
    ) -> None:
        self._executor, self._function, self._index, self._chunk = executor, function, index, chunk
        self._boards_of = boards_of
        self._future: Any = None
        self._begin(1)

    def _begin(self, attempt: int) -> None:
        try:
            self._future = self._executor.submit(_call, self._function, attempt, self._chunk)
        except Exception as error:  # a broken pool, or a chunk that cannot be pickled
            from concurrent.futures import Future

            self._future = Future()
            self._future.set_exception(error)

    def result(self) -> Any:
        for attempt in (1, 2):
            try:
                return result_of(self._future, self._check)
            except (TableMissingError, ClusterError):
                raise
            except Exception as error:
                self._check()
                if attempt == 2:
                    raise _chunk_error(self._index, self._chunk, self._boards_of, error) from error
            self._begin(2)

    def _check(self) -> None:
        """Raise what `check_stop` raises, and ClusterError if Dask has lost its scheduler: futures may then hang."""
        check_stop()
        if getattr(getattr(self._executor, "_client", None), "status", "running") != "running":
            raise ClusterError(_GONE)

    def cancel(self) -> None:
        with suppress(Exception):  # it cannot be cancelled, or the cluster is gone
            self._future.cancel()


def _call(function: Callable[[Any], Any], attempt: int, chunk: Any) -> Any:
    """Return the result for a chunk. The attempt makes it another task, as Dask keeps the result of an equal one."""
    return function(chunk)


def _chunk_error(index: int, chunk: Any, boards_of: Optional[Callable[[Any], Any]], error: Exception) -> ChunkError:
    from concurrent.futures import BrokenExecutor, CancelledError

    boards = chunk
    if boards_of is not None:
        try:
            boards = boards_of(chunk)
        except Exception:  # perhaps why the chunk failed, and that is what matters
            boards = None
    size = ""
    if isinstance(boards, (Sequence, np.ndarray)):
        first = f"packed board {boards[0]:#x}" if isinstance(boards[0], np.uint64) else boards[0]
        size = f" ({len(boards)} boards, the first {first})"
    text = f"chunk {index}{size} failed twice; then with {type(error).__name__}: {error}"
    if isinstance(error, BrokenExecutor):
        text += "; this pool takes no more work: find out what ends its processes (memory?), and make a new one"
    if isinstance(error, CancelledError):  # its own text is empty
        text += "somebody else cancelled it"
    return ChunkError(text, index, boards)


def _window(workers: Executor) -> Callable[[], int]:
    """Return how many chunks may be begun, as a function, because clusters grow and shrink."""
    counted, most = -math.inf, 0

    def window() -> int:
        nonlocal counted, most
        now = time.monotonic()
        if now - counted >= _RECOUNT_SECONDS:
            counted, most = now, _CHUNKS_PER_WORKER * max(1, worker_count(workers))
        return most

    return window
