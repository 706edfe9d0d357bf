"""When open tables are read into memory."""

import pytest

import puzzle15
from puzzle15 import Board, Solver
from puzzle15.solver import opened


def test_tables_are_read_only_where_that_pays(tmp_path, monkeypatch):
    puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    tables = Solver("1-4/5-8", shape=(3, 3), tables=tmp_path).tables
    room = 4 * tables.bytes

    def is_read(available, running=0):
        monkeypatch.setattr(opened, "available_memory", available)
        tables.load(running)
        return not tables._mapped

    def not_asked():
        pytest.fail("there was nothing to ask")

    seen = []

    def while_searching(*_):
        if not seen:
            seen.extend(
                [is_read(not_asked), is_read(lambda: room - 1, 1), is_read(lambda: room, 1), is_read(not_asked, 1)]
            )

    assert not is_read(lambda: room - 1)
    tables.problem.solve(Board("8 6 7/2 5 4/3 0 1").packed, on_iteration=while_searching)
    assert seen == [False, False, True, True]
    assert is_read(not_asked)
