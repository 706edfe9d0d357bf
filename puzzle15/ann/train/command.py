"""The command ``python -m puzzle15.ann.train``."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from ...errors import Puzzle15Error
from ...system import streams
from ...system.quantities import option_type, parse_number, parse_whole
from .networks import NETWORKS, import_torch
from .rows import read_rows
from .training import Training, train

__all__ = ["main"]

_COMMAND = "python -m puzzle15.ann.train"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=_COMMAND, description="Train networks that estimate distances.")
    positive = option_type(parse_whole, 1)
    parser.add_argument("dataset", type=Path, nargs="+", help="folders that `puzzle15 label` wrote")
    parser.add_argument(
        "--shares",
        type=option_type(parse_number, 1e-9, 1e9),
        nargs="+",
        help="the shares of the datasets in each step (default: equal)",
    )
    parser.add_argument("--network", choices=NETWORKS, default="small", help="the design (default: small)")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE.npz", help="the file to write")
    parser.add_argument(
        "--target",
        choices=("residual", "distance"),
        default="residual",
        help="what is learned: (distance - Manhattan) / 2, or the distance (default: residual)",
    )
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument(
        "--minutes",
        type=option_type(parse_number, 0, 1e6),
        default=15,
        help="time budget, including the runs that are resumed (default: 15)",
    )
    budget.add_argument("--steps", type=positive, help="budget in steps, which makes the weights reproducible")
    parser.add_argument("--seed", type=option_type(parse_whole), default=1, help="of all random choices (default: 1)")
    parser.add_argument(
        "--expectile",
        type=option_type(parse_number, 0, 1),
        default=0.5,
        help="below 0.5, predictions that are too high cost more than those that are too low (default: 0.5)",
    )
    parser.add_argument(
        "--lowered",
        type=option_type(parse_number, 0, 80),
        default=0.0,
        help="the default lowering, in moves, to write into the file (default: 0)",
    )
    parser.add_argument("--batch", type=positive, help="boards per step")
    parser.add_argument("--rate", type=option_type(parse_number, 0, 1e3), help="Adam's largest step size")
    parser.add_argument(
        "--held-out", type=positive, default=20_000, help="paths to hold out for validation (default: 20000)"
    )
    parser.add_argument("--bfloat16", action="store_true", help="multiply in bfloat16 while nothing is rounded")
    parser.add_argument("--device", default="auto", help="PyTorch device (default: a GPU if there is one)")
    parser.add_argument("--workers", type=positive, help="PyTorch threads")
    parser.add_argument("--resume", type=Path, metavar="CHECKPOINT", help="continue from this checkpoint")
    parser.add_argument("--quiet", action="store_true", help="report no progress")
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command, and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.shares and len(options.shares) != len(options.dataset):
        parser.error(f"--shares: {len(options.shares)} for {len(options.dataset)} datasets; expected one per dataset")
    import_torch()
    try:
        return _train(options, f"{_COMMAND} {shlex.join(arguments)}")
    except (Puzzle15Error, ValueError) as error:
        streams.write_message(f"train: {error}\n")
        return 1


def _train(options: argparse.Namespace, command: str) -> int:
    def tell(text: str) -> None:
        if not options.quiet:
            streams.write_message(f"train: {text}\n")

    datasets, held, data = [], [], []
    for path in options.dataset:
        kept, apart = read_rows(path).split(options.held_out)
        datasets.append(kept)
        held.append(apart)
        data.append(f"{path.name}: {len(kept.distance):,} boards, on {len(kept.first):,} paths")
        tell(f"{data[-1]}; {options.held_out:,} paths held out")
    training = Training(options, datasets, held)
    if options.resume:
        training.resume(options.resume)
        tell(f"resumed after {training.steps:,} steps")
    training.commands.append(command)
    try:
        for point in train(training):
            training.curve.append(point)
            training.save()
            tell("  ".join(f"{key} {value}" for key, value in point.items()))
    except KeyboardInterrupt:
        training.save()
        tell(f"interrupted after {training.steps:,} steps")
        return 130
    validation = training.validate()
    training.export(validation, data, sum(len(rows.distance) for rows in datasets))
    for name, figures in validation.items():
        for row in figures["by_distance"]:
            tell(f"{name}  " + "  ".join(f"{key} {value}" for key, value in row.items()))
    answer: dict[str, Any] = {"output": str(options.output), "hours": round(training.seconds / 3600, 3)}
    for name, figures in validation.items():
        answer[name] = {key: value for key, value in figures.items() if key != "by_distance"}
    print(json.dumps(answer))
    return 0
