"""``puzzle15 compare``: several searches on one board, side by side."""

from __future__ import annotations

import argparse

from ..errors import BoardError, UnsolvableError
from ..searches import (
    ALGORITHMS,
    HEURISTICS,
    compare,
    format_header,
    format_row,
    plan_runs,
)
from ..system.figures import check_file
from .answers import answer_record
from .console import FAILED, OK, flush_output, reason, say, write_line
from .options import (
    add_folder,
    add_goal,
    add_output,
    add_run_limits,
    add_search_options,
    add_workers,
    check_can_draw,
    read_problem,
    search_options,
    to_algorithms,
    to_heuristics,
)
from .parser import Parser, set_command
from .plots import plot_comparison
from .references import read_heuristic
from .terminal import Progress


def add_compare(parser: Parser) -> None:
    set_command(
        parser,
        _compare,
        [
            'puzzle15 compare "8 6 7/2 5 4/3 0 1"',
            "puzzle15 compare 867254301 --algorithms astar,greedy --heuristics misplaced,manhattan --plot nodes.svg",
            'puzzle15 compare "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15" --time-limit 60 --json',
        ],
    )
    parser.add_argument("board", metavar="BOARD", help="a quoted board, as for solve")
    parser.add_argument(
        "--algorithms",
        type=to_algorithms,
        metavar="A,B,..",
        help=f"the searches to run, of {', '.join(ALGORITHMS)} (default: all on boards of up to 9 cells; on larger "
        "boards those that can solve some of them)",
    )
    parser.add_argument(
        "--heuristics",
        type=to_heuristics,
        metavar="X,Y,..",
        help=f"heuristics, as for solve --heuristic; each search that uses a heuristic runs with each of them "
        f"(default: {','.join(HEURISTICS)})",
    )
    add_goal(parser, "those of the goal, else those of the board")
    add_folder(parser)
    add_search_options(parser)
    add_run_limits(parser, "a run")
    add_workers(parser, "; each runs one search at a time, with its share of the memory (default: 1)")
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="draw the nodes that each run generated, with its time and memory, into a .png, .svg or .pdf file "
        "(needs the extra plot)",
    )
    add_output(parser, "print one JSON record per run")
    parser.epilog = f"{parser.epilog}\n\nThe exit code is 1 if no run found a solution."


def _compare(args: argparse.Namespace) -> int:
    if args.plot is not None:
        check_can_draw(check_file, args.plot)
    try:
        board, goal = read_problem(args)
    except (BoardError, UnsolvableError) as error:
        say(f"error: {reason(error)}")
        return FAILED
    heuristics = None if args.heuristics is None else [read_heuristic(name) for name in args.heuristics]
    runs = plan_runs(board.shape, algorithms=args.algorithms, heuristics=heuristics)
    answers = compare(
        board,
        algorithms=args.algorithms,
        heuristics=heuristics,
        goal=goal,
        tables=args.tables,
        max_nodes=args.max_nodes,
        time_limit_s=args.time_limit,
        max_memory=args.max_memory,
        workers=args.workers or 1,
        **search_options(args),
    )
    if not args.records:
        write_line(format_header(runs))
    solutions = []
    with Progress("compare", quiet=args.quiet) as progress:
        for number, run in enumerate(runs):
            progress.update(number / len(runs), str(run))
            solution = next(answers)
            progress.hide()
            solutions.append(solution)
            if args.records:
                record = answer_record(None, board, goal, solution, None, "tile", solution.algorithm)
                args.records.write([record])
            else:
                write_line(format_row(runs, solution))
            flush_output()
    if args.plot is not None:
        plot_comparison(solutions, args.plot)
    return OK if any(solution.status == "solved" for solution in solutions) else FAILED
