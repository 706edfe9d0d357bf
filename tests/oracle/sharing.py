"""One object of each public class, asked by eight threads of each of some processes; memory must not grow.

    python tests/oracle/sharing.py --seconds 120 --processes 4

A question is asked once before, by one thread alone; from then on, every answer must be the same.
"""

import argparse
import multiprocessing
import random
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import puzzle15
from puzzle15 import Board, LocalValueIteration, SearchOptions, SearchTree, Solver, heuristic, search, search_many
from puzzle15.board import pack_boards
from puzzle15.dataset import load, write
from puzzle15.learning import value_iteration
from puzzle15.nodes import BoardTable, BucketQueue
from puzzle15.page._api import Api
from puzzle15.solver import label, scramble, solve_pattern
from puzzle15.tables import PatternTable, build_tables, verify

THREADS = 8
BOARDS = [Board.random(seed, shape=(3, 3)) for seed in range(12)]
PACKED = pack_boards(BOARDS)[0]


def found(solution):
    """What a search without limits answers; MemoryError where it ended for want of memory."""
    if solution.status == "limit":
        raise MemoryError("the search ended with what it has proved")
    return solution.moves, solution.generated


def solvers(folder):
    for options in ({}, {"metric": "mtm"}, {"partition": "1-4/5-8", "tables": folder}):
        solver = Solver(shape=(3, 3), **options)
        yield lambda board, solver=solver: solver.solve(board).moves
        yield lambda board, solver=solver: solver.hint(board)
        yield lambda board, solver=solver: sorted(solver.all_solutions(board))
        yield lambda board, solver=solver: solver.analyse(board, solver.solve(board).moves[:5])
        yield lambda _, solver=solver: solver.distance_many(BOARDS).tolist()
        yield lambda _, solver=solver: solver.lower_bound_many(PACKED).tolist()
        yield lambda board, solver=solver: solver.solve(board, max_nodes=20, workers=2).lower_bound


def answers_of_solvers(folder):
    batch = Solver(shape=(3, 3)).solve_many(BOARDS)
    yield lambda board: batch[BOARDS.index(board)].moves
    results = search_many(BOARDS, algorithm="a*")
    yield lambda board: results[BOARDS.index(board)].moves
    tree = SearchTree(max_expansions=50)
    tree.solution = search(BOARDS[0], on_expand=tree.add)
    yield lambda _: tree.svg()
    labels = Solver(shape=(3, 3))
    yield lambda board: label(labels, [board], first_moves=True)["first_moves"].tolist()
    yield lambda board: scramble(15, labels, BOARDS.index(board)).tiles


def searches(folder):
    options = SearchOptions("a*", heuristic=heuristic("linear-conflict", shape=(3, 3)))
    yield lambda board: found(search(board, options))
    for name in ("ida*", "nbs", "bae*", "beam", "ara*", "sma*", "bidirectional"):
        yield lambda board, name=name: found(search(board, algorithm=name))
    yield lambda board: found(solve_pattern(board, "1-3"))


def heuristics(folder):
    own = PatternTable.by_search([1, 2, 3], shape=(3, 3))
    yield own
    for name in ("manhattan", "walking-distance", "tables:embedded"):
        yield heuristic(name, shape=(3, 3))
    network = heuristic("ann")
    yield lambda board: network(Board.random(BOARDS.index(board)))
    yield lambda board: found(search(board, heuristic=own))


def learning(folder):
    local = LocalValueIteration(shape=(3, 3))
    yield lambda board: local.solve(board).moves
    values = value_iteration([1, 2, 3], shape=(3, 3))
    yield lambda board: int(values.lengths[values.state(board)])


def nodes(folder):
    table, queue, lock = BoardTable(), BucketQueue(), threading.Lock()
    table.insert(PACKED, np.arange(len(PACKED), dtype=np.uint8))
    yield lambda board: table.get(PACKED[[BOARDS.index(board)]])[0].tolist()

    def pushed_and_popped(board):
        with lock:  # so that the node is that of this thread
            queue.push([5], np.array([BOARDS.index(board)]))
            return queue.pop(1)[0].tolist()

    yield pushed_and_popped


def files(folder):
    data = Path(folder, "data")
    dataset = load(data)
    yield lambda board: dataset.array("distance")[BOARDS.index(board)].tolist()
    yield lambda _: [report.sound for report in verify(folder)]


def requests(folder):
    api = Api(60.0, 1 << 26)
    body = '{{"board": "{}"}}'
    for name in ("solve", "hint"):
        yield lambda board, name=name: api.answer(name, body.format(board).encode())["moves"]


KINDS = [solvers, answers_of_solvers, searches, heuristics, learning, nodes, files, requests]


def resident():
    """Megabytes of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def ask(kind, folder, seconds, seed):
    """(how often all threads have asked, megabytes after a third of the time, and at the end)"""
    questions = [(question, board) for question in kind(folder) for board in BOARDS]
    expected = [question(board) for question, board in questions]
    end, counts, wrong = time.monotonic() + seconds, [0] * THREADS, []

    def work(thread):
        rng = random.Random(f"{seed} {thread}")
        while time.monotonic() < end and not wrong:
            number = rng.randrange(len(questions))
            question, board = questions[number]
            try:
                answer = question(board)
            except BaseException as error:
                answer = error
            if answer != expected[number]:
                wrong.append((kind.__name__, number, str(board), answer, expected[number]))
            counts[thread] += 1

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(THREADS)]
    for thread in threads:
        thread.start()
    time.sleep(seconds / 3)
    before = resident()
    for thread in threads:
        thread.join()
    if wrong:
        raise AssertionError(wrong[0])
    return sum(counts), before, resident()


def run(folder, seconds, seed, results):
    for kind in KINDS:
        try:
            results.put((kind.__name__, seed, ask(kind, folder, seconds, seed)))
        except BaseException as error:
            results.put((kind.__name__, seed, error))


@contextmanager
def prepared():
    """A folder with what the questions need."""
    with tempfile.TemporaryDirectory() as folder:
        build_tables("1-4/5-8", shape=(3, 3), tables=folder)
        write(Path(folder, "data"), 300, seed=1, solver=Solver(shape=(3, 3)))
        yield folder


def share(seconds, processes):
    """What each kind in each process gave: (name, process, (questions, megabytes before and after) or an error)."""
    context = multiprocessing.get_context("spawn")
    with prepared() as folder:
        results = context.Queue()
        children = [context.Process(target=run, args=(folder, seconds, seed, results)) for seed in range(processes)]
        for child in children:
            child.start()
        outcomes = [results.get(timeout=600 + 100 * seconds) for _ in range(len(KINDS) * processes)]
        for child in children:
            child.join()
    return outcomes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=15, help="for each kind of object (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=4, help="at the same time (default: %(default)s)")
    options = parser.parse_args()
    print(f"puzzle15 {puzzle15.__version__}: {THREADS} threads in each of {options.processes} processes")
    failed = 0
    for name, process, outcome in sorted(share(options.seconds, options.processes), key=lambda row: row[:2]):
        if isinstance(outcome, BaseException):
            failed += 1
            print(f"{name:20} {process:3}  {outcome!r}")
        else:
            count, before, after = outcome
            print(f"{name:20} {process:3} {count:10,} questions, {before:6.1f} -> {after:6.1f} MB")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
