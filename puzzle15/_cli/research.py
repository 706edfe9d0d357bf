"""Commands for research: compare, tree, check-heuristic and reproduce."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from itertools import chain
from typing import Any

from .. import heuristics, papers, searches
from .. import page as pages
from .._pictures.figures import FILE_KINDS, PathLike, check_file, new_figure
from .._system.quantities import count_text, format_size
from ..board import Board, korf100
from ..board._notation import format_shape
from ..errors import BoardError, UnsolvableError
from ..heuristics._names import listed_names
from ..papers._reproduction import format_rows, format_summary
from ..searches import ALGORITHMS, SearchTree
from ..searches._algorithms import DEFAULT_HEURISTIC
from ..searches._comparison import HEURISTICS, TIME_LIMIT_S, format_row, plan_runs
from ..solver import Solution
from .console import FAILED, OK, Failed, Progress, UsageError, format_duration, say, write_line
from .options import ALGORITHM, FUNCTION, KORF, RECORDS, SEARCH, read_goal, read_problem, refuse, search_options
from .output import is_output, kind_of_file, write_picture
from .references import read_algorithm, read_heuristic
from .runner import lines_of
from .solve import solution_record

#: The options of commands that search for one board.
_SEARCH = f"""
--goal --shape --tables --max-nodes --max-length
--time-limit S={TIME_LIMIT_S:g}    stop a search after S seconds
--max-memory SIZE    stop a search when its nodes take this much memory, such as 500M (default: 1G, or less where less
    is free; in ida*-tt 256M)
{SEARCH} {RECORDS}
""".strip()


TYPES = {
    "A": read_algorithm,
    "ALGORITHMS": lambda text: [read_algorithm(name).name for name in text.split(",")],
    "HEURISTICS": lambda text: listed_names(text),  # which takes long to import
}

COMPARE = f"""
[board=BOARD]    a quoted board, as for solve; or name boards by --set
--by-distance    of a set, print a row for each distance, too, as far as one of the searches proves it
# input
--set
--easiest K    of {KORF}, take the K boards with the shortest solutions (default: all)
# output
-o, --output FILE    draw the nodes that each run generated, with its time and memory, or for a set the mean expansions
    by distance, into a .png, .svg or .pdf file (needs the extra plot)
--workers
# textbook searches
--algorithms ALGORITHMS    the searches to run, separated by commas, each {ALGORITHM}; or {FUNCTION}
    (default: all but the examples; on boards of more than 9 cells those that can solve some of them)
--heuristics HEURISTICS={",".join(HEURISTICS)}    heuristics, separated by commas, each as for solve --heuristic; each
    search that uses one runs with each of them
{_SEARCH} --counts

Of one board, each run is a row. Of a set, each row has the share of the boards that were solved, and the means of
those; --set - reads boards from standard input. The exit code is 1 if no run found a solution.

examples:
  puzzle15 compare "8 6 7/2 5 4/3 0 1"
  puzzle15 compare 867254301 --algorithms astar,greedy -o nodes.svg
  puzzle15 compare --set korf100 --easiest 12 --algorithms idastar,rbfs
  puzzle15 scramble --count 100 --shape 3x3 | puzzle15 compare --set -
