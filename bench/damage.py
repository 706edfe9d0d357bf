"""What does a solver answer with damaged tables, and how long does it take to check tables?

    python bench/damage.py [--sets N] [--folder FOLDER]

It builds small tables, replaces a random share of the payloads' bytes, N times (by default 1,400, seeded), and solves
boards with each damaged set. True lengths come from its own breadth-first search on 3x3, and from sound tables on 3x4.
It fails if a checked solver calls a wrong length optimal, or if opening and solving takes more than twice as long as
with sound tables. It tries the same sets unchecked, too, within a limit of nodes. Finally it times the check of the 7-8
tables.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
from shared import in_new_process

from puzzle15 import Board, Solver, build_tables
from puzzle15.errors import TableCorruptError
from puzzle15.tables._file import HEADER_BYTES

KINDS = [
    ((3, 3), "1-4/5-8", "classic"),
    ((3, 3), "1-4/5-8", "zero-aware"),
    ((3, 3), "1-3/4-6/7-8", "classic"),
    ((3, 3), "1-3/4-6/7-8", "zero-aware"),
    ((3, 4), "1-6/7-11", "classic"),
    ((3, 4), "1-6/7-11", "zero-aware"),
    ((3, 4), "1-4/5-8/9-11", "zero-aware"),
]
SHARES = (0.03, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0)
BOARDS = 6  # solved with each set
MOST_NODES = 200_000  # of an unchecked search
FIRST_SEED = 266  # with which 3 % of the first kind made a search run for 19 s


def distances(shape):
    """The distance of every board from the goal, by a breadth-first search over its tiles."""
    rows, cols = shape
    goal = Board.goal(shape).tiles
    found, level, depth = {goal: 0}, [goal], 0
    while level:
        depth += 1
        before, level = level, []
        for tiles in before:
            blank = tiles.index(0)
            row, col = divmod(blank, cols)
            steps = [(row > 0, -cols), (row < rows - 1, cols), (col > 0, -1), (col < cols - 1, 1)]
            for cell in [blank + step for possible, step in steps if possible]:
                child = list(tiles)
                child[blank], child[cell] = child[cell], 0
                child = tuple(child)
                if child not in found:
                    found[child] = depth
                    level.append(child)
    return found


def damage(files, whole, share, rng):
    """Replace a share of each payload's bytes, and change at least one."""
    for file, content in zip(files, whole):
        bytes_ = np.frombuffer(content, dtype=np.uint8).copy()
        count = max(1, int(share * (len(content) - HEADER_BYTES)))
        places = HEADER_BYTES + rng.permutation(len(content) - HEADER_BYTES)[:count]
        bytes_[places] = rng.integers(0, 256, count)
        if np.array_equal(bytes_, np.frombuffer(content, dtype=np.uint8)):
            bytes_[places[0]] ^= 1
        file.path.write_bytes(bytes_.tobytes())


def answers(boards, lengths, **options):
    """Open a solver and solve boards one by one; returns each outcome, and the seconds it took."""
    outcomes = Counter()
    limits = {"max_nodes": MOST_NODES} if options["check"] == "never" else {}
    start = time.perf_counter()
    try:
        solver = Solver(**options)
    except TableCorruptError:
        outcomes["refused when opened"] += len(boards)
        return outcomes, time.perf_counter() - start
    for board, length in zip(boards, lengths):
        try:
            solution = solver.solve(board, **limits)
        except TableCorruptError:
            outcomes["corrupt, said a search"] += 1
        else:
            if solution.lower_bound > length:
                outcomes["wrong bound" if not solution.optimal else "WRONG, SAID TO BE OPTIMAL"] += 1
            else:
                outcomes["right" if solution.optimal else "limit"] += 1
    return outcomes, time.perf_counter() - start


def try_sets(folder, count):
    """Damage tables and solve with them; returns whether checked solvers kept their promises."""
    exact = distances((3, 3))
    kinds = []
    for number, (shape, partition, format) in enumerate(KINDS):
        where = folder / str(number)
        files = build_tables(partition, shape=shape, format=format, tables=where)
        options = {"partition": partition, "shape": shape, "format": format, "tables": where}
        boards = [Board.random(seed, shape) for seed in range(BOARDS)]
        lengths = Solver(**options).distance_many(boards).tolist()
        sound = statistics.median(answers(boards, lengths, check="always", **options)[1] for _ in range(5))
        if shape == (3, 3):
            assert lengths == [exact[board.tiles] for board in boards]
        kinds.append((files, [file.path.read_bytes() for file in files], options, boards, lengths, sound))

    kept = True
    totals = {"once": Counter(), "never": Counter()}  # how often what came of a board, by check
    slowest = {"once": (0.0, 0.0), "never": (0.0, 0.0)}
    for number in range(count):
        files, whole, options, boards, lengths, sound = kinds[number % len(kinds)]
        share = SHARES[number // len(kinds) % len(SHARES)]
        damage(files, whole, share, np.random.default_rng(FIRST_SEED + number))
        for check, outcomes in totals.items():
            became, seconds = answers(boards, lengths, check=check, **options)
            outcomes.update(became)
            for _ in range(5):  # what else the machine does is not the tables' fault
                if check == "once" and seconds > 2 * sound:
                    seconds = min(seconds, answers(boards, lengths, check=check, **options)[1])
            slowest[check] = max(slowest[check], (seconds, sound))
            if check == "once" and seconds > 2 * sound:
                kept = False
                print(f"set {number}: {seconds:.3f} s, {sound:.3f} s with sound tables")
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {count}", end="" if number + 1 < count else "\n", file=sys.stderr)
    for check, outcomes in totals.items():
        print(
            f"check={check!r}: {count} sets, {sum(outcomes.values())} boards: "
            + ", ".join(f"{name} {outcomes[name]}" for name in sorted(outcomes))
            + f"; the slowest set {1e3 * slowest[check][0]:.1f} ms, with sound tables {1e3 * slowest[check][1]:.1f} "
            "ms"
        )
    return kept and set(totals["once"]) == {"refused when opened"}


FIRST = """
import sys, time
import puzzle15
start = time.perf_counter()
solver = puzzle15.Solver("7-8", tables=sys.argv[1], check=sys.argv[2])
opened = time.perf_counter()
solver.solve("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15")
print(1e3 * (opened - start), 1e3 * (time.perf_counter() - opened))
"""


def time_checks(folder):
    build_tables("7-8", tables=folder)

    def milliseconds(check, stamped):
        times = []
        for _ in range(9):
            for stamp in folder.glob(".*.checked") if not stamped else ():
                stamp.unlink()
            times.append([float(word) for word in in_new_process(FIRST, folder, check)])
        return [statistics.median(column) for column in zip(*times)]

    print("7-8 tables in a fresh process, medians of 9:  opening  first solve of a board of 53 moves")
    for what, check, stamped in [
        ("never checked before", "once", False),
        ("checked before", "once", True),
        ("check='always'", "always", True),
        ("check='never'", "never", True),
    ]:
        opening, solving = milliseconds(check, stamped)
        print(f"{what:44}  {opening:5.1f} ms  {solving:5.2f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sets", type=int, default=1400)
    parser.add_argument("--folder", type=Path, help="where to build (default: a temporary folder)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        kept = try_sets(Path(folder), args.sets)
        time_checks(Path(folder) / "7-8")
    print("all promises kept" if kept else "NOT ALL PROMISES KEPT")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
