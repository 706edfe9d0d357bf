"""Tables given as arrays: how placements are numbered, the breadth-first search that fills one, and what is refused."""

import itertools
import math
import pickle

import numpy as np
import pytest
import twins
from damaging import flip
from searching import check_children

from puzzle15 import Board, build_tables, heuristic
from puzzle15._core.base.board import CPU_LEVELS
from puzzle15.board import uniform, unpack_boards
from puzzle15.errors import BoardError, TableCorruptError
from puzzle15.tables import PatternTable, placement_ranks, placements
from puzzle15.tables._file import HEADER_BYTES


@pytest.mark.parametrize("shape, tiles", [((2, 2), 1), ((2, 2), 4), ((2, 3), 3), ((3, 3), 4), ((2, 5), 2), ((4, 4), 3)])
def test_placements_are_in_lexicographic_order(shape, tiles):
    expected = list(itertools.permutations(range(math.prod(shape)), tiles))
    found = placements(shape, tiles)
    assert found.dtype == np.uint8 and found.tolist() == list(map(list, expected))
    assert placement_ranks(expected, shape).tolist() == list(range(len(expected)))


def test_numbers_of_placements_of_many_tiles(rng):
    for tiles in range(1, 17):
        for cells in (rng.permutation(16)[:tiles].tolist() for _ in range(20)):
            smaller = [sum(other < cell for other in cells[:index]) for index, cell in enumerate(cells)]
            digits = [
                (cell - less) * math.perm(15 - i, tiles - 1 - i) for i, (cell, less) in enumerate(zip(cells, smaller))
            ]
            assert placement_ranks([cells], (4, 4)).tolist() == [sum(digits)]


def distances(goal, tiles, counts):
    """{(cells of the tiles, cell of the blank): the fewest counted moves}"""
    home = tuple(goal.tiles.index(tile) for tile in tiles)
    if counts == "own":
        values = twins.pattern_values(goal.shape, home, goal.blank)
        return {(cells, blank): value for (cells, region), value in values.items() for blank in region}
    start = tuple(tile if tile in tiles or tile == 0 else -1 for tile in goal.tiles)
    found = twins.distances(goal.shape, start)
    return {(tuple(map(board.index, tiles)), board.index(0)): distance for board, distance in found.items()}


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
        ({"tiles": [1.9]}, "tile 1.9: expected a whole number"),
        ({"admissible": "no"}, "admissible 'no': expected True or False"),
        ({"consistent": 0}, "consistent 0: expected True or False"),
        ({"blank": "no"}, "blank 'no': expected True or False"),
        ({"delta": "no"}, "delta 'no': expected True or False"),
        ({"values": np.arange(252, 261)[::-1] - 8, "delta": True}, "Manhattan distances reach 256; expected 0 .. 255"),
        ({"counts": "some"}, "counts 'some': expected one of own, all"),
    ],
)
def test_what_is_refused(change, message):
    options = {"tiles": [1], "values": np.zeros(9, int), "counts": "own", "shape": (3, 3)}
    with pytest.raises(ValueError, match=message):
        PatternTable(**{**options, **change})


def test_the_largest_sum_of_entry_and_distance():
    table = PatternTable([1], [251] * 9, counts="own", delta=True, shape=(3, 3), admissible=False)
    assert table.max_value == 255 and table("2 3 4/5 6 7/8 0 1") == 255


