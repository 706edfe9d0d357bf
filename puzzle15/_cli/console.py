"""Output, messages, exit codes, signals and progress of the command.

Data goes to standard output, and messages about it to standard error. A message that cannot be written is dropped, and
the work goes on. If standard output cannot be written to, the command ends.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Optional

from .._system.interruption import end_at_once
from .._system.streams import write_message
from ..errors import (
    BoardError,
    ChunkError,
    ClusterError,
    InternalError,
    OptionError,
    Puzzle15Error,
    ThreadsError,
    UnsolvableError,
    is_users,
)

OK, FAILED, USAGE, TABLES, INTERRUPTED = 0, 1, 2, 3, 130

_BAR_WIDTH = 24
_LIVE_INTERVAL_S = 0.1
_PLAIN_INTERVAL_S = 5.0
_USUAL_COLUMNS = 80
_LOST_AFTER_S = 0.02  # an exception that nobody handles by then is lost
_CLEAR = "\r\x1b[K"


class UsageError(Exception):
    """An option, or a combination of options, that cannot be used."""


class Failed(Exception):
    """A command has no answer, although it was used rightly."""


class ReaderGone(Exception):
    """The program that reads standard output, such as ``head``, has closed it."""


class Terminated(BaseException):
    """A signal ends the process."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number, self.exit_code = number, 128 + number


def exit_code_of(error: BaseException) -> Optional[int]:
    """Return the exit code for an exception; None for a fault of puzzle15, which shows where it is."""
    if is_users(error) or isinstance(error.__cause__, ModuleNotFoundError):
        return USAGE  # a function of the user's raised it, or an extra is missing
    if isinstance(error, (Failed, BoardError, UnsolvableError, ChunkError, InternalError)):
        return FAILED
    if isinstance(error, (UsageError, ClusterError)) or {Puzzle15Error, ValueError} <= {*type(error).__mro__}:
        return USAGE
    if isinstance(error, (OSError, MemoryError, ThreadsError, ImportError)):  # tables missing, corrupt, or a full disk
        return TABLES
    return None


def reason(error: BaseException) -> str:
    """Return an exception as one line."""
    if isinstance(error, MemoryError):
        known = str(error) not in ("", "out of memory")
        return f"out of memory; {error if known else 'limit the memory of a build with --max-memory'}"
    if is_users(error):
        return described(error)
    text = str(error)
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    elif isinstance(error, ImportError) and not isinstance(_first_cause(error), ModuleNotFoundError):
        text = f"a library cannot be loaded: {_first_cause(error)}; give the process more memory (see ulimit -v), or "
        text += "install the library again"
    elif isinstance(error, OptionError) and (name := re.match(r"[a-z]+(_[a-z]+)+\b", text)):
        text = (
            f"--{name[0].removesuffix('_s').replace('_', '-')}{text[name.end() :]}"  # time_limit_s, as the shell has it
        )
    return " ".join(text.split())


def described(error: BaseException) -> str:
    """Return an exception of the user's own function as one line: its type, the line of the file, and its notes."""
    import traceback

    entries = [entry for entry in traceback.extract_tb(error.__traceback__) if "importlib" not in entry.filename]
    line = f" ({entries[-1].filename}, line {entries[-1].lineno})" if entries[1:] else ""
    notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
    return f"{type(error).__name__}: {' '.join(f'{error}{line}{notes}'.split())}"


def _first_cause(error: BaseException) -> BaseException:
    return error if error.__cause__ is None else _first_cause(error.__cause__)


def say(text: str) -> None:
    Progress.shown.hide()
    write_message(f"puzzle15: {text}\n")


def write_line(text: str) -> None:
    write_text(text + "\n")


def write_text(text: str) -> None:
    """Write to standard output, at once; its errors differ from those of other files."""
    Progress.shown.hide()
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderGone from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


@contextlib.contextmanager
def signals_as_exceptions() -> Iterator[None]:
    """Raise an exception at the first of the signals that end the process, and end it at once at the second.

    An exception can get lost, as in a callback of Python's import system. So it is raised again a moment later, and
    then again, while nobody handles it and this context has not ended; an alarm does that, where the system has one.
    """
    previous: dict[int, Any] = {}
    raised: list[BaseException] = []
    alarm: list[tuple[float, float]] = []  # of others, which goes on afterwards
    ended = False

    def end(number: int, frame: Optional[FrameType]) -> None:
        if raised:
            os._exit(128 + number)
        raised.append(KeyboardInterrupt() if number == signal.SIGINT else Terminated(number))
        if not ended and hasattr(signal, "setitimer"):
            previous[signal.SIGALRM] = signal.signal(signal.SIGALRM, remind)
            alarm.append(signal.setitimer(signal.ITIMER_REAL, _LOST_AFTER_S, _LOST_AFTER_S))
        remind(number, frame)

    def remind(number: int, frame: Optional[FrameType]) -> None:
        if not (ended or raised[0] in _handled()):
            raise raised[0]

    def unraisable(what: sys.UnraisableHookArgs) -> None:
        if what.exc_value not in raised:
            others(what)

    others, sys.unraisablehook = sys.unraisablehook, unraisable
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            # Signals that are ignored, as under nohup, stay ignored.
            usual = (signal.SIG_DFL, signal.default_int_handler, end_at_once)
            if number is not None and signal.getsignal(number) in usual:
                previous[number] = signal.signal(number, end)
    try:
        yield
    except Exception:
        if raised:  # what it interrupted has made another error of it, as numpy does while it is imported
            raise raised[0] from None
        raise
    finally:
        ended = True
        if alarm:
            signal.setitimer(signal.ITIMER_REAL, *alarm[0])
        sys.unraisablehook = others
        for number, handler in previous.items():
            signal.signal(number, handler)


