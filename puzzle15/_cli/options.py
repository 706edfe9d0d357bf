"""The options that commands share, each declared once, and what their values mean."""

from __future__ import annotations

import argparse
import contextlib
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Optional

from .. import tables
from .._system.quantities import option_type, parse_count, parse_whole, size
from .._system.threads import thread_count
from ..board import Board, Shape
from ..board._board import GoalOf, parse_goal, read_board
from ..board._moves import METRICS, MOVE_CONVENTIONS
from ..board._notation import check_shape, format_shape
from ..board._orientation import home_cell
from ..board._solvability import check_solvable
from ..errors import BoardError, OptionError
from ..searches._algorithms import DEFAULT_HEURISTIC, PRIORITIES, TIES, users_of
from ..solver import Solver
from ..tables._file import FORMATS
from .console import UsageError, reason, say
from .output import CsvRecords, JsonRecords
from .parser import Parser

#: Makes a value from its text.
Type = Callable[[str], Any]


def to_shape(text: str) -> Shape:
    match = re.fullmatch(r"(\d+)\s*[xX]\s*(\d+)", text.strip())
    if not match:
        raise OptionError(f"{text!r}: expected rows and columns such as 4x4")
    return check_shape((int(match[1]), int(match[2])))


def to_seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= (seconds := float(text)) < float("inf"):
            return seconds
    raise OptionError(f"{text!r}: expected seconds, such as 10 or 0.5")


def to_folder(text: str) -> Path:
    folder = tables.table_folder(text)
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{text!r} is not a folder")
    return folder


#: The types of values, by the word that stands for a value in help; they raise ValueError.
TYPES: dict[str, Type] = {
    "FOLDER": to_folder,
    "K": partial(parse_whole, least=1),
    "L": parse_whole,
    "N": parse_count,
    "RxC": to_shape,
    "S": to_seconds,
    "SEED": parse_whole,
    "SIZE": partial(size, ""),
}

#: The name of the bundled set: Korf's 100 boards.
KORF = "korf100"

#: What an algorithm or a heuristic can be, in help.
ALGORITHM = "a name that puzzle15 algorithms lists, such as idastar for ida* (shells expand the star)"
FUNCTION = "a function of your own as path/to/file.py:NAME or package.module:NAME"

#: The options that commands share, as `declare` reads them, in the groups in which help shows them.
OPTIONS = f"""
# input
-i, --input FILE    read FILE instead of standard input; - is standard input
--set {KORF}|FILE    take Korf's 100 boards, for their own goal (blank first), or the boards of FILE
# random boards
--count N    number of boards, such as 100, 50k or 1M
--seed SEED=1    seed of the random boards; the same seed and options always give the same boards
# goal, shape and moves
--goal BOARD    the goal: a board, blank-last, or blank-first, which is also called korf (default: blank-last)
--shape RxC    rows and columns (default: those of the goal, else those of each board)
--convention {"|".join(MOVE_CONVENTIONS)}=tile    whether a move letter is the direction of the tile or of the blank
--metric {"|".join(METRICS)}=stm    whether a move slides one tile by one cell (stm), or one or more tiles along a line
    (mtm), whose tables have patterns such as 1-6/10-15
# tables
--partition P    use these tables: 7-8, 6-6-3, .., tiles such as 1-8/9-15, or embedded for small tables that are built
    in memory (default: the best installed tables, which puzzle15 info lists)
--format {"|".join(FORMATS)}    use tables of this format: zero-aware, of one bit per state, or classic, of one nibble
    per placement (default: the better one)
--tables FOLDER    the folder of the tables (default: $PUZZLE15_TABLES, else the user's cache folder)
--build    build missing tables first
# limits and threads
--max-nodes N    stop a search after N generated nodes, such as 10M (default: no limit)
--time-limit S    stop a search after S seconds, such as 10 or 0.5 (default: no limit)
--max-memory SIZE    stop a textbook search when its nodes take this much memory, such as 500M (default: three quarters
    of the free memory; in ida*-tt 256M)
--max-length L    the most moves that a solution may have; {users_of("max_length")} alone takes it (and needs it on
    boards of more than 9 cells)
--workers K=1    number of threads
--dask ADDRESS    work on the workers of the Dask scheduler at tcp://host:port; they need the same tables in a folder of
    the same name, or --build
# output
--colours rows|rings|plain=rows    what the colour of a tile shows: the row or the ring of its cell in the goal, or
    nothing
--no-digits    print one letter per move, and no digits for repetitions
--quiet    print only errors on standard error
--json    print records as JSON, one object per line
--csv    print records as CSV, with a header; lists in them are JSON text
# textbook searches    puzzle15 algorithms lists the options of each
--heuristic H    a name that puzzle15 heuristics lists, such as tables or "max(reversal,manhattan)"; or {FUNCTION}
    (default: {DEFAULT_HEURISTIC})
--ties {"|".join(TIES)}    which of equally good nodes is expanded first (default: that of the algorithm)
--move-order ULRD    the order in which the blank's directions are tried, or preferred among equally good ones (default:
    ULRD)
--weight W    the weight of h, or of the first round, in {users_of("weight")} (default: 2)
--priority {"|".join(PRIORITIES)}    what is compared in {users_of("priority")}: g + W h, or a curve with the same bound
    on solutions
--weight-step W    how much the weight decreases after each round in {users_of("weight_step")}
--width K    the number of boards that are kept at each depth in {users_of("width")}
--batch K    the number of nodes that are expanded at once; larger batches suit neural networks and functions of your
    own (default: that of the algorithm, or what such a function claims)
--counts    with --json or --csv, count the nodes of each f = g + h and of each g
"""

