"""``puzzle15 draw``: a board, or moves that play, in a file."""

from __future__ import annotations

import argparse
import io
from typing import Any, NamedTuple, Optional

from .. import pictures
from ..board import METRICS, Board, format_moves, parse_goal, parse_moves, read_board, split_moves
from ..errors import BoardError, UnsolvableError
from ..system.quantities import option_type, parse_number
from .console import FAILED, OK, UsageError, reason, say, write_line
from .files import is_output, kind_of_file, write_picture
from .options import check_can_draw
from .parser import Parser, set_command
from .solvers import Solvers, add_solver
from .sources import open_lines

_KINDS = (".svg", ".html", ".png")


class _NoAnswer(Exception):
    """A limit was reached before there was anything to draw."""


class _Drawing(NamedTuple):
    """What goes into the file, and what it is in words."""

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
    )
    parser.epilog = f"{_FILES.strip()}\n\n{parser.epilog}"
    parser.add_argument(
        "board",
        nargs="?",
        metavar="BOARD",
        help="a quoted board, as for solve; without BOARD, one line is read from standard input: a board, or a board, "
        "a tab and moves",
    )
    parser.add_argument("played", nargs="?", metavar="MOVES", help="draw these legal moves, such as URDL2, too")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the file to write, .svg, .html or .png; - is standard output, as SVG (default: - unless that is a "
        "terminal)",
    )
    parser.add_argument("--solve", action="store_true", help="draw a shortest solution of the board")
    parser.add_argument("--hint", action="store_true", help="draw all optimal moves of the board as arrows")
    parser.add_argument(
        "--colours",
        choices=pictures.COLOURS,
        default="rows",
        help="what the colour of a tile tells: the row or the ring of its place in the goal, or nothing "
        "(default: rows)",
    )
    parser.add_argument("--no-numbers", dest="numbers", action="store_false", help="draw tiles without numbers")
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
    add_solver(parser, " for --solve and --hint (default: 1)")
    parser.add_argument(
        "--metric",
        choices=METRICS,
        default="stm",
        help="whether a move is one tile by one step (stm) or all tiles that slide along a line (mtm) (default: stm)",
    )
    parser.add_argument("--quiet", action="store_true", help="print only errors on standard error")


_FILES = """
files:
  .svg   a picture; with MOVES or --solve one that plays the moves by itself, again and again
  .html  a page; with MOVES or --solve it plays, pauses and steps: by buttons, a slider and keys
  .png   a picture of a board (needs the extra plot)
SVG and HTML are light or dark as the reader prefers. Nothing in them is loaded from elsewhere.
"""


def _draw(args: argparse.Namespace) -> int:
    kind = _kind(args)
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


def _kind(args: argparse.Namespace) -> str:
    """How the name of the file ends; UsageError before the work if the file could not be written."""
    kind = kind_of_file(args.output, _KINDS, "board")
    if kind == ".png":
        from ..system.figures import check_file  # it imports numpy

        check_can_draw(check_file, args.output)
    return kind


def _read_line(args: argparse.Namespace) -> tuple[str, Optional[str]]:
    """The board and the moves, if there are any, of the first line of standard input."""
    with open_lines(None, "a board", args.quiet) as (lines, _):
        text, tab, moves = next(lines, "").partition("\t")
    if not text:
        raise UsageError(
            'no board: expected one as an argument or on standard input: puzzle15 draw "1 2 3/4 0 5/6 7 8"'
        )
    return text, moves if tab else None


def _drawing(args: argparse.Namespace, kind: str, text: str, moves: Optional[str]) -> _Drawing:
    goal_of, shape = parse_goal(args.goal or "blank-last", args.shape)
    board = read_board(text, goal_of, shape)
    goal = goal_of(board.shape)
    look = {"size": args.size, "colours": args.colours, "numbers": args.numbers}
    limits = {"max_nodes": args.max_nodes, "time_limit_s": args.time_limit, "workers": args.threads or 1}
    if args.solve:
        solution = Solvers(args).of(board.shape).solve(board, **limits)
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
        answer = Solvers(args).of(board.shape).hint(board, **limits)
        if answer.status != "solved":
            raise _NoAnswer(str(answer))
        hint = answer.moves
    text = f"{board}{f', optimal moves {format_moves(hint, args.moves)}' if hint else ''}"
    return _Drawing(_still(kind, board, {"hint": hint, "goal": goal.tiles, **look}), text)


def _moves(
    args: argparse.Namespace, kind: str, board: Board, goal: Board, given: str, look: dict[str, Any]
) -> _Drawing:
    """Moves that somebody gives, which need not lead to the goal."""
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
