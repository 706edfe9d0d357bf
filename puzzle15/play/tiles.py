"""The board as lines with styles, in several sizes, and where its cells are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..board import Board, Shape
from ..pictures import board_box, colour_numbers
from .spans import Line, Span

__all__ = ["ARROWS", "SIZES", "Area", "Size", "areas", "board_lines"]

#: Where a cell is on the screen: (top, left, bottom, right), ends excluded.
Area = tuple[int, int, int, int]

ARROWS = {"U": "↑", "D": "↓", "L": "←", "R": "→"}


class Size(NamedTuple):
    """Columns and rows of spaces around a number, and whether there are lines between the cells."""

    beside: int
    above: int
    framed: bool

    def cell(self, shape: Shape) -> tuple[int, int]:
        """Columns and rows of a cell."""
        return _digits(shape) + 2 * self.beside, 1 + 2 * self.above


SIZES = (Size(2, 1, True), Size(1, 0, True), Size(1, 0, False))


def board_lines(
    board: Board,
    goal: Board,
    size: Size,
    *,
    hint: str = "",
    arrows: bool = True,
    ascii_only: bool = False,
    colours: str,
) -> list[Line]:
    """The lines of a board.

    Parameters
    ----------
    board, goal : Board
        Tiles that are in the goal's place are bold.
    size : Size
    hint : str
        The moves of tiles that are to be seen at once.
    arrows : bool
        Whether these tiles have arrows, where there is room.
    ascii_only : bool
        Whether to draw without other characters than those of ASCII.
    colours : {"rows", "rings", "plain"}
        What the colour of a tile tells; see `puzzle15.pictures.colour_numbers`.
    """
    wide, _ = size.cell(board.shape)
    if size.framed:
        text = board_box(board.tiles, board.shape, ascii_only=ascii_only, padding=(size.beside, size.above))
    else:
        rows, cols = board.shape
        text = [
            "".join(f"{board[row, col] or '':>{_digits(board.shape)}}".center(wide) for col in range(cols))
            for row in range(rows)
        ]
    hinted = {board.move(move).blank: move for move in hint}  # the blank takes the tile's cell
    numbers = colour_numbers(board.shape, colours, goal.tiles)
    pieces: list[list[tuple[int, Span]]] = [[] for _ in text]
    for cell, (top, left, bottom, right) in enumerate(areas(board.shape, size)):
        tile = board[cell]
        style = "hint"
        if cell not in hinted:
            style = f"{'home' if tile == goal[cell] else 'tile'} {numbers[tile]}" if tile else ""
        for row in range(top, bottom):
            inner = text[row][left:right]
            if cell in hinted and top < row == bottom - 1 and arrows:
                arrow = hinted[cell] if ascii_only else ARROWS[hinted[cell]]
                inner = arrow.rjust(_digits(board.shape)).center(wide)
            pieces[row].append((left, Span(inner, style)))
    return [_assembled(line, some) for line, some in zip(text, pieces)]


def _assembled(text: str, pieces: Sequence[tuple[int, Span]]) -> Line:
    """A line with spans in the place of what stood at their columns."""
    spans, done = [], 0
    for begin, span in pieces:
        spans += [Span(text[done:begin]), span]
        done = begin + len(span.text)
    return [*spans, Span(text[done:])]


def areas(shape: Shape, size: Size, down: int = 0) -> list[Area]:
    """Where the cells of a board are whose first line is the screen's line `down`."""
    wide, high = size.cell(shape)
    line = int(size.framed)
    corners = [
        (down + line + row * (high + line), line + col * (wide + line))
        for row in range(shape[0])
        for col in range(shape[1])
    ]
    return [(top, left, top + high, left + wide) for top, left in corners]


def _digits(shape: Shape) -> int:
    return len(str(shape[0] * shape[1] - 1))
