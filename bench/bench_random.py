"""How long does a random board take, and how many boards does a machine solve per second?"""

import pytest

from puzzle15 import Solver


@pytest.mark.parametrize("workers", [1, 2])
def test_many(benchmark, noted, tables, random_boards, workers):
    solver = Solver(tables=tables)
    batch = benchmark.pedantic(solver.solve_many, [random_boards], {"workers": workers}, rounds=7, warmup_rounds=1)
    assert batch.lengths.sum() == 52_445
    noted(benchmark, batch)


def test_one_by_one(benchmark, tables, random_boards):
    solver = Solver(tables=tables)
    boards = [solution.board for solution in solver.solve_many(random_boards)]
    lengths = benchmark.pedantic(lambda: [solver.solve(board).length for board in boards], rounds=3, warmup_rounds=1)
    assert sum(lengths) == 52_445


def test_embedded(benchmark, noted, random_boards):
    """Solve 100 boards without stored tables."""
    solver = Solver("embedded")
    batch = benchmark.pedantic(solver.solve_many, [random_boards[:100]], rounds=3, warmup_rounds=1)
    assert solver.tables.embedded and solver.tables.bytes < 16_000_000
    assert (batch.lengths > 30).all()
    noted(benchmark, batch)
