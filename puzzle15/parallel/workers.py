"""Work spread over threads, processes or machines, whatever kind of executor runs it.

`spread` gives chunks of boards to whatever ``workers=`` names, and returns the results in order.  It
does not depend on the kind of executor: of a future it uses only ``result``, and ``cancel`` where
there is one.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, NoReturn, Optional, TypeVar

from ..errors import ChunkError, TableMissingError, ThreadsError
from ..system.later import np
from ..system.machine import processor_count
from .parcels import Parcel
from .threads import Team, result_of, thread_count

__all__ = ["spread", "worker_count"]

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

#: Makes a handle of a chunk and of whether it is tried again.
_Begin = Callable[[Any, bool], Any]
_BoardsOf = Optional[Callable[[Any], Any]]

_CHUNKS_PER_WORKER = 3  # one at work, one on its way, one for the time that the oldest takes
_RECOUNT_SECONDS = 5.0

#: Where executors keep how many workers they have: concurrent.futures and MPI, MPI, multiprocessing.
_COUNTS = "_max_workers", "num_workers", "_processes"


def spread(
    function: Callable[[Chunk], Result],
    chunks: Iterable[Chunk],
    *,
    workers: Any = None,
    boards_of: Optional[Callable[[Chunk], Any]] = None,
) -> Iterator[Result]:
    """The results of a function for each of many chunks, in the chunks' order.

    Parameters
    ----------
    function : callable
        It takes one chunk. For other processes it must be picklable, and should be small. A `Solver` is:
        only its settings are sent, and each process opens its own tables. A function stands at the top level of a
        module; lambdas and functions of a notebook can be sent once cloudpickle was imported, as with Dask.
    chunks : iterable
        Chunks are taken when work on them begins, never many ahead of the results. There may be endlessly many.
    workers : optional
        Who works:

        - None: this thread computes each result when it is asked for;
        - int: that many workers, which are threads of this process;
        - anything with ``submit``: an executor of `concurrent.futures` or of MPI, a Dask client or
          its executor (see `connect`);
        - anything with ``imap``, or ``map``: a pool of `multiprocessing` or of Ray;
        - a function that is used like `map`: ``function(function, list of chunks)``.
    boards_of : callable, optional
        The boards of a chunk, for `ChunkError`; by default the chunk itself.

    Yields
    ------
    result

    Raises
    ------
    ChunkError
        A chunk failed twice. The results of the chunks before it have been yielded.
    TableMissingError
        A worker does not have the tables. The chunk is not tried again.
    ThreadsError
        The system refuses to start so many workers.

    Notes
    -----
    At most 3 chunks per worker are begun and not yet yielded. If the number of workers is unknown, it is
    taken to be the number of this machine's processors. Workers that join a Dask cluster later are counted.
    With ``map`` alone, `spread` works in rounds of that many chunks, and waits for the end of each round.

    When the iterator is closed, or an exception ends it, chunks that were not begun are cancelled, and
    the iterator's own threads end their work within a tenth of a second. Pools of `multiprocessing` cannot
    cancel, so they go on with their chunks. They also do not notice when one of their processes is killed,
    and wait for ever; a ``ProcessPoolExecutor`` raises an error.

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> solver = Solver(shape=(3, 3))
    >>> chunks = [["1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/7 0 8"], ["8 6 7/2 5 4/3 0 1"]]
    >>> [distances.tolist() for distances in spread(solver.distance_many, chunks, workers=2)]
    [[0, 1], [31]]
    """
    if workers is None:
        return _run(partial(_later, function), lambda: 1, chunks, boards_of)
    if not hasattr(workers, "__index__"):  # perhaps other processes
        function = Parcel(function)
    if hasattr(workers, "submit"):
        return _run(partial(_submit, workers.submit, function), _window(workers), chunks, boards_of)
    if hasattr(workers, "imap"):
        return _run(partial(_imap, workers.imap, function), _window(workers), chunks, boards_of)
    if hasattr(workers, "map"):
        return _run_rounds(workers.map, function, _window(workers), chunks, boards_of)
    if callable(workers):
        return _run_rounds(workers, function, _window(workers), chunks, boards_of)
    if not hasattr(workers, "__index__"):
        raise TypeError(
            f"workers {workers!r}: expected a whole number, something with submit, imap or map, a function like map, "
            f"or None"
        )
    return _run_threads(thread_count(workers), function, chunks, boards_of)


# Handles have `result`, and maybe `cancel`, as futures have.


class _Call:
    """A call that is made when its result is asked for."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self._function = function
        self._arguments = arguments

    def result(self) -> Any:
        return self._function(*self._arguments)


def _later(function: Callable[[Any], Any], chunk: Any, again: bool) -> _Call:
    return _Call(function, chunk)


def _submit(submit: Callable[..., Any], function: Callable[[Any], Any], chunk: Any, again: bool) -> Any:
    # Dask takes equal tasks for one, also one that has failed, unless told not to.
    return submit(_once_more, function, chunk) if again else submit(function, chunk)


def _once_more(function: Callable[[Any], Any], chunk: Any) -> Any:
    return function(chunk)


def _imap(imap: Callable[..., Any], function: Callable[[Any], Any], chunk: Any, again: bool) -> _Call:
    # Of one chunk: a longer iterable would be taken in as fast as it comes, however long it is.
    return _Call(_next_of, iter(imap(function, [chunk])))


