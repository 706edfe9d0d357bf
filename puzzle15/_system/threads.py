"""Threads that stop together: at a signal, at an error, or when nobody waits for the result.

Python runs the handler of a signal, such as Ctrl-C, only in the main thread, and not while C code runs. So every long
loop calls `check_stop` every few milliseconds. In the main thread that lets signals act. In the threads of a `Team` it
raises `Stopped` once the team's ``with`` statement has ended, or that of the team whose thread made it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Optional

from ..errors import ThreadsError
from .machine import processor_count
from .quantities import whole
from .unsendable import Unsendable

if TYPE_CHECKING:
    from concurrent.futures import Future

#: The most threads: each takes some hundred kilobytes, and more threads than processors gain nothing.
MAX_THREADS = 1024

_WAIT_SECONDS = 0.05  # between two checks of signals, where they do not interrupt waiting
_SHORT_SECONDS, _WANTED_SECONDS, _LONG_SECONDS = 0.002, 0.005, 0.01  # of a piece of work
_FIRST_STEPS, _MOST_STEPS = 64, 1 << 24

#: The first number of steps for loops whose steps take at most ten microseconds, such as the look-up of a board.
QUICK_STEPS = 1 << 9


class Stopped(BaseException):
    """The work of this thread is not needed any more. It is not an `Exception`, so nothing handles it as an error."""


class _Here(threading.local):
    """The team of this thread, and the exception that waits in it."""

    team: Optional[Team] = None
    error: Optional[BaseException] = None


_here = _Here()


def check_stop() -> None:
    """Let signals act, or end this thread if its team has stopped: raise what a handler raises, or `Stopped`.

    It takes a tenth of a microsecond. It also raises what `raise_later` has kept.
    """
    if _here.error is not None:
        error, _here.error = _here.error, None
        raise error
    team = _here.team
    while team is not None:
        if team.stopped:
            raise Stopped
        team = team.parent


def raise_later(error: BaseException) -> None:
    """Keep an exception for this thread's next `check_stop`: for Python functions that C calls."""
    _here.error = error


def raises_later() -> bool:
    """Return whether this thread's next `check_stop` raises what `raise_later` has kept."""
    return _here.error is not None


class Team(Unsendable, instead="its threads are of this process; make one there"):
    """At most `workers` threads, which stop when a ``with`` statement ends, whether by an exception or not.

    Then work that was not begun is dropped, and work in progress ends at its next `check_stop`; the statement waits for
    that. A team also stops with its `parent`, the team of the thread that made it.

    >>> with Team(2) as team:
    ...     [result_of(future) for future in [team.submit(divmod, 7, number) for number in (2, 3)]]
    [(3, 1), (2, 1)]
    """

    def __init__(self, workers: int) -> None:
        from concurrent.futures import ThreadPoolExecutor  # most processes make no team

        self.stopped = False
        self.parent = _here.team
        self._pool = ThreadPoolExecutor(workers, initializer=self._enter)
        self._threads: list[threading.Thread] = []
        self._at_work: set[threading.Thread] = set()

    def _enter(self) -> None:
        _here.team = self
        self._threads.append(threading.current_thread())

    def _work(self, function: Callable[..., Any], *arguments: Any) -> Any:
        thread = threading.current_thread()
        self._at_work.add(thread)
        try:
            if self.stopped:
                raise Stopped
            return function(*arguments)
        finally:
            self._at_work.discard(thread)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Begin work; ThreadsError if the system refuses to start another thread."""
        try:
            return self._pool.submit(self._work, function, *arguments)
        except RuntimeError as error:
            raise ThreadsError(
                f"the system refuses to start more threads ({error}); give fewer workers, or allow more memory or "
                f"processes"
            ) from None

    def stop(self) -> None:
        """Stop the threads; the end of the ``with`` statement does this."""
        self.stopped = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        for thread in self._threads:
            # A signal may have left a future's lock taken, for which a thread waits for ever after its work.
            thread.join(_WAIT_SECONDS)
            while thread in self._at_work:
                thread.join(_WAIT_SECONDS)

    def __enter__(self) -> Team:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def result_of(future: Any, check: Callable[[], None] = check_stop) -> Any:
    """Return the result of a future. While this thread waits for one of `concurrent.futures`, `check` is called."""
    while not is_done(future, check):
        pass
    return future.result()


def is_done(future: Any, check: Callable[[], None] = check_stop) -> bool:
    """Return whether a future has a result; wait a twentieth of a second for one of `concurrent.futures`."""
    from concurrent.futures import Future, wait

    if not isinstance(future, Future) or future.done():
        return True
    check()
    return not wait((future,), timeout=_WAIT_SECONDS).not_done


class StepSizer:
    """Finds out how many steps of a loop in C take some milliseconds.

    `steps` is the number of steps to make before the next call of `check_stop`. At first it is small, for steps of
    unknown length; see `QUICK_STEPS`.
    """

    __slots__ = "_began", "_began_work", "_pieces", "steps"

    def __init__(self, steps: int = _FIRST_STEPS) -> None:
        self.steps = steps
        self._pieces = 0

    def pieces(self, end: int, begin: int = 0) -> Iterator[tuple[int, int]]:
        """Yield the begins and ends of pieces that make up ``range(begin, end)``, with a `check_stop` after each.

        >>> list(StepSizer(2).pieces(5))
        [(0, 2), (2, 4), (4, 5)]
        """
        while begin < end:
            after = min(begin + self.steps, end)
            yield begin, after
            self.check_stop()
            begin = after

    def check_stop(self, counts: bool = True) -> None:
        """Call `check_stop`, and adapt `steps` to the time that they took, unless something else was done."""
        check_stop()
        self._pieces += 1
        if self._pieces == 1:
            return  # most loops end here, and need no clocks
        if self._pieces > 2 and counts:
            self._adapt()
        self._began, self._began_work = time.perf_counter(), time.thread_time()

    def _adapt(self) -> None:
        # Only this thread's own time counts. But if it mostly waits, for a disk perhaps, longer pieces make that worse.
        work, all = time.thread_time() - self._began_work, time.perf_counter() - self._began
        if work > _LONG_SECONDS:
            self.steps = max(int(self.steps * _WANTED_SECONDS / work), 1)
        elif work < _SHORT_SECONDS and all < _WAIT_SECONDS:
            self.steps = min(2 * self.steps, _MOST_STEPS)


def slices(count: int, size: int) -> Iterator[slice]:
    """Yield slices of at most `size` that make up ``range(count)``, for numpy, with a `check_stop` before each.

    >>> list(slices(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    for begin in range(0, count, size):
        check_stop()
        yield slice(begin, min(begin + size, count))


def thread_count(given: Any) -> int:
    """Return a number of threads, 1 .. `MAX_THREADS`; None is one per processor. TypeError or ValueError otherwise."""
    if given is None:
        return processor_count()
    if not hasattr(given, "__index__"):
        raise TypeError(
            f"workers {given!r}: expected a whole number from 1 to {MAX_THREADS}, as threads of this process share the "
            f"work"
        )
    return whole("workers", given, 1, MAX_THREADS)
