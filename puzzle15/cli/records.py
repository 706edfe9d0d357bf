"""Records on standard output, for other programs: JSON, one object per line, or CSV, one table with a header.

A command puts both options on its parser with `add_records`. Then ``args.records`` is None, or writes records.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterable, Sequence
from typing import Any

from .console import write_line

__all__ = ["CsvRecords", "JsonRecords", "add_records"]

Record = dict[str, Any]


class JsonRecords:
    """Writes each record as a JSON object in one line."""

    def write(self, records: Iterable[Record], fields: Sequence[str] = ()) -> None:
        """Write records. CSV needs the `fields` if records differ in theirs, and for its header if there are none."""
        from json import dumps  # not needed by those who read lines

        if lines := list(map(dumps, records)):
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
        from csv import writer  # not needed by those who read lines

        text = io.StringIO()
        # Lines end as those of all other output do: Python turns this into what the system has.
        lines = writer(text, lineterminator="\n")
        given = list(records)
        if not self._fields and (given or fields):
            self._fields = list(fields or given[0])
            lines.writerow(self._fields)
        for record in given:
            assert record.keys() <= set(self._fields), "a field without a column"
            lines.writerow([_cell(record.get(name)) for name in self._fields])
        if table := text.getvalue():
            write_line(table[:-1])

    def write_table(self, head: Record, name: str, rows: Iterable[Record], fields: Sequence[str] = ()) -> None:
        self.write(rows, fields)


def _cell(value: Any) -> Any:
    """A value as it stands in a cell: what is no number and no text as JSON has it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (bool, list, tuple, dict)):
        from json import dumps

        return dumps(value)
    return value


def add_records(parser: argparse._ActionsContainer, what: str) -> None:
    """The options --json and --csv."""
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--json", dest="records", action="store_const", const=JsonRecords(), help=what)
    either.add_argument(
        "--csv",
        dest="records",
        action="store_const",
        const=CsvRecords(),
        help="print the same fields as CSV, with a header; lists in them are JSON text",
    )
