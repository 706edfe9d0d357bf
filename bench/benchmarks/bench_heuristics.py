"""How good is each heuristic? Its mean h and the mean nodes of the textbook search, which orders no subtrees and
removes no duplicates, on 1,000 random boards.

Published, on another 1,000 boards: classic 44.75 and 136,289 (Felner, Korf & Hanan, JAIR 22, 2004); with the reflection
45.63 and 36,710 (Korf & Felner, Artificial Intelligence 134, 2002).
"""

import numpy as np

from puzzle15 import Solver, build_tables


def rows(folder, boards):
    """(heuristic, mean h, mean generated) of every combination of format and reflection."""
    lengths = Solver(tables=folder, format="zero-aware").distance_many(boards)
    for format in ("classic", "zero-aware"):
        for reflection in (False, True):
            solver = Solver("7-8", tables=folder, format=format, reflection=reflection, plain=True)
            batch = solver.solve_many(boards, workers=2)
            assert np.array_equal(batch.lengths, lengths)
            name = f"{format}{' + reflection' if reflection else ''}"
            yield name, float(solver.lower_bound_many(boards).mean()), float(batch.generated.mean())


def test_heuristics(benchmark, tables, random_boards):
    build_tables("7-8", tables=tables, format="classic")
    measured = benchmark.pedantic(lambda: list(rows(tables, random_boards)), rounds=1)
    for name, h, generated in measured:
        print(f"{name:24} {h:8.3f} {generated:10,.0f}")
    _, (classic, classic_2, aware, aware_2), _ = zip(*measured)
    assert classic < classic_2 < aware_2 and classic < aware < aware_2
