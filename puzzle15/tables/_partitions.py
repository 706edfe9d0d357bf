"""Partitions of the tiles into the patterns of tables.

A pattern is given by the goal cells of its tiles, as an int with bit i for cell i; a partition is
a tuple of patterns that cover all cells but the home.  Homes that a symmetry of the board carries
into each other need the same tables, so each such orbit is represented by its last cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Optional, Union

from .._core.tables.tables import MAX_PATTERN
from ..board import Shape, symmetries
from ..errors import OptionError

Partition = tuple[int, ...]

#: Tiles of a pattern of multi-tile tables (csrc/multitile/lines.h).
MAX_MULTI_TILE_PATTERN = 6

#: Named partitions of the 4x4 board: tiles of the goal whose blank is at the home.
NAMED = {
    # the upper and the lower half
    "7-8": ((1, 2, 3, 4, 5, 6, 7, 8), (9, 10, 11, 12, 13, 14, 15)),
    "7-7-1": ((1, 2, 3, 4, 5, 6, 7), (9, 10, 11, 12, 13, 14, 15), (8,)),
    # of all partitions into connected patterns, the one that took the fewest nodes on 40 random boards
    "6-6-3": ((4, 7, 8, 11, 12, 15), (5, 6, 9, 10, 13, 14), (1, 2, 3)),
    # Korf & Felner, Artificial Intelligence 134 (2002)
    "5-5-5": ((1, 2, 5, 9, 13), (3, 4, 7, 8, 12), (6, 10, 11, 14, 15)),
}


def goal_cells(tiles: Iterable[int], shape: Shape, home: int) -> int:
    """Return the goal cells of tiles, in the goal with its blank at `home`."""
    return sum(1 << (tile - 1 if tile <= home else tile) for tile in tiles)


def pattern_tiles(cells: int, home: int) -> tuple[int, ...]:
    """Return the tiles whose goal cells are `cells`: the inverse of `goal_cells`."""
    return tuple(cell + (cell < home) for cell in range(cells.bit_length()) if cells >> cell & 1)


def transform_cells(symmetry: Sequence[int], cells: int) -> int:
    """Return a set of cells under a symmetry."""
    return sum(1 << symmetry[cell] for cell in range(len(symmetry)) if cells >> cell & 1)


def default_partitions(shape: Shape, home: int, *, largest: int = MAX_PATTERN) -> list[Partition]:
    """Return the default partitions of a shape and home.

    The first takes cells in reading order, `largest` at a time. The second takes them column by column; it is
    left out if a symmetry that keeps the home turns the first into it.

    >>> [[pattern_tiles(cells, 15) for cells in p] for p in default_partitions((4, 4), 15)]
    [[(1, 2, 3, 4, 5, 6, 7, 8), (9, 10, 11, 12, 13, 14, 15)]]
    """
    partitions: list[Partition] = []
    for order in _orders(shape, home):
        partition = tuple(_set_of(order[i : i + largest]) for i in range(0, len(order), largest))
        images = {
            frozenset(transform_cells(symmetry, cells) for cells in partition) for symmetry in symmetries(shape, home)
        }
        if not any(frozenset(known) in images for known in partitions):
            partitions.append(partition)
    return partitions


def default_patterns(shape: Shape, home: int, *, largest: int = MAX_MULTI_TILE_PATTERN) -> list[int]:
    """Return the default patterns of multi-tile tables, whose values are not added: they may share tiles.

    They are the first and the last `largest` cells in reading order; and those column by column, unless a symmetry
    that keeps the home turns the former into the latter.

    >>> [pattern_name(cells, 15) for cells in default_patterns((4, 4), 15)]
    ['1-6', '10-15']
    """
    patterns: list[int] = []
    for order in _orders(shape, home):
        for cells in (_set_of(order[:largest]), _set_of(order[-largest:])):
            if not {transform_cells(symmetry, cells) for symmetry in symmetries(shape, home)} & set(patterns):
                patterns.append(cells)
    return patterns


def _orders(shape: Shape, home: int) -> tuple[list[int], list[int]]:
    """Return the cells without the home, row by row and column by column."""
    rows, cols = shape
    by_rows = [cell for cell in range(rows * cols) if cell != home]
    return by_rows, sorted(by_rows, key=lambda cell: (cell % cols, cell // cols))


def _set_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def parse_patterns(text: Optional[str], shape: Shape, home: int, *, largest: int = MAX_MULTI_TILE_PATTERN) -> list[int]:
    """The patterns of tables that a text names, such as ``1-6/10-15``: they may share tiles, and need not have all.

    None stands for `default_patterns`; `largest` is the most tiles of a pattern. TypeError or ValueError otherwise.
    """
    if text is None:
        return default_patterns(shape, home)
    if not isinstance(text, str):
        raise TypeError(f"patterns {text!r}: expected text, such as '{_example(shape, largest)}'")
    expected, patterns = f"tiles such as {_example(shape, largest)}", []
    for part in text.split("/"):
        tiles = _parse_tiles(part, f"patterns {text!r}", shape[0] * shape[1] - 1, expected)
        if len(set(tiles)) < len(tiles):
            raise OptionError(
                f"patterns {text!r}: {part.strip()!r} names a tile twice; name each tile once per pattern"
            )
        if len(tiles) > largest:
            kind = "multi-tile tables" if largest == MAX_MULTI_TILE_PATTERN else "tables"
            raise OptionError(
                f"patterns {text!r}: {part.strip()!r} has {len(tiles)} tiles; patterns of {kind} have at most {largest}"
            )
        patterns.append(goal_cells(tiles, shape, home))
    return list(dict.fromkeys(patterns))


def parse_partition(text: Union[str, None], shape: Shape, home: int) -> list[Partition]:
    """Return the partitions that a name or an explicit list of tiles stands for.

    Parameters
    ----------
    text : str or None
        A name (``7-8``, ``7-7-1``, ``6-6-3``, ``5-5-5``: 4x4 only); or tiles, patterns separated by ``/`` and tiles by
        commas, with ranges: ``1-8/9-15``. None stands for `default_partitions`.
    shape : (int, int)
    home : int
        The cell of the blank in the goal that the tiles are numbered by.

    Raises
    ------
    TypeError, ValueError
        `text` is not a text, or names no partition into patterns of at most 8 tiles.
    """
    if text is not None and not isinstance(text, str):
        raise TypeError(f"partition {text!r}: expected text, such as '{_example(shape)}'")
    if text is None or (text == "7-8" and shape == (4, 4)):
        return default_partitions(shape, home)
    count = shape[0] * shape[1] - 1
    if text in NAMED:
        if shape != (4, 4):
            raise OptionError(
                f"partition {text!r} is of the 4x4 board; for {shape[0]}x{shape[1]} name the tiles, "
                f"such as {_example(shape)}, or leave it out for the default"
            )
        patterns = [list(tiles) for tiles in NAMED[text]]
    else:
        expected = f"a name ({', '.join(NAMED)}) or " * (shape == (4, 4)) + f"tiles such as {_example(shape)}"
        sizes = [int(size) for size in text.split("-")] if re.fullmatch(r"\d{1,2}(-\d{1,2})+", text) else []
        if sizes and (sizes[0] != 1 or len(sizes) > 2):  # no such name; 1-8 are tiles
            total = f"the sizes add up to {sum(sizes)} instead of {count}; " * (sum(sizes) != count)
            raise OptionError(f"partition {text!r}: {total}expected {expected}")
        patterns = [_parse_tiles(part, f"partition {text!r}", count, expected) for part in text.split("/")]
    named = [tile for tiles in patterns for tile in tiles]
    twice = sorted({tile for tile in named if named.count(tile) > 1})
    missing = sorted(set(range(1, count + 1)) - set(named))
    if twice or missing:
        wrong = (twice, "named twice"), (missing, "missing")
        what = [f"tile {', '.join(map(str, tiles))} {how}" for tiles, how in wrong if tiles]
        raise OptionError(f"partition {text!r}: {'; '.join(what)}; the tiles are 1 .. {count}, each in one pattern")
    if max(map(len, patterns)) > MAX_PATTERN:
        raise OptionError(f"partition {text!r}: patterns have at most {MAX_PATTERN} tiles")
    return [tuple(goal_cells(tiles, shape, home) for tiles in patterns)]


def _example(shape: Shape, largest: int = MAX_PATTERN) -> str:
    """Two patterns of a shape, each of at most `largest` tiles, and a partition if these are enough."""
    count = shape[0] * shape[1] - 1
    return f"1-{min(-(-count // 2), largest)}/{count - min(count // 2, largest) + 1}-{count}"


def _parse_tiles(part: str, what: str, count: int, expected: str) -> list[int]:
    """Return the tiles of a pattern. For messages, `what` names the whole text, and `expected` what it should be."""
    tiles: list[int] = []
    for item in part.split(","):
        match = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", item)
        if not match:
            raise OptionError(f"{what}: expected {expected}, not {item!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= count:
            raise OptionError(f"{what}: {item.strip()!r} names no tiles of 1 .. {count}")
        tiles.extend(range(first, last + 1))
    return tiles


def partition_name(partition: Partition, home: int) -> str:
    """Return a partition as text that `parse_partition` reads: ``1-8/9-15``."""
    return "/".join(pattern_name(cells, home) for cells in partition)


def pattern_name(cells: int, home: int) -> str:
    """Return a pattern's tiles as text: ``1-3,5``."""
    runs: list[list[int]] = []
    for tile in pattern_tiles(cells, home):
        if runs and runs[-1][-1] == tile - 1:
            runs[-1][1:] = [tile]
        else:
            runs.append([tile])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[1]}" for run in runs)
