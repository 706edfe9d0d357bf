"""Output, messages, exit codes and signals of the command.

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
from collections.abc import Iterator
from types import FrameType
from typing import Any, NoReturn, Optional

from ..errors import ChunkError, ClusterError, InternalError, ThreadsError
from ..system.streams import tell

OK, FAILED, USAGE, TABLES, INTERRUPTED = 0, 1, 2, 3, 130


class UsageError(Exception):
    """An option, or a combination of options, that cannot be used."""


class ReaderGone(Exception):
    """The program that reads standard output, such as ``head``, has closed it."""


class Terminated(BaseException):
    """A signal has asked the process to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number, self.exit_code = number, 128 + number


def exit_code_of(error: Exception) -> Optional[int]:
    """The exit code for an exception, None for one that should never happen."""
    if isinstance(error, (UsageError, ValueError, ClusterError)):  # an option's value
        return USAGE
    if isinstance(error, (ChunkError, InternalError)):
        return FAILED
    if isinstance(error, (OSError, MemoryError, ThreadsError, ImportError)):  # tables missing, corrupt, or no room
        return TABLES
    return None


def reason(error: Exception) -> str:
    """An exception as one line."""
    if isinstance(error, MemoryError):
        return "out of memory; limit the memory of a build with --max-memory"
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    elif isinstance(error, ImportError) and not isinstance(_first_cause(error), ModuleNotFoundError):
        text = (
            f"a library cannot be loaded: {_first_cause(error)}; give the process more memory (see ulimit -v), "
            "or install the library again"
        )
    else:
        text = re.sub(r"^[a-z]+(_[a-z]+)+\b", _option, str(error))
    return " ".join(text.split())


def _first_cause(error: BaseException) -> BaseException:
    return error if error.__cause__ is None else _first_cause(error.__cause__)


def _option(name: re.Match[str]) -> str:
    """An option of Python that a message is about, such as ``time_limit_s``, as the shell knows it."""
    return "--" + name[0].removesuffix("_s").replace("_", "-")


def say(text: str) -> None:
    tell(f"puzzle15: {text}\n")


def write_line(text: str) -> None:
    write_text(text + "\n")


def write_text(text: str) -> None:
    with _output():
        sys.stdout.write(text)


def flush_output() -> None:
    with _output():
        sys.stdout.flush()


@contextlib.contextmanager
def _output() -> Iterator[None]:
    """Tell errors of standard output from errors of other files."""
    try:
        yield
    except BrokenPipeError:
        raise ReaderGone from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


@contextlib.contextmanager
def signals_as_exceptions() -> Iterator[None]:
    """Turn the first signal into an exception, so that temporary files are removed; end at once at the second.

    Where nobody can take an exception, such as in a callback of Python's import system, it comes again a moment later.
    """

    def end(number: int, frame: Optional[FrameType]) -> None:
        for other in previous:
            signal.signal(other, end_at_once)
        raised.append(KeyboardInterrupt() if number == signal.SIGINT else Terminated(number))
        raise raised[0]

    def end_at_once(number: int, frame: Optional[FrameType]) -> NoReturn:
        os._exit(128 + number)

    def unraisable(what: sys.UnraisableHookArgs) -> None:
        if not (raised and what.exc_value is raised[0]):
            others(what)
            return
        raised.clear()
        for number in previous:
            signal.signal(number, end)
        number = getattr(what.exc_value, "number", signal.SIGINT)
        threading.Timer(0.01, os.kill, (os.getpid(), number)).start()

    previous: dict[int, Any] = {}
    raised: list[BaseException] = []
    others, sys.unraisablehook = sys.unraisablehook, unraisable
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            # Signals that are ignored, as under nohup, stay ignored.
            if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                previous[number] = signal.signal(number, end)
    try:
        yield
    except Exception:
        if raised:  # what it interrupted has made another error of it, as numpy does while it is imported
            raise raised[0] from None
        raise
    finally:
        sys.unraisablehook = others
        for number, handler in previous.items():
            signal.signal(number, handler)
