"""``puzzle15 draw`` and ``puzzle15 show``: boards and moves in a file, and as boxes in the terminal."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterator
from functools import partial
from itertools import accumulate, chain
from typing import Any, Optional, Union

from .. import _pictures
from .._system.quantities import count_text, parse_number
from ..board import Board, format_moves, parse_moves
from ..board._board import read_board
from ..board._moves import split_moves
from ..errors import BoardError
from .console import FAILED, OK, Failed, UsageError, columns, reason, say, write_line
from .options import SOLVER, limits_of, open_solver, read_goal
from .output import is_output, kind_of_file, write_picture
from .runner import TAB, lines_of

DRAW = f"""
[board=BOARD]    a quoted board, as for solve
[moves=MOVES]    draw these legal moves, such as URDL2, too; without BOARD, one line is read from standard input: a
    board, or a board, a tab and moves
-o, --output FILE    the file to write, .svg, .html, .png, .pdf or .gif; - is standard output, as SVG (default:
    standard output, unless that is a terminal)
--solve    draw a shortest solution of the board
--hint    draw all optimal moves of the board as arrows
--no-numbers    draw tiles without numbers
--size PIXELS=240    the longer side of the board in pixels, 16 to 4096
--speed RATE=2    the number of moves per second, 0.1 to 50
--input --colours --metric {SOLVER} --quiet

files:
  .svg   a picture; with MOVES or --solve, it plays the moves again and again
  .html  a page; with MOVES or --solve, it has buttons, a slider and keys
  .png   a picture of a board; .pdf likewise (needs the extra plot)
  .gif   MOVES or --solve, board by board (needs the extra plot)

SVG and HTML are light or dark as the reader prefers. Nothing in them is loaded from elsewhere.

examples:
  puzzle15 draw "8 6 7/2 5 4/3 0 1" --hint --colours rings -o hint.svg
  puzzle15 scramble --seed 1 | puzzle15 draw --solve --speed 5 -o solution.svg
