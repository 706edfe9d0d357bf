"""``puzzle15 draw`` and ``puzzle15 show``: boards and moves in a file, and as boxes in the terminal."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple, Optional

from .. import pictures
from ..board import Board, format_moves, parse_moves, read_board, split_moves
from ..errors import BoardError, UnsolvableError
from ..system.quantities import option_type, parse_number
from .console import FAILED, OK, UsageError, columns, flush_output, reason, say, write_line
from .options import add_options, add_solver, open_solver, read_goal
from .output import check_can_draw, is_output, kind_of_file, write_picture
from .parser import Parser, set_command
from .runner import TAB, read_lines

# ---------------------------------------------------------------- draw ---


class _NoAnswer(Exception):
    """A limit was reached before there was anything to draw."""


class _Drawing(NamedTuple):
    """The content of the file, and a description of it."""

    content: bytes
    text: str


def add_draw(parser: Parser) -> None:
    set_command(
        parser,
        _draw,
        [
            'puzzle15 draw "8 6 7/2 5 4/3 0 1" -o board.svg',
            'puzzle15 draw "8 6 7/2 5 4/3 0 1" --hint --colours rings -o hint.svg',
            'puzzle15 draw "1 2 3/0 5 6/4 7 8" UL2 -o moves.html',
            'puzzle15 draw "8 6 7/2 5 4/3 0 1" --solve -o solution.html',
            "puzzle15 scramble --seed 1 | puzzle15 draw --solve --speed 5 -o solution.svg",
        ],
        _FILES,
    )
    add_options(parser, "board", board={"nargs": "?", "help": "a quoted board, as for solve"})
    parser.add_argument(
        "played",
        nargs="?",
        metavar="MOVES",
        help="draw these legal moves, such as URDL2, too; without BOARD, one line is read from standard input: a "
        "board, or a board, a tab and moves",
    )
    add_options(parser, "input", "output", output={"help": _OUTPUT})
    parser.add_argument("--solve", action="store_true", help="draw a shortest solution of the board")
    parser.add_argument("--hint", action="store_true", help="draw all optimal moves of the board as arrows")
    parser.add_argument("--no-numbers", action="store_true", help="draw tiles without numbers")
    parser.add_argument(
        "--size",
        type=option_type(parse_number, 16, 4096),
        default=240,
        metavar="N",
        help="the longer side of the board in pixels, 16 to 4096 (default: 240)",
    )
    parser.add_argument(
        "--speed",
        type=option_type(parse_number, 0.1, 50),
        default=2.0,
        metavar="N",
        help="the number of moves per second, 0.1 to 50 (default: 2)",
    )
    add_solver(parser)
    add_options(parser, "colours", "metric", "quiet")


_OUTPUT = "the file to write, .svg, .html or .png; - is standard output, as SVG (default: - unless that is a terminal)"
_FILES = """
files:
  .svg   a picture; with MOVES or --solve one that plays the moves by itself, again and again
  .html  a page; with MOVES or --solve it plays, pauses and steps: by buttons, a slider and keys
  .png   a picture of a board (needs the extra plot)
