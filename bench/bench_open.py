"""How long until a solver is ready?"""

import subprocess
import sys

from puzzle15 import Solver

FIRST = """
import time
import numpy
from puzzle15 import Solver
start = time.perf_counter()
solver = Solver(tables=__import__("sys").argv[1])
print(time.perf_counter() - start, solver.tables.embedded)
"""


def first_open(folder):
    """Seconds until the first solver of a new process is ready, and whether it uses embedded tables."""
    run = subprocess.run(
        [sys.executable, "-c", FIRST, str(folder)], capture_output=True, text=True, check=True, cwd=folder
    )  # in the source folder it would find the sources
    seconds, embedded = run.stdout.split()
    return float(seconds), embedded == "True"


def test_again(benchmark, tables):
    solver = benchmark(Solver, tables=tables)
    assert not solver.tables.embedded and solver.tables.lookups == 2


def test_first_in_a_process(benchmark, tables):
    """The time includes the start of the process; the opening alone is printed."""
    runs = [first_open(tables) for _ in range(9)]
    assert not any(embedded for _, embedded in runs)
    times = sorted(seconds for seconds, _ in runs)
    benchmark.extra_info["open_ms_median"] = 1e3 * times[4]
    print({"open_ms": [round(1e3 * times[i], 2) for i in (0, 4, 8)]})
    benchmark.pedantic(first_open, [tables], rounds=1)


def test_embedded_first_in_a_process(benchmark, tmp_path):
    runs = [first_open(tmp_path) for _ in range(5)]
    assert all(embedded for _, embedded in runs)
    times = sorted(seconds for seconds, _ in runs)
    benchmark.extra_info["open_ms_median"] = 1e3 * times[2]
    print({"open_ms": [round(1e3 * times[i], 2) for i in (0, 2, 4)]})
    benchmark.pedantic(first_open, [tmp_path], rounds=1)
