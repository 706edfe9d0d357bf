"""Finding the tables that a solver asks for: in the folder, built now, or embedded."""

from __future__ import annotations

import os
from collections.abc import Iterable
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
    View,
    choices,
    embedded_choice,
    embedded_patterns,
    multi_tile_choice,
    named_choice,
    usable_files,
)
from .travel import Description

__all__ = ["Finder"]


class Finder:
    """The tables for one shape and home in one folder.

    Parameters
    ----------
    shape : (int, int)
    home : int
        The blank's cell in the canonical goal.
    folder : path, optional
        As for `puzzle15.tables.table_folder`.
    """

    def __init__(self, shape: Shape, home: int, folder: Folder) -> None:
        self._shape, self._home, self._folder = shape, home, folder

    def find(self, partition: Optional[str], format: Optional[str], reflection: bool, may_build: bool) -> Choice:
        """The choice that is asked for, or the best one; the parameters are those of `Solver`.

        Raises
        ------
        TableMissingError
            The tables asked for have not been built.
        """
        embedded = partition == "embedded"
        small = self._shape[0] * self._shape[1] <= COMPLETE_CELLS
        if embedded or (partition is None and format is None and small):
            return embedded_choice(self._shape, self._home, reflection=reflection, format=format or "zero-aware")
        wanted = None if partition is None else self._parse(partition)
        found, broken = find_tables(self._folder)
        formats = list(FORMATS) if format is None else [format]
        if wanted:
            best = named_choice(wanted, found, self._shape, self._home, reflection, formats)
        else:
            ranked = choices(found, self._shape, self._home, reflection=reflection, formats=formats)
            best = next((choice for choice in ranked if format is None or not choice.embedded), None)
        if may_build and (best is None or best.embedded):
            self._build(partition, format or "zero-aware")
            return self.find(partition, format, reflection, False)
        if best is None:
            raise TableMissingError(self._missing(partition, format, broken))
        return best

    def find_multi_tile(self, patterns: Optional[str], reflection: bool, may_build: bool) -> Choice:
        """The multi-tile tables that are asked for; or else the default ones, any that are installed, or embedded ones.

        Raises
        ------
        TableMissingError
            The tables asked for have not been built.
        """
        shape, home = self._shape, self._home
        small = shape[0] * shape[1] <= COMPLETE_CELLS
        if patterns == "embedded" or (patterns is None and small):
            return multi_tile_choice(embedded_patterns(shape, home), {}, shape, home, reflection, True)
        wanted = parse_patterns(patterns, shape, home)
        found, broken = find_tables(self._folder)
        files = usable_files(found, shape, home, MULTI_TILE)
        if all(cells in files for cells in wanted):
            return multi_tile_choice(wanted, files, shape, home, reflection, False)
        if may_build:
            self._build(patterns, MULTI_TILE)
            return self.find_multi_tile(patterns, reflection, False)
        if patterns is not None:
            raise TableMissingError(self._missing(patterns, MULTI_TILE, broken))
        if files:
            largest = sorted(files, key=lambda cells: (-bin(cells).count("1"), cells))
            return multi_tile_choice(largest, files, shape, home, reflection, False)
        return multi_tile_choice(embedded_patterns(shape, home), {}, shape, home, reflection, True)

    def find_described(self, description: Description) -> list[View]:
        """The views of a description, with the files of this machine.

        Raises
        ------
        TableMissingError
            With the name of this machine.
        """
        format = description.format
        files, broken = ({}, []) if description.embedded else self._files(format)
        for parts, _ in description.views:
            if description.embedded or all(cells in files for cells in parts):
                continue
            name = partition_name(parts, self._home)
            if not description.build:
                import platform

                raise TableMissingError(f"on host {platform.node()}: {self._missing(name, format, broken)}")
            self._build(name, format)
            files, broken = self._files(format)
        return [View(parts, symmetry, files) for parts, symmetry in description.views]

    def _files(self, format: str) -> tuple[dict[int, TableFile], list[TableCorruptError]]:
        """(the usable files by pattern, what is wrong with others)"""
        found, broken = find_tables(self._folder)
        return usable_files(found, self._shape, self._home, format), broken

    def _build(self, partition: Optional[str], format: str) -> None:
        metric = "mtm" if format == MULTI_TILE else "stm"
        tables.build_tables(
            partition, shape=self._shape, home=self._home, format=format, metric=metric, tables=self._folder
        )

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

    def _missing(self, partition: Optional[str], format: Optional[str], broken: Iterable[TableCorruptError]) -> str:
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
        return "; ".join([text, *map(str, broken)])
