"""``puzzle15 show``: boards as boxes in the terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator

from .. import pictures
from ..board import MOVE_CONVENTIONS, Board, format_moves, parse_goal, parse_moves, read_board
from ..errors import BoardError
from .console import FAILED, OK, UsageError, flush_output, reason, say, write_line
from .options import add_goal
from .parser import Parser, set_command
from .sources import check_quoted, open_lines
from .terminal import columns


def add_show(parser: Parser) -> None:
    set_command(
        parser,
        _show,
        [
            'puzzle15 show "8 6 7/2 5 4/3 0 1"',
            "puzzle15 show 867254301 123456780 --ascii",
            'puzzle15 show "1 2 3/0 5 6/4 7 8" --along UL2',
            "puzzle15 scramble --count 3 --seed 1 | puzzle15 show",
        ],
    )
    parser.add_argument(
        "boards",
        nargs="*",
        metavar="BOARD",
        help="a quoted board, as for solve; without BOARD, boards are read from standard input, one per line; blank "
        "lines and # comments are skipped",
    )
    parser.add_argument(
        "-i", "--input", metavar="FILE", help="read boards from FILE, one per line; - is standard input"
    )
    parser.add_argument(
        "--along", metavar="MOVES", help="show the boards along these moves, such as URDL2, of the one BOARD"
    )
    parser.add_argument(
        "--colours",
        choices=pictures.COLOURS,
        default="rows",
        help="what the colour of a tile tells: the row or the ring of its place in the goal, or nothing (default: "
        "rows); there are no colours outside a terminal, or where NO_COLOR is set",
    )
    parser.add_argument("--ascii", action="store_true", help="draw the lines with + - and |")
    add_goal(parser, "those of the goal, else those of each board")
    parser.add_argument(
        "--moves",
        choices=MOVE_CONVENTIONS,
        default="tile",
        help="whether a move letter is the direction of the tile or of the blank (default: tile)",
    )
    parser.add_argument("--quiet", action="store_true", help="print only errors on standard error")


def _show(args: argparse.Namespace) -> int:
    if args.boards and args.input is not None:
        raise UsageError("expected boards from one source: the command line or --input; name one of them")
    check_quoted("show", args.boards)
    if args.along is not None and len(args.boards) != 1:
        raise UsageError(f'--along follows one board: puzzle15 show "1 2 3/0 5 6/4 7 8" --along {args.along or "U"}')
    gallery = _Gallery(args)
    if args.boards:
        gallery.show(args.boards)
    else:
        with open_lines(args.input, "boards", args.quiet) as (texts, _):
            gallery.show(texts)
    return gallery.code


class _Gallery:
    """Shows boards side by side; `code` is the exit code."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._goal_of, self._shape = parse_goal(args.goal or "blank-last", args.shape)
        self._ascii = args.ascii or not pictures.can_encode_boxes(sys.stdout.encoding)
        self._colours = args.colours if _has_colours() else None
        self.code = OK

    def show(self, texts: Iterable[str]) -> None:
        for line in pictures.side_by_side(self._boxes(texts), columns()):
            write_line(line)
        flush_output()

    def _boxes(self, texts: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
        for caption, board in self._boards(texts):
            goal = self._goal_of(board.shape)
            yield (
                caption,
                pictures.board_box(
                    board.tiles, board.shape, ascii_only=self._ascii, colours=self._colours, goal=goal.tiles
                ),
            )

    def _boards(self, texts: Iterable[str]) -> Iterator[tuple[str, Board]]:
        """The boards with their captions; what cannot be read is told on standard error."""
        for text in texts:
            try:
                board = read_board(text, self._goal_of, self._shape)
                moves = self._args.along
                if moves is not None:
                    board.apply(moves, self._args.moves)
            except BoardError as error:
                flush_output()
                say(f"error: {reason(error)}")
                self.code = FAILED
                continue
            yield ("" if moves is None else "start"), board
            for number, letter in enumerate(parse_moves(moves or "", self._args.moves), 1):
                board = board.move(letter)
                yield f"{number} {format_moves(letter, self._args.moves)}", board


def _has_colours() -> bool:
    """Whether standard output is a terminal whose user takes colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
