"""Certificates: what strangers need to check a solution, with `check_certificate.py` or a program of their own."""

from __future__ import annotations

import hashlib
import json
import os
from functools import cached_property
from shlex import quote
from typing import TYPE_CHECKING, Any, Literal, Optional

from ..board._notation import format_shape
from ..errors import OptionError
from ..tables._construction import construct_in_memory
from ..tables._file import TableFile, file_name
from ..tables._folder import Folder
from ..tables._partitions import pattern_name

if TYPE_CHECKING:
    from ._solution import Solution
    from ._solver import Solver

#: Boards of at most so many cells need no tables in a certificate; `check_certificate.py` has the same limit.
_CELLS_WITHOUT_TABLES = 9

_FORMAT: Literal["zero-aware"] = "zero-aware"


class Certifier:
    """Makes the certificates of a solver's solutions.

    Parameters
    ----------
    solver : Solver
        OptionError if it has no zero-aware tables, or counts multi-tile moves: the checker knows neither.
    """

    def __init__(self, solver: Solver) -> None:
        if solver.metric != "stm":
            raise OptionError("metric 'mtm': certificates are for single-tile moves; expected 'stm'")
        if solver.open_tables.format != _FORMAT:
            raise OptionError(
                f"format {solver.open_tables.format!r}: certificates need tables of the format {_FORMAT!r}"
            )
        self._solver = solver

    @property
    def _needs_tables(self) -> bool:
        rows, cols = self._solver.shape
        return rows * cols > _CELLS_WITHOUT_TABLES or not self._solver.open_tables.embedded

    @cached_property
    def _tables(self) -> dict[int, dict[str, Any]]:
        """The entries of the tables, by their goal cells."""
        if not self._needs_tables:
            return {}
        files = {file.cells: file for file in self._solver.open_tables.files}
        shape, home = self._solver.shape, self._solver.engine.orientation.home
        entries: dict[int, dict[str, Any]] = {}
        for parts, _ in self._solver._choice.lookups:
            for cells in parts:
                if cells in entries:
                    continue
                file = files.get(cells)
                digest, name = _of_file(file) if file else _of_memory(shape, cells, home)
                entries[cells] = {
                    "file": name,
                    "sha256": digest,
                    "format": _FORMAT,
                    "cells": [cell for cell in range(cells.bit_length()) if cells >> cell & 1],
                    "home": home,
                }
        return entries

    def build_command(self, tables: Folder = None) -> Optional[str]:
        """Return the command that writes the tables as files; None if they are files already, or none are needed."""
        if not (self._needs_tables and self._solver.open_tables.embedded):
            return None
        home, shape = self._solver.engine.orientation.home, self._solver.shape
        names = "/".join(pattern_name(cells, home) for cells in self._tables)
        folder = "" if tables is None else f" --tables {quote(os.fspath(tables))}"
        return f"puzzle15 build --patterns {names} --shape {format_shape(shape)} --home {home}{folder}"

    def certificate(self, solution: Solution) -> dict[str, Any]:
        """Return the certificate of a solution that `Solver.solve` has proved to be shortest, as plain values."""
        orientation = self._solver.engine.orientation
        numbers = {cells: number for number, cells in enumerate(self._tables)}
        lookups = [
            {
                "tables": [numbers[cells] for cells in parts],
                "cell_to": [symmetry[cell] for cell in orientation.cell_to],
            }
            for parts, symmetry in (self._solver._choice.lookups if numbers else ())
        ]
        return {
            "format": "puzzle15 certificate",
            "version": 1,
            "board": str(solution.board),
            "goal": str(solution.goal),
            "metric": solution.metric,
            "convention": "tile",
            "length": solution.length,
            "moves": solution.moves,
            "tables": list(self._tables.values()),
            "lookups": lookups,
            "iterations": [each._asdict() for each in solution.iterations],
        }

    def line(self, solution: Solution) -> bytes:
        """Return the certificate of a solution as a line of JSON."""
        return json.dumps(self.certificate(solution), separators=(",", ":")).encode() + b"\n"


def _of_file(file: TableFile) -> tuple[str, str]:
    """Return (SHA-256, name) of a table file."""
    payload, _ = file.mapped()
    return _digest(file, payload), file.path.name


def _of_memory(shape: tuple[int, int], cells: int, home: int) -> tuple[str, str]:
    """Return (SHA-256, name) of the file that `puzzle15 build` would write."""
    header, payload = construct_in_memory(shape, cells, home, _FORMAT)
    return _digest(header, payload), file_name(shape, _FORMAT, cells, header.region)


def _digest(file: TableFile, payload: memoryview) -> str:
    digest = hashlib.sha256(file.header())
    digest.update(payload)
    return digest.hexdigest()
