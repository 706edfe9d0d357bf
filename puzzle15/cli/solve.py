"""``puzzle15 solve``: boards in, answers out."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import time
from itertools import islice

from .. import local_vi, published, tables
from ..board import MOVE_CONVENTIONS, format_moves, home_cell
from ..errors import BoardError, UnsolvableError
from ..heuristics import heuristic
from ..local_vi import LocalValueIteration
from ..searches import ALGORITHMS, DEFAULT_HEURISTIC, algorithm_of, check_options, search
from ..solver import Solver
from ..system.streams import ENCODING, read_lines, standard_input
from ..tables import FORMATS, NAMED
from .console import FAILED, OK, UsageError, flush_output, reason, say, write_json, write_line
from .options import (
    add_cluster,
    add_command,
    add_folder,
    add_goal,
    add_output,
    add_search_options,
    add_threads,
    parse_goal,
    read_board,
    search_options,
    to_algorithm,
    to_count,
    to_positive,
    to_seconds,
    to_size,
    workers_of,
)
from .terminal import Progress, format_duration

_OPTIMAL = [name for name, algorithm in ALGORITHMS.items() if algorithm.optimal]
_FIRST_CHUNK = 256
_LARGEST_CHUNK = 10_000
_CHUNK_SECONDS = 0.5  # chunks grow until one takes this long
_LARGEST_OF_CLUSTER = 50_000  # at the end of each, workers wait for the last of them
_CLUSTER_SECONDS = 5.0


def add_solve(commands):
    parser = add_command(
        commands,
        "solve",
        _solve,
        "solve boards optimally",
        [
            'puzzle15 solve "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"',
            "puzzle15 solve --goal blank-first 712043865 --json",
            "puzzle15 solve --set korf100 --threads 2",
            "puzzle15 solve --algorithm astar --heuristic linear-conflict 867254301",
            "puzzle15 solve -i boards.txt --algorithm local-value-iteration --initial-size 4",
            "puzzle15 solve -i boards.txt --dask tcp://scheduler:8786 --build",
            "generate_boards | puzzle15 solve --time-limit 10 > answers.txt",
        ],
    )
    parser.add_argument(
        "boards",
        nargs="*",
        metavar="BOARD",
        help="a board, quoted: '1 2 3/4 5 6/7 8 0', flat, hex, or a JSON list; without any, one a "
        "line from standard input, blank lines and # comments left out",
    )
    parser.add_argument("-i", "--input", metavar="FILE", help="read boards from a file, - for standard input")
    parser.add_argument(
        "--set", choices=["korf100"], help="solve a bundled set in its own goal and compare with the known lengths"
    )
    add_goal(parser)
    parser.add_argument(
        "--partition",
        metavar="P",
        help="which tables: 7-8, 6-6-3, .., tiles such as 1-8/9-15, or embedded for the small ones "
        "built in memory (default: the best, as puzzle15 info tells)",
    )
    parser.add_argument("--format", choices=list(FORMATS), help="which tables: these only")
    add_folder(parser)
    parser.add_argument(
        "--check-tables",
        choices=tables.CHECKS,
        help="when to compare all bytes of the table files with their checksums (default: once, until they change)",
    )
    add_threads(parser, "that work together, on one hard board or through a file (default: 1)")
    add_cluster(parser, "solve a file's boards, or a set's,")
    parser.add_argument(
        "--max-nodes", type=to_count, metavar="N", help="stop a board after this many generated nodes (10M)"
    )
    parser.add_argument("--time-limit", type=to_seconds, metavar="S", help="stop a board after this many seconds")
    parser.add_argument(
        "--moves",
        choices=MOVE_CONVENTIONS,
        default="tile",
        help="what a move letter is the direction of (default: tile)",
    )
    parser.add_argument("--no-reflection", dest="reflection", action="store_false", help="one view of the tables only")
    parser.add_argument("--plain", action="store_true", help="the textbook IDA*, for comparisons")
    group = parser.add_argument_group(
        "searches by name", "a textbook search instead of the tables' own; needs --algorithm"
    )
    group.add_argument(
        "--algorithm",
        type=to_algorithm,
        metavar="A",
        help=f"{', '.join(ALGORITHMS)}, {local_vi.ALGORITHM}; astar is a*, which shells expand",
    )
    group.add_argument(
        "--heuristic",
        metavar="H",
        help="zero, misplaced, manhattan (the default), reversal, linear-conflict, walking-distance, "
        "tables, tables:7-8, tables:7-8:classic, ann (a neural network; near-optimal), ann:NETWORK, "
        "ann:NETWORK:LOWERED, or the largest of several: max(tables,walking-distance)",
    )
    add_search_options(group)
    group.add_argument(
        "--prove",
        action="store_true",
        help="where a solution is not proved to be a shortest one, prove it or find one, with the tables",
    )
    group.add_argument(
        "--initial-size",
        type=to_positive,
        metavar="L",
        help=f"tiles that each stage of {local_vi.ALGORITHM} brings home (default: 1)",
    )
    group.add_argument(
        "--max-memory",
        type=to_size,
        metavar="SIZE",
        help="stop a board when nodes take this much, such as 500M (default: three quarters of what is available)",
    )
    add_output(parser, "one JSON record a board")


def _solve(args):
    _check_source(args)
    _check_search(args)
    _check_cluster(args)
    session = _Session(args)
    try:
        with _open_boards(args) as (texts, many), workers_of(args) as workers:
            in_chunks = many and args.algorithm is None and args.max_nodes is None and args.time_limit is None
            if args.dask or in_chunks:
                session.answer_in_chunks(texts, workers)
            else:
                for text in texts:
                    session.answer(text)
    finally:
        session.summarize()
    return session.verdict()


def _check_source(args):
    if bool(args.boards) + (args.input is not None) + (args.set is not None) > 1:
        raise UsageError("boards come from the command line, from --input or from --set: name one of them")
    if len(args.boards) > 1 and all(re.fullmatch(r"\d{1,2}|[_.x-]", text) for text in args.boards):
        raise UsageError(f'a board is one argument; quote it: puzzle15 solve "{" ".join(args.boards)}"')


def _check_search(args):
    """Refuse options that the kind of search asked for does not use."""
    options = search_options(args)
    if args.heuristic is not None:
        options["heuristic"] = args.heuristic
    if args.prove:
        options["prove"] = True
    if args.algorithm is None:
        if args.max_memory is not None:
            options["max_memory"] = args.max_memory
        wrong = ["--" + name.replace("_", "-") for name in options]
        hint = "add --algorithm"
    else:
        tables_own = {
            "--partition": args.partition,
            "--format": args.format,
            "--threads": args.threads,
            "--no-reflection": not args.reflection,
            "--plain": args.plain,
            "--dask": args.dask,
            "--build": args.build,
            "--check-tables": args.check_tables,
        }
        wrong = [name for name, value in tables_own.items() if value]
        hint = "leave out --algorithm; the tables that a heuristic looks up are named such as tables:7-8:classic"
    if wrong:
        raise UsageError(f"{', '.join(wrong)}: {hint}")
    if args.algorithm == local_vi.ALGORITHM:
        options.update(max_nodes=args.max_nodes, time_limit=args.time_limit, max_memory=args.max_memory)
        wrong = ["--" + name.replace("_", "-") for name, value in options.items() if value is not None]
        if wrong:
            raise UsageError(f"{', '.join(wrong)}: {args.algorithm} uses none; it takes --initial-size")
    elif args.initial_size is not None:
        raise UsageError(f"--initial-size: add --algorithm {local_vi.ALGORITHM}")
    elif args.algorithm is not None:
        check_options(algorithm_of(args.algorithm), [name for name in options if name not in ("move_order", "prove")])


def _check_cluster(args):
    """Refuse what a cluster does not do."""
    if args.dask is None:
        return
    if args.input in (None, "-") and args.set is None:
        raise UsageError("--dask: the boards come from a file (--input) or a set (--set)")
    alone = {"--threads": args.threads, "--max-nodes": args.max_nodes, "--time-limit": args.time_limit}
    wrong = [name for name, value in alone.items() if value is not None]
    if wrong:
        raise UsageError(f"{', '.join(wrong)}: not with --dask")


@contextlib.contextmanager
def _open_boards(args):
    """(texts of boards, whether all of them are there already)"""
    if args.boards:
        yield iter(args.boards), False
    elif args.set:
        yield iter([str(record.board) for record in published.korf100()]), True
    elif args.input in (None, "-"):
        file = standard_input()
        if file.isatty() and not args.quiet:
            say("boards, one a line:")
        yield _texts(file), False
    else:
        try:
            file = open(args.input, encoding=ENCODING, errors="replace")
        except OSError as error:
            raise UsageError(f"cannot read {args.input}: {error.strerror}") from None
        with file:
            yield _texts(file), stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def _texts(file):
    return (text for _, text in read_lines(file))


class _Session:
    """One run of ``puzzle15 solve``: boards in, answers out, and what it came to."""

    def __init__(self, args):
        self._args = args
        self._threads = args.threads or 1
        self._shape = args.shape
        self._goal, self._shape = parse_goal(args.goal or ("korf" if args.set else "blank-last"), self._shape)
        if self._shape is None and args.partition in NAMED:
            self._shape = (4, 4)
        self._solvers, self._heuristics, self._learners = {}, {}, {}
        self._hinted = args.quiet
        self._failed = self._solved = self._near = self._moves = self._expanded = self._generated = 0
        self._seconds = 0.0
        self._lengths = []
        if self._shape is not None:
            self._prepare(self._shape)  # what is wrong with the options shows before any board

    # ---- boards and solvers

    def _solver(self, shape):
        if shape not in self._solvers:
            args = self._args
            solver = Solver(
                args.partition,
                goal=self._goal(shape),
                shape=shape,
                tables=args.dir,
                format=args.format,
                reflection=args.reflection,
                plain=args.plain,
                build=args.build,
                check=args.check_tables or "once",
            )
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
        hint_at_tables(solver, self._args.dir)

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
                raise UsageError(str(error)) from None
        return search(
            board,
            algorithm=args.algorithm,
            heuristic=ready,
            goal=self._goal(board.shape),
            tables=args.dir,
            prove=args.prove,
            max_memory=args.max_memory,
            **search_options(args),
            **limits,
        )

    def answer(self, text):
        """Solve one board and write the answer at once."""
        start = time.perf_counter()
        board, solution, error = None, None, None
        try:
            board = read_board(text, self._goal, self._shape)
            solution = self._solve(board)
        except (BoardError, UnsolvableError) as caught:
            error = caught
        self._seconds += time.perf_counter() - start
        self._write(text, board, solution, error)
        flush_output()

    def answer_in_chunks(self, texts, workers):
        """Solve boards by the chunk, so that workers have much to share and memory stays bounded."""
        size, largest, seconds = _FIRST_CHUNK, _LARGEST_CHUNK, _CHUNK_SECONDS
        if self._args.dask:
            largest, seconds = _LARGEST_OF_CLUSTER, _CLUSTER_SECONDS
        with Progress("solve", quiet=self._args.quiet or sys.stdout.isatty()) as progress:
            while True:
                chunk = list(islice(texts, size))
                if not chunk:
                    break
                if len(chunk) == 1:
                    self.answer(chunk[0])
                    continue
                start = time.perf_counter()
                self._answer_chunk(chunk, workers)
                if time.perf_counter() - start < seconds:
                    size = min(2 * size, largest)
                progress.update(None, f"{self._solved + self._failed:,} boards")

    def _answer_chunk(self, texts, workers):
        start = time.perf_counter()
        boards, errors, groups = {}, {}, {}
        for index, text in enumerate(texts):
            try:
                board = boards[index] = read_board(text, self._goal, self._shape)
            except BoardError as error:
                errors[index] = error
            else:
                groups.setdefault(board.shape, []).append(index)
        solutions = {}
        for shape, indices in groups.items():
            solver = self._solver(shape)
            batch = solver.solve_many([boards[index] for index in indices], workers=workers, on_error="mark")
            for index, solution in zip(indices, batch):
                if solution.error is None:
                    solutions[index] = solution
                else:  # named by its place in the group, which means nothing to the user
                    errors[index] = _error_of(solver, boards[index])
        self._seconds += time.perf_counter() - start
        for index, text in enumerate(texts):
            self._write(text, boards.get(index), solutions.get(index), errors.get(index))
        flush_output()

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
                self._near += solution.optimal is False and solution.algorithm in _OPTIMAL
        if self._args.set:
            self._lengths.append(None if error else solution.length)
        if self._args.json:
            shape = self._shape if board is None else board.shape
            goal = None if shape is None else self._goal(shape)
            write_json(record_of(text, board, goal, solution, error, self._args.moves, self._args.algorithm))
        else:
            write_line(self._line(solution, error))

    def _line(self, solution, error):
        if error is not None:
            return f"error: {reason(error)}"
        if solution.status == "solved":
            return f"{solution.length}\t{format_moves(solution.moves, self._args.moves, compress=True)}"
        line = f"{solution.status}: at least {solution.lower_bound} moves"
        if solution.length is not None:  # branch and bound, or what was to be proved
            line += f", at most {solution.length}\t{format_moves(solution.moves, self._args.moves, compress=True)}"
        return line

    # ---- what it came to

    def summarize(self):
        """Say how many boards were solved, and how fast."""
        boards = self._solved + self._failed
        if self._args.quiet or not boards:
            return
        parts = [f"{boards:,} board{'s' * (boards != 1)}: {self._solved:,} solved"]
        if self._near:  # by a heuristic that may tell too much
            parts.append(f"{self._near:,} near-optimal: not proved to be shortest, which --prove does")
        if self._solved:
            parts.append(f"{self._moves:,} moves, mean {self._moves / self._solved:.2f}")
        parts.append(f"{self._expanded:,} nodes expanded, {self._generated:,} generated")
        seconds = format_duration(self._seconds)
        if self._seconds > 0 and boards > 1:
            rate = boards / self._seconds
            seconds += f", {rate:,.{0 if rate >= 10 else 2}f} boards a second"
        say("; ".join([*parts, seconds]))

    def verdict(self):
        """The exit code; says how a set's lengths compare with the known ones."""
        code = FAILED if self._failed else OK
        if not self._args.set or self._goal((4, 4)) != published.KORF_GOAL:
            return code
        known = published.korf100()
        name = self._args.algorithm
        if name is not None and (name == local_vi.ALGORITHM or not algorithm_of(name).optimal or self._near):
            return self._verdict_of_any(known, code)
        wrong = [record for record, length in zip(known, self._lengths) if length != record.length]
        if not self._args.quiet:
            for record in wrong:
                length = self._lengths[record.number - 1]
                say(f"board {record.number}: {'no solution' if length is None else length}, known: {record.length}")
            if wrong:
                say(f"{len(wrong)} of {len(known)} lengths wrong or missing")
            else:
                say(f"all {len(known)} lengths right, total {self._moves}")
        return FAILED if wrong else code

    def _verdict_of_any(self, known, code):
        """Of solutions that need not be shortest ones: how much longer they are."""
        pairs = [(length, record.length) for record, length in zip(known, self._lengths) if length is not None]
        if pairs and not self._args.quiet:
            total, least = map(sum, zip(*pairs))
            say(f"{len(pairs)} of {len(known)} solved, total {total}; the shortest have {least}")
        return code


