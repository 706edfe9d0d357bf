"""``puzzle15 solve``: its options, their checks, and where the boards come from."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from typing import Any

from .. import local_vi, published
from ..board import METRICS, MOVE_CONVENTIONS
from ..searches import ALGORITHMS, algorithm_of, check_options
from ..tables import CHECKS, FORMATS
from .console import UsageError
from .options import (
    add_cluster,
    add_folder,
    add_goal,
    add_max_length,
    add_output,
    add_search_options,
    add_workers,
    search_options,
    to_algorithm,
    to_count,
    to_positive,
    to_seconds,
    to_size,
    workers_of,
)
from .parser import Parser, set_command
from .session import Session
from .sources import check_quoted, open_lines


def add_solve(parser: Parser) -> None:
    set_command(
        parser,
        _solve,
        [
            'puzzle15 solve "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"',
            "puzzle15 solve --goal blank-first 712043865 --json",
            "puzzle15 solve --set korf100 --workers 2",
            "puzzle15 solve --all --max-solutions 10 867254301",
            "puzzle15 solve --metric mtm 867254301",
            "puzzle15 solve --algorithm astar --heuristic linear-conflict 867254301",
            "puzzle15 solve -i boards.txt --algorithm idastar --workers 2",
            'puzzle15 solve --algorithm anytime-astar --time-limit 5 "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"',
            "puzzle15 solve -i boards.txt --algorithm local-value-iteration --initial-size 4",
            "puzzle15 solve -i boards.txt --dask tcp://scheduler:8786 --build",
            "generate_boards | puzzle15 solve --time-limit 10 > answers.txt",
        ],
    )
    parser.add_argument(
        "boards",
        nargs="*",
        metavar="BOARD",
        help="a quoted board: '1 2 3/4 5 6/7 8 0', a flat list, hex digits, or a JSON list; without BOARD, boards are "
        "read from standard input, one per line; blank lines and # comments are skipped",
    )
    parser.add_argument(
        "-i", "--input", metavar="FILE", help="read boards from FILE, one per line; - is standard input"
    )
    parser.add_argument(
        "--set",
        choices=["korf100"],
        help="solve a bundled set of boards for its own goal, and compare with the known lengths",
    )
    add_goal(parser, "those of the goal, else those of each board")
    parser.add_argument(
        "--partition",
        metavar="P",
        help="use these tables: 7-8, 6-6-3, .., tiles such as 1-8/9-15 (1-6/10-15 with --metric mtm), or embedded for "
        "small tables that are built in memory (default: the best installed tables; puzzle15 info lists them)",
    )
    parser.add_argument("--format", choices=list(FORMATS), help="use only tables of this format")
    parser.add_argument(
        "--metric",
        choices=METRICS,
        default="stm",
        help="what solutions have the fewest of: single-tile moves (stm), or multi-tile moves (mtm), which slide one "
        "or more tiles along a line; lengths and bounds count these (default: stm)",
    )
    add_folder(parser)
    parser.add_argument(
        "--check-tables",
        choices=CHECKS,
        help="when to compare all bytes of the table files with their checksums; once means before the first use and "
        "after each change of a file (default: once)",
    )
    add_workers(
        parser, ", for one hard board or for the boards of a file; with --algorithm for those of a file (default: 1)"
    )
    add_cluster(parser, "solve the boards of a file or a set")
    parser.add_argument(
        "--all",
        action="store_true",
        help="print all shortest solutions of each board, in the order of their moves (UDLR)",
    )
    parser.add_argument(
        "--max-solutions", type=to_positive, metavar="N", help="with --all, print at most N solutions of each board"
    )
    add_max_length(
        parser, "stop searching a board when its solutions are proved to have more than N moves; with --algorithm, "
    )
    parser.add_argument(
        "--max-nodes", type=to_count, metavar="N", help="stop searching a board after N generated nodes, such as 10M"
    )
    parser.add_argument("--time-limit", type=to_seconds, metavar="S", help="stop searching a board after S seconds")
    parser.add_argument(
        "--moves",
        choices=MOVE_CONVENTIONS,
        default="tile",
        help="whether a move letter is the direction of the tile or of the blank (default: tile)",
    )
    parser.add_argument(
        "--no-reflection",
        dest="reflection",
        action="store_false",
        help="use one view of the tables, without its reflection",
    )
    parser.add_argument("--plain", action="store_true", help="use the textbook IDA*, for comparisons")
    group = parser.add_argument_group(
        "searches by name", "use a textbook search instead of the tables' own; these options need --algorithm"
    )
    group.add_argument(
        "--algorithm",
        type=to_algorithm,
        metavar="A",
        help=f"{', '.join(ALGORITHMS)}, {local_vi.ALGORITHM}; write astar for a*, because shells expand the star",
    )
    group.add_argument(
        "--heuristic",
        metavar="H",
        help="zero, misplaced, manhattan (the default), reversal, linear-conflict, walking-distance, "
        "tables, tables:7-8, tables:7-8:classic, sum(tables:1-4,tables:5-8), ann (a neural network, near-optimal), "
        "ann:NETWORK, ann:NETWORK:LOWERED, a function of your own as path/to/file.py:NAME or package.module:NAME, or "
        "max(tables,walking-distance) for the largest of several",
    )
    add_search_options(group)
    group.add_argument(
        "--prove",
        action="store_true",
        help="if a solution is not proved to be shortest, use the tables to prove it or to find a shorter one",
    )
    group.add_argument(
        "--initial-size",
        type=to_positive,
        metavar="L",
        help=f"the number of tiles that each stage of {local_vi.ALGORITHM} brings home (default: 1)",
    )
    group.add_argument(
        "--max-memory",
        type=to_size,
        metavar="SIZE",
        help="stop searching a board when its nodes take this much memory, such as 500M (default: three quarters of "
        "the available memory)",
    )
    add_output(parser, "print one JSON record per board")


def _solve(args: argparse.Namespace) -> int:
    _check_source(args)
    _check_search(args)
    _check_cluster(args)
    _check_metric(args)
    _check_all(args)
    session = Session(args)
    try:
        with _open_boards(args) as (texts, many), workers_of(args) as workers:
            if args.dask or (many and not args.all and (args.algorithm is None or (args.workers or 1) > 1)):
                session.answer_in_chunks(texts, workers)
            else:
                for text in texts:
                    session.answer(text)
    finally:
        session.summarize()
    return session.verdict()


def _check_source(args: argparse.Namespace) -> None:
    if bool(args.boards) + (args.input is not None) + (args.set is not None) > 1:
        raise UsageError("expected boards from one source: the command line, --input or --set; name one of them")
    check_quoted("solve", args.boards)


def _check_search(args: argparse.Namespace) -> None:
    """Refuse options that the kind of search asked for does not use."""
    options: dict[str, Any] = search_options(args)
    if args.heuristic is not None:
        options["heuristic"] = args.heuristic
    if args.prove:
        options["prove"] = True
    if args.algorithm is None:
        options.pop("max_length", None)  # the tables' own search knows it, too
        if args.max_memory is not None:
            options["max_memory"] = args.max_memory
        wrong = ["--" + name.replace("_", "-") for name in options]
        hint = "add --algorithm"
    else:
        tables_own = {
            "--partition": args.partition,
            "--format": args.format,
            "--no-reflection": not args.reflection,
            "--plain": args.plain,
            "--dask": args.dask,
            "--build": args.build,
            "--check-tables": args.check_tables,
            "--all": args.all,
            "--metric mtm": args.metric == "mtm",
        }
        wrong = [name for name, value in tables_own.items() if value]
        hint = "leave out --algorithm; or name the tables of a heuristic, as in tables:7-8:classic"
    if wrong:
        raise UsageError(f"{', '.join(wrong)}: {hint}")
    if args.algorithm == local_vi.ALGORITHM:
        options.update(
            workers=args.workers, max_nodes=args.max_nodes, time_limit=args.time_limit, max_memory=args.max_memory
        )
        wrong = ["--" + name.replace("_", "-") for name, value in options.items() if value is not None]
        if wrong:
            raise UsageError(f"{', '.join(wrong)}: {args.algorithm} does not use it; its only option is --initial-size")
    elif args.initial_size is not None:
        raise UsageError(f"--initial-size: add --algorithm {local_vi.ALGORITHM}")
    elif args.algorithm is not None:
        if args.workers is not None and args.input in (None, "-") and args.set is None:
            raise UsageError("--workers: with --algorithm, expected boards from a file (--input) or a set (--set)")
        check_options([algorithm_of(args.algorithm)], [name for name in options if name not in ("move_order", "prove")])


def _check_metric(args: argparse.Namespace) -> None:
    """Refuse what does not go with multi-tile moves."""
    others = {"--format": args.format, "--plain": args.plain, "--all": args.all}
    wrong = [name for name, value in others.items() if value]
    if args.metric == "mtm" and wrong:
        raise UsageError(f"{', '.join(wrong)}: cannot be used with --metric mtm; leave it out")


def _check_all(args: argparse.Namespace) -> None:
    """Refuse what does not go with all solutions."""
    if args.max_solutions is not None and not args.all:
        raise UsageError(
            "--max-solutions: add --all; to limit the search, use --max-length, --max-nodes or --time-limit"
        )
    others = {"--max-length": args.max_length, "--dask": args.dask}
    wrong = [name for name, value in others.items() if value is not None]
    if args.all and wrong:
        raise UsageError(f"{', '.join(wrong)}: cannot be used with --all; leave it out")


def _check_cluster(args: argparse.Namespace) -> None:
    """Refuse what does not work on a cluster."""
    if args.dask is None:
        return
    if args.input in (None, "-") and args.set is None:
        raise UsageError("--dask: expected boards from a file (--input) or a set (--set)")
    alone = {"--workers": args.workers, "--time-limit": args.time_limit}
    wrong = [name for name, value in alone.items() if value is not None]
    if wrong:
        raise UsageError(f"{', '.join(wrong)}: cannot be used with --dask; leave it out")


@contextlib.contextmanager
def _open_boards(args: argparse.Namespace) -> Iterator[tuple[Iterator[str], bool]]:
    """(the boards as texts, whether all of them can be read at once)"""
    if args.boards:
        yield iter(args.boards), False
    elif args.set:
        yield iter([str(record.board) for record in published.korf100()]), True
    else:
        with open_lines(args.input, "boards", args.quiet) as lines:
            yield lines