SVG and HTML are light or dark as the reader prefers. Nothing in them is loaded from elsewhere.
"""


def _draw(args: argparse.Namespace) -> int:
    kind = kind_of_file(args, (".svg", ".html", ".png"))
    if kind == ".png":
        from ..system.figures import check_file  # it imports numpy

        check_can_draw(check_file, args.output)
    text, moves = (args.board, args.played) if args.board is not None else _read_line(args)
    if (moves is not None) + args.solve + args.hint > 1:
        raise UsageError("expected at most one of MOVES, --solve and --hint")
    if kind == ".png" and (moves is not None or args.solve):
        raise UsageError(f"{args.output}: a .png file holds one board; expected .svg or .html for moves")
    try:
        drawing = _drawing(args, kind, text, moves)
    except (BoardError, UnsolvableError, _NoAnswer) as error:
        say(f"error: {reason(error)}")
        return FAILED
    write_picture(args.output, drawing.content)
    if not is_output(args.output):
        write_line(f"{args.output}: {drawing.text}")
    return OK


def _read_line(args: argparse.Namespace) -> tuple[str, Optional[str]]:
    """The board and the moves, if there are any, of the first line of standard input."""
    _, line = next(chain.from_iterable(read_lines(args, "a board")), (0, ""))
    text, tab, moves = line.partition(TAB)
    if not text:
        raise UsageError(
            'no board: expected one as an argument or on standard input: puzzle15 draw "1 2 3/4 0 5/6 7 8"'
        )
    return text, moves if tab else None


def _drawing(args: argparse.Namespace, kind: str, text: str, moves: Optional[str]) -> _Drawing:
    goal_of, shape = read_goal(args)
    board = read_board(text, goal_of, shape)
    goal = goal_of(board.shape)
    look = {"size": args.size, "colours": args.colours, "numbers": not args.no_numbers}
    limits = {"max_nodes": args.max_nodes, "time_limit_s": args.time_limit, "workers": args.workers}
    if args.solve:
        solution = open_solver(args, goal).solve(board, **limits)
        if solution.moves is None:
            raise _NoAnswer(str(solution))
        if solution.moves:
            make = solution.animation if kind == ".html" else solution.svg
            letters = format_moves(solution.moves, args.moves, compress=True)
            text = f"{solution.length} move{'s' * (len(solution) > 1)}: {letters}"
            return _Drawing(make(tiles_per_second=args.speed, **look).encode(), text)
    elif moves:
        return _moves(args, kind, board, goal, moves, look)
    hint = ""
    if args.hint:
        answer = open_solver(args, goal).hint(board, **limits)
        if answer.status != "solved":
            raise _NoAnswer(str(answer))
        hint = answer.moves
    text = f"{board}{f', optimal moves {format_moves(hint, args.moves)}' if hint else ''}"
    return _Drawing(_still(kind, board, {"hint": hint, "goal": goal.tiles, **look}), text)


def _moves(
    args: argparse.Namespace, kind: str, board: Board, goal: Board, given: str, look: dict[str, Any]
) -> _Drawing:
    """Moves that the user gives; they need not lead to the goal."""
    last = board.apply(given, args.moves)
    moves = split_moves(parse_moves(given, args.moves), args.metric)
    text = f"{len(moves)} move{'s' * (len(moves) > 1)} to {'the goal' if last == goal else last}"
    look = {"tiles_per_second": args.speed, "goal": goal.tiles, **look}
    if kind == ".html":
        player = pictures.player_html(board.tiles, board.shape, moves, caption=f"{text}.", **look)
        return _Drawing(pictures.html_page(f"Board {board}", player).encode(), text)
    return _Drawing(pictures.moves_svg(board.tiles, board.shape, moves, **look).encode(), text)


def _still(kind: str, board: Board, look: dict[str, Any]) -> bytes:
    """One board."""
    if kind == ".png":
        file = io.BytesIO()
        pictures.write_png(file, board.tiles, board.shape, **look)
        return file.getvalue()
    picture = pictures.board_svg(board.tiles, board.shape, **look)
    return (pictures.html_page(f"Board {board}", picture) if kind == ".html" else picture).encode()


# ---------------------------------------------------------------- show ---


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
        "On a terminal, boards have colours, unless NO_COLOR is set.",
    )
    add_options(parser, "boards", "input")
    parser.add_argument(
        "--along", metavar="MOVES", help="show the boards along these moves, such as URDL2, of the one BOARD"
    )
    parser.add_argument("--ascii", action="store_true", help="draw the lines with + - and |")
    add_options(parser, "colours", "goal", "shape", "moves", "quiet")


def _show(args: argparse.Namespace) -> int:
    if args.boards and args.input is not None:
        raise UsageError("expected boards from one source: the command line or --input; name one of them")
    if args.along is not None and len(args.boards) != 1:
        raise UsageError(f'--along follows one board: puzzle15 show "1 2 3/0 5 6/4 7 8" --along {args.along or "U"}')
    gallery = _Gallery(args)
    for line in pictures.side_by_side(gallery.boxes(), columns()):
        write_line(line)
    flush_output()
    return gallery.code


class _Gallery:
    """Boards as boxes; `code` is the exit code."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._goal_of, self._shape = read_goal(args)
        self.code = OK

    def boxes(self) -> Iterator[tuple[str, list[str]]]:
        """The captions and boxes of all boards."""
        args = self._args
        ascii_only = args.ascii or not pictures.can_encode_boxes(sys.stdout.encoding)
        has_colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        look: dict[str, Any] = {"ascii_only": ascii_only, "colours": args.colours if has_colours else None}
        for caption, board in self._boards():
            goal = self._goal_of(board.shape)
            yield caption, pictures.board_box(board.tiles, board.shape, goal=goal.tiles, **look)

    def _boards(self) -> Iterator[tuple[str, Board]]:
        """The boards with their captions; errors are reported on standard error."""
        args = self._args
        read = (text for lines in read_lines(args, "boards") for _, text in lines)
        for text in args.boards or read:
            try:
                board = read_board(text, self._goal_of, self._shape)
                if args.along is not None:
                    board.apply(args.along, args.moves)
            except BoardError as error:
                flush_output()
                say(f"error: {reason(error)}")
                self.code = FAILED
                continue
            yield ("" if args.along is None else "start"), board
            for number, letter in enumerate(parse_moves(args.along or "", args.moves), 1):
                board = board.move(letter)
                yield f"{number} {format_moves(letter, args.moves)}", board
