"""`table`, which compares a table given as an array with a search, or with a table that is built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

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

__all__ = ["KEPT", "TableExcess", "TableJump", "TableReport", "table"]

#: The most counter-examples of each kind that a report keeps.
KEPT = 10

_ROWS = 1 << 16  # placements whose neighbours are looked up together


class TableExcess(NamedTuple):
    """A placement whose value is larger than the least number of counted moves."""

    cells: tuple[int, ...]
    """The cell of each tile, and last that of the blank."""

    value: int
    moves: int


class TableJump(NamedTuple):
    """A move that changes the value by more than what it counts."""

    cells: tuple[int, ...]
    after: tuple[int, ...]
    value: int
    value_after: int


@dataclass(frozen=True)
class TableReport:
    """What `puzzle15.checks.table` found. It is true if no claim of the table was refuted.

    Attributes
    ----------
    name : str
        The table's.
    claims_admissible, claims_consistent : bool
        What the table says of itself.
    complete : bool
        Whether all placements were compared that a board can show.
    placements : int
        How many placements of tiles and blank were compared.
    exact : float
        The share of these whose value is the least number of counted moves. Without the blank in the table, a value
        that is the minimum over the cells of the blank is exact for some of them only.
    excesses : tuple of TableExcess
        At most 10, those with the fewest moves; `excess_count` tells how many there are.
    jumps : tuple of TableJump
        At most 10; `jump_count` tells how many there are.
    """

    name: str
    claims_admissible: bool
    claims_consistent: bool
    complete: bool
    placements: int
    exact: float
    excesses: tuple[TableExcess, ...]
    excess_count: int
    jumps: tuple[TableJump, ...]
    jump_count: int

    @property
    def admissible(self) -> bool:
        """bool: whether no value is larger than the least number of counted moves."""
        return self.excess_count == 0

    @property
    def consistent(self) -> bool:
        """bool: whether no counted move changes the value by more than one, and no other move changes it."""
        return self.jump_count == 0

    def __bool__(self) -> bool:
        return (self.admissible or not self.claims_admissible) and (self.consistent or not self.claims_consistent)

    def to_dict(self) -> dict[str, Any]:
        """The report as a dictionary of texts, numbers and lists, for JSON."""
        return {
            "table": self.name,
            "holds": bool(self),
            "claims": {"admissible": self.claims_admissible, "consistent": self.claims_consistent},
            "admissible": self.admissible,
            "consistent": self.consistent,
            "complete": self.complete,
            "placements": self.placements,
            "exact": round(self.exact, 6),
            "excess_count": self.excess_count,
            "excesses": [each._asdict() for each in self.excesses],
            "jump_count": self.jump_count,
            "jumps": [each._asdict() for each in self.jumps],
        }

    def __repr__(self) -> str:
        words = [name if getattr(self, name) else f"not {name}" for name in ("admissible", "consistent")]
        every = "all " if self.complete else ""
        return f"<TableReport of {self.name}: {every}{self.placements:,} placements: {', '.join(words)}>"


def table(
    table: PatternTable, *, boards: int = 100_000, seed: Optional[Seed] = 0, tables: Folder = None
) -> TableReport:
    """Compare a table given as an array with the least numbers of moves that it counts.

    It is admissible if no value is larger than the least number of the moves that it counts. It is consistent if no
    counted move changes the value by more than one, and no other move changes it. Sums of tables can claim both only if
    each table can.

    Parameters
    ----------
    table : PatternTable
        If its tiles and the blank have at most 6 million placements, as those of five tiles on 4x4, it is compared with
        `puzzle15.tables.search_placements`, in full. A larger one must count own moves. It is compared with the
        zero-aware table of its pattern.
    boards : int
        How many random boards show a larger table's placements, half of them drawn uniformly, and half the ends of
        random walks from the goal.
    seed : int, numpy.random.Generator or None
        How these boards are drawn.
    tables : path, optional
        The folder of the tables, where that of a pattern of 7 or 8 tiles must be; see `puzzle15.heuristics.TableSum`.

    Returns
    -------
    TableReport

    Raises
    ------
    ValueError
        The table is larger, and counts the moves of all tiles. `puzzle15.checks.heuristic` tries it on boards.
    TableMissingError
        The zero-aware table of the pattern has not been built.

    Examples
    --------
    >>> from puzzle15.tables import PatternTable
    >>> right = PatternTable.by_search([1, 2, 3], shape=(3, 3))
    >>> table(right)
    <TableReport of array:1-3: all 3,024 placements: admissible, not consistent>
    >>> wrong = PatternTable([1, 2, 3], right.values * 2, counts="own", shape=(3, 3), name="doubled")
    >>> report = table(wrong)
    >>> bool(report), report.excess_count, report.excesses[0]
    (False, 2991, TableExcess(cells=(0, 1, 5, 2), value=2, moves=1))
    """
    total = placement_count(table.shape, len(table.tiles) + 1)
    if total <= MOST_SEARCHED:
        moves = search_placements(table.tiles, table.goal, table.counts)
        ranks = np.flatnonzero(moves != UNREACHED)
        cells, moves = placements_of(ranks, table.shape, len(table.tiles) + 1), moves[ranks]
    else:
        whole("boards", boards, 1)
        cells, moves = _some(table, boards, random_generator(seed), tables)
    values = table.values_of(cells)
    over = np.flatnonzero(values > moves)
    over = over[np.argsort(moves[over], kind="stable")]
    jumps, jump_count = _jumps(table, cells, values)
    return TableReport(
        name=table.name,
        claims_admissible=table.admissible,
        claims_consistent=table.consistent,
        complete=total <= MOST_SEARCHED,
        placements=len(cells),
        exact=float((values == moves).mean()),
        excesses=tuple(TableExcess(tuple(cells[i].tolist()), int(values[i]), int(moves[i])) for i in over[:KEPT]),
        excess_count=len(over),
        jumps=jumps,
        jump_count=jump_count,
    )


def _some(
    table: PatternTable, count: int, rng: np.random.Generator, folder: Folder
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """(placements of tiles and blank that random boards show, the least numbers of own moves)"""
    goal, shape = table.goal, table.shape
    if table.counts != "own":
        raise ValueError(
            f"{table.name}: it counts the moves of all tiles, and has more than {MOST_SEARCHED:,} placements with the "
            "blank; expected a smaller table; checks.heuristic tries this one on boards"
        )
    orientation = Orientation(goal)
    tiles = [orientation.tile_to[tile] for tile in table.tiles]
    name = pattern_name(goal_cells(tiles, shape, orientation.home), orientation.home)
    exact = heuristic(TableSum([f"tables:{name}:zero-aware"], goal=goal, tables=folder))
    lengths = rng.integers(1, farthest(shape, goal.blank) + 1, count // 2)
    packed = np.concatenate(
        [random_walk(count // 2, lengths, rng, goal=goal), uniform(count - count // 2, rng, goal=goal)]
    )
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
            counted = own | (table.counts == "all")
            there = placements_of(after, table.shape, cells.shape[1])
            here_value, value = values[rows][index].astype(np.int64), table.values_of(there)
            steep = np.flatnonzero(here_value - value > counted)
            count += len(steep)
            for i in steep[: KEPT - len(kept)].tolist():
                before = tuple(cells[rows][index[i]].tolist())
                kept.append(TableJump(before, tuple(there[i].tolist()), int(here_value[i]), int(value[i])))
    return tuple(kept), count
