"""`TableSum`: values of pattern tables that are added."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Optional, Union

from .._core.search.evaluator import MAX_PATTERNS, Evaluator
from .._core.tables.tables import MAX_PATTERN, Table
from ..board import Board, BoardLike, Orientation, Shape
from ..board._board import goal_of
from ..errors import OptionError, TableMissingError
from ..tables import PatternTable, table_folder
from ..tables._construction import table_in_memory
from ..tables._file import FORMATS, Format
from ..tables._folder import Folder, find_table, missing
from ..tables._partitions import parse_patterns, pattern_name, pattern_tiles
from ._names import SUM, TABLES, tables_in

_MOST_BUILT = 6  # tiles of a pattern whose table is built in memory: half a second, 1.5 MB
_LARGEST = 255  # a search keeps a value in a byte


class TableSum:
    """A sum of pattern tables as a heuristic: those of the package, or tables given as arrays.

    No two patterns may have a tile in common, and every table must count the moves of its own tiles only: other sums
    could exceed the distance. Your own function can add such tables.

    Parameters
    ----------
    parts : sequence of str or PatternTable
        ``"tables:1-4"`` is the table of the pattern of tiles 1 to 4, and ``"tables:1-4/5-8:classic"`` two tables of a
        format. The tiles are those of the canonical goal, as for `puzzle15.tables.build_tables`. A table that is in the
        folder is read from there; otherwise, that of a pattern of up to 6 tiles is built in memory.
    goal, shape, tables
        As for `puzzle15.heuristics.heuristic`; the goal is by default that of the first `PatternTable`.

        An array is used for any goal: it is reflected so that the blanks of both goals coincide, and its pattern is
        then that of the tiles on the same goal cells. If no reflection fits, its values are lowered by the few moves
        of its tiles that separate the two goals. So the searches from both ends (mm, mme, nbs) can use arrays, too.
        Tables that are named beside arrays are turned with them.

    Attributes
    ----------
    name, goal, shape
    folder : str or None
        The folder of the tables, if it was given.
    patterns : tuple of tuple of int
        The tiles of each table, as the goal has them; at most 15 patterns.
    arrays : tuple of PatternTable
        The tables that were given as arrays.
    admissible : bool
        Whether these arrays claim to be admissible.

    Examples
    --------
    >>> from puzzle15 import heuristic
    >>> halves = TableSum(["tables:1-3", "tables:4,5"], shape=(3, 3))
    >>> h = heuristic(["manhattan", halves])
    >>> h.name, h.admissible, h.consistent, h("8 6 7/2 5 4/3 0 1")
    ('max(manhattan,sum(tables:1-3,tables:4,5))', True, True, 21)
    >>> TableSum(["tables:1-4", "tables:4-8"], shape=(3, 3))
    Traceback (most recent call last):
        ...
    puzzle15.errors.OptionError: sum(tables:1-4,tables:4-8): tile 4 is in two patterns, so its moves ...
    """

    def __init__(
        self,
        parts: Sequence[Union[str, PatternTable]],
        *,
        goal: Optional[BoardLike] = None,
        shape: Optional[Sequence[int]] = None,
        tables: Folder = None,
    ) -> None:
        self.parts = (parts,) if isinstance(parts, (str, PatternTable)) else tuple(parts)
        self.folder = None if tables is None else os.path.abspath(table_folder(tables))
        self.arrays = tuple(part for part in self.parts if isinstance(part, PatternTable))
        self.admissible = all(table.admissible for table in self.arrays)
        if goal is None and shape is None and self.arrays:
            goal = self.arrays[0].goal
        self.goal = goal_of(goal, shape)
        self.shape = self.goal.shape
        names = [part if isinstance(part, str) else part.name for part in self.parts]
        self.name = names[0] if len(self.parts) == len(self.arrays) == 1 else f"{SUM}({','.join(names)})"
        orientation = Orientation(self.goal)
        self._home = orientation.home
        # Beside arrays, names are of their goal's tiles.
        home = Orientation(self.arrays[0].goal).home if self.arrays else self._home
        # A table of the package is known by the goal cells of its pattern, and a format or None.
        self._tables: list[Union[_Turned, tuple[int, Optional[Format]]]] = []
        for part in self.parts:
            if isinstance(part, PatternTable):
                self._tables.append(_Turned(part, self._home))
            elif home == self._home:
                self._tables += self._named(part, home)
            else:  # it becomes an array, to be read from there like the others
                goal_there = Board.goal(self.shape, home)
                listed = (pattern_tiles(cells, home) for cells, _ in self._named(part, home))
                arrays = (PatternTable.from_table(tiles, goal=goal_there, tables=self.folder) for tiles in listed)
                self._tables += [_Turned(array, self._home) for array in arrays]
        self.patterns = tuple(
            tuple(orientation.tile_to.index(tile) for tile in table.listed if tile)
            if isinstance(table, _Turned)
            else tuple(sorted(orientation.tile_to.index(tile) for tile in pattern_tiles(table[0], self._home)))
            for table in self._tables
        )
        self._settings = self.parts, self.goal, self.folder
        self._check()

    def _named(self, text: str, home: int) -> list[tuple[int, Optional[Format]]]:
        """Return the tables of ``tables:PATTERN/PATTERN:FORMAT``, for the canonical goal with its blank at `home`."""
        patterns, format = tables_in(text)
        if not text.startswith(f"{TABLES}:") or patterns is None:
            raise self._error(f"{text!r}: expected a PatternTable, or tables of patterns such as tables:1-4")
        if format not in (None, *FORMATS):
            raise self._error(f"format {format!r}: expected {' or '.join(FORMATS)}")
        each = (parse_patterns(pattern, self.shape, home, largest=MAX_PATTERN) for pattern in patterns.split("/"))
        return [(cells, format) for (cells,) in each]

    def _check(self) -> None:
        """Raise ValueError if there are too many patterns, or if the sum may count a move twice."""
        if not 1 <= len(self.patterns) <= MAX_PATTERNS:
            raise self._error(f"{len(self.patterns)} patterns; expected 1 .. {MAX_PATTERNS}")
        tiles = [tile for pattern in self.patterns for tile in pattern]
        twice = [tile for tile in tiles if tiles.count(tile) > 1]
        if twice:
            raise self._error(
                f"tile {min(twice)} is in two patterns, so its moves would count twice; expected patterns without a "
                "common tile; or use max(..)"
            )
        all_moves = [table.name for table in self.arrays if table.counts == "all"]
        if all_moves and len(self.patterns) > 1:
            raise self._error(
                f"{all_moves[0]} counts the moves of all tiles; expected tables that count moves of their own tiles; "
                "or use max(..)"
            )

    def _error(self, what: str) -> OptionError:
        return OptionError(f"{self.name}: {what}")

    def toward(self, goal: BoardLike) -> TableSum:
        """Return the same sum for another goal; ValueError if its patterns would then have a common tile."""
        return self if goal == self.goal else TableSum(self.parts, goal=goal, tables=self.folder)

    def add_to(self, evaluator: Evaluator, orientation: Orientation) -> bool:
        """Open the tables and add their sum to an evaluator of turned boards. Returns whether the sum is consistent.

        It raises TableMissingError if the table of 7 or 8 tiles has not been built, and ValueError for sums above 255.
        """
        # A classic table of one tile, or of all tiles, has one region per placement, so its entries are not minima.
        alone = (1, len(self.goal.tiles) - 1)
        added: list[Any] = []
        most, consistent = 0, True
        for given, tiles in zip(self._tables, self.patterns):
            if isinstance(given, _Turned):
                added.append(given.array)
                most += given.table.max_value
                consistent &= given.table.consistent
            else:
                table = self._opened(*given)
                added.append(table)
                most += table.max_value
                consistent &= not table.classic or len(tiles) in alone
        if most > _LARGEST:
            raise self._error(f"the largest values add up to {most}; expected at most {_LARGEST}")
        evaluator.add_patterns(added)
        return consistent

    def _opened(self, cells: int, format: Optional[Format]) -> Table:
        """Return a table of the package, in memory: a mapped file could be cut off while a search reads it."""
        formats = FORMATS if format is None else (format,)
        files = (find_table(self.shape, cells, self._home, each, tables=self.folder) for each in formats)
        file = next(filter(None, files), None)
        if file is None and len(pattern_tiles(cells, self._home)) > _MOST_BUILT:
            tiles = pattern_name(cells, self._home)
            what, named = f"tiles {tiles}", f" --patterns {tiles}"
            raise TableMissingError(missing(what, named, self.shape, self._home, format, self.folder))
        table = file.load() if file else table_in_memory(self.shape, cells, self._home, formats[0])
        assert isinstance(table, Table)
        return table

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableSum) and self._settings == other._settings

    def __hash__(self) -> int:
        return hash(self._settings)

    def __repr__(self) -> str:
        return f"<TableSum {self.name} for {self.goal}>"


class _Turned:
    """An array, read for the canonical goal with its blank at `home`: the tiles that it lists, and all for the core."""

    def __init__(self, table: PatternTable, home: int) -> None:
        self.table = table
        own = Orientation(table.goal)
        cells = range(len(own.cell_to))
        path = _blank_path(table.shape, home, own.home)
        tiles = list(Board.goal(table.shape, home).tiles)
        moved = []
        for blank, to in zip(path, path[1:]):
            tiles[blank], tiles[to] = tiles[to], 0
            moved.append(tiles[blank])
        # With the blank at its home, the tiles of its canonical goal are those that are there now.
        renamed = dict(zip(Board.goal(table.shape, own.home).tiles, tiles))
        self.listed = [renamed[own.tile_to[tile]] for tile in table.listed]
        less = len(moved) if table.counts == "all" else sum(tile in self.listed for tile in moved)
        back = [own.cell_to.index(cell) for cell in cells]
        goal_cells = [table.goal.tiles.index(tile) for tile in table.listed]
        self.array = (table.values, self.listed, back, goal_cells, table.divisor, table.delta, less)


def _blank_path(shape: Shape, begin: int, end: int) -> list[int]:
    """Return the cells of a shortest path of the blank, along its row and then along its column."""
    corner = begin - begin % shape[1] + end % shape[1]
    along_row = range(begin, corner, 1 if begin < corner else -1)
    return [*along_row, *range(corner, end, shape[1] if corner < end else -shape[1]), end]
