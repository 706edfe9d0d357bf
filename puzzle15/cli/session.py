"""The session of ``puzzle15 solve``: it answers boards, and sums up the answers."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Optional

from .. import heuristics, local_vi, published, searches
from ..board import Board, Shape, format_moves, parse_goal, read_board
from ..errors import BoardError, UnsolvableError
from ..searches import ALGORITHMS, DEFAULT_HEURISTIC, algorithm_of
from ..solver import Improvement, Solution, Solver
from ..tables import NAMED
from .answers import answer_line, answer_record
from .console import FAILED, OK, UsageError, flush_output, say, write_line
from .options import hint_at_tables, nodes_together, search_options
from .references import hint_at_batches, read_heuristic
from .sources import growing_chunks
from .terminal import Progress, format_duration

__all__ = ["Session"]

_OPTIMAL = [name for name, algorithm in ALGORITHMS.items() if algorithm.optimal]
_LARGEST_CHUNK = 10_000
_FIRST_OF_CLUSTER = 256  # larger, because workers wait for each other at the end of a chunk
_LARGEST_OF_CLUSTER = 50_000
_CLUSTER_SECONDS = 5.0


class Session:
    """Answers boards one by one or in chunks, and writes each answer.

    Parameters
    ----------
    args : argparse.Namespace
        The command line of `puzzle15 solve`.

    Raises
    ------
    ValueError, OSError
        An option cannot be used, for example because tables are missing; raised before any board is read.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._goal, self._shape = parse_goal(args.goal or ("korf" if args.set else "blank-last"), args.shape)
        if self._shape is None and args.partition in NAMED:
            self._shape = (4, 4)
        self._solvers: dict[Shape, Solver] = {}
        self._heuristics: dict[Shape, Optional[heuristics.Heuristic]] = {}
        self._learners: dict[Shape, local_vi.LocalValueIteration] = {}
        self._given: Optional[heuristics.HeuristicLike] = None  # by --heuristic
        if args.heuristic is not None:
            self._given = read_heuristic(args.heuristic)
            if not args.quiet:
                hint_at_batches(args.algorithm, self._given, args.batch)
        self._hinted = False
        self._tally = _Tally()
        self._progress = Progress("solve", quiet=args.quiet)
        if self._shape is not None:
            self._prepare(self._shape)  # so that wrong options are reported before any board is read

    # ---------------------------------------------------------------- solvers, by shape

    def _prepare(self, shape: Shape) -> None:
        """Open the tables, or whatever else answers boards of a shape."""
        if self._args.algorithm is None:
            self._solver(shape)
        elif self._args.algorithm == local_vi.ALGORITHM:
            self._learner(shape)
        else:
            self._heuristic(shape)

    def _solver(self, shape: Shape) -> Solver:
        if shape not in self._solvers:
            args = self._args
            solver = Solver(
                args.partition,
                goal=self._goal(shape),
                shape=shape,
                tables=args.tables,
                format=args.format,
                metric=args.metric,
                reflection=args.reflection,
                plain=args.plain,
                build=args.build,
                check=args.check_tables or "once",
            )
            self._solvers[shape] = solver
            self._progress.hide()
            self._hinted = self._hinted or hint_at_tables(solver, args)
        return self._solvers[shape]

    def _learner(self, shape: Shape) -> local_vi.LocalValueIteration:
        if shape not in self._learners:
            self._learners[shape] = local_vi.LocalValueIteration(
                initial_size=self._args.initial_size or 1, goal=self._goal(shape)
            )
        return self._learners[shape]

    def _heuristic(self, shape: Shape) -> Optional[heuristics.Heuristic]:
        """The heuristic for boards of a shape, None for searches without one."""
        if shape not in self._heuristics:
            given = self._given
            if given is None and algorithm_of(self._args.algorithm).informed:
                given = DEFAULT_HEURISTIC
            made = (
                None if given is None else heuristics.heuristic(given, goal=self._goal(shape), tables=self._args.tables)
            )
            self._heuristics[shape] = made
        return self._heuristics[shape]

    def _solve(self, board: Board) -> Solution:
        args = self._args
        limits: dict[str, Any] = {"max_nodes": args.max_nodes, "time_limit_s": args.time_limit}
        if args.algorithm is None:
            solver = self._solver(board.shape)
            return solver.solve(board, max_length=args.max_length, workers=args.workers or 1, **limits)
        if args.algorithm == local_vi.ALGORITHM:
            try:
                return self._learner(board.shape).solve(board)
            except MemoryError as error:
                raise UsageError(str(error)) from None
        return searches.search(
            board,
            algorithm=args.algorithm,
            heuristic=self._heuristic(board.shape),
            goal=self._goal(board.shape),
            tables=args.tables,
            prove=args.prove,
            max_memory=args.max_memory,
            on_improvement=self._say_improvement if self._improves() else None,
            **search_options(args),
            **limits,
        )

    def _improves(self) -> bool:
        return not self._args.quiet and "on_improvement" in algorithm_of(self._args.algorithm).options

    def _say_improvement(self, better: Improvement) -> None:
        self._progress.hide()
        weight = "" if better.weight is None else f"; weight {better.weight:g}"
        say(
            f"{format_duration(better.seconds)}: {better.length} move{'s' * (better.length != 1)}, at least "
            f"{better.lower_bound}{weight}; {better.expanded:,} nodes expanded"
        )

    # ---------------------------------------------------------------- answers

    def answer(self, text: str) -> None:
        """Solve one board and write the answer at once."""
        start = time.perf_counter()
        board: Optional[Board] = None
        solution: Optional[Solution] = None
        error: Optional[Exception] = None
        try:
            board = read_board(text, self._goal, self._shape)
            if self._args.all:
                return self._answer_all(board)
            solution = self._solve(board)
        except (BoardError, UnsolvableError) as caught:
            error = caught
        self._tally.seconds += time.perf_counter() - start
        self._write(text, board, solution, error)
        flush_output()

    def _answer_all(self, board: Board) -> None:
        """Write all shortest solutions of a board, each as soon as it is found; in JSON all at once."""
        args, start = self._args, time.perf_counter()
        solutions = self._solver(board.shape).all_solutions(
            board,
            max_solutions=args.max_solutions,
            max_nodes=args.max_nodes,
            time_limit_s=args.time_limit,
            workers=args.workers or 1,
        )
        solution, listed, count = solutions.solution, [], 0
        for count, moves in enumerate(solutions, 1):  # noqa: B007 (what is left of it is the number)
            if args.records:
                listed.append(format_moves(moves, args.moves))
            else:
                write_line(answer_line(replace(solution, moves=moves), None, args.moves))
        self._tally.seconds += time.perf_counter() - start
        stopped = not solutions.complete and count != args.max_solutions  # by a limit of the search
        self._tally.count(None if stopped else solution)
        if args.records:
            record = answer_record(None, board, solution.goal, solution, None, args.moves, None)
            args.records.write([record | {"solutions": listed, "complete": solutions.complete}])
        elif solution.moves is None:
            write_line(answer_line(solution, None, args.moves))
        elif stopped:
            say(f"{board}: a limit was reached after {count:,} solutions; there may be more")
        flush_output()

    def answer_in_chunks(self, texts: Iterator[str], workers: Any) -> None:
        """Solve boards in chunks, which give the workers enough to share and bound the memory."""
        chunks = growing_chunks(texts, _LARGEST_CHUNK, self._args.workers if self._args.algorithm else 1)
        if self._args.dask:
            chunks = growing_chunks(texts, _LARGEST_OF_CLUSTER, _FIRST_OF_CLUSTER, _CLUSTER_SECONDS)
        with self._progress:
            for chunk in chunks:
                self._say_progress()
                if len(chunk) == 1:
                    self.answer(chunk[0])
                else:
                    self._answer_chunk(chunk, workers)

    def _say_progress(self, done: int = 0, total: int = 0) -> None:
        """Say how many boards are answered, with those of the present chunk that are solved."""
        self._progress.update(None, f"{self._tally.boards + done:,} boards")

    def _answer_chunk(self, texts: list[str], workers: Any) -> None:
        start = time.perf_counter()
        boards: dict[int, Board] = {}
        solutions: dict[int, Solution] = {}
        errors: dict[int, Exception] = {}
        groups: dict[Shape, list[int]] = {}
        alone: set[int] = set()
        # Textbook searches have the limit of time for each board.
        max_nodes = nodes_together(self._args) if self._args.algorithm is None else self._args.max_nodes
        for index, text in enumerate(texts):
            try:
                board = boards[index] = read_board(text, self._goal, self._shape)
            except BoardError as error:
                errors[index] = error
            else:
                groups.setdefault(board.shape, []).append(index)
        for indices in groups.values():
            batch = self._solve_together([boards[index] for index in indices], workers, max_nodes)
            for index, solution in zip(indices, batch):
                if solution.status == "limit" and max_nodes != self._args.max_nodes and not self._is_long(solution):
                    alone.add(index)
                elif solution.error is None:
                    solutions[index] = solution
                else:  # the error names the board's place in the group, which means nothing to the user
                    errors[index] = _error_of(boards[index], self._goal(boards[index].shape))
        self._tally.seconds += time.perf_counter() - start
        for index, text in enumerate(texts):
            if index in alone:
                self.answer(text)
            else:
                self._write(text, boards.get(index), solutions.get(index), errors.get(index))
        flush_output()

    def _solve_together(self, boards: list[Board], workers: Any, max_nodes: Optional[int]) -> Iterable[Solution]:
        """The solutions of boards of one shape."""
        args, shape = self._args, boards[0].shape
        if args.algorithm is None:
            return self._solver(shape).solve_many(
                boards,
                workers=workers,
                on_error="mark",
                progress=self._say_progress,
                max_length=args.max_length,
                max_nodes=max_nodes,
            )
        return searches.search_many(
            boards,
            algorithm=args.algorithm,
            heuristic=self._heuristic(shape),
            goal=self._goal(shape),
            tables=args.tables,
            prove=args.prove,
            max_memory=args.max_memory,
            max_nodes=max_nodes,
            time_limit_s=args.time_limit,
            workers=workers,
            on_error="mark",
            progress=self._say_progress,
            **search_options(args),
        )

    def _is_long(self, solution: Solution) -> bool:
        """Whether it is proved that solutions have more moves than the user wants."""
        most: Optional[int] = self._args.max_length
        return most is not None and solution.lower_bound > most

    def _write(
        self, text: str, board: Optional[Board], solution: Optional[Solution], error: Optional[Exception]
    ) -> None:
        """Count and write one answer; exactly one of `solution` and `error` is given."""
        args = self._args
        self._progress.hide()  # on a terminal, answers take the place of the line
        self._tally.count(solution)
        if args.set:
            self._tally.lengths.append(None if solution is None else solution.length)
        if args.records:
            shape = self._shape if board is None else board.shape
            goal = None if shape is None else self._goal(shape)
            record = answer_record(text, board, goal, solution, error, args.moves, args.algorithm, args.metric)
            args.records.write([record], [*record, *(["solutions", "complete"] if args.all else [])])
        else:
            write_line(answer_line(solution, error, args.moves))

    # ---------------------------------------------------------------- the summary

    def summarize(self) -> None:
        """Say how many boards were solved, and how fast."""
        if not self._args.quiet and self._tally.boards:
            say(self._tally.summary())

    def verdict(self) -> int:
        """Compare a set's lengths with the known ones, and return the exit code."""
        args, tally = self._args, self._tally
        code = FAILED if tally.failed else OK
        if not args.set or args.metric == "mtm" or self._goal((4, 4)) != published.KORF_GOAL:
            return code
        known = published.korf100()
        name = args.algorithm
        if name is not None and (name == local_vi.ALGORITHM or not algorithm_of(name).optimal or tally.near):
            # These solutions need not be shortest: say how much longer they are.
            pairs = [(length, record.length) for record, length in zip(known, tally.lengths) if length is not None]
            if pairs and not args.quiet:
                total, least = map(sum, zip(*pairs))
                say(f"{len(pairs)} of {len(known)} solved, total {total}; the shortest solutions have {least}")
            return code
        wrong = [record for record, length in zip(known, tally.lengths) if length != record.length]
        if not args.quiet:
            for record in wrong:
                length = tally.lengths[record.number - 1]
                say(f"board {record.number}: {'no solution' if length is None else length}, known: {record.length}")
            if wrong:
                say(f"{len(wrong)} of {len(known)} lengths wrong or missing")
            else:
                say(f"all {len(known)} lengths right, total {tally.moves}")
        return FAILED if wrong else code