"""


def compare(args: argparse.Namespace) -> int:
    if args.output is not None:
        kind_of_file(args, FILE_KINDS)
        check_file(args.output)
    if args.set is not None:
        return _compare_set(args)
    if args.board is None:
        raise UsageError('expected a board, such as "8 6 7/2 5 4/3 0 1", or --set')
    refuse(args, "--easiest --by-distance", "add --set")
    board, goal = read_problem(args)
    chosen = _chosen_runs(args)
    runs = plan_runs(board.shape, **chosen)
    options = {"goal": goal, "workers": args.workers, "counts": args.counts, **search_options(args)}
    answers = searches.compare(board, **chosen, **options)
    if not args.records:
        write_line(format_row(runs))
    solutions = []
    with Progress("compare", quiet=args.quiet) as progress:
        for number, run in enumerate(runs):
            progress.update(number / len(runs), str(run))
            solution = next(answers)
            solutions.append(solution)
            if args.records:
                args.records.write([solution_record(solution, "tile", True)])
            else:
                write_line(format_row(runs, solution))
    if args.output is not None:
        plot_comparison(solutions, args.output)
    return OK if any(solution.status == "solved" for solution in solutions) else FAILED


def _chosen_runs(args: argparse.Namespace) -> dict[str, Any]:
    """Return the algorithms and heuristics of a comparison, as `plan_runs` takes them."""
    if args.counts and not args.records:
        raise UsageError("--counts: add --json or --csv")
    given = [read_heuristic(name, quiet=args.quiet) for name in args.heuristics]
    # Algorithms without a heuristic refuse others than the default ones.
    return {"algorithms": args.algorithms, "heuristics": None if given == [*HEURISTICS] else given}


def _compare_set(args: argparse.Namespace) -> int:
    """Compare searches on a set of boards."""
    if args.board is not None:
        raise UsageError("expected boards from one source: the command line or --set; name one of them")
    refuse(args, "--counts", "it is for one board")
    if args.easiest is not None and args.set != KORF:
        raise UsageError(f"--easiest: expected --set {KORF}, whose distances are known")
    boards, goal = _boards_of_set(args)
    with Progress("compare", quiet=args.quiet) as progress:
        found = searches.compare_many(
            boards,
            **_chosen_runs(args),
            **search_options(args),
            goal=goal,
            workers=args.workers,
            progress=lambda done, total: progress.update(done / total, f"search {done} of {total}"),
        )
    if args.records:
        args.records.write(found.rows(by_distance=args.by_distance))
    else:
        write_line(found.table())
        if args.by_distance:
            write_line("\n" + found.table(by_distance=True))
    if args.output is not None:
        found.plot(args.output)
    return OK if any(batch.solved.any() for batch in found) else FAILED


def _boards_of_set(args: argparse.Namespace) -> tuple[list[Board], Board]:
    """Return the boards of ``--set``, which have one shape, and their goal."""
    goal_of, shape = read_goal(args)
    boards: list[Board] = []
    for number, text in chain.from_iterable(lines_of(args, [])):
        try:
            board, _ = read_problem(args, text)
            if board.shape != (shape := shape or board.shape):
                raise BoardError(f"{text}: expected {format_shape(shape)}, as of the boards before")
        except (BoardError, UnsolvableError) as error:
            raise Failed(f"line {number}: {error}") from None
        boards.append(board)
    if shape is None or not boards:
        raise Failed(f"{args.set}: expected boards, one per line; there are none")
    if args.easiest is not None:
        lengths = {record.board: record.length for record in korf100()}
        boards = sorted(boards, key=lengths.__getitem__)[: args.easiest]
    return boards, goal_of(shape)


def plot_comparison(solutions: Sequence[Solution], path: PathLike) -> None:
    """Draw the nodes that each search generated: bars on a logarithmic scale, one colour per algorithm.

    Beside each bar stands what the search found and what it took. Full bars are solutions that are proved optimal, pale
    bars are solutions that may be too long, and hatched bars are searches that found none.
    """
    from matplotlib import colormaps
    from matplotlib.patches import Patch

    figure = new_figure(10, 1.4 + 0.27 * len(solutions))
    axes = figure.add_subplot()
    names = dict.fromkeys((*ALGORITHMS, *(solution.algorithm for solution in solutions)))
    colours = {name: colormaps["tab20"](number % 20) for number, name in enumerate(names)}
    kinds: dict[str, dict[str, Any]] = {
        "proved optimal": {"alpha": 1.0},
        "not proved": {"alpha": 0.4},
        "no solution": {"fill": False, "hatch": "////"},
    }
    for row, solution in enumerate(solutions):
        kind = "proved optimal" if solution.optimal else "no solution" if solution.moves is None else "not proved"
        count, colour = max(solution.generated, 1), colours[solution.algorithm]
        axes.barh(row, count, color=colour, edgecolor=colour, linewidth=0.8, **kinds[kind])
        beside = {"xytext": (4, 0), "textcoords": "offset points", "va": "center", "fontsize": 8}
        axes.annotate(_outcome(solution), (count, row), **beside)
    labels = [solution.algorithm + (f", {solution.heuristic}" if solution.heuristic else "") for solution in solutions]
    axes.set_yticks(range(len(solutions)), labels)
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="nodes generated")
    axes.set_xlim(1, max(10, *(solution.generated for solution in solutions)))  # the layout adds space for the texts
    axes.set_title(f"from {solutions[0].board} to {solutions[0].goal}", fontsize=10)
    samples = [Patch(facecolor="#555555", edgecolor="#555555", label=name, **style) for name, style in kinds.items()]
    figure.legend(handles=samples, loc="outside lower right", ncols=3, frameon=False, fontsize=8)
    figure.savefig(path, dpi=150)


def _outcome(solution: Solution) -> str:
    """Return text such as ``10,981 nodes, 31 moves, 3.1 ms, 141 kB``."""
    if solution.moves is None:
        outcome = f"{solution.status}, at least {count_text(solution.lower_bound, 'move')}"
    elif solution.status == "solved":
        outcome = count_text(len(solution), "move")
    else:
        outcome = f"{solution.status}, {solution.lower_bound} to {solution.length} moves"
    memory = [format_size(solution.memory_bytes)] if solution.memory_bytes else []
    return ", ".join([count_text(solution.generated, "node"), outcome, format_duration(solution.seconds), *memory])


_MOST_EXPANSIONS = 2_000


TREE = f"""
board=BOARD    a quoted board, as for solve
-o, --output FILE    the file to write: a picture (.svg), or a page that goes through the expansions (.html); - is
    standard output, as SVG (default: standard output, unless that is a terminal)
