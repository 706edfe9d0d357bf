"""Where a command's boards come from: its arguments, a file, or standard input."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Optional

from ..system.streams import ENCODING, read_lines, standard_input
from .console import UsageError, say

__all__ = ["check_quoted", "growing_chunks", "open_lines"]

_CHUNK_SECONDS = 0.5  # chunks grow until one takes this long


_TILE = r"(\d{1,2}|[_.xb-])"
_PIECE = rf"[\[/,]*{_TILE}[\]/,]*|{_TILE}/{_TILE}|/"  # of a board that was written in any way


def check_quoted(command: str, texts: Sequence[str], what: str = "board", piece: str = _PIECE) -> None:
    """Raise UsageError if the pieces of one text, such as a board's tiles, are several arguments."""
    alone = [text for text in texts if not re.search("[/,]", text)]  # which is no board
    if len(texts) > 1 and alone and all(re.fullmatch(piece, text) for text in texts):
        raise UsageError(f'a {what} is one argument; quote it: puzzle15 {command} "{" ".join(texts)}"')


@contextlib.contextmanager
def open_lines(name: Optional[str], what: str, quiet: bool) -> Iterator[tuple[Iterator[str], bool]]:
    """(the lines without comments, whether all of them can be read at once) of a file.

    Parameters
    ----------
    name : str or None
        The name of the file; "-" or None for standard input.
    what : str
        What a terminal's user is asked for.
    quiet : bool
        Whether nobody is asked.

    Raises
    ------
    UsageError
        The file cannot be read.
    """
    if name in (None, "-"):
        file = standard_input()
        if file.isatty() and not quiet:
            say(f"type {what}, one per line:")
        yield (text for _, text in read_lines(file)), False
        return
    try:
        file = open(name, encoding=ENCODING, errors="replace")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from None
    with file:
        yield (text for _, text in read_lines(file)), stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def growing_chunks(
    lines: Iterator[str], largest: int, first: int = 1, seconds: float = _CHUNK_SECONDS
) -> Iterator[list[str]]:
    """Lines that are answered together: few at first, so that answers come soon, then more and more.

    The next chunk has twice as many lines if the caller took less than `seconds` for the last one, up to `largest`; and
    half as many if the caller took more than four times that.

    >>> [len(chunk) for chunk in growing_chunks(iter("abcdefghij"), 4)]
    [1, 2, 4, 3]
    """
    size = first
    while chunk := list(islice(lines, size)):
        start = time.monotonic()
        yield chunk
        took = time.monotonic() - start
        if took < seconds:
            size = min(2 * size, largest)
        elif took > 4 * seconds:
            size = max(size // 2, 1)
