"""Lines of a screen: bold and dim text, its width, and numbers and times as text."""

from __future__ import annotations

import re
from collections.abc import Iterable


def bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if text else ""


def dim(text: str) -> str:
    return f"\x1b[2m{text}\x1b[0m" if text else ""


def plain(line: str) -> str:
    """Return a line without styles and colours; each of its characters takes one column.

    >>> plain(bold("to go") + dim("  3"))
    'to go  3'
    """
    return re.sub(r"\x1b\[[\d;]*m", "", line)


def fitted(line: str, columns: int) -> str:
    """Return a line, or its beginning without styles if it is too long."""
    text = plain(line)
    return line if len(text) <= columns else text[:columns]


def wrapped(pieces: Iterable[str], columns: int, gap: str = " ") -> list[str]:
    """Join pieces into as many lines as they need.

    >>> wrapped(["q quit", "n new", "? hint"], 16, "  ")
    ['q quit  n new', '? hint']
    """
    lines = [""]
    for piece in filter(None, pieces):
        if lines[-1] and len(lines[-1]) + len(gap) + len(piece) > columns:
            lines.append("")
        lines[-1] += gap * bool(lines[-1]) + piece
    return [line for line in lines if line]


def clock_text(seconds: float) -> str:
    """Return minutes and seconds, as clocks show them.

    >>> clock_text(75.9), clock_text(3600)
    ('1:15', '60:00')
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
