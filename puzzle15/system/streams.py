"""The standard streams: lines read from one, and what happens where they are closed, broken or full."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from functools import partial
from io import BufferedIOBase
from typing import IO, Any, Optional, TextIO

__all__ = [
    "ENCODING",
    "MAX_LINE",
    "drop_output",
    "open_closed_streams",
    "read_blocks",
    "read_lines",
    "standard_input",
    "tell",
    "text_of",
    "whole_lines",
]

ENCODING = "utf-8-sig"  # with or without a byte-order mark
MAX_LINE = 4096  # characters: reading takes its time, and no board needs more

_BLOCK = 1 << 16  # bytes, as many as a pipe holds on Linux


def open_closed_streams() -> None:
    """Let each standard stream that was closed lead nowhere; writing to standard output is then an error.

    Otherwise the next file that is opened gets its descriptor, and with it all that is written to the stream.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            # Answers must not be lost without a word, but messages may be.
            os.open(
                os.devnull, os.O_RDONLY if name == "stdout" else os.O_RDWR
            )  # gets the lowest free descriptor, which is this one
        if getattr(sys, name) is None:
            stream = open(descriptor, "w" if descriptor else "r", closefd=False)  # noqa: SIM115 - it stays open
            setattr(sys, name, stream)


def drop_output() -> None:
    """Send what cannot be written nowhere: the interpreter would try again at its exit, and fail."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)


def tell(text: str, stream: Optional[TextIO] = None) -> bool:
    """Write to `stream`, by default standard error; whether it worked.

    What is told beside the work must not stop it: a stream that is closed, broken or full, or that
    is not there at all (None as `sys.stderr`), loses the text, and that is no error.
    """
    stream = sys.stderr if stream is None else stream
    if stream is None:
        return False
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError):  # a ValueError is what a closed file raises
        return False
    return True


def standard_input() -> TextIO:
    """Standard input, which holds boards: what is no text is one line's trouble."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding=ENCODING, errors="replace")
    return sys.stdin


def read_lines(file: TextIO) -> Iterator[tuple[int, str]]:
    """The lines of a file that may still be being written, numbered from 1; without comments, and without blank ones.

    Of a line that is too long for a board there is the begin, which is too long, too: memory and time stay bounded.

    >>> import io
    >>> list(read_lines(io.StringIO("# two boards\\n1 2/3 0\\n\\n1 2/0 3  # the second")))
    [(2, '1 2/3 0'), (4, '1 2/0 3')]
    """
    for number, line in enumerate(iter(partial(_read_line, file), ""), 1):
        text, comment, _ = line.partition("#")
        if comment or len(line) <= MAX_LINE or line.endswith("\n"):
            text = text.strip()
        if text:
            yield number, text


def read_blocks(file: IO[Any], longest: int) -> Iterator[list[str]]:
    """The lines of a file in lists, each as soon as it is there, without their ends.

    A program that writes one line can be answered before it writes the next one; of a large file, many lines are read
    together. Bytes that are no text become U+FFFD, and a byte-order mark is dropped. A line of more than `longest`
    characters is cut, but stays longer than that; so memory stays bounded.

    >>> import io
    >>> list(read_blocks(io.BytesIO(b"one\\r\\ntwo\\n\\nfour"), 100))
    [['one', 'two', ''], ['four']]
    """
    binary: Any = getattr(file, "buffer", file)
    if not hasattr(binary, "read1"):  # text in memory
        yield [line.rstrip("\n")[: longest + 1] for line in file]
        return
    for data in whole_lines(binary, longest):
        lines = text_of(data[:-1]).split("\n")
        if max(map(len, lines)) > longest:
            lines = [line[: longest + 1] for line in lines]
        yield lines


def whole_lines(file: BufferedIOBase, longest: int) -> Iterator[bytes]:
    """The lines of a file in pieces, each as soon as it is there. Every line ends with a line feed.

    A byte-order mark is dropped. A line that is too long is cut, but keeps more than `longest` characters.

    >>> import io
    >>> list(whole_lines(io.BytesIO(b"one\\r\\ntwo\\n\\nfour"), 100))
    [b'one\\ntwo\\n\\n', b'four\\n']
    """
    most = 4 * (longest + 1)  # bytes: a character takes at most 4
    rest, mark = b"", b"\xef\xbb\xbf"
    while True:
        block = file.read1(_BLOCK)
        data = rest + block
        # A line ends with \n, \r\n or \r. A \r at the very end may be the first half of \r\n.
        end = 1 + max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) if block else len(data)
        rest = data[end:][:most]
        if end:
            lines = data[:end].removeprefix(mark)
            mark = b""
            if b"\r" in lines:
                lines = lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            if lines:
                yield lines if lines.endswith(b"\n") else lines + b"\n"
        if not block:
            return


def text_of(data: bytes) -> str:
    """The text of bytes from a file; those that are no text become U+FFFD."""
    return data.decode("utf-8", "replace")


def _read_line(file: TextIO) -> str:
    line = rest = file.readline(MAX_LINE + 1)
    while len(rest) > MAX_LINE and not rest.endswith("\n"):
        rest = file.readline(MAX_LINE + 1)
    return line
