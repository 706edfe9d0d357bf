"""``puzzle15 solve``: its options, their checks, and what it does with boards."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Optional

from .. import heuristics, learning, searches
from .._system.files import write_output
from .._system.quantities import count_text, plain_name
from ..board import KORF_GOAL, Board, Shape, format_moves, korf100
from ..board._moves import KINDS, Convention
from ..errors import OptionError
from ..learning import LOCAL_VALUE_ITERATION
from ..searches import algorithm_of
from ..searches._algorithms import DEFAULT_HEURISTIC, users_of
from ..solver import Improvement, Solution
from ..solver._solution import SEARCH_FIELDS
from ..tables._folder import CHECKS
from .console import FAILED, OK, UsageError, format_duration, say
from .options import (
    ALGORITHM,
    FUNCTION,
    KORF,
    RECORDS,
    SEARCH,
    SOLVER,
    limits_of,
    open_solver,
    refuse,
    search_options,
    workers_of,
)
from .references import read_algorithm, read_heuristic
from .runner import TAB, Boards, Item, are_many, run

_FIELDS = "board goal length moves convention metric optimal lower_bound expanded generated seconds status error"
#: The chunks of a cluster are larger, because workers wait for each other at the end of a chunk.
_CLUSTER = {"largest": 50_000, "first": 256, "seconds": 5.0}


SOLVE = f"""
[boards=BOARD..]    a quoted board: '1 2 3/4 5 6/7 8 0', a flat list, hex digits, or a JSON list; without BOARD,
    boards are read from standard input, one per line; blank lines and # comments are skipped
--all    print all shortest solutions of each board, in the order of their moves (UDLR)
--max-solutions K    with --all, print at most K solutions of each board (default: no limit)
--pattern TILES    bring only these tiles home, such as 1-4, in the fewest moves, wherever the others are then
# input
--input
--set {KORF}|FILE    solve Korf's 100 boards, for their own goal (blank first), and compare with the known lengths; or
    solve the boards of FILE
# tables
{SOLVER.replace(" --workers", "")} --metric --format --build
--check-tables {"|".join(CHECKS)}=once    when to compare all bytes of the table files with their checksums; once means
    before the first use and after each change of a file
--no-reflection    look up only the board in the tables, and not its reflection
--plain    use the textbook IDA*, for comparisons
# limits and threads
--max-length L    the most moves that a solution may have; a board that needs more is answered by a lower bound; with
    --algorithm, {users_of("max_length")} alone takes it (and needs it on boards of more than 9 cells)
--workers K=1    number of threads, for one hard board or for the boards of a file; with --algorithm for those of a file
--dask
# output
--certificate FILE    write what proves each solution into FILE, one JSON object per line, for puzzle15's
    solver/check_certificate.py, which needs nothing else of puzzle15
--with-boards    print the board, a tab and the moves, as analyse, apply, convert and draw read them
{RECORDS}
# textbook searches    these options need --algorithm; puzzle15 algorithms lists those of each
--algorithm A    {ALGORITHM}; {LOCAL_VALUE_ITERATION}; or {FUNCTION}
--heuristic {SEARCH} --max-memory --counts
--prove    if a solution is not proved to be shortest, use the tables to prove it or to find a shorter one
--initial-size K    the number of tiles that each stage of {LOCAL_VALUE_ITERATION} brings home (default: 1)

examples:
  puzzle15 solve "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"
  puzzle15 solve --set korf100 --workers 2
  puzzle15 solve --metric mtm 867254301
  puzzle15 solve --set korf100 --certificate korf.jsonl
  puzzle15 solve --pattern 1-3 867254301
  puzzle15 solve --algorithm astar --heuristic linear-conflict 867254301
  puzzle15 solve -i boards.txt --algorithm local-value-iteration
  puzzle15 solve -i boards.txt --dask tcp://scheduler:8786 --build
  generate_boards | puzzle15 solve --time-limit 10 > answers.txt
