"""The limit of the memory, and how near to it the search of random boards comes.

python bench/yardstick.py --tables FOLDER [--rounds N]

A generated node takes a read of the 7-8 tables for each view that is asked about it, of a byte anywhere in 196 MB.  The
yardstick reads such an array at random, with as many reads in flight as it is told (yardstick.c); the search solves
1,000 random boards.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import shared

from puzzle15 import Solver

BYTES = 195_882_496  # of both tables
READS = 8_000_000
READS_PER_NODE = 1.62  # counted; the second view is asked about what the first one leaves. Without AVX-512 it is 2


def reads_per_second(binary, processes, in_flight, level):
    """Reads a second of all processes together."""
    command = [binary, str(BYTES), str(READS), str(in_flight), str(level)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    times = [float(process.communicate()[0]) for process in running]
    if any(process.returncode for process in running):
        raise RuntimeError(f"{' '.join(map(str, command))}: failed")
    return sum(1e9 / nanoseconds for nanoseconds in times)


def main():
    parser = argparse.ArgumentParser(description="Measure the limit of the memory, and the search's share of it.")
    parser.add_argument("--tables", metavar="FOLDER", help="folder of the 7-8 tables (default: build them)")
    parser.add_argument("--rounds", type=int, default=5, help="of which the medians are taken (default: 5)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, shared.tables_7_8(args.tables) as folder:
        binary = shared.compiled(Path(__file__).with_name("yardstick.c"), temporary, "-O2")
        solver, boards = Solver("7-8", tables=folder), shared.random_boards(1000)
        solver.solve_many(boards)
        print(f"{'threads':>7} {'into':>8} {'16 in flight':>13} {'64 in flight':>13}   the search, share of the best")
        for threads in (1, 2):
            rates, seconds = {}, []
            for _ in range(args.rounds):  # one after the other, since the machine's speed changes
                for level in (1, 2):
                    for in_flight in (16, 64):
                        rate = reads_per_second(binary, threads, in_flight, level)
                        rates.setdefault((level, in_flight), []).append(rate)
                batch = solver.solve_many(boards, workers=threads)
                seconds.append(batch.seconds.sum() / threads)
            best = max(map(statistics.median, rates.values()))
            search = READS_PER_NODE * float(batch.generated.sum()) / statistics.median(seconds)
            for level, cache in ((1, "nearest"), (2, "second")):
                one, other = (statistics.median(rates[level, in_flight]) / 1e6 for in_flight in (16, 64))
                said = f"{search / 1e6:.0f} M a second, {search / best:.0%}" if level == 1 else ""
                print(f"{threads:7} {cache:>8} {one:11.0f} M {other:11.0f} M   {said}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
