"""How long does a random board take in multi-tile moves, and how long does building its tables take?"""

import time

import pytest

from puzzle15 import Solver, build_tables
from puzzle15.tables._construction import construct_in_memory
from puzzle15.tables._file import MULTI_TILE


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("multi-tile")
    build_tables(metric="mtm", tables=folder)
    return folder


@pytest.fixture(scope="module")
def boards(random_boards):
    return random_boards[:300]


@pytest.mark.parametrize("workers", [1, 2])
def test_many(benchmark, noted, folder, boards, workers):
    solver = Solver(tables=folder, metric="mtm")
    batch = benchmark.pedantic(solver.solve_many, [boards], {"workers": workers}, rounds=2, warmup_rounds=1)
    assert not solver.open_tables.embedded and (batch.status == "solved").all() and (batch.lengths <= 43).all()
    noted(batch, ms_per_board=1000 * benchmark.stats["min"] / len(boards))


def test_one_by_one(benchmark, noted, folder, boards):
    solver = Solver(tables=folder, metric="mtm")
    some = [solution.board for solution in solver.solve_many(boards[:100])]
    lengths = benchmark.pedantic(lambda: [solver.solve(board).length for board in some], rounds=2, warmup_rounds=1)
    assert lengths == solver.distance_many(some).tolist()
    noted(ms_per_board=1000 * benchmark.stats["min"] / len(some))


def test_hints_one_by_one(benchmark, noted, folder, boards):
    solver = Solver(tables=folder, metric="mtm")
    some = [solution.board for solution in solver.solve_many(boards[:50])]
    hints = benchmark.pedantic(lambda: [solver.hint(board) for board in some], rounds=2, warmup_rounds=1)
    assert hints == list(solver.hint_many(some, workers=2))
    noted(ms_per_hint=1000 * benchmark.stats["min"] / len(some))


def test_embedded(benchmark, noted, boards):
    """Solve 30 boards without stored tables."""
    began = time.perf_counter()
    solver = Solver("embedded", metric="mtm")
    ready_s = time.perf_counter() - began
    batch = benchmark.pedantic(solver.solve_many, [boards[:30]], rounds=3, warmup_rounds=1)
    assert solver.open_tables.embedded and solver.open_tables.bytes < 16_000_000
    noted(batch, ready_s=ready_s, ms_per_board=1000 * benchmark.stats["min"] / len(batch))


def test_build(benchmark, noted, tmp_path):
    found = benchmark.pedantic(build_tables, [], {"metric": "mtm", "tables": tmp_path, "force": True}, rounds=3)
    size = sum(table.path.stat().st_size for table in found)
    assert len(found) == 2 and size <= 60_000_000
    noted(bytes=size)


def test_five_tiles_in_memory(benchmark):
    table, _ = benchmark(construct_in_memory, (4, 4), 0x001F, 15, MULTI_TILE)
    assert table.cells == 0x001F
