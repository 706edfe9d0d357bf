"""Homes, symmetries, and partitions as text and as cells."""

import math
from functools import cache

import pytest
import twins

import puzzle15
from puzzle15.board import home_cell, symmetries
from puzzle15.tables import partitions

SHAPES = twins.SHAPES
PLACES = [(shape, home) for shape in SHAPES for home in range(math.prod(shape))]


@cache
def twin_symmetries(shape):
    return twins.symmetries(shape)


def orbit(shape, cell):
    return {symmetry[cell] for symmetry in twin_symmetries(shape)}


@pytest.mark.parametrize("shape", SHAPES)
def test_symmetries(shape):
    found = symmetries(shape)
    assert found[0] == tuple(range(math.prod(shape)))
    assert set(found) == twins.symmetries(shape) and len(found) == len(set(found))
    for home in range(math.prod(shape)):
        kept = symmetries(shape, home)
        assert kept[0] == found[0]
        assert set(kept) == {symmetry for symmetry in found if symmetry[home] == home}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_home_that_stands_for_a_cell(shape):
    for cell in range(math.prod(shape)):
        assert home_cell(cell, shape) == max(orbit(shape, cell))
        assert home_cell(str(cell), shape) == max(orbit(shape, cell))


@pytest.mark.parametrize(
    "shape, corner, edge, center",
    [((4, 4), 15, 14, 10), ((3, 3), 8, 7, 4), ((3, 4), 11, 10, 6), ((2, 5), 9, 8, None), ((2, 2), 3, None, None)],
)
def test_kinds_of_homes(shape, corner, edge, center):
    for kind, cell in (("corner", corner), ("edge", edge), ("center", center)):
        if cell is None:
            with pytest.raises(ValueError, match=f"home '{kind}'.*corner.*or a cell 0 .. "):
                home_cell(kind, shape)
        else:
            assert home_cell(kind, shape) == cell


@pytest.mark.parametrize("home", [-1, 16, "16", "", "middle", "Corner", "1.5"])
def test_homes_that_are_none(home):
    with pytest.raises(ValueError):
        home_cell(home, (4, 4))


@pytest.mark.parametrize("shape, home", [((4, 4), 15), ((4, 4), 10), ((4, 4), 0), ((2, 3), 1), ((3, 5), 14)])
def test_tiles_and_their_goal_cells(shape, home):
    goal = twins.goal(shape, home)
    for tile in range(1, math.prod(shape)):
        cells = partitions.goal_cells([tile], shape, home)
        assert cells == 1 << goal.index(tile)
        assert partitions.pattern_tiles(cells, home) == (tile,)
    everything = partitions.goal_cells(range(1, math.prod(shape)), shape, home)
    assert everything == (1 << math.prod(shape)) - 1 - (1 << home)
    assert partitions.pattern_tiles(everything, home) == tuple(range(1, math.prod(shape)))


def test_sets_of_cells_are_carried(rng):
    for symmetry in symmetries((3, 4)):
        cells = int(rng.integers(1 << 12))
        expected = {symmetry[cell] for cell in range(12) if cells >> cell & 1}
        assert {cell for cell in range(12) if partitions.carry(symmetry, cells) >> cell & 1} == expected


def check_partition(partition, shape, home, largest):
    everything = (1 << math.prod(shape)) - 1 - (1 << home)
    assert sum(partition) == everything
    union = 0
    for cells in partition:
        assert cells and not cells & union and bin(cells).count("1") <= largest
        union |= cells


@pytest.mark.parametrize("largest", [3, 6, 8])
def test_default_partitions_fit_every_shape_and_home(largest):
    for shape, home in PLACES:
        found = partitions.default_partitions(shape, home, largest=largest)
        assert 1 <= len(found) <= 2
        for partition in found:
            check_partition(partition, shape, home, largest)
        images = {
            frozenset(partitions.carry(symmetry, cells) for cells in found[0])
            for symmetry in twin_symmetries(shape)
            if symmetry[home] == home
        }
        assert all(frozenset(partition) not in images for partition in found[1:])


@pytest.mark.parametrize("largest", [5, 6])
def test_default_patterns_fit_every_shape_and_home(largest):
    for shape, home in PLACES:
        patterns = partitions.default_patterns(shape, home, largest=largest)
        kept = [symmetry for symmetry in twin_symmetries(shape) if symmetry[home] == home]
        images = [{partitions.carry(symmetry, cells) for symmetry in kept} for cells in patterns]
        assert 1 <= sum(map(len, images)) <= 8
        assert all(not one & other for i, one in enumerate(images) for other in images[:i])
        assert all(1 <= bin(cells).count("1") <= largest and not cells >> home & 1 for cells in patterns)
        assert all(cells < 1 << math.prod(shape) for cells in patterns)


@pytest.mark.parametrize(
    "shape, home, count",
    [((4, 4), 15, 1), ((4, 4), 14, 2), ((4, 4), 10, 1), ((3, 5), 14, 2), ((3, 4), 11, 2), ((3, 3), 7, 1)],
)
def test_a_second_partition_where_no_reflection_makes_it_of_the_first(shape, home, count):
    assert len(partitions.default_partitions(shape, home)) == count


