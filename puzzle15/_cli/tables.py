"""``puzzle15 build``, ``verify`` and ``info``."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from math import isfinite
from typing import Any

from .. import tables
from .._core.base import board as _board
from .._core.tables import tables as _tables
from .._system.machine import processor_count
from .._system.quantities import count_text, format_size
from .._system.version import __version__
from ..board import Shape
from ..board._notation import format_shape
from ..board._orientation import home_cell
from ..errors import OptionError, TableMissingError
from ..solver._choice import Choice, choices
from ..tables import TableFile
from ..tables._building import BuildPlan, plan_build
from ..tables._file import FORMATS
from ..tables._partitions import NAMED, pattern_name
from .console import OK, TABLES, Progress, format_duration, reason, say, write_line
from .options import RECORDS
from .output import write_reports

#: The names of the levels of instructions for people.
_INSTRUCTIONS = {"plain": "portable", "v3": "x86-64-v3", "v4": "x86-64-v4", "vnni": "x86-64-v4"}

BUILD = f"""
[partition=PARTITION]    {", ".join(NAMED)} for 4x4, or tiles such as 1-8/9-15; with --metric mtm patterns such as
    1-6/10-15, which may share tiles (default: the tables that suit the shape)
--shape RxC=4x4    rows and columns
--home CELL=corner    the blank's cell in the goal: its number, corner, edge or center
--patterns    PARTITION names patterns that may share tiles and need not have all, as for sums of tables
--format {"|".join(FORMATS)}    the format of tables: zero-aware, of one bit per state, or classic, of one nibble per
    placement (default: zero-aware)
--force    build existing tables again, too
--max-memory SIZE    limit the working memory to SIZE, such as 256M; a scratch file holds the rest (default: three
    quarters of the available memory)
--workers K    number of threads, on which the tables do not depend (default: one per processor)
--metric --tables {RECORDS}

examples:
  puzzle15 build                # 7-8 for the 4x4 board: 196 MB, some seconds
  puzzle15 build --metric mtm   # for multi-tile moves: 58 MB, some seconds
  puzzle15 build 6-6-3 --home center --format classic
"""

VERIFY = f"""
--workers K    number of threads (default: one per processor)
--tables {RECORDS}

examples:
  puzzle15 verify --tables ./tables --json
"""

INFO = f"""
--tables {RECORDS}

examples:
  puzzle15 info --json
