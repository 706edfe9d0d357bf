"""``puzzle15 play``: a board to play on in the terminal, against the shortest solution."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from random import SystemRandom

from ..board import format_moves, read_board, unsolvable_text
from ..errors import UnsolvableError
from ..pictures import can_encode_boxes
from ..play import Session, Thinker, play_by_lines, play_on_screen
from ..published import farthest
from ..system.streams import read_lines
from .console import OK, UsageError, flush_output, say, write_line
from .options import SOLVER, declare, limits_of, open_solver, read_goal
from .parser import Parser


def add_play(parser: Parser) -> None:
    declare(
        parser,
        _play,
        rf"""
[boards=BOARD..]    a quoted board, as for solve (by default a random one)
--distance K    play random boards whose shortest solutions have exactly K moves (by default any random boards)
--lines    read lines such as URDL2 or hint, and answer each in lines; the default unless standard input and standard
    output are a terminal with a screen
--time-limit S    stop a search after S seconds (default: 20)
--seed --colours {SOLVER.replace(" --time-limit", "")}

examples:
  puzzle15 play
  puzzle15 play --shape 3x3 --distance 20
  puzzle15 play "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"
  printf 'hint\nL\nL\n' | puzzle15 play --shape 3x3 "1 2 3/4 5 6/0 7 8"
""",
    )
    parser.set_defaults(quiet=True)


def _play(args: argparse.Namespace) -> int:
    if len(args.boards) > 1:
        raise UsageError(f"{len(args.boards)} boards: expected one; leave out the others")
    goal_of, shape = read_goal(args.goal, args.shape)
    board = read_board(args.boards[0], goal_of, shape) if args.boards else None
    goal = goal_of(shape or (4, 4) if board is None else board.shape)
    if board is not None and not board.is_solvable(goal):
        raise UnsolvableError(unsolvable_text(board, goal))
    if args.distance is not None:
        most = farthest(goal.shape, goal.blank)
        if args.distance > most:
            rows, cols = goal.shape
            farthest_board = f"the distance of the farthest {rows}x{cols} board"
            raise UsageError(f"--distance {args.distance}: expected 1 .. {most}, {farthest_board}")
    seed = SystemRandom().getrandbits(32) if args.seed is None else args.seed
    with Thinker(lambda: open_solver(args, goal), **limits_of(args)) as thinker:
        session = Session(goal, thinker, board=board, distance=args.distance, seed=seed, convention=args.convention)
        ascii_only = not can_encode_boxes(sys.stdout.encoding)
        if args.lines or not _has_screen():
            play_by_lines(session, _typed(), write_line, _end_answer, ascii_only=ascii_only)
        else:
            _play_on_screen(session, ascii_only, args.colours)
    return OK


def _has_screen() -> bool:
    """Whether standard input and standard output are a terminal whose whole screen can be used."""
    if not _is_interactive() or os.environ.get("TERM", "dumb") in ("", "dumb"):
        return False
    try:
        import termios  # noqa: F401
    except ImportError:
        say("the game needs lines here, because Python cannot control this terminal")
        return False
    return True


def _play_on_screen(session: Session, ascii_only: bool, colours: str) -> None:
    """Play, and then print the moves of all games."""
    flush_output()
    play_on_screen(
        session,
        sys.stdin.fileno(),
        sys.stdout.fileno(),
        encoding=sys.stdout.encoding,
        ascii_only=ascii_only,
        colours=None if os.environ.get("NO_COLOR") else colours,
    )
    games = [game for game in session.games if game.moves]
    if games:
        say("the first boards and the moves of these games, as puzzle15 analyse -i reads them:")
    for game in games:
        write_line(f"{game.start}\t{format_moves(game.moves, convention=session.convention, compress=True)}")


def _typed() -> Iterator[str]:
    """The lines of standard input."""
    return (line for _, line in read_lines(sys.stdin))


def _end_answer() -> None:
    if _is_interactive():
        sys.stdout.write("> ")
    flush_output()


def _is_interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
