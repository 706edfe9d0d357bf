"""The data files: complete, consistent with themselves and with the boards."""

import json
import math
from collections import Counter

import pytest
import twins
from readmes import ROOT

from puzzle15 import Board
from puzzle15.board import KORF_GOAL, depth_counts, farthest, korf100


def test_korf100():
    records = korf100()
    assert [record.number for record in records] == list(range(1, 101))
    assert len({record.board for record in records}) == 100
    assert sum(record.length for record in records) == 5305
    assert sum(record.nodes for record in records) == 36_302_808_031
    for record in records:
        assert record.board.is_solvable(KORF_GOAL) and record.board.manhattan(KORF_GOAL) == record.manhattan
        assert record.manhattan <= record.length < record.nodes and record.manhattan % 2 == record.length % 2


def load(name):
    return json.loads((ROOT / "tests" / "data" / name).read_text(encoding="ascii"))


def test_depth_counts_are_complete():
    table = load("depth_counts.json")
    assert len(table) == 28
    for key, entry in table.items():
        cells = entry["rows"] * entry["cols"]
        assert key == "{rows}x{cols}/{metric}/{blank_home}".format(**entry)
        assert sum(entry["counts"]) == entry["states"] == math.factorial(cells) // 2


def test_pdb_histograms_are_complete():
    table = load("pdb_histograms.json")
    partitions = Counter()
    for entry in table.values():
        tiles, counts = entry["tiles"], entry["counts"]
        assert sum(counts) == entry["entries"] == math.perm(16, len(tiles))
        assert len(counts) == entry["max"] + 1
        mean = sum(value * count for value, count in enumerate(counts)) / sum(counts)
        assert mean == pytest.approx(entry["mean"], rel=1e-12)
        partitions.update((entry["partition"], tile) for tile in tiles)
    names = ["5-5-5", "6-6-3", "7-8"]
    assert partitions == Counter((name, tile) for name in names for tile in range(1, 16))


# ---------------------------------------------------------------- the farthest boards


@pytest.mark.sweep(3, 4)
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)])
def test_small_shapes_are_counted(shape):
    """Over all homes, none has more than the bound, and the corners have as many."""
    corner = Board.goal(shape).blank
    for metric in ("stm", "mtm"):
        for home in range(corner + 1):
            bound, goal = farthest(shape, home, metric=metric), Board.goal(shape, home).tiles
            most = sum(1 for _ in twins.levels_of_arrays(shape, goal, bound + 1, metric)) - 1
            assert most <= bound and (most == bound or home not in (0, corner))


def test_all_shapes_as_counted_elsewhere():
    for shape in [(2, cols) for cols in range(2, 9)] + [(3, 3), (3, 4), (3, 5), (4, 4)]:
        for metric in ("stm", "mtm"):
            most = len(depth_counts(shape, metric=metric)) - 1
            assert farthest(shape, 0, metric=metric) == farthest(shape[::-1], 0, metric=metric) == most
    for home, cell in {"edge": 14, "center": 10}.items():
        assert len(depth_counts((4, 4), home)) - 1 <= farthest((4, 4), cell) <= 82


def test_every_shape_and_home_has_a_bound():
    for rows in range(2, 9):
        for cols in range(2, 16 // rows + 1):
            corner = farthest((rows, cols), 0)
            for home in range(rows * cols):
                assert corner <= farthest((rows, cols), home) <= corner + 3 <= 160
                assert farthest((rows, cols), home) == farthest((rows, cols), rows * cols - 1 - home)
