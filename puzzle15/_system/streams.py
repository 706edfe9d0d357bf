"""The standard streams: reading lines, and streams that are closed, broken or full."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import IO, Any

MAX_LINE = 4096  # characters: reading takes its time, and no board needs more

_BLOCK = 1 << 16  # bytes, as many as a pipe holds on Linux


def open_closed_streams() -> None:
    """Open standard streams that are closed on the null device; writing to standard output stays an error.

    Otherwise the next file that is opened would get the descriptor, and everything that is written to the stream.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            # The new descriptor is the lowest free one, which is this one. Messages may be lost, answers must not.
            os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_RDWR)
        if getattr(sys, name) is None:
            stream = open(descriptor, "w" if descriptor else "r", closefd=False)  # noqa: SIM115 - it stays open
            setattr(sys, name, stream)


def drop_output() -> None:
    """Discard what cannot be written; otherwise the interpreter would try again when it ends, and fail."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)


def write_message(text: str) -> bool:
    """Write a message to standard error, and return whether that worked; a closed, broken or full stream loses it."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # there is none, or a ValueError, which a closed file raises
        return False
    return True


def read_blocks(file: IO[Any], longest: int) -> Iterator[list[str]]:
    """Yield the lines of a file in lists, without line ends; each line is given as soon as it was written.

    A program can wait for an answer before it writes the next line; many lines of a large file are read together.
    Undecodable bytes become U+FFFD, and spoil only their line. A byte-order mark is dropped. A line of more than
    `longest` characters is cut, but stays longer than that; so memory stays bounded.

    >>> import io
    >>> list(read_blocks(io.BytesIO(b"one\\r\\ntwo\\n\\nfour"), 100))
    [['one', 'two', ''], ['four']]
    """
    binary: Any = getattr(file, "buffer", file)
    if not hasattr(binary, "read1"):  # text in memory
        yield [line.rstrip("\n")[: longest + 1] for line in file]
        return
    most = 4 * (longest + 1)  # bytes: a character takes at most 4
    rest, mark = b"", b"\xef\xbb\xbf"
    while True:
        block = binary.read1(_BLOCK)
        data = rest + block
        # A line ends with \n, \r\n or \r. A \r at the very end may be the first half of \r\n.
        end = 1 + max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) if block else len(data)
        rest = data[end:][:most]
        if end:
            text = data[:end].removeprefix(mark).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
            mark = b""
            if text:
                yield [line[: longest + 1] for line in text.removesuffix("\n").split("\n")]
        if not block:
            return
