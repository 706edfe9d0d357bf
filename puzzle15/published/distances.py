"""The number of boards at each distance from a goal, and the distance of the farthest board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Optional

from ..board import Board, check_metric, check_shape
from ..errors import TableCorruptError

__all__ = ["check_bound", "depth_counts", "farthest"]

#: The most moves that a board needs when the goal has its blank in a corner, by shape; up to 9 cells it holds for every
#: goal. OEIS, sequence A151944; `depth_counts` has the counts of all boards.
_FARTHEST = {
    (2, 2): 6,
    (2, 3): 21,
    (2, 4): 36,
    (2, 5): 55,
    (2, 6): 80,
    (2, 7): 108,
    (2, 8): 140,
    (3, 3): 31,
    (3, 4): 53,
    (3, 5): 84,
    (4, 4): 80,
}
_COUNTED_CELLS = 9

#: The same in multi-tile moves.
_FARTHEST_MULTI_TILE = {
    (2, 2): 6,
    (2, 3): 20,
    (2, 4): 25,
    (2, 5): 36,
    (2, 6): 41,
    (2, 7): 52,
    (2, 8): 57,
    (3, 3): 24,
    (3, 4): 33,
    (3, 5): 44,
    (4, 4): 43,
}


def depth_counts(shape: Sequence[int], home: str = "corner", *, metric: str = "stm") -> Optional[tuple[int, ...]]:
    """How many boards there are at each distance from the goal.

    Parameters
    ----------
    shape : (int, int)
    home : {"corner", "edge", "center"}
        Where the goal has its blank. The tiles' order makes no difference.
    metric : {"stm", "mtm"}
        Whether distances count single-tile or multi-tile moves.

    Returns
    -------
    tuple of int, or None
        The number of boards at distance 0, 1, 2, ..; None where it is not known. For the corner it is,
        for every shape and both metrics.

    References
    ----------
    Full breadth-first searches published by lightln2/SlidingTilesSolver; OEIS A089484, A089473, A090164 to A090167,
    A090036, A346736, A346737, A389728.

    Examples
    --------
    >>> depth_counts((2, 2))
    (1, 2, 2, 2, 2, 2, 1)
    >>> depth_counts((4, 4), metric="mtm")[:6]
    (1, 6, 18, 54, 162, 486)
    >>> counts = depth_counts((4, 4))
    >>> round(sum(distance * count for distance, count in enumerate(counts)) / sum(counts), 3), len(counts)
    (52.589, 81)
    """
    rows, cols = sorted(check_shape(shape))
    check_metric(metric)
    return _all_depth_counts().get(f"{rows}x{cols}/{home}{'' if metric == 'stm' else f'/{metric}'}")


@cache
def _all_depth_counts() -> dict[str, tuple[int, ...]]:
    import json  # most need no more than `farthest`
    from importlib.resources import files

    text = files(__package__).joinpath("depth_counts.json").read_text(encoding="ascii")
    return {kind: tuple(counts) for kind, counts in json.loads(text).items()}


def farthest(shape: Sequence[int], home: int, *, metric: str = "stm") -> int:
    """A number of moves that no shortest solution exceeds.

    Parameters
    ----------
    shape : (int, int)
    home : int
        The blank's cell in the goal. From a goal with its blank in the nearest corner it is as many moves as cells lie
        between them; in multi-tile moves, one per axis.
    metric : {"stm", "mtm"}
        Whether single-tile or multi-tile moves count.

    Raises
    ------
    BoardError
        If there is no such shape, or no such cell.

    Examples
    --------
    >>> farthest((3, 3), 8), farthest((4, 4), 15), farthest((4, 4), 5), farthest((5, 3), 1)
    (31, 80, 82, 85)
    >>> farthest((4, 4), 15, metric="mtm"), farthest((4, 4), 5, metric="mtm")
    (43, 45)
    """
    rows, cols = check_shape(shape)
    check_metric(metric)
    row, col = divmod(Board.goal((rows, cols), home).blank, cols)
    down, across = min(row, rows - 1 - row), min(col, cols - 1 - col)
    key = min(rows, cols), max(rows, cols)
    if metric == "mtm":
        return _FARTHEST_MULTI_TILE[key] + (down > 0) + (across > 0)
    moves = _FARTHEST[key]
    if rows * cols > _COUNTED_CELLS:
        moves += down + across
    return moves


def check_bound(bound: int, most: int, board: object) -> None:
    """Raise TableCorruptError if the lower bound of `board` exceeds that of the farthest board, `most`."""
    if bound > most:
        raise TableCorruptError(
            f"{board}: a table is corrupt: {bound} moves at least, but no board needs more than {most}"
        )
