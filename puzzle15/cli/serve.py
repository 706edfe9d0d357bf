"""``puzzle15 serve``: a page to play on in the browser, and a JSON interface behind it."""

from __future__ import annotations

import argparse

from ..parallel import thread_count
from ..serve import Limits, Server
from ..system.quantities import parse_whole
from .console import FAILED, UsageError, reason, say, write_line
from .options import hint_at_tables

TYPES = {"PORT": parse_whole}

_PORT = 8015
_WAIT_S = 0.1  # between two looks at signals, where waiting is not interrupted by them
_LIMITS = Limits()

SERVE = f"""
--host H    the address to listen at; 127.0.0.1 is for this machine only (default: 127.0.0.1)
--port PORT    the port; 0 takes a free one (default: {_PORT})
--allow-host NAME..    a further name by which browsers may address this server; may be given several times
--workers K    number of threads, each for one search at a time (default: one per processor)
--time-limit S    stop a search after S seconds; requests may ask for less (default: {_LIMITS.time_limit_s:g})
--max-memory SIZE    stop a search when its nodes take this much memory (default: {_LIMITS.max_memory >> 20}M)
--open    open the page in the browser
--verbose    print one line per request on standard error
--tables --quiet

examples:
  puzzle15 serve --host 0.0.0.0 --allow-host puzzle.example --verbose
"""


def serve(args: argparse.Namespace) -> int:
    limits = Limits(workers=thread_count(args.workers), time_limit_s=args.time_limit, max_memory=args.max_memory)
    try:
        server = Server(
            args.host,
            port=args.port,
            tables=args.tables,
            limits=limits,
            names=args.allow_host,
            log=say if args.verbose else None,
            complain=lambda fault: say(f"error: {fault}"),
            ready=lambda solver: None if args.quiet else hint_at_tables(solver, args.tables),
        )
    except (OSError, OverflowError, UnicodeError) as error:  # of the network, a large port, a name of too many letters
        raise UsageError(
            f"cannot listen at port {args.port} of {args.host}: {reason(error)}; expected an address of this machine, "
            "such as 127.0.0.1, ::1 or 0.0.0.0, and a free port: --port 0 takes any"
        ) from None
    with server:
        write_line(server.address)
        if not server.is_local and not args.quiet:
            say(
                "everybody who reaches this machine can play and search here, and nothing is encrypted; "
                "other names than its addresses need --allow-host"
            )
        if args.open:
            import webbrowser

            webbrowser.open(server.address)
        while server.wait(_WAIT_S):
            pass
    return FAILED  # only a signal ends it otherwise