--expansions K=30    draw the first K expansions; the search goes on to its end
# output
--colours rows|rings|plain=plain    what the colour of a tile in a picture shows: the row or the ring of its cell in the
    goal, or nothing
# textbook searches
--algorithm A=a*    {ALGORITHM}; or {FUNCTION}
--heuristic
{_SEARCH}

A search that finds no solution is drawn, too; the exit code is 0. With --json and --csv, which print the
expansions, it is drawn only into a file that is named.

examples:
  puzzle15 tree "1 2 3/7 4 6/5 0 8" -o tree.svg
  puzzle15 tree 235406178 --algorithm idastar --expansions 60 -o tree.html
"""


def tree(args: argparse.Namespace) -> int:
    kind = None if args.records and is_output(args.output) else kind_of_file(args, (".svg", ".html"))
    if kind == ".html" and args.colours != "plain":
        raise UsageError(f"{args.output}: --colours {args.colours} is for pictures; expected a name that ends in .svg")
    if args.expansions > _MOST_EXPANSIONS:
        raise UsageError(f"--expansions {args.expansions}: expected at most {_MOST_EXPANSIONS}")
    board, goal = read_problem(args)
    given = args.heuristic or (DEFAULT_HEURISTIC if args.algorithm.informed else None)
    names = None if given is None else [read_heuristic(given, quiet=args.quiet)]
    chosen: dict[str, Any] = {"algorithms": [args.algorithm.name], "heuristics": names}
    (run,) = plan_runs(board.shape, **chosen)
    tree = SearchTree(max_expansions=args.expansions)
    with Progress("tree", quiet=args.quiet) as progress:
        progress.update(None, str(run))
        (tree.solution,) = searches.compare(board, on_expand=tree.add, goal=goal, **chosen, **search_options(args))
    if not tree.expansions and args.algorithm.function and tree.solution.expanded:
        what = f"algorithm {args.algorithm.name!r} tells of no expansions"
        raise Failed(f"{what}; expected its function to call progress.expand")
    if not tree.expansions:
        raise Failed("nothing was expanded: a limit stopped the search at once; expected larger limits")
    if args.records:
        args.records.write(expansion.to_dict() for expansion in tree.expansions)
    if kind is not None:
        write_picture(args.output, (pages.page(tree) if kind == ".html" else tree.svg(colours=args.colours)).encode())
        text = f"{tree.title}; {_end(tree, tree.solution)}"
        if not (args.records or is_output(args.output)):
            write_line(f"{args.output}: {text}")
        elif not args.quiet:  # standard output holds records or the picture
            say(text)
    return OK


def _end(tree: SearchTree, solution: Solution) -> str:
    """Return how the search ended."""
    drawn = sum(expansion.fate == "expanded" for expansion in tree.expansions)
    search = "the search went on and" if tree.truncated and drawn < solution.expanded else "the search"
    if solution.length is not None:
        found = f"{search} found {count_text(solution.length, 'move')}"
        return found if solution.status == "solved" else f"{found}, then reached a limit"
    end = "reached a limit" if solution.status == "limit" else "found no solution"
    return f"{search} {end}; a solution has at least {count_text(solution.lower_bound, 'move')}"


CHECK_HEURISTIC = f"""
heuristic=HEURISTIC    a heuristic, as for solve --heuristic; a function, as FILE.py:NAME
--boards K=10000    try about K boards of a shape that has too many to try them all
--claim admissible|consistent..    claim this for the heuristic, beside what it claims itself; can be given twice
--own-shape    try only this shape, and not the smaller ones 2x2, 2x3 and 3x3, too
--time-limit S=30    try fewer boards if more would take over S seconds
--seed --goal --shape --tables {RECORDS}

