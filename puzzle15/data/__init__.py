"""Data that comes with the package: the standard boards of the literature, and numbers of boards."""

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple, Optional

from ..board import Board
from ..notation import check_shape

__all__ = ["KORF_GOAL", "KorfBoard", "depth_counts", "korf100"]

#: The goal of Korf's boards: the blank first, then 1 .. 15.
KORF_GOAL = Board.goal((4, 4), home=0)


class KorfBoard(NamedTuple):
    """One of Korf's boards, and what is known of it."""

    number: int
    """1 .. 100, as in the paper."""

    board: Board
    """To be solved towards `KORF_GOAL`."""

    manhattan: int
    """Its Manhattan distance."""

    length: int
    """Moves of an optimal solution."""

    nodes: int
    """Nodes that IDA* with Manhattan distance generates, plus 1 for the root.

    Blank moves are tried in the order up, left, right, down, the last move is
    never undone, and the search stops at the first solution.  Three differ from
    what is handed down (see the head of ``korf100.txt``).
    """


def korf100() -> list[KorfBoard]:
    """Korf's 100 random 15-puzzle boards.

    Returns
    -------
    list of KorfBoard
        In the order of the paper; the goal is `KORF_GOAL`, blank first.

    References
    ----------
    R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree
    search", Artificial Intelligence 27 (1985), Table 1.

    Examples
    --------
    >>> boards = korf100()
    >>> boards[0].board, boards[0].length
    (Board('14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3'), 57)
    >>> sum(record.length for record in boards)
    5305
    """
    text = files(__name__).joinpath("korf100.txt").read_text(encoding="ascii")
    records = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        number, manhattan, length, nodes, tiles = line.split("\t")
        records.append(
            KorfBoard(
                int(number),
                Board(tiles),
                int(manhattan),
                int(length),
                int(nodes),
            )
        )
    return records


def depth_counts(shape: Sequence[int], home: str = "corner") -> Optional[tuple[int, ...]]:
    """How many boards there are at each distance from the goal.

    Parameters
    ----------
    shape : (int, int)
    home : {"corner", "edge", "center"}
        Where the goal has its blank. The tiles' order makes no difference.

    Returns
    -------
    tuple of int, or None
        The number of boards at distance 0, 1, 2, ..; None where it is not known. For the corner it is,
        for every shape.

    References
    ----------
    Full breadth-first searches published by lightln2/SlidingTilesSolver; OEIS A089484, A089473, A090164 to A090167,
    A090036, A346736, A346737, A389728.

    Examples
    --------
    >>> depth_counts((2, 2))
    (1, 2, 2, 2, 2, 2, 1)
    >>> counts = depth_counts((4, 4))
    >>> round(sum(distance * count for distance, count in enumerate(counts)) / sum(counts), 3), len(counts)
    (52.589, 81)
    """
    rows, cols = sorted(check_shape(shape))
    return _all_depth_counts().get(f"{rows}x{cols}/{home}")


@lru_cache(maxsize=None)
def _all_depth_counts():
    text = files(__name__).joinpath("depth_counts.json").read_text(encoding="ascii")
    return {kind: tuple(counts) for kind, counts in json.loads(text).items()}
