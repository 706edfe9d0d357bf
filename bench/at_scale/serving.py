"""How long does the server of `puzzle15 serve` take: from its start to the first hint, and for hints of random boards?

    python bench/at_scale/serving.py [--tables FOLDER] [--rate R] [--seconds S]

Hints are asked for at a fixed rate, whether earlier ones are answered or not, as by many players. The time of each
counts from the moment at which it was due. Each board is a random 15-puzzle; without stored tables a few of them take
seconds. All is measured with the tables that are built in memory, and with the 7-8 tables where FOLDER has them.
"""

import argparse
import contextlib
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from puzzle15 import Board
from puzzle15.tables import table_folder

SHELL = "from puzzle15._cli import run; run()"  # as the installed command begins
ELSEWHERE = Path(__file__).parent  # where the source folder is not imported
BOARD = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"
STARTS = 11
CLIENTS = 32  # that wait for answers at once, at most


@contextlib.contextmanager
def serving(folder):
    """(the host and port of a server, its process)"""
    words = [sys.executable, "-c", SHELL, "serve", "--port", "0", "--tables", str(folder)]
    with subprocess.Popen(words, cwd=ELSEWHERE, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL) as server:
        try:
            yield urlsplit(server.stdout.readline().strip()).netloc, server
        finally:
            server.terminate()


class Client(threading.local):
    """One connection for each thread."""

    line = None

    def hint(self, where, board):
        if self.line is None:
            self.line = http.client.HTTPConnection(where, timeout=60)
        self.line.request("POST", "/api/hint", json.dumps({"board": board}))
        answer = self.line.getresponse()
        return answer.status, json.loads(answer.read())


def first_hint(folder):
    """Seconds from the start of the process to its first hint."""
    began = time.perf_counter()
    with serving(folder) as (where, _):
        status, record = Client().hint(where, BOARD)
        assert (status, record["distance"], record["moves"]) == (200, 53, "UL")
        return time.perf_counter() - began


def hints(folder, rate, seconds):
    """(seconds of each hint, how many were not known within the server's limits)"""
    boards = [str(Board.random(seed)) for seed in range(round(rate * seconds))]
    client = Client()
    with serving(folder) as (where, _), ThreadPoolExecutor(CLIENTS) as pool:
        for _ in range(CLIENTS):
            client.hint(where, BOARD)
        begin = time.perf_counter() + 0.1

        def ask(number):
            due = begin + number / rate
            time.sleep(max(due - time.perf_counter(), 0))
            status, record = client.hint(where, boards[number])
            return time.perf_counter() - due, (status, record["status"]) == (200, "solved")

        answers = list(pool.map(ask, range(len(boards))))
    return [took for took, _ in answers], sum(not known for _, known in answers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", metavar="FOLDER", help="the folder of the 7-8 tables (default: the package's own)")
    parser.add_argument("--rate", type=float, default=20, metavar="R", help="hints per second (default: 20)")
    parser.add_argument("--seconds", type=float, default=30, metavar="S", help="how long to ask (default: 30)")
    args = parser.parse_args()
    stored = table_folder(args.tables)
    with tempfile.TemporaryDirectory() as none:
        folders = {"embedded tables": none, **({"stored tables": stored} if os.path.isdir(stored) else {})}
        for name, folder in folders.items():
            starts = [first_hint(folder) for _ in range(STARTS)]
            print(f"{name}: first hint {statistics.median(starts):.3f} s after the start, at most {max(starts):.3f} s")
            times, unknown = hints(folder, args.rate, args.seconds)
            median, late = statistics.median(times), statistics.quantiles(times, n=100)[-1]
            print(
                f"{name}: {len(times)} hints, {args.rate:g} per second: median {median * 1e3:.1f} ms, "
                f"99th percentile {late * 1e3:.1f} ms, longest {max(times) * 1e3:.1f} ms, {unknown} not known"
            )


if __name__ == "__main__":
    main()
