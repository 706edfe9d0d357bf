"""The symmetries of a board's shape, and turning boards so that their goal becomes another one.

A symmetry carries the blank's cell to its cell in the other goal, and tiles are renamed. Then every solution for one
goal is a solution for the other, after its moves are turned likewise. Tables and networks are made for one goal per
shape and kind of home, the canonical one: the tiles in order, the blank at the last cell that symmetries carry it to.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Optional, Union

from .._core.base import board as _board
from .._system.lazy import np
from .._system.quantities import parse_whole, whole
from .._system.threads import slices
from ..errors import OptionError
from ._board import Board, BoardLike
from ._moves import moves_from_directions
from ._notation import Shape, check_shape
from ._packed import unpack_boards

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROWS = 1 << 15  # boards that are turned together: some milliseconds


@cache
def symmetries(shape: Shape, home: Optional[int] = None) -> tuple[tuple[int, ...], ...]:
    """Return the cell maps of the board's symmetries, the identity first; with `home`, those that keep it."""
    maps = tuple(_board.symmetries(shape))
    return maps if home is None else tuple(cells for cells in maps if cells[home] == home)


def home_cell(home: Union[int, str], shape: Shape) -> int:
    """Return the cell that stands for a home: the last one that symmetries carry `home` to.

    `home` is a cell, or a kind of cell: "corner", "edge" or "center".

    >>> home_cell("corner", (4, 4)), home_cell("edge", (4, 4)), home_cell("center", (4, 4))
    (15, 14, 10)
    >>> home_cell(0, (4, 4))
    15
    """
    rows, cols = shape = check_shape(shape)
    last_of = {home_kind(cell, shape): cell for cell in range(rows * cols)}
    if isinstance(home, str) and home in last_of:
        return last_of[home]
    try:
        cell = whole("home", parse_whole(home) if isinstance(home, str) else home, 0, rows * cols - 1)
    except ValueError:
        known = ", ".join(sorted(last_of))
        raise OptionError(
            f"home {home!r}: a {rows}x{cols} board has {known}, and the cells 0 .. {rows * cols - 1}"
        ) from None
    return max(symmetry[cell] for symmetry in symmetries(shape))


def home_kind(cell: int, shape: Shape) -> str:
    """Return whether a cell is in a ``corner``, at an ``edge``, or in the ``center``."""
    row, col = divmod(cell, shape[1])
    return ("center", "edge", "corner")[(row in (0, shape[0] - 1)) + (col in (0, shape[1] - 1))]


class Orientation:
    """The symmetry and the renaming that turn a goal into another one, `target`, by default the canonical one.

    If several symmetries carry the blank's cell to that of `target`, the first of `symmetries` is taken: nothing moves
    if the blank stays in its cell, and a corner goes to the opposite one by half a turn. A ValueError is raised if
    there is none, as from a corner to the center.

    Attributes
    ----------
    goal : Board
    home : int
        The blank's cell in the other goal.
    cell_to, tile_to : tuple of int
        Cells and tiles on the turned board, by those on the board.
    direction_to, direction_back : bytes
        The blank's directions on the turned board by those on the board, and the inverse.

    Examples
    --------
    >>> orientation = Orientation(Board("0 1 2/3 4 5/6 7 8"))
    >>> orientation.home, orientation.turn_moves("URDDL")
    (8, 'DLUUR')
    >>> orientation.turn_one(orientation.goal) == Board.goal((3, 3)).packed
    True
    """

    def __init__(self, goal: BoardLike, target: Optional[BoardLike] = None) -> None:
        self.goal = goal = Board(goal)
        shape = goal.shape
        target = Board.goal(shape, home_cell(goal.blank, shape)) if target is None else Board(target)
        self.home = target.blank
        new_tiles = target.tiles
        fitting = [] if target.shape != shape else [s for s in symmetries(shape) if s[goal.blank] == self.home]
        if not fitting:
            raise OptionError(
                f"goal {goal} and goal {target}: no turning and no mirroring carries the blank of the one to that of "
                "the other; expected goals of one shape whose blanks lie alike, such as both in a corner"
            )
        self.cell_to = fitting[0]
        tile_to = {tile: new_tiles[self.cell_to[cell]] for cell, tile in enumerate(goal.tiles)}
        self.tile_to = tuple(tile_to[tile] for tile in range(len(new_tiles)))
        self._identity = self.cell_to == self.tile_to == tuple(range(len(new_tiles)))
        beside = [_board.neighbour(shape, self.cell_to[0], direction) for direction in range(4)]
        right, down = beside.index(self.cell_to[1]), beside.index(self.cell_to[shape[1]])
        self.direction_to = bytes((3 - down, 3 - right, right, down))
        self.direction_back = bytes(self.direction_to.index(direction) for direction in range(4))
        letters = moves_from_directions(range(4))
        self._letter_to = str.maketrans(moves_from_directions(self.direction_back), letters)

    def turn(self, packed: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Turn packed boards; 0, which is not a board, stays 0."""
        if self._identity:
            return packed
        result = np.empty_like(packed)
        status = np.empty(len(packed), dtype=np.uint8)
        for rows in slices(len(packed), _ROWS):
            tiles = unpack_boards(packed[rows], self.goal.shape)
            turned = np.empty_like(tiles)
            turned[:, list(self.cell_to)] = np.array(self.tile_to, dtype=np.uint8)[tiles]
            _board.pack_many(turned, self.goal.shape, result[rows], status[rows])
        return result

    def turn_one(self, board: Board) -> int:
        """Turn one board, and pack it."""
        return (
            board.packed if self._identity else _board.transform(board.packed, board.shape, self.cell_to, self.tile_to)
        )

    def turn_moves(self, letters: str) -> str:
        """Turn the letters of moves, of the tiles or of the blank; other characters stay as they are."""
        return letters.translate(self._letter_to)
