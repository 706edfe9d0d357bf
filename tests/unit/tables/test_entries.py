"""Every entry of small tables against the twins, in all formats."""

import math
from collections import Counter
from itertools import permutations

import pytest
import twins

from puzzle15.errors import TableCorruptError
from puzzle15.tables._construction import construct_in_memory, table_in_memory
from puzzle15.tables._file import FORMATS, MULTI_TILE

#: shape, goal cells of the tiles, home: corners, edges and centers, tiles near and far from the
#: blank, in one piece and scattered, and patterns that leave 2, 1 and 0 other tiles.
PATTERNS = [
    ((2, 2), (0, 1), 3),
    ((2, 2), (0, 2, 3), 1),
    ((2, 3), (0, 2, 5), 4),
    ((2, 3), (0, 1, 2, 3), 5),
    ((2, 3), (0, 1, 2, 3, 4), 5),
    ((3, 2), (0, 3, 4), 2),
    ((2, 4), (0, 1, 4), 7),
    ((4, 2), (1, 2, 5, 6), 4),
    ((2, 5), (2, 7, 9), 0),
    ((2, 8), (0, 8, 15), 7),
    ((3, 3), (0, 1, 2, 3), 8),
    ((3, 3), (1, 3, 5, 7), 4),
    ((3, 3), (0, 2, 6, 8), 7),
    ((3, 3), (0, 1, 3, 4, 5), 2),
    ((3, 4), (0, 5, 10), 11),
    ((3, 5), (6, 7, 8), 14),
    ((4, 3), (2, 5, 8, 11), 1),
    ((4, 4), (0,), 15),
    ((4, 4), (5, 10), 14),
    ((4, 4), (0, 3, 12), 6),
    ((4, 4), (10, 11, 13, 14), 15),
]
#: The same for the multi-tile metric.
MULTI_TILE_PATTERNS = [
    ((2, 2), (0, 1), 3),
    ((2, 3), (0, 2), 4),
    ((3, 2), (0, 1, 4), 2),
    ((3, 3), (0, 4, 8), 5),
    ((2, 4), (1, 5, 6), 0),
    ((2, 8), (3, 12), 9),
    ((4, 4), (5, 10), 15),
    ((3, 5), (2, 7, 11), 6),
    ((2, 3), (0, 1, 2, 3, 4), 5),
]


def built(shape, cells, home, format, values):
    """A table, whose header counts these values."""
    header, payload = construct_in_memory(shape, sum(1 << cell for cell in cells), home, format)
    counts = Counter(values.values())
    assert header.counts == tuple(counts[value] for value in range(max(counts) + 1))
    return header.over(payload)


@pytest.mark.parametrize("pattern", PATTERNS, ids=str)
@pytest.mark.sweep(13)
def test_every_entry_equals_the_twin(pattern):
    shape, cells, home = pattern
    values = twins.pattern_values(shape, cells, home)
    table = built(*pattern, "zero-aware", values)
    for (where, region), value in values.items():
        for blank in region:
            assert table.value(where, blank) == value
    assert table.max_value == max(values.values())

    least = twins.classic_values(values)
    classic = built(*pattern, "classic", least)
    for where, value in least.items():
        blank = next(cell for cell in range(math.prod(shape)) if cell not in where)
        assert classic.value(where, blank) == value
    assert classic.max_value == max(least.values())


@pytest.mark.parametrize("pattern", MULTI_TILE_PATTERNS, ids=str)
@pytest.mark.sweep(7)
def test_every_multi_tile_entry_equals_the_twin(pattern):
    shape, cells, home = pattern
    expected = twins.multi_pattern_values(shape, cells, home)
    table = built(*pattern, MULTI_TILE, expected)
    for *tiles, blank in permutations(range(math.prod(shape)), len(cells) + 1):
        wanted = [expected.get((axis, tuple(tiles), blank)) for axis in (0, 1)]
        if None in wanted:  # a state that no board shows
            with pytest.raises(TableCorruptError):
                table.values(tiles, blank)
        else:
            assert table.values(tiles, blank) == tuple(wanted), (tiles, blank)
            assert table.value(tiles, blank) == min(wanted)


def test_states_that_no_board_shows_have_no_value():
    """With all tiles in the pattern, half of the placements cannot be reached."""
    table = table_in_memory((2, 3), 0b11111, 5)
    with pytest.raises(TableCorruptError):
        table.value((1, 0, 2, 3, 4), 5)


@pytest.mark.parametrize("format", [*FORMATS, MULTI_TILE])
def test_no_pattern_and_no_state(format):
    for shape, cells, home in (((4, 4), 0x8001, 15), ((4, 4), 0x1FF, 15), ((3, 3), 0x3000, 8), ((3, 3), 0, 8)):
        with pytest.raises(ValueError):
            table_in_memory(shape, cells, home, format)
    table = table_in_memory((4, 4), 0b111, 15, format)
    for cells, blank in (
        *((cells, 5) for cells in ((0, 1), (0, 1, 1), (0, 1, 2, 3), (0, 1, 5), (0, 1, 16), (-1, 1, 2))),
        ((0, 1, 2), 16),
    ):
        with pytest.raises((ValueError, OverflowError)):
            table.value(cells, blank)
