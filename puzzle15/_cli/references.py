"""Algorithms and heuristics by name: lists of them, and those of one's own, by reference.

A reference is ``path/to/file.py:NAME`` or ``package.module:NAME``.
"""

from __future__ import annotations

import argparse
import os
import re
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Optional

from .. import searches
from .._system.quantities import plain_name
from .._system.sendable import add_to_path, import_file
from ..heuristics._names import FORMS, NAMES, split_name
from ..searches._algorithms import EXAMPLES
from .console import OK, UsageError, columns, described, say, write_line
from .options import ALGORITHM, FUNCTION, RECORDS

if TYPE_CHECKING:
    from ..heuristics import HeuristicLike

ALGORITHMS = f"""
[algorithms=ALGORITHM..]    describe this one in full: {ALGORITHM}; or {FUNCTION}; without ALGORITHM, all of the
    package are listed
{RECORDS}

Solutions are shortest ones: always, if h is admissible (never exceeds the distance) or also consistent (changes by at
most one per move), or not always. Algorithms that remember one path need no memory to speak of.

examples:
  puzzle15 algorithms
  puzzle15 algorithms arastar
  puzzle15 algorithms --csv
"""


def algorithms(args: argparse.Namespace) -> int:
    chosen = args.algorithms or [*searches.ALGORITHMS.values(), *map(searches.algorithm_of, EXAMPLES)]
    if args.records:
        args.records.write(map(_record, chosen))
        return OK
    for record in map(_record, chosen):
        title = ": ".join(filter(None, (record["name"], record["summary"])))
        options = [f"--{name.replace('_', '-')}" for name in record["options"]]
        shortest = "; ".join(filter(None, (record["shortest"], record["remark"])))
        if not args.algorithms:
            facts = [f"shortest: {shortest}", f"remembers {record['remembers']}", *filter(None, [" ".join(options)])]
            _write(title, "; ".join(facts))
            continue
        defaults = ["" if value is None else f" {value}" for value in record["options"].values()]
        _write(title)
        for name, fact in {
            "other names": ", ".join(record["other_names"]) or "none",
            "solutions are shortest": shortest,
            "heuristic": "yes" if record["heuristic"] else "no",
            "remembers": record["remembers"],
            "options": ", ".join(map(str.__add__, options, defaults)) or "none",
        }.items():
            _write(f"  {name + ':':24}{fact}")
    return OK


def _record(algorithm: searches.Algorithm) -> dict[str, Any]:
    """Return what is known of an algorithm."""
    named = [algorithm.name.replace("*", "star")] * ("*" in algorithm.name)
    return {
        "name": algorithm.name,
        "other_names": [*named, *algorithm.short],
        "summary": algorithm.summary,
        "heuristic": algorithm.informed,
        "shortest": algorithm.shortest,
        "remark": algorithm.remark,
        "remembers": algorithm.memory,
        "options": {name: value for name, value in algorithm.options.items() if not name.startswith("on_")},
    }


HEURISTICS = f"""
{RECORDS}

Where a heuristic is expected, write such a name, or {FUNCTION}, alone or in max(..).

examples:
  puzzle15 heuristics
  puzzle15 solve --algorithm astar --heuristic linear-conflict 867254301
"""


def heuristics(args: argparse.Namespace) -> int:
    plain = {form: re.sub(r"\[(.*?)\]\(.*?\)|`", r"\1", what) for form, what in FORMS.items()}  # without Markdown
    if args.records:
        args.records.write({"name": form, "summary": what} for form, what in plain.items())
        return OK
    for form, what in plain.items():
        _write(f"{form}: {what}")
    return OK


def _write(*paragraphs: str) -> None:
    """Write text in lines as wide as the terminal, all but the first of them indented."""
    import textwrap  # which no other command needs, but for help

    lines = textwrap.TextWrapper(max(columns() - 1, 20), subsequent_indent="    ", break_on_hyphens=False)
    for text in paragraphs:
        write_line(lines.fill(text))
        lines.initial_indent = lines.subsequent_indent


def read_heuristic(text: str, *, quiet: bool) -> HeuristicLike:
    """Return the heuristic that a command was given: a name, or functions; `quiet` drops their warnings."""
    parts = [_part(part, quiet) for part in split_name(text)]
    return text if all(isinstance(part, str) for part in parts) else parts


def read_algorithm(text: str) -> searches.Algorithm:
    """Return the algorithm that a command was given: its name, or a function, which is registered if it is not yet."""
    function = _referred("algorithm", text)
    if function is None:
        return searches.algorithm_of(text)
    from ..searches._registering import REGISTERED  # it imports numpy

    name = getattr(function, REGISTERED, None)
    if name not in {**searches.ALGORITHMS, **EXAMPLES}:
        name = text  # also of what cannot be marked as registered, such as a function in C
        searches.register(name=name)(function)
    return searches.algorithm_of(name)


TYPES = {"ALGORITHM": read_algorithm}


def _part(name: str, quiet: bool) -> Any:
    """Return the function that a name refers to, or the name of one of the package's own heuristics."""
    function = _referred("heuristic", name)
    if function is None:
        return name
    # in one line, as errors are
    warnings.showwarning = lambda message, *where: None if quiet else say(f"warning: {message}")
    from ..heuristics import HeuristicFunction  # it imports numpy

    found = HeuristicFunction.of(function)
    return HeuristicFunction(found.function, **{**found.claims, "name": name})


def _referred(kind: str, name: str) -> Optional[Callable[..., Any]]:
    """Return the function that a name refers to; None if it is not a reference."""
    where, _, what = name.strip().rpartition(":")
    is_file = where.endswith(".py")
    own = (*NAMES, "tables", "ann")
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
