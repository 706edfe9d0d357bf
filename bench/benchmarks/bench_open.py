"""How long until a solver is ready?"""

import pytest
import shared

from puzzle15 import Solver

FIRST = """
import sys, time
import numpy
from puzzle15 import Solver
start = time.perf_counter()
solver = Solver(tables=sys.argv[1])
print(time.perf_counter() - start, solver.open_tables.embedded)
"""


def test_again(benchmark, tables):
    solver = benchmark(Solver, tables=tables)
    assert not solver.open_tables.embedded and solver.open_tables.lookups == 2


@pytest.fixture
def opened(benchmark, noted):
    """Open a solver in new processes; the time includes their start, and that of the opening alone is recorded."""

    def opened(folder, count, embedded):
        runs = [shared.in_new_process(FIRST, folder) for _ in range(count)]
        assert {run[1] for run in runs} == {str(embedded)}
        times = sorted(1e3 * float(run[0]) for run in runs)
        noted(open_ms_least=times[0], open_ms_median=times[count // 2], open_ms_most=times[-1])
        benchmark.pedantic(shared.in_new_process, [FIRST, folder], rounds=1)

    return opened


def test_first_in_a_process(opened, tables):
    opened(tables, 9, embedded=False)


def test_embedded_first_in_a_process(opened, tmp_path):
    opened(tmp_path, 5, embedded=True)
