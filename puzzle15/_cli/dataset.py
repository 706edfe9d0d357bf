"""``puzzle15 scramble`` and ``puzzle15 label``: random boards, printed, or stored with labels."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Optional

from .. import dataset
from .._pictures.figures import PathLike, check_file, new_panels, save_panels
from .._system.lazy import np
from .._system.quantities import random_generator
from .._system.threads import Team, is_done
from ..board import Board, depth_counts, format_boards, format_moves, invert_moves
from ..dataset import Distances, ShardReport, Uniform
from ..dataset._distributions import Distribution, parse_distribution
from ..dataset._manifest import FORMATS
from ..dataset._published import WrongRow
from ..solver import Solver
from ..solver._scrambling import MOST_CLIMBED, known_boards
from .console import FAILED, OK, Failed, Progress, UsageError, format_duration, say, write_line
from .options import RECORDS, open_solver, read_goal, refuse, workers_of
from .output import write_reports

TYPES = {"D": lambda text: parse_distribution(f"distance:{text}"), "M": lambda text: parse_distribution(f"walk:{text}")}

#: The options that choose boards, and what help says about them.
_BOARDS = """
# random boards
--distance D    draw boards whose shortest solutions have exactly D moves; A-B, or several such as 10,20-30,50=2.5: each
    distance is equally frequent, or as frequent as its weight (default: all boards that can reach the goal are equally
    likely)
--walk M    draw the boards after M random moves from the goal, none of which undoes the one before; also A-B
--shape RxC    rows and columns (default: those of the goal, else 4x4)
--goal
""".strip()
_DISTRIBUTIONS = """
On 4x4, all boards at a distance of up to 68 moves are equally likely; farther ones are not. From 23 moves on, boards
are found by solving, which is much faster with tables (puzzle15 build). A board after M random moves may be much nearer
than M. Without --distance and --walk, almost no board is near the goal: of 6M, about 7 need 22 moves or fewer.
""".strip()

_FIRST_CHUNK = 32  # boards: those at a distance may take long to draw
_LARGEST_CHUNK = 1 << 13

SCRAMBLE = f"""
--count N=1    number of boards, such as 100, 50k or 1M
--seed SEED    seed of the random boards; the same seed and options always give the same boards (default: another seed
    each time, which is printed on standard error)
--as-moves    print moves that make each board from the goal, in place of the board: a shortest solution, inverted
{_BOARDS}
--time-limit S    end without further boards after S seconds (default: no limit)
--tables {RECORDS}

{_DISTRIBUTIONS}

examples:
  puzzle15 scramble
  puzzle15 scramble --count 10 --seed 1 --shape 3x3 --distance 31
  puzzle15 scramble --count 100 --walk 40 | puzzle15 convert --to hex
  puzzle15 scramble --as-moves
