"""Draws what anytime searches know when: the best length and the proved lower bound over time, on ten of Korf's boards.

python bench/anytime.py -o bench/pictures/anytime.svg    # needs the extra `plot`
python bench/anytime.py --seconds 5 --algorithms ara*,beam-stack -o curves.png
"""

import argparse
import sys

import shared

from puzzle15 import search
from puzzle15._pictures.figures import check_file, new_figure
from puzzle15.board import KORF_GOAL, korf100
from puzzle15.searches import algorithm_of

#: From easy ones to hard ones, by the nodes of IDA* with Manhattan distance.
NUMBERS = (12, 42, 55, 79, 9, 3, 1, 21, 53, 88)
ALGORITHMS = "anytime-a*,ara*,beam-stack"
COLOURS = "#4e79a7", "#f28e2b", "#59a14f", "#b07aa1"


def steps(improvements, end):
    """(seconds, lengths, lower bounds), to the end of the search."""
    seconds = [max(better.seconds, 1e-3) for better in improvements] + [end]
    lengths = [better.length for better in improvements]
    bounds = [better.lower_bound for better in improvements]
    return seconds, lengths + lengths[-1:], bounds + bounds[-1:]


def draw(path, solutions, seconds):
    """One panel per board: above the shortest length the best known ones, below it the bounds."""
    from matplotlib.ticker import MaxNLocator

    figure = new_figure(11, 5.2)
    for place, (record, of_board) in enumerate(solutions):
        axes = figure.add_subplot(2, 5, place + 1)
        axes.axhline(record.length, color="#999999", linewidth=0.8, linestyle=":")
        for solution, colour in zip(of_board, COLOURS):
            if not solution.improvements:
                continue
            times, lengths, bounds = steps(solution.improvements, solution.seconds)
            axes.step(times, lengths, where="post", color=colour, linewidth=1.4, label=solution.algorithm)
            axes.step(times, bounds, where="post", color=colour, linewidth=1.0, linestyle="--")
            if solution.optimal:
                axes.plot(times[-1], record.length, "o", color=colour, markersize=4)
        axes.set_xscale("log")
        axes.set_xlim(1e-3, seconds)
        axes.minorticks_off()
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.set_title(f"board {record.number}: {record.length} moves", fontsize=8)
        axes.tick_params(labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
        if place % 5 == 0:
            axes.set_ylabel("moves", fontsize=8)
        if place >= 5:
            axes.set_xlabel("seconds", fontsize=8)
    handles = {label: handle for axes in figure.axes for handle, label in zip(*axes.get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    figure.suptitle(
        "Best length (full) and proved lower bound (dashed) over time, Manhattan distance; a dot is a proof",
        fontsize=10,
    )
    shared.save(figure, path, "anytime")


def main():
    parser = argparse.ArgumentParser(description="Draw what anytime searches know when, on ten of Korf's boards.")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="a .svg, .png or .pdf file")
    parser.add_argument("--seconds", type=float, default=10.0, help="per search (default: 10)")
    parser.add_argument("--algorithms", default=ALGORITHMS, metavar="A,B,..", help=f"default: {ALGORITHMS}")
    args = parser.parse_args()
    try:
        check_file(args.output)
        names = [algorithm_of(name).name for name in args.algorithms.split(",")]
        wrong = [name for name in names if "on_improvement" not in algorithm_of(name).options]
        if wrong or len(names) > len(COLOURS):
            raise ValueError(f"--algorithms {args.algorithms}: expected up to {len(COLOURS)} anytime searches")
    except (ImportError, OSError, ValueError) as error:
        parser.error(str(error))
    korf = {record.number: record for record in korf100()}
    solutions = []
    print(f"{'board':>5} {'moves':>5}  {'search':12} {'first':>14} {'last':>14} {'at least':>8}  status")
    for number in NUMBERS:
        record, found = korf[number], []
        for name in names:
            solution = search(record.board, goal=KORF_GOAL, algorithm=name, time_limit_s=args.seconds, max_memory="3G")
            found.append(solution)
            ends = [f"{better.length} in {better.seconds:.3f} s" for better in solution.improvements[::-1]]
            first, last = (ends[-1], ends[0]) if ends else ("-", "-")
            print(
                f"{number:5} {record.length:5}  {name:12} {first:>14} {last:>14} {solution.lower_bound:8}  "
                f"{solution.status}",
                flush=True,
            )
        solutions.append((record, found))
    draw(args.output, solutions, args.seconds)
    print(args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
