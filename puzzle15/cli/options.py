"""The options that commands share, each declared once, and what their values mean."""

from __future__ import annotations

import argparse
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from .. import local_vi, parallel, searches, tables
from ..board import METRICS, MOVE_CONVENTIONS, Board, GoalOf, Shape, check_shape, home_cell, parse_goal, read_board
from ..errors import BoardError
from ..heuristics import FORMS
from ..searches import ALGORITHMS, DEFAULT_HEURISTIC, TIES, algorithm_of, users_of
from ..solver import Solver
from ..system.names import plain_name
from ..system.quantities import option_type, parse_count, parse_size, parse_whole
from ..tables import CHECKS, FORMATS
from .console import UsageError, reason, say
from .output import CsvRecords, JsonRecords

if TYPE_CHECKING:
    from fractions import Fraction

#: A parser, or a group of its options.
Container = argparse._ActionsContainer

# ---------------------------------------------------------------- values ---


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


to_whole = option_type(parse_whole)
to_positive = option_type(parse_whole, 1)
to_size = option_type(parse_size)
to_count = option_type(parse_count)

# ---------------------------------------------------------------- options ---

#: The settings of each option, as argparse takes them.
OPTIONS: dict[str, dict[str, Any]] = {
    "boards": {
        "flags": ("boards",),
        "nargs": "*",
        "metavar": "BOARD",
        "help": "a quoted board: '1 2 3/4 5 6/7 8 0', a flat list, hex digits, or a JSON list; without BOARD, boards "
        "are read from standard input, one per line; blank lines and # comments are skipped",
    },
    "board": {"flags": ("board",), "metavar": "BOARD", "help": "a quoted board, as for solve"},
    "input": {
        "flags": ("-i", "--input"),
        "metavar": "FILE",
        "help": "read FILE instead of standard input; - is standard input",
    },
    "output": {"flags": ("-o", "--output"), "metavar": "FILE"},
    "quiet": {"action": "store_true", "help": "print only errors on standard error"},
    "goal": {
        "metavar": "BOARD",
        "help": "the goal: a board, blank-last (the default), or blank-first, also called korf",
    },
    "shape": {
        "metavar": "RxC",
        "type": to_shape,
        "help": "rows and columns (default: those of the goal, else those of each board)",
    },
    "moves": {
        "choices": MOVE_CONVENTIONS,
        "default": "tile",
        "help": "whether a move letter is the direction of the tile or of the blank",
    },
    "metric": {
        "choices": METRICS,
        "default": "stm",
        "help": "whether a move slides one tile by one cell (stm), or one or more tiles along a line (mtm)",
    },
    "partition": {
        "metavar": "P",
        "help": "use these tables: 7-8, 6-6-3, .., tiles such as 1-8/9-15 (1-6/10-15 with --metric mtm), or embedded "
        "for small tables that are built in memory (default: the best installed tables; puzzle15 info lists them)",
    },
    "format": {
        "choices": list(FORMATS),
        "help": "the format of tables: zero-aware stores one bit per state, classic one nibble per placement",
    },
    "tables": {
        "metavar": "DIR",
        "type": to_folder,
        "help": "the folder of the tables (default: $PUZZLE15_TABLES, else the user's cache folder)",
    },
    "check-tables": {
        "choices": CHECKS,
        "help": "when to compare all bytes of the table files with their checksums; once means before the first use "
        "and after each change of a file (default: once)",
    },
    "build": {"action": "store_true", "help": "build missing tables first"},
    "workers": {"metavar": "N", "type": to_positive, "default": 1, "help": "number of threads"},
    "all-workers": {
        "flags": ("--workers",),
        "metavar": "N",
        "type": to_positive,
        "help": "number of threads, on which the results do not depend (default: one per processor)",
    },
    "dask": {
        "metavar": "ADDRESS",
        "help": "work on the workers of the Dask scheduler at tcp://host:port; they need the same tables in a folder "
        "of the same name, or --build",
    },
    "max-nodes": {
        "metavar": "N",
        "type": to_count,
        "help": "stop a search after N generated nodes, such as 10M",
    },
    "time-limit": {"metavar": "S", "type": to_seconds, "help": "stop a search after S seconds"},
    "max-memory": {
        "metavar": "SIZE",
        "type": to_size,
        "help": "stop a search when its nodes take this much memory, such as 500M",
    },
    "max-length": {
        "metavar": "N",
        "type": to_count,
        "help": f"the most moves that {users_of('max_length')} makes (required on boards of more than 9 cells)",
    },
    "algorithm": {
        "metavar": "A",
        "type": to_algorithm,
        "help": f"{', '.join(ALGORITHMS)}, {local_vi.ALGORITHM}; write astar for a*, because shells expand the star",
    },
    "heuristic": {
        "metavar": "H",
        "help": f"{', '.join(FORMS)} (default: {DEFAULT_HEURISTIC}); or a function of your own as path/to/file.py:NAME "
        "or package.module:NAME",
    },
    "ties": {
        "choices": TIES,
        "help": f"which of equally good nodes is expanded first, by {users_of('ties')}",
    },
    "move-order": {
        "metavar": "ULRD",
        "type": to_move_order,
        "help": "the order in which the blank's directions are tried (default: ULRD)",
    },
    "weight": {
        "metavar": "W",
        "type": to_weight,
        "help": f"the weight of h, or of the first round, in {users_of('weight')} (default: 2)",
    },
    "weight-step": {
        "metavar": "S",
        "type": to_weight,
        "help": f"what the weight loses after each round, in {users_of('weight_step')}",
    },
    "width": {
        "metavar": "K",
        "type": to_positive,
        "help": f"the number of boards that {users_of('width')} keep at each depth",
    },
    "batch": {
        "metavar": "B",
        "type": to_positive,
        "help": f"the number of nodes that {users_of('batch')} expand at once; larger batches suit neural networks "
        "and functions of one's own (default: 1, or what such a function asks for)",
    },
    "count": {"metavar": "N", "type": to_count, "help": "number of boards, such as 100, 50k or 1M"},
    "seed": {
        "metavar": "S",
        "type": to_whole,
        "help": "seed of the random boards; the same seed and options always give the same boards",
    },
    "colours": {
        "choices": ("rows", "rings", "plain"),
        "default": "rows",
        "help": "what the colour of a tile shows: the row or the ring of its place in the goal, or nothing",
    },
    "no-digits": {
        "action": "store_true",
        "help": "print one letter per move, and no digits for repetitions",
    },
}