#: The options of every command that solves boards with tables, and of every textbook search.
SOLVER = "--goal --shape --convention --partition --tables --max-nodes --time-limit --workers"
SEARCH = "--ties --move-order --weight --priority --weight-step --width --batch"
RECORDS = "--json --csv --quiet"

#: Help shows fewer options than these without groups.
_MANY = 11


def declare(
    parser: Parser, run: Callable[[argparse.Namespace], int], text: str, types: Optional[dict[str, Type]] = None
) -> None:
    """Give a command its options, notes and examples, and let `run` run it.

    `text` has the options, a blank line, and what help shows below them. An option begins a line; two spaces or more
    separate it from its help, which goes on in indented lines. Its value is one of several words with ``|`` between, or
    is of the type that `types` or `TYPES` has for its word; ``=1`` behind it is its default, which help shows. Options
    without help are those of `OPTIONS`. An argument without a flag has the form ``name=WORD``; in brackets it
    may be left out, and with dots it may come several times.

    ``# title`` begins a group of options, one of those in `OPTIONS`; two spaces and a sentence may follow. An option
    that is in `OPTIONS`, too, has the group that it has there. Options before the first title come first.
    """
    options, _, notes = text.partition("\n\n")
    parser.epilog = notes.strip()
    parser.set_defaults(run=run, default=parser.get_default, set=None, input=None, moves=None)
    entries = [(_shared().get(_name(spec), (title,))[0], spec, help) for title, spec, help in _split(options)]
    about = {title: help for title, spec, help in (*_split(OPTIONS), *entries) if spec == "#" and help}
    entries = [entry for entry in entries if entry[1] != "#"]
    if sum(spec.startswith("-") for _, spec, _ in entries) < _MANY:
        entries = [("", spec, help) for _, spec, help in entries]
    titles = ["", *dict.fromkeys(title for title, _, _ in _shared().values())]
    entries.sort(key=lambda entry: titles.index(entry[0]))
    groups: dict[str, argparse._ActionsContainer] = {"": parser}
    records: Optional[argparse._ActionsContainer] = None
    usage = ["%(prog)s [options]"]
    for title, spec, help in entries:
        if title not in groups:
            groups[title] = parser.add_argument_group(title, about.get(title))
        group = groups[title]
        flags, settings = _settings(spec, help, {**TYPES, **(types or {})})
        if settings.get("dest") == "records":
            records = group = records or group.add_mutually_exclusive_group()
        group.add_argument(*flags, **settings)
        if not spec.startswith("-"):
            usage.append(re.sub(r"\w+=", "", spec.replace("..", " ...")))
    parser.usage = " ".join(usage)


_RECORDS = {"--json": JsonRecords, "--csv": CsvRecords}


def _settings(spec: str, help: str, types: dict[str, Type]) -> tuple[list[str], dict[str, Any]]:
    """Return the flags of an option, or the name of an argument, and what else argparse needs to know of it."""
    words = spec.replace(", ", " ").split()
    flags = [word for word in words if word.startswith("-")]
    if spec in _RECORDS:
        return flags, {"dest": "records", "action": "store_const", "const": _RECORDS[spec](), "help": help}
    value, _, default = ("" if words[-1] in flags else words[-1].strip("[.]")).partition("=")
    settings: dict[str, Any] = {"help": help}
    if not flags:
        flags, settings["nargs"] = [value], "*" if ".." in spec else "?" if "[" in spec else None
        value, default = default, ""
    elif ".." in spec:
        settings.update(action="append", default=[])
    if not value:
        settings["action"] = "store_true"
    elif value.islower():
        settings["choices"] = value.split("|")
    else:
        settings["metavar"], settings["type"] = value, option_type(types.get(value, str))
    if default:
        settings.update(default=settings.get("type", str)(default), help=f"{help} (default: {default})")
    return flags, settings


