"""``puzzle15 page`` and ``puzzle15 serve``: the page to play on in the browser, as a file, or from a server."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from .. import page as pages
from .._system.quantities import parse_whole
from ..board import Board
from ..page import Server
from ..solver._solver import best_solver
from .console import FAILED, OK, UsageError, reason, say, write_line, write_text
from .options import hint_at_tables
from .output import is_output, write_picture

TYPES = {"PORT": parse_whole}

_PORT = 8015
_WAIT_S = 0.1  # between two looks at signals, where waiting is not interrupted by them

PAGE = """
-o, --output FILE    write the page to FILE; - is standard output (default: standard output, unless that is a terminal)
--open    open the page in the browser; without --output, it is written to a temporary folder

The page is one file, which plays, solves and shows searches without a network or a server.

examples:
  puzzle15 page -o puzzle15.html
  puzzle15 page --open
"""


def page(args: argparse.Namespace) -> int:
    name = args.output
    if args.open and name is None:
        name = str(Path(tempfile.mkdtemp(prefix="puzzle15-"), "puzzle15.html"))
    if is_output(name):
        if args.open or name is None and sys.stdout.isatty():
            raise UsageError("expected the name of a file: -o puzzle15.html")
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # as in a file, whatever the terminal's encoding
        write_text(pages.page())
        return OK
    content = pages.page().encode()
    write_picture(name, content)
    write_line(f"{name}: {len(content) / 1000:.0f} kB")
    if args.open:
        _open(Path(name).resolve().as_uri())
    return OK


SERVE = f"""
--host HOST=127.0.0.1    the address to listen at; 127.0.0.1 is for this machine only
--port PORT={_PORT}    the port; 0 takes a free one
--allow-host NAME..    a further name by which browsers may address this server; can be given several times
--api    answer the JSON interface although --host lets others than this machine reach the server
--workers K    number of questions answered at once, beside four times as many hints (default: one per processor)
--time-limit S=10    stop a search after S seconds; questions may ask for less
--max-memory SIZE=256M    stop a search when its nodes take this much memory
--open    open the page in the browser
--verbose    print one line per request on standard error
--tables --quiet

The page computes in the browser. --workers, --time-limit, --max-memory and --tables are for the JSON interface.

examples:
  puzzle15 serve --open
  puzzle15 serve --host 0.0.0.0 --allow-host puzzle.example --verbose
"""


def serve(args: argparse.Namespace) -> int:
    options = {"port": args.port, "tables": args.tables, "names": args.allow_host, "api": args.api}
    limits = {"workers": args.workers, "time_limit_s": args.time_limit, "max_memory": args.max_memory}
    log = say if args.verbose else str
    try:
        server = Server(args.host, **options, **limits, log=log, complain=lambda error: say(f"error: {reason(error)}"))
    except (OSError, OverflowError, UnicodeError) as error:  # of the network, a large port, a name of too many letters
        raise UsageError(
            f"cannot listen at port {args.port} of {args.host}: {reason(error)}; expected an address of this machine, "
            "such as 127.0.0.1, ::1 or 0.0.0.0, and a free port: --port 0 takes any"
        ) from None
    with server:
        write_line(server.address)
        if not server.is_local and not args.quiet:
            interface = " and use the JSON interface" if args.api else "; the JSON interface is off without --api"
            say(
                f"everybody who reaches this machine can open the page{interface}; nothing is encrypted; other names "
                "than its addresses need --allow-host"
            )
        if args.open:
            _open(server.address)
        if server.is_local or args.api:
            solver = best_solver(Board.goal(), tables=args.tables)
            solver.hint(solver.goal)  # opens the tables before the first question
            if not args.quiet:
                hint_at_tables(solver, args.tables)
        while server.wait(_WAIT_S):
            pass
    return FAILED  # only a signal ends it otherwise


def _open(address: str) -> None:
    import webbrowser  # most commands open none

    if not webbrowser.open(address):
        say(f"no browser was found; open {address}")
