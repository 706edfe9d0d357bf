"""How far a board can be from a goal.

No shortest solution is longer, so a lower bound above that comes from a damaged table.
"""

from __future__ import annotations

from .errors import TableCorruptError

__all__ = ["check_bound", "farthest"]

#: The most moves that a board needs when the goal has its blank in a corner, by shape; up to 9 cells it holds for every
#: goal. OEIS, sequence A151944; `puzzle15.data.depth_counts` has the counts of all boards.
_FARTHEST = {
    (2, 2): 6, (2, 3): 21, (2, 4): 36, (2, 5): 55, (2, 6): 80, (2, 7): 108, (2, 8): 140,
    (3, 3): 31, (3, 4): 53, (3, 5): 84, (4, 4): 80,
}
_COUNTED_CELLS = 9


def farthest(shape: tuple[int, int], home: int) -> int:
    """A number of moves that no shortest solution exceeds.

    Parameters
    ----------
    shape : (int, int)
    home : int
        The blank's cell in the goal. From a goal with its blank in the nearest corner it is as many moves as cells lie
        between them.

    Examples
    --------
    >>> farthest((3, 3), 8), farthest((4, 4), 15), farthest((4, 4), 5), farthest((5, 3), 1)
    (31, 80, 82, 85)
    """
    rows, cols = shape
    row, col = divmod(home, cols)
    moves = _FARTHEST[min(shape), max(shape)]
    if rows * cols > _COUNTED_CELLS:
        moves += min(row, rows - 1 - row) + min(col, cols - 1 - col)
    return moves


def check_bound(bound: int, most: int, board: object) -> None:
    """TableCorruptError if a search says that `board` needs more moves than any board does, which is `most`."""
    if bound > most:
        raise TableCorruptError(f"{board}: a table is corrupt: {bound} moves at least, but no board needs more than {most}")