def _split(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (its group, an option, its help) of each option in a text; of each group, ``#`` stands for the option."""
    title = ""
    for entry in re.split(r"\n(?=\S)", text.strip("\n")):
        spec, _, help = entry.partition("  ")
        help = " ".join(help.split())
        if spec.startswith("# "):
            title = spec[2:]
            yield title, "#", help
        elif help:
            yield title, spec, help
        else:
            yield from (_shared()[name] for name in spec.split())


def _name(spec: str) -> str:
    """Return the long flag of an option; empty if it is an argument."""
    return "".join(re.findall(r"--[\w-]+", spec)[:1])


@cache
def _shared() -> dict[str, tuple[str, str, str]]:
    """Return the shared options by their names."""
    return {_name(spec): (title, spec, help) for title, spec, help in _split(OPTIONS) if spec != "#"}


def refuse(args: argparse.Namespace, names: str, why: str) -> None:
    """Raise UsageError if options have other values than their defaults; `names` separates them by spaces."""
    dests = {name: name.lstrip("-").replace("-", "_") for name in names.split()}
    wrong = [name for name, dest in dests.items() if getattr(args, dest) != args.default(dest)]
    if wrong:
        raise UsageError(f"{', '.join(wrong)}: {why}")


def limits_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return the limits and the number of threads of a solver, under their names in Python."""
    return {"max_nodes": args.max_nodes, "time_limit_s": args.time_limit, "workers": args.workers}


def search_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the tables, the limits and the given options of a textbook search, under their names in `search`."""
    names = [name[2:].replace("-", "_") for name in (*SEARCH.split(), "--max-length")]
    given = {name: value for name in names if (value := getattr(args, name)) is not None}
    limits = {"max_nodes": args.max_nodes, "time_limit_s": args.time_limit, "max_memory": args.max_memory}
    return {"tables": args.tables, **limits, **given}


def read_goal(args: argparse.Namespace, option: str = "goal") -> tuple[GoalOf, Optional[Shape]]:
    """Return (the goal of each shape, the shape if it is known) from --goal and --shape; UsageError for a wrong goal.

    The default goal is that of the set, if there is one.
    """
    default = "korf" if args.set == KORF and option != "to_goal" else "blank-last"
    try:
        return parse_goal(getattr(args, option) or default, args.shape)
    except BoardError as error:
        raise UsageError(reason(error)) from None


def read_problem(args: argparse.Namespace, text: Optional[str] = None) -> tuple[Board, Board]:
    """Return a board, by default that of a command which takes one, and its goal, which can be reached."""
    goal_of, shape = read_goal(args)
    board = read_board(args.board if text is None else text, goal_of, shape)
    goal = goal_of(board.shape)
    check_solvable(board, goal)
    return board, goal


def open_solver(args: argparse.Namespace, goal: Board, **options: Any) -> Solver:
    """Return the solver that the options of a command choose, and say how to build better tables if there are none."""
    metric: Any = getattr(args, "metric", "stm")
    partition = getattr(args, "partition", None)
    solver = Solver(partition, goal=goal, shape=goal.shape, tables=args.tables, metric=metric, **options)
    if partition is None and not args.quiet:
        hint_at_tables(solver, args.tables)
    return solver


def hint_at_tables(solver: Solver, folder: Optional[Path]) -> None:
    """Say how to build tables if a solver would be faster with them."""
    shape, home = solver.shape, home_cell(solver.goal.blank, solver.shape)
    cells = shape[0] * shape[1]
    if not solver.open_tables.embedded or cells <= 9:
        return
    for error in tables.find_tables(folder)[1]:
        say(f"warning: {reason(error)}")
    options = f" --shape {format_shape(shape)}" * (shape != (4, 4)) + f" --home {home}" * (home != cells - 1)
    options += " --metric mtm" * (solver.metric == "mtm") + f" --tables {folder}" * (folder is not None)
    say(
        f"no tables here are better than the small ones built in memory, so those are used; "
        f"to build fast ones: puzzle15 build{options}"
    )


@contextlib.contextmanager
def workers_of(args: argparse.Namespace) -> Iterator[Any]:
    """Return the workers that were asked for: the cluster if one was named, else a number of threads."""
    if args.dask is None:
        yield thread_count(args.workers)
    else:
        from ..dataset import connect  # the data sets, which nothing else needs here

        with connect(args.dask) as cluster:
            yield cluster
