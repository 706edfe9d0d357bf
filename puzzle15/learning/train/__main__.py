"""The command ``python -m puzzle15.learning.train``."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

import numpy as np

from ..._system import streams
from ..._system.quantities import option_type, parse_number, parse_whole
from ...errors import OptionError, Puzzle15Error
from .designs import NETWORKS
from .rows import read_rows

__all__ = ["main"]

_COMMAND = "python -m puzzle15.learning.train"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=_COMMAND, description="Train networks that estimate distances.")
    add, positive, else_ = parser.add_argument, option_type(parse_whole, 1), " (default: %(default)s)"

    def number(least: float, most: float) -> Any:
        return option_type(parse_number, least, most)

    add("dataset", type=Path, nargs="+", help="folders that `puzzle15 label` wrote")
    add("--shares", type=number(1e-9, 1e9), nargs="+", help="the shares of the datasets in each step (default: equal)")
    add("--network", choices=NETWORKS, default="small", help="the design" + else_)
    add("-o", "--output", type=option_type(_output), required=True, metavar="FILE.npz", help="the file to write")
    targets = ["residual", "distance"]
    add("--target", choices=targets, default=targets[0], help="the distance beyond Manhattan, or the distance" + else_)
    budget = parser.add_mutually_exclusive_group().add_argument
    budget("--minutes", type=number(0, 1e6), default=15, help="time, with that of runs that are resumed" + else_)
    budget("--steps", type=positive, help="budget in steps, which makes the weights reproducible")
    add("--seed", type=option_type(parse_whole), default=1, help="of all random choices" + else_)
    add("--expectile", type=number(0, 1), default=0.5, help="below 0.5, too high costs more than too low" + else_)
    add("--lowered", type=number(0, 80), default=0.0, help="moves to lower by, as the default of the file" + else_)
    add("--batch", type=positive, help="boards per step")
    add("--rate", type=number(0, 1e3), help="Adam's largest step size")
    add("--held-out", type=positive, default=20_000, help="paths to hold out for validation" + else_)
    add("--bfloat16", action="store_true", help="multiply in bfloat16 while nothing is rounded")
    add("--device", default="auto", help="PyTorch device; auto is a GPU if there is one")
    add("--workers", type=positive, help="PyTorch threads")
    add("--resume", type=Path, metavar="CHECKPOINT", help="continue from this checkpoint")
    add("--quiet", action="store_true", help="report no progress")
    return parser


def _output(text: str) -> Path:
    """Return the file to write, into which nothing is written before the first checkpoint."""
    path = Path(text)
    if path.suffix != ".npz":
        raise OptionError(f"{text!r}: expected a name that ends in .npz, as ann:{path.with_suffix('.npz')} reads it")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise OptionError(f"{text!r}: {path.parent} is not a folder where files can be written")
    return path


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command, and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.shares and len(options.shares) != len(options.dataset):
        parser.error(f"--shares: {len(options.shares)} for {len(options.dataset)} datasets; expected one per dataset")
    try:
        import torch  # noqa: F401
    except ImportError:
        raise SystemExit("puzzle15.learning.train: training needs PyTorch: pip install torch") from None
    try:
        return _train(options, f"{_COMMAND} {shlex.join(arguments)}")
    except (Puzzle15Error, ValueError) as error:
        streams.write_message(f"train: {error}\n")
        return 1


def _train(options: argparse.Namespace, command: str) -> int:
    from .training import Training, train  # which need PyTorch

    def report(text: str) -> None:
        if not options.quiet:
            streams.write_message(f"train: {text}\n")

    datasets, held, data = [], [], []
    for path in options.dataset:
        kept, apart = read_rows(path).split(options.held_out)
        datasets.append(kept)
        held.append(apart)
        data.append(f"{path.name}: {len(kept.distance):,} boards, on {len(kept.first):,} paths")
        report(f"{data[-1]}; {options.held_out:,} paths held out")
    training = Training(options, datasets, held)
    if options.resume:
        training.resume(options.resume)
        report(f"resumed after {training.steps:,} steps")
    training.commands.append(command)
    try:
        for point in train(training):
            training.curve.append(point)
            training.save()
            report("  ".join(f"{key} {value}" for key, value in point.items()))
    except KeyboardInterrupt:
        training.save()
        report(f"interrupted after {training.steps:,} steps")
        return 130
    validation = training.validate()
    training.export(validation, data, np.bincount(np.concatenate([rows.distance for rows in datasets])))
    for name, figures in validation.items():
        for row in figures["by_distance"]:
            report(f"{name}  " + "  ".join(f"{key} {value}" for key, value in row.items()))
    answer: dict[str, Any] = {"output": str(options.output), "hours": round(training.seconds / 3600, 3)}
    for name, figures in validation.items():
        answer[name] = {key: value for key, value in figures.items() if key != "by_distance"}
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
