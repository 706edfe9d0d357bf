"""Lines of text whose pieces have styles, such as a tile of a colour or a hint; and numbers and times as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..pictures import TERMINAL_TILES

__all__ = ["Line", "Span", "clipped", "clock_text", "count_text", "painted", "plain", "styled", "wrapped"]


class Span(NamedTuple):
    """A piece of a line, and the name of its style."""

    text: str
    style: str = ""


Line = Sequence[Span]

#: The terminal's codes of each style, with colours and without. Tiles have a colour number, and are bold at home.
_CODES = {
    "": ("", ""),
    "title": ("1", "1"),
    "quiet": ("2", "2"),
    "loss": ("1;35", "1"),
    "hint": ("1;37;44", "1;7"),
    **{f"tile {number}": (style, "") for number, style in enumerate(TERMINAL_TILES)},
    **{f"home {number}": (f"1;{style}", "1") for number, style in enumerate(TERMINAL_TILES)},
}


def plain(line: Line) -> str:
    """A line without styles; each of its characters takes one column."""
    return "".join(span.text for span in line)


def clipped(line: Line, columns: int) -> Line:
    """The part of a line in the first columns."""
    left, spans = columns, []
    for span in line:
        spans.append(Span(span.text[:left], span.style))
        left = max(left - len(span.text), 0)
    return spans


def painted(line: Line, colour: bool) -> str:
    """A line with the codes of a terminal.

    >>> painted([Span("5", "hint"), Span(" 6")], colour=False)
    '\\x1b[1;7m5\\x1b[0m 6'
    """
    pieces = []
    for text, style in line:
        code = _CODES[style][0 if colour else 1]
        pieces.append(f"\x1b[{code}m{text}\x1b[0m" if code and text else text)
    return "".join(pieces)


def wrapped(pieces: Sequence[str], columns: int, gap: str = " ") -> list[str]:
    """Pieces in as many lines as they need.

    >>> wrapped(["q quit", "n new", "? hint"], 16, "  ")
    ['q quit  n new', '? hint']
    """
    lines = [""]
    for piece in filter(None, pieces):
        if lines[-1] and len(lines[-1]) + len(gap) + len(piece) > columns:
            lines.append("")
        lines[-1] += gap * bool(lines[-1]) + piece
    return [line for line in lines if line]


def styled(sentence: str, columns: int, style: str = "title") -> list[Line]:
    """A sentence in lines of one style."""
    return [[Span(line, style)] for line in wrapped(sentence.split(" "), columns)]


def count_text(number: int, what: str) -> str:
    """A number of things.

    >>> count_text(1, "move"), count_text(2, "move")
    ('1 move', '2 moves')
    """
    return f"{number} {what}{'s' * (number != 1)}"


def clock_text(seconds: float) -> str:
    """Minutes and seconds, as clocks show them.

    >>> clock_text(75.9), clock_text(3600)
    ('1:15', '60:00')
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
