"""Homes, symmetries, and partitions as text and as cells."""

import math
import re
from functools import cache

import pytest
import twins

import puzzle15
from puzzle15.board import symmetries
from puzzle15.board._orientation import home_cell
from puzzle15.tables import _partitions as partitions

PLACES = [(shape, home) for shape in twins.SHAPES for home in range(math.prod(shape))]


@cache
def twin_symmetries(shape):
    return twins.symmetries(shape)


def kept_symmetries(shape, home):
    """The symmetries that keep a cell."""
    return [symmetry for symmetry in twin_symmetries(shape) if symmetry[home] == home]


def bits(cells):
    return sum(1 << cell for cell in cells)


def count(cells):
    return bin(cells).count("1")


def test_homes_and_the_symmetries_that_keep_them():
    for shape, home in PLACES:
        kept = symmetries(shape, home)
        assert kept[0] == tuple(range(math.prod(shape)))
        assert sorted(kept) == sorted(kept_symmetries(shape, home))
        orbit = {symmetry[home] for symmetry in twin_symmetries(shape)}
        assert home_cell(home, shape) == home_cell(str(home), shape) == max(orbit)


def test_kinds_of_homes():
    kinds = ("corner", "edge", "center")
    for shape, cells in (((4, 4), (15, 14, 10)), ((3, 3), (8, 7, 4)), ((3, 4), (11, 10, 6)), ((2, 5), (9, 8))):
        assert tuple(home_cell(kind, shape) for kind in kinds[: len(cells)]) == cells
    for home in (-1, 4, "4", "", "edge", "center", "middle", "Corner", "1.5"):
        with pytest.raises(ValueError, match="home .*0 .. 3"):
            home_cell(home, (2, 2))


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
        assert partitions.transform_cells(symmetry, cells) == bits(
            symmetry[cell] for cell in range(12) if cells >> cell & 1
        )


def check_partition(partition, shape, home, largest):
    """Its patterns cover all cells but the home, each once."""
    assert sum(partition) == (1 << math.prod(shape)) - 1 - (1 << home)
    assert sum(map(count, partition)) == math.prod(shape) - 1
    assert all(1 <= count(cells) <= largest for cells in partition)


def images(cells, shape, home):
    return {partitions.transform_cells(symmetry, cells) for symmetry in kept_symmetries(shape, home)}


@pytest.mark.parametrize("largest", [3, 6, 8])
def test_defaults_fit_every_shape_and_home(largest):
    for shape, home in PLACES:
        found = partitions.default_partitions(shape, home, largest=largest)
        assert 1 <= len(found) <= 2
        for partition in found:
            check_partition(partition, shape, home, largest)
        turned = [
            {partitions.transform_cells(each, cells) for cells in found[0]} for each in kept_symmetries(shape, home)
        ]
        assert all(set(partition) not in turned for partition in found[1:])
        patterns = partitions.default_patterns(shape, home, largest=largest)
        orbits = [images(cells, shape, home) for cells in patterns]
        assert 1 <= sum(map(len, orbits)) <= 8
        assert all(not one & other for i, one in enumerate(orbits) for other in orbits[:i])
        assert all(1 <= count(cells) <= largest and not cells >> home & 1 for cells in patterns)
        assert all(cells < 1 << math.prod(shape) for cells in patterns)


def test_a_second_partition_where_no_reflection_makes_it_of_the_first():
    places = {((4, 4), 15): 1, ((4, 4), 14): 2, ((4, 4), 10): 1, ((3, 5), 14): 2, ((3, 4), 11): 2, ((3, 3), 7): 1}
    assert {place: len(partitions.default_partitions(*place)) for place in places} == places


@pytest.mark.parametrize("home", [15, 14, 10])
def test_named_partitions(home):
    for name in partitions.NAMED:
        for partition in partitions.parse_partition(name, (4, 4), home):
            check_partition(partition, (4, 4), home, 8)
            assert sorted(map(count, partition)) == sorted(map(int, name.split("-")))
    default = partitions.default_partitions((4, 4), home)
    assert partitions.parse_partition("7-8", (4, 4), home) == default
    assert partitions.parse_partition(None, (4, 4), home) == default


PARTITION, PATTERNS = partitions.parse_partition, partitions.parse_patterns


