"""``puzzle15 hint`` and ``puzzle15 analyse``: the optimal moves of boards, and the mistakes in solutions."""

from __future__ import annotations

import argparse
from typing import Any

from .._system.quantities import count_text
from .._system.streams import MAX_LINE
from ..board import Board, format_moves
from ..board._moves import KINDS
from ..errors import BoardError
from ..solver import Analysis, Hint
from .options import RECORDS, SOLVER, limits_of
from .runner import TAB, Boards, given_line, run

#: The fields of records.
_HINT = "board goal distance moves convention metric lower_bound expanded generated seconds status error"
_ANALYSIS = (
    "board goal moves convention metric length distances mistakes shortest lost first_loss reaches_goal finish "
    "status error"
)

HINT = f"""
[boards=BOARD..]    a quoted board, as for solve; without BOARD, boards are read from standard input, one per line
--input --set {SOLVER} --metric {RECORDS}

examples:
  puzzle15 hint "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"
  generate_boards | puzzle15 hint --time-limit 10
"""


def hint(args: argparse.Namespace) -> int:
    return run(args, args.boards, _Hint(args))


class _Hint(Boards):
    """Finds the distance of boards, and all their optimal moves."""

    words = "board", "solved", "moves", "distance"
    fields, size, method = _HINT.split(), "distance", "hint"

    def text(self, found: Hint) -> str:
        if found.distance is None:
            return f"{found.status}: at least {count_text(found.lower_bound, KINDS[found.metric])}"
        moves = format_moves(found.best_moves, convention=self.args.convention, compress=True)
        line = f"{found.distance}{TAB}{moves}"
        return line if found.status == "solved" else f"{line}{TAB}{found.status}: there may be more optimal moves"


ANALYSE = f"""
[board=BOARD]    a quoted board, as for solve
[moves=MOVES]    legal moves, such as URDL2, which need not lead to the goal; with --metric mtm, equal letters in a row
    are one move; without BOARD and MOVES, lines are read from standard input, each a board, a tab and moves; with
    --set, MOVES are made on each of its boards
--input --set {SOLVER} --metric {RECORDS}

examples:
  puzzle15 analyse "8 6 7/2 5 4/3 0 1" DRULDRUL
  puzzle15 analyse -i games.txt --workers 2
"""


def analyse(args: argparse.Namespace) -> int:
    return run(args, given_line(args), _Analyse(args))


class _Analyse(Boards):
    """Follows solutions, and finds the mistakes; one of the command line as a table."""

    what = "boards and moves with a tab between"
    words = "solution", "analysed", "moves lost", "moves lost"
    fields, size = _ANALYSIS.split(), "lost"

    def split(self, text: str) -> tuple[str, str]:
        board, tab, moves = text.partition(TAB)
        if len(text) > MAX_LINE or not tab:
            wrong = f"more than {MAX_LINE} characters" if len(text) > MAX_LINE else "no tab"
            raise BoardError(f"line {text[:60]!r}: {wrong}; expected a board, a tab and moves")
        return board, moves

    def answer(self, board: Board, moves: str) -> Any:
        return self.opened(board.shape).analyse(board, moves, convention=self.args.convention, **limits_of(self.args))

    def answer_many(self, boards: list[Board], moves: list[str], **options: Any) -> Any:
        return self.opened(boards[0].shape).analyse_many(boards, moves, convention=self.args.convention, **options)

    def text(self, found: Analysis) -> str:
        write = found.summary if self.args.board is None else found.table
        return write(convention=self.args.convention)
