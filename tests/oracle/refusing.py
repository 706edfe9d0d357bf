"""Each allocation of the core refused once, under objects of all public classes, which must go on afterwards.

    python tests/oracle/refusing.py

A question is asked again and again, each time with the next allocation refused: it gives the answer that it gives with
all memory, or MemoryError, and without a refusal the answer. Needs a C compiler and glibc.
"""

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))
import numpy as np
from sharing import BOARDS, KINDS, found, prepared

import puzzle15
from puzzle15 import Board, LocalValueIteration, Solver, heuristic, search
from puzzle15.learning import value_iteration
from puzzle15.nodes import BoardTable, BucketQueue
from puzzle15.solver import label, scramble
from puzzle15.tables import PatternTable, build_tables

HERE = Path(__file__).resolve().parent
FAR = Board("8 6 7/2 5 4/3 0 1")


def made(folder):
    """Questions that make what they ask."""
    for options in ({}, {"metric": "mtm"}, {"partition": "1-4/5-8", "tables": folder}):
        yield lambda _, options=options: Solver(shape=(3, 3), **options).solve(FAR, workers=2).moves
        yield lambda _, options=options: sorted(Solver(shape=(3, 3), **options).all_solutions(BOARDS[1]))
    for format in ("zero-aware", "classic"):
        yield lambda _, format=format: [
            table.counts for table in build_tables("1-3/4-8", shape=(3, 3), format=format, tables=folder, force=True)
        ]
    yield lambda _: PatternTable.by_search([1, 2], shape=(3, 3))(FAR)
    for name in ("walking-distance", "linear-conflict", "ann"):
        yield lambda _, name=name: heuristic(name, shape=(4, 4) if name == "ann" else (3, 3))(
            Board.random(3) if name == "ann" else FAR
        )
    for algorithm in ("a*", "ida*", "breadth-first", "nbs", "sma*"):
        yield lambda _, algorithm=algorithm: found(search(BOARDS[2], algorithm=algorithm))

    for options in ({}, {"metric": "mtm"}):
        yield lambda _, options=options: Solver(shape=(3, 3), **options).solve_many(BOARDS, workers=2).lengths.tolist()
        yield lambda _, options=options: Solver(shape=(3, 3), **options).hint_many(BOARDS)
    yield lambda _: label(Solver(shape=(3, 3)), BOARDS, first_moves=True)["first_moves"].tolist()
    yield lambda _: scramble(15, Solver(shape=(3, 3)), 1).tiles
    yield lambda _: LocalValueIteration(shape=(3, 3)).solve(BOARDS[3]).moves
    yield lambda _: value_iteration([1, 2, 3], shape=(3, 3)).lengths.tolist()

    def nodes(_):
        table, queue, boards = BoardTable(), BucketQueue(), np.arange(1, 5000, dtype=np.uint64)
        table.insert(boards, np.zeros(len(boards), np.uint8))
        queue.push(np.arange(5000) % 9, np.arange(5000))
        return len(table), queue.pop(7000)[0].tolist()

    yield nodes


def sweep(question, refuse, allocations):
    """(the allocations that were refused, how many of these gave MemoryError); AssertionError at any other answer."""
    refuse(-1)
    expected, errors, number = question(), 0, 0
    while True:
        refuse(number)
        try:
            answer = question()
        except MemoryError:
            answer, failed = None, True
        else:
            failed = False
        reached = allocations() > number
        refuse(-1)
        assert failed or answer == expected, (number, answer, expected)
        assert not failed or reached, (number, "no allocation was refused")
        assert question() == expected, (number, "afterwards")
        if not reached:
            return number, errors
        errors += failed
        number += 1


def run(library):
    core = ctypes.CDLL(library)
    core.allocations.restype = ctypes.c_long
    core.refuse.argtypes = [ctypes.c_long]
    total = errors = 0
    with prepared() as folder:
        for kind in [made, *KINDS]:
            refused = failed = 0
            for question in kind(folder):
                counts = sweep(lambda question=question: question(BOARDS[0]), core.refuse, core.allocations)
                refused, failed = refused + counts[0], failed + counts[1]
            print(f"{kind.__name__:20} {refused:7,} refused, {failed:7,} of them MemoryError", flush=True)
            total, errors = total + refused, errors + failed
    print(f"{'all':20} {total:7,} refused, {errors:7,} of them MemoryError")


def main():
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    if library := os.environ.get("PUZZLE15_REFUSING"):
        run(library)
        return 0
    print(f"puzzle15 {puzzle15.__version__}")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "refusing.so")
        compiler = os.environ.get("CC", "cc").split()
        subprocess.run([*compiler, "-shared", "-fPIC", "-O1", HERE / "refusing.c", "-ldl", "-o", library], check=True)
        environment = {**os.environ, "LD_PRELOAD": str(library), "PUZZLE15_REFUSING": str(library)}
        return subprocess.run([sys.executable, __file__], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
