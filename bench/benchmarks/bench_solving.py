"""How long does a board take, random, hard or one of Korf's, and how many does a machine solve per second?"""

import numpy as np
import pytest
from conftest import HARD

from puzzle15 import Solver
from puzzle15.board import KORF_GOAL, korf100


@pytest.mark.parametrize("workers", [1, 2])
def test_many(benchmark, noted, tables, random_boards, workers):
    solver = Solver(tables=tables)
    batch = benchmark.pedantic(solver.solve_many, [random_boards], {"workers": workers}, rounds=7, warmup_rounds=1)
    assert batch.lengths.sum() == 52_445
    noted(batch)


def test_one_by_one(benchmark, tables, random_boards):
    solver = Solver(tables=tables)
    boards = [solution.board for solution in solver.solve_many(random_boards)]
    lengths = benchmark.pedantic(lambda: [solver.solve(board).length for board in boards], rounds=3, warmup_rounds=1)
    assert sum(lengths) == 52_445


def test_embedded(benchmark, noted, random_boards):
    """Solve 100 boards without stored tables."""
    solver = Solver("embedded")
    batch = benchmark.pedantic(solver.solve_many, [random_boards[:100]], rounds=3, warmup_rounds=1)
    assert solver.open_tables.embedded and solver.open_tables.bytes < 16_000_000
    assert (batch.lengths > 30).all()
    noted(batch)


@pytest.mark.parametrize("workers", [1, 2])
def test_korf100(benchmark, noted, tables, workers):
    solver = Solver(goal=KORF_GOAL, tables=tables)
    boards = [board.board for board in korf100()]
    batch = benchmark.pedantic(solver.solve_many, [boards], {"workers": workers}, rounds=9, warmup_rounds=1)
    assert batch.lengths.tolist() == [board.length for board in korf100()]
    noted(batch)


def test_a_hard_board(benchmark, noted, tables):
    """Solve a board of 70 moves with two threads."""
    solution = benchmark.pedantic(Solver(tables=tables).solve, [HARD], {"workers": 2}, rounds=3)
    assert solution.length == 70 and solution.optimal
    noted(expanded=solution.expanded, generated=solution.generated)


def test_heuristics(benchmark, tables, random_boards):
    """Look up the lower bound of each board, which walks to the goal in every table."""
    values = benchmark(Solver(tables=tables).lower_bound_many, random_boards)
    assert 46 < values.mean() < 46.5
    assert np.all(values >= Solver(tables=tables, reflection=False).lower_bound_many(random_boards))
