"""The ``puzzle15`` command. Importing it changes nothing in the process; `run` is for a process of its own."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Sequence

from .._system.interruption import take_over

TYPE_CHECKING = False  # as typing has it, which takes long to import
if TYPE_CHECKING:
    from typing import NoReturn, Optional

__all__ = ["main", "run"]


def run() -> NoReturn:
    """Run `main` and end the process; at once if it was interrupted, without waiting for threads."""
    take_over()
    code = main()
    if code > 128:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, OSError, ValueError):  # closed, or without a reader
                stream.flush()
        os._exit(code)
    gc.freeze()  # nothing is left to be searched for garbage, which takes an eighth of a short command's time
    sys.exit(code)


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Run the command line `argv` (default: the process's own) and return its exit code."""
    import warnings

    from .._system.streams import drop_output, open_closed_streams, write_message
    from . import console
    from .parser import make_parser

    open_closed_streams()
    try:
        with console.signals_as_exceptions(), warnings.catch_warnings():  # commands show warnings in their own way
            parser = make_parser()
            try:
                args = parser.parse_args(argv)
            except SystemExit as end:  # after the help, the version, or a usage error
                return int(end.code or console.OK)
            if args.command is None:
                write_message(parser.format_help())
                return console.USAGE
            if hasattr(sys.stdout, "reconfigure"):
                sys.stdout.reconfigure(errors="backslashreplace")  # so that messages can quote any bad line
            code: int = args.run(args)
            return code
    except console.ReaderGone:
        return console.OK
    except KeyboardInterrupt:
        console.say("interrupted")
        return console.INTERRUPTED
    except console.Terminated as error:
        console.say("terminated")
        return error.exit_code
    except (Exception, SystemExit) as error:  # a heuristic of the user's may end the process
        if os.environ.get("PUZZLE15_DEBUG") == "1":
            raise
        failure = console.exit_code_of(error)
        if failure is None:
            raise
        console.say(f"error: {console.reason(error)}")
        return failure
    finally:
        drop_output()
