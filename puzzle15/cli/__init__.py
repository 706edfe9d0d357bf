"""The ``puzzle15`` command.

Exit codes: 0; 1 a board failed; 2 usage; 3 tables missing or corrupt, or no room for them;
130 interrupted, 143 terminated.  Each command has its module, or shares it with its kin; what all
share is in `console` and `options`.
"""

from __future__ import annotations

import os
import sys

import puzzle15

from . import compare, label, reproduce, solve, tables
from .console import (
    INTERRUPTED,
    OK,
    USAGE,
    Terminated,
    drop_output,
    exit_code_of,
    reason,
    say,
    signals_as_exceptions,
)
from .options import Parser

__all__ = ["main"]


def main(argv=None):
    """Run the command line `argv` (default: the process's own) and return its exit code."""
    parser = make_parser()
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help(sys.stderr)
        return USAGE
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # whatever a bad line holds can be quoted
    try:
        with signals_as_exceptions():
            code = args.run(args)
            sys.stdout.flush()
            return code
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        drop_output()
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
        code = exit_code_of(error)
        if code is None:
            raise
        say(f"error: {reason(error)}")
        return code


def make_parser():
    parser = Parser(
        prog="puzzle15",
        description="Solves sliding-tile puzzles of up to 16 cells optimally.",
        epilog="exit codes: 0; 1 a board failed; 2 usage; 3 tables missing or corrupt, or no room for them; "
        "130 interrupted, 143 terminated",
    )
    parser.add_argument("--version", action="version", version=f"puzzle15 {puzzle15.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for add in (solve.add_solve, compare.add_compare, reproduce.add_reproduce, label.add_label, tables.add_build,
                tables.add_verify, tables.add_tables, tables.add_info):
        add(commands)
    return parser
