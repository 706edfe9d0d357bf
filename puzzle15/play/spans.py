"""Lines of text whose pieces have styles, such as a tile of a colour or a hint; and how a terminal is told of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..pictures import TERMINAL_TILES

__all__ = ["Line", "Span", "clipped", "painted", "plain", "width"]


class Span(NamedTuple):
    """A piece of a line, and the name of its style."""

    text: str
    style: str = ""


Line = Sequence[Span]

#: Of each style the terminal's codes, with colours and without. Tiles have a colour number, and are bold at home.
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
    """A line without styles."""
    return "".join(span.text for span in line)


def width(line: Line) -> int:
    """The columns that a line takes; all characters that the game writes take one."""
    return sum(len(span.text) for span in line)


def clipped(line: Line, columns: int) -> Line:
    """What of a line stands in the first columns."""
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
