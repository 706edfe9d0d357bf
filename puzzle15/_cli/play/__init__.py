"""``puzzle15 play``: a board to play on in the terminal, against the shortest solution."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from importlib.util import find_spec
from random import SystemRandom
from typing import Any

from ..._pictures.boxes import can_encode_boxes
from ..._system.quantities import parse_whole
from ...board import farthest, format_moves
from ...board._notation import format_shape
from ..console import OK, UsageError, say, write_line, write_text
from ..options import SOLVER, limits_of, open_solver, read_goal, read_problem
from ..runner import lines_of
from .lines import play_by_lines
from .screen import play_on_screen
from .session import Session
from .thinking import Thinker

PLAY = rf"""
[board=BOARD]    a quoted board, as for solve (default: a random one)
--lines    read lines such as URDL2 or hint, and answer each in lines; this needs no screen (default: play on the screen
    of the terminal, if there is one)
# random boards
--distance D    play boards whose shortest solutions have exactly D moves (default: any random boards)
--seed SEED    seed of the random boards (default: another one each time)
--shape RxC    rows and columns (default: those of BOARD or of the goal, else 4x4)
--time-limit S=20    stop a search after S seconds
--colours {SOLVER.replace(" --shape", "").replace(" --time-limit", "")}

examples:
  puzzle15 play
  puzzle15 play --shape 3x3 --distance 20
  printf 'hint\nL\nL\n' | puzzle15 play --shape 3x3 "1 2 3/4 5 6/0 7 8"
"""

TYPES = {"D": partial(parse_whole, least=1)}


def play(args: argparse.Namespace) -> int:
    args.quiet = True  # the game has the screen
    goal_of, shape = read_goal(args)
    board, goal = (None, goal_of(shape or (4, 4))) if args.board is None else read_problem(args)
    most = farthest(goal.shape, goal.blank)
    if args.distance is not None and args.distance > most:
        farthest_board = f"the distance of the farthest {format_shape(goal.shape)} board"
        raise UsageError(f"--distance {args.distance}: expected 1 .. {most}, {farthest_board}")
    seed = SystemRandom().getrandbits(32) if args.seed is None else args.seed
    look: dict[str, Any] = {
        "convention": args.convention,
        "ascii_only": not can_encode_boxes(sys.stdout.encoding),
        "colours": None if os.environ.get("NO_COLOR") else args.colours,
    }
    is_interactive = sys.stdin.isatty() and sys.stdout.isatty()
    with Thinker(lambda: open_solver(args, goal), **limits_of(args)) as thinker:
        session = Session(goal, thinker, board=board, distance=args.distance, seed=seed, **look)
        if is_interactive and not args.lines and _has_screen():
            play_on_screen(session, sys.stdin.fileno(), sys.stdout.fileno(), sys.stdout.encoding)
            games = [game for game in session.games if game.moves]
            if games:
                say("the first boards and the moves of these games, as puzzle15 analyse -i reads them:")
            for game in games:
                moves = format_moves(game.moves, convention=args.convention, compress=True)
                write_line(f"{game.start}\t{moves}")
        else:
            lines = (text for block in lines_of(args, []) for _, text in block)
            play_by_lines(session, lines, write_line, partial(write_text, "> " * is_interactive))
    return OK


def _has_screen() -> bool:
    """Return whether the whole screen of the terminal can be used, as of all but the simplest ones on POSIX systems."""
    if os.environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        return False
    if find_spec("termios") is None:
        say("the game needs lines here, because Python cannot control this terminal")
        return False
    return True
