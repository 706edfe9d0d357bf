"""``puzzle15 reproduce``: the figures of a paper beside those of this package."""

from __future__ import annotations

import argparse
import os
from typing import Any

from .. import papers
from ..system.figures import new_figure
from .console import FAILED, OK, UsageError, say, write_line
from .options import add_output, check_can_draw, to_count, to_positive
from .parser import Parser, set_command
from .terminal import Progress

#: The options of each paper that takes some.
_PAPER_OPTIONS: dict[str, dict[str, dict[str, Any]]] = {
    "bischoff": {
        "boards": {
            "type": to_positive,
            "default": 100_000,
            "metavar": "N",
            "help": "number of random boards for each initial size (default: 100000)",
        },
        "seed": {"type": to_count, "default": 1, "metavar": "N", "help": "seed of the random boards (default: 1)"},
    },
    "cahlik": {
        "boards": {
            "type": to_positive,
            "default": 1600,
            "metavar": "N",
            "help": "number of random boards (default: 1600)",
        },
        "seed": {
            "type": to_count,
            "default": 2019,
            "metavar": "N",
            "help": "seed of the random boards (default: 2019)",
        },
    },
    "spagnoletto": {
        "boards": {"type": to_positive, "default": 100, "metavar": "N", "help": "boards per sample (default: 100)"},
        "samples": {
            "type": to_positive,
            "default": 20,
            "metavar": "N",
            "help": "samples of each kind of boards (default: 20)",
        },
        "seed": {"type": to_count, "default": 1, "metavar": "N", "help": "seed of the random boards (default: 1)"},
    },
}


def add_reproduce(parser: Parser) -> None:
    set_command(
        parser,
        _reproduce,
        [
            "puzzle15 reproduce kunkle",
            "puzzle15 reproduce kantz --json",
            "puzzle15 reproduce bischoff --boards 100000",
            "puzzle15 reproduce cahlik --plots .     # needs classic tables: puzzle15 build 7-8 --format classic",
            "puzzle15 reproduce spagnoletto --boards 1000 --samples 1 --plots .",
        ],
    )
    names = parser.add_subparsers(dest="paper", metavar="PAPER", required=True)
    for name, paper in papers.PAPERS.items():
        parser = names.add_parser(name, help=paper.title, description=paper.title + ".")
        for option, settings in _PAPER_OPTIONS.get(name, {}).items():
            parser.add_argument(f"--{option}", **settings)
        parser.add_argument("--plots", metavar="DIR", help="draw figures into this folder, too (needs the extra plot)")
        add_output(parser, "print one JSON object with all rows")


def _reproduce(args: argparse.Namespace) -> int:
    options = {name: getattr(args, name) for name in _PAPER_OPTIONS.get(args.paper, {})}
    if args.plots is not None:
        check_can_draw(new_figure, 1, 1)
        try:
            os.makedirs(args.plots, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot draw into {args.plots}: {error.strerror}") from None
    with Progress(args.paper, quiet=args.quiet) as progress:
        rows = papers.reproduce(args.paper, plots=args.plots, progress=progress.update, **options)
    if args.records:
        args.records.write_table({"paper": args.paper}, "rows", (row.record() for row in rows))
    else:
        write_line(papers.format_rows(rows))
    open_rows = [row for row in rows if not row.is_settled]
    if not args.quiet:
        equal = sum(row.paper == row.here for row in rows)
        say(
            f"{len(rows)} figures: {equal} equal, {len(rows) - equal - len(open_rows)} different but explained, "
            f"{len(open_rows)} unexplained"
        )
    return FAILED if open_rows else OK
