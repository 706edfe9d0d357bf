"""Options that commands share, and what their values mean."""

from __future__ import annotations

import argparse
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Optional

from .. import local_vi, parallel, searches, tables
from ..board import Board, Shape, check_shape, home_cell, parse_goal, read_board
from ..errors import BoardError
from ..searches import TIES, algorithm_of, users_of
from ..solver import Solver
from ..system.names import plain_name
from ..system.quantities import option_type, parse_count, parse_size, parse_whole
from .console import UsageError, reason, say
from .records import add_records

if TYPE_CHECKING:
    from fractions import Fraction

_NODES_PER_SECOND = 1_000_000  # every search is faster
_MOST_NODES = 200_000  # of a board in a chunk, if it may be answered alone after that: some hundredths of a second

#: A parser, or a group of its options.
Container = argparse._ActionsContainer


def add_goal(parser: Container, default_shape: str) -> None:
    parser.add_argument(
        "--goal", metavar="BOARD", help="the goal: a board, blank-last (the default), or blank-first, also called korf"
    )
    parser.add_argument("--shape", type=to_shape, metavar="RxC", help=f"rows and columns (default: {default_shape})")


def add_search_options(parser: Container) -> None:
    parser.add_argument(
        "--ties",
        choices=TIES,
        help=f"which of equally good nodes is expanded first, by {users_of('ties')}",
    )
    parser.add_argument(
        "--move-order",
        type=to_move_order,
        metavar="ULRD",
        help="the order in which the blank's directions are tried (default: ULRD)",
    )
    parser.add_argument(
        "--weight",
        type=to_weight,
        metavar="W",
        help=f"the weight of h, or of the first round, in {users_of('weight')} (default: 2)",
    )
    parser.add_argument(
        "--weight-step",
        type=to_weight,
        metavar="S",
        help=f"what the weight loses after each round, in {users_of('weight_step')}",
    )
    parser.add_argument(
        "--width",
        type=to_positive,
        metavar="K",
        help=f"the number of boards that {users_of('width')} keep at each depth",
    )
    parser.add_argument(
        "--batch",
        type=to_positive,
        metavar="B",
        help=f"the number of nodes that {users_of('batch')} expand at once; larger batches suit neural networks and "
        "functions of one's own (default: 1, or what such a function asks for)",
    )


def add_max_length(parser: Container, before: str = "") -> None:
    parser.add_argument(
        "--max-length",
        type=to_count,
        metavar="N",
        help=f"{before}the most moves that {users_of('max_length')} makes (required on boards of more than 9 cells)",
    )


def add_run_limits(parser: Container, what: str) -> None:
    """The limits that `puzzle15.searches.compare` has."""
    add_max_length(parser)
    parser.add_argument("--max-nodes", type=to_count, metavar="N", help=f"stop {what} after N generated nodes")
    parser.add_argument(
        "--time-limit",
        type=to_seconds,
        metavar="S",
        default=searches.TIME_LIMIT_S,
        help=f"stop {what} after S seconds (default: {searches.TIME_LIMIT_S:g})",
    )
    parser.add_argument(
        "--max-memory",
        type=to_size,
        metavar="SIZE",
        help=f"stop {what} when its nodes take this much memory (default: 1G, or three quarters of the available "
        "memory if that is less)",
    )


def add_folder(parser: Container) -> None:
    parser.add_argument(
        "--tables",
        metavar="DIR",
        type=to_folder,
        help="the folder of the tables (default: $PUZZLE15_TABLES, else the user's cache folder)",
    )


def add_workers(parser: Container, what: str) -> None:
    parser.add_argument("--workers", type=to_positive, metavar="N", help=f"number of threads{what}")


def add_cluster(parser: Container, what: str) -> None:
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help=f"{what} on the workers of the Dask scheduler at tcp://host:port; they need the same tables in a folder "
        "of the same name, or --build",
    )
    parser.add_argument("--build", action="store_true", help="build missing tables first")


def add_output(parser: Container, what: str) -> None:
    add_records(parser, what)
    parser.add_argument("--quiet", action="store_true", help="print only errors on standard error")


# The values of options.


@option_type
def to_shape(text: str) -> Shape:
    match = re.fullmatch(r"(\d+)\s*[xX]\s*(\d+)", text.strip())
    if not match:
        raise ValueError(f"{text!r}: expected rows and columns such as 4x4")
    return check_shape((int(match[1]), int(match[2])))


