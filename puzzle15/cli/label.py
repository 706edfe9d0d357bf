"""``puzzle15 label``: draw, label and store boards, or check stored ones."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Optional

from ..board import Board, parse_goal
from ..dataset import FORMATS, Distribution, WrongRow, check, check_published, load, parse_distribution, write
from ..solver import Solver
from ..system.quantities import option_type, parse_whole
from .console import FAILED, OK, UsageError, say, write_line
from .options import (
    add_cluster,
    add_folder,
    add_goal,
    add_output,
    add_workers,
    hint_at_tables,
    to_count,
    workers_of,
)
from .parser import Parser, set_command
from .terminal import Progress, format_duration

_SAMPLE = 200
#: Measured with the 7-8 and the embedded tables, on uniform boards and on boards 20 to 40 moves from the goal.
_FIRST_MOVES_TIMES = "2 to 3 times as long, or 5 to 10 times with --along-path"

_DISTRIBUTIONS = """
distributions:
  uniform               all boards that can reach the goal, equally likely (the default)
  walk:N  walk:A-B      the board after N random moves from the goal, none of which undoes the one before
  distance:D            boards exactly D moves from the goal; equally likely up to 68 moves on 4x4
  distance:A-B,C,D=W    several distances, equally frequent; a distance with weight W is W times as frequent
"""


@option_type
def to_distribution(text: str) -> Distribution:
    return parse_distribution(text)


to_number = option_type(parse_whole)


def add_label(parser: Parser) -> None:
    set_command(
        parser,
        _label,
        [
            "puzzle15 label --count 1M --seed 1 --out boards --workers 2",
            "puzzle15 label --count 1M --seed 1 --out boards --workers 2 --resume",
            "puzzle15 label --count 50k --distribution distance:20-40,53=10 --first-moves --out near",
            "puzzle15 label --count 6M --out boards --dask tcp://scheduler:8786",
            "puzzle15 label --count 1G --shard 1M --chunks-per-task 20 --out boards --dask tcp://scheduler:8786",
            "puzzle15 label --check boards",
            "puzzle15 label --check published.csv --sample 1000 --csv",
        ],
    )
    parser.epilog = f"{_DISTRIBUTIONS.strip()}\n\n{parser.epilog}"
    folder = parser.add_mutually_exclusive_group(required=True)
    folder.add_argument(
        "--out", metavar="DIR", help="the folder to write to; it must be new or empty, unless --resume is given"
    )
    folder.add_argument(
        "--check",
        metavar="WHAT",
        help="check a written folder: compare files with the manifest, follow every solution, and solve a sample "
        "again; or check a file that others published, whose rows are the tiles and the distance, such as "
        "0,1,2,3,4,5,6,7,8,0: solve a sample, and name wrong rows",
    )
    parser.add_argument(
        "--count", type=to_count, metavar="N", help="number of boards to draw, such as 50000, 50k or 6M"
    )
    parser.add_argument("--seed", type=to_number, metavar="S", help="seed of the random boards (default: 1)")
    parser.add_argument(
        "--distribution", type=to_distribution, metavar="D", help="which boards to draw; see below (default: uniform)"
    )
    parser.add_argument(
        "--first-moves",
        action="store_true",
        help=f"store all first moves of shortest solutions, too; labelling then takes {_FIRST_MOVES_TIMES}",
    )
    parser.add_argument("--table-values", action="store_true", help="store the value of each view of the tables, too")
    parser.add_argument(
        "--along-path",
        action="store_true",
        help="store every board on the path to the goal, too, which gives as many rows as moves",
    )
    parser.add_argument(
        "--shard",
        type=to_count,
        metavar="N",
        help="drawn boards per file; boards along their paths do not count (default: 100000)",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="how the labels are stored: numpy's .npz, or parquet for other programs, which needs the extra parquet "
        "(default: npz)",
    )
    parser.add_argument(
        "--chunks-per-task",
        type=to_count,
        metavar="N",
        help="chunks of 2,000 boards (500 at given distances) that a worker gets at once; many workers need more, and "
        "the files do not depend on it (default: 1)",
    )
    parser.add_argument("--resume", action="store_true", help="continue a stopped run, and make damaged files again")
    parser.add_argument(
        "--sample", type=to_number, metavar="N", help=f"rows that --check solves again (default: {_SAMPLE})"
    )
    add_goal(parser, "those of the goal, else 4x4")
    parser.add_argument("--partition", metavar="P", help="use these tables, as for solve")
    add_folder(parser)
    add_workers(parser, " (default: 1)")
    add_cluster(parser, "label")
    add_output(parser, "print one JSON record; with --check of a folder, one per shard")


def _label(args: argparse.Namespace) -> int:
    _refuse_others(args)
    try:
        if args.check is None:
            return _write(args)
        return _check_published(args) if Path(args.check).is_file() else _check(args)
    except ImportError as error:  # an extra is missing
        raise UsageError(str(error)) from None


def _refuse_others(args: argparse.Namespace) -> None:
    """Refuse options that belong to the other use of the command."""
    making = (
        "count",
        "seed",
        "distribution",
        "first_moves",
        "table_values",
        "along_path",
        "shard",
        "format",
        "chunks_per_task",
        "resume",
        "dask",
        *([] if args.check is not None and Path(args.check).is_file() else ["goal", "shape"]),
    )
    names = making if args.check is not None else ("sample",)
    wrong = ["--" + name.replace("_", "-") for name in names if getattr(args, name) not in (None, False)]
    if wrong:
        raise UsageError(
            f"{', '.join(wrong)}: cannot be used with {'--check' if args.check is not None else '--out'}; leave it out"
        )
    if args.out is not None and args.count is None:
        raise UsageError("--out: add --count, the number of boards to draw")
    if args.dask is not None and args.workers is not None:
        raise UsageError("--workers: cannot be used with --dask; leave it out")


# ---------------------------------------------------------------- writing ---


def _write(args: argparse.Namespace) -> int:
    goal_of, shape = parse_goal(args.goal or "blank-last", args.shape)
    solver = _open(args, goal_of(shape or (4, 4)))
    if args.first_moves and not args.quiet:
        say(f"--first-moves: labelling takes {_FIRST_MOVES_TIMES}")
    with workers_of(args) as workers, Progress("label", quiet=args.quiet) as progress:
        meter = _Meter(progress)
        dataset = write(
            args.out,
            args.count,
            seed=1 if args.seed is None else args.seed,
            solver=solver,
            distribution=args.distribution or "uniform",
            first_moves=args.first_moves,
            table_values=args.table_values,
            along_path=args.along_path,
            shard=100_000 if args.shard is None else args.shard,
            format=args.format or "npz",
            workers=workers,
            chunks_per_task=1 if args.chunks_per_task is None else args.chunks_per_task,
            resume=args.resume,
            progress=meter.update,
        )
    histogram = dataset.histogram
    mean = float(histogram @ range(len(histogram)) / histogram.sum())
    if args.records:
        record = {
            "folder": str(dataset.folder),
            "boards": args.count,
            "rows": len(dataset),
            "labelled": meter.boards,
            "seconds": round(meter.seconds, 3),
            "boards_per_second": round(meter.rate, 1),
            "mean_distance": round(mean, 6),
            "shards": len(dataset.manifest["shards"]),
        }
        args.records.write([record])
    else:
        write_line(f"{dataset.folder}: {args.count:,} boards, {len(dataset):,} rows, mean distance {mean:.3f}")
    if not args.quiet:
        speed = f" in {format_duration(meter.seconds)}, {meter.rate:,.0f} boards per second" if meter.boards else ""
        say(f"{meter.boards:,} boards labelled{speed}")
    return OK


def _open(args: argparse.Namespace, goal: Board) -> Solver:
    solver = Solver(args.partition, goal=goal, shape=goal.shape, tables=args.tables, build=args.build)
    hint_at_tables(solver, args)
    return solver


class _Meter:
    """How many boards were labelled, and how fast."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._start = progress, time.monotonic()
        self._before: Optional[int] = None
        self.boards, self.seconds = 0, 0.0

    def update(self, done: int, count: int) -> None:
        if self._before is None:  # boards of an earlier run
            self._before = done
        self.boards, self.seconds = done - self._before, time.monotonic() - self._start
        text = f"{done:,} of {count:,} boards"
        if not self.boards:
            self._progress.update(None, text)
            return
        left = (count - done) / self.rate
        self._progress.update(
            done / count if self._before == 0 else None,
            f"{text}, {self.rate:,.0f} per second"
            + (f", {format_duration(left)} left" if self._before and left else ""),
        )

    @property
    def rate(self) -> float:
        return self.boards / self.seconds if self.seconds else 0.0


