"""How good is each heuristic?  It prints mean h and the mean nodes of the textbook search (no ordering of subtrees, no
removal of duplicates) on 1,000 random boards, in about a minute.

    python bench/bench_heuristics.py [FOLDER]     tables are built in FOLDER (default: a temporary one)
"""

import sys
import tempfile

import numpy as np
from shared import random_boards

from puzzle15 import Solver, build_tables

#: Published, on another 1,000 boards: (mean h, mean generated).
PUBLISHED = {
    ("classic", False): (44.75, 136_289),  # Felner, Korf & Hanan, JAIR 22 (2004)
    ("classic", True): (45.63, 36_710),  # Korf & Felner, Artificial Intelligence 134 (2002)
}


def rows(folder, count=1000):
    """(format, reflection, mean h, mean generated) of every combination."""
    boards = random_boards(count)
    lengths = Solver(tables=folder, format="zero-aware").distance_many(boards)
    for format in ("classic", "zero-aware"):
        for reflection in (False, True):
            solver = Solver("7-8", tables=folder, format=format, reflection=reflection, plain=True)
            batch = solver.solve_many(boards)
            assert np.array_equal(batch.lengths, lengths)
            yield format, reflection, solver.lower_bound_many(boards).mean(), batch.generated.mean()


def main(folder):
    for format in ("classic", "zero-aware"):
        build_tables("7-8", tables=folder, format=format)
    print(f"{'7-8 tables':24} {'mean h':>8} {'generated':>10}   published: mean h, generated")
    for format, reflection, h, generated in rows(folder):
        published = PUBLISHED.get((format, reflection))
        text = f"{published[0]:8.2f} {published[1]:10,}" if published else ""
        name = f"{format}{' + reflection' if reflection else ''}"
        print(f"{name:24} {h:8.3f} {generated:10,.0f}   {text}", flush=True)


def test_heuristics(benchmark, tables):
    """Check which heuristic is stronger, on the first 50 boards."""
    build_tables("7-8", tables=tables, format="classic")
    measured = benchmark.pedantic(lambda: list(rows(tables, 50)), rounds=1)
    (_, _, classic, _), (_, _, classic_2, _), (_, _, aware, _), (_, _, aware_2, _) = measured
    assert classic < classic_2 < aware_2 and classic < aware < aware_2


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(temporary)
