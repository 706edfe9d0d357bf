"""Whether a request can resume an earlier run: the two manifests must ask for the same boards."""

from __future__ import annotations

import json
from typing import Any

from .distributions import Distribution

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
        before, now = (column in some for some in names)
        if before != now:
            option = f"--{flag.replace('_', '-')} ({flag}=True)"
            mends.append(f"begun with {option}; add it" if before else f"begun without {option}; leave it out")
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
    said = {"tables", "columns", "along_path", "first_moves"}
    if old["distribution"] == getattr(distribution, "without_checksum", None):
        said.add("distribution")
    differing = [
        f"{name} {json.dumps(old[name])} there, {json.dumps(value)} asked for"
        for name, value in new.items()
        if name not in said and old[name] != value
    ]
    if differing:
        mends.append(f"begun with other settings: {'; '.join(differing)}; ask for the same ones")
    return mends