def _handled() -> Iterator[BaseException]:
    """Yield the exceptions that the code which is interrupted now handles: in an except or finally clause, say."""
    error = sys.exc_info()[1]
    while error is not None:
        yield error
        error = error.__context__


class Progress:
    """The progress of a long command: a line that is redrawn on a terminal, occasional lines elsewhere.

    `update` may be called from any thread and at any rate. On a terminal the line is redrawn at most ten times per
    second; other output removes it until then. Elsewhere a line is written when a step begins (the part of `what`
    before its colon) or is ``done``, and every 5 seconds. After an error of standard error nothing more is shown.
    """

    shown: Progress
    """The progress that other output hides."""

    def __init__(self, title: str, *, quiet: bool = False) -> None:
        self._title, self._quiet = title, quiet
        self._live = False
        with contextlib.suppress(AttributeError, ValueError):  # standard error is not a file, or closed
            self._live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._start = time.monotonic()
        self._last: Optional[float] = None  # when a line was written
        self._step: Optional[str] = None
        self._share = 0.0
        self._lock = threading.Lock()

    def update(self, share: Optional[float], what: str) -> None:
        """Show that `share` (0 .. 1, None if unknown) of the work is done, and the current step."""
        with self._lock:
            now = time.monotonic()
            if share is not None:  # threads may report out of order
                share = self._share = max(self._share, min(share, 1.0))
            step = what.partition(":")[0] if ":" in what else self._step
            due = step != self._step or what.endswith(": done")
            self._step = step
            if self._live:
                due = self._last is None or now - self._last >= _LIVE_INTERVAL_S
            else:
                due = due or now - (self._start if self._last is None else self._last) >= _PLAIN_INTERVAL_S
            if due and not self._quiet:
                self._last = now
                line = self._line(share, what, now - self._start)
                # A full line would wrap on some terminals.
                text = _CLEAR + line[: columns() - 1] if self._live else line + "\n"
                self._quiet = not write_message(text)

    def counting(self, noun: str) -> Callable[[int, int], None]:
        """Return a function that shows how many of how many boards, shards .. are done."""
        return lambda done, count: self.update(done / max(count, 1), f"{done:,} of {count:,} {noun}")

    def hide(self) -> None:
        """Remove the line; the next update draws it again."""
        with self._lock:
            if self._live and not self._quiet and self._last is not None:
                self._last = None
                self._quiet = not write_message(_CLEAR)

    def _line(self, share: Optional[float], what: str, elapsed: float) -> str:
        times = [format_duration(elapsed)] if elapsed >= 1 else []
        if times and share is not None and 0.02 < share < 1:
            times.append(f"{format_duration(elapsed * (1 - share) / share)} left")
        parts = [f"{self._title}:"]
        if share is not None:
            if self._live:
                done = round(share * _BAR_WIDTH)
                parts.append(f"[{'#' * done}{'-' * (_BAR_WIDTH - done)}]")
            parts.append(f"{int(share * 100):3d} % ")
        return " ".join([*parts, what]) + (f"  ({', '.join(times)})" if times else "")

    def __enter__(self) -> Progress:
        Progress.shown = self
        return self

    def __exit__(self, *error: object) -> None:
        self.hide()
        self._quiet = True


Progress.shown = Progress("", quiet=True)


def format_duration(seconds: float) -> str:
    """Return seconds as text for people.

    Examples
    --------
    >>> [format_duration(seconds) for seconds in (6.85e-6, 0.0123, 5.25, 75, 7384)]
    ['6.85 µs', '12.3 ms', '5.2 s', '1:15 min', '2:03 h']
    """
    if seconds < 0.9995e-3:
        return f"{seconds * 1e6:.3g} µs"
    if seconds < 0.9995:
        return f"{seconds * 1e3:.3g} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d} min"
    return f"{whole // 3600}:{whole // 60 % 60:02d} h"


def columns() -> int:
    """Return the columns of the terminal. Importing `shutil`, which finds them, too, takes longer than a search."""
    with contextlib.suppress(ValueError):
        if (count := int(os.environ.get("COLUMNS", ""))) > 0:
            return count
    with contextlib.suppress(AttributeError, OSError, ValueError):  # no terminal, or a closed one
        if (count := os.get_terminal_size(sys.__stdout__.fileno()).columns) > 0:  # type: ignore[union-attr]
            return count
    return _USUAL_COLUMNS
