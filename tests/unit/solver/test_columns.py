"""Solutions as columns and as structured arrays, beside their records."""

import numpy as np
import pytest

from puzzle15 import Solver
from puzzle15.searches import SearchBatch, compare

BOARDS = ["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/8 7 0", "nonsense", "1 2 3/0 5 6/4 7 8", "1 2 3/4 5 6/7 8 0"]


@pytest.fixture(scope="module")
def batch():
    """Boards that are solved, unsolvable, unreadable, and beyond the limit."""
    return Solver(shape=(3, 3)).solve_many(BOARDS, on_error="mark", max_length=30)


def columns_of(records):
    return {name: [record[name] for record in records] for name in records[0]}


@pytest.mark.parametrize("convention", ["tile", "blank"])
def test_columns_are_the_records(batch, convention):
    assert batch.status.tolist() == ["limit", "error", "error", "solved", "solved"]
    solver = Solver(shape=(3, 3))
    for each in (
        batch,
        batch[2:4],
        solver.hint_many(BOARDS, on_error="mark"),
        solver.analyse_many(BOARDS[3:], ["", ""]),
    ):
        columns = each.to_dict(convention=convention)
        records = [answer.to_dict(convention=convention) for answer in each]
        assert each.to_dicts(convention=convention) == records and columns == columns_of(records)
        assert each[:0].to_dict() == {name: [] for name in columns}
    assert len(batch[:0].to_structured()) == 0


def test_a_structured_array(batch):
    rows = batch.to_structured()
    names = [name for name, column in batch.to_dict().items() if not isinstance(column[0], list)]
    assert list(rows.dtype.names) == names and len(names) >= 18
    assert rows["board"].tolist() == [BOARDS[0], BOARDS[1], "", BOARDS[3], BOARDS[4]]
    assert rows["length"].tolist() == batch.lengths.tolist() == [-1, -1, -1, 3, 0]
    assert rows["lower_bound"].tolist() == batch.lower_bounds.tolist() == [31, 0, 0, 3, 0]
    assert rows["optimal"].tolist() == [False, False, False, True, True]
    assert rows["moves"].tolist() == ["", "", "", "ULL", ""]
    assert rows["status"].tolist() == batch.status.tolist()
    assert [bool(text) for text in rows["error"]] == [False, True, True, False, False]
    assert rows["expanded"].dtype == np.uint64 and rows["expanded"][0] == batch.expanded[0]


def test_a_comparison():
    options = {"algorithms": ["ida*", "a*", "bidirectional"], "heuristics": ["manhattan"]}
    batch = SearchBatch(compare(BOARDS[0], **options))
    columns, rows = batch.to_dict(), batch.to_structured()
    assert columns["algorithm"] == ["ida*", "a*", "bidirectional"] == rows["algorithm"].tolist()
    assert columns["heuristic"] == ["manhattan", "manhattan", None] and rows["heuristic"][2] == ""
    assert columns == columns_of([solution.to_dict() for solution in batch])


@pytest.mark.extra
def test_pandas_takes_them(batch):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(batch.to_dict())
    assert len(frame) == 5 and frame["length"].dropna().tolist() == [3, 0]
    assert pandas.DataFrame(batch.to_structured())["length"].tolist() == [-1, -1, -1, 3, 0]
