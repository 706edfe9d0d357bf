"""The ``puzzle15`` command.

Data goes to standard output, everything said about it to standard error.  Exit codes: 0; 1 a board
failed; 2 usage; 3 tables missing or corrupt, or no room for them; 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import signal
import stat
import sys
import threading
import time
from fractions import Fraction
from itertools import islice

import puzzle15

from . import _tables, comparison, data, local_vi, papers, plots, tables
from .board import Board
from .errors import BoardError, TableMissingError, UnsolvableError
from .heuristics import heuristic
from .local_vi import LocalValueIteration
from .notation import MOVE_CONVENTIONS, check_shape, format_moves, parse_moves
from .partitions import NAMED, home_cell, pattern_name, pattern_tiles, symmetries
from .searches import ALGORITHMS, DEFAULT_HEURISTIC, TIES, algorithm_of, check_options, check_solvable, order_of, search
from .solver import Solver
from .tablefile import FORMATS
from .tables import format_size
from .terminal import Progress, format_duration, parse_count, parse_size

__all__ = ["main"]

OK, FAILED, USAGE, TABLES, INTERRUPTED = 0, 1, 2, 3, 130

_FIRST_CHUNK = 256
_LARGEST_CHUNK = 10_000
_CHUNK_SECONDS = 0.5  # chunks grow until one takes this long


class _UsageError(Exception):
    """A command line that makes no sense."""


class _Terminated(BaseException):
    """A signal that asks the process to end."""

    def __init__(self, number):
        super().__init__(number)
        self.exit_code = 128 + number


def main(argv=None):
    """Run the command line `argv` (default: the process's own) and return its exit code."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help(sys.stderr)
        return USAGE
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # whatever a bad line holds can be quoted
    try:
        with _signals_as_exceptions():
            code = args.run(args)
            sys.stdout.flush()
            return code
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        _drop_output()
        return OK
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except _Terminated as error:
        _say("terminated")
        return error.exit_code
    except Exception as error:
        if os.environ.get("PUZZLE15_DEBUG") == "1":
            raise
        code = _exit_code(error)
        if code is None:
            raise
        _say(f"error: {_reason(error)}")
        return code


def _exit_code(error):
    """The exit code of an exception, None for what should never happen."""
    if isinstance(error, (_UsageError, ValueError)):  # an option's value
        return USAGE
    if isinstance(error, (OSError, MemoryError)):  # tables missing, corrupt, or not writable
        return TABLES
    return None


def _reason(error):
    """An exception as one line."""
    if isinstance(error, MemoryError):
        return "out of memory; --memory bounds what a build takes"
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    else:
        text = str(error)
    return " ".join(text.split())


def _say(text):
    with contextlib.suppress(OSError):
        print(f"puzzle15: {text}", file=sys.stderr, flush=True)


def _drop_output():
    """Send what is still to be written nowhere, so that the interpreter's exit is quiet, too."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def _signals_as_exceptions():
    """Turn requests to end into exceptions, so that temporary files go."""

    def end(number, frame):
        raise _Terminated(number)

    previous = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                previous[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


# ---------------------------------------------------------------- the parsers ---


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message):
        self.exit(USAGE, f"puzzle15: error: {message} (try: {self.prog} --help)\n")


def _parser():
    parser = _Parser(
        prog="puzzle15",
        description="Solves sliding-tile puzzles of up to 16 cells optimally.",
        epilog="exit codes: 0; 1 a board failed; 2 usage; 3 tables missing or corrupt, or no room for them; "
        "130 interrupted, 143 terminated",
    )
    parser.add_argument("--version", action="version", version=f"puzzle15 {puzzle15.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for add in (_add_solve, _add_compare, _add_reproduce, _add_build, _add_verify, _add_tables, _add_info):
        add(commands)
    return parser


def _add(commands, name, run, summary, examples):
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog="examples:\n" + "\n".join(f"  {example}" for example in examples),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def _add_solve(commands):
    parser = _add(commands, "solve", _solve, "solve boards optimally", [
        'puzzle15 solve "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"',
        "puzzle15 solve --goal blank-first 812043765 --json",
        "puzzle15 solve --set korf100 --threads 2",
        "puzzle15 solve --algorithm astar --heuristic linear-conflict 812043765",
        "puzzle15 solve -i boards.txt --algorithm local-value-iteration --initial-size 4",
        "generate_boards | puzzle15 solve --time-limit 10 > answers.txt",
    ])
    parser.add_argument("boards", nargs="*", metavar="BOARD",
                        help="a board, quoted: '1 2 3/4 5 6/7 8 0', flat, hex, or a JSON list; without any, one a "
                        "line from standard input, blank lines and # comments left out")
    parser.add_argument("-i", "--input", metavar="FILE", help="read boards from a file, - for standard input")
    parser.add_argument("--set", choices=["korf100"],
                        help="solve a bundled set in its own goal and compare with the known lengths")
    _add_goal(parser)
    parser.add_argument("--partition", metavar="P",
                        help="which tables: 7-8, 6-6-3, .., tiles such as 1-8/9-15, or embedded for the small ones "
                        "built in memory (default: the best that are there)")
    parser.add_argument("--format", choices=list(FORMATS), help="which tables: these only")
    _add_folder(parser)
    _add_threads(parser, "that work together, on one hard board or through a file (default: 1)")
    parser.add_argument("--max-nodes", type=_count, metavar="N", help="stop a board after this many generated nodes (10M)")
    parser.add_argument("--time-limit", type=_seconds, metavar="S", help="stop a board after this many seconds")
    parser.add_argument("--moves", choices=MOVE_CONVENTIONS, default="tile",
                        help="what a move letter is the direction of (default: tile)")
    parser.add_argument("--no-reflection", dest="reflection", action="store_false", help="one view of the tables only")
    parser.add_argument("--plain", action="store_true", help="the textbook IDA*, for comparisons")
    group = parser.add_argument_group(
        "searches by name", "a textbook search instead of the tables' own; needs --algorithm")
    group.add_argument("--algorithm", type=_algorithm, metavar="A",
                       help=f"{', '.join(ALGORITHMS)}, {local_vi.ALGORITHM}; astar is a*, which shells expand")
    group.add_argument("--heuristic", metavar="H",
                       help="zero, misplaced, manhattan (the default), reversal, linear-conflict, walking-distance, "
                       "tables, tables:7-8, tables:7-8:classic, or the largest of several: max(tables,walking-distance)")
    _add_search_options(group)
    group.add_argument("--initial-size", type=_positive, metavar="L",
                       help=f"tiles that each stage of {local_vi.ALGORITHM} brings home (default: 1)")
    group.add_argument("--max-memory", type=_size, metavar="SIZE",
                       help="stop a board when nodes take this much, such as 500M (default: three quarters of what is "
                       "available)")
    _add_output(parser, "one JSON record a board")


def _add_compare(commands):
    parser = _add(commands, "compare", _compare, "run several searches on a board and show what each took", [
        'puzzle15 compare "8 6 7/2 5 4/3 0 1"',
        "puzzle15 compare 812043765 --algorithms idastar,astar,greedy --heuristics misplaced,manhattan --plot nodes.svg",
        'puzzle15 compare "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15" --time-limit 60 --json',
    ])
    parser.add_argument("board", metavar="BOARD", help="a board, quoted, as for solve")
    parser.add_argument("--algorithms", type=_algorithms, metavar="A,B,..",
                        help=f"of {', '.join(ALGORITHMS)} (default: all on boards of up to 9 cells, those that "
                        "can get somewhere on larger ones)")
    parser.add_argument("--heuristics", type=_heuristics, metavar="X,Y,..",
                        help="as for solve --heuristic; searches that use one run with each "
                        f"(default: {','.join(comparison.HEURISTICS)})")
    _add_goal(parser)
    _add_folder(parser)
    _add_search_options(parser)
    parser.add_argument("--max-nodes", type=_count, metavar="N", help="stop a run after this many generated nodes")
    parser.add_argument("--time-limit", type=_seconds, metavar="S", default=comparison.TIME_LIMIT_S,
                        help=f"stop a run after this many seconds (default: {comparison.TIME_LIMIT_S:g})")
    parser.add_argument("--max-memory", type=_size, metavar="SIZE",
                        help="stop a run when nodes take this much (default: 1G, or three quarters of what is "
                        "available)")
    parser.add_argument("--plot", metavar="FILE",
                        help="draw the nodes generated; .png, .svg or .pdf (needs the extra plot)")
    _add_output(parser, "one JSON record a run")


def _add_reproduce(commands):
    parser = _add(commands, "reproduce", _reproduce, "run what a paper ran, and show both results", [
        "puzzle15 reproduce kunkle",
        "puzzle15 reproduce kantz --json",
        "puzzle15 reproduce bischoff --boards 100000",
        "puzzle15 reproduce spagnoletto --boards 1000 --samples 1 --plots .",
    ])
    names = parser.add_subparsers(dest="paper", metavar="PAPER", required=True)
    for name, paper in papers.PAPERS.items():
        parser = names.add_parser(name, help=paper.title, description=paper.title + ".")
        for option, settings in _PAPER_OPTIONS.get(name, {}).items():
            parser.add_argument(f"--{option}", **settings)
        parser.add_argument("--plots", metavar="DIR",
                            help="draw into this folder, too (needs the extra plot)")
        _add_output(parser, "one JSON object with all rows")


def _add_build(commands):
    parser = _add(commands, "build", _build, "build the tables that make solving fast", [
        "puzzle15 build                          # 7-8 for the 4x4 board: 196 MB, some seconds",
        "puzzle15 build 6-6-3 --home center --format classic",
        "puzzle15 build 1-6/7-11 --shape 3x4 --memory 256M",
    ])
    parser.add_argument("partition", nargs="?", metavar="PARTITION",
                        help=f"{', '.join(NAMED)} (4x4), or tiles such as 1-8/9-15 (default: what the shape is solved with)")
    parser.add_argument("--shape", type=_shape, default=(4, 4), metavar="RxC", help="rows and columns (default: 4x4)")
    parser.add_argument("--home", type=_home, default="corner", metavar="CELL",
                        help="where the goal has its blank: a cell, corner, edge or center (default: corner)")
    parser.add_argument("--format", choices=list(FORMATS), default="zero-aware",
                        help="one bit a state, or one nibble a placement (default: zero-aware)")
    _add_folder(parser)
    _add_threads(parser, "(default: one a processor)")
    parser.add_argument("--memory", type=_size, metavar="SIZE",
                        help="a bound for the working memory, such as 256M; a scratch file takes the rest")
    parser.add_argument("--force", action="store_true", help="build tables that are there, too")
    _add_output(parser, "one JSON record a table")


def _add_verify(commands):
    parser = _add(commands, "verify", _verify, "check all tables, every entry against its neighbours", [
        "puzzle15 verify",
        "puzzle15 verify --dir ./tables --json",
    ])
    _add_folder(parser)
    _add_threads(parser, "(default: one a processor)")
    _add_output(parser, "one JSON record a table")


def _add_tables(commands):
    parser = _add(commands, "tables", _list_tables, "list the tables that are there", [
        "puzzle15 tables",
        "puzzle15 tables --dir ./tables --json",
    ])
    _add_folder(parser)
    parser.add_argument("--json", action="store_true", help="one JSON record a table")


def _add_info(commands):
    parser = _add(commands, "info", _info, "print versions, compiler, processor and table folder", [
        "puzzle15 info",
        "puzzle15 info --json",
    ])
    _add_folder(parser)
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def _add_goal(parser):
    parser.add_argument("--goal", metavar="BOARD",
                        help="the goal: a board, blank-last (the default), or blank-first, also called korf")
    parser.add_argument("--shape", type=_shape, metavar="RxC",
                        help="rows and columns, where a flat board does not tell")


def _add_search_options(parser):
    parser.add_argument("--ties", choices=TIES,
                        help="which of equally good nodes goes first, for a*, weighted-a* (default: larger-g), greedy "
                        "and branch-and-bound (default: fifo)")
    parser.add_argument("--move-order", type=_move_order, metavar="ULRD",
                        help="the blank's directions in the order in which they are tried (default: ULRD)")
    parser.add_argument("--weight", type=_weight, metavar="W", help="of h, for weighted-a* (default: 2)")
    parser.add_argument("--width", type=_positive, metavar="K",
                        help="boards of each depth that a beam keeps (default: 100)")
    parser.add_argument("--depth-limit", type=_count, metavar="D",
                        help="the most moves of depth-first (needed on boards of more than 9 cells)")


def _add_folder(parser):
    parser.add_argument("--dir", metavar="DIR", type=_folder,
                        help="folder of the tables (default: $PUZZLE15_TABLES, else the user's cache folder)")


def _add_threads(parser, what):
    parser.add_argument("--threads", type=_positive, metavar="N", help=f"threads {what}")


def _add_output(parser, what):
    parser.add_argument("--json", action="store_true", help=what)
    parser.add_argument("--quiet", action="store_true", help="nothing on standard error but errors")


# Values of options; argparse shows the text of an ArgumentTypeError.


def _option(parse):
    """`parse` as the type of an option."""

    def convert(text):
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


@_option
def _shape(text):
    match = re.fullmatch(r"(\d+)\s*[xX]\s*(\d+)", text.strip())
    if not match:
        raise ValueError(f"{text!r}: expected rows and columns such as 4x4")
    return check_shape((int(match[1]), int(match[2])))


@_option
def _seconds(text):
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"{text!r}: expected seconds, such as 10 or 0.5")
    return seconds


@_option
def _positive(text):
    if not text.isdigit() or int(text) < 1:
        raise ValueError(f"{text!r}: expected a number of at least 1")
    return int(text)


@_option
def _folder(text):
    folder = tables.table_folder(text)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{text!r} is not a folder")
    return folder


@_option
def _algorithm(text):
    name = text.strip()
    return name if name == local_vi.ALGORITHM else algorithm_of(name).name


@_option
def _algorithms(text):
    return [algorithm_of(name.strip()).name for name in text.split(",")]


@_option
def _heuristics(text):
    """Names between commas; but ``max(..)`` is one, and a partition's tiles have commas, too."""
    return [name.strip() for name in re.split(r",(?=\s*[A-Za-z])(?![^()]*\))", text)]


@_option
def _weight(text):
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{text!r}: expected a number such as 2, 1.25 or 4/3") from None


@_option
def _move_order(text):
    order_of(text)
    return text


_size = _option(parse_size)
_count = _option(parse_count)


#: What `puzzle15 reproduce` hands on to papers that take options.
_PAPER_OPTIONS = {
    "bischoff": {
        "boards": {"type": _positive, "default": 100_000, "metavar": "N",
                   "help": "random boards for each initial size (default: 100000)"},
        "seed": {"type": _count, "default": 1, "metavar": "N", "help": "of the random boards (default: 1)"},
    },
    "spagnoletto": {
        "boards": {"type": _positive, "default": 100, "metavar": "N", "help": "boards of a sample (default: 100)"},
        "samples": {"type": _positive, "default": 20, "metavar": "N", "help": "samples of each kind (default: 20)"},
        "seed": {"type": _count, "default": 1, "metavar": "N", "help": "of the random boards (default: 1)"},
    },
}


def _home(text):
    return int(text) if text.isdigit() else text


# ---------------------------------------------------------------- build, verify, tables, info ---


def _build(args):
    options = {
        "shape": args.shape, "home": args.home, "format": args.format, "directory": args.dir,
        "threads": args.threads, "memory": args.memory, "force": args.force,
    }
    plan = tables.plan_build(args.partition, **options)
    if not args.quiet:
        _announce(plan)
    with Progress("build", quiet=args.quiet) as progress:
        built = tables.build(args.partition, **options, progress=progress.update)
    for table in built:
        record = _table_record(table)
        record["built"] = table.cells in plan.missing
        if args.json:
            _write_json(record)
        else:
            _write(f"{table.path}  {table.file_bytes:,} bytes  {sum(table.counts):,} entries  "
                   f"largest value {table.max_value}")
    return OK


def _announce(plan):
    """Say what a build will do and take."""
    for table in plan.present:
        _say(f"tiles {plan.pattern(table.cells)}: there already, {table.path} (--force builds it again)")
    if not plan.missing:
        return
    rows, cols = plan.shape
    patterns = ", ".join(f"tiles {plan.pattern(cells)}" for cells in plan.missing)
    scratch = ", a scratch file included" if plan.memory_limit else ""
    _say(f"building {plan.format} tables for {rows}x{cols} with the blank's home at cell {plan.home}: {patterns}")
    _say(f"takes {format_size(plan.disk_bytes)} of disk{scratch} ({format_size(plan.free_bytes)} free) in "
         f"{plan.folder}, {format_size(plan.memory_bytes)} of memory, {plan.threads} thread{'s' * (plan.threads > 1)}")


def _verify(args):
    with Progress("verify", quiet=args.quiet) as progress:
        reports = tables.verify(args.dir, threads=args.threads, progress=progress.update)
    if not reports:
        raise TableMissingError(f"no tables in {tables.table_folder(args.dir)}; build them: puzzle15 build")
    for report in reports:
        if args.json:
            _write_json({"path": str(report.path), "sound": report.sound, "entries": report.entries,
                         "problems": report.problems, "seconds": round(report.seconds, 3)})
        elif report.sound:
            _write(f"{report.path}: sound, {report.entries:,} entries held against their neighbours, "
                   f"{format_duration(report.seconds)}")
        else:
            _write(f"{report.path}: UNSOUND, {'; '.join(report.problems)}")
    broken = [report for report in reports if not report.sound]
    if broken:
        _say(f"error: {len(broken)} of {len(reports)} tables are unsound; build them again: puzzle15 build --force")
    return TABLES if broken else OK


def _list_tables(args):
    found, broken = tables.find_tables(args.dir)
    if args.json:
        for record in [*map(_table_record, found), *({"error": _reason(error)} for error in broken)]:
            _write_json(record)
    elif found:
        rows = [_table_row(table) for table in found]
        rows.insert(0, ("shape", "format", "tiles", "pattern", "entries", "size", "largest", "file"))
        widths = [max(map(len, column)) for column in zip(*rows)]
        for row in rows:
            _write("  ".join(cell.rjust(width) if number in (4, 5, 6) else cell.ljust(width)
                             for number, (cell, width) in enumerate(zip(row, widths))).rstrip())
        total = format_size(sum(table.file_bytes for table in found))
        _say(f"{len(found)} tables, {total} in {tables.table_folder(args.dir)}")
    elif not broken:
        _say(f"no tables in {tables.table_folder(args.dir)}; build them: puzzle15 build")
    for error in broken:
        _say(f"error: {_reason(error)}")
    return TABLES if broken else OK


def _table_row(table):
    """What `puzzle15 tables` prints of a table."""
    record = _table_record(table)
    return (record["shape"], table.format, record["tiles"], _drawing(table), f"{record['entries']:,}",
            format_size(table.file_bytes), str(table.max_value), table.path.name)


def _table_record(table):
    rows, cols = table.shape
    home = _usual_home(table)
    return {"path": str(table.path), "shape": f"{rows}x{cols}", "format": table.format, "home": home,
            "tiles": pattern_name(table.cells, home), "entries": sum(table.counts), "bytes": table.file_bytes,
            "max_value": table.max_value}


def _usual_home(table):
    """The home that a table is for: of those that it serves, the last that stands for others."""
    cells = [cell for cell in range(16) if table.region >> cell & 1]
    kinds = symmetries(table.shape)
    return max(cells, key=lambda cell: (cell == max(kind[cell] for kind in kinds), cell))


def _drawing(table):
    """A pattern on its goal: ``1 2 3/4 . ./. . 0``, with 0 at the home."""
    home, cols = _usual_home(table), table.shape[1]
    tiles = dict(zip((cell for cell in range(16) if table.cells >> cell & 1), pattern_tiles(table.cells, home)))
    tiles[home] = 0
    count = table.shape[0] * cols
    texts = [str(tiles.get(cell, ".")) for cell in range(count)]
    return "/".join(" ".join(texts[start : start + cols]) for start in range(0, count, cols))


def _info(args):
    import platform

    import numpy

    found, broken = tables.find_tables(args.dir)
    facts = {
        "version": puzzle15.__version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": numpy.__version__,
        "platform": platform.platform(),
        "compiler": _tables.compiler(),
        "instructions": _tables.processor(),
        "processors": tables.processor_count(),
        "folder": str(tables.table_folder(args.dir)),
    }
    if args.json:
        records = [_table_record(table) for table in found]
        _write_json({**facts, "tables": records, "broken": [_reason(error) for error in broken]})
        return OK
    facts["tables"] = f"{len(found)}, {format_size(sum(table.file_bytes for table in found))}" if found else "none"
    if broken:
        facts["broken"] = str(len(broken))
    for name, fact in facts.items():
        _write(f"{name + ':':14}{fact}")
    return OK


# ---------------------------------------------------------------- solve, compare ---


def _solve(args):
    _check_source(args)
    _check_search(args)
    session = _Session(args)
    try:
        with _open_boards(args) as (texts, many):
            if many and args.algorithm is None and args.max_nodes is None and args.time_limit is None:
                session.answer_in_chunks(texts)
            else:
                for text in texts:
                    session.answer(text)
    finally:
        session.summarize()
    return session.verdict()


def _check_source(args):
    if bool(args.boards) + (args.input is not None) + (args.set is not None) > 1:
        raise _UsageError("boards come from the command line, from --input or from --set: name one of them")
    if len(args.boards) > 1 and all(re.fullmatch(r"\d{1,2}|[_.x-]", text) for text in args.boards):
        raise _UsageError(f"a board is one argument; quote it: puzzle15 solve \"{' '.join(args.boards)}\"")


def _check_search(args):
    """Refuse options that the kind of search asked for does not use."""
    options = _search_options(args)
    if args.heuristic is not None:
        options["heuristic"] = args.heuristic
    if args.algorithm is None:
        if args.max_memory is not None:
            options["max_memory"] = args.max_memory
        wrong = ["--" + name.replace("_", "-") for name in options]
        hint = "add --algorithm"
    else:
        tables_own = {"--partition": args.partition, "--format": args.format, "--threads": args.threads,
                      "--no-reflection": not args.reflection, "--plain": args.plain}
        wrong = [name for name, value in tables_own.items() if value]
        hint = "leave out --algorithm; the tables that a heuristic looks up are named such as tables:7-8:classic"
    if wrong:
        raise _UsageError(f"{', '.join(wrong)}: {hint}")
    if args.algorithm == local_vi.ALGORITHM:
        options.update(max_nodes=args.max_nodes, time_limit=args.time_limit, max_memory=args.max_memory)
        wrong = ["--" + name.replace("_", "-") for name, value in options.items() if value is not None]
        if wrong:
            raise _UsageError(f"{', '.join(wrong)}: {args.algorithm} uses none; it takes --initial-size")
    elif args.initial_size is not None:
        raise _UsageError(f"--initial-size: add --algorithm {local_vi.ALGORITHM}")
    elif args.algorithm is not None:
        check_options(algorithm_of(args.algorithm), [name for name in options if name != "move_order"])


def _search_options(args):
    """Those of the options that `_add_search_options` adds that were given, by their names in `search`."""
    names = "ties", "move_order", "weight", "width", "depth_limit"
    return {name: getattr(args, name) for name in names if getattr(args, name) is not None}


@contextlib.contextmanager
def _open_boards(args):
    """(texts of boards, whether all of them are there already)"""
    if args.boards:
        yield iter(args.boards), False
    elif args.set:
        yield iter([str(record.board) for record in data.korf100()]), True
    elif args.input in (None, "-"):
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        if sys.stdin.isatty() and not args.quiet:
            _say("boards, one a line:")
        yield _board_lines(sys.stdin), False
    else:
        try:
            file = open(args.input, encoding="utf-8-sig", errors="replace")
        except OSError as error:
            raise _UsageError(f"cannot read {args.input}: {error.strerror}") from None
        with file:
            yield _board_lines(file), stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def _board_lines(file):
    """The boards of a file that may still be being written."""
    for line in iter(file.readline, ""):
        text = line.partition("#")[0].strip()
        if text:
            yield text


class _Session:
    """One run of ``puzzle15 solve``: boards in, answers out, and what it came to."""

    def __init__(self, args):
        self._args = args
        self._threads = args.threads or 1
        self._shape = args.shape
        self._goal, self._shape = _parse_goal(args.goal or ("korf" if args.set else "blank-last"), self._shape)
        if self._shape is None and args.partition in NAMED:
            self._shape = (4, 4)
        self._solvers, self._heuristics, self._learners = {}, {}, {}
        self._hinted = args.quiet
        self._failed = self._solved = self._moves = self._expanded = self._generated = 0
        self._seconds = 0.0
        self._lengths = []
        if self._shape is not None:
            self._prepare(self._shape)  # what is wrong with the options shows before any board

    # ---- boards and solvers

    def _solver(self, shape):
        if shape not in self._solvers:
            args = self._args
            solver = Solver(args.partition, goal=self._goal(shape), shape=shape, tables=args.dir, format=args.format,
                            reflection=args.reflection, plain=args.plain)
            self._solvers[shape] = solver
            if solver.embedded and args.partition is None and shape[0] * shape[1] > 9:
                self._hint(solver)
        return self._solvers[shape]

    def _heuristic(self, shape):
        """Made once a shape: tables take a moment to open."""
        if shape not in self._heuristics:
            name = self._args.heuristic
            if name is None and algorithm_of(self._args.algorithm).informed:
                name = DEFAULT_HEURISTIC
            self._heuristics[shape] = name and heuristic(name, goal=self._goal(shape), tables=self._args.dir)
        return self._heuristics[shape]

    def _learner(self, shape):
        if shape not in self._learners:
            self._learners[shape] = LocalValueIteration(self._args.initial_size or 1, goal=self._goal(shape))
        return self._learners[shape]

    def _prepare(self, shape):
        """What answers boards of a shape."""
        if self._args.algorithm is None:
            return self._solver(shape)
        return self._learner(shape) if self._args.algorithm == local_vi.ALGORITHM else self._heuristic(shape)

    def _hint(self, solver):
        """Say once how to get fast tables."""
        if self._hinted:
            return
        self._hinted = True
        rows, cols = solver.shape
        cell = home_cell(solver.goal.blank, solver.shape)
        home = "" if cell == rows * cols - 1 else f" --home {cell}"
        shape = "" if (rows, cols) == (4, 4) else f" --shape {rows}x{cols}"
        folder = "" if self._args.dir is None else f" --dir {self._args.dir}"
        for error in tables.find_tables(self._args.dir)[1]:
            _say(f"warning: {_reason(error)}")
        _say(f"no tables for this: using small ones built in memory; for the fast ones: "
             f"puzzle15 build{shape}{home}{folder}")

    # ---- answers

    def _solve(self, board):
        args = self._args
        ready = self._prepare(board.shape)
        limits = {"max_nodes": args.max_nodes, "time_limit_s": args.time_limit}
        if args.algorithm is None:
            return ready.solve(board, threads=self._threads, **limits)
        if args.algorithm == local_vi.ALGORITHM:
            try:
                return ready.solve(board)
            except MemoryError as error:
                raise _UsageError(str(error)) from None
        return search(board, algorithm=args.algorithm, heuristic=ready, goal=self._goal(board.shape),
                      max_memory=args.max_memory, **_search_options(args), **limits)

    def answer(self, text):
        """Solve one board and write the answer at once."""
        start = time.perf_counter()
        board, solution, error = None, None, None
        try:
            board = Board(text, self._shape)
            solution = self._solve(board)
        except (BoardError, UnsolvableError) as caught:
            error = caught
        self._seconds += time.perf_counter() - start
        self._write(text, board, solution, error)
        sys.stdout.flush()

    def answer_in_chunks(self, texts):
        """Solve boards by the chunk, so that threads have much to share and memory stays bounded."""
        size = _FIRST_CHUNK
        with Progress("solve", quiet=self._args.quiet or sys.stdout.isatty()) as progress:
            while True:
                chunk = list(islice(texts, size))
                if not chunk:
                    break
                if len(chunk) == 1:
                    self.answer(chunk[0])
                    continue
                start = time.perf_counter()
                self._answer_chunk(chunk)
                if time.perf_counter() - start < _CHUNK_SECONDS:
                    size = min(2 * size, _LARGEST_CHUNK)
                progress.update(None, f"{self._solved + self._failed:,} boards")

    def _answer_chunk(self, texts):
        start = time.perf_counter()
        boards, errors, groups = {}, {}, {}
        for index, text in enumerate(texts):
            try:
                board = boards[index] = Board(text, self._shape)
            except BoardError as error:
                errors[index] = error
            else:
                groups.setdefault(board.shape, []).append(index)
        solutions = {}
        for shape, indices in groups.items():
            solver = self._solver(shape)
            batch = solver.solve_many(
                [boards[index] for index in indices], workers=self._threads, on_error="mark")
            for index, solution in zip(indices, batch):
                if solution.error is None:
                    solutions[index] = solution
                else:  # named by its place in the group, which means nothing to the user
                    errors[index] = _error_of(solver, boards[index])
        self._seconds += time.perf_counter() - start
        for index, text in enumerate(texts):
            self._write(text, boards.get(index), solutions.get(index), errors.get(index))
        sys.stdout.flush()

    def _write(self, text, board, solution, error):
        """One answer; exactly one of `solution` and `error` is there."""
        if error is not None:
            self._failed += 1
        else:
            self._expanded += solution.expanded
            self._generated += solution.generated
            if solution.status != "solved":
                self._failed += 1
            else:
                self._solved += 1
                self._moves += solution.length
        if self._args.set:
            self._lengths.append(None if error else solution.length)
        if self._args.json:
            shape = self._shape if board is None else board.shape
            goal = None if shape is None else self._goal(shape)
            _write_json(_record(text, board, goal, solution, error, self._args.moves, self._args.algorithm))
        else:
            _write(self._line(solution, error))

    def _line(self, solution, error):
        if error is not None:
            return f"error: {_reason(error)}"
        if solution.status == "solved":
            return f"{solution.length}\t{_moves_text(solution, self._args.moves)}"
        line = f"{solution.status}: at least {solution.lower_bound} moves"
        if solution.length is not None:  # branch and bound
            line += f", at most {solution.length}\t{_moves_text(solution, self._args.moves)}"
        return line

    # ---- what it came to

    def summarize(self):
        """Say how many boards were solved, and how fast."""
        boards = self._solved + self._failed
        if self._args.quiet or not boards:
            return
        parts = [f"{boards:,} board{'s' * (boards != 1)}: {self._solved:,} solved"]
        if self._solved:
            parts.append(f"{self._moves:,} moves, mean {self._moves / self._solved:.2f}")
        parts.append(f"{self._expanded:,} nodes expanded, {self._generated:,} generated")
        seconds = format_duration(self._seconds)
        if self._seconds > 0 and boards > 1:
            rate = boards / self._seconds
            seconds += f", {rate:,.{0 if rate >= 10 else 2}f} boards a second"
        _say("; ".join([*parts, seconds]))

    def verdict(self):
        """The exit code; says how a set's lengths compare with the known ones."""
        code = FAILED if self._failed else OK
        if not self._args.set or self._goal((4, 4)) != data.KORF_GOAL:
            return code
        known = data.korf100()
        name = self._args.algorithm
        if name is not None and (name == local_vi.ALGORITHM or not algorithm_of(name).optimal):
            return self._verdict_of_any(known, code)
        wrong = [record for record, length in zip(known, self._lengths) if length != record.length]
        if not self._args.quiet:
            for record in wrong:
                length = self._lengths[record.number - 1]
                _say(f"board {record.number}: {'no solution' if length is None else length}, known: {record.length}")
            if wrong:
                _say(f"{len(wrong)} of {len(known)} lengths wrong or missing")
            else:
                _say(f"all {len(known)} lengths right, total {self._moves}")
        return FAILED if wrong else code

    def _verdict_of_any(self, known, code):
        """Of solutions that need not be shortest ones: how much longer they are."""
        pairs = [(length, record.length) for record, length in zip(known, self._lengths) if length is not None]
        if pairs and not self._args.quiet:
            total, least = map(sum, zip(*pairs))
            _say(f"{len(pairs)} of {len(known)} solved, total {total}; the shortest have {least}")
        return code


def _record(text, board, goal, solution, error, convention, algorithm):
    """One answer as it is printed; exactly one of `solution` and `error` is there."""
    known = solution is not None
    record = {
        "board": text if board is None else str(board),
        "goal": None if goal is None else str(goal),
        "length": solution.length if known else None,
        "moves": _moves_text(solution, convention) if known else None,
        "convention": convention,
        "metric": "stm",
        "optimal": solution.optimal if known else None,
        "lower_bound": solution.lower_bound if known else None,
        "expanded": solution.expanded if known else None,
        "generated": solution.generated if known else None,
        "seconds": round(solution.seconds, 6) if known else None,
        "status": solution.status if known else "error",
        "error": _reason(error) if error else None,
    }
    if algorithm is not None:
        record["algorithm"] = algorithm
        for name in ("heuristic", "largest_open", "largest_closed", "memory_bytes"):
            record[name] = getattr(solution, name) if known else None
    if algorithm == local_vi.ALGORITHM:
        record["largest"] = solution.largest if known else None
        record["parts"] = [part._asdict() for part in solution.parts] if known else None
    return record


def _moves_text(solution, convention):
    if convention == "tile" or solution.moves is None:
        return solution.moves
    return format_moves(parse_moves(solution.moves), convention)


def _parse_goal(text, shape):
    """(the goal as a function of the shape, the shape as far as known)"""
    name = text.strip().lower()
    if name in ("korf", "blank-first"):
        return lambda shape: Board.goal(shape, home=0), shape
    if name == "blank-last":
        return Board.goal, shape
    goal = Board(text, shape)
    return lambda shape: goal, goal.shape


def _can_draw(check, *what):
    """Refuse to draw what cannot be drawn, before the work for it is done."""
    try:
        check(*what)
    except (ImportError, OSError) as error:
        raise _UsageError(str(error)) from None


def _compare(args):
    if args.plot is not None:
        _can_draw(plots.check_file, args.plot)
    goal_of, shape = _parse_goal(args.goal or "blank-last", args.shape)
    try:
        board = Board(args.board, shape)
        goal = goal_of(board.shape)
        check_solvable(board, goal)
    except (BoardError, UnsolvableError) as error:
        _say(f"error: {_reason(error)}")
        return FAILED
    runs = comparison.plan_runs(board.shape, args.algorithms, args.heuristics)
    answers = comparison.compare(
        board, algorithms=args.algorithms, heuristics=args.heuristics, goal=goal, tables=args.dir,
        max_nodes=args.max_nodes, time_limit_s=args.time_limit, max_memory=args.max_memory, **_search_options(args))
    if not args.json:
        _write(comparison.format_header(runs))
    solutions = []
    for number, run in enumerate(runs):
        with Progress("compare", quiet=args.quiet) as progress:
            progress.update(number / len(runs), f"{run}: running")
            solution = next(answers)
        solutions.append(solution)
        if args.json:
            _write_json(_record(None, board, goal, solution, None, "tile", solution.algorithm))
        else:
            _write(comparison.format_row(runs, solution))
        sys.stdout.flush()
    if args.plot is not None:
        plots.plot_comparison(solutions, args.plot)
    return OK


def _error_of(solver, board):
    """The error that solving `board` raises at once."""
    try:
        solver.solve(board, max_nodes=0)
    except (BoardError, UnsolvableError) as error:
        return error
    raise AssertionError(f"{board} was marked, but can be solved")


# ---------------------------------------------------------------- reproduce ---


def _reproduce(args):
    options = {name: getattr(args, name) for name in _PAPER_OPTIONS.get(args.paper, {})}
    if args.plots is not None:
        _can_draw(plots.new_figure, 1, 1)
        try:
            os.makedirs(args.plots, exist_ok=True)
        except OSError as error:
            raise _UsageError(f"cannot draw into {args.plots}: {error.strerror}") from None
    with Progress(args.paper, quiet=args.quiet) as progress:
        rows = papers.reproduce(args.paper, plots=args.plots, progress=progress.update, **options)
    if args.json:
        _write_json({"paper": args.paper, "rows": [row.record() for row in rows]})
    else:
        _write(papers.format_rows(rows))
    open_rows = [row for row in rows if not row.is_settled]
    if not args.quiet:
        equal = sum(row.paper == row.here for row in rows)
        _say(f"{len(rows)} figures: {equal} equal, {len(rows) - equal - len(open_rows)} others explained, "
             f"{len(open_rows)} not")
    return FAILED if open_rows else OK


def _write(text):
    sys.stdout.write(text + "\n")


def _write_json(record):
    _write(json.dumps(record))
