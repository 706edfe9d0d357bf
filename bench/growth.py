"""How cost grows: solving with the distance, tables with their tiles, batches with their size, A* with its nodes.

python bench/growth.py --tables FOLDER                                  # tables of text; a minute or two
python bench/growth.py --tables FOLDER -o bench/pictures/growth.svg     # and a picture; needs the extra `plot`
python bench/growth.py distance batches --quick                         # some of it, with fewer boards
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import shared

from puzzle15 import Board, Solver, search
from puzzle15._pictures.figures import check_file, new_figure
from puzzle15.board import KORF_GOAL, korf100
from puzzle15.dataset import at_distances
from puzzle15.tables._construction import build_file

#: Two of the 17 boards at distance 80, the farthest ones (Bruengger, Marzetta, Fukuda & Nievergelt 1999).  Boards on
#: their solutions stand for those beyond 66 moves, which are too rare to be drawn.
FARTHEST = ("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1", "0 12 10 13/15 11 14 9/3 7 2 5/4 8 6 1")
DRAWN = range(30, 67, 4)
BESIDE = range(68, 81, 2)
BATCHES = (1, 4, 16, 64, 256, 1024)
#: Of Korf's boards, by the nodes of A* with Manhattan distance: 32,000 to 14 million expansions.
KORF = (12, 42, 55, 9, 71, 6, 5, 64, 84, 1)


def by_distance(folder, quick):
    """Rows of (distance, boards, mean nodes generated, mean milliseconds), on one thread."""
    solver = Solver("7-8", tables=folder)
    solver.solve_many(shared.random_boards(200))  # the tables move into memory
    rng = np.random.default_rng(1)
    ways = [(board, solver.solve(board).moves) for board in map(Board, FARTHEST)]
    for distance in (*DRAWN, *BESIDE):
        if distance in DRAWN:
            count = 20 if quick else 40 if distance > 62 else 400
            boards = at_distances(np.full(count, distance), rng, solver)
        else:
            boards = np.array([board.apply(moves[: 80 - distance]).packed for board, moves in ways], dtype=np.uint64)
        batches = [solver.solve_many(boards) for _ in range(3)]
        assert set(batches[0].lengths.tolist()) == {distance}
        seconds = statistics.median(batch.seconds.mean() for batch in batches)
        yield distance, len(boards), round(float(batches[0].generated.mean())), 1e3 * seconds


def by_tiles(folder, quick):
    """Rows of (tiles in the pattern, bytes of its file, seconds to build it with two threads)."""
    for tiles in range(2, 8 if quick else 9):
        with tempfile.TemporaryDirectory() as temporary:
            begin = time.perf_counter()
            file = build_file((4, 4), (1 << tiles) - 1, 15, "zero-aware", Path(temporary), threads=2)
            yield tiles, file.path.stat().st_size, time.perf_counter() - begin


def by_batch(folder, quick):
    """Rows of (boards in a batch, boards a second with one thread, and with two)."""
    solver = Solver("7-8", tables=folder)
    boards = shared.random_boards(256 if quick else 1024)
    expected = solver.solve_many(boards).lengths

    def rate(size, workers):
        begin = time.perf_counter()
        parts = [solver.solve_many(boards[at : at + size], workers=workers) for at in range(0, len(boards), size)]
        seconds = time.perf_counter() - begin
        assert np.array_equal(np.concatenate([part.lengths for part in parts]), expected)
        return len(boards) / seconds

    for size in BATCHES:
        if size <= len(boards):
            yield (size, *(statistics.median(rate(size, workers) for _ in range(3)) for workers in (1, 2)))


def by_nodes(folder, quick):
    """Rows of (number of Korf's board, expansions of A* with Manhattan distance, bytes of memory, seconds)."""
    korf = {record.number: record for record in korf100()}
    for number in KORF[: 4 if quick else None]:
        solution = search(korf[number].board, goal=KORF_GOAL, algorithm="a*", heuristic="manhattan")
        assert solution.length == korf[number].length
        yield number, solution.expanded, solution.memory_bytes, solution.seconds


PARTS = {
    "distance": (by_distance, ("distance", "boards", "nodes generated", "ms"), ("{:d}", "{:d}", "{:,d}", "{:,.3g}")),
    "tiles": (by_tiles, ("tiles", "bytes", "seconds to build"), ("{:d}", "{:,d}", "{:.3g}")),
    "batches": (
        by_batch,
        ("boards in a batch", "a second, one thread", "two threads"),
        ("{:,d}", "{:,.0f}", "{:,.0f}"),
    ),
    "a-star": (by_nodes, ("Korf's board", "expanded", "bytes", "seconds"), ("{:d}", "{:,d}", "{:,d}", "{:.3g}")),
}


def draw(path, rows):
    """A panel for each part that was measured."""
    figure = new_figure(9, 6.5 if len(rows) > 2 else 3.4)
    for place, (part, measured) in enumerate(rows.items()):
        axes = figure.add_subplot(2 if len(rows) > 2 else 1, min(len(rows), 2), place + 1)
        columns = list(zip(*measured))
        if part == "distance":
            for style, some in (("o-", DRAWN), ("s--", BESIDE)):
                points = [(row[0], row[3]) for row in measured if row[0] in some]
                axes.semilogy(*zip(*points), style, color="#4e79a7", markersize=3)
            axes.set(
                title="solving a board",
                xlabel="distance; dashed: on ways from two of the farthest",
                ylabel="ms, one thread",
            )
        elif part == "tiles":
            axes.semilogy(columns[0], columns[1], "o-", color="#4e79a7", markersize=3, label="bytes")
            axes.set(title="a table", xlabel="tiles of the pattern", ylabel="bytes", xticks=columns[0])
            other = axes.twinx()
            other.semilogy(columns[0], columns[2], "s--", color="#f28e2b", markersize=3)
            other.set_ylabel("seconds to build (dashed)")
            other.spines["top"].set_visible(False)
        elif part == "batches":
            axes.plot(columns[0], columns[1], "o-", color="#4e79a7", markersize=3, label="one thread")
            axes.plot(columns[0], columns[2], "s--", color="#f28e2b", markersize=3, label="two threads")
            axes.set_xscale("log", base=4)
            axes.set_xticks(columns[0], [f"{size:,}" for size in columns[0]])
            axes.set_ylim(bottom=0)
            axes.set(title="random boards", xlabel="boards in a batch", ylabel="boards a second")
            axes.legend(frameon=False, fontsize=7)
        else:
            axes.loglog(columns[1], columns[2], "o-", color="#4e79a7", markersize=3)
            axes.set(title="A*, Manhattan distance", xlabel="nodes expanded", ylabel="bytes")
            other = axes.twinx()
            other.loglog(columns[1], columns[3], "s--", color="#f28e2b", markersize=3)
            other.set_ylabel("seconds (dashed)")
            other.spines["top"].set_visible(False)
        axes.spines["top"].set_visible(False)
    shared.save(figure, path, "growth")


def main():
    parser = argparse.ArgumentParser(description="Measure how cost grows.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--tables", metavar="FOLDER", help="folder of the 7-8 tables (default: build them)")
    parser.add_argument("-o", "--output", metavar="FILE", help="draw into a .svg, .png or .pdf file")
    parser.add_argument("--quick", action="store_true", help="fewer boards, and no table of 8 tiles")
    args = parser.parse_args()
    wrong = [part for part in args.parts if part not in PARTS]
    if wrong:
        parser.error(f"{wrong[0]!r}: expected {', '.join(PARTS)}")
    try:
        if args.output:
            check_file(args.output)
    except (ImportError, OSError, ValueError) as error:
        parser.error(str(error))
    rows = {}
    with shared.tables_7_8(args.tables) as folder:
        for part in args.parts or PARTS:
            measure, names, forms = PARTS[part]
            print(f"\n| {' | '.join(names)} |\n|{'---|' * len(names)}", flush=True)
            rows[part] = []
            for row in measure(folder, args.quick):
                rows[part].append(row)
                print(f"| {' | '.join(form.format(value) for form, value in zip(forms, row))} |", flush=True)
    if args.output:
        draw(args.output, rows)
        print(f"\n{args.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
