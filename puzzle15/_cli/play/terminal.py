"""A terminal that shows one screen and sends keys, and that is left as it was found. It needs a POSIX system."""

from __future__ import annotations

import os
import select
import signal
import termios
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, Optional

# The alternate screen, no cursor, clicks reported as numbers.
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1006h"
_LEAVE = "\x1b[0m\x1b[?1006l\x1b[?1000l\x1b[?25h\x1b[?1049l"
_BLOCK = 1 << 12


class Terminal:
    """The terminal behind two descriptors: keys come from `source`, and the screen is written to `target`.

    `close` restores its modes, its cursor and its former screen; so do Ctrl-Z, which suspends the process, and Ctrl-\\.
    """

    def __init__(self, source: int, target: int, encoding: str = "utf-8") -> None:
        self._source, self._target, self._encoding = source, target, encoding
        self._shown: list[str] = []
        self._is_stale = False  # whether the screen may show something else
        self._found: Optional[list[Any]] = None  # the modes that are restored
        self._handlers: dict[int, Any] = {}

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            columns, rows = os.get_terminal_size(self._target)
        except OSError:  # it is gone
            columns = rows = 0
        return columns or 80, rows or 24  # some terminals report no size

    def show(self, lines: Sequence[str]) -> None:
        """Show lines from the top down; only changed lines are written."""
        changes = []
        if self._is_stale:
            self._is_stale, self._shown = False, []
            changes.append("\x1b[2J")
        for number, line in enumerate(lines):
            if number >= len(self._shown) or self._shown[number] != line:
                changes.append(f"\x1b[{number + 1};1H{line}\x1b[K")
        if len(lines) < len(self._shown):
            changes.append(f"\x1b[{len(lines) + 1};1H\x1b[J")
        self._shown = list(lines)
        self._write("".join(changes))

    def forget(self) -> None:
        """Write all lines the next time, because something else may have been written."""
        self._is_stale = True

    def read(self, wait_s: float) -> Optional[bytes]:
        """Return what keyboard and mouse have sent: nothing after so many seconds, None once nothing more can come."""
        if not select.select((self._source,), (), (), wait_s)[0]:
            return b""
        try:
            return os.read(self._source, _BLOCK) or None
        except OSError:  # the terminal is gone
            return None

    def open(self) -> None:
        """Take the screen and the keyboard; `close` gives them back, even if this was interrupted."""
        self._found = termios.tcgetattr(self._source)
        for number, handler in (
            (signal.SIGTSTP, self._suspend),
            (signal.SIGQUIT, self._suspend),
            (signal.SIGCONT, lambda *_: self._enter()),  # whoever stopped the process may have changed the modes
            (signal.SIGWINCH, lambda *_: self.forget()),
        ):
            self._handlers[number] = signal.signal(number, handler)
        self._enter()

    def close(self) -> None:
        """Leave the terminal as it was found."""
        if self._found is None:
            return
        endings = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        handlers = {ending: signal.signal(ending, signal.SIG_IGN) for ending in endings}  # nothing interrupts this
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._leave()
        self._found = None
        for ending, handler in handlers.items():
            signal.signal(ending, handler)

    def _enter(self) -> None:
        modes = termios.tcgetattr(self._source)
        modes[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)  # Ctrl-C and Ctrl-Z stay signals
        modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._source, termios.TCSADRAIN, modes)
        self.forget()
        self._write(_ENTER)

    def _leave(self) -> None:
        with suppress(OSError):  # it may be gone
            self._write(_LEAVE)
        with suppress(OSError, termios.error):
            termios.tcsetattr(self._source, termios.TCSAFLUSH, self._found or [])

    def _write(self, text: str) -> None:
        data = text.encode(self._encoding, "replace")
        while data:
            data = data[os.write(self._target, data) :]

    def _suspend(self, number: int, frame: Optional[FrameType]) -> None:
        self._leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # the process stops here until it is continued, or ends
        signal.signal(number, self._suspend)
        self._enter()
