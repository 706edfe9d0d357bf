"""Korf's 100 random boards of the 15-puzzle."""

from __future__ import annotations

from typing import NamedTuple

from ._board import Board

#: The goal of Korf's boards: the blank first, then 1 .. 15.
KORF_GOAL = Board.goal((4, 4), home=0)


class KorfBoard(NamedTuple):
    """One of Korf's boards, to be solved towards `KORF_GOAL`, and what is known of it.

    `number` is that of the paper, `manhattan` the Manhattan distance, and `length` that of an optimal solution. `nodes`
    are those that IDA* with Manhattan distance generates, plus 1 for the root: blank moves are tried in the order up,
    left, right, down, the last move is never undone, and the search stops at the first solution. Three differ from the
    published numbers; see ``korf100.txt``.
    """

    number: int
    board: Board
    manhattan: int
    length: int
    nodes: int


def korf100() -> list[KorfBoard]:
    """Korf's 100 random 15-puzzle boards, in the order of the paper; the goal is `KORF_GOAL`, blank first.

    References
    ----------
    R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27
    (1985), Table 1.

    Examples
    --------
    >>> korf100()[0].board, sum(record.length for record in korf100())
    (Board('14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3'), 5305)
    """
    from importlib.resources import files  # most need no more than `KORF_GOAL`

    text = files(__package__).joinpath("korf100.txt").read_text(encoding="ascii")
    records = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        number, manhattan, length, nodes, tiles = line.split("\t")
        records.append(KorfBoard(int(number), Board(tiles), int(manhattan), int(length), int(nodes)))
    return records
