"""`PatternTable`: a table as an array, given, or exact; and the order of its values.

A *placement* is a sequence of different cells, one for each tile. Placements are numbered in lexicographic order: on a
board of three cells, two tiles stand on cells 0 1, 0 2, 1 0, 1 2, 2 0, 2 1, in this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import perm
from typing import TYPE_CHECKING, Any, Optional, Union

from .._core.tables.tables import MAX_PATTERN, Table
from .._system.lazy import np
from .._system.machine import available_memory, new_bytes
from .._system.quantities import check_choice, flag, format_size, whole
from .._system.threads import Team, result_of, slices, thread_count
from ..board import Board, BoardLike, BoardsLike, pack_boards, taxicab, unpack_boards
from ..board._board import goal_of
from ..board._notation import check_shape
from ..errors import OptionError
from ..nodes._levels import levels_from
from ._construction import construct_in_memory
from ._folder import Folder, find_table
from ._partitions import goal_cells, parse_patterns, pattern_name, pattern_tiles

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_COUNTS = ("own", "all")  # the moves that a table counts: those of its own tiles, or those of all tiles
_UNREACHED = 255  # the value of placements from which no moves lead to the goal's, while searching
_MOST_LISTED = 9  # tiles and blank (csrc/search/heuristics/patterns.h)
_MOST_SEARCHED = 6_000_000  # placements of tiles and blank: five tiles on 4x4 have fewer
_ROWS = 1 << 16  # placements that are handled together


def placements(shape: Sequence[int], tiles: int) -> NDArray[np.uint8]:
    """Return all placements of so many tiles in their order, as the cell of each tile: uint8 of shape (N, tiles).

    The blank counts as a tile where it is listed like one.

    >>> placements((2, 2), 2).tolist()[:5]
    [[0, 1], [0, 2], [0, 3], [1, 0], [1, 2]]
    """
    rows, cols = check_shape(shape)
    left = np.arange(perm(rows * cols, tiles))
    cells = np.empty((len(left), tiles), dtype=np.uint8)
    for tile in range(tiles - 1, -1, -1):
        left, cells[:, tile] = np.divmod(left, rows * cols - tile)
        # later cells are counted among those that this one and earlier ones leave
        later = cells[:, tile + 1 :]
        later += later >= cells[:, tile, None]
    return cells


def placement_ranks(cells: ArrayLike, shape: Sequence[int]) -> NDArray[np.int64]:
    """Return the numbers of placements, given as the different cells of their tiles: ints of shape (N, tiles).

    >>> placement_ranks([[0, 1, 2, 3], [15, 14, 13, 12]], (4, 4)).tolist()
    [0, 43679]
    """
    rows, cols = check_shape(shape)
    cells = np.asarray(cells)
    ranks = np.zeros(len(cells), dtype=np.int64)
    for tile in range(cells.shape[1]):
        here = cells[:, tile]
        ranks *= rows * cols - tile
        ranks += here
        ranks -= (cells[:, :tile] < here[:, None]).sum(axis=1)
    return ranks


class PatternTable:
    """A table of one pattern, given as an array of values.

    Parameters
    ----------
    tiles : sequence of int or str
        The tiles of the pattern, in the order in which `values` lists them; as text, such as ``"1-6"``, in theirs.
    values : array of int, shape (N,)
        The entry of each placement, 0 .. 255, in the order of `placements`: a placement is the cell of each tile, in
        the order of `tiles`, and then the blank's cell if `blank` is true. With `divisor` or `modulo` there are fewer.
    counts : {"own", "all"}
        Whether a value counts the moves of the pattern's tiles only, or those of all tiles. Only values of own moves
        can be added to those of other patterns.
    blank : bool
        Whether placements list the blank's cell.
    divisor, modulo : int, optional
        For a compressed table: the placement of number r has the entry ``r // divisor % modulo``. With `modulo` there
        are so many entries, otherwise one for each `divisor` placements.
    delta : bool
        Whether the Manhattan distance of the tiles is added to each entry. The largest sum is at most 255.
    goal, shape
        As for `puzzle15.Solver`. A search uses the table for other goals, too: see `puzzle15.heuristics.TableSum`.
    admissible : bool
        Whether the values never exceed the least number of counted moves.
    consistent : bool
        Whether no counted move changes the value by more than one, and no other move changes it.
    name : str, optional
        By default ``array:`` and the tiles.

    Attributes
    ----------
    tiles, counts, blank, divisor, modulo, delta, goal, admissible, consistent, name
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
    >>> least = table.values.reshape(2, 252).min(axis=0)      # an entry for two placements, 252 numbers apart
    >>> PatternTable([1, 2, 3], least, counts="own", modulo=252, shape=(3, 3))("8 6 7/2 5 4/3 0 1")
    8
    """

    def __init__(
        self,
        tiles: Union[str, Sequence[int]],
        values: ArrayLike,
        *,
        counts: str,
        blank: bool = False,
        divisor: int = 1,
        modulo: Optional[int] = None,
        delta: bool = False,
        goal: Optional[BoardLike] = None,
        shape: Optional[Sequence[int]] = None,
        admissible: bool = True,
        consistent: bool = False,
        name: Optional[str] = None,
    ) -> None:
        self.goal = goal_of(goal, shape)
        self.shape = self.goal.shape
        self.tiles = _checked_tiles(tiles, self.goal, blank)
        check_choice("counts", counts, _COUNTS, ", the moves that the values count")
        self.counts, self.blank, self.delta = counts, bool(blank), flag("delta", delta)
        self.divisor = whole("divisor", divisor, 1)
        self.modulo = None if modulo is None else whole("modulo", modulo, 1)
        self.admissible, self.consistent = flag("admissible", admissible), flag("consistent", consistent)
        home = self.goal.blank
        in_order = self.goal == Board.goal(self.shape, home)
        named = pattern_name(goal_cells(self.tiles, self.shape, home), home) if in_order else _joined(self.tiles)
        self.name = f"array:{named}" if name is None else name
        self.values = self._checked(values)
        if self.max_value > 255:
            raise OptionError(f"{self.name}: entries and Manhattan distances reach {self.max_value}; expected 0 .. 255")
        entries, claims = (self.divisor, self.modulo, self.delta), (self.admissible, self.consistent)
        self._identity = (self.name, self.tiles, counts, self.blank, *entries, self.goal, *claims)
        at_goal = self(self.goal)
        if self.admissible and at_goal:
            raise OptionError(
                f"{self.name}: the value of the goal's placement is {at_goal}; expected 0, or admissible=False"
            )

    @classmethod
    def from_table(
        cls,
        tiles: Union[str, Sequence[int]],
        *,
        blank: bool = False,
        delta: bool = False,
        goal: Optional[BoardLike] = None,
        shape: Optional[Sequence[int]] = None,
        tables: Folder = None,
        workers: Optional[int] = None,
        name: Optional[str] = None,
    ) -> PatternTable:
        """Return the exact table of a pattern of up to 8 tiles, with the moves of its own tiles, as an array.

        A zero-aware table of these cells that is in the folder is read from there, otherwise it is built in memory.
        Seven tiles on 4x4 take 1 s of processor time and 58 MB, eight tiles some 10 s and 519 MB. With the blank,
        arrays are nine and eight times as large. Without `blank`, a value is the minimum over the cells of the blank.

        Parameters
        ----------
        tiles, blank, delta, goal, shape, name
            As for `PatternTable`.
        tables : path, optional
            The folder, see `table_folder`.
        workers : int, optional
            A number of threads, by default one per processor.

        Raises
        ------
        MemoryError
            The array takes more than the available memory.
        TableCorruptError
            The table's file is damaged.

        Examples
        --------
        >>> table = PatternTable.from_table("1-4", shape=(3, 3))
        >>> len(table.values), table("8 6 7/2 5 4/3 0 1"), table.admissible, table.consistent
        (3024, 14, True, False)
        """
        target, threads = goal_of(goal, shape), thread_count(workers)
        listed = _checked_tiles(tiles, target, blank)
        if len(listed) > MAX_PATTERN:
            raise OptionError(f"tiles {list(listed)}: expected at most {MAX_PATTERN}")
        delta = flag("delta", delta)
        count = perm(len(target.tiles), len(listed) + blank)
        if count > available_memory():  # a system that overcommits memory would not refuse the allocation
            raise MemoryError(f"tiles {_joined(listed)}: the array takes {format_size(count)}; name fewer tiles")
        homes, home = [target.tiles.index(tile) for tile in listed], target.blank
        cells = sum(1 << cell for cell in homes)
        file = find_table(target.shape, cells, home, "zero-aware", tables=tables)
        if file is None:
            header, payload = construct_in_memory(target.shape, cells, home, "zero-aware", threads)
            table = header.over(payload)
        else:
            table = file.load()
        assert isinstance(table, Table)
        order = [sorted(homes).index(cell) for cell in homes]  # the order of their goal cells labels tiles
        values = np.frombuffer(new_bytes(count), dtype=np.uint8)
        with Team(threads) as team:
            for future in [
                team.submit(table.list_values, part, threads, order, blank, delta, values) for part in range(threads)
            ]:
                result_of(future)
        values.flags.writeable = False
        # Without the blank, a neighbour's minimum may belong to a cell of the blank that no move leads to.
        return cls(listed, values, counts="own", blank=blank, delta=delta, goal=target, consistent=blank, name=name)

    @classmethod
    def by_search(
        cls,
        tiles: Union[str, Sequence[int]],
        *,
        counts: str = "own",
        blank: bool = False,
        goal: Optional[BoardLike] = None,
        shape: Optional[Sequence[int]] = None,
        name: Optional[str] = None,
    ) -> PatternTable:
        """Return the exact table of a pattern: of its own moves as from `from_table`, or of all moves.

        The table of all moves comes from a breadth-first search in the abstraction that sees these tiles and the blank.
        That takes up to 6 million placements of tiles and blank, such as five tiles on 4x4. The parameters are those of
        `PatternTable`. Without `blank`, a value is the minimum over the cells of the blank.

        >>> table = PatternTable.by_search([1, 2], counts="all", blank=True, shape=(3, 3))
        >>> table.admissible, table.consistent, int(table.values.max())
        (True, True, 20)
        """
        target = goal_of(goal, shape)
        check_choice("counts", counts, _COUNTS, ", the moves that the values count")
        if counts == "own":
            return cls.from_table(tiles, blank=blank, goal=target, name=name)
        listed = _checked_tiles(tiles, target, True)
        values = _search(listed, target)
        if not blank:
            values = values.reshape(-1, len(target.tiles) - len(listed)).min(axis=1)
        values[values == _UNREACHED] = 0
        return cls(listed, values, counts=counts, blank=blank, goal=target, consistent=blank, name=name)

    @property
    def listed(self) -> tuple[int, ...]:
        """tuple of int: what a placement lists, the tiles and 0 for the blank."""
        return (*self.tiles, 0) if self.blank else self.tiles

    def __call__(self, board: BoardLike) -> int:
        """Return the value of one board."""
        return int(self.many([board])[0])

    def many(self, boards: BoardsLike) -> NDArray[np.uint8]:
        """Return the values of many boards, given as for `puzzle15.board.pack_boards`."""
        packed, _, _ = pack_boards(boards, goal=self.goal)
        values = np.empty(len(packed), dtype=np.uint8)
        for rows in slices(len(packed), _ROWS):
            cells = unpack_boards(packed[rows], self.shape).argsort(axis=1)[:, list(self.listed)]
            entries = placement_ranks(cells, self.shape) // self.divisor % len(self.values)
            values[rows] = self.values[entries]
            if self.delta:
                tiles = np.arange(len(self.tiles))
                values[rows] += self._distances()[tiles, cells[:, tiles]].sum(axis=1, dtype=np.uint8)
        return values

    @property
    def max_value(self) -> int:
        """int: no value is larger."""
        return int(self.values.max()) + (int(self._distances().max(axis=1).sum()) if self.delta else 0)

    def _distances(self) -> NDArray[np.uint8]:
        """Return the Manhattan distance of each tile from each cell to its goal cell, uint8 (tiles, cells)."""
        return taxicab(self.goal)[:, list(self.tiles)].T.astype(np.uint8)

    def _checked(self, values: ArrayLike) -> NDArray[np.uint8]:
        given = np.asarray(values)
        count = most = -(-perm(len(self.goal.tiles), len(self.listed)) // self.divisor)
        if self.modulo is not None:
            count = self.modulo
        if given.shape != (count,) or count > most:
            what = "each placement" if self.divisor == 1 else f"each {self.divisor} placements"
            raise OptionError(
                f"{self.name}: values of shape {given.shape}; expected ({min(count, most)},), one for {what} of "
                f"{len(self.tiles)} tiles{' and the blank' if self.blank else ''}"
                f"{'' if self.modulo is None else f' modulo {self.modulo}'}"
            )
        if given.dtype.kind not in "iu" or (given.dtype != np.uint8 and (given.min() < 0 or given.max() > 255)):
            raise OptionError(
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
        return hash(self._identity)  # the values may be many

    def __repr__(self) -> str:
        blank = " and the blank" if self.blank else ""
        return f"<PatternTable {self.name} of tiles {_joined(self.tiles)}{blank}: {self.counts} moves to {self.goal}>"


def _search(tiles: tuple[int, ...], goal: Board) -> NDArray[np.uint8]:
    """Return the least number of moves from each placement of tiles and, last, the blank; or `_UNREACHED`."""
    shape, listed = goal.shape, (*tiles, 0)
    count = perm(len(goal.tiles), len(listed))
    if count > _MOST_SEARCHED:
        raise OptionError(
            f"tiles {_joined(tiles)}: {count:,} placements with the blank; "
            f"this search takes at most {_MOST_SEARCHED:,}; name fewer tiles"
        )
    found = np.full(count, _UNREACHED, dtype=np.uint8)
    number = {tile: here for here, tile in enumerate((0, *tiles))}  # all other tiles look alike
    root = sum(number.get(tile, len(number)) << 4 * cell for cell, tile in enumerate(goal.tiles))
    shifts = 4 * np.arange(len(goal.tiles), dtype=np.uint64)
    for distance, level in enumerate(levels_from(root, shape)):
        for rows in slices(len(level), _ROWS):
            cells = (level[rows, None] >> shifts & np.uint64(15)).argsort(axis=1, kind="stable")
            found[placement_ranks(cells[:, [*range(1, len(number)), 0]], shape)] = distance
    return found


def _checked_tiles(tiles: Union[str, Iterable[int]], goal: Board, blank: bool) -> tuple[int, ...]:
    """Return the tiles of a pattern; ValueError unless they are different tiles of the board, and not too many."""
    if isinstance(tiles, str):
        cells, *others = parse_patterns(tiles, goal.shape, goal.blank, largest=_MOST_LISTED)
        if others:
            raise OptionError(f"tiles {tiles!r}: expected one pattern, such as '1-6'")
        tiles = pattern_tiles(cells, goal.blank)
    given = tuple(whole("tile", tile) for tile in tiles)
    last = len(goal.tiles) - 1
    if not given or len(set(given)) < len(given) or not set(given) <= set(range(1, last + 1)):
        raise OptionError(f"tiles {list(given)}: expected different tiles of 1 .. {last}; blank=True lists the blank")
    most = _MOST_LISTED - flag("blank", blank)
    if len(given) > most:
        raise OptionError(f"tiles {list(given)}: expected at most {most}{' with the blank' if blank else ''}")
    return given


def _joined(tiles: Iterable[int]) -> str:
    return ",".join(map(str, tiles))
