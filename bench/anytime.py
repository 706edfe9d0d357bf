"""Draws what anytime searches know when: best length and proved lower bound over time, on four of Korf's boards.

python bench/anytime.py -o bench/pictures/anytime.svg    # needs the extra `plot`
python bench/anytime.py --seconds 5 --algorithms ara*,beam-stack -o curves.png
"""

import argparse
import sys

import shared

from puzzle15 import search
from puzzle15._pictures.figures import check_file
from puzzle15.board import KORF_GOAL, korf100
from puzzle15.searches import algorithm_of

#: From easy ones to hard ones, by the nodes of IDA* with Manhattan distance.
NUMBERS = (12, 9, 1, 88)
ALGORITHMS = "anytime-a*,ara*,beam-stack"


def steps(improvements, end):
    """(seconds, lengths, lower bounds), to the end of the search."""
    seconds = [max(better.seconds, 1e-3) for better in improvements] + [end]
    lengths = [better.length for better in improvements]
    bounds = [better.lower_bound for better in improvements]
    return seconds, lengths + lengths[-1:], bounds + bounds[-1:]


def draw(path, solutions, seconds, machine):
    """One panel per board: above the shortest length the best known ones, below it the bounds."""
    titles = [f"board {record.number}: {record.length} moves" for record, _ in solutions]
    figure, panels = shared.panels(titles, machine, height=2.4)
    for axes, (record, of_board) in zip(panels, solutions):
        axes.axhline(record.length, color="#808080", linewidth=0.8, linestyle=":")
        for solution, colour in zip(of_board, shared.CURVES):
            if not solution.improvements:
                continue
            times, lengths, bounds = steps(solution.improvements, solution.seconds)
            axes.step(times, lengths, where="post", color=colour, linewidth=1.4, label=solution.algorithm)
            axes.step(times, bounds, where="post", color=colour, linewidth=1.2, linestyle="--")
            if solution.optimal:
                axes.plot(times[-1], record.length, "o", color=colour, markersize=5)
        axes.set(xscale="log", xlim=(1e-3, seconds), xlabel="seconds", ylabel="moves")
        axes.xaxis.set_major_formatter(lambda number, _: f"{number:,g}")
        axes.minorticks_off()
    handles = {label: handle for axes in figure.axes for handle, label in zip(*axes.get_legend_handles_labels())}
    panels[0].legend(handles.values(), handles.keys(), loc="upper right", frameon=False, fontsize=9)
    known = [axes.dataLim.intervaly for axes in panels]
    for axes in panels:
        axes.set_ylim(min(low for low, _ in known) - 2, max(high for _, high in known) + 2)
    words = f"Best length (full) and proved lower bound (dashed); a dot is a proof within {seconds:g} s"
    figure.suptitle(words, fontsize=10)
    boards = "; ".join(titles)
    shared.save(
        figure,
        path,
        f"Anytime searches with Manhattan distance: {words[0].lower()}{words[1:]}",
        f"Moves over seconds, for four of Korf's boards: {boards}. Measured on {machine}.",
    )


def main():
    parser = argparse.ArgumentParser(description="Draw what anytime searches know when, on four of Korf's boards.")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="a .svg, .png or .pdf file")
    parser.add_argument("--seconds", type=float, default=10.0, help="per search (default: 10)")
    parser.add_argument("--algorithms", default=ALGORITHMS, metavar="A,B,..", help=f"default: {ALGORITHMS}")
    parser.add_argument("--note", metavar="WORDS", help="what else to say of the machine")
    args = parser.parse_args()
    try:
        check_file(args.output)
        names = [algorithm_of(name).name for name in args.algorithms.split(",")]
        wrong = [name for name in names if "on_improvement" not in algorithm_of(name).options]
        if wrong or len(names) > len(shared.CURVES):
            raise ValueError(f"--algorithms {args.algorithms}: expected up to {len(shared.CURVES)} anytime searches")
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
    draw(args.output, solutions, args.seconds, shared.machine(args.note))
    print(args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
