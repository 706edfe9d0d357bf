"""`TableSum`: values of pattern tables that are added, and whether the sum is a lower bound."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Union

from .._core.search.evaluator import MAX_PATTERNS, Evaluator
from .._core.tables.tables import MAX_PATTERN, Table
from ..board import Board, BoardLike, Orientation, goal_of
from ..errors import TableMissingError
from ..tables import (
    FORMATS,
    Folder,
    PatternTable,
    find_table,
    parse_patterns,
    pattern_name,
    pattern_tiles,
    table_folder,
    table_in_memory,
)
from .names import SUM, TABLES, parts_in, tables_in

__all__ = ["TableSum"]

_MOST_BUILT = 6  # tiles of a pattern whose table is built in memory: half a second, 1.5 MB
_LARGEST = 255  # a search keeps a value in a byte


class _Ours(NamedTuple):
    """A table of ours, by the goal cells of its pattern in the canonical goal."""

    cells: int
    format: str
    folder: Optional[str]

    in_file: bool
    """Whether it lies in the folder; else it is built in memory."""


class TableSum:
    """A sum of pattern tables as a heuristic: one of ours, or one given as an array, for each of some patterns.

    The sum is admissible if no two patterns have a tile in common, and if every table counts the moves of its own tiles
    only. Another sum is refused, because it could exceed the distance.

    Parameters
    ----------
    parts : sequence of str or PatternTable
        ``"tables:1-4"`` is the table of the pattern of tiles 1 to 4, and ``"tables:1-4/5-8:classic"`` two tables of a
        format. The tiles are those of the canonical goal, as for `puzzle15.build_tables`. A table that is in the folder
        is read from there; otherwise, that of a pattern of up to 6 tiles is built in memory.
    goal : board, optional
        By default that of the first `PatternTable`, or the tiles in order and the blank last.
    shape : (int, int), optional
        Rows and columns, if `goal` does not determine them; by default 4x4.
    tables : path, optional
        The folder of the tables; see `puzzle15.tables.table_folder`.
    additive : bool
        Whether to refuse a sum that may count a move twice. If False, any tables are added, and the sum of such ones is
        neither admissible nor consistent.
    name : str, optional
        By default, the names of the parts.

    Attributes
    ----------
    name : str
    goal : Board
    shape : (int, int)
    folder : str or None
        The folder of the tables that was given.
    patterns : tuple of tuple of int
        The tiles of each part, as the goal has them.
    admissible, consistent : bool

    Raises
    ------
    ValueError
        A tile is in two patterns, or a table counts the moves of all tiles; a part is for another goal; the
        largest sum exceeds 255; there are more than 15 patterns.
    TableMissingError
        The table of a pattern of 7 or 8 tiles has not been built.

    Examples
    --------
    >>> from puzzle15 import heuristic
    >>> halves = TableSum(["tables:1-3", "tables:4,5"], shape=(3, 3))
    >>> halves.name, halves.admissible, halves.consistent
    ('sum(tables:1-3,tables:4,5)', True, True)
    >>> heuristic(["manhattan", halves], shape=(3, 3))("8 6 7/2 5 4/3 0 1")
    21
    >>> TableSum(["tables:1-4", "tables:4-8"], shape=(3, 3))
    Traceback (most recent call last):
        ...
    ValueError: sum(tables:1-4,tables:4-8): tile 4 is in two patterns, so that its moves would count twice; \
