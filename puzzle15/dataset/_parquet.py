"""Parquet files of labels, which pandas, polars, DuckDB and Hugging Face's datasets read; they need pyarrow.

Each column of labels is one column of the file, under its own name: `board` and `table_values` are fixed-size lists of
uint8; `solution` is binary, since its bytes hold four moves each; the others are uint8 or uint32. Rows lie in groups of
65,536, compressed with zstd, with a checksum per page. The schema describes the labels as the manifest does, as JSON
under the key ``puzzle15``. No value is missing, so the columns are not nullable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .._system.arrays import ArraysError
from ._rows import Rows, Types, regrouped

#: Rows of a group, which are in memory together.
GROUP = 1 << 16

_BINARY = {"solution"}  # columns that are bytes and no numbers


def import_pyarrow() -> tuple[Any, Any]:
    """Return ``pyarrow`` and ``pyarrow.parquet``; ImportError explains how to install them."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("parquet files need pyarrow: pip install pyarrow") from error
    return pyarrow, parquet


def _type(arrow: Any, name: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Any:
    """Return the type of a column in the file."""
    if name in _BINARY:
        return arrow.binary()
    value = arrow.from_numpy_dtype(dtype)
    return arrow.list_(arrow.field("element", value, nullable=False), *shape) if shape else value


def write_parquet(file: BinaryIO, types: Types, pieces: Iterable[Rows], about: Mapping[str, Any]) -> None:
    """Write pieces of rows, and `about` into the schema.

    The bytes depend only on the rows, `about`, and the version of pyarrow.
    """
    arrow, parquet = import_pyarrow()
    fields = [arrow.field(name, _type(arrow, name, *types[name]), nullable=False) for name in types]
    schema = arrow.schema(fields, metadata={b"puzzle15": json.dumps(about)})
    options = {
        "compression": "zstd",
        # Four bits per tile, before compression. The values of a list are a column of their own.
        "use_dictionary": [
            f"{name}.list.element" if shape else name for name, (_, shape) in types.items() if name not in _BINARY
        ],
        "write_page_checksum": True,
    }
    with parquet.ParquetWriter(file, schema, **options) as writer:
        for rows in regrouped(pieces, GROUP):
            arrays = [_to_arrow(arrow, rows[field.name], field.type) for field in fields]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema), row_group_size=GROUP)


def _to_arrow(arrow: Any, rows: NDArray[Any], kind: Any) -> Any:
    """Return the rows of a column as an array of Arrow."""
    flat = np.ascontiguousarray(rows).reshape(-1)
    if kind == arrow.binary():
        width = arrow.binary(rows.shape[1])
        return arrow.Array.from_buffers(width, len(rows), [None, arrow.py_buffer(flat)]).cast(kind)
    values = arrow.array(flat)
    return values if rows.ndim == 1 else arrow.FixedSizeListArray.from_arrays(values, type=kind)


def read_columns(path: Path, types: Types, count: int) -> Rows:
    """Return some columns of a file of `count` rows; ArraysError if they are not in it, or damaged."""
    arrow, parquet = import_pyarrow()
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            if file.metadata.num_rows != count:
                raise ArraysError(f"it has {file.metadata.num_rows:,} rows, not {count:,}")
            result = {}
            for name, (dtype, shape) in types.items():
                if name not in file.schema_arrow.names:
                    raise ArraysError(f"it has no column {name}")
                column, expected = file.read([name]).column(0), _type(arrow, name, dtype, shape)
                if column.type != expected:
                    raise ArraysError(f"column {name} is {column.type}, not {expected}")
                result[name] = np.concatenate([_to_numpy(arrow, chunk, dtype, shape) for chunk in column.chunks])
                if len(result[name]) != count:
                    raise ArraysError(f"column {name} has {len(result[name]):,} rows, not {count:,}")
            return result
    except FileNotFoundError:
        raise
    except (OSError, ValueError, arrow.ArrowException) as error:
        what = " ".join(str(error).split()) or type(error).__name__
        raise ArraysError(f"it is not a parquet file, or its bytes have changed ({what})") from None


def _to_numpy(arrow: Any, array: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return an array of Arrow as rows of numpy; an error if a value is missing, or has another length."""
    if array.null_count:
        raise ArraysError("it has rows without a value")
    if array.type == arrow.binary():
        fixed = array.cast(arrow.binary(shape[0]))
        begin = fixed.offset * shape[0]
        return np.frombuffer(fixed.buffers()[1], dtype)[begin : begin + len(fixed) * shape[0]].reshape(-1, *shape)
    values: NDArray[Any] = (array.flatten() if shape else array).to_numpy()
    return values.reshape(len(array), *shape)
