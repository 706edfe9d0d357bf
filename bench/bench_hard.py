"""How long does one hard board take with two threads?"""

from conftest import HARD

from puzzle15 import Solver


def test_70_moves(benchmark, tables):
    solver = Solver(tables=tables)
    solution = benchmark.pedantic(solver.solve, [HARD], {"workers": 2}, rounds=3)
    assert solution.length == 70 and solution.optimal
    benchmark.extra_info.update(expanded=solution.expanded, generated=solution.generated)
    print(benchmark.extra_info)