"""

TYPES = {"PIXELS": partial(parse_number, least=16, most=4096), "RATE": partial(parse_number, least=0.1, most=50)}


def draw(args: argparse.Namespace) -> int:
    kind = kind_of_file(args, (".svg", ".html", ".png", ".pdf", ".gif"))
    if kind in (".png", ".pdf", ".gif"):
        from .._pictures.figures import new_figure  # it imports numpy

        new_figure(1, 1)  # before the work, if matplotlib is missing
    text, moves = (args.board, args.moves) if args.board is not None else _read_line(args)
    if (moves is not None) + args.solve + args.hint > 1:
        raise UsageError("expected at most one of MOVES, --solve and --hint")
    if kind in (".png", ".pdf") and (moves is not None or args.solve):
        raise UsageError(f"{args.output}: a {kind} file holds one board; expected .svg, .html or .gif for moves")
    if kind == ".gif" and moves is None and not args.solve:
        raise UsageError(f"{args.output}: a .gif file plays moves; expected MOVES or --solve, or another kind of file")
    goal_of, shape = read_goal(args)
    board = read_board(text, goal_of, shape)
    content, text = _drawing(args, kind, board, goal_of(board.shape), moves)
    write_picture(args.output, content if isinstance(content, bytes) else content.encode())
    if not is_output(args.output):
        write_line(f"{args.output}: {text}")
    return OK


def _read_line(args: argparse.Namespace) -> tuple[str, Optional[str]]:
    """Return the board and the moves, if there are any, of the first line of standard input."""
    _, line = next(chain.from_iterable(lines_of(args, [], "a board")), (0, ""))
    text, tab, moves = line.partition(TAB)
    if not text:
        example = 'puzzle15 draw "1 2 3/4 0 5/6 7 8"'
        raise UsageError(f"no board: expected one as an argument or on standard input: {example}")
    return text, moves if tab else None


def _drawing(
    args: argparse.Namespace, kind: str, board: Board, goal: Board, given: Optional[str]
) -> tuple[Union[str, bytes], str]:
    """Return (the content of the file, a description of it)."""
    look: dict[str, Any] = {"size": args.size, "colours": args.colours, "numbers": not args.no_numbers}
    boards = _pictures.Look(**look, goal=goal.tiles)
    moves: list[str] = []
    if args.solve:
        solution = open_solver(args, goal).solve(board, **limits_of(args))
        if solution.moves is None:
            raise Failed(str(solution))
        moves = list(solution)
        letters = format_moves(solution.moves, convention=args.convention, compress=True)
        text = f"{count_text(len(moves), 'move')}: {letters}"
        if moves and kind == ".html":
            return solution.animation(tiles_per_second=args.speed, **look), text
    elif given:  # they need not lead to the goal
        last = board.apply(given, convention=args.convention)
        moves = split_moves(parse_moves(given, convention=args.convention), args.metric)
        text = f"{count_text(len(moves), 'move')} to {'the goal' if last == goal else last}"
    if moves:
        drawn = board.tiles, board.shape, moves, boards
        if kind == ".gif":
            file = io.BytesIO()
            along = [each.tiles for each in accumulate(moves, Board.apply, initial=board)]
            _pictures.write_gif(file, along, board.shape, boards, tiles_per_second=args.speed)
            return file.getvalue(), text
        if kind == ".svg":
            return _pictures.moves_svg(*drawn, tiles_per_second=args.speed), text
        player = _pictures.player_html(*drawn, caption=f"{text}.", tiles_per_second=args.speed)
        return _pictures.html_page(f"Board {board}", player), text
    text, hint = str(board), ""
    if args.hint:
        answer = open_solver(args, goal).hint(board, **limits_of(args))
        if answer.status != "solved":
            raise Failed(str(answer))
        hint = answer.best_moves
        text += f", optimal moves {format_moves(hint, convention=args.convention)}" * bool(hint)
    if kind in (".png", ".pdf"):
        file = io.BytesIO()
        _pictures.write_image(file, board.tiles, board.shape, boards, hint=hint, format=kind[1:])
        return file.getvalue(), text
    picture = _pictures.board_svg(board.tiles, board.shape, boards, hint=hint)
    return _pictures.html_page(f"Board {board}", picture) if kind == ".html" else picture, text


SHOW = """
[boards=BOARD..]    a quoted board, as for solve; without BOARD, boards are read from standard input, one per line
--along MOVES    show the one BOARD, and the boards along these moves, such as URDL2
--ascii    draw the lines with + - and |
--input --set --colours --goal --shape --convention --quiet

On a terminal, boards have colours, unless NO_COLOR is set.

examples:
  puzzle15 show 867254301 123456780 --ascii
  puzzle15 show "1 2 3/0 5 6/4 7 8" --along UL2
"""


def show(args: argparse.Namespace) -> int:
    if args.along is not None and len(args.boards) != 1:
        raise UsageError(f'--along follows one board: puzzle15 show "1 2 3/0 5 6/4 7 8" --along {args.along or "U"}')
    goal_of, shape = read_goal(args)
    has_colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    look: dict[str, Any] = {
        "ascii_only": args.ascii or not _pictures.can_encode_boxes(sys.stdout.encoding),
        "colours": args.colours if has_colours else None,
    }
    lines = lines_of(args, args.boards)
    failed = False

    def boxes() -> Iterator[tuple[str, list[str]]]:
        """Yield the captions and boxes of all boards; errors go to standard error."""
        nonlocal failed
        for _, text in chain.from_iterable(lines):
            try:
                board = read_board(text, goal_of, shape)
                board.apply(args.along or "", convention=args.convention)
            except BoardError as error:
                say(f"error: {reason(error)}")
                failed = True
                continue
            letters = parse_moves(args.along or "", convention=args.convention)
            captions = ["" if args.along is None else "start"]
            captions += map(
                "{} {}".format, range(1, 1 + len(letters)), format_moves(letters, convention=args.convention)
            )
            look["goal"] = goal_of(board.shape).tiles
            for caption, each in zip(captions, accumulate(letters, Board.move, initial=board)):
                yield caption, _pictures.board_box(each.tiles, each.shape, **look)

    for line in _pictures.side_by_side(boxes(), columns()):
        write_line(line)
    return FAILED if failed else OK