"""

TYPES = {"CELL": lambda text: int(text) if text.isdigit() else text}


def build(args: argparse.Namespace) -> int:
    names = ("shape", "home", "format", "metric", "patterns", "tables", "workers", "max_memory", "force")
    options = {name: getattr(args, name) for name in names}
    plan = plan_build(args.partition, **options)
    if not args.quiet:
        _announce(plan)
    began = time.perf_counter()
    with Progress("build", quiet=args.quiet) as progress:
        built = tables.build_tables(args.partition, **options, progress=progress.update)
    if plan.missing and not args.quiet:
        say(f"built {count_text(len(plan.missing), 'table')} in {format_duration(time.perf_counter() - began)}")
    for table in built:
        record = _table_record(table, plan.home)
        record["built"] = table.cells in plan.missing
        if args.records:
            args.records.write([record])
        else:
            sizes = f"{table.file_bytes:,} bytes  {sum(table.counts):,} entries"
            write_line(f"{table.path}  {sizes}  largest value {table.max_value}")
    return OK


def _announce(plan: BuildPlan) -> None:
    """Say what a build will do, and what it needs."""
    for table in plan.present:
        say(f"tiles {plan.pattern(table.cells)}: already built, {table.path} (--force builds it again)")
    if not plan.missing:
        return
    rows, cols = plan.shape
    patterns = ", ".join(f"tiles {plan.pattern(cells)}" for cells in plan.missing)
    scratch = " including a scratch file" if plan.memory_limit else ""
    say(f"building {plan.format} tables for {rows}x{cols} with the blank's home at cell {plan.home}: {patterns}")
    say(
        f"this takes {format_size(plan.disk_bytes)} of disk{scratch} ({format_size(plan.free_bytes)} free) in "
        f"{plan.folder}, {format_size(plan.memory_bytes)} of memory, {count_text(plan.workers, 'thread')}"
    )


def verify(args: argparse.Namespace) -> int:
    with Progress("verify", quiet=args.quiet) as progress:
        reports = tables.verify(args.tables, workers=args.workers, progress=progress.update)
    if not reports:
        raise TableMissingError(f"no tables in {tables.table_folder(args.tables)}; build them: puzzle15 build")

    def text(report: tables.Verification) -> str:
        return f"{report.entries:,} entries equal to those of a new build, {format_duration(report.seconds)}"

    broken = write_reports(args, reports, ("entries", "problems", "seconds"), text)
    if broken:
        say(f"error: unsound tables: {broken} of {len(reports)}; build them again: puzzle15 build --force")
    return TABLES if broken else OK


def _table_record(table: TableFile, home: int) -> dict[str, Any]:
    return {
        "path": str(table.path),
        "shape": format_shape(table.shape),
        "format": table.format,
        "home": home,
        "tiles": pattern_name(table.cells, home),
        "entries": sum(table.counts),
        "bytes": table.file_bytes,
        "max_value": table.max_value,
    }


#: A shape, a home, and its choices of tables, the best first.
_Ranked = tuple[Shape, int, list[Choice]]


def _homes(shape: Shape) -> list[int]:
    """Return the cells that stand for homes, in descending order."""
    return sorted({home_cell(cell, shape) for cell in range(shape[0] * shape[1])}, reverse=True)


def _with_homes(found: list[TableFile], ranked: list[_Ranked]) -> Iterator[tuple[TableFile, int]]:
    """Yield (table, home) of each table and each home that it is listed for.

    A table serves several homes, which number its tiles differently. It is listed for those homes for which the folder
    holds a whole partition with it. A table without such a home is listed for the last home that it serves.
    """
    whole = {
        (shape, choice.format, cells, home)
        for shape, home, every in ranked
        for choice in every
        if not choice.embedded
        for cells in choice.lookups[0].partition
    }
    for table in found:
        served = [home for home in _homes(table.shape) if table.region >> home & 1] or [table.region.bit_length() - 1]
        homes = [home for home in served if (table.shape, table.format, table.cells, home) in whole]
        yield from ((table, home) for home in homes or served[:1])


def info(args: argparse.Namespace) -> int:
    import platform

    import numpy

    found, broken = tables.find_tables(args.tables)
    folder = "none"
    with suppress(OptionError):  # which is in `broken`
        folder = str(tables.table_folder(args.tables))
    facts = {
        "version": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": numpy.__version__,
        "platform": platform.platform(),
        "compiler": _tables.compiler(),
        "instructions": _INSTRUCTIONS[_board.cpu()],
        "processors": processor_count(),
        "folder": folder,
    }
    shapes = sorted({table.shape for table in found})
    ranked = [(shape, home, choices(found, shape, home)) for shape in shapes for home in _homes(shape)]
    rows = [_table_record(table, home) for table, home in _with_homes(found, ranked)]
    ranked = [each for each in ranked if len(each[2]) > 1]
    if args.records:
        ranks = [
            {
                "shape": format_shape(shape),
                "home": home,
                "tables": choice.name(home),
                "format": choice.format,
                "embedded": choice.embedded,
                "lookups": len(choice.lookups),
                "used": choice is every[0],
                "mean_lower_bound": round(choice.mean_bound, 2) if isfinite(choice.mean_bound) else None,
            }
            for shape, home, every in ranked
            for choice in every
        ]
        args.records.write([{**facts, "tables": rows, "broken": list(map(reason, broken)), "choices": ranks}])
        return OK
    facts["tables"] = f"{len(found)}, {format_size(sum(table.file_bytes for table in found))}" if found else "none"
    if broken:
        facts["broken"] = str(len(broken))
    if level := os.environ.get("PUZZLE15_CPU"):
        facts["instructions"] = f"{facts['instructions']} (PUZZLE15_CPU={level})"
    for name, fact in facts.items():
        write_line(f"{name + ':':14}{fact}")
    for error in broken:
        write_line(f"{'':14}{reason(error)}")
    for row in rows:
        sizes = f"{row['entries']:>14,} entries{format_size(row['bytes']):>9}, at most {row['max_value']}"
        write_line(f"  {row['shape']:6}{row['format']:12}tiles {row['tiles']:18}{sizes}  {row['path']}")
    if not (found or broken or args.quiet):
        say(f"no tables in {folder}; build them: puzzle15 build")
    for shape, home, every in ranked:
        write_line(
            f"{format_shape(shape)} boards whose goal has the blank at cell {home} are solved with the first of these, "
            f"which gives the largest lower bound on average:"
        )
        for choice in every:
            mean = f"{choice.mean_bound:.1f}" if isfinite(choice.mean_bound) else "exact"
            write_line(f"{mean:>8}  {choice.name(home)}, {count_text(len(choice.lookups), 'lookup')}")
    return OK
