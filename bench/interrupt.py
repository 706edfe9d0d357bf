"""How long does it take from a signal to the end of the process?

    python bench/interrupt.py [--tables FOLDER] [--tries N] [--only WORD]

Each try starts a command and sends it SIGINT or SIGTERM at a random moment.  It prints the median and the longest time
until the process is gone, which should stay below a tenth of a second on an idle machine, and how many tries ended with
a wrong exit code.
"""

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from conftest import HARD
from shared import tables_7_8

from puzzle15 import Board

# A marker on standard output says that the imports are over.
CLI = "from puzzle15.cli import run; print(flush=True); run()"
PYTHON = """
import numpy as np
from puzzle15 import LocalValueIteration, Solver, heuristic
from puzzle15.ann import AnnDistance
from puzzle15.board import uniform
boards = uniform({count}, np.random.default_rng(1))
learner = LocalValueIteration()
learner.train()
solver = Solver("7-8")
network = AnnDistance({network!r})
h = heuristic({heuristic!r})
turned = Solver(goal="0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15")
turnable = uniform({count}, np.random.default_rng(1), goal=turned.goal)
print(flush=True)
while True:
    {call}
"""
INTERRUPTED = {signal.SIGINT: (130, -signal.SIGINT), signal.SIGTERM: (143, -signal.SIGTERM)}
EARLIEST_S, LATEST_S = 0.05, 2.5  # after the marker


def commands(folder):
    """(name, arguments of Python) of every command; `folder` has the boards."""
    boards = folder / "boards.txt"
    boards.write_text("".join(f"{Board.random(seed)}\n" for seed in range(30_000)))
    label = ["label", "--count", "1M", "--output", "OUT"]
    for workers in ([], ["--workers", "2"]):
        for options in (
            ["--distance", "75"],
            ["--distance", "40-60"],
            ["--first-moves", "--along-path"],
            [],
        ):
            yield " ".join(["label", *options, *workers]), ["-c", CLI, *label, *options, *workers]
    learned = ["--algorithm", "local-value-iteration", "--initial-size"]
    for size in ("7", "1"):
        yield " ".join(["solve -i", *learned, size]), ["-c", CLI, "solve", "-i", boards, *learned, size]
    for workers in ("1", "2"):
        yield f"solve -i --workers {workers}", ["-c", CLI, "solve", "-i", boards, "--workers", workers]
    for workers in ("1", "2"):
        yield f"solve, a hard board, --workers {workers}", ["-c", CLI, "solve", "--workers", workers, HARD]
    for name in ("tables", "ann", "ann:paper"):
        words = ["solve", "-i", boards, "--algorithm", "astar", "--heuristic", name]
        yield f"solve -i --algorithm astar --heuristic {name}", ["-c", CLI, *words]
    yield "build", ["-c", CLI, "build", "7-8", "--force", "--tables", "OUT"]
    yield "verify", ["-c", CLI, "verify"]

    def python(call, count=3_000_000, network="best", heuristic="manhattan"):
        return ["-c", PYTHON.format(call=call, count=count, network=network, heuristic=heuristic)]

    yield "Solver.lower_bound_many", python("solver.lower_bound_many(boards)")
    yield "Solver.lower_bound_many, another goal", python("turned.lower_bound_many(turnable)")
    yield (
        "Solver.solve_many, 3x3",
        python("Solver(shape=(3, 3)).solve_many(uniform(3_000_000, np.random.default_rng(), shape=(3, 3)))"),
    )
    yield "LocalValueIteration.solve_many", python("learner.solve_many(boards)")
    for name in (
        "misplaced",
        "manhattan",
        "reversal",
        "linear-conflict",
        "walking-distance",
        "tables",
        "ann",
        "ann:paper",
    ):
        yield f"Heuristic.many, {name}", python("h.many(boards)", heuristic=name)
    for name in ("best", "paper"):
        yield f"AnnDistance.many, {name}", python("network.many(boards, rounded=False)", network=name)
        yield f"AnnDistance.many, {name}", python("network.many(boards)", network=name)
    yield "LocalValueIteration.train, size 6", python("LocalValueIteration(initial_size=6).train()")


def seconds_to_end(arguments, number, delay):
    """(from the signal to the end, the exit code)"""
    with tempfile.TemporaryDirectory() as out:
        words = [str(word).replace("OUT", out) for word in arguments]
        process = subprocess.Popen([sys.executable, *words], cwd=out, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdout.readline()
        time.sleep(delay)
        if process.poll() is not None:
            raise SystemExit(f"{arguments} ended with {process.returncode} after {delay:.1f} s")
        began = time.perf_counter()
        process.send_signal(number)
        process.communicate()
        return time.perf_counter() - began, process.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", help="folder of the 7-8 tables (default: build them)")
    parser.add_argument("--tries", type=int, default=50, help="of each command and signal (default: 50)")
    parser.add_argument("--only", default="", help="commands whose names hold this")
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell's background jobs ignore, theirs would, too
    rng = random.Random(15)
    with tempfile.TemporaryDirectory() as temporary, tables_7_8(args.tables) as folder:
        os.environ["PUZZLE15_TABLES"] = str(folder)
        print(f"{'command':60} {'signal':8} {'median':>9} {'longest':>9} {'wrong codes':>11}")
        for name, arguments in commands(Path(temporary)):
            if args.only not in name:
                continue
            for number in INTERRUPTED:
                if number == signal.SIGTERM and CLI not in arguments:
                    continue  # nobody handles it there
                tries = [
                    seconds_to_end(arguments, number, rng.uniform(EARLIEST_S, LATEST_S)) for _ in range(args.tries)
                ]
                times = [1e3 * seconds for seconds, _ in tries]
                wrong = sum(code not in INTERRUPTED[number] for _, code in tries)
                print(
                    f"{name:60} {number.name:8} {statistics.median(times):6.0f} ms {max(times):6.0f} ms {wrong:11}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
