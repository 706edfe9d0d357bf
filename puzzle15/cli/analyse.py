"""``puzzle15 analyse``: the distance after every move of a solution, and the moves that cost."""

from __future__ import annotations

import argparse
from typing import Optional

from ..board import Board, Shape
from ..errors import BoardError, Puzzle15Error, UnsolvableError
from ..solver import Analysis
from ..system.streams import MAX_LINE
from .console import FAILED, OK, UsageError, flush_output, reason, write_line
from .options import add_output, nodes_together
from .parser import Parser, set_command
from .solvers import Solvers, add_solver
from .sources import growing_chunks, open_lines

_CHUNK = 1000


def add_analyse(parser: Parser) -> None:
    set_command(
        parser,
        _analyse,
        [
            'puzzle15 analyse "8 6 7/2 5 4/3 0 1" DRULDRUL',
            "puzzle15 analyse 867254301 UL --moves blank --json",
            "puzzle15 analyse -i games.txt --workers 2",
        ],
    )
    parser.add_argument(
        "board", nargs="?", metavar="BOARD", help="a quoted board, as for solve; without BOARD, standard input is read"
    )
    parser.add_argument(
        "solution",
        nargs="?",
        metavar="MOVES",
        help="legal moves, such as URDL2; they need not lead to the goal",
    )
    parser.add_argument(
        "-i",
        "--input",
        metavar="FILE",
        help="read solutions from FILE, one per line: a board, a tab and moves; - is standard input",
    )
    add_solver(parser, " (default: 1)")
    add_output(parser, "print one JSON record per solution")


def _analyse(args: argparse.Namespace) -> int:
    if args.board is not None and args.input is not None:
        raise UsageError("expected a solution from one source: the command line or --input; name one of them")
    if args.board is not None and args.solution is None:
        raise UsageError(f'no moves: expected a board and moves: puzzle15 analyse "{args.board}" URDL')
    session = _Session(args)
    if args.board is not None:
        session.answer(args.board, args.solution, table=True)
        return session.code
    with open_lines(args.input, "boards and moves with a tab between", args.quiet) as (lines, many):
        if many:
            for chunk in growing_chunks(lines, _CHUNK):
                session.answer_together(chunk)
        else:
            for line in lines:
                session.answer(*_split(line))
    return session.code


class _Session:
    """Analyses solutions, and writes each analysis; `code` is the exit code."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args, self._solvers = args, Solvers(args)
        self.code = OK

    def answer(self, text: str, moves: Optional[str], table: bool = False) -> None:
        """Analyse one solution at once; as a table, or in one line."""
        args = self._args
        board: Optional[Board] = None
        try:
            board = self._read(text, moves)
            analysis = self._solvers.of(board.shape).analyse(
                board,
                moves or "",
                convention=args.moves,
                max_nodes=args.max_nodes,
                time_limit_s=args.time_limit,
                workers=args.workers or 1,
            )
        except (BoardError, UnsolvableError) as error:
            self._write(text, board, None, error, table)
        else:
            self._write(text, board, analysis, None, table)
        flush_output()

    def answer_together(self, lines: list[str]) -> None:
        """Analyse many solutions, which share what is learned of their boards."""
        pairs = [_split(line) for line in lines]
        boards: dict[int, Board] = {}
        errors: dict[int, Puzzle15Error] = {}
        found: dict[int, Analysis] = {}
        groups: dict[Shape, list[int]] = {}
        max_nodes = nodes_together(self._args)
        for index, (text, moves) in enumerate(pairs):
            try:
                boards[index] = self._read(text, moves)
                self._solvers.check(boards[index])
                boards[index].apply(moves or "", self._args.moves)
            except (BoardError, UnsolvableError) as error:
                errors[index] = error
            else:
                groups.setdefault(boards[index].shape, []).append(index)
        for shape, indices in groups.items():
            analyses = self._solvers.of(shape).analyse_many(
                [boards[index] for index in indices],
                [pairs[index][1] or "" for index in indices],
                convention=self._args.moves,
                workers=self._args.workers or 1,
                max_nodes=max_nodes,
            )
            found.update(zip(indices, analyses))
        for index, (text, moves) in enumerate(pairs):
            analysis = found.get(index)
            if analysis is not None and analysis.status == "limit" and max_nodes != self._args.max_nodes:
                self.answer(text, moves)
            else:
                self._write(text, boards.get(index), analysis, errors.get(index), False)
        flush_output()

    def _read(self, text: str, moves: Optional[str]) -> Board:
        if moves is None:
            wrong = f"more than {MAX_LINE} characters" if len(text) > MAX_LINE else "no tab"
            raise BoardError(f"line {text[:60]!r}: {wrong}; expected a board, a tab and moves")
        return self._solvers.read(text)

    def _write(
        self,
        text: str,
        board: Optional[Board],
        analysis: Optional[Analysis],
        error: Optional[Puzzle15Error],
        table: bool,
    ) -> None:
        """Write one answer; exactly one of `analysis` and `error` is given."""
        moves = self._args.moves
        if analysis is None or analysis.status != "solved":
            self.code = FAILED
        if analysis is not None and self._args.records:
            self._args.records.write([analysis.to_dict(convention=moves)])
        elif analysis is not None:
            write_line(analysis.table(convention=moves) if table else analysis.summary(convention=moves))
        else:
            assert error is not None
            if self._args.records:
                failure = self._solvers.failure(text, board, reason(error), moves)
                self._args.records.write([dict.fromkeys(_KEYS) | failure])
            else:
                write_line(f"error: {reason(error)}")


_KEYS = (
    "board",
    "goal",
    "moves",
    "convention",
    "metric",
    "length",
    "distances",
    "mistakes",
    "shortest",
    "lost",
    "first_loss",
    "reaches_goal",
    "finish",
    "status",
    "error",
)


def _split(line: str) -> tuple[str, Optional[str]]:
    """(the text of the board, the moves if there are any) of a line."""
    if len(line) > MAX_LINE:  # its end was not read
        return line, None
    text, tab, moves = line.partition("\t")
    return text, moves if tab else None