def _next_of(results: Iterable[Any]) -> Any:
    for result in results:
        return result
    raise RuntimeError("the workers gave fewer results than they had chunks")


def _raise(error: Exception) -> NoReturn:
    raise error


def _result(handle: Any) -> Any:
    return result_of(handle) if isinstance(handle, Future) else handle.result()


def _begin(begin: _Begin, chunk: Any, again: bool) -> Any:
    """A handle, also where not even beginning works: a broken pool, a chunk that cannot be pickled."""
    try:
        return begin(chunk, again)
    except ThreadsError:
        raise
    except Exception as error:
        return _Call(_raise, error)


def _run_threads(
    count: int, function: Callable[[Any], Any], chunks: Iterable[Any], boards_of: _BoardsOf
) -> Iterator[Any]:
    with Team(count) as team:
        window = _CHUNKS_PER_WORKER * count
        yield from _run(partial(_submit, team.submit, function), lambda: window, chunks, boards_of)


def _run(begin: _Begin, window: Callable[[], int], chunks: Iterable[Any], boards_of: _BoardsOf) -> Iterator[Any]:
    """`begin` makes a handle of (chunk, whether it is tried again), `window` says how many may wait."""
    begun = ((chunk, _begin(begin, chunk, False)) for chunk in chunks)
    return _in_order(begun, begin, window, boards_of)


def _run_rounds(
    mapper: Callable[..., Iterable[Any]],
    function: Callable[[Any], Any],
    window: Callable[[], int],
    chunks: Iterable[Any],
    boards_of: _BoardsOf,
) -> Iterator[Any]:
    """For what takes a whole list: `mapper(function, list)`."""

    def alone(chunk: Any) -> Any:
        return _next_of(iter(mapper(function, [chunk])))

    def next_or_alone(results: Iterator[Any], chunk: Any) -> Any:
        for result in results:
            return result
        return alone(chunk)  # an exception ended the round, perhaps another chunk's

    def begun() -> Iterator[tuple[Any, Any]]:
        rest = iter(chunks)
        while True:
            some = list(islice(rest, window()))
            if not some:
                return
            try:
                results = iter(mapper(function, some))
            except Exception:
                results = iter(())
            for chunk in some:
                yield chunk, _Call(next_or_alone, results, chunk)

    return _in_order(begun(), lambda chunk, again: _Call(alone, chunk), lambda: 1, boards_of)


def _in_order(
    begun: Iterable[tuple[Any, Any]], begin: _Begin, window: Callable[[], int], boards_of: _BoardsOf
) -> Iterator[Any]:
    """The results of (chunk, handle) pairs, with at most `window()` of them waiting."""
    waiting: deque[tuple[Any, Any]] = deque()
    index = 0

    def finish() -> Any:
        nonlocal index
        chunk, handle = waiting[0]  # there until it is done, to be cancelled if need be
        try:
            result = _result(handle)
        except TableMissingError:
            raise
        except Exception:
            handle = _begin(begin, chunk, True)
            waiting[0] = chunk, handle
            try:
                result = _result(handle)
            except TableMissingError:
                raise
            except Exception as error:
                raise _chunk_error(index, chunk, boards_of, error) from error
        waiting.popleft()
        index += 1
        return result

    try:
        for pair in begun:
            waiting.append(pair)
            while len(waiting) >= window():
                yield finish()
        while waiting:
            yield finish()
    finally:
        for _, handle in reversed(waiting):  # or the next ones would begin while the first are cancelled
            if hasattr(handle, "cancel"):
                with suppress(Exception):  # of a cluster that is gone
                    handle.cancel()


def _chunk_error(index: int, chunk: Any, boards_of: _BoardsOf, error: Exception) -> ChunkError:
    boards = chunk
    if boards_of is not None:
        try:
            boards = boards_of(chunk)
        except Exception:  # perhaps why the chunk failed, and that is what matters
            boards = None
    count = f" ({len(boards)} boards, the first {boards[0]})" if isinstance(boards, (Sequence, np.ndarray)) else ""
    text = f"chunk {index}{count} failed twice; then with {type(error).__name__}: {error}"
    if isinstance(error, BrokenExecutor):
        text += "; this pool takes no more work: find out what ends its processes (memory?), and make a new one"
    if isinstance(error, CancelledError):  # which says nothing itself
        text += "somebody else cancelled it, or the cluster's scheduler is gone"
    return ChunkError(text, index, boards)


def _window(workers: Any) -> Callable[[], int]:
    """How many chunks may wait, as a function: clusters grow and shrink."""
    counted, count = -math.inf, 0

    def window() -> int:
        nonlocal counted, count
        now = time.monotonic()
        if now - counted >= _RECOUNT_SECONDS:
            counted, count = now, max(1, worker_count(workers))
        return _CHUNKS_PER_WORKER * count

    return window


def worker_count(workers: Any) -> int:
    """How many work at the same time, of what `spread` takes; as many as this machine has processors, if unknown.

    >>> worker_count(None), worker_count(3)
    (1, 3)
    """
    if workers is None or hasattr(workers, "__index__"):
        return 1 if workers is None else thread_count(workers, "workers")
    for name in _COUNTS:
        count = getattr(workers, name, None)
        if isinstance(count, int):
            return count
    client = getattr(workers, "_client", workers)  # of a Dask executor
    if hasattr(client, "nthreads"):
        return int(sum(client.nthreads().values()))
    return processor_count()