def _error_of(solver, board):
    """The error that solving `board` raises at once."""
    try:
        solver.solve(board, max_nodes=0)
    except (BoardError, UnsolvableError) as error:
        return error
    raise AssertionError(f"{board} was marked, but can be solved")


def record_of(text, board, goal, solution, error, convention, algorithm):
    """One answer as it is printed; exactly one of `solution` and `error` is there."""
    known = solution is not None
    record = {
        "board": text if board is None else str(board),
        "goal": None if goal is None else str(goal),
        "length": solution.length if known else None,
        "moves": format_moves(solution.moves, convention) if known and solution.moves is not None else None,
        "convention": convention,
        "metric": "stm",
        "optimal": solution.optimal if known else None,
        "lower_bound": solution.lower_bound if known else None,
        "expanded": solution.expanded if known else None,
        "generated": solution.generated if known else None,
        "seconds": round(solution.seconds, 6) if known else None,
        "status": solution.status if known else "error",
        "error": reason(error) if error else None,
    }
    if algorithm is not None:
        record["algorithm"] = algorithm
        for name in ("heuristic", "largest_open", "largest_closed", "memory_bytes"):
            record[name] = getattr(solution, name) if known else None
    if algorithm == local_vi.ALGORITHM:
        record["largest"] = solution.largest if known else None
        record["parts"] = [part._asdict() for part in solution.parts] if known else None
    return record


def hint_at_tables(solver, folder):
    """Say how to get fast tables for a solver that has none."""
    rows, cols = solver.shape
    cell = home_cell(solver.goal.blank, solver.shape)
    home = "" if cell == rows * cols - 1 else f" --home {cell}"
    shape = "" if (rows, cols) == (4, 4) else f" --shape {rows}x{cols}"
    where = "" if folder is None else f" --dir {folder}"
    for error in tables.find_tables(folder)[1]:
        say(f"warning: {reason(error)}")
    say(
        f"no tables here are better than small ones built in memory, which are used; "
        f"for fast ones: puzzle15 build{shape}{home}{where}"
    )