expected patterns without a common tile; use max(..), or additive=False for a sum that is no lower bound
    """

    def __init__(
        self,
        parts: Sequence[Union[str, PatternTable]],
        *,
        goal: Optional[BoardLike] = None,
        shape: Optional[Sequence[int]] = None,
        tables: Folder = None,
        additive: bool = True,
        name: Optional[str] = None,
    ) -> None:
        given = (parts,) if isinstance(parts, (str, PatternTable)) else tuple(parts)
        self._given, self._additive = given, additive
        self.folder = None if tables is None else os.path.abspath(table_folder(tables))
        own = [part for part in given if isinstance(part, PatternTable)]
        if goal is None and shape is None and own:
            goal = own[0].goal
        self.goal = goal_of(goal, shape)
        names = [part.name if isinstance(part, PatternTable) else part for part in given]
        self.name = name or (names[0] if len(given) == len(own) == 1 else f"{SUM}({','.join(names)})")
        orientation = Orientation(self.goal)
        self._parts: list[Union[_Ours, PatternTable]] = []
        for part in given:
            self._parts += [part] if isinstance(part, PatternTable) else self._named(part, orientation)
        self.patterns = tuple(
            part.tiles if isinstance(part, PatternTable) else self._tiles(part, orientation) for part in self._parts
        )
        for part in own:
            if part.goal != self.goal:
                raise ValueError(f"{self.name}: {part.name} is for the goal {part.goal}, not for {self.goal}")
        if not 1 <= len(self._parts) <= MAX_PATTERNS:
            raise ValueError(f"{self.name}: {len(self._parts)} patterns; expected 1 .. {MAX_PATTERNS}")
        wrong = self._not_additive()
        if wrong and additive:
            raise ValueError(f"{self.name}: {wrong}; use max(..), or additive=False for a sum that is no lower bound")
        self.admissible = not wrong and all(part.admissible for part in own)
        self.consistent = not wrong and all(
            part.consistent if isinstance(part, PatternTable) else _is_consistent(part, self.shape)
            for part in self._parts
        )
        self._opened: Optional[list[Table]] = None

    @classmethod
    def of_name(cls, name: str, *, goal: Board, tables: Folder) -> TableSum:
        """The sum of a name such as ``sum(tables:1-4,tables:5-8)``."""
        return cls(parts_in(name), goal=goal, tables=tables, name=name)

    @property
    def shape(self) -> tuple[int, int]:
        """(int, int): of the boards."""
        return self.goal.shape

    @property
    def has_arrays(self) -> bool:
        """bool: whether a part is an array, whose claims may be wrong."""
        return any(isinstance(part, PatternTable) for part in self._parts)

    def toward(self, goal: Board) -> TableSum:
        """The same sum for another goal; ValueError if a part is an array, which is for one goal only."""
        if goal == self.goal:
            return self
        return TableSum(self._given, goal=goal, tables=self.folder, additive=self._additive, name=self.name)

    def _named(self, text: str, orientation: Orientation) -> list[_Ours]:
        """The tables of a part ``tables:PATTERN/PATTERN:FORMAT``."""
        patterns, format = tables_in(text)
        if not text.startswith(f"{TABLES}:") or patterns is None:
            raise ValueError(
                f"{self.name}: {text!r}: expected a PatternTable, or tables of patterns such as tables:1-4"
            )
        if format is not None and format not in FORMATS:
            raise ValueError(f"{self.name}: format {format!r}: expected {' or '.join(FORMATS)}")
        shape, home = self.shape, orientation.home
        found = []
        for cells in [
            c for each in patterns.split("/") for c in parse_patterns(each, shape, home, largest=MAX_PATTERN)
        ]:
            formats = FORMATS if format is None else (format,)
            there = next(
                (f for f in formats if find_table(shape, cells, home, f, tables=self.folder) is not None), None
            )
            if there is None and len(pattern_tiles(cells, home)) > _MOST_BUILT:
                raise TableMissingError(_missing(shape, cells, home, format, self.folder))
            found.append(_Ours(cells, there or formats[0], self.folder, there is not None))
        return found

    def _tiles(self, part: _Ours, orientation: Orientation) -> tuple[int, ...]:
        """The tiles of a pattern, as the goal has them."""
        return tuple(sorted(orientation.tile_to.index(tile) for tile in pattern_tiles(part.cells, orientation.home)))

    def _not_additive(self) -> Optional[str]:
        """Why the sum may count a move twice, or None."""
        tiles = [tile for pattern in self.patterns for tile in pattern]
        twice = sorted({tile for tile in tiles if tiles.count(tile) > 1})
        if twice:
            which = f"tile {twice[0]} is" if len(twice) == 1 else f"tiles {', '.join(map(str, twice))} are"
            its = "its" if len(twice) == 1 else "their"
            return (
                f"{which} in two patterns, so that {its} moves would count twice; "
                "expected patterns without a common tile"
            )
        for part in self._parts if len(self._parts) > 1 else ():
            if isinstance(part, PatternTable) and part.counts != "own":
                return f"{part.name} counts the moves of all tiles; expected tables that count moves of their own tiles"
        return None

    def add_to(self, evaluator: Evaluator, orientation: Orientation) -> None:
        """Add the sum to an evaluator, whose boards are turned by `orientation`. This opens the tables."""
        if self._opened is None:
            self._opened = [
                _open(part, self.shape, orientation.home) for part in self._parts if isinstance(part, _Ours)
            ]
        most = sum(table.max_value for table in self._opened)
        most += sum(int(part.values.max()) for part in self._parts if isinstance(part, PatternTable))
        if most > _LARGEST:
            raise ValueError(f"{self.name}: the largest values add up to {most}; expected at most {_LARGEST}")
        ours = iter(self._opened)
        back = [orientation.cell_to.index(cell) for cell in range(len(orientation.cell_to))]
        evaluator.add_patterns(
            [
                (part.values, [orientation.tile_to[tile] for tile in part.listed], back)
                if isinstance(part, PatternTable)
                else next(ours)
                for part in self._parts
            ]
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_opened": None}

    def _identity(self) -> tuple[Any, ...]:
        return self.name, self.goal, tuple(self._parts), self.admissible

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, TableSum) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        return f"<TableSum {self.name} for {self.goal}>"


def _open(part: _Ours, shape: tuple[int, int], home: int) -> Table:
    """The table, in memory: a mapped file could be cut off while a search reads it."""
    if part.in_file:
        file = find_table(shape, part.cells, home, part.format, tables=part.folder)
        if file is None:
            raise TableMissingError(_missing(shape, part.cells, home, part.format, part.folder))
        table = file.load()
    else:
        table = table_in_memory(shape, part.cells, home, part.format)
    assert isinstance(table, Table)
    return table


def _is_consistent(part: _Ours, shape: tuple[int, int]) -> bool:
    """A classic table of one tile, or of all tiles, has one region per placement, so its entries are not minima."""
    count = bin(part.cells).count("1")
    return part.format == "zero-aware" or count in (1, shape[0] * shape[1] - 1)


def _missing(shape: tuple[int, int], cells: int, home: int, format: Optional[str], folder: Folder) -> str:
    """What is missing, and the command that builds it."""
    rows, cols = shape
    tiles = pattern_name(cells, home)
    command = f"puzzle15 build --patterns {tiles}"
    if shape != (4, 4):
        command += f" --shape {rows}x{cols}"
    if home != rows * cols - 1:
        command += f" --home {home}"
    if format:
        command += f" --format {format}"
    if folder is not None:
        from shlex import quote

        command += f" --tables {quote(os.fspath(folder))}"
    return (
        f"no {f'{format} ' if format else ''}table of tiles {tiles} for {rows}x{cols} with the blank's home at cell "
        f"{home} in {table_folder(folder)}; build it: {command}"
    )
