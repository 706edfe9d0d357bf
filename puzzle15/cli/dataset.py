"""``puzzle15 scramble`` and ``puzzle15 label``: random boards, printed, or stored with labels."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Optional

from ..board import Board, format_boards, random_walk, uniform
from ..dataset import (
    FORMATS,
    Distances,
    Distribution,
    Uniform,
    Walk,
    WrongRow,
    check,
    check_published,
    load,
    parse_distribution,
    write,
)
from ..solver import Solver
from ..system.later import np
from ..system.quantities import option_type
from ..system.seeds import random_generator
from .console import FAILED, OK, Progress, UsageError, flush_output, format_duration, say, write_line
from .options import add_options, add_records, open_solver, read_goal, refuse, to_count, to_whole, workers_of
from .parser import Parser, set_command

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ONE_SHAPE = "rows and columns (default: those of the goal, else 4x4)"

# ---------------------------------------------------------------- scramble ---

_FIRST_CHUNK = 32  # boards: those at a distance may take long to draw
_LARGEST_CHUNK = 1 << 13

_SCRAMBLES = """
distributions:
  Without options, all boards that can reach the goal are equally likely.
  --distance D       boards whose shortest solutions have exactly D moves, all equally likely; also A-B,
                     and several such as 10,20-30,50=2.5, where each distance is equally frequent, or as
                     frequent as its weight. Boards farther than 68 moves on 4x4 are rare, and not equally
                     likely: random moves lead away from the goal, starting at a random board
  --walk N           the board after N random moves from the goal, none of which undoes the one before;
                     it may be much nearer than N moves; also A-B
A move is one tile by one step. Boards up to 22 moves from the goal on 4x4 are listed, which takes up to
2 s; for others, random boards are solved, which is much faster with tables (puzzle15 build).
"""


@option_type
def to_walk(text: str) -> Distribution:
    return _distribution("walk", text)


@option_type
def to_distances(text: str) -> Distribution:
    return _distribution("distance", text)


def _distribution(kind: str, text: str) -> Distribution:
    try:
        return parse_distribution(f"{kind}:{text}")
    except ValueError:
        what = "moves such as 30 or 20-40" if kind == "walk" else "distances such as 30, 20-40 or 10,20-40,50=2.5"
        raise ValueError(f"{text!r}: expected {what}") from None


def add_scramble(parser: Parser) -> None:
    set_command(
        parser,
        _scramble,
        [
            "puzzle15 scramble",
            "puzzle15 scramble --count 10 --seed 1 --shape 3x3 --distance 31",
            "puzzle15 scramble --count 5 --distance 18-20 --goal korf --json",
            "puzzle15 scramble --count 100 --walk 40 | puzzle15 convert --to hex",
        ],
        _SCRAMBLES,
    )
    add_options(parser, "count", "seed", count={"default": 1}, seed={"help": _SEED})
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--distance", dest="how", type=to_distances, metavar="D", help="boards at exactly this distance")
    how.add_argument("--walk", dest="how", type=to_walk, metavar="N", help="boards at the ends of random walks")
    add_options(parser, "goal", "shape", "tables", shape={"help": _ONE_SHAPE})
    add_records(parser, "one JSON record per board")


_SEED = (
    "seed of the random boards; the same seed and options always give the same boards (default: another seed each "
    "time, which is printed on standard error)"
)


def _scramble(args: argparse.Namespace) -> int:
    goal_of, shape = read_goal(args)
    goal = goal_of(shape or (4, 4))
    distribution = args.how or Uniform()
    try:
        distribution.check(goal)
    except ValueError as error:
        raise UsageError(f"--distance: {error}") from None
    if isinstance(distribution, Distances) and not distribution.equally_likely(goal) and not args.quiet:
        say("boards so far from the goal are not equally likely")
    seed = int(np.random.SeedSequence().generate_state(1)[0]) if args.seed is None else args.seed
    if args.seed is None and not args.quiet:
        say(f"--seed {seed} draws the same boards again")
    distance: Optional[int] = None  # that of all boards, if it is known
    if isinstance(distribution, Distances) and len(distribution.weights) == 1:
        distance = int(distribution.weights[0][0])
    for boards in _drawn(args, goal, distribution, random_generator(seed)):
        texts = format_boards(boards, goal.shape)
        if args.records:
            record = {"goal": str(goal), "distribution": str(distribution), "distance": distance}
            args.records.write({"board": text, **record, "metric": "stm", "seed": seed} for text in texts)
        else:
            write_line("\n".join(texts))
        flush_output()
    return OK


def _drawn(
    args: argparse.Namespace, goal: Board, distribution: Distribution, rng: np.random.Generator
) -> Iterator[NDArray[np.uint64]]:
    """The boards, in chunks."""
    solver: Optional[Solver] = None
    if isinstance(distribution, Distances):
        listed = distribution.are_listed(goal)
        solver = Solver(goal=goal, tables=args.tables) if listed else open_solver(args, goal)
    left, chunk = args.count, _FIRST_CHUNK
    while left:
        count = min(left, chunk)
        if isinstance(distribution, Walk):
            yield random_walk(count, distribution.lengths(count, rng), rng, goal=goal)
        elif solver is None:
            yield uniform(count, rng, goal=goal)
        else:
            yield distribution.draw(count, rng, solver)
        left, chunk = left - count, min(2 * chunk, _LARGEST_CHUNK)


# ---------------------------------------------------------------- label ---

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


def add_label(parser: Parser) -> None:
    set_command(
        parser,
        _label,
        [
            "puzzle15 label --count 1M --seed 1 -o boards",
            "puzzle15 label --count 1M --seed 1 -o boards --resume",
            "puzzle15 label --count 50k --distribution distance:20-40,53=10 --first-moves -o near",
            "puzzle15 label --count 6M -o boards --dask tcp://scheduler:8786",
            "puzzle15 label --count 1G --shard 1M --chunks-per-task 20 -o boards --dask tcp://scheduler:8786",
            "puzzle15 label --check boards",
            "puzzle15 label --check published.csv --sample 1000 --csv",
        ],
        _DISTRIBUTIONS,
    )
    folder = parser.add_mutually_exclusive_group(required=True)
    add_options(folder, "output", output={"metavar": "DIR", "help": _OUTPUT})
    folder.add_argument("--check", metavar="WHAT", help=_CHECK)
    add_options(parser, "count", "seed")
    parser.add_argument(
        "--distribution", type=to_distribution, metavar="D", help="which boards to draw; see below (default: uniform)"
    )
    parser.add_argument(
        "--first-moves",
        action="store_true",
        help=f"store all first moves of shortest solutions, too; labelling then takes {_FIRST_MOVES_TIMES}",
    )
    parser.add_argument("--table-values", action="store_true", help="store the value of each lookup, too")
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
        "--file-format",
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
        "--sample", type=to_whole, metavar="N", help=f"rows that --check solves again (default: {_SAMPLE})"
    )
    names = "goal", "shape", "partition", "tables", "all-workers", "dask", "build"
    add_options(parser, *names, shape={"help": _ONE_SHAPE})
    add_records(parser, "one JSON record; with --check of a folder, one per shard")


_OUTPUT = "the folder to write to; it must be new or empty, unless --resume is given"
_CHECK = (
    "check a written folder: compare files with the manifest, follow every solution, and solve a sample again; or "
    "check a file that others published, whose rows are the tiles and the distance, such as 0,1,2,3,4,5,6,7,8,0: solve "
    "a sample, and name wrong rows"
)


def _label(args: argparse.Namespace) -> int:
    published = args.check is not None and Path(args.check).is_file()
    if args.check is not None:
        names = "count seed distribution first-moves table-values along-path shard file-format chunks-per-task resume"
        names += " dask" if published else " dask goal shape"
        refuse(args, names, "cannot be used with --check; leave it out")
    else:
        refuse(args, "sample", "cannot be used with --output; leave it out")
        if args.count is None:
            raise UsageError("--output: add --count, the number of boards to draw")
    if args.dask is not None:
        refuse(args, "workers", "cannot be used with --dask; leave it out")
    try:
        if args.check is None:
            return _write(args)
        return _check_published(args) if published else _check(args)
    except ImportError as error:  # an extra is missing
        raise UsageError(str(error)) from None


def _write(args: argparse.Namespace) -> int:
    goal_of, shape = read_goal(args)
    solver = open_solver(args, goal_of(shape or (4, 4)), build=args.build)
    if args.first_moves and not args.quiet:
        say(f"--first-moves: labelling takes {_FIRST_MOVES_TIMES}")
    with workers_of(args) as workers, Progress("label", quiet=args.quiet) as progress:
        meter = _Meter(progress)
        dataset = write(
            args.output,
            args.count,
            seed=1 if args.seed is None else args.seed,
            solver=solver,
            distribution=args.distribution or "uniform",
            first_moves=args.first_moves,
            table_values=args.table_values,
            along_path=args.along_path,
            shard=100_000 if args.shard is None else args.shard,
            format=args.file_format or "npz",
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


class _Meter:
    """How many boards were labelled, and how fast."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._start = progress, time.monotonic()
        self._before: Optional[int] = None  # boards of an earlier run
        self.boards, self.seconds = 0, 0.0

    def update(self, done: int, count: int) -> None:
        if self._before is None:
            self._before = done
        self.boards, self.seconds = done - self._before, time.monotonic() - self._start
        speed = f", {self.rate:,.0f} per second" if self.boards else ""
        share = self.boards / (count - self._before) if self.boards else None
        self._progress.update(share, f"{done:,} of {count:,} boards{speed}")

    @property
    def rate(self) -> float:
        return self.boards / self.seconds if self.seconds else 0.0


