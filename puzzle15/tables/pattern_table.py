"""`PatternTable`: a table given as an array, or made by a plain breadth-first search."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional

from ..board import Board, BoardLike, BoardsLike, goal_of, pack_boards, unpack_boards
from ..parallel import slices
from ..system.later import np
from .numbering import placement_count, placement_moves, placement_ranks, placements_of
from .partitions import goal_cells, pattern_name

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["COUNTS", "MOST_SEARCHED", "PatternTable", "UNREACHED", "search_placements"]

#: Which moves a table counts: those of its own tiles, or those of all tiles.
COUNTS = ("own", "all")

#: The value that `search_placements` gives to placements without a way to the goal.
UNREACHED = 255

_MOST_LISTED = 9  # tiles and blank (csrc/search/heuristics/patterns.h)
#: The most placements of tiles and blank that `search_placements` takes: five tiles on 4x4 have fewer.
MOST_SEARCHED = 6_000_000

_ROWS = 1 << 16  # placements that are handled together


class PatternTable:
    """A table of one pattern, given as an array of values.

    Parameters
    ----------
    tiles : sequence of int
        The tiles of the pattern, in the order in which `values` lists them.
    values : array of int, shape (N,)
        The value of each placement, 0 .. 255, in the order of `puzzle15.tables.placements`: a placement is the cell of
        each tile, in the order of `tiles`, and then the blank's cell if `blank` is true.
    counts : {"own", "all"}
        Which moves a value counts: those of the pattern's own tiles only, or those of all tiles. Only values that count
        own moves can be added to those of other patterns.
    blank : bool
        Whether placements list the blank's cell.
    goal : board, optional
        By default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, if `goal` does not determine them; by default 4x4.
    admissible : bool
        Whether the values never exceed the least number of counted moves. `puzzle15.checks.check_table` tries this.
    consistent : bool
        Whether no counted move changes the value by more than one, and no other move changes it.
    name : str, optional
        By default ``array:`` and the tiles.

    Attributes
    ----------
    tiles, counts, blank, goal, admissible, consistent, name
    values : ndarray of uint8, shape (N,)
        Read-only.
    shape : (int, int)

    Examples
    --------
    >>> table = PatternTable.by_search([1, 2, 3], shape=(3, 3))
    >>> table("8 6 7/2 5 4/3 0 1"), len(table.values)
    (10, 504)
    >>> halved = PatternTable([1, 2, 3], table.values // 2, counts="own", shape=(3, 3), name="halved")
    >>> halved.many(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 8 0"]).tolist()
    [5, 0]
    """

    def __init__(
        self,
        tiles: Sequence[int],
        values: ArrayLike,
        *,
        counts: str,
        blank: bool = False,
        goal: Optional[BoardLike] = None,
        shape: Optional[Sequence[int]] = None,
        admissible: bool = True,
        consistent: bool = False,
        name: Optional[str] = None,
    ) -> None:
        self.goal = goal_of(goal, shape)
        self.tiles = checked_tiles(tiles, self.goal, blank)
        if counts not in COUNTS:
            raise ValueError(f"counts {counts!r}: expected 'own' or 'all', the moves that the values count")
        self.counts, self.blank = counts, bool(blank)
        self.admissible, self.consistent = bool(admissible), bool(consistent)
        home = self.goal.blank
        in_order = self.goal == Board.goal(self.shape, home)
        named = pattern_name(goal_cells(self.tiles, self.shape, home), home) if in_order else _joined(self.tiles)
        self.name = f"array:{named}" if name is None else name
        self.values = self._checked(values)
        self._identity = (self.name, self.tiles, counts, self.blank, self.goal, self.admissible, self.consistent)
        at_goal = self(self.goal)
        if self.admissible and at_goal:
            raise ValueError(
                f"{self.name}: the value of the goal's placement is {at_goal}; expected 0, or admissible=False"
            )

    @classmethod
    def by_search(
        cls,
        tiles: Sequence[int],
        *,
        counts: str = "own",
        blank: bool = False,
        goal: Optional[BoardLike] = None,
        shape: Optional[Sequence[int]] = None,
        name: Optional[str] = None,
    ) -> PatternTable:
        """The exact table of a pattern, by breadth-first search in the abstraction that sees these tiles and the blank.

        The search shares no code with `puzzle15.build_tables`, and is much slower. It takes up to 6 million placements
        of tiles and blank, such as five tiles on 4x4. The parameters are those of `PatternTable`. Without `blank`, a
        value is the minimum over the cells of the blank.

        Examples
        --------
        >>> table = PatternTable.by_search([1, 2], counts="all", blank=True, shape=(3, 3))
        >>> table.admissible, table.consistent, int(table.values.max())
        (True, True, 20)
        """
        target = goal_of(goal, shape)
        values = search_placements(tiles, target, counts)
        if not blank:
            values = values.reshape(-1, len(target.tiles) - len(tiles)).min(axis=1)
        values[values == UNREACHED] = 0
        # Without the blank, a neighbour's minimum may belong to a cell of the blank that no move leads to.
        return cls(tiles, values, counts=counts, blank=blank, goal=target, consistent=blank, name=name)

    @property
    def shape(self) -> tuple[int, int]:
        """(int, int): rows and columns."""
        return self.goal.shape

    @property
    def listed(self) -> tuple[int, ...]:
        """tuple of int: what a placement lists, the tiles and 0 for the blank."""
        return (*self.tiles, 0) if self.blank else self.tiles

    def __call__(self, board: BoardLike) -> int:
        """The value of one board."""
        return int(self.many([board])[0])

    def many(self, boards: BoardsLike) -> NDArray[np.uint8]:
        """The values of many boards, given as for `puzzle15.board.pack_boards`."""
        packed, _, _ = pack_boards(boards, goal=self.goal)
        values = np.empty(len(packed), dtype=np.uint8)
        for rows in slices(len(packed), _ROWS):
            cells = unpack_boards(packed[rows], self.shape).argsort(axis=1)[:, list(self.listed)]
            values[rows] = self.values[placement_ranks(cells, self.shape)]
        return values

    def values_of(self, cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The values of placements, each the cells of the tiles and last that of the blank: uint8 (N, tiles + 1)."""
        listed = cells if self.blank else cells[:, :-1]
        values: NDArray[np.uint8] = self.values[placement_ranks(listed, self.shape)]
        return values

    def _checked(self, values: ArrayLike) -> NDArray[np.uint8]:
        given = np.asarray(values)
        count = placement_count(self.shape, len(self.listed))
        if given.shape != (count,):
            raise ValueError(
                f"{self.name}: values of shape {given.shape}; expected ({count},), one for each placement of "
                f"{len(self.tiles)} tiles{' and the blank' if self.blank else ''}"
            )
        if given.dtype.kind not in "iu" or (given.dtype != np.uint8 and (given.min() < 0 or given.max() > 255)):
            raise ValueError(
                f"{self.name}: {given.dtype} values from {given.min()} to {given.max()}; expected whole numbers "
                "of 0 .. 255"
            )
        if given.dtype == np.uint8 and given.flags.c_contiguous and not given.flags.writeable:
            return given  # a mapped file, perhaps
        own = np.array(given, dtype=np.uint8)
        own.flags.writeable = False
        return own

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.values.flags.writeable = False  # which no pickle keeps

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PatternTable):
            return NotImplemented
        return self._identity == other._identity and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash((self._identity, zlib.crc32(self.values.data)))

    def __repr__(self) -> str:
        blank = " and the blank" if self.blank else ""
        return f"<PatternTable {self.name} of tiles {_joined(self.tiles)}{blank}: {self.counts} moves to {self.goal}>"


def search_placements(tiles: Sequence[int], goal: Board, counts: str) -> NDArray[np.uint8]:
    """The least number of moves from each placement of tiles and blank to the goal's.

    They are in the order of `placements` of the tiles and, last, the blank. `UNREACHED`: no moves lead to the goal.
    """
    shape = goal.shape
    listed = (*checked_tiles(tiles, goal, True), 0)
    if counts not in COUNTS:
        raise ValueError(f"counts {counts!r}: expected 'own' or 'all', the moves that the values count")
    count = placement_count(shape, len(listed))
    if count > MOST_SEARCHED:
        raise ValueError(
            f"tiles {_joined(listed[:-1])}: {count:,} placements with the blank; "
            f"this search takes at most {MOST_SEARCHED:,}; name fewer tiles"
        )
    found = np.full(count, UNREACHED, dtype=np.uint8)
    level = placement_ranks([[goal.tiles.index(tile) for tile in listed]], shape)
    distance = 0
    while len(level):
        found[level] = distance
        farther = [level[:0]]
        while len(level):  # moves that do not count lead to placements of the same distance
            as_far = [level[:0]]
            for rows in slices(len(level), _ROWS):
                cells = placements_of(level[rows], shape, len(listed))
                for _, after, own in placement_moves(cells, shape):
                    new, counted = found[after] == UNREACHED, own | (counts == "all")
                    as_far.append(after[new & ~counted])
                    farther.append(after[new & counted])
            level = np.unique(np.concatenate(as_far))
            found[level] = distance
        level = np.unique(np.concatenate(farther))
        level = level[found[level] == UNREACHED]
        distance += 1
    return found


def checked_tiles(tiles: Iterable[int], goal: Board, blank: bool) -> tuple[int, ...]:
    """The tiles of a pattern; ValueError unless they are different tiles of the board, and not too many."""
    given = tuple(int(tile) for tile in tiles)
    last = len(goal.tiles) - 1
    if not given or len(set(given)) < len(given) or not set(given) <= set(range(1, last + 1)):
        raise ValueError(f"tiles {list(given)}: expected different tiles of 1 .. {last}; blank=True lists the blank")
    most = _MOST_LISTED - blank
    if len(given) > most:
        raise ValueError(f"tiles {list(given)}: expected at most {most}{' with the blank' if blank else ''}")
    return given


def _joined(tiles: Iterable[int]) -> str:
    return ",".join(map(str, tiles))