"""


def scramble(args: argparse.Namespace) -> int:
    goal_of, shape = read_goal(args)
    goal = goal_of(shape or (4, 4))
    distribution = _chosen(args, goal)
    record: dict[str, Any] = {"goal": str(goal), "distribution": str(distribution), "distance": None, "metric": "stm"}
    if isinstance(distribution, Distances) and len(distribution.weights) == 1:
        record["distance"] = int(distribution.weights[0][0])
    rare = _rarity(args, distribution, goal)
    record["seed"] = int(np.random.SeedSequence().generate_state(1)[0]) if args.seed is None else args.seed
    if args.seed is None and not args.quiet:
        say(f"--seed {record['seed']} draws the same boards again")
    is_solved = args.as_moves or (isinstance(distribution, Distances) and not distribution.are_listed(goal))
    solver = open_solver(args, goal) if is_solved else Solver(goal=goal, tables=args.tables)
    left, chunk, rng = args.count, _FIRST_CHUNK, random_generator(record["seed"])
    end = None if args.time_limit is None else time.monotonic() + args.time_limit
    with Progress("scramble", quiet=args.quiet) as progress:
        while left:
            count = min(left, chunk)
            done = args.count - left
            draw = partial(distribution.draw, count, rng, solver)
            over = f"--time-limit: {done:,} of {args.count:,} boards were drawn in time{rare}; allow more time"
            drawn = _in_time(end, draw, partial(progress.counting("boards"), done, args.count), over)
            left, chunk = left - count, min(2 * chunk, _LARGEST_CHUNK)
            texts = format_boards(drawn, goal.shape)
            made: list[str] = []
            if args.as_moves:
                made = [invert_moves(solution.moves or "") for solution in solver.solve_many(drawn)]
            if args.records:
                moves = [{"moves": each, "convention": "tile"} for each in made] or [{}] * count
                args.records.write({"board": text, **record, **each} for text, each in zip(texts, moves))
            else:
                write_line("\n".join(format_moves(each, compress=True) for each in made) if made else "\n".join(texts))
    return OK


def _rarity(args: argparse.Namespace, distribution: Distribution, goal: Board) -> str:
    """Say how many boards are as far away as the farthest that is drawn, if they are not equally likely."""
    if not isinstance(distribution, Distances) or distribution.equally_likely(goal):
        return ""
    far = distribution.weights[-1][0]
    counts = depth_counts(goal.shape, goal.blank)
    rare = f"; {counts[far]:,} of {sum(counts):,} boards are {far} moves from the goal" if counts else ""
    known = known_boards(far, goal) if far > MOST_CLIMBED else []
    if not args.quiet:
        say(f"boards so far from the goal are not equally likely{rare}" + f"; {len(known)} are known" * bool(known))
    return rare


def _in_time(end: Optional[float], work: Callable[[], Any], show: Callable[[], Any], over: str) -> Any:
    """Return what `work` returns in a thread, and call `show` meanwhile; raise Failed with `over` at the time `end`."""
    with Team(1) as team:
        future = team.submit(work)
        while not is_done(future):
            show()
            if end is not None and time.monotonic() > end:
                raise Failed(over)
        return future.result()


def _chosen(args: argparse.Namespace, goal: Board) -> Distribution:
    """Return the distribution that the options choose."""
    if args.distance is not None:
        refuse(args, "--walk", "not allowed with --distance; leave it out")
    distribution: Distribution = args.distance or args.walk or Uniform()
    try:
        distribution.check(goal)
    except ValueError as error:
        raise UsageError(f"--distance: {error}") from None
    return distribution


#: Measured with the 7-8 and the embedded tables, on uniform boards and on boards 20 to 40 moves from the goal.
_FIRST_MOVES_TIMES = "2 to 3 times as long, or 5 to 10 times with --along-path"

LABEL = f"""
-o, --output FOLDER    the folder to write to; it must be new or empty, unless --resume is given
--resume    continue a stopped run, make damaged files again, or extend a finished data set to a larger --count
--check WHAT    check a written folder: compare files with the manifest, follow every solution, and solve a sample
    again; or check a file that others published, whose rows are the tiles and the distance, such as
    0,1,2,3,4,5,6,7,8,0: solve a sample, and name wrong rows
--sample N=200    number of rows that --check solves again
--first-moves    store all first moves of shortest solutions, too; labelling then takes {_FIRST_MOVES_TIMES}
--along-path    store every board on the path to the goal, too, which gives as many rows as moves
--table-values    store the value of each lookup, too
--shard N=100000    drawn boards per file; boards along their paths do not count
--file-format {"|".join(FORMATS)}=npz    how the labels are stored: numpy's .npz, or parquet for other programs, which
    needs the extra parquet
# random boards
--count N    number of boards to draw, such as 50000, 50k or 6M
--seed
{_BOARDS}
# limits and threads
--time-limit S    end after S seconds; --resume goes on (default: no limit)
--workers K    number of threads, on which the files do not depend (default: one per processor)
--chunks-per-task N=1    chunks of 2,000 boards (500 at given distances) that a worker gets at once; many workers need
    more, and the files do not depend on it
--dask --partition --tables --build
# output
--histogram FILE    draw how many rows there are at each distance into a .png, .svg or .pdf file (needs the extra plot);
    with --check, of the folder
{RECORDS}

{_DISTRIBUTIONS} For training, add boards at given distances, or use --along-path.

examples:
  puzzle15 label --count 1M --seed 1 -o boards --resume
  puzzle15 label --count 50k --distance 20-40,53=10 --first-moves -o near
  puzzle15 label --count 1G -o boards --dask tcp://scheduler:8786
  puzzle15 label --check boards --histogram distances.png
  puzzle15 label --check published.csv --sample 1000 --csv
