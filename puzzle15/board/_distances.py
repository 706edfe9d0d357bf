"""The number of boards at each distance from a goal, and the distance of the farthest board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Optional, Union

from ..errors import TableCorruptError
from ._board import Board
from ._moves import Metric, check_metric
from ._notation import check_shape
from ._orientation import home_cell, home_kind

#: The most moves that a board needs when the goal has its blank in a corner, by shape, in single-tile and in multi-tile
#: moves. Up to 9 cells, the first holds for every goal. OEIS, sequence A151944; `depth_counts` counts all boards.
_FARTHEST = {
    (2, 2): (6, 6),
    (2, 3): (21, 20),
    (2, 4): (36, 25),
    (2, 5): (55, 36),
    (2, 6): (80, 41),
    (2, 7): (108, 52),
    (2, 8): (140, 57),
    (3, 3): (31, 24),
    (3, 4): (53, 33),
    (3, 5): (84, 44),
    (4, 4): (80, 43),
}
_COUNTED_CELLS = 9


def depth_counts(
    shape: Sequence[int], home: Union[int, str] = "corner", *, metric: Metric = "stm"
) -> Optional[tuple[int, ...]]:
    """How many boards there are at distance 0, 1, 2, .. from the goal; None where it is not known.

    `home` is where the goal has its blank: a cell, ``"corner"``, which is known for every shape and both metrics,
    ``"edge"`` or ``"center"``. `metric` is ``"stm"``, or ``"mtm"`` for multi-tile moves.

    References
    ----------
    Full breadth-first searches published by lightln2/SlidingTilesSolver; OEIS A089484, A089473, A090164 to A090167,
    A090036, A346736, A346737, A389728.

    Examples
    --------
    >>> depth_counts((2, 2)), depth_counts((4, 4), metric="mtm")[:6]
    ((1, 2, 2, 2, 2, 2, 1), (1, 6, 18, 54, 162, 486))
    """
    shape = check_shape(shape)
    check_metric(metric)
    rows, cols = sorted(shape)
    kind = home_kind(home_cell(home, shape), shape)
    return _all_depth_counts().get(f"{rows}x{cols}/{kind}{'' if metric == 'stm' else f'/{metric}'}")


@cache
def _all_depth_counts() -> dict[str, tuple[int, ...]]:
    import json  # most need no more than `farthest`
    from importlib.resources import files

    text = files(__package__).joinpath("depth_counts.json").read_text(encoding="ascii")
    return {kind: tuple(counts) for kind, counts in json.loads(text).items()}


def farthest(shape: Sequence[int], home: int, *, metric: Metric = "stm") -> int:
    """Return a number of moves that no shortest solution exceeds, single-tile ones or multi-tile ones.

    `home` is the blank's cell in the goal. Moving it to the nearest corner takes as many moves as cells lie between, or
    one multi-tile move per axis.

    >>> farthest((3, 3), 8), farthest((4, 4), 15), farthest((4, 4), 5), farthest((5, 3), 1)
    (31, 80, 82, 85)
    >>> farthest((4, 4), 15, metric="mtm"), farthest((4, 4), 5, metric="mtm")
    (43, 45)
    """
    rows, cols = check_shape(shape)
    check_metric(metric)
    row, col = divmod(Board.goal((rows, cols), home).blank, cols)
    down, across = min(row, rows - 1 - row), min(col, cols - 1 - col)
    single, multi = _FARTHEST[min(rows, cols), max(rows, cols)]
    if metric == "mtm":
        return multi + (down > 0) + (across > 0)
    return single + (down + across if rows * cols > _COUNTED_CELLS else 0)


def check_bound(bound: int, most: int, board: object) -> None:
    """Raise TableCorruptError if the lower bound of `board` exceeds that of the farthest board, `most`."""
    if bound > most:
        raise TableCorruptError(
            f"{board}: a table is corrupt: {bound} moves at least, but no board needs more than {most}"
        )
