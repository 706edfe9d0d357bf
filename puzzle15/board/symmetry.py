"""The symmetries of a board's shape, and the cells that they carry into each other.

Homes that a symmetry carries into each other are alike; each such orbit is represented by its last cell.
"""

from __future__ import annotations

from functools import cache
from typing import Union

from .._core.base import board as _board
from .notation import Shape, check_shape

__all__ = ["home_cell", "symmetries"]


@cache
def symmetries(shape: Shape, home: Union[int, None] = None) -> tuple[tuple[int, ...], ...]:
    """The cell maps of the board's symmetries, the identity first; with `home`, those that keep it."""
    maps = tuple(_board.symmetries(shape))
    return maps if home is None else tuple(cells for cells in maps if cells[home] == home)


def home_cell(home: Union[int, str], shape: Shape) -> int:
    """The cell that stands for a home: the last one that symmetries carry `home` to.

    Parameters
    ----------
    home : int or {"corner", "edge", "center"}
        A cell; or a kind of cell, which stands for the last cell of that kind.

    Examples
    --------
    >>> home_cell("corner", (4, 4)), home_cell("edge", (4, 4)), home_cell("center", (4, 4))
    (15, 14, 10)
    >>> home_cell(0, (4, 4))
    15
    """
    rows, cols = shape = check_shape(shape)
    cells = range(rows * cols)
    if isinstance(home, str) and not home.isdigit():

        def kind(cell: int) -> str:
            row, col = divmod(cell, cols)
            borders = (row in (0, rows - 1)) + (col in (0, cols - 1))
            return ("center", "edge", "corner")[borders]

        last = [cell for cell in cells if kind(cell) == home]
        if not last:
            known = ", ".join(sorted({kind(cell) for cell in cells}))
            raise ValueError(f"home {home!r}: a {rows}x{cols} board has {known}, or a cell 0 .. {len(cells) - 1}")
        return max(last)
    cell = int(home)
    if cell not in cells:
        raise ValueError(f"home {cell}: a {rows}x{cols} board has the cells 0 .. {len(cells) - 1}")
    return max(symmetry[cell] for symmetry in symmetries(shape))