@pytest.mark.parametrize(
    "text, shape, home, patterns",
    [
        ("1-8/9-15", (4, 4), 15, [range(8), range(8, 15)]),
        ("7-8", (4, 4), 15, [range(8), range(8, 15)]),
        (" 1 - 3 , 5 / 4 ", (2, 3), 5, [(0, 1, 2, 4), (3,)]),
        ("5,3,1/2,4", (2, 3), 0, [(1, 3, 5), (2, 4)]),
        ("1-1/2/3", (2, 2), 1, [(0,), (2,), (3,)]),
    ],
)
def test_partitions_as_text(text, shape, home, patterns):
    assert PARTITION(text, shape, home) == [tuple(map(bits, patterns))]


def test_patterns_as_text():
    halves = [0x3F, 0x7E00]
    texts = {None: halves, "1-6/10-15": halves, " 1 - 3 , 5 / 3,4": [0x17, 0x0C], "1/1/2": [1, 2], "7-8": [0xC0]}
    assert {text: PATTERNS(text, (4, 4), 15) for text in texts} == texts


@pytest.mark.parametrize(
    "parse, text, shape, message",
    [
        (PATTERNS, "", (4, 4), "patterns '': expected tiles such as 1-6/10-15, not ''"),
        (PATTERNS, "5-5-5", (4, 4), "expected tiles such as 1-6/10-15, not '5-5-5'"),
        (PATTERNS, "1-16", (4, 4), "names no tiles of 1 .. 15"),
        (PATTERNS, "1-3,2", (4, 4), "'1-3,2' names a tile twice"),
        (PATTERNS, "1-7", (4, 4), "'1-7' has 7 tiles; patterns of multi-tile tables have at most 6"),
        (PARTITION, "1-8/8-15", (4, 4), "tile 8 named twice"),
        (PARTITION, "1-7,7/9-15", (4, 4), "tile 7 named twice; tile 8 missing"),
        (PARTITION, "1-9/10-15", (4, 4), "at most 8 tiles"),
        (PARTITION, "1-8/9-16", (4, 4), "'9-16' names no tiles of 1 .. 15"),
        (PARTITION, "8-1/9-15", (4, 4), "'8-1' names no tiles"),
        (PARTITION, "1-8/9-15/", (4, 4), "expected a name"),
        (PARTITION, "", (4, 4), "expected a name"),
        (PARTITION, "5-5", (4, 4), "the sizes add up to 10 instead of 15; expected a name"),
        (PARTITION, "4-4", (3, 3), "'4-4': expected tiles such as"),
        (PARTITION, "1-8", (4, 4), "tile 9, 10, 11, 12, 13, 14, 15 missing"),
        (PARTITION, "korf", (4, 4), "expected a name .*7-8.* or tiles"),
        (PARTITION, "5-5-5", (3, 3), "is of the 4x4 board; for 3x3"),
    ],
)
def test_text_that_names_no_tables(parse, text, shape, message):
    with pytest.raises(ValueError, match=message):
        parse(text, shape, math.prod(shape) - 1)


@pytest.mark.parametrize("shape", [(4, 4), (3, 4), (3, 3), (2, 7), (3, 5), (2, 2)])
@pytest.mark.parametrize("parse, texts", [(PARTITION, ("5-6", "x", "", "5-5-5")), (PATTERNS, ("x", ""))])
def test_the_example_of_an_error_is_right_for_the_shape(shape, parse, texts):
    home = math.prod(shape) - 1
    for text in texts if shape != (4, 4) else texts[:3]:
        with pytest.raises(ValueError, match="such as ([-0-9/]+)") as caught:
            parse(text, shape, home)
        assert parse(re.search("such as ([-0-9/]+)", str(caught.value))[1], shape, home)


def test_written_then_read(rng):
    for shape, home in PLACES:
        tiles = rng.permutation(range(1, math.prod(shape))).tolist()
        size = int(rng.integers(1, 9))
        patterns = [tiles[first : first + size] for first in range(0, len(tiles), size)]
        partition = tuple(partitions.goal_cells(pattern, shape, home) for pattern in patterns)
        assert partitions.parse_partition(partitions.partition_name(partition, home), shape, home) == [partition]
    assert partitions.pattern_name(partitions.goal_cells([5, 1, 2, 3], (4, 4), 7), 7) == "1-3,5"
    assert partitions.pattern_name(0b11, 15) == "1-2"


@pytest.mark.parametrize("given", [5, b"7-8", ["7-8"], True])
def test_what_is_no_text(given):
    for parse, *rest in ((PARTITION, (4, 4), 15), (PATTERNS, (4, 4), 15), (puzzle15.build_tables,), (puzzle15.Solver,)):
        with pytest.raises(TypeError, match=r"(partition|patterns) .*: expected text, such as '"):
            parse(given, *rest)
