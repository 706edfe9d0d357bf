"""Names of algorithms and heuristics, as they are listed."""

from __future__ import annotations

import re


def plain_name(name: str) -> str:
    """A name in lower case, with hyphens for spaces and underscores.

    >>> plain_name(" Linear_Conflict")
    'linear-conflict'
    """
    return re.sub(r"[\s_]+", "-", name.strip().lower())
