"""Heuristics and algorithms of one's own, by reference: ``path/to/file.py:NAME`` or ``package.module:NAME``."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any, Optional

from .. import heuristics, searches
from .._system.quantities import plain_name
from .._system.sendable import add_to_path, import_file
from ..heuristics._names import split_name
from .console import UsageError, described, say


def read_heuristic(text: str, *, quiet: bool) -> heuristics.HeuristicLike:
    """Return the heuristic that a command was given: a name, or functions; `quiet` drops their warnings."""
    parts = [_part(part, quiet) for part in split_name(text)]
    return text if all(isinstance(part, str) for part in parts) else parts


def read_algorithm(text: str) -> searches.Algorithm:
    """Return the algorithm that a command was given: its name, or a function, which is registered if it is not yet."""
    function = _referred("algorithm", text)
    if function is None:
        return searches.algorithm_of(text)
    from ..searches._algorithms import EXAMPLES
    from ..searches._registering import REGISTERED  # it imports numpy

    if getattr(function, REGISTERED, None) not in {**searches.ALGORITHMS, **EXAMPLES}:
        searches.register(name=text)(function)
    return searches.algorithm_of(getattr(function, REGISTERED))


def _part(name: str, quiet: bool) -> Any:
    """Return the function that a name refers to, or the name of one of the package's own heuristics."""
    function = _referred("heuristic", name)
    if function is None:
        return name
    # in one line, as errors are
    warnings.showwarning = lambda message, *where: None if quiet else say(f"warning: {message}")
    found = heuristics.HeuristicFunction.of(function)
    return heuristics.HeuristicFunction(found.function, **{**found.claims, "name": name})


def _referred(kind: str, name: str) -> Optional[Callable[..., Any]]:
    """Return the function that a name refers to; None if it is not a reference."""
    where, _, what = name.strip().rpartition(":")
    is_file = where.endswith(".py")
    own = (*heuristics.NAMES, "tables", "ann")
    is_module = re.fullmatch(r"[^\W\d]\w*(\.\w+)*", where) and plain_name(where) not in own
    if not (is_file or is_module) or not what.isidentifier():
        return None
    try:
        if not is_file:
            add_to_path(os.getcwd())
        module = import_file(where) if is_file else import_module(where)
    except (Exception, SystemExit) as error:
        raise UsageError(f"{kind} {name}: {described(error)}") from error
    function = getattr(module, what, None)
    if not callable(function):
        names = [each for each, value in vars(module).items() if callable(value) and not each.startswith("_")]
        raise UsageError(f"{kind} {name}: {where} has no function {what}; it has {', '.join(names) or 'none'}")
    found: Callable[..., Any] = function
    return found
