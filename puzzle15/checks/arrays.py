"""`check_table`, which compares a table given as an array with a search, or with a table of the package."""

from __future__ import annotations

from typing import Optional

import numpy as np
from numpy.typing import NDArray

from ..board import Orientation, random_walk, uniform, unpack_boards
from ..heuristics import TableSum, heuristic
from ..parallel import slices
from ..published import farthest
from ..system.quantities import whole
from ..system.seeds import Seed, random_generator
from ..tables import (
    MOST_SEARCHED,
    UNREACHED,
    Folder,
    PatternTable,
    goal_cells,
    pattern_name,
    placement_count,
    placement_moves,
    placements_of,
    search_placements,
)
from .report import KEPT, TableJump, TableOverestimate, TableReport

__all__ = ["check_table"]

_ROWS = 1 << 16  # placements whose neighbours are looked up together


def check_table(
    table: PatternTable, *, boards: int = 100_000, seed: Optional[Seed] = 0, tables: Folder = None
) -> TableReport:
    """Compare a table given as an array with the least numbers of moves that it counts.

    It is admissible if no value is larger than the least number of the moves that it counts. It is consistent if no
    counted move changes the value by more than one, and no other move changes it.

    Parameters
    ----------
    table : PatternTable
        If its tiles and the blank have at most 6 million placements, as those of five tiles on 4x4, it is compared with
        `puzzle15.tables.search_placements`, in full. A larger one must count own moves, otherwise a ValueError is
        raised. It is compared with the zero-aware table of its pattern.
    boards : int
        How many random boards show a larger table's placements, half of them drawn uniformly, and half the ends of
        random walks from the goal; `seed` is theirs.
    tables : path, optional
        The folder of the tables, where that of a pattern of 7 or 8 tiles must be; see `puzzle15.heuristics.TableSum`.

    Returns
    -------
    TableReport

    Examples
    --------
    >>> from puzzle15.tables import PatternTable
    >>> right = PatternTable.by_search([1, 2, 3], shape=(3, 3))
    >>> check_table(right)
    <TableReport of array:1-3: all 3,024 placements: admissible, not consistent>
    >>> wrong = PatternTable([1, 2, 3], right.values * 2, counts="own", shape=(3, 3), name="doubled")
    >>> report = check_table(wrong)
    >>> bool(report), report.overestimate_count, report.overestimates[0]
    (False, 2991, TableOverestimate(cells=(0, 1, 5, 2), value=2, moves=1))
    """
    listed = len(table.tiles) + 1
    complete = placement_count(table.shape, listed) <= MOST_SEARCHED
    if complete:
        moves = search_placements(table.tiles, table.goal, table.counts)
        ranks = np.flatnonzero(moves != UNREACHED)
        cells, moves = placements_of(ranks, table.shape, listed), moves[ranks]
    else:
        cells, moves = _drawn(table, whole("boards", boards, 1), random_generator(seed), tables)
    values = table.values_of(cells)
    over = np.flatnonzero(values > moves)
    over = over[np.argsort(moves[over], kind="stable")]
    jumps, jump_count = _jumps(table, cells, values)
    return TableReport(
        table.name,
        table.admissible,
        table.consistent,
        complete=complete,
        placements=len(cells),
        exact=float((values == moves).mean()),
        overestimates=tuple(
            TableOverestimate(tuple(cells[i].tolist()), int(values[i]), int(moves[i])) for i in over[:KEPT]
        ),
        overestimate_count=len(over),
        jumps=jumps,
        jump_count=jump_count,
    )


def _drawn(
    table: PatternTable, count: int, rng: np.random.Generator, folder: Folder
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """(placements of tiles and blank that random boards show, the least numbers of own moves)"""
    goal, shape = table.goal, table.shape
    if table.counts != "own":
        raise ValueError(
            f"{table.name}: it counts the moves of all tiles, and has more than {MOST_SEARCHED:,} placements with the "
            "blank; expected a smaller table; check_heuristic tries this one on boards"
        )
    orientation = Orientation(goal)
    tiles = [orientation.tile_to[tile] for tile in table.tiles]
    name = pattern_name(goal_cells(tiles, shape, orientation.home), orientation.home)
    exact = heuristic(TableSum([f"tables:{name}:zero-aware"], goal=goal, tables=folder))
    lengths = rng.integers(1, farthest(shape, goal.blank) + 1, count // 2)
    walks = random_walk(count // 2, lengths, rng, goal=goal)
    packed = np.concatenate([walks, uniform(count - count // 2, rng, goal=goal)])
    cells = unpack_boards(packed, shape).argsort(axis=1)[:, [*table.tiles, 0]].astype(np.uint8)
    return cells, exact.many(packed)


def _jumps(
    table: PatternTable, cells: NDArray[np.uint8], values: NDArray[np.uint8]
) -> tuple[tuple[TableJump, ...], int]:
    """(some of the moves that lower the value by more than what they count, how many do)"""
    kept: list[TableJump] = []
    count = 0
    for rows in slices(len(cells), _ROWS):
        for index, after, own in placement_moves(cells[rows], table.shape):
            there = placements_of(after, table.shape, cells.shape[1])
            here_value, value = values[rows][index].astype(np.int64), table.values_of(there)
            steep = np.flatnonzero(here_value - value > (own | (table.counts == "all")))
            count += len(steep)
            for i in steep[: KEPT - len(kept)].tolist():
                before = tuple(cells[rows][index[i]].tolist())
                kept.append(TableJump(before, tuple(there[i].tolist()), int(here_value[i]), int(value[i])))
    return tuple(kept), count
