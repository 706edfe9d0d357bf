"""A heuristic of one's own that was found by reference: each of its exceptions is told as a usage error."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from ..board import Board
from ..errors import HeuristicError
from ..heuristics import HeuristicFunction
from .console import UsageError

__all__ = ["Referred", "failure_of"]


class Referred(HeuristicFunction):
    """A function by reference: what it raises is a usage error that names it. So is `sys.exit`, or it would end us."""

    def _called(self, boards: Any, goal: Any) -> Any:
        try:
            return super()._called(boards, goal)
        except SystemExit as error:
            raise failure_of(self.name, error) from error

    def toward(self, goal: Board) -> Callable[[bytes], bytes]:
        values = super().toward(goal)

        def guarded(tiles: bytes) -> bytes:
            try:
                return values(tiles)
            except (HeuristicError, UsageError):  # which name it, too
                raise
            except Exception as error:
                raise failure_of(self.name, error) from error

        return guarded


def failure_of(name: str, error: BaseException) -> UsageError:
    """What an exception in somebody's module is told as."""
    places = [entry for entry in traceback.extract_tb(error.__traceback__) if "importlib" not in entry.filename]
    place = f" ({places[-1].filename}, line {places[-1].lineno})" if places[1:] else ""
    notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
    return UsageError(f"heuristic {name}: {type(error).__name__}: {' '.join(f'{error}{place}{notes}'.split())}")
