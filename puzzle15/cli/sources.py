"""Where a command's boards come from: its arguments, a file, or standard input."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterator, Sequence
from typing import Optional

from ..system.streams import ENCODING, read_lines, standard_input
from .console import UsageError, say

__all__ = ["check_quoted", "open_lines"]


def check_quoted(command: str, texts: Sequence[str], what: str = "board", piece: str = r"\d{1,2}|[_.x-]") -> None:
    """Raise UsageError if the pieces of one text, such as a board's tiles, are several arguments."""
    if len(texts) > 1 and all(re.fullmatch(piece, text) for text in texts):
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
