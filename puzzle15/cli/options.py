"""What commands share of their command lines: parsers, options, and the values of options."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from fractions import Fraction

from .. import local_vi, tables
from ..board import Board, board_beside, check_shape
from ..parallel import connect
from ..searches import TIES, algorithm_of, order_of
from ..system.names import plain_name
from ..system.quantities import option_type, parse_count, parse_size, parse_whole
from .console import USAGE, UsageError, say


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message):
        say(f"error: {message} (try: {self.prog} --help)")
        sys.exit(USAGE)


def add_command(commands, name, run, summary, examples):
    """A command with examples, command lines that run as they stand."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog="examples:\n" + "\n".join(f"  {example}" for example in examples),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def add_goal(parser):
    parser.add_argument(
        "--goal", metavar="BOARD", help="the goal: a board, blank-last (the default), or blank-first, also called korf"
    )
    parser.add_argument(
        "--shape", type=to_shape, metavar="RxC", help="rows and columns, where a flat board does not tell"
    )


def add_search_options(parser):
    parser.add_argument(
        "--ties",
        choices=TIES,
        help="which of equally good nodes goes first, for a*, weighted-a* (default: larger-g), greedy "
        "and branch-and-bound (default: fifo)",
    )
    parser.add_argument(
        "--move-order",
        type=to_move_order,
        metavar="ULRD",
        help="the blank's directions in the order in which they are tried (default: ULRD)",
    )
    parser.add_argument("--weight", type=to_weight, metavar="W", help="of h, for weighted-a* (default: 2)")
    parser.add_argument(
        "--width", type=to_positive, metavar="K", help="boards of each depth that a beam keeps (default: 100)"
    )
    parser.add_argument(
        "--batch",
        type=to_positive,
        metavar="B",
        help="nodes that a*, weighted-a* and greedy expand at once, for networks (default: 1)",
    )
    parser.add_argument(
        "--depth-limit",
        type=to_count,
        metavar="D",
        help="the most moves of depth-first (needed on boards of more than 9 cells)",
    )


def add_folder(parser):
    parser.add_argument(
        "--dir",
        metavar="DIR",
        type=to_folder,
        help="folder of the tables (default: $PUZZLE15_TABLES, else the user's cache folder)",
    )


def add_threads(parser, what):
    parser.add_argument("--threads", type=to_positive, metavar="N", help=f"threads {what}")


def add_cluster(parser, what):
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help=f"{what} on the workers of a Dask scheduler, tcp://host:port; they need the same tables "
        "in the folder of the same name, or --build",
    )
    parser.add_argument("--build", action="store_true", help="build the tables where they are missing, first")


def add_output(parser, what):
    parser.add_argument("--json", action="store_true", help=what)
    parser.add_argument("--quiet", action="store_true", help="nothing on standard error but errors")


# Values of options.


@option_type
def to_shape(text):
    match = re.fullmatch(r"(\d+)\s*[xX]\s*(\d+)", text.strip())
    if not match:
        raise ValueError(f"{text!r}: expected rows and columns such as 4x4")
    return check_shape((int(match[1]), int(match[2])))


@option_type
def to_seconds(text):
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"{text!r}: expected seconds, such as 10 or 0.5")
    return seconds


@option_type
def to_folder(text):
    folder = tables.table_folder(text)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{text!r} is not a folder")
    return folder


@option_type
def to_algorithm(text):
    if plain_name(text) == local_vi.ALGORITHM:
        return local_vi.ALGORITHM
    try:
        return algorithm_of(text).name
    except ValueError as error:
        raise ValueError(f"{error}, {local_vi.ALGORITHM}") from None


@option_type
def to_algorithms(text):
    return [algorithm_of(name).name for name in text.split(",")]


@option_type
def to_heuristics(text):
    """Names between commas; but ``max(..)`` is one, and a partition's tiles have commas, too."""
    return [name.strip() for name in re.split(r",(?=\s*[A-Za-z])(?![^()]*\))", text)]


@option_type
def to_weight(text):
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{text!r}: expected a number such as 2, 1.25 or 4/3") from None


@option_type
def to_move_order(text):
    order_of(text)
    return text


to_positive = option_type(parse_whole, 1)
to_size = option_type(parse_size)
to_count = option_type(parse_count)


# What a command makes of its options.


def search_options(args):
    """Those of the options that `add_search_options` adds that were given, by their names in `search`."""
    names = "ties", "move_order", "weight", "width", "depth_limit", "batch"
    return {name: getattr(args, name) for name in names if getattr(args, name) is not None}


def parse_goal(text, shape):
    """(the goal as a function of the shape, the shape as far as known)"""
    name = text.strip().lower()
    if name in ("korf", "blank-first"):
        return lambda shape: Board.goal(shape, home=0), shape
    if name == "blank-last":
        return Board.goal, shape
    goal = Board(text, shape)
    return lambda shape: goal, goal.shape


def read_board(text, goal_of, shape):
    """The board of a text; `goal_of` and `shape` as `parse_goal` gives them."""
    return Board(text) if shape is None else board_beside(goal_of(shape), text)


@contextlib.contextmanager
def workers_of(args):
    """Who does the work, as `puzzle15.parallel.spread` takes it: the cluster that was named, else threads."""
    if args.dask is None:
        yield args.threads or 1
        return
    with contextlib.ExitStack() as stack:
        try:
            cluster = stack.enter_context(connect(args.dask))
        except ImportError as error:
            raise UsageError(str(error)) from None
        yield cluster


def check_can_draw(check, *what):
    """Refuse to draw what cannot be drawn, before the work for it is done."""
    try:
        check(*what)
    except (ImportError, OSError) as error:
        raise UsageError(str(error)) from None
