"""How cost grows: solving with the distance, tables with their tiles, batches with their size, A* with its nodes.

python bench/growth.py --tables FOLDER                                  # tables of text; a minute or two
python bench/growth.py --tables FOLDER -o bench/pictures/growth.svg     # and a picture; needs the extra `plot`
python bench/growth.py distance batches --quick                         # some of it, with fewer boards
python bench/growth.py --note "a shared server with other work"         # what else a reader must know of the machine
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import shared

from puzzle15 import Board, Solver, search
from puzzle15._pictures.figures import check_file
from puzzle15.board import KORF_GOAL, korf100
from puzzle15.dataset import at_distances
from puzzle15.tables._construction import build_file

#: Two of the 17 boards at distance 80, the farthest ones (Bruengger, Marzetta, Fukuda & Nievergelt 1999).  Boards on
#: their solutions stand for those beyond 66 moves, which are too rare to be drawn.
FARTHEST = ("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1", "0 12 10 13/15 11 14 9/3 7 2 5/4 8 6 1")
DRAWN = (30, 38, 46, 54, 62, 66)
BESIDE = (68, 72, 76, 78, 80)
#: Each time is the least of so many, or of one if it is to be quick: other work on the machine can only add to it.
RUNS = 5
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
        batches = [solver.solve_many(boards) for _ in range(1 if quick else RUNS)]
        assert set(batches[0].lengths.tolist()) == {distance}
        seconds = min(batch.seconds.mean() for batch in batches)
        yield distance, len(boards), round(float(batches[0].generated.mean())), 1e3 * seconds


def by_tiles(folder, quick):
    """Rows of (tiles in the pattern, bytes of its file, seconds to build it with two threads)."""

    def build(tiles):
        with tempfile.TemporaryDirectory() as temporary:
            begin = time.perf_counter()
            file = build_file((4, 4), (1 << tiles) - 1, 15, "zero-aware", Path(temporary), threads=2)
            return time.perf_counter() - begin, file.path.stat().st_size

    for tiles in range(2, 8 if quick else 9):
        runs = [build(tiles) for _ in range(1 if quick else RUNS)]
        yield tiles, runs[0][1], min(seconds for seconds, _ in runs)


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
            yield (size, *(max(rate(size, workers) for _ in range(1 if quick else RUNS)) for workers in (1, 2)))


def by_nodes(folder, quick):
    """Rows of (Korf's board, expansions of A* with Manhattan distance, nodes, megabytes, bytes per node, seconds)."""
    korf = {record.number: record for record in korf100()}
    for number in KORF[: 4 if quick else None]:
        runs = [search(korf[number].board, goal=KORF_GOAL, heuristic="manhattan") for _ in range(1 if quick else RUNS)]
        solution = runs[0]
        assert solution.length == korf[number].length
        nodes, size = solution.largest_open + solution.largest_closed, solution.memory_bytes
        seconds = min(run.seconds for run in runs)
        yield number, solution.expanded, nodes, size / 1e6, size / nodes, seconds


#: Of each part: what measures it, the columns of its table, how they are written, and its panels: the title, the axes,
#: their scales, and the curves, each with the columns and the rows that it shows.
PARTS = {
    "distance": (
        by_distance,
        ("distance", "boards", "nodes generated", "ms"),
        ("{:d}", "{:d}", "{:,d}", "{:,.3g}"),
        [
            (
                "A board, by its distance",
                ("moves", "milliseconds, one thread"),
                ("linear", "log"),
                {"random boards": (0, 3, DRAWN), "from two farthest boards": (0, 3, BESIDE)},
            )
        ],
    ),
    "batches": (
        by_batch,
        ("boards in a batch", "boards per second, one thread", "two threads"),
        ("{:,d}", "{:,.0f}", "{:,.0f}"),
        [
            (
                "Random boards, by the size of a batch",
                ("boards in a batch", "boards per second"),
                ("log", "linear"),
                {"one thread": (0, 1, None), "two threads": (0, 2, None)},
            )
        ],
    ),
    "tiles": (
        by_tiles,
        ("tiles", "bytes", "seconds to build"),
        ("{:d}", "{:,d}", "{:.3g}"),
        [
            ("A table's size, by its tiles", ("tiles", "bytes"), ("linear", "log"), {"": (0, 1, None)}),
            ("Building it", ("tiles", "seconds, two threads"), ("linear", "log"), {"": (0, 2, None)}),
        ],
    ),
    "a-star": (
        by_nodes,
        ("Korf's board", "expanded", "nodes in memory", "MB", "bytes per node", "seconds"),
        ("{:d}", "{:,d}", "{:,d}", "{:,.3g}", "{:.1f}", "{:.3g}"),
        [
            ("A*: memory, by nodes expanded", ("expansions", "megabytes"), ("log", "log"), {"": (1, 3, None)}),
            ("A*: time", ("expansions", "seconds, one thread"), ("log", "log"), {"": (1, 5, None)}),
        ],
    ),
}


def draw(path, measured, machine):
    """A panel for each thing that was measured."""
    shown = [(panel, rows) for part, rows in measured.items() for panel in PARTS[part][3]]
    figure, axes = shared.panels([panel[0] for panel, _ in shown], machine)
    for each, ((_, labels, scales, curves), rows) in zip(axes, shown):
        for marker, (name, (x, y, some)) in zip("os", curves.items()):
            points = [(row[x], row[y]) for row in rows if some is None or row[x] in some]
            each.plot(*zip(*points), marker + "-", markersize=3.5, label=name)
        each.set(xlabel=labels[0], ylabel=labels[1], xscale=scales[0], yscale=scales[1])
        if len(curves) > 1:
            each.legend(frameon=False, fontsize=8.5)
        for axis in (each.xaxis, each.yaxis):
            axis.set_major_formatter(lambda number, _: f"{number:,.15g}")
            axis.set_minor_formatter("")
        if scales[1] == "linear":
            each.set_ylim(bottom=0)
        if labels[0] == "boards in a batch":
            each.set_xscale("log", base=4)
            each.set_xticks([row[0] for row in rows], [f"{row[0]:,}" for row in rows])
    seen = "; ".join(f"{title}: {y} over {x}" for (title, (x, y), _, _), _ in shown)
    shared.save(
        figure, path, "How cost grows", f"{seen}. Measured on {machine}. The tables beside it have the numbers."
    )


def main():
    parser = argparse.ArgumentParser(description="Measure how cost grows.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--tables", metavar="FOLDER", help="folder of the 7-8 tables (default: build them)")
    parser.add_argument("-o", "--output", metavar="FILE", help="draw into a .svg, .png or .pdf file")
    parser.add_argument("--note", metavar="WORDS", help="what else to say of the machine")
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
    machine = shared.machine(args.note)
    print(machine)
    rows = {}
    with shared.tables_7_8(args.tables) as folder:
        for part in args.parts or PARTS:
            measure, names, forms, _ = PARTS[part]
            print(f"\n| {' | '.join(names)} |\n|{'---|' * len(names)}", flush=True)
            rows[part] = []
            for row in measure(folder, args.quick):
                rows[part].append(row)
                print(f"| {' | '.join(form.format(value) for form, value in zip(forms, row))} |", flush=True)
    if args.output:
        draw(args.output, rows, machine)
        print(f"\n{args.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
