"""``puzzle15 check-heuristic``: whether a heuristic is admissible and consistent, tried against exact distances."""

from __future__ import annotations

import argparse

from .. import checks
from ..board import parse_goal
from ..errors import BoardError
from .console import FAILED, OK, UsageError, reason, write_line
from .options import add_folder, add_goal, add_output, to_count, to_positive, to_seconds
from .parser import Parser, set_command
from .references import read_heuristic
from .terminal import Progress


def add_check_heuristic(parser: Parser) -> None:
    set_command(
        parser,
        _check_heuristic,
        [
            "puzzle15 check-heuristic linear-conflict --shape 3x3",
            'puzzle15 check-heuristic "max(manhattan,walking-distance)" --boards 1000',
            "puzzle15 check-heuristic ann --time-limit 60 --json",
        ],
    )
    parser.add_argument(
        "heuristic", metavar="HEURISTIC", help="a heuristic, as for solve --heuristic; a function, as FILE.py:NAME"
    )
    add_goal(parser, "those of the goal, else 4x4")
    add_folder(parser)
    parser.add_argument(
        "--boards",
        type=to_positive,
        metavar="N",
        default=10_000,
        help="try about N boards of a shape that has too many to try them all (default: 10000)",
    )
    parser.add_argument(
        "--claim",
        action="append",
        choices=("admissible", "consistent"),
        default=[],
        help="claim this for the heuristic, beside what it claims itself; can be given twice",
    )
    parser.add_argument(
        "--own-shape", action="store_true", help="try this shape only, and not also 2x2, 2x3 and 3x3 if it is larger"
    )
    parser.add_argument("--seed", type=to_count, metavar="S", default=0, help="the seed of random boards (default: 0)")
    parser.add_argument(
        "--time-limit",
        type=to_seconds,
        metavar="S",
        default=30.0,
        help="try fewer boards if more would take over S seconds (default: 30)",
    )
    add_output(parser, "print one JSON record")
    parser.epilog = (
        f"{parser.epilog}\n\nThe exit code is 1 if a claim is broken: the heuristic claims to be admissible or "
        "consistent, or --claim does, and it is not. A function that claims nothing breaks no claim."
    )


def _check_heuristic(args: argparse.Namespace) -> int:
    try:
        goal_of, shape = parse_goal(args.goal or "blank-last", args.shape)
    except BoardError as error:
        raise UsageError(reason(error)) from None
    with Progress("check-heuristic", quiet=args.quiet) as progress:
        report = checks.heuristic(
            read_heuristic(args.heuristic),
            goal=None if args.goal is None and shape is None else goal_of(shape or (4, 4)),
            boards=args.boards,
            claims=args.claim,
            small_shapes=not args.own_shape,
            seed=args.seed,
            time_limit_s=args.time_limit,
            tables=args.tables,
            progress=progress.update,
        )
    if args.records:
        args.records.write([report.to_dict()])
    else:
        write_line(str(report))
    return OK if report else FAILED
