"""The data files: complete, consistent with themselves and with the boards."""

import json
import math
from collections import Counter

import pytest
import twins
from readmes import ROOT

from puzzle15.published import KORF_GOAL, korf100


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


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (2, 4), (3, 3)])
@pytest.mark.sweep(3)
def test_the_twin_of_the_moves_reproduces_the_depth_counts(shape):
    goal = twins.goal(shape, math.prod(shape) - 1)
    expected = load("depth_counts.json")["{}x{}/single/corner".format(*shape)]["counts"]
    assert [len(level) for level in twins.levels(shape, goal)] == expected
