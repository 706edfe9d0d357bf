"""How the command speaks: lines of output, errors as one line, exit codes, and what signals do.

Data goes to standard output, everything said about it to standard error.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading

from ..errors import ChunkError, ClusterError


OK, FAILED, USAGE, TABLES, INTERRUPTED = 0, 1, 2, 3, 130


class UsageError(Exception):
    """A command line that makes no sense."""


class Terminated(BaseException):
    """A signal that asks the process to end."""

    def __init__(self, number):
        super().__init__(number)
        self.exit_code = 128 + number


def exit_code_of(error):
    """The exit code of an exception, None for what should never happen."""
    if isinstance(error, (UsageError, ValueError, ClusterError)):  # an option's value
        return USAGE
    if isinstance(error, ChunkError):
        return FAILED
    if isinstance(error, (OSError, MemoryError)):  # tables missing, corrupt, or not writable
        return TABLES
    return None


def reason(error):
    """An exception as one line."""
    if isinstance(error, MemoryError):
        return "out of memory; --memory bounds what a build takes"
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    else:
        text = str(error)
    return " ".join(text.split())


def say(text):
    with contextlib.suppress(OSError):
        print(f"puzzle15: {text}", file=sys.stderr, flush=True)


def write_line(text):
    sys.stdout.write(text + "\n")


def write_json(record):
    write_line(json.dumps(record))


def drop_output():
    """Send what is still to be written nowhere, so that the interpreter's exit is quiet, too."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def signals_as_exceptions():
    """Turn requests to end into exceptions, so that temporary files go."""

    def end(number, frame):
        raise Terminated(number)

    previous = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                previous[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
