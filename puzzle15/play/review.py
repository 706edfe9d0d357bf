"""What became of a game: a summary, the distance after each move as a curve, and the moves that cost."""

from __future__ import annotations

from ..board import format_moves
from .curve import curve
from .session import Session
from .spans import Line, Span, clipped
from .texts import clock_text, count_text, thinking_text, wrapped

__all__ = ["review_lines"]

_LOWEST_CURVE, _HIGHEST_CURVE = 3, 10


def review_lines(session: Session, columns: int, rows: int, ascii_only: bool = False) -> list[Line]:
    """What became of a game: a summary, the curve of the distances, and as many moves that cost as there is room."""
    lines: list[Line] = [[Span(line, "title")] for line in wrapped(_summary(session).split(" "), columns)]
    analysis = session.analysis
    if analysis is None:
        return [*lines, [], [Span(f"The game is being analysed: {thinking_text(session.knowledge.thinker)}")]]
    if not analysis.distances:
        return [*lines, [], [Span("The game was not analysed: a limit was reached.")]]
    convention = session.convention
    mistakes = [
        f"move {mistake.number:3}: {format_moves(mistake.move, convention)} lost {mistake.lost}, better was "
        f"{format_moves(mistake.finish, convention, compress=True)}"
        for mistake in analysis.mistakes
    ]
    costly = {mistake.number for mistake in analysis.mistakes}
    told = "distance after each move" + ("; ^ marks moves that cost" if costly else "")
    if analysis.status != "solved":
        told += f"; a limit was reached after move {len(analysis.distances) - 1}"
    lines += [[], *([Span(line, "quiet")] for line in wrapped(told.split(" "), columns))]
    room = rows - len(lines) - 2  # for the curve and the mistakes; two lines stand between them
    most = min(_HIGHEST_CURVE, max(analysis.distances))
    high = max(min(room - min(len(mistakes), room // 2), most), _LOWEST_CURVE)
    shown = mistakes[: max(room - high, 0)]
    if 0 < len(shown) < len(mistakes):
        shown[-1] = f"and {len(mistakes) - len(shown) + 1} more moves that cost"
    *bars, marks, numbers = curve(analysis.distances, costly, columns, high, ascii_only)
    lines += [
        *([Span(bar)] for bar in bars),
        [Span(marks, "loss")],
        [Span(numbers, "quiet")],
    ]
    return [*lines, *(clipped([Span(line)], columns) for line in shown)]


def _summary(session: Session) -> str:
    """What became of a game, in a sentence or two."""
    game, made = session.game, len(session.game.moves)
    shortest = session.knowledge.distance(game.start)
    begin = "Given up after" if session.has_given_up else "Solved in"
    text = f"{begin} {count_text(made, 'move')} ({clock_text(game.seconds)})"
    if shortest is None:
        text += "."
    elif session.has_given_up:
        text += f". A shortest solution has {count_text(shortest, 'move')}."
    elif made == shortest:
        text += ": no solution is shorter."
    else:
        text += f". A shortest solution has {count_text(shortest, 'move')}, {made - shortest} fewer."
    helps = [f"took {count_text(game.hints, 'hint')}"] * bool(game.hints)
    helps += [f"took back {count_text(game.undone, 'move')}"] * bool(game.undone)
    return f"{text} You {' and '.join(helps)}." if helps else text
