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
from itertools import islice

import puzzle15

from . import _tables, data, tables
from .board import Board
from .errors import BoardError, TableMissingError, UnsolvableError
from .notation import MOVE_CONVENTIONS, check_shape, format_moves, parse_moves
from .partitions import NAMED, home_cell, pattern_name, pattern_tiles, symmetries
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
    for add in (_add_solve, _add_build, _add_verify, _add_tables, _add_info):
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
        "generate_boards | puzzle15 solve --time-limit 10 > answers.txt",
    ])
    parser.add_argument("boards", nargs="*", metavar="BOARD",
                        help="a board, quoted: '1 2 3/4 5 6/7 8 0', flat, hex, or a JSON list; without any, one a "
                        "line from standard input, blank lines and # comments left out")
    parser.add_argument("-i", "--input", metavar="FILE", help="read boards from a file, - for standard input")
    parser.add_argument("--set", choices=["korf100"],
                        help="solve a bundled set in its own goal and compare with the known lengths")
    parser.add_argument("--goal", metavar="BOARD",
                        help="the goal: a board, blank-last (the default), or blank-first, also called korf")
    parser.add_argument("--shape", type=_shape, metavar="RxC", help="rows and columns, where a flat board does not tell")
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
    _add_output(parser, "one JSON record a board")


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


_size = _option(parse_size)
_count = _option(parse_count)


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


# ---------------------------------------------------------------- solve ---


def _solve(args):
    _check_source(args)
    session = _Session(args)
    try:
        with _open_boards(args) as (texts, many):
            if many and args.max_nodes is None and args.time_limit is None:
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
        self._goal = self._parse_goal(args.goal or ("korf" if args.set else "blank-last"))
        if self._shape is None and args.partition in NAMED:
            self._shape = (4, 4)
        self._solvers = {}
        self._hinted = args.quiet
        self._failed = self._solved = self._moves = self._expanded = self._generated = 0
        self._seconds = 0.0
        self._lengths = []
        if self._shape is not None:
            self._solver(self._shape)  # what is wrong with the options shows before any board

    # ---- boards and solvers

    def _parse_goal(self, text):
        """The goal as a function of the shape."""
        name = text.strip().lower()
        if name in ("korf", "blank-first"):
            return lambda shape: Board.goal(shape, home=0)
        if name == "blank-last":
            return Board.goal
        goal = Board(text, self._shape)
        self._shape = goal.shape
        return lambda shape: goal

    def _solver(self, shape):
        if shape not in self._solvers:
            args = self._args
            solver = Solver(args.partition, goal=self._goal(shape), shape=shape, tables=args.dir, format=args.format,
                            reflection=args.reflection, plain=args.plain)
            self._solvers[shape] = solver
            if solver.embedded and args.partition is None and shape[0] * shape[1] > 9:
                self._hint(solver)
        return self._solvers[shape]

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

    def answer(self, text):
        """Solve one board and write the answer at once."""
        start = time.perf_counter()
        board, solution, error = None, None, None
        try:
            board = Board(text, self._shape)
            solution = self._solver(board.shape).solve(
                board, max_nodes=self._args.max_nodes, time_limit_s=self._args.time_limit, threads=self._threads)
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
            if solution.length is None:
                self._failed += 1
            else:
                self._solved += 1
                self._moves += solution.length
        if self._args.set:
            self._lengths.append(None if error else solution.length)
        if self._args.json:
            _write_json(self._record(text, board, solution, error))
        else:
            _write(self._line(solution, error))

    def _line(self, solution, error):
        if error is not None:
            return f"error: {_reason(error)}"
        if solution.length is None:
            return f"limit: at least {solution.lower_bound} moves"
        return f"{solution.length}\t{self._moves_text(solution)}"

    def _moves_text(self, solution):
        if self._args.moves == "tile" or solution.moves is None:
            return solution.moves
        return format_moves(parse_moves(solution.moves), self._args.moves)

    def _record(self, text, board, solution, error):
        known = solution is not None
        shape = self._shape if board is None else board.shape
        return {
            "board": text if board is None else str(board),
            "goal": None if shape is None else str(self._goal(shape)),
            "length": solution.length if known else None,
            "moves": self._moves_text(solution) if known else None,
            "convention": self._args.moves,
            "metric": "stm",
            "optimal": solution.optimal if known else None,
            "lower_bound": solution.lower_bound if known else None,
            "expanded": solution.expanded if known else None,
            "generated": solution.generated if known else None,
            "seconds": round(solution.seconds, 6) if known else None,
            "status": solution.status if known else "error",
            "error": _reason(error) if error else None,
        }

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


def _error_of(solver, board):
    """The error that solving `board` raises at once."""
    try:
        solver.solve(board, max_nodes=0)
    except (BoardError, UnsolvableError) as error:
        return error
    raise AssertionError(f"{board} was marked, but can be solved")


def _write(text):
    sys.stdout.write(text + "\n")


def _write_json(record):
    _write(json.dumps(record))
