"""Choosing the tables to solve with: those in a folder, or small ones that are built in memory.

Choices are ranked by the mean lower bound of their best partition, which is the sum of its tables' means. The headers
of table files give those; for the small tables in memory they are known. Of choices whose means round to the same
number of moves, the one with more lookups comes first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Optional

from .. import tables
from .._system.quantities import check_choice
from ..board import Board, Orientation, Shape, symmetries
from ..board._moves import Metric, check_metric
from ..errors import OptionError, TableCorruptError, TableMissingError
from ..tables import TableFile
from ..tables._file import FORMATS, MULTI_TILE, Format
from ..tables._folder import Folder, missing
from ..tables._partitions import (
    MAX_MULTI_TILE_PATTERN,
    NAMED,
    Partition,
    default_partitions,
    default_patterns,
    goal_cells,
    parse_partition,
    parse_patterns,
    partition_name,
    transform_cells,
)

#: Boards of at most so many cells are solved with one complete table in memory.
_COMPLETE_CELLS = 9

_MOST_LOOKUPS = 2  # of tables in files: further ones cost more time than they save
_MOST_BEHIND = 2.0  # moves: a partition whose mean is smaller by more seldom gives the larger bound
_MOST_EMBEDDED_LOOKUPS = 16
_MOST_MULTI_TILE_LOOKUPS = 8  # as many as the search takes (csrc/multitile/problem.h)
_EMBEDDED_MULTI_TILE = 5  # tiles of a pattern on boards of more than _COMPLETE_CELLS: ready in a fraction of a second

#: The embedded partitions of the 4x4 goal with the blank in the corner, each used for the reflection, too: the best one
#: with patterns of 6, 6 and 3 tiles, and the one that helps it most, by the nodes that 40 random boards took.
_EMBEDDED_CORNER = (NAMED["6-6-3"], ((1, 2, 3, 5, 6, 7), (4, 8, 11, 12, 14, 15), (9, 10, 13)))

#: The mean bound of the best embedded partition, by shape, for a goal with its blank in a corner. For other homes, it
#: differs by about a move at most.
_EMBEDDED_MEANS = {
    (4, 4): 42.96,
    (3, 4): 31.3,
    (3, 5): 42.15,
    (2, 5): 32.93,
    (2, 6): 46.43,
    (2, 7): 58.16,
    (2, 8): 71.4,
}


class Lookup(NamedTuple):
    """A partition, and the symmetry of the board through which its tables are read."""

    partition: Partition
    symmetry: tuple[int, ...]


class Choice(NamedTuple):
    """The tables to use for boards of one shape and home, by name: another process can open the same ones.

    `embedded` tables are built in memory. `mean_bound` is the lower bound that their best partition gives on average,
    in moves; infinite for a complete table, and 0 where it does not matter.
    """

    format: Format
    lookups: tuple[Lookup, ...]
    embedded: bool
    mean_bound: float = 0.0

    def name(self, home: int) -> str:
        """Its format and partitions as text: ``zero-aware 1-8/9-15``."""
        names = dict.fromkeys(partition_name(lookup.partition, home) for lookup in self.lookups)
        return f"{'embedded ' if self.embedded else ''}{self.format} {' + '.join(names)}"


def choices(
    files: Sequence[TableFile],
    shape: Shape,
    home: int,
    *,
    reflection: bool = True,
    formats: Sequence[Format] = FORMATS,
) -> list[Choice]:
    """All choices for a shape and home, the best first: each partition with installed tables, and the embedded ones."""
    found = []
    for format in formats:
        usable = usable_files(files, shape, home, format)
        means = {part: _mean_of(part, usable) for part in covers(usable, shape, home)}
        ranked = sorted(means, key=means.__getitem__, reverse=True)
        # the best partition and the next ones, then the same without the best one, and so on
        for begin, best in enumerate(ranked):
            near = [part for part in ranked[begin:] if means[part] >= means[best] - _MOST_BEHIND]
            lookups = _lookups(near, shape, home, _MOST_LOOKUPS if reflection else 1)
            found.append(Choice(format, lookups, False, means[best]))
    found.append(embedded_choice(shape, home, reflection=reflection))
    # files come before embedded tables that are as good
    return sorted(found, key=_rank, reverse=True)


def _rank(choice: Choice) -> tuple[float, int, float]:
    mean = choice.mean_bound
    return (mean if math.isinf(mean) else round(mean)), len(choice.lookups), round(mean, 1)


def embedded_choice(shape: Shape, home: int, *, reflection: bool = True, format: Format = "zero-aware") -> Choice:
    """Return the small tables that are built in memory; a complete table on boards of up to 9 cells."""
    complete = _is_small(shape)
    if format == MULTI_TILE:
        largest = MAX_MULTI_TILE_PATTERN if complete else _EMBEDDED_MULTI_TILE
        return multi_tile_choice(default_patterns(shape, home, largest=largest), shape, home, reflection, True)
    if shape == (4, 4) and home == 15:
        parts = [tuple(goal_cells(tiles, shape, 15) for tiles in p) for p in _EMBEDDED_CORNER]
    else:
        parts = default_partitions(shape, home, largest=8 if complete else 6)
    lookups = _lookups(parts, shape, home, _MOST_EMBEDDED_LOOKUPS if reflection else 1)
    return Choice(format, lookups, True, math.inf if complete else _EMBEDDED_MEANS[min(shape), max(shape)])


def multi_tile_choice(patterns: Iterable[int], shape: Shape, home: int, reflection: bool, embedded: bool) -> Choice:
    """Return the multi-tile tables of these patterns, each read through the symmetries that keep the home."""
    usable = symmetries(shape, home)[: None if reflection else 1]
    lookups = (Lookup((cells,), symmetry) for symmetry in usable for cells in patterns)
    return Choice(MULTI_TILE, _different(lookups)[:_MOST_MULTI_TILE_LOOKUPS], embedded)


def usable_files(files: Iterable[TableFile], shape: Shape, home: int, format: Format) -> dict[int, TableFile]:
    """Return the tables of a shape, home and format, by the goal cells of their patterns."""
    return {
        file.cells: file for file in files if file.shape == shape and file.format == format and file.region >> home & 1
    }


def _lookups(parts: Iterable[Partition], shape: Shape, home: int, most: int) -> tuple[Lookup, ...]:
    usable = symmetries(shape, home)
    return _different(Lookup(part, symmetry) for part in parts for symmetry in usable)[:most]


def _different(lookups: Iterable[Lookup]) -> tuple[Lookup, ...]:
    """Return the lookups without those that always give the same value as an earlier one."""
    found: dict[frozenset[int], Lookup] = {}
    for lookup in lookups:
        inverse = [lookup.symmetry.index(cell) for cell in range(len(lookup.symmetry))]
        found.setdefault(frozenset(transform_cells(inverse, cells) for cells in lookup.partition), lookup)
    return tuple(found.values())


def _is_small(shape: Shape) -> bool:
    return shape[0] * shape[1] <= _COMPLETE_CELLS


def covers(files: Iterable[int], shape: Shape, home: int) -> list[Partition]:
    """Return the partitions that can be made of these patterns."""
    everything = (1 << shape[0] * shape[1]) - 1 & ~(1 << home)

    def cover(left: int, usable: list[int]) -> list[Partition]:
        if not left:
            return [()]
        first = left & -left
        return [
            (cells, *rest)
            for cells in usable
            if cells & first and not cells & ~left
            for rest in cover(left & ~cells, [other for other in usable if not other & cells])
        ]

    return cover(everything, sorted(files))


def _mean_of(partition: Partition, files: dict[int, TableFile]) -> float:
    """Return the mean sum of a partition's tables, from their headers."""
    return sum(
        sum(value * count for value, count in enumerate(counts)) / sum(counts)
        for counts in (files[cells].counts for cells in partition)
    )


