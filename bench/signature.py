"""The signature of the search: its nodes over fixed sets of boards, which are equal on every machine and build.

    python bench/signature.py [--tables FOLDER] [--small]

If these numbers change, the search has changed, and the commit says so.  For slow builds, --small skips the sets that
need the 7-8 tables, and takes only the first boards of the others.  The multi-tile search has a line of its own.
"""

import argparse
import contextlib

import numpy as np
from shared import random_boards, tables_7_8

from puzzle15 import Board, Solver
from puzzle15.board import KORF_GOAL, korf100


def sets(folder, small):
    """(name, solver, boards) of every set."""
    some = 10 if small else 200
    yield "3x3", Solver(shape=(3, 3)), random_boards(some, (3, 3))
    yield "3x4", Solver("embedded", shape=(3, 4)), random_boards(some // 10, (3, 4))
    yield "4x4 embedded", Solver("embedded"), random_boards(some)
    if small:
        return
    korf = [board.board for board in korf100()]
    yield "3x5", Solver("embedded", shape=(3, 5)), random_boards(some // 10, (3, 5))
    yield "4x4 center", Solver("embedded", goal=Board.goal(home=5)), random_boards(10)
    yield "korf100", Solver("7-8", goal=KORF_GOAL, tables=folder), korf
    yield "korf100 plain", Solver("7-8", goal=KORF_GOAL, tables=folder, plain=True), korf
    yield "random", Solver("7-8", tables=folder), random_boards(1000)


def line(name, batch):
    """Print a row; its numbers."""
    counts = np.array([batch.lengths.sum(), batch.expanded.sum(), batch.generated.sum()], dtype=np.uint64)
    print(f"{name:14} {counts[0]:9} {counts[1]:12} {counts[2]:12}", flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", help="folder of the 7-8 tables (default: build them)")
    parser.add_argument("--small", action="store_true")
    args = parser.parse_args()
    with contextlib.nullcontext() if args.small else tables_7_8(args.tables) as folder:
        total = np.zeros(3, dtype=np.uint64)
        print(f"{'set':14} {'length':>9} {'expanded':>12} {'generated':>12}")
        for name, solver, boards in sets(folder, args.small):
            total += line(name, solver.solve_many(boards, workers=2))
        print(f"{'signature':14} {total[0]:9} {total[1]:12} {total[2]:12}")
        line(
            "signature-mtm",
            Solver("embedded", metric="mtm").solve_many(random_boards(2 if args.small else 50), workers=2),
        )


if __name__ == "__main__":
    main()
