"""The checksums of tables, which hold every byte: how states are numbered, and what is stored of each."""

import pytest

import puzzle15

TABLES = {
    ("5-5-5", (4, 4), "zero-aware"): ["12eebb4d", "91b4c778", "5b06c0fe"],
    ("5-5-5", (4, 4), "classic"): ["e090b8e6", "dd6aed5c", "a38d56ae"],
    ("6-6-3", (4, 4), "zero-aware"): ["ea8a8608", "b877b621", "05f4f131"],
    ("1-6/7-11", (3, 4), "zero-aware"): ["a87254ad", "5b43f6ae"],
    ("1-6/7-11", (3, 4), "classic"): ["e43dd6d6", "4f99c8a7"],
    ("1-8", (3, 3), "zero-aware"): ["3d22ffd8"],
    ("1-4/5-7", (2, 4), "classic"): ["ec0cb328", "2b192e36"],
    ("1-5/10-14", (4, 4), "multi-tile"): ["62b3663d", "329675b9"],
    ("1-4/5-8", (3, 3), "multi-tile"): ["b75892e8", "877f9c9e"],
    ("1-3/12-14", (3, 5), "multi-tile"): ["163b0024", "bc9de40d"],
    ("1-4", (2, 6), "multi-tile"): ["f7dfb8ff"],
    ("1-3", (8, 2), "multi-tile"): ["e328a48d"],
}


@pytest.mark.parametrize("name", TABLES, ids=str)
def test_tables_have_the_same_bytes_for_ever(name, tmp_path):
    partition, shape, format = name
    metric = "mtm" if format == "multi-tile" else "stm"
    built = puzzle15.build_tables(partition, shape=shape, format=format, metric=metric, tables=tmp_path)
    assert [f"{table.checksum:08x}" for table in built] == TABLES[name]
