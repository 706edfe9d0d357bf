"""What became of a game: a summary, the distance after each move as a curve, and the mistakes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..._system.quantities import count_text
from ...board import format_moves
from .session import Session
from .text import bold, clock_text, dim, fitted, wrapped

_LOWEST_CURVE, _HIGHEST_CURVE = 3, 10
_BARS = " ▁▂▃▄▅▆▇█"


def review_lines(session: Session, columns: int, rows: int) -> list[str]:
    """Return a summary, the curve of the distances, and as many of the mistakes as fit."""
    lines = list(map(bold, wrapped(_summary(session).split(), columns)))
    analysis = session.analysis
    if analysis is None:
        return [*lines, "", f"The game is being analysed: {session.thinker.text}"]
    if not analysis.distances:
        return [*lines, "", "The game was not analysed: a limit was reached."]
    mistakes = [
        f"move {mistake.number:3}: {format_moves(mistake.move, convention=session.convention)} lost {mistake.lost}, "
        f"better was {format_moves(mistake.finish, convention=session.convention, compress=True)}"
        for mistake in analysis.mistakes
    ]
    about = "distance after each move" + ("; ^ marks mistakes" if mistakes else "")
    if analysis.status != "solved":
        about += f"; a limit was reached after move {len(analysis.distances) - 1}"
    lines += ["", *map(dim, wrapped(about.split(), columns))]
    left = rows - len(lines) - 2  # for the curve and the mistakes; two lines stand between them
    most = min(_HIGHEST_CURVE, max(analysis.distances))
    height = max(min(left - min(len(mistakes), left // 2), most), _LOWEST_CURVE)
    shown = mistakes[: max(left - height, 0)]
    if 0 < len(shown) < len(mistakes):
        shown[-1] = f"and {len(mistakes) - len(shown) + 1} more mistakes"
    costly = {mistake.number for mistake in analysis.mistakes}
    *bars, marks, numbers = curve(analysis.distances, costly, columns, height, session.ascii_only)
    return [*lines, *bars, bold(marks), dim(numbers), *(fitted(line, columns) for line in shown)]


def _summary(session: Session) -> str:
    """Return what became of a game, in a sentence or two."""
    game, made = session.game, len(session.game.moves)
    shortest = session.distance_of(game.start)
    begin = "Given up after" if session.has_given_up else "Solved in"
    text = f"{begin} {count_text(made, 'move')} ({clock_text(game.seconds)})"
    if shortest is None:
        text += "."
    elif made == shortest and not session.has_given_up:
        text += ": no solution is shorter."
    else:
        text += f". A shortest solution has {count_text(shortest, 'move')}"
        text += "." if session.has_given_up else f", {made - shortest} fewer."
    helps = [f"took {count_text(game.hints, 'hint')}"] * bool(game.hints)
    helps += [f"took back {count_text(game.undone, 'move')}"] * bool(game.undone)
    return f"{text} You {' and '.join(helps)}." if helps else text


def curve(
    distances: Sequence[int], costly: Collection[int], columns: int, rows: int, ascii_only: bool = False
) -> list[str]:
    """Return a curve of distances in some rows, with a line of marks below the mistakes, and a line of numbers.

    If there are more moves than columns, several share a column, which shows the largest of their distances.

    >>> print("\\n".join(curve([3, 2, 3, 2, 1, 0], [2], 40, 3, ascii_only=True)))
    3 |###   ###
      |############
    0 |###############
      |      ^
       0                5
    """
    most = max(distances)
    gutter = len(str(most))
    inner = max(columns - gutter - 3, 1)
    shared = -(-len(distances) // inner)  # moves per column
    parts = [range(begin, min(begin + shared, len(distances))) for begin in range(0, len(distances), shared)]
    heights = [max(distances[number] for number in part) * rows / max(most, 1) for part in parts]
    wide = min(inner // len(parts), 3)  # columns per bar
    lines = []
    for row in range(rows, 0, -1):
        label = str(most) if row == rows else "0" if row == 1 else ""
        bars = "".join(_bar(height - row + 1, ascii_only) * wide for height in heights)
        lines.append(f"{label:>{gutter}} {'|' if ascii_only else '│'}{bars}".rstrip())
    marks = "".join(("^" if any(number in costly for number in part) else " ").ljust(wide) for part in parts)
    lines.append(f"{'':{gutter}} {'|' if ascii_only else '└'}{marks}".rstrip())
    last = str(len(distances) - 1)
    lines.append(f"{'':{gutter}}  0{last:>{max(len(parts) * wide - 1, len(last) + 1)}}")
    return lines


def _bar(share: float, ascii_only: bool) -> str:
    """Return the character of a bar that fills this share of a row, or all of it."""
    if ascii_only:
        return "#" if share > 0 else " "
    return _BARS[min(max(-int(-8 * share // 1), 0), 8)]
