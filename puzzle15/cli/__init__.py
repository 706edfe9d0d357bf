"""The ``puzzle15`` command.

Exit codes: 0 success; 1 a board failed; 2 usage error; 3 tables missing or corrupt, or no room for them;
130 interrupted; 143 terminated.
Each command has the module of its name; `tables` also holds `build`, `verify` and `info`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn, Optional

from ..system.streams import drop_output, open_closed_streams, tell
from ..system.version import __version__
from . import analyse, compare, hint, label, reproduce, solve, tables
from .console import (
    INTERRUPTED,
    OK,
    USAGE,
    ReaderGone,
    Terminated,
    exit_code_of,
    flush_output,
    reason,
    say,
    signals_as_exceptions,
)
from .options import Parser

__all__ = ["main", "run"]


def run() -> NoReturn:
    """Run `main` and end the process, at once if it was interrupted.

    Otherwise the interpreter would take some hundredths of a second to shut down, and wait for every thread.
    """
    code = main()
    if code > 128:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, OSError, ValueError):  # closed, or without a reader
                stream.flush()
        os._exit(code)
    sys.exit(code)


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Run the command line `argv` (default: the process's own) and return its exit code."""
    open_closed_streams()
    try:
        with signals_as_exceptions():
            code = _run(argv)
            flush_output()
            return code
    except ReaderGone:
        return OK
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except Terminated as error:
        say("terminated")
        return error.exit_code
    except Exception as error:
        if os.environ.get("PUZZLE15_DEBUG") == "1":
            raise
        failure = exit_code_of(error)
        if failure is None:
            raise
        say(f"error: {reason(error)}")
        return failure
    finally:
        drop_output()


def _run(argv: Optional[Sequence[str]]) -> int:
    parser = make_parser()
    try:
        args = parser.parse_args(argv)
    except SystemExit as end:  # after the help, the version, or a usage error
        return int(end.code or OK)
    if args.command is None:
        tell(parser.format_help())
        return USAGE
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # so that messages can quote any bad line
    code: int = args.run(args)
    return code


def make_parser() -> Parser:
    parser = Parser(
        prog="puzzle15",
        description="Solve sliding-tile puzzles of up to 16 cells optimally.",
        epilog="exit codes: 0 success; 1 a board failed; 2 usage error; 3 tables missing or corrupt, or no room for "
        "them; 130 interrupted; 143 terminated",
    )
    parser.add_argument("--version", action="version", version=f"puzzle15 {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for add in (
        solve.add_solve,
        hint.add_hint,
        analyse.add_analyse,
        compare.add_compare,
        reproduce.add_reproduce,
        label.add_label,
        tables.add_build,
        tables.add_verify,
        tables.add_tables,
        tables.add_info,
    ):
        add(commands)
    return parser