@option_type
def to_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"{text!r}: expected seconds, such as 10 or 0.5")
    return seconds


@option_type
def to_folder(text: str) -> Path:
    folder = tables.table_folder(text)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{text!r} is not a folder")
    return folder


@option_type
def to_algorithm(text: str) -> str:
    if plain_name(text) == local_vi.ALGORITHM:
        return local_vi.ALGORITHM
    try:
        return algorithm_of(text).name
    except ValueError as error:
        raise ValueError(f"{error}, {local_vi.ALGORITHM}") from None


@option_type
def to_algorithms(text: str) -> list[str]:
    return [algorithm_of(name).name for name in text.split(",")]


@option_type
def to_heuristics(text: str) -> list[str]:
    """Names separated by commas; commas inside ``max(..)`` and inside a partition do not separate names."""
    from ..heuristics import listed_names  # which takes long to import, and few commands ask for it

    return listed_names(text)


@option_type
def to_weight(text: str) -> Fraction:
    from fractions import Fraction

    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{text!r}: expected a number such as 2, 1.25 or 4/3") from None


@option_type
def to_move_order(text: str) -> str:
    searches.order_of(text)
    return text


to_positive = option_type(parse_whole, 1)
to_size = option_type(parse_size)
to_count = option_type(parse_count)


# What commands make of their options.


def search_options(args: argparse.Namespace) -> dict[str, Any]:
    """The options of `add_search_options`, and `--max-length`, that were given, under their names in `search`."""
    names = "ties", "move_order", "weight", "weight_step", "width", "max_length", "batch"
    return {name: getattr(args, name) for name in names if getattr(args, name) is not None}


def read_problem(args: argparse.Namespace) -> tuple[Board, Board]:
    """The board of a command that takes one, and its goal, which can be reached.

    Raises
    ------
    UsageError
        The goal is no board.
    BoardError, UnsolvableError
    """
    try:
        goal_of, shape = parse_goal(args.goal or "blank-last", args.shape)
    except BoardError as error:
        raise UsageError(reason(error)) from None
    board = read_board(args.board, goal_of, shape)
    goal = goal_of(board.shape)
    searches.check_solvable(board, goal)
    return board, goal


def nodes_together(args: argparse.Namespace) -> Optional[int]:
    """The most nodes of a board that is answered with others; a board that takes more is then answered alone.

    A limit of time is for a board alone, and fewer nodes take less.
    """
    most: Optional[int] = args.max_nodes
    if args.time_limit is None:
        return most
    few = int(min(args.time_limit * _NODES_PER_SECOND, _MOST_NODES))
    return few if most is None else min(few, most)


@contextlib.contextmanager
def workers_of(args: argparse.Namespace) -> Iterator[Any]:
    """The workers for `puzzle15.parallel.spread`: the cluster if one was named, else a number of threads."""
    if args.dask is None:
        yield args.workers or 1
        return
    with contextlib.ExitStack() as stack:
        try:
            cluster = stack.enter_context(parallel.connect(args.dask))
        except ImportError as error:
            raise UsageError(str(error)) from None
        yield cluster


def check_can_draw(check: Callable[..., Any], *what: Any) -> None:
    """Raise UsageError before the work if its results could not be drawn."""
    try:
        check(*what)
    except (ImportError, OSError) as error:
        raise UsageError(str(error)) from None


def hint_at_tables(solver: Solver, args: argparse.Namespace) -> bool:
    """Say how to build tables if a solver would be faster with them; returns whether it was said."""
    rows, cols = solver.shape
    if not solver.embedded or args.partition is not None or args.quiet or rows * cols <= 9:
        return False
    cell = home_cell(solver.goal.blank, solver.shape)
    home = "" if cell == rows * cols - 1 else f" --home {cell}"
    shape = "" if (rows, cols) == (4, 4) else f" --shape {rows}x{cols}"
    where = " --metric mtm" if solver.metric == "mtm" else ""
    where += "" if args.tables is None else f" --tables {args.tables}"
    for error in tables.find_tables(args.tables)[1]:
        say(f"warning: {reason(error)}")
    say(
        f"no tables here are better than the small ones built in memory, so those are used; "
        f"to build fast ones: puzzle15 build{shape}{home}{where}"
    )
    return True
