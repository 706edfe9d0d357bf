"""Whether a request can resume an earlier run: the two manifests must ask for the same boards."""

from __future__ import annotations

import json
from typing import Any

from .distributions import Distribution
from .manifest import format_of

__all__ = ["request_differences"]

#: Optional labels, and the column that shows whether a data set has them.
_FLAGS = {"first_moves": "first_moves", "table_values": "table_values", "along_path": "start"}


def request_differences(old: dict[str, Any], new: dict[str, Any], distribution: Distribution) -> list[str]:
    """The differences between an earlier request and a new one, each with what mends it.

    Parameters
    ----------
    old, new : dict
        Manifests.
    distribution : distribution
        That of the new request.

    Returns
    -------
    list of str
        Empty if the new request can resume the earlier one.
    """
    mends = []
    names = [{column["name"] for column in manifest["columns"]} for manifest in (old, new)]
    for flag, column in _FLAGS.items():
        had, asked_for = (column in some for some in names)
        if had != asked_for:
            option = f"--{flag.replace('_', '-')} ({flag}=True)"
            mends.append(f"begun with {option}; add it" if had else f"begun without {option}; leave it out")
    before, now = format_of(old), format_of(new)
    if before != now:
        mends.append(f"begun as {before} files, not as {now} files; ask for these (--file-format {before})")
    if old["tables"] != new["tables"]:
        there, asked = (
            f"{' + '.join(tables['partitions'])} {tables['format']}{'' if tables['files'] else ', embedded'}"
            for tables in (old["tables"], new["tables"])
        )
        mends.append(
            f"begun with the tables {there}, not with {asked}; name them (--partition)"
            if there != asked
            else f"begun with other files of the tables {there}; put them there again"
        )
    # Not compared: fields that were compared above, and fields that older versions did not write.
    said = {"tables", "columns", "along_path", "first_moves", "format", "format_version"}
    differing = [
        f"{name} {json.dumps(old[name])} there, {json.dumps(value)} asked for"
        for name, value in new.items()
        if name not in said and old[name] != value
    ]
    if differing:
        mends.append(f"begun with other settings: {'; '.join(differing)}; ask for the same ones")
    return mends
