"""How long do Korf's 100 boards take?"""

import pytest

from puzzle15 import Solver
from puzzle15.published import KORF_GOAL, korf100


@pytest.mark.parametrize("workers", [1, 2])
def test_korf100(benchmark, noted, tables, workers):
    solver = Solver(goal=KORF_GOAL, tables=tables)
    boards = [board.board for board in korf100()]
    batch = benchmark.pedantic(solver.solve_many, [boards], {"workers": workers}, rounds=9, warmup_rounds=1)
    assert batch.lengths.tolist() == [board.length for board in korf100()]
    noted(benchmark, batch)
