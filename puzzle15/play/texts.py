"""Numbers, times and waiting in words, and words in lines."""

from __future__ import annotations

from collections.abc import Sequence

from .thinking import Thinker

__all__ = ["clock_text", "count_text", "thinking_text", "wrapped"]


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


def thinking_text(thinker: Thinker) -> str:
    """What is shown in the place of an answer that is not there yet."""
    seconds = int(thinker.seconds)
    return "thinking ..." + (f" {seconds} s" if seconds else "")


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
