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
CLI = "from puzzle15._cli import run; print(flush=True); run()"
PYTHON = """
import numpy as np
from puzzle15 import LocalValueIteration, Solver, heuristic
from puzzle15.learning import AnnDistance
from puzzle15.board import uniform
boards = uniform(3_000_000, np.random.default_rng(1))
learner = LocalValueIteration()
learner.train()
solver = Solver("7-8")
network = AnnDistance({network!r})
h = heuristic({heuristic!r})
turned = Solver(goal="0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15")
turnable = uniform(3_000_000, np.random.default_rng(1), goal=turned.goal)
print(flush=True)
while True:
    {call}
"""
INTERRUPTED = {signal.SIGINT: (130, -signal.SIGINT), signal.SIGTERM: (143, -signal.SIGTERM)}
EARLIEST_S, LATEST_S = 0.05, 2.5  # after the marker


#: Lines of the shell. BOARDS is a file of boards, HARD a hard one, and OUT a new folder.
LABELS = ["--distance 75", "--distance 40-60", "--first-moves --along-path", ""]
LINES = [
    *(f"label --count 1M --output OUT {options} {workers}" for workers in ("", "--workers 2") for options in LABELS),
    *(f"solve -i BOARDS --algorithm local-value-iteration --initial-size {size}" for size in (7, 1)),
    *(f"solve {boards} --workers {workers}" for boards in ("-i BOARDS", "HARD") for workers in (1, 2)),
    *(f"solve -i BOARDS --algorithm astar --heuristic {name}" for name in ("tables", "ann", "ann:paper")),
    "build 7-8 --force --tables OUT",
    "verify",
]
HEURISTICS = "misplaced", "manhattan", "reversal", "linear-conflict", "walking-distance", "tables", "ann", "ann:paper"
#: Calls in Python, by name, and the network or the heuristic that they use.
CALLS = {
    "Solver.lower_bound_many": {"call": "solver.lower_bound_many(boards)"},
    "Solver.lower_bound_many, another goal": {"call": "turned.lower_bound_many(turnable)"},
    "Solver.solve_many, 3x3": {
        "call": "Solver(shape=(3, 3)).solve_many(uniform(3_000_000, np.random.default_rng(), shape=(3, 3)))"
    },
    "LocalValueIteration.solve_many": {"call": "learner.solve_many(boards)"},
    **{f"Heuristic.many, {name}": {"call": "h.many(boards)", "heuristic": name} for name in HEURISTICS},
    **{f"AnnDistance.many, {name}": {"call": "network.many(boards)", "network": name} for name in ("best", "paper")},
    "LocalValueIteration.train, size 6": {"call": "LocalValueIteration(initial_size=6).train()"},
}


def commands(folder):
    """(name, arguments of Python) of every command; `folder` gets the boards."""
    boards = folder / "boards.txt"
    boards.write_text("".join(f"{Board.random(seed)}\n" for seed in range(30_000)))
    for line in LINES:
        words = {"BOARDS": str(boards), "HARD": HARD}
        yield " ".join(line.split()), ["-c", CLI, *(words.get(word, word) for word in line.split())]
    for name, call in CALLS.items():
        yield name, ["-c", PYTHON.format(**{"network": "best", "heuristic": "manhattan", **call})]


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