"""


def _to_algorithm(text: str) -> str:
    if plain_name(text) == LOCAL_VALUE_ITERATION:
        return LOCAL_VALUE_ITERATION
    try:
        return read_algorithm(text).name
    except ValueError as error:
        raise OptionError(f"{error}, {LOCAL_VALUE_ITERATION}") from None


def _is_optimal(name: str) -> bool:
    return name != LOCAL_VALUE_ITERATION and algorithm_of(name).optimal


TYPES = {"A": _to_algorithm}


def solve(args: argparse.Namespace) -> int:
    _check_options(args)
    with workers_of(args) as workers, ExitStack() as stack:
        solve = _Solve(args, workers)
        if args.certificate is not None:
            try:
                solve.certificates = stack.enter_context(write_output(Path(args.certificate))).write
            except OSError as error:
                raise UsageError(f"cannot write {args.certificate}: {error.strerror}") from None
        return max(run(args, args.boards, solve), solve.verdict())


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that the chosen kind of search does not use."""
    many = are_many(args)
    by_name = f"--heuristic {SEARCH} --counts --prove --max-memory"
    tables = "--partition --format --metric --no-reflection --plain --dask --build --check-tables --all"
    own = f"{by_name.replace(' --move-order', '')} --max-length --workers --max-nodes --time-limit"
    is_local = args.algorithm == LOCAL_VALUE_ITERATION
    not_with = "cannot be used with {}; leave it out".format
    rules = [
        (args.algorithm is None, by_name, "add --algorithm"),
        (args.algorithm, tables, "leave out --algorithm; or name the tables of a heuristic, as in tables:7-8:classic"),
        (is_local, own, f"{args.algorithm} does not use it; its options are --initial-size and --move-order"),
        (not is_local, "--initial-size", f"add --algorithm {LOCAL_VALUE_ITERATION}"),
        (args.records is None, "--counts", "add --json or --csv"),
        (args.pattern, f"{tables} --algorithm --set --workers", not_with("--pattern")),
        (args.all, "--max-length --dask", not_with("--all")),
        (not args.all, "--max-solutions", "add --all; or limit the search by --max-length, --max-nodes, --time-limit"),
        (not many, "--dask", "expected boards from a file (--input) or a set (--set)"),
        (not many and args.algorithm, "--workers", "expected boards from a file (--input) or a set (--set)"),
        (args.dask, "--workers --time-limit", not_with("--dask")),
        (args.metric == "mtm", "--format --plain", not_with("--metric mtm")),
        (args.certificate is not None, "--algorithm --pattern --all --dask --metric", not_with("--certificate")),
    ]
    for applies, names, why in rules:
        if applies:
            refuse(args, names, why)


