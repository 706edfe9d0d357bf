"""The names of heuristics, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Optional

from .._core.search.evaluator import KINDS
from ..system.names import plain_name

__all__ = ["ANN", "NAMES", "TABLES", "family", "joined", "names_in", "network_in", "split_name", "tables_in"]

#: The heuristics that need neither tables nor a network.
NAMES = ("zero", *KINDS)
#: The families whose names have further parts after a colon.
TABLES, ANN = "tables", "ann"


def joined(names: Sequence[str]) -> str:
    """The name of the maximum of several heuristics."""
    return names[0] if len(names) == 1 else f"max({','.join(names)})"


def names_in(name: object) -> list[str]:
    """The names that a name, or several, consist of, each once; ValueError if it is something else."""
    return list(dict.fromkeys(_parse(name)))


def split_name(name: str) -> list[str]:
    """The names in ``max(a,b,..)``; a single name alone.

    >>> split_name("max(manhattan, tables:1,2/3-8, own.py:mine)")
    ['manhattan', 'tables:1,2/3-8', 'own.py:mine']
    """
    several = re.fullmatch(r"\s*max\s*\((.*)\)\s*", name, flags=re.IGNORECASE)
    # the tiles of a partition are separated by commas, too, but no name begins with a digit
    return [part.strip() for part in re.split(r",(?=\s*\D)", several[1])] if several else [name]


def _parse(name: object) -> list[str]:
    if isinstance(name, Sequence) and not isinstance(name, str) and name:
        return [single for part in name for single in _parse(part)]
    if not isinstance(name, str):
        raise ValueError(
            f"heuristic {name!r}: expected one or several names, such as 'manhattan' or ['zero', 'tables'], or a "
            f"function"
        )
    several = split_name(name)
    if several != [name]:
        return _parse(several)
    family, colon, rest = name.strip().partition(":")
    family = plain_name(family)
    if family in NAMES and not colon:
        return [family]
    if family in (TABLES, ANN):
        return [family + colon + rest]
    from difflib import get_close_matches

    close = get_close_matches(family, [*NAMES, TABLES, ANN], n=1)
    guess = f"did you mean {close[0]!r}? " if close else ""
    raise ValueError(
        f"heuristic {name!r}: {guess}expected one of {', '.join(NAMES)}, tables, "
        f"tables:PARTITION[:FORMAT], ann[:NETWORK[:LOWERED]] or max(a,b,..)"
    )


def family(name: str) -> str:
    """The part of a name before the first colon."""
    return name.partition(":")[0]


def network_in(name: str) -> tuple[Optional[str], Optional[float]]:
    """The network (a name or a path) and the lowering that a name has; None where it has none."""
    _, colon, network = name.partition(":")
    path, more, lowered = network.rpartition(":")
    moves: Optional[float] = None
    if more:
        with suppress(ValueError):  # a path may have colons
            network, moves = path, float(lowered)
    if colon and not network:
        raise ValueError(f"heuristic {name!r}: expected ann, ann:NETWORK or ann:NETWORK:LOWERED")
    return network or None, moves


def tables_in(name: str) -> tuple[Optional[str], Optional[str]]:
    """The partition and the format that a name has; None where it has none."""
    partition, _, format = name[len(TABLES) + 1 :].partition(":")
    if name.endswith(":"):
        raise ValueError(f"heuristic {name!r}: expected tables, tables:PARTITION or tables:PARTITION:FORMAT")
    return partition or None, format or None
