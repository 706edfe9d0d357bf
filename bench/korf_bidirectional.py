"""How many nodes do searches from one end and from both expand on Korf's 100 boards, beside the published means?

    python bench/korf_bidirectional.py [--algorithms nbs,mme] [--boards 1-100] [--lines FILE] [--max-memory 6G]

It prints a line per algorithm and board: algorithm, board, moves, expanded, generated, seconds, bytes, expanded until
the best solution was found, and C* - f and the number of nodes for each f. With --lines, it also appends them to a
file, and does not repeat the runs that the file has: so it goes on where it was stopped, and several files may be
joined.  At the end it prints the means, of the boards that each algorithm solved, all nodes and by C* - f.

A processor of its own expands one to three million nodes per second. 46 million expansions (board 15 with NBS) take
1.5 GB. Published: J. Chen, R. C. Holte, S. Zilles,
N. R. Sturtevant, "Front-to-end bidirectional heuristic search with near-optimal node expansions", IJCAI 2017.
"""

import argparse
import re
from collections import Counter
from pathlib import Path

from puzzle15 import search
from puzzle15.board import KORF_GOAL, korf100
from puzzle15.searches import algorithm_of

#: Mean expansions over all 100 boards, with Manhattan distance.
PUBLISHED = {"a*": 15_549_689, "mme": 13_162_312, "nbs": 12_851_889}


def board_range(text):
    """The numbers of ``1-10,79``."""
    if not re.fullmatch(r"\d+(-\d+)?(,\d+(-\d+)?)*", text):
        raise argparse.ArgumentTypeError(f"boards {text!r}: expected numbers and ranges, such as 1-10,79")
    ends = [(part + "-" + part).split("-")[:2] for part in text.split(",")]
    numbers = [number for first, last in ends for number in range(int(first), int(last) + 1)]
    if not numbers or not 1 <= min(numbers) <= max(numbers) <= 100:
        raise argparse.ArgumentTypeError(f"boards {text!r}: expected numbers from 1 to 100")
    return numbers


def algorithms(text):
    try:
        return [algorithm_of(name).name for name in text.split(",")]
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def runs_in(path):
    """(algorithm, board) -> the columns of a file's line."""
    lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
    return {(row[0], int(row[1])): row for row in (line.split("\t") for line in lines) if len(row) == 9}


def run(algorithm, record, max_memory):
    """The columns of a line; the number of moves is 0 if the memory was not enough."""
    solution = search(record.board, goal=KORF_GOAL, algorithm=algorithm, max_memory=max_memory, counts=True)
    assert not solution.optimal or solution.length == record.length
    length, nodes = solution.length if solution.optimal else 0, solution.counts.expanded.sum(axis=0)
    layers = " ".join(f"{length - f}:{nodes[f]}" for f in nodes.nonzero()[0]) if length else ""
    counts = (length, solution.expanded, solution.generated, f"{solution.seconds:.2f}", solution.memory_bytes)
    return [algorithm, str(record.number), *map(str, counts), str(solution.counts.expanded_to_best), layers]


def summary(rows):
    """The means of each algorithm, beside the published ones."""
    for algorithm in dict.fromkeys(row[0] for row in rows):
        own = [row for row in rows if row[0] == algorithm]
        solved = [row for row in own if row[2] != "0"]
        expanded, seconds = sum(int(row[3]) for row in solved), sum(float(row[5]) for row in solved)
        most = max((int(row[6]) for row in solved), default=0)
        line = f"{algorithm:5} {len(solved):3} of {len(own):3} boards"
        if solved:
            line += f"  mean {expanded / len(solved):12,.0f} expanded  {seconds:7.0f} s  {most / 1e6:6,.0f} MB at most"
        if len(solved) == 100 and algorithm in PUBLISHED:
            published = PUBLISHED[algorithm]
            line += f"  published {published:,}: {expanded / 100 / published - 1:+.1%}"
        yield line
        if solved:
            yield layer_means(solved)


def layer_means(solved):
    """The mean expansions with f = C*, with f below, and until the best solution was found."""
    layers = Counter()
    for row in solved:
        for layer in row[8].split():
            below, nodes = map(int, layer.split(":"))
            layers[below] += nodes
    means = [f"C* - {below}: {layers[below] / len(solved):,.0f}" for below in (0, 2, 4, 6, 8)]
    least = sum(nodes for below, nodes in layers.items() if below > 0) / len(solved)
    to_best = sum(int(row[7]) for row in solved) / len(solved)
    return f"      f < C*: {least:,.0f}; {', '.join(means)}; until the best solution: {to_best:,.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--algorithms", type=algorithms, default=["nbs", "mme", "mm", "a*"])
    parser.add_argument("--boards", type=board_range, default=list(range(1, 101)), help="such as 1-10,79")
    parser.add_argument("--lines", type=Path, help="file of the lines, to which they are appended")
    parser.add_argument("--max-memory", default="6G")
    args = parser.parse_args()
    known, rows = runs_in(args.lines), []
    records = {record.number: record for record in korf100()}
    for algorithm in args.algorithms:
        for number in args.boards:
            row = known.get((algorithm, number))
            if row is None:
                row = run(algorithm, records[number], args.max_memory)
                if args.lines:
                    with args.lines.open("a", encoding="utf-8") as file:
                        file.write("\t".join(row) + "\n")
            print("\t".join(row), flush=True)
            rows.append(row)
    print(*summary(rows), sep="\n")


if __name__ == "__main__":
    main()
