"""``puzzle15 hint``: the distance of boards, and all their optimal moves."""

from __future__ import annotations

import argparse
from typing import Optional

from ..board import Board, Shape, format_moves
from ..errors import BoardError, Puzzle15Error, UnsolvableError
from ..solver import Hint
from .console import FAILED, OK, UsageError, flush_output, reason, write_line
from .options import add_output, nodes_together
from .parser import Parser, set_command
from .solvers import Solvers, add_solver
from .sources import check_quoted, growing_chunks, open_lines

_CHUNK = 1000


def add_hint(parser: Parser) -> None:
    set_command(
        parser,
        _hint,
        [
            'puzzle15 hint "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"',
            "puzzle15 hint 867254301 --json",
            "puzzle15 hint -i boards.txt --moves blank",
            "generate_boards | puzzle15 hint --time-limit 10",
        ],
    )
    parser.add_argument(
        "boards", nargs="*", metavar="BOARD", help="a quoted board, as for solve; without BOARD, standard input is read"
    )
    parser.add_argument(
        "-i", "--input", metavar="FILE", help="read boards from FILE, one per line; - is standard input"
    )
    add_solver(parser, ", for one hard board or for the boards of a file (default: 1)")
    add_output(parser, "print one JSON record per board")


def _hint(args: argparse.Namespace) -> int:
    if args.boards and args.input is not None:
        raise UsageError("expected boards from one source: the command line or --input; name one of them")
    check_quoted("hint", args.boards)
    session = _Session(args)
    if args.boards:
        for text in args.boards:
            session.answer(text)
        return session.code
    with open_lines(args.input, "boards", args.quiet) as (texts, many):
        if many:
            for chunk in growing_chunks(texts, _CHUNK):
                session.answer_together(chunk)
        else:
            for text in texts:
                session.answer(text)
    return session.code


class _Session:
    """Answers boards, and writes each answer; `code` is the exit code."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args, self._solvers = args, Solvers(args)
        self.code = OK

    def answer(self, text: str) -> None:
        """Answer one board at once."""
        args = self._args
        board: Optional[Board] = None
        try:
            board = self._solvers.read(text)
            hint = self._solvers.of(board.shape).hint(
                board, max_nodes=args.max_nodes, time_limit_s=args.time_limit, workers=args.workers or 1
            )
        except (BoardError, UnsolvableError) as error:
            self._write(text, board, None, error)
        else:
            self._write(text, board, hint, None)
        flush_output()

    def answer_together(self, texts: list[str]) -> None:
        """Answer many boards, which takes less time than one after the other."""
        boards: dict[int, Board] = {}
        errors: dict[int, Puzzle15Error] = {}
        hints: dict[int, Hint] = {}
        groups: dict[Shape, list[int]] = {}
        max_nodes = nodes_together(self._args)
        for index, text in enumerate(texts):
            try:
                boards[index] = self._solvers.read(text)
                self._solvers.check(boards[index])
            except (BoardError, UnsolvableError) as error:
                errors[index] = error
            else:
                groups.setdefault(boards[index].shape, []).append(index)
        for shape, indices in groups.items():
            found = self._solvers.of(shape).hint_many(
                [boards[index] for index in indices], workers=self._args.workers or 1, max_nodes=max_nodes
            )
            hints.update(zip(indices, found))
        for index, text in enumerate(texts):
            hint = hints.get(index)
            if hint is not None and hint.status == "limit" and max_nodes != self._args.max_nodes:
                self.answer(text)
            else:
                self._write(text, boards.get(index), hint, errors.get(index))
        flush_output()

    def _write(self, text: str, board: Optional[Board], hint: Optional[Hint], error: Optional[Puzzle15Error]) -> None:
        """Write one answer; exactly one of `hint` and `error` is given."""
        if hint is None or hint.status != "solved":
            self.code = FAILED
        moves = self._args.moves
        if not self._args.records:
            write_line(_line(hint, error, moves))
        elif hint is not None:
            self._args.records.write([hint.to_dict(convention=moves)])
        else:
            assert error is not None
            failure = self._solvers.failure(text, board, reason(error), moves)
            self._args.records.write([dict.fromkeys(_KEYS) | failure])


_KEYS = (
    "board",
    "goal",
    "distance",
    "moves",
    "convention",
    "metric",
    "lower_bound",
    "expanded",
    "generated",
    "seconds",
    "status",
    "error",
)


def _line(hint: Optional[Hint], error: Optional[Puzzle15Error], moves: str) -> str:
    """An answer for people: the distance and the moves."""
    if hint is None:
        assert error is not None
        return f"error: {reason(error)}"
    if hint.distance is None:
        return f"{hint.status}: at least {hint.lower_bound} moves"
    line = f"{hint.distance}\t{format_moves(hint.moves, moves)}"
    return line if hint.status == "solved" else f"{line}\t{hint.status}: there may be more optimal moves"
