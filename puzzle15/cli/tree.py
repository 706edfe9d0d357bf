"""``puzzle15 tree``: the search tree of one board, as a picture or as a page that steps through it."""

from __future__ import annotations

import argparse

from ..errors import BoardError, UnsolvableError
from ..pictures import COLOURS
from ..searches import ALGORITHMS, DEFAULT_HEURISTIC, SearchTree, algorithm_of, compare, plan_runs
from ..solver import Solution
from ..system.quantities import option_type
from .console import FAILED, OK, UsageError, reason, say, write_line
from .files import is_output, kind_of_file, write_picture
from .options import (
    add_folder,
    add_goal,
    add_output,
    add_run_limits,
    add_search_options,
    read_problem,
    search_options,
    to_positive,
)
from .parser import Parser, set_command
from .references import read_heuristic
from .terminal import Progress

_KINDS = (".svg", ".html")
_NODES, _MOST_NODES = 30, 2_000


def add_tree(parser: Parser) -> None:
    set_command(
        parser,
        _tree,
        [
            'puzzle15 tree "1 2 3/7 4 6/5 0 8" -o tree.svg',
            "puzzle15 tree 235406178 --algorithm idastar --nodes 60 -o tree.html",
            'puzzle15 tree "2 3 5/4 0 6/1 7 8" --algorithm greedy --heuristic misplaced --json',
        ],
    )
    parser.add_argument("board", metavar="BOARD", help="a quoted board, as for solve")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the file to write: a picture (.svg), or a page that steps through the expansions (.html); - is standard "
        "output, as SVG (default: - unless that is a terminal)",
    )
    parser.add_argument(
        "--algorithm",
        type=option_type(algorithm_of),
        default=ALGORITHMS["a*"],
        metavar="A",
        help=f"{', '.join(ALGORITHMS)} (default: a*); write astar for a*, because shells expand the star",
    )
    parser.add_argument(
        "--heuristic", metavar="H", help=f"a heuristic, as for solve --heuristic (default: {DEFAULT_HEURISTIC})"
    )
    parser.add_argument(
        "--nodes",
        type=to_positive,
        default=_NODES,
        metavar="N",
        help=f"draw the first N expansions (default: {_NODES}); the search goes on to its end",
    )
    parser.add_argument(
        "--colours",
        choices=COLOURS,
        default="plain",
        help="what the colour of a tile tells: the row or the ring of its place in the goal, or nothing (the default)",
    )
    add_goal(parser, "those of the goal, else those of the board")
    add_folder(parser)
    add_search_options(parser)
    add_run_limits(parser, "the search")
    add_output(parser, "print one JSON record per expansion, and draw only into a file that is named")
    parser.epilog = f"{parser.epilog}\n\nA search that finds no solution is drawn, too; the exit code is 0."


def _tree(args: argparse.Namespace) -> int:
    kind = None if args.records and is_output(args.output) else kind_of_file(args.output, _KINDS, "tree")
    if args.nodes > _MOST_NODES:
        raise UsageError(f"--nodes {args.nodes}: expected at most {_MOST_NODES}")
    try:
        board, goal = read_problem(args)
    except (BoardError, UnsolvableError) as error:
        say(f"error: {reason(error)}")
        return FAILED
    names = [args.algorithm.name]
    given = args.heuristic or (DEFAULT_HEURISTIC if args.algorithm.informed else None)
    heuristics = None if given is None else [read_heuristic(given)]
    (run,) = plan_runs(board.shape, algorithms=names, heuristics=heuristics)
    tree = SearchTree(max_expansions=args.nodes)
    with Progress("tree", quiet=args.quiet) as progress:
        progress.update(None, str(run))
        (tree.solution,) = compare(
            board,
            algorithms=names,
            heuristics=heuristics,
            goal=goal,
            tables=args.tables,
            max_nodes=args.max_nodes,
            time_limit_s=args.time_limit,
            max_memory=args.max_memory,
            on_expand=tree.add,
            **search_options(args),
        )
    if not tree.expansions:
        say("error: nothing was expanded: a limit stopped the search at once; expected larger limits")
        return FAILED
    if args.records:
        args.records.write(expansion.to_dict() for expansion in tree.expansions)
    if kind is not None:
        draw = tree.html if kind == ".html" else tree.svg
        write_picture(args.output, draw(colours=args.colours).encode())
        text = f"{tree.title}; {_end(tree, tree.solution)}"
        if not (args.records or is_output(args.output)):
            write_line(f"{args.output}: {text}")
        elif not args.quiet:  # standard output holds records or the picture
            say(text)
    return OK


def _end(tree: SearchTree, solution: Solution) -> str:
    """How the search ended."""
    search = "the search went on and" if tree.truncated else "the search"
    if solution.moves is not None:
        found = f"{search} found {solution.length} move{'s' * (solution.length != 1)}"
        return found if solution.status == "solved" else f"{found}, then reached a limit"
    end = "reached a limit" if solution.status == "limit" else "found no solution"
    return f"{search} {end}; a solution has at least {solution.lower_bound} move{'s' * (solution.lower_bound != 1)}"
