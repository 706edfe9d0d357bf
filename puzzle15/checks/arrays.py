"""`table`, which compares a table given as an array with a breadth-first search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..parallel import slices
from ..tables import UNREACHED, PatternTable, placement_moves, placements_of, search_placements

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
    placements : int
        How many placements of tiles and blank were compared: all that a board can show.
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
            "placements": self.placements,
            "exact": round(self.exact, 6),
            "excess_count": self.excess_count,
            "excesses": [each._asdict() for each in self.excesses],
            "jump_count": self.jump_count,
            "jumps": [each._asdict() for each in self.jumps],
        }

    def __repr__(self) -> str:
        words = [name if getattr(self, name) else f"not {name}" for name in ("admissible", "consistent")]
        return f"<TableReport of {self.name}: all {self.placements:,} placements: {', '.join(words)}>"


def table(table: PatternTable) -> TableReport:
    """Compare a table given as an array with a breadth-first search that sees its tiles and the blank.

    It is admissible if no value is larger than the least number of the moves that it counts. It is consistent if no
    counted move changes the value by more than one, and no other move changes it. Sums of tables can claim both only if
    each table can.

    Parameters
    ----------
    table : PatternTable
        Of at most 6 million placements of tiles and blank: on 4x4, of up to five tiles.

    Returns
    -------
    TableReport

    Raises
    ------
    ValueError
        The table has too many placements. `puzzle15.checks.heuristic` tries it on boards.

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
    moves = search_placements(table.tiles, table.goal, table.counts).astype(np.int64)
    shown = np.flatnonzero(moves != UNREACHED)
    values = np.repeat(table.values, 1 if table.blank else len(moves) // len(table.values)).astype(np.int64)
    over = shown[values[shown] > moves[shown]]
    over = over[np.argsort(moves[over], kind="stable")]
    jumps = _jumps(table, values, moves)

    def cells(rank: int) -> tuple[int, ...]:
        return tuple(placements_of([rank], table.shape, len(table.tiles) + 1)[0].tolist())

    return TableReport(
        name=table.name,
        claims_admissible=table.admissible,
        claims_consistent=table.consistent,
        placements=len(shown),
        exact=float((values[shown] == moves[shown]).mean()),
        excesses=tuple(TableExcess(cells(i), int(values[i]), int(moves[i])) for i in over[:KEPT].tolist()),
        excess_count=len(over),
        jumps=tuple(TableJump(cells(i), cells(j), int(values[i]), int(values[j])) for i, j in jumps[:KEPT].tolist()),
        jump_count=len(jumps),
    )


def _jumps(table: PatternTable, values: NDArray[np.int64], moves: NDArray[np.int64]) -> NDArray[np.int64]:
    """The moves, each as (placement, placement after it), that lower the value by more than what they count."""
    found = [np.empty((0, 2), dtype=np.int64)]
    shape, listed = table.shape, len(table.tiles) + 1
    shown = np.flatnonzero(moves != UNREACHED)
    for rows in slices(len(shown), _ROWS):
        here = shown[rows]
        for index, after, own in placement_moves(placements_of(here, shape, listed), shape):
            steep = values[here[index]] - values[after] > (own | (table.counts == "all"))
            found.append(np.column_stack([here[index][steep], after[steep]]))
    return np.concatenate(found)
