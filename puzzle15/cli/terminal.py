"""Progress bars and durations, as people read them on a terminal.

>>> import sys
>>> with Progress("build", sys.stdout, live=False) as progress:
...     progress.update(0.25, "tiles 1-8: level 20")
build:  25 %  tiles 1-8: level 20
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Optional, TextIO

from ..system.streams import tell

__all__ = ["Progress", "columns", "format_duration"]

_BAR_WIDTH = 24
_LIVE_INTERVAL_S = 0.1
_PLAIN_INTERVAL_S = 5.0
_USUAL_COLUMNS = 80
_CLEAR = "\r\x1b[K"


class Progress:
    """The progress of a long command: one redrawn line on a terminal, occasional lines elsewhere.

    Parameters
    ----------
    title : str
        The name of the work, in one word.
    stream : text file, optional
        By default standard error.
    live : bool, optional
        Whether to redraw the line; by default if the stream is a terminal that can.
    quiet : bool
        Show nothing.
    clock : callable
        A clock in seconds, such as `time.monotonic`.

    Notes
    -----
    `update` may be called from any thread and at any rate. On a terminal the line is redrawn at most ten times per
    second. Elsewhere a line is written when a step begins (the part of `what` before its colon) or is ``done``, and
    every 5 seconds. Leaving the context removes the line. After an error of the stream nothing is shown any more; see
    `puzzle15.system.streams.tell`.
    """

    def __init__(
        self,
        title: str,
        stream: Optional[TextIO] = None,
        *,
        live: Optional[bool] = None,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._title = title
        self._stream = sys.stderr if stream is None else stream
        self._live = _can_redraw(self._stream) if live is None else live
        self._quiet = quiet or self._stream is None
        self._clock = clock
        self._start = clock()
        self._last: Optional[float] = None  # when a line was written
        self._step: Optional[str] = None
        self._share = 0.0
        self._lock = threading.Lock()

    def update(self, share: Optional[float], what: str) -> None:
        """Show that `share` (0 .. 1, None if unknown) of the work is done, and the current step."""
        if self._quiet:
            return
        with self._lock:
            now = self._clock()
            if share is not None:  # threads may report out of order
                share = self._share = max(self._share, min(share, 1.0))
            step = what.partition(":")[0] if ":" in what else self._step
            due = step != self._step or what.endswith(": done")
            self._step = step
            if self._live:
                due = self._last is None or now - self._last >= _LIVE_INTERVAL_S
            else:
                due = due or now - (self._start if self._last is None else self._last) >= _PLAIN_INTERVAL_S
            if not due:
                return
            self._last = now
            self._write(self._line(share, what, now - self._start))

    def hide(self) -> None:
        """Remove the line before other output to the same terminal; the next update draws it again."""
        with self._lock:
            self._hide()

    def _hide(self) -> None:
        if self._live and not self._quiet and self._last is not None:
            self._last = None
            self._quiet = not tell(_CLEAR, self._stream)

    def _line(self, share: Optional[float], what: str, elapsed: float) -> str:
        times = []
        if elapsed >= 1:
            times.append(format_duration(elapsed))
            if share is not None and 0.02 < share < 1:
                times.append(f"{format_duration(elapsed * (1 - share) / share)} left")
        parts = [f"{self._title}:"]
        if share is not None:
            if self._live:
                done = round(share * _BAR_WIDTH)
                parts.append(f"[{'#' * done}{'-' * (_BAR_WIDTH - done)}]")
            parts.append(f"{int(share * 100):3d} % ")
        parts.append(what)
        return " ".join(parts) + (f"  ({', '.join(times)})" if times else "")

    def _write(self, line: str) -> None:
        if self._live:
            width = columns() - 1  # a full line would wrap on some terminals
            told = tell(_CLEAR + line[:width], self._stream)
        else:
            told = tell(line + "\n", self._stream)
        self._quiet = not told

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        with self._lock:
            self._hide()
            self._quiet = True


def format_duration(seconds: float) -> str:
    """Seconds for people.

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
    """The columns of the terminal: as `shutil.get_terminal_size` tells, whose import takes longer than a search."""
    with suppress(ValueError):
        if (told := int(os.environ.get("COLUMNS", ""))) > 0:
            return told
    with suppress(AttributeError, OSError, ValueError):  # no terminal, or a closed one
        if sys.__stdout__ is not None and (told := os.get_terminal_size(sys.__stdout__.fileno()).columns) > 0:
            return told
    return _USUAL_COLUMNS


def _can_redraw(stream: Optional[TextIO]) -> bool:
    try:
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    except (AttributeError, ValueError):
        return False  # not a file, or closed