@pytest.mark.parametrize("name", partitions.NAMED)
@pytest.mark.parametrize("home", [15, 14, 10])
def test_named_partitions(name, home):
    for partition in partitions.parse_partition(name, (4, 4), home):
        check_partition(partition, (4, 4), home, 8)
        sizes = sorted(bin(cells).count("1") for cells in partition)
        assert sizes == sorted(map(int, name.split("-")))


def test_the_default_has_a_name():
    for home in (15, 14, 10):
        by_name = partitions.parse_partition("7-8", (4, 4), home)
        assert by_name == partitions.parse_partition(None, (4, 4), home)
        assert by_name == partitions.default_partitions((4, 4), home)
    assert partitions.parse_partition("7-8", (4, 4), 15) == partitions.parse_partition("1-8/9-15", (4, 4), 15)


@pytest.mark.parametrize(
    "text, shape, home, patterns",
    [
        ("1-8/9-15", (4, 4), 15, [range(8), range(8, 15)]),
        (" 1 - 3 , 5 / 4 ", (2, 3), 5, [(0, 1, 2, 4), (3,)]),
        ("5,3,1/2,4", (2, 3), 0, [(1, 3, 5), (2, 4)]),
        ("1-1/2/3", (2, 2), 1, [(0,), (2,), (3,)]),
    ],
)
def test_partitions_as_text(text, shape, home, patterns):
    expected = tuple(sum(1 << cell for cell in cells) for cells in patterns)
    assert partitions.parse_partition(text, shape, home) == [expected]


@pytest.mark.parametrize(
    "text, cells",
    [
        (None, [0x3F, 0x7E00]),
        ("1-6/10-15", [0x3F, 0x7E00]),
        (" 1 - 3 , 5 / 3,4", [0x17, 0x0C]),
        ("1/1/2", [1, 2]),
        ("7-8", [0xC0]),
    ],
)
def test_patterns_as_text(text, cells):
    assert partitions.parse_patterns(text, (4, 4), 15) == cells


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "patterns '': expected tiles such as 1-6/10-15, not ''"),
        ("5-5-5", "expected tiles such as 1-6/10-15, not '5-5-5'"),
        ("1-16", "names no tiles of 1 .. 15"),
        ("1-3,2", "'1-3,2' names a tile twice"),
        ("1-7", "'1-7' has 7 tiles; patterns of multi-tile tables have at most 6"),
    ],
)
def test_patterns_that_are_none(text, message):
    with pytest.raises(ValueError, match=message):
        partitions.parse_patterns(text, (4, 4), 15)


@pytest.mark.parametrize(
    "text, shape, message",
    [
        ("1-8/8-15", (4, 4), "tile 8 named twice"),
        ("1-7,7/9-15", (4, 4), "tile 7 named twice; tile 8 missing"),
        ("1-9/10-15", (4, 4), "at most 8 tiles"),
        ("1-8/9-16", (4, 4), "'9-16' names no tiles of 1 .. 15"),
        ("8-1/9-15", (4, 4), "'8-1' names no tiles"),
        ("1-8/9-15/", (4, 4), "expected a name"),
        ("", (4, 4), "expected a name"),
        ("5-5", (4, 4), "the sizes add up to 10 instead of 15; expected a name"),
        ("4-4", (3, 3), "'4-4': expected tiles such as"),
        ("1-8", (4, 4), "tile 9, 10, 11, 12, 13, 14, 15 missing"),
        ("korf", (4, 4), "expected a name .*7-8.* or tiles"),
        ("5-5-5", (3, 3), "is of the 4x4 board; for 3x3"),
    ],
)
def test_partitions_that_are_none(text, shape, message):
    with pytest.raises(ValueError, match=message):
        partitions.parse_partition(text, shape, math.prod(shape) - 1)


def test_written_then_read(rng):
    for shape, home in PLACES:
        tiles = rng.permutation(range(1, math.prod(shape))).tolist()
        patterns, size = [], int(rng.integers(1, 9))
        while tiles:
            patterns.append(partitions.goal_cells(tiles[:size], shape, home))
            del tiles[:size]
        partition = tuple(patterns)
        text = partitions.partition_name(partition, home)
        assert partitions.parse_partition(text, shape, home) == [partition]


def test_written_short():
    assert partitions.pattern_name(partitions.goal_cells([5, 1, 2, 3], (4, 4), 7), 7) == "1-3,5"
    assert partitions.pattern_name(0b11, 15) == "1-2"


def test_what_is_no_text():
    for given in (5, b"7-8", ["7-8"], True):
        for take in (
            lambda: partitions.parse_partition(given, (4, 4), 15),
            lambda: partitions.parse_patterns(given, (4, 4), 15),
            lambda: puzzle15.build_tables(given),
            lambda: puzzle15.Solver(given),
        ):
            with pytest.raises(TypeError, match=r"(partition|patterns) .*: expected text, such as '"):
                take()
