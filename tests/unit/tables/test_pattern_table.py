"""Tables given as arrays: how placements are numbered, the breadth-first search that fills one, and what is refused."""

import itertools
import math
import pickle

import numpy as np
import pytest
import twins

from puzzle15 import Board
from puzzle15.board import uniform, unpack_boards
from puzzle15.errors import BoardError
from puzzle15.tables import PatternTable, placement_ranks, placements, placements_of


@pytest.mark.parametrize("shape, tiles", [((2, 2), 1), ((2, 2), 4), ((2, 3), 3), ((3, 3), 4), ((2, 5), 2), ((4, 4), 3)])
def test_placements_are_in_lexicographic_order(shape, tiles):
    expected = list(itertools.permutations(range(math.prod(shape)), tiles))
    found = placements(shape, tiles)
    assert found.dtype == np.uint8 and found.tolist() == list(map(list, expected))
    assert placement_ranks(expected, shape).tolist() == list(range(len(expected)))


def test_numbers_and_placements_are_inverse(rng):
    for tiles in range(1, 17):
        ranks = rng.integers(math.perm(16, tiles), size=100)
        cells = placements_of(ranks, (4, 4), tiles)
        assert all(len(set(row)) == tiles for row in cells.tolist())
        assert placement_ranks(cells, (4, 4)).tolist() == ranks.tolist()


def distances(goal, tiles, counts):
    """{(cells of the tiles, cell of the blank): the fewest counted moves}"""
    home = tuple(goal.tiles.index(tile) for tile in tiles)
    if counts == "own":
        values = twins.pattern_values(goal.shape, home, goal.blank)
        return {(cells, blank): value for (cells, region), value in values.items() for blank in region}
    start = tuple(tile if tile in tiles or tile == 0 else -1 for tile in goal.tiles)
    return {
        (tuple(map(board.index, tiles)), board.index(0)): distance
        for distance, level in enumerate(twins.levels(goal.shape, start))
        for board in level
    }


@pytest.mark.parametrize("counts", ["own", "all"])
@pytest.mark.parametrize(
    "goal, tiles",
    [
        ("1 2/3 0", [1]),
        ("3 0/1 2", [3, 1, 2]),
        ("1 2 3/4 5 0", [5, 2]),
        ("8 1 2/3 0 5/6 7 4", [7, 1]),
        ("1 2 3/4 5 6/7 8 0", [2, 3, 6]),
        ("1 2 3 4 5/6 0 7 8 9", [3]),
        ("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0", [1, 5]),
    ],
)
def test_search_equals_its_twin(goal, tiles, counts):
    """The twin of own moves is that of the tables that are built, too."""
    goal = Board(goal)
    expected = distances(goal, tiles, counts)
    whole = PatternTable.by_search(tiles, counts=counts, goal=goal, blank=True)
    listed = placements(goal.shape, len(tiles) + 1).tolist()
    assert whole.values.tolist() == [expected.get((tuple(cells), blank), 0) for *cells, blank in listed]
    least = twins.classic_values(expected)
    table = PatternTable.by_search(tiles, counts=counts, goal=goal)
    listed = placements(goal.shape, len(tiles)).tolist()
    assert table.values.tolist() == [least.get(tuple(cells), 0) for cells in listed]
    assert (table.admissible, table.consistent, whole.consistent) == (True, False, True)


def test_values_of_boards(rng):
    goal = Board("0 1 2 3/4 5 6 7/8 9 10 11")
    boards = uniform(100, rng, goal=goal)
    tiles = unpack_boards(boards, (3, 4)).tolist()
    for listed, blank in (([3], False), ([7, 2], True), ([1, 11, 4], False)):
        values = rng.integers(256, size=math.perm(12, len(listed) + blank))
        table = PatternTable(listed, values, counts="own", blank=blank, goal=goal, admissible=False)
        assert table.listed == (*listed, *[0] * blank) and table.shape == (3, 4)
        cells = [[board.index(tile) for tile in table.listed] for board in tiles]
        expected = values[placement_ranks(cells, (3, 4))].tolist()
        assert table.many(boards).tolist() == expected and table(tiles[0]) == expected[0]
    with pytest.raises(BoardError):
        table([1, 2, 3])


def test_the_values_are_its_own():
    values = np.zeros(9, dtype=np.int64)
    table = PatternTable([1], values, counts="own", shape=(3, 3))
    values[:] = 7
    assert table.values.dtype == np.uint8 and not table.values.any() and not table.values.flags.writeable
    shared = np.zeros(9, dtype=np.uint8)
    shared.flags.writeable = False
    assert PatternTable([1], shared, counts="own", shape=(3, 3)).values is shared


def test_names_and_equality():
    table = PatternTable.by_search([1, 2, 3, 5], shape=(2, 3))
    assert table.name == "array:1-3,5"
    assert repr(table) == "<PatternTable array:1-3,5 of tiles 1,2,3,5: own moves to 1 2 3/4 5 0>"
    again = pickle.loads(pickle.dumps(table))
    assert again == table and hash(again) == hash(table) and not again.values.flags.writeable
    assert PatternTable.by_search([1, 2, 3, 5], shape=(2, 3), name="mine") != table != "array:1-3,5"
    assert PatternTable.by_search([4, 2], goal="4 1/0 2/3 5").name == "array:4,2"


@pytest.mark.parametrize(
    "change, message",
    [
        ({"tiles": []}, "tiles .*: expected different tiles of 1 .. 8"),
        ({"tiles": [0]}, "blank=True"),
        ({"tiles": [1, 1]}, "different tiles"),
        ({"tiles": [9]}, "tiles of 1 .. 8"),
        ({"values": np.zeros(8, int)}, r"values of shape \(8,\); expected \(9,\), one for each placement of 1 tiles"),
        ({"values": np.full(9, 256)}, "int64 values from 256 to 256; expected whole numbers of 0 .. 255"),
        ({"values": np.full(9, -1)}, "whole numbers of 0 .. 255"),
        ({"values": np.zeros(9)}, "float64 values"),
        ({"values": np.ones(9, int)}, "the goal's placement is 1; expected 0, or admissible=False"),
        ({"counts": "some"}, "counts 'some': expected 'own' or 'all'"),
    ],
)
def test_what_is_refused(change, message):
    options = {"tiles": [1], "values": np.zeros(9, int), "counts": "own", "shape": (3, 3)}
    with pytest.raises(ValueError, match=message):
        PatternTable(**{**options, **change})


def test_a_search_that_is_too_large():
    large = "57,657,600 placements with the blank; this search takes at most 6,000,000"
    for most, message in ((6, large), (9, "at most 8 with the blank")):
        with pytest.raises(ValueError, match=message):
            PatternTable.by_search(range(1, most + 1))
