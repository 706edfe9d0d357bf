"""How fast moves are played."""

from __future__ import annotations

__all__ = ["check_speed", "slide_seconds"]


def check_speed(tiles_per_second: float) -> None:
    """ValueError unless somebody can follow moves at this speed."""
    if not 0.1 <= tiles_per_second <= 50:
        raise ValueError(f"tiles_per_second={tiles_per_second!r}: expected a number of moves per second, 0.1 .. 50")


def slide_seconds(tiles_per_second: float) -> float:
    """How long a tile slides; until the next move it lies still.

    >>> slide_seconds(1), slide_seconds(10)
    (0.25, 0.08)
    """
    return min(0.25, 0.8 / tiles_per_second)
