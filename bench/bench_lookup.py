"""How long does the heuristic of a single board take, which walks to the goal in every table?"""

import numpy as np

from puzzle15 import Solver


def test_heuristics(benchmark, tables, random_boards):
    solver = Solver(tables=tables)
    values = benchmark(solver.lower_bound_many, random_boards)
    assert 46 < values.mean() < 46.5
    assert np.all(values >= Solver(tables=tables, reflection=False).lower_bound_many(random_boards))