class _Tally:
    """Counts of the answers of a session."""

    def __init__(self) -> None:
        self.solved = self.failed = self.near = self.moves = self.expanded = self.generated = 0
        self.seconds = 0.0
        self.lengths: list[Optional[int]] = []  # of the boards of a set, None without a solution
        self.depth: Optional[int] = None  # the limit of depth-first

    @property
    def boards(self) -> int:
        return self.solved + self.failed

    def count(self, solution: Optional[Solution]) -> None:
        """Count one answer; None stands for an error."""
        if solution is not None:
            self.expanded += solution.expanded
            self.generated += solution.generated
            self.depth = solution.max_length
        if solution is None or solution.length is None or solution.status != "solved":
            self.failed += 1
        else:
            self.solved += 1
            self.moves += solution.length
            self.near += solution.optimal is False and solution.algorithm in _OPTIMAL

    def summary(self) -> str:
        """The counts as one line."""
        parts = [f"{self.boards:,} board{'s' * (self.boards != 1)}: {self.solved:,} solved"]
        if self.near:  # the heuristic may exceed the distance
            parts.append(f"{self.near:,} near-optimal: not proved to be shortest; --prove proves it")
        if self.depth is not None:
            parts.append(f"depth limit {self.depth}: solutions may be longer than needed, and --max-length changes it")
        if self.solved:
            parts.append(f"{self.moves:,} moves, mean {self.moves / self.solved:.2f}")
        parts.append(f"{self.expanded:,} nodes expanded, {self.generated:,} generated")
        seconds = format_duration(self.seconds)
        if self.seconds > 0 and self.boards > 1:
            rate = self.boards / self.seconds
            seconds += f", {rate:,.{0 if rate >= 10 else 2}f} boards per second"
        return "; ".join([*parts, seconds])


def _error_of(board: Board, goal: Board) -> Exception:
    """The error that solving `board` raises at once."""
    try:
        searches.check_solvable(board, goal)
    except UnsolvableError as error:
        return error
    raise AssertionError(f"{board} was marked, but can be solved")
