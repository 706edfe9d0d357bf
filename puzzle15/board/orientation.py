"""Turning boards so that their goal becomes the canonical one.

Tables and networks know one goal per shape and kind of home: the tiles in order, the blank at the cell
that stands for the home. A symmetry carries the blank's cell there, and tiles are renamed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._core.base import board as _board
from ..parallel import slices
from .board import Board
from .packing import pack_boards, unpack_boards
from .symmetry import home_cell, symmetries

__all__ = ["Orientation"]

_ROWS = 1 << 15  # that are turned together: some milliseconds


class Orientation:
    """The symmetry and the renaming that make a goal canonical.

    Attributes
    ----------
    goal : Board
    home : int
        The blank's cell in the canonical goal.
    direction_back : bytes
        Directions on the board by directions on the turned board: where the blank moves in direction d
        there, it moves in direction ``direction_back[d]`` here. 0 is up, 1 left, 2 right, 3 down.
    direction_to : bytes
        The inverse: directions on the turned board by directions on the board.

    Examples
    --------
    >>> from puzzle15 import Board
    >>> orientation = Orientation(Board("0 1 2/3 4 5/6 7 8"))
    >>> orientation.home
    8
    >>> orientation.turn_one(orientation.goal) == Board.goal((3, 3)).packed
    True
    """

    def __init__(self, goal: Board) -> None:
        self.goal = goal
        shape = goal.shape
        self.home = home_cell(goal.blank, shape)
        canonical = Board.goal(shape, self.home).tiles
        self._cell_to = next(s for s in symmetries(shape) if s[goal.blank] == self.home)
        self._tile_to = [0] * len(canonical)
        for cell, tile in enumerate(goal.tiles):
            self._tile_to[tile] = canonical[self._cell_to[cell]]
        self._identity = self._cell_to == tuple(range(len(canonical))) and self._tile_to == sorted(self._tile_to)
        back = {}
        for cell in range(len(canonical)):
            for direction in range(4):
                step = _board.neighbour(shape, cell, direction)
                if step >= 0:
                    turned = next(
                        d for d in range(4) if _board.neighbour(shape, self._cell_to[cell], d) == self._cell_to[step]
                    )
                    back[turned] = direction
        self.direction_back = bytes(back[direction] for direction in range(4))
        self.direction_to = bytes(self.direction_back.index(direction) for direction in range(4))

    def turn(self, packed: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Turn packed boards; 0, which is not a board, stays 0."""
        if self._identity:
            return packed
        result = np.zeros_like(packed)
        for rows in slices(len(packed), _ROWS):
            tiles = unpack_boards(packed[rows], self.goal.shape)
            turned = np.empty_like(tiles)
            turned[:, list(self._cell_to)] = np.array(self._tile_to, dtype=np.uint8)[tiles]
            good = packed[rows] != 0
            if good.any():
                result[rows][good] = pack_boards(turned[good], self.goal.shape)[0]
        return result

    def turn_one(self, board: Board) -> int:
        """Turn one board, and pack it."""
        return int(self.turn(np.array([board.packed], dtype=np.uint64))[0])
