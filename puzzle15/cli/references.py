"""Heuristics of one's own in the shell, by reference: ``path/to/file.py:NAME`` or ``package.module:NAME``."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Optional

from .. import heuristics
from ..board import Board
from ..errors import HeuristicError
from ..searches import algorithm_of
from ..system.names import plain_name
from .console import UsageError, say


def read_heuristic(text: str) -> heuristics.HeuristicLike:
    """The heuristic that a command was given: its name, or functions that it refers to."""
    parts = [_part(part) for part in heuristics.split_name(text)]
    return text if all(isinstance(part, str) for part in parts) else parts


def hint_at_batches(algorithm: str, heuristic: heuristics.HeuristicLike, batch: Optional[int]) -> None:
    """Say that a search calls functions for a few boards at a time, if it does."""
    if isinstance(heuristic, (str, heuristics.TableSum)) or callable(heuristic):
        return
    functions = [part for part in heuristic if isinstance(part, heuristics.HeuristicFunction)]
    kind = algorithm_of(algorithm)
    if kind.layered:
        return
    if "batch" not in kind.options:
        say(f"{kind.name} calls the heuristic for the children of one node at a time, which is slow; a* takes --batch")
    elif batch is None and max(function.batch for function in functions) == 1:
        say(f"{kind.name} calls the heuristic for the children of one node at a time; --batch 64 is faster")


def _part(name: str) -> Any:
    """The function that a name refers to, or the name of one of the package's own heuristics."""
    where, colon, what = name.strip().rpartition(":")
    is_file = where.endswith(".py")
    own = (*heuristics.NAMES, "tables", "ann")
    is_module = re.fullmatch(r"[^\W\d]\w*(\.\w+)*", where) and plain_name(where) not in own
    if not (is_file or is_module) or not what.isidentifier():
        return name
    module = _imported(name, where, is_file)
    if not callable(getattr(module, what, None)):
        names = [each for each, value in vars(module).items() if callable(value) and not each.startswith("_")]
        raise UsageError(f"heuristic {name}: {where} has no function {what}; it has {', '.join(names) or 'none'}")
    return _referred(name, getattr(module, what))


def _referred(name: str, function: Any) -> heuristics.HeuristicFunction:
    """A function as a heuristic. Its exceptions, `SystemExit` among them, become usage errors that name it."""

    class Referred(heuristics.HeuristicFunction):  # made here, because its base needs numpy, and most commands do not
        def toward(self, goal: Board) -> Callable[[bytes], bytes]:
            values = super().toward(goal)

            def guarded(tiles: bytes) -> bytes:
                try:
                    return values(tiles)
                except (HeuristicError, UsageError):  # which name it, too
                    raise
                except (Exception, SystemExit) as error:
                    raise _failure(self.name, error) from error

            return guarded

    own = heuristics.HeuristicFunction.of(function)
    return Referred(own.function, **{**own.claims, "name": name})


def _imported(name: str, where: str, is_file: bool) -> ModuleType:
    """The module of a reference. It may import what lies beside it."""
    folder = os.path.dirname(os.path.abspath(where)) if is_file else os.getcwd()
    if folder not in sys.path:
        sys.path.append(folder)
    from importlib.util import module_from_spec, spec_from_file_location

    try:
        if not is_file:
            return import_module(where)
        spec = spec_from_file_location(f"heuristic_{os.path.basename(where)[:-3]}", where)
        assert spec is not None and spec.loader is not None
        module = sys.modules[spec.name] = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    except (Exception, SystemExit) as error:
        raise _failure(name, error) from error


def _failure(name: str, error: BaseException) -> UsageError:
    """The usage error for an exception in the user's module."""
    import traceback

    places = [entry for entry in traceback.extract_tb(error.__traceback__) if "importlib" not in entry.filename]
    place = f" ({places[-1].filename}, line {places[-1].lineno})" if places[1:] else ""
    notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
    return UsageError(f"heuristic {name}: {type(error).__name__}: {' '.join(f'{error}{place}{notes}'.split())}")