# ---------------------------------------------------------------- checking ---


def _check(args: argparse.Namespace) -> int:
    dataset = load(args.check)
    solver = _open(args, dataset.goal)
    sample = _SAMPLE if args.sample is None else args.sample
    with Progress("check", quiet=args.quiet) as progress:
        reports = check(
            args.check,
            sample=sample,
            solver=solver,
            workers=args.workers or 1,
            progress=lambda done, count: progress.update(done / count, f"{done:,} of {count:,} shards"),
        )
    for report in reports:
        if args.records:
            record = {
                "path": str(report.path),
                "sound": report.sound,
                "rows": report.rows,
                "sample": report.sample,
                "problems": report.problems,
            }
            args.records.write([record])
        elif report.sound:
            write_line(
                f"{report.path}: sound, {report.rows:,} solutions lead to the goal, {report.sample:,} boards "
                f"solved again"
            )
        else:
            write_line(f"{report.path}: UNSOUND, {'; '.join(report.problems)}")
    broken = sum(not report.sound for report in reports)
    if broken:
        say(
            f"error: {broken} of {len(reports)} shards are unsound; make them again: puzzle15 label --resume, with the "
            f"options of the first run"
        )
    return FAILED if broken else OK


def _check_published(args: argparse.Namespace) -> int:
    """Check boards and distances of others."""
    solvers: dict[Board, Solver] = {}

    def solver_of(goal: Board) -> Solver:
        if goal not in solvers:
            solvers[goal] = Solver(args.partition, goal=goal, shape=goal.shape, tables=args.tables, build=args.build)
        return solvers[goal]

    sample = _SAMPLE if args.sample is None else args.sample
    with Progress("check", quiet=args.quiet) as progress:
        report = check_published(
            args.check,
            goal=args.goal,
            shape=args.shape,
            sample=sample,
            solver_of=solver_of,
            workers=args.workers or 1,
            progress=lambda done, count: progress.update(done / max(count, 1), f"{done:,} of {count:,} boards"),
        )
    if args.records:
        record = {
            "path": str(report.path),
            "sound": report.sound,
            "goal": str(report.goal),
            "rows": report.rows,
            "sample": report.sample,
        }
        args.records.write_table(record, "wrong", (row._asdict() for row in report.wrong), WrongRow._fields)
    else:
        for row in report.wrong:
            write_line(f"{report.path}: {row}")
        verdict = "sound" if report.sound else f"UNSOUND, wrong rows: {len(report.wrong):,}"
        write_line(
            f"{report.path}: {verdict}; {report.rows:,} boards for the goal {report.goal}, {report.sample:,} of them "
            f"solved"
        )
    if report.sample == sample < report.rows and not args.quiet:
        say(f"to solve more rows: --sample {report.rows}")
    return OK if report.sound else FAILED
