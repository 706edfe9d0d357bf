"""``puzzle15 serve``: a page to play on in the browser, and a JSON interface behind it."""

from __future__ import annotations

import argparse
import errno

from ..parallel import threads_or_all
from ..serve import Limits, Server
from ..system.quantities import option_type, parse_whole
from .console import FAILED, UsageError, flush_output, say, write_line
from .options import add_options, hint_at_tables
from .parser import Parser, set_command

_PORT = 8015
_WAIT_S = 0.1  # between two looks at signals, where waiting is not interrupted by them


@option_type
def to_port(text: str) -> int:
    port = parse_whole(text)
    if port > 65535:
        raise ValueError(f"{text!r}: expected a port from 0 to 65535")
    return port


def add_serve(parser: Parser) -> None:
    set_command(
        parser,
        _serve,
        [
            "puzzle15 serve",
            "puzzle15 serve --port 0 --open",
            "puzzle15 serve --host 0.0.0.0 --allow-host puzzle.example --verbose",
        ],
    )
    defaults = Limits()
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="H",
        help="the address to listen at (default: 127.0.0.1, this machine only)",
    )
    parser.add_argument(
        "--port", type=to_port, default=_PORT, metavar="P", help=f"the port; 0 takes a free one (default: {_PORT})"
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a further name by which browsers may ask for this server; may be given several times",
    )
    add_options(
        parser,
        "tables",
        "all-workers",
        "time-limit",
        "max-memory",
        time_limit={"default": defaults.time_limit_s},
        max_memory={"default": defaults.max_memory, "help": "stop a search when its nodes take this many bytes"},
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--verbose", action="store_true", help="print one line per request on standard error")
    add_options(parser, "quiet")


def _serve(args: argparse.Namespace) -> int:
    limits = Limits(workers=threads_or_all(args.workers), time_limit_s=args.time_limit, max_memory=args.max_memory)
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
    except (OSError, UnicodeError) as error:  # a name of too many letters is not even asked for
        raise UsageError(_why_not(args, error)) from None
    with server:
        write_line(server.address)
        flush_output()
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


def _why_not(args: argparse.Namespace, error: Exception) -> str:
    """Why the server cannot listen, and what mends it."""
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return f"port {args.port} of {args.host} is in use; expected a free one: --port 0 takes any"
    if number == errno.EACCES:
        return f"port {args.port} of {args.host} is not permitted; expected one such as {_PORT}"
    return f"--host {args.host}: expected an address of this machine, such as 127.0.0.1, ::1 or 0.0.0.0"
