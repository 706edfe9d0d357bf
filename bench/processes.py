"""How long do whole processes take: a command of the shell, beside bare Python and the import of numpy?

    python bench/processes.py [--tables FOLDER] [--rounds N]

The processes run in turn. It prints the median time of each, and how many times as long as bare Python it takes. The
first round, in which files are read into memory, does not count.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

BOARD = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"
SHELL = "from puzzle15._cli import run; run()"  # as the installed command begins
ELSEWHERE = Path(__file__).parent  # where the source folder is not imported
PROCESSES = {
    "bare Python": ["pass"],
    "import numpy": ["import numpy"],
    "import puzzle15": ["import puzzle15"],
    "puzzle15 --version": [SHELL, "--version"],
    "puzzle15 --help": [SHELL, "--help"],
    "puzzle15 solve BOARD": [SHELL, "solve", BOARD],
    "the same, embedded tables": [SHELL, "solve", BOARD, "--partition", "embedded"],
    "the same, 8-puzzle": [SHELL, "solve", "867254301"],
    "puzzle15 hint BOARD": [SHELL, "hint", BOARD],
}


def seconds(words):
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", *words], cwd=ELSEWHERE, check=True, capture_output=True)
    return time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", metavar="FOLDER", help="the folder of the 7-8 tables (default: the package's own)")
    parser.add_argument("--rounds", type=int, default=25, metavar="N", help="how often each process runs (default: 25)")
    args = parser.parse_args()
    if args.tables is not None:
        os.environ["PUZZLE15_TABLES"] = os.path.abspath(args.tables)
    rounds = [[seconds(words) for words in PROCESSES.values()] for _ in range(args.rounds + 1)][1:]
    medians = [statistics.median(times) for times in zip(*rounds)]
    for name, median in zip(PROCESSES, medians):
        print(f"{name:26}{median * 1e3:8.1f} ms{median / medians[0]:7.1f}")


if __name__ == "__main__":
    main()
