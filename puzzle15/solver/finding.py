"""Finding the tables that a solver asks for: in the folder, built now, or embedded."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Optional

from .. import tables
from ..board import Board, Shape
from ..errors import BoardError, TableCorruptError, TableMissingError
from ..tables import (
    FORMATS,
    MULTI_TILE,
    Folder,
    Partition,
    TableFile,
    find_tables,
    parse_partition,
    parse_patterns,
    partition_name,
    table_folder,
)
from .choice import (
    COMPLETE_CELLS,
    Choice,
    choices,
    embedded_choice,
    embedded_patterns,
    multi_tile_choice,
    named_choice,
    usable_files,
)

__all__ = ["Finder"]


class Finder:
    """Finds the tables for one shape, and home of the canonical goal, in one folder."""

    def __init__(self, shape: Shape, home: int, folder: Folder) -> None:
        self._shape, self._home, self._folder = shape, home, folder
        self._small = shape[0] * shape[1] <= COMPLETE_CELLS
        self._listed: Optional[tuple[list[TableFile], list[TableCorruptError]]] = None

    def choose(self, partition: Optional[str], format: Optional[str], reflection: bool, may_build: bool) -> Choice:
        """The tables with the options of `Solver`, or the best ones; TableMissingError if they have not been built."""
        by_default = partition is None and format in (None, MULTI_TILE)
        if partition == "embedded" or (by_default and self._small):
            return self._embedded(format, reflection)
        choose = self._multi_tile if format == MULTI_TILE else self._additive
        choice = choose(partition, format, reflection, may_build)
        if may_build and (choice is None or choice.embedded):
            self._build(partition, format or "zero-aware")
            choice = choose(partition, format, reflection, False)
        if choice is None:
            raise TableMissingError(self._missing(partition, format))
        return choice

    def files(self, choice: Choice, may_build: bool) -> dict[int, TableFile]:
        """The files of chosen tables by pattern; TableMissingError with the name of this machine."""
        if choice.embedded:
            return {}
        for parts, _ in choice.lookups:
            if any(cells not in self._usable(choice.format) for cells in parts):
                name = partition_name(parts, self._home)
                if not may_build:
                    import platform

                    raise TableMissingError(f"on host {platform.node()}: {self._missing(name, choice.format)}")
                self._build(name, choice.format)
        return self._usable(choice.format)

    def _embedded(self, format: Optional[str], reflection: bool) -> Choice:
        if format == MULTI_TILE:
            patterns = embedded_patterns(self._shape, self._home)
            return multi_tile_choice(patterns, self._shape, self._home, reflection, True)
        return embedded_choice(self._shape, self._home, reflection=reflection, format=format or "zero-aware")

    def _additive(
        self, partition: Optional[str], format: Optional[str], reflection: bool, may_build: bool
    ) -> Optional[Choice]:
        formats = list(FORMATS) if format is None else [format]
        if partition is not None:
            wanted = self._parse(partition)
            return named_choice(wanted, self._list()[0], self._shape, self._home, reflection, formats)
        ranked = choices(self._list()[0], self._shape, self._home, reflection=reflection, formats=formats)
        return next((choice for choice in ranked if format is None or not choice.embedded), None)

    def _multi_tile(
        self, patterns: Optional[str], format: Optional[str], reflection: bool, may_build: bool
    ) -> Optional[Choice]:
        """The choice of these patterns; or else of the default ones, of any that are installed, or embedded ones."""
        wanted = parse_patterns(patterns, self._shape, self._home)
        files = self._usable(MULTI_TILE)
        if any(cells not in files for cells in wanted):
            if patterns is not None or may_build:
                return None
            if not files:
                return self._embedded(MULTI_TILE, reflection)
            wanted = sorted(files, key=lambda cells: (-bin(cells).count("1"), cells))
        return multi_tile_choice(wanted, self._shape, self._home, reflection, False)

    def _list(self) -> tuple[list[TableFile], list[TableCorruptError]]:
        """(the tables in the folder, what is wrong with other files)"""
        if self._listed is None:
            self._listed = find_tables(self._folder)
        return self._listed

    def _usable(self, format: str) -> dict[int, TableFile]:
        return usable_files(self._list()[0], self._shape, self._home, format)

    def _build(self, partition: Optional[str], format: str) -> None:
        metric = "mtm" if format == MULTI_TILE else "stm"
        tables.build_tables(
            partition, shape=self._shape, home=self._home, format=format, metric=metric, tables=self._folder
        )
        self._listed = None

    def _parse(self, partition: str) -> list[Partition]:
        try:
            return parse_partition(partition, self._shape, self._home)
        except ValueError as error:
            with suppress(BoardError):
                raise ValueError(
                    f"partition {partition!r}: this is a board; expected tables, such as '7-8'; "
                    f"a goal is given by name: goal={str(Board(partition))!r}"
                ) from None
            raise error from None

    def _missing(self, partition: Optional[str], format: Optional[str]) -> str:
        """What is missing, the command that builds it, and the damaged files."""
        rows, cols = self._shape
        command = "puzzle15 build" + (f" {partition}" if partition else "")
        if self._shape != (4, 4):
            command += f" --shape {rows}x{cols}"
        if self._home != rows * cols - 1:
            command += f" --home {self._home}"
        if format == MULTI_TILE:
            command += " --metric mtm"
        elif format:
            command += f" --format {format}"
        if self._folder is not None:
            from shlex import quote

            command += f" --tables {quote(os.fspath(self._folder))}"
        text = (
            f"no {f'{format} ' if format else ''}tables of {f'partition {partition}' if partition else 'a partition'} "
            f"for {rows}x{cols} with the blank's home at cell {self._home} in {table_folder(self._folder)}; "
            f"build them: {command}"
        )
        return "; ".join([text, *map(str, self._list()[1])])
