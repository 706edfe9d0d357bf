"""The names of heuristics, what they count, and how they are read."""

from __future__ import annotations

import re
from contextlib import suppress
from reprlib import repr as shorten
from typing import Any, Optional

from .._core.kinds import KINDS
from .._system.quantities import plain_name
from ..errors import OptionError

#: The families of names that have further parts.
TABLES, ANN, SUM = "tables", "ann", "sum"

#: The heuristics that need neither tables nor a network.
NAMES = ("zero", *KINDS)

#: The forms of names, and what each counts. The README, the help of the shell and errors read them.
FORMS = {
    "zero": "nothing; `a*` then searches breadth-first",
    **KINDS,
    "tables": "pattern tables, also called `pdb`: the best that are installed",
    "tables:PARTITION[:FORMAT]": "these pattern tables, as in `tables:7-8`, `tables:6-6-3:classic`, `tables:embedded`",
    "sum(tables:PATTERN[:FORMAT],..)": "the sum of tables of patterns, which need not have all tiles, as in "
    "`sum(tables:1-4,tables:5-8)`",
    "ann[:NETWORK[:LOWERED]]": "the prediction of a [neural network](../learning/README.md), as in `ann:paper`, "
    "`ann:best:2`, `ann:FILE.npz`",
    "max(a,b,..)": "the largest of several",
}


def split_name(name: str) -> list[str]:
    """Return the names in ``max(a,b,..)``; a single name alone.

    >>> split_name("max(manhattan, tables:1,2/3-8, own.py:mine)")
    ['manhattan', 'tables:1,2/3-8', 'own.py:mine']
    """
    inside = _inside("max", name)
    return [name] if inside is None else listed_names(inside)


def listed_names(text: str) -> list[str]:
    """Return the names between commas, except commas in parentheses and between the tiles of a pattern.

    >>> listed_names("max(zero, manhattan), sum(tables:1,2,5/6, tables:3), ann")
    ['max(zero, manhattan)', 'sum(tables:1,2,5/6, tables:3)', 'ann']
    """
    names, depth, begin = [], 0, 0
    # the tiles of a pattern are separated by commas, too, but no name begins with a digit
    for mark in re.finditer(r"[()]|,(?=\s*[^\d\s])", text):
        depth += (mark[0] == "(") - (mark[0] == ")")
        if mark[0] == "," and depth == 0:
            names.append(text[begin : mark.start()])
            begin = mark.end()
    return [name.strip() for name in (*names, text[begin:])]


def _inside(function: str, name: str) -> Optional[str]:
    """Return what stands between the parentheses of ``function(..)``; None if the name is something else."""
    found = re.fullmatch(rf"\s*{function}\s*\((.*)\)\s*", name, flags=re.IGNORECASE)
    return found[1] if found else None


def names_in(name: object) -> list[str]:
    """Return the names that a name consists of; ValueError if it is something else."""
    if not isinstance(name, str):
        raise OptionError(
            f"heuristic {name!r}: expected one or several names, such as 'manhattan' or ['zero', 'tables'], or a "
            f"function"
        )
    several = split_name(name)
    if several != [name]:
        return [single for part in several for single in names_in(part)]
    if (added := _inside(SUM, name)) is not None:
        return [f"{SUM}({','.join(_part(part, name) for part in listed_names(added))})"]
    kind, colon, rest = name.strip().partition(":")
    kind = plain_name(kind)
    kind = TABLES if kind in ("pdb", "pattern-database") else kind
    if (kind in NAMES and not colon) or kind in (TABLES, ANN):
        return [kind + colon + rest]
    from difflib import get_close_matches

    close = get_close_matches(kind, [*NAMES, TABLES, ANN], n=1)
    guess = f"did you mean {close[0]!r}? " if close else ""
    *most, last = FORMS
    raise OptionError(f"heuristic {shorten(name)}: {guess}expected one of {', '.join(most)} or {last}")


def _part(part: str, whole: str) -> str:
    """Return a part of a sum: ``tables:PATTERN`` or ``tables:PATTERN:FORMAT``."""
    kind, _, rest = part.partition(":")
    if plain_name(kind) != TABLES or not rest.strip() or rest.endswith(":"):
        raise OptionError(
            f"heuristic {whole!r}: {part!r} cannot be added to others; expected tables of patterns, as in "
            f"sum(tables:1-4,tables:5-8); use max(..) for other heuristics"
        )
    return f"{TABLES}:{rest}"


def network_in(name: str) -> tuple[Optional[str], Optional[float]]:
    """Return the network (a name or a path) and the lowering that a name has; None where it has none."""
    _, colon, network = name.partition(":")
    path, more, lowered = network.rpartition(":")
    moves: Optional[float] = None
    if more:
        with suppress(ValueError):  # a path may have colons
            network, moves = path, float(lowered)
    if colon and not network:
        raise OptionError(f"heuristic {name!r}: expected ann, ann:NETWORK or ann:NETWORK:LOWERED")
    return network or None, moves


def tables_in(name: str) -> tuple[Optional[str], Any]:
    """Return the partition and the format that a name has; None where it has none."""
    partition, _, format = name[len(TABLES) + 1 :].partition(":")
    if name.endswith(":"):
        raise OptionError(f"heuristic {name!r}: expected tables, tables:PARTITION or tables:PARTITION:FORMAT")
    return partition or None, format or None
