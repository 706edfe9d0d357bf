"""The published numbers of entries with each value."""

import json
from pathlib import Path

import pytest
import twins

import puzzle15
from puzzle15.tables._folder import find_table
from puzzle15.tables._partitions import goal_cells

pytestmark = pytest.mark.slow

HISTOGRAMS = json.loads((Path(__file__).parent.parent / "data" / "pdb_histograms.json").read_text("ascii"))

SHAPE, HOME = (4, 4), 15
SAMPLE = 20_000


def cells_of(name):
    return goal_cells(HISTOGRAMS[name]["tiles"], SHAPE, HOME)


def partition(name):
    """The published partition of this name, as text."""
    patterns = [entry["tiles"] for entry in HISTOGRAMS.values() if entry["partition"] == name]
    return "/".join(",".join(map(str, tiles)) for tiles in patterns)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The published 5-5-5 and 6-6-3, in both formats."""
    folder = tmp_path_factory.mktemp("tables")
    for name in ("5-5-5", "6-6-3"):
        for format in ("classic", "zero-aware"):
            puzzle15.build_tables(partition(name), format=format, tables=folder)
    return folder


def table_of(name, format, folder):
    return find_table(SHAPE, cells_of(name), HOME, format, tables=folder)


@pytest.fixture(params=HISTOGRAMS)
def published(request, folder, classic_7_8, tables_7_8):
    """(histogram, the classic table, the zero-aware one)"""
    name = request.param
    entry = HISTOGRAMS[name]
    classic, zero_aware = (classic_7_8, tables_7_8) if entry["partition"] == "7-8" else (folder, folder)
    return entry, table_of(name, "classic", classic), table_of(name, "zero-aware", zero_aware)


def test_what_the_classic_headers_and_payloads_hold(published):
    """Of the largest, the header; its payload is compared with the zero-aware one below."""
    entry, classic, _ = published
    assert list(classic.counts) == entry["counts"]
    assert classic.max_value == entry["max"] and sum(classic.counts) == entry["entries"]
    if entry["entries"] < 100_000_000:
        table = classic.open()
        counts = table.value_counts(0, table.space.row_count)
        assert counts[: entry["max"] + 1] == entry["counts"] and not any(counts[entry["max"] + 1 :])


def placements(entry, rng):
    """All placements of a pattern of 3 tiles, a sample of larger ones: cells of the tiles."""
    count = len(entry["tiles"])
    if count == 3:
        cells = range(16)
        return [(a, b, c) for a in cells for b in cells for c in cells if a != b != c != a]
    return [tuple(rng.permutation(16)[:count].tolist()) for _ in range(SAMPLE)]


def test_zero_aware_values_minimised_over_regions_are_the_classic_ones(published, rng):
    entry, classic, zero_aware = published
    one, other = classic.open(), zero_aware.open()
    for cells in placements(entry, rng):
        regions = twins.regions(SHAPE, cells)
        values = [other.value(cells, min(region)) for region in regions]
        assert min(values) == one.value(cells, min(regions[0]))


@pytest.mark.parametrize("name", ["6-6-3: tiles [7, 8, 12]", "5-5-5: tiles [6, 10, 11, 14, 15]"])
def test_what_the_zero_aware_payloads_hold(name, folder):
    """All states, each found by walking to the goal; and every placement among them."""
    header = table_of(name, "zero-aware", folder)
    table = header.open()
    counts = table.value_counts(0, table.space.row_count)
    assert counts[: len(header.counts)] == list(header.counts) and not any(counts[len(header.counts) :])
    assert sum(header.counts) == table.space.block_count * table.space.row_count
    assert len(header.counts) > HISTOGRAMS[name]["max"]