def _check(args: argparse.Namespace) -> int:
    dataset = load(args.check)
    solver = open_solver(args, dataset.goal, build=args.build)
    sample = _SAMPLE if args.sample is None else args.sample
    with workers_of(args) as workers, Progress("check", quiet=args.quiet) as progress:
        reports = check(
            args.check,
            sample=sample,
            solver=solver,
            workers=workers,
            progress=lambda done, count: progress.update(done / count, f"{done:,} of {count:,} shards"),
        )
    for report in reports:
        if args.records:
            fields = ("sound", "rows", "sample", "problems")
            args.records.write([{"path": str(report.path), **{name: getattr(report, name) for name in fields}}])
        elif report.sound:
            solutions = f"{report.rows:,} solutions lead to the goal"
            write_line(f"{report.path}: sound, {solutions}, {report.sample:,} boards solved again")
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

    @cache
    def solver_of(goal: Board) -> Solver:
        return Solver(args.partition, goal=goal, shape=goal.shape, tables=args.tables, build=args.build)

    sample = _SAMPLE if args.sample is None else args.sample
    with workers_of(args) as workers, Progress("check", quiet=args.quiet) as progress:
        report = check_published(
            args.check,
            goal=args.goal,
            shape=args.shape,
            sample=sample,
            solver_of=solver_of,
            workers=workers,
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
        rows = f"{report.rows:,} boards for the goal {report.goal}"
        write_line(f"{report.path}: {verdict}; {rows}, {report.sample:,} of them solved")
    if report.sample == sample < report.rows and not args.quiet:
        say(f"to solve more rows: --sample {report.rows}")
    return OK if report.sound else FAILED
