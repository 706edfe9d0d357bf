"""numpy as ``np``, imported when one of its names is first asked for: that takes longer than to solve a board.

Modules that every process needs take `np` from here, and what only annotations name from numpy under ``TYPE_CHECKING``.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["np"]


class _Later(ModuleType):
    """A module that is imported when it is first used; a name that was asked for once costs no more than there."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import numpy as np
else:
    np = _Later("numpy")
