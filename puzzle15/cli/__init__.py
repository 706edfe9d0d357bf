"""The ``puzzle15`` command. A command's module is imported when the command is used."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import re
import signal
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import NoReturn, Optional

from ..system.streams import drop_output, open_closed_streams, write_message
from ..system.version import __version__
from .console import (
    INTERRUPTED,
    OK,
    USAGE,
    ReaderGone,
    Terminated,
    exit_code_of,
    reason,
    say,
    signals_as_exceptions,
)
from .parser import Parser

__all__ = ["COMMANDS", "main", "make_parser", "run"]

#: The commands in groups: of each its name, its module, and what it does. The module has a function of this name, with
#: ``_`` for ``-``, which runs the command, and a text of the same name in capitals, which `declare` reads.
_GROUPS = """
solve:
  solve            solve     solve boards optimally
  hint             hint      print the distance of boards and all their optimal moves
  analyse          hint      follow a solution move by move, and find the moves that cost

play:
  play             play      play against the shortest solution, in the terminal
  serve            serve     serve a page to play on in the browser, and a JSON interface
  scramble         dataset   draw random boards: uniformly, at exact distances, or by random walks

notation:
  apply            notation  make moves on boards
  moves            notation  invert moves, simplify them, or print their number
  convert          notation  write boards and moves in another form, or for another goal
  check            notation  check whether boards can be read and solved, and which exchange of tiles would help

pictures:
  draw             draw      draw a board, or moves that play, into an SVG, HTML or PNG file
  show             draw      show boards as boxes in the terminal
  tree             research  draw the search tree of a textbook search

tables:
  build            tables    build the tables that make solving fast
  verify           tables    build the tables again in memory, and compare every entry
  info             tables    print versions, processor, installed tables, and which of them are used

research:
  compare          research  compare several searches on one board
  check-heuristic  research  try whether a heuristic is admissible and consistent
  label            dataset   draw boards, label them with distances and solutions, and store them
  reproduce        research  reproduce a paper, and show its figures beside the new ones
"""
COMMANDS = re.findall(r"(?m)^  (\S+) +(\S+) +(.*)", _GROUPS)

_EXIT_CODES = """
exit codes: 0 success; 1 a board failed; 2 usage error; 3 tables missing or corrupt,
or no room for them; 130 interrupted; 143 terminated
"""


def run() -> NoReturn:
    """Run `main` and end the process; at once if it was interrupted, without waiting for threads."""
    code = main()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # all is written; no traceback while the interpreter shuts down
    if code > 128:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, OSError, ValueError):  # closed, or without a reader
                stream.flush()
        os._exit(code)
    gc.freeze()  # nothing is left to be searched for garbage, which takes an eighth of a short command's time
    sys.exit(code)


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Run the command line `argv` (default: the process's own) and return its exit code."""
    open_closed_streams()
    try:
        with signals_as_exceptions():
            parser = make_parser()
            try:
                args = parser.parse_args(argv)
            except SystemExit as end:  # after the help, the version, or a usage error
                return int(end.code or OK)
            if args.command is None:
                write_message(parser.format_help())
                return USAGE
            if hasattr(sys.stdout, "reconfigure"):
                sys.stdout.reconfigure(errors="backslashreplace")  # so that messages can quote any bad line
            code: int = args.run(args)
            return code
    except ReaderGone:
        return OK
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except Terminated as error:
        say("terminated")
        return error.exit_code
    except (Exception, SystemExit) as error:  # a heuristic of the user's may end the process
        if os.environ.get("PUZZLE15_DEBUG") == "1":
            raise
        failure = exit_code_of(error)
        if failure is None:
            raise
        say(f"error: {reason(error)}")
        return failure
    finally:
        drop_output()


def make_parser() -> Parser:
    parser = Parser(
        prog="puzzle15",
        usage="%(prog)s [-h] [--version] COMMAND ...",
        description="Solve sliding-tile puzzles of up to 16 cells optimally.",
        epilog=re.sub(r"(?m)^(  \S+ +)\S+ +", r"\1", _GROUPS + _EXIT_CODES).strip(),
    )
    parser.add_argument("--version", action="version", version=f"puzzle15 {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", prog="puzzle15", help=argparse.SUPPRESS)
    for name, module, summary in COMMANDS:
        description = summary[0].upper() + summary[1:] + "."
        commands.add_parser(name, description=description, declare=partial(_declare, name, module))
    return parser


def _declare(name: str, module: str, parser: Parser) -> None:
    found, name = import_module(f".{module}", __package__), name.replace("-", "_")
    options = import_module(".options", __package__)
    options.declare(parser, getattr(found, name), getattr(found, name.upper()), getattr(found, "TYPES", {}))
