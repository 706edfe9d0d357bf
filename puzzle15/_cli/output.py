"""What commands write for other programs: records on standard output, and files."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Optional

from .._system.files import write_output
from .console import UsageError, write_line

Record = dict[str, Any]


class JsonRecords:
    """Writes each record as a JSON object in one line."""

    def write(self, records: Iterable[Record], fields: Sequence[str] = ()) -> None:
        """Write records. CSV needs the `fields` if records differ in theirs, and for its header if there are none."""
        if lines := list(map(_json, records)):
            write_line("\n".join(lines))

    def write_table(self, head: Record, name: str, rows: Iterable[Record], fields: Sequence[str] = ()) -> None:
        """Write one record, `head` with a list of rows under `name`; the table of CSV has only the rows."""
        self.write([{**head, name: list(rows)}])


class CsvRecords:
    """Writes records as a table, with a header above the first one.

    Fields that a record lacks, and those that are null, are empty. Lists and objects are JSON text within their cell.
    """

    def __init__(self) -> None:
        self._fields: Sequence[str] = ()

    def write(self, records: Iterable[Record], fields: Sequence[str] = ()) -> None:
        from csv import DictWriter  # not needed by those who read lines

        text, given, is_first = io.StringIO(), list(records), not self._fields
        self._fields = self._fields or list(fields or (given[0] if given else ()))
        # Lines end as those of all other output do: Python turns this into what the system has.
        lines = DictWriter(text, self._fields, lineterminator="\n")
        if is_first and self._fields:
            lines.writeheader()
        for record in given:
            is_json = (bool, list, tuple, dict)
            lines.writerow({key: _json(cell) if isinstance(cell, is_json) else cell for key, cell in record.items()})
        if table := text.getvalue():
            write_line(table[:-1])

    def write_table(self, head: Record, name: str, rows: Iterable[Record], fields: Sequence[str] = ()) -> None:
        self.write(rows, fields)


def _json(value: Any) -> str:
    from json import dumps  # not needed by those who read lines

    return dumps(value)


def write_reports(
    args: argparse.Namespace, reports: Sequence[Any], fields: Sequence[str], text: Callable[[Any], str]
) -> int:
    """Write reports about files, as records with `fields`, or as lines with `text`; returns how many are not sound."""
    for report in reports:
        if args.records:
            values = {name: getattr(report, name) for name in ("sound", *fields)}
            if "seconds" in values:
                values["seconds"] = round(values["seconds"], 3)
            args.records.write([{"path": str(report.path), **values}])
        elif report.sound:
            write_line(f"{report.path}: sound, {text(report)}")
        else:
            write_line(f"{report.path}: UNSOUND, {'; '.join(report.problems)}")
    return sum(not report.sound for report in reports)


def is_output(name: Optional[str]) -> bool:
    """Return whether a picture goes to standard output: no name was given, or ``-``."""
    return name in (None, "-")


def kind_of_file(args: argparse.Namespace, kinds: Sequence[str]) -> str:
    """Return the end of ``--output`` in lower case, which must be one of `kinds`; ``.svg`` for standard output."""
    name: Optional[str] = args.output
    if name is None and sys.stdout.isatty():
        names = [f"-o {args.command}{kind}" for kind in kinds]
        raise UsageError(f"expected the name of a file: {', '.join(names[:-1])} or {names[-1]}")
    if name is None or name == "-":
        return ".svg"
    path = Path(name)
    kind = path.suffix.lower()
    if kind not in kinds:
        raise UsageError(f"{name}: expected a name that ends in {', '.join(kinds)}")
    if not path.parent.is_dir():
        raise UsageError(f"cannot write {name}: {path.parent} is not a folder")
    return kind


def write_picture(name: Optional[str], content: bytes) -> None:
    """Write a picture into a file, or to standard output, where it is text."""
    if name is None or name == "-":
        write_line(content.decode())
        return
    try:
        with write_output(Path(name)) as file:
            file.write(content)
    except OSError as error:
        raise UsageError(f"cannot write {name}: {error.strerror}") from None