#: The options that `puzzle15.searches.search` takes under the same names.
SEARCH_OPTIONS = ("ties", "move-order", "weight", "weight-step", "width", "batch")
RUN_LIMITS = ("max-length", "max-nodes", "time-limit", "max-memory")


def add_options(parser: Container, *names: str, **changes: dict[str, Any]) -> None:
    """Add options by their names; `changes` are settings that differ. The help ends with the default."""
    for name in names:
        settings = {**OPTIONS[name], **changes.get(name.replace("-", "_"), {})}
        flags = settings.pop("flags", (f"--{name}",))
        default = settings.get("default")
        if default is not None:
            shown = f"{default:g}" if isinstance(default, float) else default
            settings["help"] += f" (default: {shown})"
        parser.add_argument(*flags, **settings)


def add_records(parser: Container, what: str) -> None:
    """Add the options --json, whose records are described by `what`, --csv and --quiet."""
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--json", dest="records", action="store_const", const=JsonRecords(), help=f"print {what}")
    either.add_argument(
        "--csv",
        dest="records",
        action="store_const",
        const=CsvRecords(),
        help="print the same fields as CSV, with a header; lists in them are JSON text",
    )
    add_options(parser, "quiet")


def add_solver(parser: Container, **changes: dict[str, Any]) -> None:
    """Add the options of commands that solve boards with tables."""
    names = "goal", "shape", "partition", "tables", "workers", "max-nodes", "time-limit", "moves"
    add_options(parser, *names, **changes)


# ---------------------------------------------------------------- what commands make of them ---


def refuse(args: argparse.Namespace, names: str, why: str) -> None:
    """Raise UsageError if options were given that do not fit; `names` separates them by spaces."""
    wrong = []
    for name in names.split():
        if getattr(args, name.replace("-", "_")) not in (None, False, OPTIONS.get(name, {}).get("default")):
            wrong.append(name)
    if wrong:
        raise UsageError(f"{', '.join(f'--{name}' for name in wrong)}: {why}")


def search_options(args: argparse.Namespace) -> dict[str, Any]:
    """The options of a textbook search that were given, under their names in `search`."""
    names = [name.replace("-", "_") for name in (*SEARCH_OPTIONS, "max-length")]
    return {name: getattr(args, name) for name in names if getattr(args, name) is not None}


def read_goal(args: argparse.Namespace, default: str = "blank-last") -> tuple[GoalOf, Optional[Shape]]:
    """(the goal of each shape, the shape if it is known); UsageError if the goal is not a board."""
    try:
        return parse_goal(args.goal or default, args.shape)
    except BoardError as error:
        raise UsageError(reason(error)) from None


def read_problem(args: argparse.Namespace) -> tuple[Board, Board]:
    """The board of a command that takes one, and its goal, which can be reached.

    Raises
    ------
    UsageError
        The goal is not a board.
    BoardError, UnsolvableError
    """
    goal_of, shape = read_goal(args)
    board = read_board(args.board, goal_of, shape)
    goal = goal_of(board.shape)
    searches.check_solvable(board, goal)
    return board, goal


def open_solver(args: argparse.Namespace, goal: Board, **options: Any) -> Solver:
    """The solver that the options of a command choose; says how to build better tables if there are none."""
    metric = getattr(args, "metric", "stm")
    partition = getattr(args, "partition", None)
    solver = Solver(partition, goal=goal, shape=goal.shape, tables=args.tables, metric=metric, **options)
    if partition is None and not args.quiet:
        hint_at_tables(solver, args.tables)
    return solver


def hint_at_tables(solver: Solver, folder: Optional[Path]) -> None:
    """Say how to build tables if a solver would be faster with them."""
    rows, cols = solver.shape
    if not solver.embedded or rows * cols <= 9:
        return
    cell = home_cell(solver.goal.blank, solver.shape)
    home = "" if cell == rows * cols - 1 else f" --home {cell}"
    shape = "" if (rows, cols) == (4, 4) else f" --shape {rows}x{cols}"
    where = " --metric mtm" if solver.metric == "mtm" else ""
    where += "" if folder is None else f" --tables {folder}"
    for error in tables.find_tables(folder)[1]:
        say(f"warning: {reason(error)}")
    say(
        f"no tables here are better than the small ones built in memory, so those are used; "
        f"to build fast ones: puzzle15 build{shape}{home}{where}"
    )


@contextlib.contextmanager
def workers_of(args: argparse.Namespace) -> Iterator[Any]:
    """The workers for `puzzle15.parallel.spread`: the cluster if one was named, else a number of threads."""
    if args.dask is None:
        yield parallel.threads_or_all(args.workers)
        return
    with contextlib.ExitStack() as stack:
        try:
            cluster = stack.enter_context(parallel.connect(args.dask))
        except ImportError as error:
            raise UsageError(str(error)) from None
        yield cluster
