"""``puzzle15 build``, ``verify`` and ``info``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from math import isfinite
from typing import Any, Union

from .. import tables
from .._core.tables import tables as _tables
from ..board import Shape, home_cell
from ..errors import TableMissingError
from ..solver import choices, covers, usable_files
from ..system.machine import processor_count
from ..system.quantities import format_size
from ..system.version import __version__
from ..tables import FORMATS, MULTI_TILE, NAMED, TableFile, pattern_name, pattern_tiles
from .console import OK, TABLES, Progress, format_duration, reason, say, write_line
from .options import add_options, add_records
from .parser import Parser, set_command


def add_build(parser: Parser) -> None:
    set_command(
        parser,
        _build,
        [
            "puzzle15 build                          # 7-8 for the 4x4 board: 196 MB, some seconds",
            "puzzle15 build 6-6-3 --home center --format classic",
            "puzzle15 build 1-6/7-11 --shape 3x4 --max-memory 256M",
            "puzzle15 build --metric mtm             # for multi-tile moves: 58 MB, some seconds",
            "puzzle15 build --patterns 1-4/3-6       # for sums of tables that are named in heuristics",
        ],
    )
    parser.add_argument(
        "partition",
        nargs="?",
        metavar="PARTITION",
        help=f"{', '.join(NAMED)} for 4x4, or tiles such as 1-8/9-15 (default: the tables that suit the shape); with "
        "--metric mtm patterns such as 1-6/10-15, which may share tiles",
    )
    parser.add_argument(
        "--home",
        type=_home,
        default="corner",
        metavar="CELL",
        help="the blank's cell in the goal: its number, corner, edge or center (default: corner)",
    )
    parser.add_argument(
        "--patterns",
        action="store_true",
        help="PARTITION names patterns that may share tiles and need not have all, as for sums of tables",
    )
    memory = {"help": "limit the working memory to SIZE, such as 256M; a scratch file holds the rest"}
    shape = {"default": (4, 4), "help": "rows and columns (default: 4x4)"}
    names = "shape", "format", "metric", "tables", "all-workers", "max-memory"
    add_options(parser, *names, shape=shape, max_memory=memory)
    parser.add_argument("--force", action="store_true", help="build existing tables again, too")
    add_records(parser, "one JSON record per table")


def add_verify(parser: Parser) -> None:
    set_command(parser, _verify, ["puzzle15 verify", "puzzle15 verify --tables ./tables --json"])
    add_options(parser, "tables", "all-workers")
    add_records(parser, "one JSON record per table")


def add_info(parser: Parser) -> None:
    set_command(parser, _info, ["puzzle15 info", "puzzle15 info --tables ./tables --json"])
    add_options(parser, "tables")
    add_records(parser, "one JSON object")


def _home(text: str) -> Union[int, str]:
    return int(text) if text.isdigit() else text


def _build(args: argparse.Namespace) -> int:
    options = {
        "shape": args.shape,
        "home": args.home,
        "format": args.format,
        "metric": args.metric,
        "patterns": args.patterns,
        "tables": args.tables,
        "workers": args.workers,
        "max_memory": args.max_memory,
        "force": args.force,
    }
    plan = tables.plan_build(args.partition, **options)
    if not args.quiet:
        _announce(plan)
    with Progress("build", quiet=args.quiet) as progress:
        built = tables.build_tables(args.partition, **options, progress=progress.update)
    for table in built:
        record = _table_record(table, plan.home)
        record["built"] = table.cells in plan.missing
        if args.records:
            args.records.write([record])
        else:
            write_line(
                f"{table.path}  {table.file_bytes:,} bytes  {sum(table.counts):,} entries  "
                f"largest value {table.max_value}"
            )
    return OK


def _announce(plan: tables.BuildPlan) -> None:
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
        f"{plan.folder}, {format_size(plan.memory_bytes)} of memory, {plan.workers} thread{'s' * (plan.workers > 1)}"
    )


def _verify(args: argparse.Namespace) -> int:
    with Progress("verify", quiet=args.quiet) as progress:
        reports = tables.verify(args.tables, workers=args.workers, progress=progress.update)
    if not reports:
        raise TableMissingError(f"no tables in {tables.table_folder(args.tables)}; build them: puzzle15 build")
    for report in reports:
        if args.records:
            record = {name: getattr(report, name) for name in ("sound", "entries", "problems")}
            args.records.write([{"path": str(report.path), **record, "seconds": round(report.seconds, 3)}])
        elif report.sound:
            again = report.table is not None and report.table.format == MULTI_TILE
            how = "equal to those of a new build" if again else "checked against their neighbours"
            write_line(f"{report.path}: sound, {report.entries:,} entries {how}, {format_duration(report.seconds)}")
        else:
            write_line(f"{report.path}: UNSOUND, {'; '.join(report.problems)}")
    broken = [report for report in reports if not report.sound]
    if broken:
        say(f"error: unsound tables: {len(broken)} of {len(reports)}; build them again: puzzle15 build --force")
    return TABLES if broken else OK


def _table_lines(found: list[TableFile]) -> Iterator[str]:
    """The list of tables, in columns under a header."""
    rows = [_table_row(table, home) for table, home in _with_homes(found)]
    if not rows:
        return
    rows.insert(0, ("shape", "format", "tiles", "pattern", "entries", "size", "largest", "file"))
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = zip(range(len(row)), row, widths)
        yield "  ".join(
            cell.rjust(width) if number in (4, 5, 6) else cell.ljust(width) for number, cell, width in cells
        ).rstrip()


def _table_row(table: TableFile, home: int) -> tuple[str, ...]:
    """A row of the list of tables."""
    record = _table_record(table, home)
    return (
        record["shape"],
        table.format,
        record["tiles"],
        _drawing(table, home),
        f"{record['entries']:,}",
        format_size(table.file_bytes),
        str(table.max_value),
        table.path.name,
    )


def _table_records(found: list[TableFile]) -> list[dict[str, Any]]:
    return [_table_record(table, home) for table, home in _with_homes(found)]


def _table_record(table: TableFile, home: int) -> dict[str, Any]:
    rows, cols = table.shape
    return {
        "path": str(table.path),
        "shape": f"{rows}x{cols}",
        "format": table.format,
        "home": home,
        "tiles": pattern_name(table.cells, home),
        "entries": sum(table.counts),
        "bytes": table.file_bytes,
        "max_value": table.max_value,
    }


def _with_homes(found: list[TableFile]) -> Iterator[tuple[TableFile, int]]:
    """(table, home) of each table and each home that it is listed for.

    A table serves several homes, which number its tiles differently. It is listed for those homes for which the folder
    holds a whole partition with it. A table without such a home is listed for the last home that it serves.
    """
    whole = {
        (table, home)
        for shape in {table.shape for table in found}
        for format in FORMATS
        for home in _homes(shape)
        for files in [usable_files(found, shape, home, format)]
        for partition in covers(files, shape, home)
        for table in map(files.get, partition)
    }
    for table in found:
        served = [home for home in _homes(table.shape) if table.region >> home & 1]
        for home in [home for home in served if (table, home) in whole] or served[:1] or [_last(table.region)]:
            yield table, home


def _homes(shape: Shape) -> list[int]:
    """The cells that stand for homes, in descending order."""
    return sorted({home_cell(cell, shape) for cell in range(shape[0] * shape[1])}, reverse=True)


def _last(cells: int) -> int:
    return cells.bit_length() - 1


def _drawing(table: TableFile, home: int) -> str:
    """A pattern on its goal: ``1 2 3/4 . ./. . 0``, with 0 at the home."""
    cols = table.shape[1]
    tiles = dict(zip((cell for cell in range(16) if table.cells >> cell & 1), pattern_tiles(table.cells, home)))
    tiles[home] = 0
    count = table.shape[0] * cols
    texts = [str(tiles.get(cell, ".")) for cell in range(count)]
    return "/".join(" ".join(texts[start : start + cols]) for start in range(0, count, cols))


def _info(args: argparse.Namespace) -> int:
    import platform

    import numpy

    found, broken = tables.find_tables(args.tables)
    facts = {
        "version": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": numpy.__version__,
        "platform": platform.platform(),
        "compiler": _tables.compiler(),
        "instructions": _tables.processor(),
        "processors": processor_count(),
        "folder": str(tables.table_folder(args.tables)),
    }
    if args.records:
        record = {
            **facts,
            "tables": _table_records(found),
            "broken": [reason(error) for error in broken],
            "choices": [
                _choice_record(*where, choice, number == 0)
                for where, ranked in _choices(found)
                for number, choice in enumerate(ranked)
            ],
        }
        args.records.write([record])
        return OK
    facts["tables"] = f"{len(found)}, {format_size(sum(table.file_bytes for table in found))}" if found else "none"
    if broken:
        facts["broken"] = str(len(broken))
    level = os.environ.get("PUZZLE15_CPU")
    if level:
        facts["instructions"] = f"{facts['instructions']} (PUZZLE15_CPU={level})"
    for name, fact in facts.items():
        write_line(f"{name + ':':14}{fact}")
    for error in broken:
        write_line(f"{'':14}{reason(error)}")
    for line in _table_lines(found):
        write_line(line)
    if not found and not args.quiet:
        say(f"no tables in {tables.table_folder(args.tables)}; build them: puzzle15 build")
    for ((rows, cols), home), ranked in _choices(found):
        write_line(
            f"{rows}x{cols} boards whose goal has the blank at cell {home} are solved with the first of these, "
            f"which gives the largest lower bound on average:"
        )
        for choice in ranked:
            lookups = f"{len(choice.views)} lookup{'s' * (len(choice.views) > 1)}"
            worth = f"{choice.worth:.1f}" if isfinite(choice.worth) else "exact"
            write_line(f"{worth:>8}  {choice.name(home)}, {lookups}")
    return OK


def _choices(found: list[TableFile]) -> Iterator[tuple[tuple[Shape, int], list[Any]]]:
    """((shape, home), its choices of tables, the best first) wherever there is a choice."""
    for shape in sorted({table.shape for table in found}):
        for home in _homes(shape):
            ranked = choices(found, shape, home)
            if len(ranked) > 1:
                yield (shape, home), ranked


def _choice_record(shape: Shape, home: int, choice: Any, used: bool) -> dict[str, Any]:
    return {
        "shape": f"{shape[0]}x{shape[1]}",
        "home": home,
        "tables": choice.name(home),
        "format": choice.format,
        "embedded": choice.embedded,
        "views": len(choice.views),
        "used": used,
        "mean_lower_bound": round(choice.worth, 2) if isfinite(choice.worth) else None,
    }