def test_tables_that_are_too_large(monkeypatch):
    large = "57,657,600 placements with the blank; this search takes at most 6,000,000"
    for most, counts, message in ((6, "all", large), (9, "all", "at most 8 with the blank"), (9, "own", "at most 8")):
        with pytest.raises(ValueError, match=message):
            PatternTable.by_search(range(1, most + 1), counts=counts)
    monkeypatch.setattr("puzzle15.tables._pattern_table.available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match="tiles 1,2,3: the array takes 3.36 kB; name fewer tiles"):
        PatternTable.from_table("1-3")


# ---------------------------------------------------------------- the tables of the package


@pytest.mark.parametrize("tiles, shape", [("1-8", (3, 3)), ("2-8", (3, 3)), ("1-7", (2, 4)), ("1-6", (2, 4))])
def test_a_table_of_nearly_all_tiles_knows_the_parity_of_boards(tiles, shape, rng):
    exact = PatternTable.by_search(tiles, shape=shape, counts="all", blank=True)
    for blank in (False, True):
        table = PatternTable.from_table(tiles, shape=shape, blank=blank, workers=2)
        everything = len(table.tiles) == math.prod(shape) - 1
        if everything:  # all moves are own moves, and the blank is in the only cell that is left
            assert (table.values == exact.values).all() and (table.values == 0).mean() > 0.49
        boards = uniform(500, rng, shape=shape)
        own, every = table.many(boards), exact.many(boards)
        assert (own <= every).all() and ((own == every).mean() == 1) == everything


@pytest.mark.parametrize("level", CPU_LEVELS)
def test_every_level_of_instructions_lists_the_same(level, monkeypatch):
    made = PatternTable.from_table([5, 2, 7, 1, 11], shape=(4, 4), blank=True)
    monkeypatch.setattr("puzzle15._core.base.board.CPU", CPU_LEVELS.index(level))
    assert PatternTable.from_table([5, 2, 7, 1, 11], shape=(4, 4), blank=True, workers=3) == made


def test_tables_from_files(tmp_path):
    (file,) = build_tables("1-4", patterns=True, shape=(3, 3), home=7, tables=tmp_path)
    goal, tiles = Board("5 2 3/7 4 1/6 0 8"), [7, 2, 5, 3]  # on the cells of 1 to 4
    built, read = (PatternTable.from_table(tiles, goal=goal, tables=tables) for tables in (None, tmp_path))
    assert built == read == PatternTable.by_search(tiles, goal=goal)
    flip(file.path, HEADER_BYTES + 9, 4)
    with pytest.raises(TableCorruptError, match=file.path.name):
        PatternTable.from_table(tiles, goal=goal, tables=tmp_path)


def test_text_names_tiles_of_the_goal():
    goal = Board("4 1/0 2/3 5")
    assert PatternTable.from_table("2,4", goal=goal).tiles == (2, 4)
    assert PatternTable.from_table("2,4", goal=goal) == PatternTable.by_search([2, 4], goal=goal)
    for tiles, message in (("1/2", "expected one pattern, such as '1-6'"), ("6", "names no tiles"), ("", "expected")):
        with pytest.raises(ValueError, match=message):
            PatternTable.from_table(tiles, goal=goal)


# ---------------------------------------------------------------- compressed tables


@pytest.mark.parametrize("blank", [False, True])
def test_compressed_tables(blank, rng):
    """The minimum of the placements that share an entry; of values, or of what they exceed Manhattan distance by."""
    shape, tiles = (3, 4), [5, 1, 11]
    exact = PatternTable.from_table(tiles, shape=shape, blank=blank)
    delta = PatternTable.from_table(tiles, shape=shape, blank=blank, delta=True)
    boards = uniform(300, rng, shape=shape)
    expected = exact.many(boards)
    assert (
        delta.many(boards).tolist() == expected.tolist() and delta.values.max() < exact.values.max() <= exact.max_value
    )
    count, means = len(exact.values), {}
    for whole in (exact, delta):
        pairs = np.minimum(whole.values[0::2], whole.values[1::2])
        halves = np.minimum(whole.values[: count // 2], whole.values[count // 2 :])
        for values, entry in ((pairs, {"divisor": 2}), (halves, {"modulo": count // 2})):
            made = PatternTable(tiles, values, counts="own", blank=blank, delta=whole.delta, shape=shape, **entry)
            found = made.many(boards)
            assert (found <= expected).all() and found.max() <= made.max_value
            assert heuristic(made).many(boards).tolist() == found.tolist()
            check_children(heuristic(made), rng, made.goal, 60)
            means[(whole.delta, *entry)] = found.mean()
            numbers = np.arange(count) // made.divisor % (made.modulo or count)
            again = PatternTable(tiles, values[numbers], counts="own", blank=blank, delta=whole.delta, shape=shape)
            assert again.many(boards).tolist() == found.tolist() and again != made
    assert means[True, "modulo"] > means[False, "modulo"]  # what Manhattan distance tells is not lost


def test_compressed_tables_that_are_refused():
    for entry, count, message in (
        ({"divisor": 2}, 37, r"shape \(37,\); expected \(36,\), one for each 2 placements of 2 tiles"),
        ({"modulo": 20}, 72, r"shape \(72,\); expected \(20,\), one for each placement of 2 tiles modulo 20"),
        ({"modulo": 80}, 80, r"expected \(72,\)"),
        ({"divisor": 0}, 72, "divisor 0: expected"),
        ({"modulo": 0}, 72, "modulo 0: expected"),
    ):
        with pytest.raises(ValueError, match=message):
            PatternTable([1, 2], np.zeros(count, int), counts="own", shape=(3, 3), **entry)