class _Solve(Boards):
    """Solves boards: with tables, by a textbook search, or by local value iteration."""

    sums_up_one = True

    def __init__(self, args: argparse.Namespace, workers: Any) -> None:
        if args.algorithm not in (None, LOCAL_VALUE_ITERATION):
            usual = DEFAULT_HEURISTIC if algorithm_of(args.algorithm).informed else None
            self._options = searches.SearchOptions(
                algorithm=args.algorithm,
                heuristic=usual if args.heuristic is None else read_heuristic(args.heuristic, quiet=args.quiet),
                prove=args.prove,
                counts=args.counts,
                **search_options(args),
            )
        self.any_parity = args.pattern is not None  # others than these tiles may be exchanged
        alone = args.all or args.pattern or args.certificate is not None
        self.together = not alone and (args.algorithm is None or args.workers > 1)
        self.certificates: Optional[Callable[[bytes], Any]] = None  # writes them
        self._near = 0  # solutions that an optimal search does not prove to be shortest
        self._lengths: list[Optional[int]] = []
        self._depth: Optional[int] = None  # the limit of depth-first
        self._certifiers: dict[Shape, Any] = {}
        super().__init__(args)
        self.workers = workers
        self._keys = [*_FIELDS.split(), *(SEARCH_FIELDS if args.algorithm else ())]
        if args.algorithm == LOCAL_VALUE_ITERATION:
            self._keys += ["largest", "parts"]
        self.fields = [*self._keys, *(["solutions", "complete"] if args.all else ())]
        self.growth = _CLUSTER if args.dask else {"first": args.workers if args.algorithm else 1}

    # ---------------------------------------------------------------- solutions

    def open(self, shape: Shape) -> Any:
        """Return a solver; or the options of a search, with an open heuristic; or local value iteration; or nothing."""
        args, goal = self.args, self.goal_of(shape)
        if args.pattern is not None:
            return None
        if args.algorithm == LOCAL_VALUE_ITERATION:
            chosen = {} if args.move_order is None else {"move_order": args.move_order}
            return learning.LocalValueIteration(initial_size=args.initial_size or 1, goal=goal, **chosen)
        if args.algorithm is not None:
            given = self._options.heuristic
            opened = None if given is None else heuristics.heuristic(given, goal=goal, tables=args.tables)
            return replace(self._options, heuristic=opened)
        solver = open_solver(
            args,
            goal,
            format=args.format,
            reflection=not args.no_reflection,
            plain=args.plain,
            build=args.build,
            check=args.check_tables,
        )
        if args.certificate is not None:
            from ..solver._certificate import Certifier  # others need neither it nor what it imports

            self._certifiers[shape] = certifier = Certifier(solver)
            if not args.quiet and (command := certifier.build_command(args.tables)):
                say(f"the tables of the certificates are in memory only; to write the same as files: {command}")
        return solver

    def answer(self, board: Board, moves: str) -> Any:
        args, opened = self.args, self.opened(board.shape)
        if args.pattern is not None:
            from ..solver import solve_pattern  # it needs numpy

            limits = {"max_nodes": args.max_nodes, "time_limit_s": args.time_limit, "max_length": args.max_length}
            return solve_pattern(board, args.pattern, goal=self.goal_of(board.shape), **limits)
        if args.algorithm is None:
            found = opened.solve(board, max_length=args.max_length, **limits_of(args))
            if self.certificates is not None and found.status == "solved":
                self.certificates(self._certifiers[board.shape].line(found))
            return found
        if args.algorithm == LOCAL_VALUE_ITERATION:
            try:
                return opened.solve(board)
            except MemoryError as error:
                raise UsageError(str(error)) from None
        improves = not args.quiet and "on_improvement" in opened.kind.options
        on_improvement = self._say_improvement if improves else None
        return searches.search(board, opened, goal=self.goal_of(board.shape), on_improvement=on_improvement)

    def answer_many(self, boards: list[Board], moves: list[str], **options: Any) -> Any:
        shape = boards[0].shape
        opened = self.opened(shape)
        if self.args.algorithm is None:
            return opened.solve_many(boards, max_length=self.args.max_length, **options)
        del options["max_nodes"]  # which `opened` has
        return searches.search_many(boards, opened, goal=self.goal_of(shape), **options)

    def _say_improvement(self, better: Improvement) -> None:
        weight = "" if better.weight is None else f"; weight {better.weight:g}"
        say(
            f"{format_duration(better.seconds)}: {count_text(better.length, 'move')}, at least "
            f"{better.lower_bound}{weight}; {better.expanded:,} nodes expanded"
        )

    def alone(self, item: Item) -> Iterator[list[Any]]:
        """Yield the answer of one board; with ``--all`` each shortest solution as soon as it is found."""
        if not self.args.all:
            yield from super().alone(item)
            return
        args = self.args
        solutions = self.opened(item.board.shape).all_solutions(item.board, **limits_of(args))
        solution, listed, count = solutions.solution, [], 0
        for count, found in enumerate(islice(solutions, args.max_solutions), 1):  # noqa: B007 (it is the number of solutions afterwards)
            if args.records:
                listed.append(format_moves(found, convention=args.convention))
            else:
                yield [self.text(replace(solution, moves=found))]
        stopped = not solutions.complete and count != args.max_solutions  # by a limit of the search
        self.count(replace(solution, status="limit") if stopped else solution)
        if args.records:
            yield [self.record(solution) | {"solutions": listed, "complete": solutions.complete}]
        elif solution.moves is None:
            yield [self.text(solution)]
        elif stopped:
            say(f"{item.board}: a limit was reached after {count:,} solutions; there may be more")

    # ---------------------------------------------------------------- text, records, the summary

    def text(self, found: Solution) -> str:
        moves = format_moves(found.moves or "", convention=self.args.convention, compress=True)
        if found.status == "solved":
            return f"{found.board if self.args.with_boards else found.length}{TAB}{moves}"
        line = f"{found.status}: at least {count_text(found.lower_bound, KINDS[found.metric])}"
        if self.args.with_boards:
            return f"error: {found.board}: {line}"
        if found.moves is not None:  # from branch and bound or an anytime search, or before --prove could prove it
            line += f", at most {found.length}{TAB}{moves}"
        return line

    def record(self, found: Solution) -> dict[str, Any]:
        return solution_record(found, self.args.convention, self.args.algorithm is not None)

    def failure(self, item: Item) -> dict[str, Any]:
        known = super().failure(item) | {"improvements": []}
        known["algorithm"] = self.args.algorithm
        return {name: known[name] for name in self._keys}

    def count(self, found: Solution) -> None:
        super().count(found)
        self._depth = found.max_length
        self._near += found.status == "solved" and found.optimal is False and _is_optimal(found.algorithm)
        if self.args.set:
            self._lengths.append(found.length)

    def remarks(self) -> Iterator[str]:
        if self._near:  # the heuristic may exceed the distance
            yield f"{self._near:,} near-optimal: not proved to be shortest; --prove proves it"
        if self._depth is not None:
            yield f"depth limit {self._depth}: solutions may be longer than needed, and --max-length changes it"

    def verdict(self) -> int:
        """Compare a set's lengths with the known ones, and return the exit code."""
        args = self.args
        if args.set != KORF or args.metric == "mtm" or self.goal_of((4, 4)) != KORF_GOAL:
            return OK
        records = korf100()
        wrong = [(record, length) for record, length in zip(records, self._lengths) if length != record.length]
        may_be_longer = args.algorithm is not None and (not _is_optimal(args.algorithm) or self._near)
        if not args.quiet:
            for record, length in [] if may_be_longer else wrong:
                say(f"board {record.number}: {'no solution' if length is None else length}, known: {record.length}")
            solved = [(length, record.length) for record, length in zip(records, self._lengths) if length is not None]
            total, least = map(sum, zip(*solved or [(0, 0)]))
            say(
                f"{len(records) - len(wrong)} of {len(records)} lengths right; {len(solved)} solved, total {total}; "
                f"the shortest solutions have {least}"
            )
        return FAILED if wrong and not may_be_longer else OK


def solution_record(solution: Solution, convention: Convention, by_name: bool) -> dict[str, Any]:
    """Return a solution as a record; one of the tables' own search lacks the fields of a textbook search."""
    record = solution.to_dict(convention=convention)
    return record if by_name else {name: value for name, value in record.items() if name not in SEARCH_FIELDS}