The exit code is 1 if a claim is broken: the heuristic claims to be admissible or consistent, or --claim
does, and it is not. A function that claims nothing breaks no claim.

examples:
  puzzle15 check-heuristic linear-conflict --shape 3x3
  puzzle15 check-heuristic "max(manhattan,walking-distance)" --boards 1000
"""


def check_heuristic(args: argparse.Namespace) -> int:
    goal_of, shape = read_goal(args)
    with Progress("check-heuristic", quiet=args.quiet) as progress:
        report = heuristics.check_heuristic(
            read_heuristic(args.heuristic, quiet=args.quiet),
            goal=None if args.goal is None and shape is None else goal_of(shape or (4, 4)),
            boards=args.boards,
            claims=args.claim,
            small_shapes=not args.own_shape,
            seed=args.seed,
            time_limit_s=args.time_limit,
            tables=args.tables,
            progress=progress.update,
        )
    if args.records:
        args.records.write([report.to_dict()])
    else:
        write_line(str(report))
    return OK if report else FAILED


REPRODUCE = f"""
[paper={"|".join(papers.PAPERS)}]    the paper; without it, the papers are listed
--boards K    number of random boards of each kind or sample (default: as many as the paper has, or fewer)
--samples K    samples of each kind of boards (default: as many as the paper has, or fewer)
--seed SEED    seed of the random boards (default: one for each paper, so that runs repeat)
-o, --output FOLDER    draw figures into this folder, too (needs the extra plot)
{RECORDS}

Each figure of a paper is equal (exactly, or within three standard errors of random boards), or different with a cause
that was tried, or different without one; then the exit code is 1. Times, which depend on the machine, and figures that
the paper does not have are not compared.

examples:
  puzzle15 reproduce bischoff --boards 100000
  puzzle15 reproduce cahlik -o .   # after: puzzle15 build 7-8 --format classic
  puzzle15 reproduce spagnoletto --boards 1000 --samples 1 -o .
"""


def reproduce(args: argparse.Namespace) -> int:
    if args.paper is None:
        refuse(args, "--boards --samples --seed --output", "name a paper, too")
        if args.records:
            args.records.write({"paper": name, "title": paper.title} for name, paper in papers.PAPERS.items())
        else:
            for name, paper in papers.PAPERS.items():
                write_line(f"{name:12} {paper.title}")
        return OK
    function = import_module(f"{papers.__name__}.{papers.PAPERS[args.paper].module}").reproduce
    taken = signature(function).parameters
    given = {name: getattr(args, name) for name in ("boards", "samples", "seed") if getattr(args, name) is not None}
    for name in given.keys() - taken:
        raise UsageError(f"--{name}: {args.paper} does not use it; leave it out")
    if args.output is not None:
        new_figure(1, 1)
        try:
            os.makedirs(args.output, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot draw into {args.output}: {error.strerror}") from None
    with Progress(args.paper, quiet=args.quiet) as progress:
        rows = papers.reproduce(args.paper, plots=args.output, progress=progress.update, **given)
    if args.records:
        args.records.write_table({"paper": args.paper}, "rows", (row.record() for row in rows))
    else:
        write_line(format_rows(rows))
    if not args.quiet:
        say(format_summary(rows))
    return FAILED if any(row.verdict == "no cause" for row in rows) else OK
