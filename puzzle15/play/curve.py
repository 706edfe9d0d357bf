"""The distances along a game as a curve of characters."""

from __future__ import annotations

from collections.abc import Collection, Sequence

__all__ = ["curve"]

_BARS = " ▁▂▃▄▅▆▇█"


def curve(
    distances: Sequence[int], costly: Collection[int], columns: int, rows: int, ascii_only: bool = False
) -> list[str]:
    """A curve of distances, with a mark below each move that cost.

    Parameters
    ----------
    distances : sequence of int
        Of the first board and after every move; at least one.
    costly : collection of int
        The numbers of the moves that led away from the goal.
    columns, rows : int
        The largest width, and the height without the line of marks and that of numbers.
    ascii_only : bool
        Whether to draw with ``#`` instead of blocks.

    Returns
    -------
    list of str
        Lines from the top down. If there are more moves than columns, several share a column, and the largest of their
        distances is shown.

    Examples
    --------
    >>> print("\\n".join(curve([3, 2, 3, 2, 1, 0], [2], 40, 3, ascii_only=True)))
    3 |###   ###
      |############
    0 |###############
      |      ^
       0                5
    """
    most = max(distances)
    gutter = len(str(most))
    room = max(columns - gutter - 3, 1)
    shared = -(-len(distances) // room)  # moves per column
    parts = [range(begin, min(begin + shared, len(distances))) for begin in range(0, len(distances), shared)]
    heights = [max(distances[number] for number in part) for part in parts]
    wide = min(room // len(parts), 3)  # columns per bar
    lines = []
    for row in range(rows, 0, -1):
        label = str(most) if row == rows else "0" if row == 1 else ""
        bars = "".join(_bar(height * rows * 8 / max(most, 1) - 8 * (row - 1), ascii_only) * wide for height in heights)
        lines.append(f"{label:>{gutter}} {'|' if ascii_only else '│'}{bars}".rstrip())
    marks = "".join(("^" if any(number in costly for number in part) else " ").ljust(wide) for part in parts)
    lines.append(f"{'':{gutter}} {'|' if ascii_only else '└'}{marks}".rstrip())
    last = str(len(distances) - 1)
    lines.append(f"{'':{gutter}}  0{last:>{max(len(parts) * wide - 1, len(last) + 1)}}")
    return lines


def _bar(eighths: float, ascii_only: bool) -> str:
    """What a bar shows in a row that it fills to so many eighths."""
    if ascii_only:
        return "#" if eighths > 0 else " "
    return _BARS[min(max(-int(-eighths // 1), 0), 8)]