class Finder:
    """Finds the tables for boards of a goal in one folder."""

    def __init__(self, goal: Board, folder: Folder) -> None:
        self.orientation, self.folder = Orientation(goal), folder
        self._shape, self._home = goal.shape, self.orientation.home
        self._listed: Optional[tuple[list[TableFile], list[TableCorruptError]]] = None

    def choose(
        self, partition: Optional[str], format: Optional[Format], metric: Metric, reflection: bool, may_build: bool
    ) -> Choice:
        """The tables with the options of `Solver`, or the best ones; TableMissingError if they have not been built."""
        if format is not None:
            check_choice("format", format, FORMATS)
        check_metric(metric)
        if metric == "mtm" and format is not None:
            raise OptionError(f"format {format!r} with metric 'mtm': multi-tile tables have one format; leave it out")
        wanted = MULTI_TILE if metric == "mtm" else format
        if partition == "embedded" or (partition is None and format is None and _is_small(self._shape)):
            return embedded_choice(self._shape, self._home, reflection=reflection, format=wanted or "zero-aware")
        choice = self._installed(partition, wanted, reflection, may_build)
        if may_build and (choice is None or choice.embedded):
            self._build(partition, wanted or "zero-aware")
            choice = self._installed(partition, wanted, reflection, False)
        if choice is None:
            raise TableMissingError(self._missing(partition, wanted))
        return choice

    def files(self, choice: Choice, may_build: bool) -> dict[int, TableFile]:
        """Return the files of chosen tables by pattern; TableMissingError with the name of this machine."""
        if choice.embedded:
            return {}
        for parts, _ in choice.lookups:
            if any(cells not in self._usable(choice.format) for cells in parts):
                name = partition_name(parts, self._home)
                if not may_build:
                    import platform

                    raise TableMissingError(f"on host {platform.node()}: {self._missing(name, choice.format)}")
                self._build(name, choice.format)
        return self._usable(choice.format)

    def _installed(
        self, partition: Optional[str], format: Optional[Format], reflection: bool, may_build: bool
    ) -> Optional[Choice]:
        """Return the choice of this partition or of the best one; None if its tables are missing."""
        if format == MULTI_TILE:
            return self._multi_tile(partition, reflection, may_build)
        formats = FORMATS if format is None else (format,)
        if partition is None:
            ranked = choices(self._list()[0], self._shape, self._home, reflection=reflection, formats=formats)
            return next((choice for choice in ranked if format is None or not choice.embedded), None)
        wanted = parse_partition(partition, self._shape, self._home)
        for each in formats:  # the first one with tables of the first partition; other partitions add lookups
            usable = self._usable(each)
            installed = [part for part in wanted if all(cells in usable for cells in part)]
            if installed[:1] == wanted[:1]:
                lookups = _lookups(installed, self._shape, self._home, _MOST_LOOKUPS if reflection else 1)
                return Choice(each, lookups, False)
        return None

    def _multi_tile(self, patterns: Optional[str], reflection: bool, may_build: bool) -> Optional[Choice]:
        """The choice of these patterns; or else of the default ones, of any that are installed, or embedded ones."""
        wanted = parse_patterns(patterns, self._shape, self._home)
        files = self._usable(MULTI_TILE)
        if any(cells not in files for cells in wanted):
            if patterns is not None or may_build:
                return None
            if not files:
                return embedded_choice(self._shape, self._home, reflection=reflection, format=MULTI_TILE)
            wanted = sorted(files, key=lambda cells: (-bin(cells).count("1"), cells))
        return multi_tile_choice(wanted, self._shape, self._home, reflection, False)

    def _list(self) -> tuple[list[TableFile], list[TableCorruptError]]:
        """(the tables in the folder, what is wrong with other files)"""
        if self._listed is None:
            self._listed = tables.find_tables(self.folder)
        return self._listed

    def _usable(self, format: Format) -> dict[int, TableFile]:
        return usable_files(self._list()[0], self._shape, self._home, format)

    def _build(self, partition: Optional[str], format: Format) -> None:
        metric: Metric = "mtm" if format == MULTI_TILE else "stm"
        tables.build_tables(
            partition, shape=self._shape, home=self._home, format=format, metric=metric, tables=self.folder
        )
        self._listed = None

    def _missing(self, partition: Optional[str], format: Optional[Format]) -> str:
        """Return what is missing, the command that builds it, and the damaged files."""
        what, named = (f"partition {partition}", f" {partition}") if partition else ("a partition", "")
        text = missing(what, named, self._shape, self._home, format, self.folder)
        return "; ".join([text, *map(str, self._list()[1])])
