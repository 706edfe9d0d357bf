"""Many solutions as columns: lists for pandas, or a structured array of numpy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..system.later import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["columns_of", "structured"]

#: The fields of a structured array: the type of each, U for text of any length, and what stands for None.
_FIELDS: dict[str, tuple[str, Any]] = {
    "board": ("U", ""),
    "goal": ("U", ""),
    "length": ("i2", -1),
    "moves": ("U", ""),
    "convention": ("U", ""),
    "metric": ("U", ""),
    "optimal": ("?", False),
    "lower_bound": ("i2", 0),
    "expanded": ("u8", 0),
    "generated": ("u8", 0),
    "seconds": ("f8", 0.0),
    "status": ("U", ""),
    "error": ("U", ""),
    "algorithm": ("U", ""),
    "heuristic": ("U", ""),
    "max_length": ("i2", -1),
    "largest_open": ("u8", 0),
    "largest_closed": ("u8", 0),
    "memory_bytes": ("u8", 0),
}


def columns_of(records: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Records with the same fields as lists of equal lengths, one per field.

    Examples
    --------
    >>> columns_of([{"board": "0 1/3 2", "length": 2}, {"board": "1 2/3 0", "length": 0}])
    {'board': ['0 1/3 2', '1 2/3 0'], 'length': [2, 0]}
    """
    columns: dict[str, list[Any]] = {}
    for record in records:
        for name, value in record.items():
            columns.setdefault(name, []).append(value)
    return columns


def structured(columns: Mapping[str, Sequence[Any]]) -> NDArray[Any]:
    """Columns of solutions as one structured array, with a field for each column of single values.

    Where there is no value, a length is -1, another number 0, and a text is empty.

    Examples
    --------
    >>> rows = structured({"board": ["0 1/3 2", "2 1/3 0"], "length": [2, None]})
    >>> rows["length"].tolist(), rows[0].item()
    ([2, -1], ('0 1/3 2', 2))
    """
    arrays = {}
    for name, (kind, missing) in _FIELDS.items():
        if name in columns:
            values = [missing if value is None else value for value in columns[name]]
            arrays[name] = np.array(values, dtype=kind)  # a text field gets as long as its longest text
    count = len(next(iter(arrays.values()), ()))
    rows = np.empty(count, dtype=[(name, array.dtype) for name, array in arrays.items()])
    for name, array in arrays.items():
        rows[name] = array
    return rows