"""


def label(args: argparse.Namespace) -> int:
    if (args.output is None) == (args.check is None):
        raise UsageError("expected --output FOLDER, or --check WHAT")
    if args.dask is not None:
        refuse(args, "--workers", "cannot be used with --dask; leave it out")
    if args.histogram is not None:
        check_file(args.histogram)
    if args.check is None:
        refuse(args, "--sample", "cannot be used with --output; leave it out")
        if args.count is None:
            raise UsageError("--output: add --count, the number of boards to draw")
        return _write(args)
    published = Path(args.check).is_file()
    names = "--count --seed --distance --walk --first-moves --table-values --along-path --shard --file-format"
    names += " --chunks-per-task --resume --time-limit --dask" + (" --histogram" if published else " --goal --shape")
    refuse(args, names, "cannot be used with --check; leave it out")
    return _check_published(args) if published else _check(args)


def _write(args: argparse.Namespace) -> int:
    goal_of, shape = read_goal(args)
    goal = goal_of(shape or (4, 4))
    distribution = _chosen(args, goal)
    rare = _rarity(args, distribution, goal)
    solver = open_solver(args, goal, build=args.build)
    if args.first_moves and not args.quiet:
        say(f"--first-moves: labelling takes {_FIRST_MOVES_TIMES}")
    names = ("seed", "first_moves", "table_values", "along_path", "shard", "chunks_per_task", "resume")
    reports: list[int] = []  # boards until now; the first are those of an earlier run
    start = time.monotonic()

    def show(done: int, count: int) -> None:
        reports[1:] = [done]
        progress.update((done - reports[0]) / max(count - reports[0], 1), f"{done:,} of {count:,} boards")

    with workers_of(args) as workers, Progress("label", quiet=args.quiet) as progress:
        write = partial(
            dataset.write,
            args.output,
            args.count,
            solver=solver,
            distribution=distribution,
            format=args.file_format,
            workers=workers,
            progress=show,
            **{name: getattr(args, name) for name in names},
        )
        over = f"--time-limit: the boards were not labelled in time{rare}; go on with --resume"
        end = None if args.time_limit is None else start + args.time_limit
        made = write() if end is None else _in_time(end, write, lambda: None, over)
    labelled, seconds = reports[-1] - reports[0] if reports else 0, time.monotonic() - start
    rate = labelled / seconds if seconds else 0.0
    histogram = made.histogram
    if args.histogram is not None:
        draw_histogram(made, args.histogram)
    mean = float(histogram @ range(len(histogram)) / histogram.sum())
    if args.records:
        record = {
            "folder": str(made.folder),
            "boards": args.count,
            "rows": len(made),
            "labelled": labelled,
            "seconds": round(seconds, 3),
            "boards_per_second": round(rate, 1),
            "mean_distance": round(mean, 6),
            "shards": len(made.manifest["shards"]),
        }
        args.records.write([record])
    else:
        write_line(f"{made.folder}: {args.count:,} boards, {len(made):,} rows, mean distance {mean:.3f}")
    if not args.quiet:
        speed = f" in {format_duration(seconds)}, {rate:,.0f} boards per second" if labelled else ""
        say(f"{labelled:,} boards labelled{speed}")
    return OK


def draw_histogram(labelled: dataset.Dataset, path: PathLike) -> None:
    """Draw how many rows of a data set there are at each distance."""
    counts = labelled.histogram
    figure, [axes] = new_panels([""], 1, 6.4, 3.6)
    axes.bar(range(len(counts)), counts)
    there = np.flatnonzero(counts)
    axes.set_xlim(there[0] - 1, there[-1] + 1)
    axes.set(xlabel="distance, moves", ylabel="rows")
    mean = float(counts @ range(len(counts)) / counts.sum())
    save_panels(figure, path, f"{labelled.folder.name}: {len(labelled):,} rows, mean distance {mean:.2f}")


def _check(args: argparse.Namespace) -> int:
    checked = dataset.load(args.check)
    if args.histogram is not None:
        draw_histogram(checked, args.histogram)
    solver = open_solver(args, checked.goal, build=args.build)
    with workers_of(args) as workers, Progress("check", quiet=args.quiet) as progress:
        reports = dataset.check(
            args.check,
            sample=args.sample,
            solver=solver,
            workers=workers,
            progress=progress.counting("shards"),
        )

    def text(report: ShardReport) -> str:
        return f"{report.rows:,} solutions lead to the goal, {report.sample:,} boards solved again"

    broken = write_reports(args, reports, ("rows", "sample", "problems"), text)
    if broken:
        again = "make them again: puzzle15 label --resume, with the options of the first run"
        say(f"error: {broken} of {len(reports)} shards are unsound; {again}")
    return FAILED if broken else OK


def _check_published(args: argparse.Namespace) -> int:
    """Check boards and distances of others."""

    with workers_of(args) as workers, Progress("check", quiet=args.quiet) as progress:
        report = dataset.check_published(
            args.check,
            goal=args.goal,
            shape=args.shape,
            sample=args.sample,
            solver_of=cache(partial(open_solver, args, build=args.build)),
            workers=workers,
            progress=progress.counting("boards"),
        )
    if args.records:
        names = ("path", "sound", "goal", "rows", "sample")
        record = {name: getattr(report, name) for name in names} | {"path": str(report.path), "goal": str(report.goal)}
        args.records.write_table(record, "wrong", (row._asdict() for row in report.wrong), WrongRow._fields)
    else:
        for row in report.wrong:
            write_line(f"{report.path}: {row}")
        verdict = "sound" if report.sound else f"UNSOUND, wrong rows: {len(report.wrong):,}"
        rows = f"{report.rows:,} boards for the goal {report.goal}"
        write_line(f"{report.path}: {verdict}; {rows}, {report.sample:,} of them solved")
    if report.sample == args.sample < report.rows and not args.quiet:
        say(f"to solve more rows: --sample {report.rows}")
    return OK if report.sound else FAILED
