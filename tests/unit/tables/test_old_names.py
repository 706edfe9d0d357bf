"""The old names of functions and arguments in the tables' room give what the new ones give, and say so."""

import pytest

from puzzle15 import tables
from puzzle15.tables import default_partitions, default_patterns, open_table, parse_patterns

SMALL = {"shape": (2, 3)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("tables")
    tables.build("1-3/4-5", **SMALL, tables=where)
    return where


def test_names_of_one_release_ago(folder):
    (table, _), _ = tables.find_tables(folder)
    where = table.shape, table.cells, 5, "zero-aware"
    for old, new in [
        (lambda: tables.build("1-5", **SMALL, directory=folder), lambda: tables.build("1-5", **SMALL, tables=folder)),
        (
            lambda: tables.build("1-5", **SMALL, tables=folder, threads=1, memory="1G"),
            lambda: tables.build("1-5", **SMALL, tables=folder),
        ),
        (
            lambda: tables.plan_build("1-5", **SMALL, directory=folder, threads=1, memory="80M").memory_limit,
            lambda: tables.plan_build("1-5", **SMALL, tables=folder, workers=1, max_memory="80M").memory_limit,
        ),
        (
            lambda: [report.path for report in tables.verify(directory=folder, threads=1)],
            lambda: [report.path for report in tables.verify(folder, workers=1)],
        ),
        (lambda: tables.table_folder(directory=folder), lambda: tables.table_folder(folder)),
        (lambda: tables.find_tables(directory=folder), lambda: tables.find_tables(folder)),
        (lambda: tables.folder_state(directory=folder)[0], lambda: tables.folder_state(folder)[0]),
        (lambda: tables.find_table(*where, directory=folder), lambda: tables.find_table(*where, tables=folder)),
        (lambda: tables.find_table(*where, folder), lambda: tables.find_table(*where, tables=folder)),
        (lambda: open_table(table, "always").cells, lambda: open_table(table, check="always").cells),
        (lambda: default_partitions((3, 3), 8, 4), lambda: default_partitions((3, 3), 8, largest=4)),
        (lambda: default_patterns((3, 3), 8, 4), lambda: default_patterns((3, 3), 8, largest=4)),
        (lambda: parse_patterns("1-7", (3, 3), 8, 7), lambda: parse_patterns("1-7", (3, 3), 8, largest=7)),
        (
            lambda: tables.plan_build("1-5", **SMALL, tables=folder, workers=1).threads,
            lambda: tables.plan_build("1-5", **SMALL, tables=folder, workers=1).workers,
        ),
    ]:
        with pytest.warns(DeprecationWarning, match="; the next release "):
            given = old()
        assert given == new()
