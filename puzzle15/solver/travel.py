"""Solvers in other processes: pickled as a description of their tables, opened there when first used."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ..board import Shape
from ..parallel import ThreadLock
from ..tables import Folder, Partition

__all__ = ["Description", "Traveller", "whole_path"]

_opening = ThreadLock()


class Description(NamedTuple):
    """What another process needs to open the same solver: the names of its tables, not their bytes."""

    goal: int
    shape: Shape
    folder: Optional[str]
    format: str
    embedded: bool
    views: tuple[tuple[Partition, tuple[int, ...]], ...]
    """Of each view the partition, and the symmetry that it is seen through."""
    plain: bool
    build: bool
    check: str


class Traveller:
    """The part of a solver that other processes receive.

    A solver that arrives is unopened: it has its description only.  The first use of anything else opens it.

    Attributes
    ----------
    description : Description
    """

    description: Description

    @classmethod
    def from_description(cls, description: Description) -> Any:
        """Open the tables that a description names."""
        raise NotImplementedError

    @property
    def is_open(self) -> bool:
        """Whether the tables are open; asking does not open them."""
        return not self.__dict__.get("_unopened", False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (type(self), self.description)

    if not TYPE_CHECKING:  # or type checkers would accept every attribute

        def __getattr__(self, name):
            """Open a solver that arrived. Unpickling does not: a pool breaks, or waits for ever, if that raises."""
            if not self.is_open and not name.startswith("__"):
                with _opening:
                    if not self.is_open:
                        opened = type(self).from_description(self.description)
                        self.__dict__.update(opened.__dict__, _unopened=False)
            return object.__getattribute__(self, name)


def _arrived(kind: Any, description: Description) -> Traveller:
    """The solver of a pickle: one object per description and process."""
    with _opening:
        return _unopened(kind, description)


@lru_cache(maxsize=16)
def _unopened(kind: type[Traveller], description: Description) -> Traveller:
    solver = kind.__new__(kind)
    solver.__dict__.update(description=description, _unopened=True)
    return solver


def whole_path(folder: Folder) -> Optional[str]:
    """A folder's path for processes that start in other folders; each expands ``~`` itself."""
    if folder is None:
        return None
    folder = os.fspath(folder)
    return folder if folder.startswith("~") else os.path.abspath(folder)
