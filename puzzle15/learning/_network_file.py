"""The files of networks: writing, reading and checking them.

The file of a network is an ``.npz`` file without pickles:

======== =================================================================================================
array    content
======== =================================================================================================
``meta`` uint8, a JSON object in UTF-8: ``format`` 1, ``kind`` (``float`` or ``quantized``), ``target``
         (with ``distance``, the output is the prediction in moves; with ``residual``, the prediction is the
         Manhattan distance + 2 outputs), ``lowered`` (the default for the moves by which predictions are lowered
         before they are rounded), ``layers`` (a list of ``inputs``, ``outputs``, ``activation``), ``checksum``,
         and how the network was trained
``w0``.. weights (inputs, outputs): in ``float`` networks float16, float32, or int8 with scales; used as float32.
         Input 16 * tile + cell is 1 if the tile (0: the blank) is on the cell. Batch normalisation is folded in.
``b0``.. biases (outputs,): float32
``s0``.. beside int8 weights of float layers, their scales (outputs,): float32; a weight is ``w * s``
======== =================================================================================================

The activations of float layers are ``none``, ``relu`` and ``elu``. The first two layers of ``quantized`` networks are
integers. The first has w0 int8, b0 int16, and the activation ``clipped-relu`` with a ``shift``:
``x = clip((b0 + sum of 16 rows of w0) >> shift, 0, 127)``. The second has w1 int8, b1 int32, and the activation
``relu`` or ``none`` with a ``scale``: ``y = relu((b1 + x @ w1) / scale)``. No weight is -128.

The checksum is the SHA-256, in hex, of all arrays except ``meta``, in the order of their names. Each array contributes
its name and its bytes, in little-endian order.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core.learning.network import ACTIVATIONS, Network
from .._system.arrays import Arrays, ArraysError, open_arrays
from .._system.files import write_output
from .._system.quantities import whole
from ..errors import NetworkError, OptionError

#: Input 16 t + c is 1 if tile t is on cell c.
INPUTS = 256
#: The largest distance of a board.
FARTHEST = 80

_KINDS, _TARGETS = ("float", "quantized"), ("distance", "residual")
_MOST_BYTES = 1 << 28  # of all arrays: some four times what the widest layers take


#: A network, its description, and its number of values and of bytes in the file's own types.
Read = tuple[Network, dict[str, Any], int, int]


def checksum(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the checksum of all arrays of a network except ``meta``.

    >>> checksum({"b0": np.zeros(1, np.float32)})[:16]
    'f6432f727b87144a'
    """
    digest = hashlib.sha256()
    for name in sorted(arrays):
        if name != "meta":
            array = np.ascontiguousarray(arrays[name])
            digest.update(name.encode() + array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes())
    return digest.hexdigest()


def write_network(path: os.PathLike[str], arrays: dict[str, NDArray[Any]], *, meta: dict[str, Any]) -> None:
    """Write the file of a network; the checksum of the arrays is added to `meta`."""
    text = json.dumps({**meta, "checksum": checksum(arrays)}, allow_nan=False)
    contents: dict[str, Any] = {"meta": np.frombuffer(text.encode(), dtype=np.uint8), **arrays}
    with write_output(Path(path)) as file:
        np.savez_compressed(file, **contents)


@lru_cache(maxsize=8)
def read_network(path: Path, changed: int, size: int) -> Read:
    """Read the network of a file; it is read again when `changed` or `size` is another one."""
    try:
        with open_arrays(path, _MOST_BYTES) as file:
            return _network_of(file)
    except (ArraysError, FileNotFoundError) as error:
        raise NetworkError(f"network {path}: {error}; name another file, or train the network again") from None


def _network_of(file: Arrays) -> Read:
    try:
        meta = json.loads(file.read("meta", "uint8", (None,)).tobytes())
        layers, quantized = meta["layers"], meta["kind"] == "quantized"
        if meta["format"] != 1 or meta["kind"] not in _KINDS or meta["target"] not in _TARGETS:
            raise OptionError("expected format 1, and a kind and a target of it")
        if not 0 <= meta["lowered"] <= FARTHEST:
            raise OptionError(f"lowered {meta['lowered']}: expected a number of moves, 0 .. {FARTHEST}")
        arrays = {}
        for i, layer in enumerate(layers):
            is_float, shape = (
                not quantized or i > 1,
                tuple(whole(side, layer[side], 1) for side in ("inputs", "outputs")),
            )
            arrays[f"w{i}"] = file.read(f"w{i}", "int8 float16 float32" if is_float else "int8", shape)
            arrays[f"b{i}"] = file.read(f"b{i}", "float32" if is_float else ("int16", "int32")[i], shape[1:])
            if is_float and arrays[f"w{i}"].dtype == np.int8:
                arrays[f"s{i}"] = file.read(f"s{i}", "float32", shape[1:])
        if meta["checksum"] != checksum(arrays) or {"meta", *arrays} != set(file.names):
            raise OptionError("its arrays do not have the checksum that `meta` states")
        network = _network(layers, arrays, quantized)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise ArraysError(f"it holds no network ({type(error).__name__}: {error})") from None
    parameters = sum(array.size for name, array in arrays.items() if name[0] != "s")
    return network, meta, parameters, sum(array.nbytes for array in arrays.values())


def _network(layers: list[dict[str, Any]], arrays: dict[str, NDArray[Any]], quantized: bool) -> Network:
    """Return the network of a file's arrays; ValueError if the core cannot use them."""
    plain = {
        name: np.ascontiguousarray(array, dtype=np.float32 if array.dtype.kind == "f" else array.dtype)
        for name, array in arrays.items()
    }
    for i in range(len(layers)):
        if f"s{i}" in plain:
            plain[f"w{i}"] = plain[f"w{i}"] * plain[f"s{i}"]
    parameters = [
        (plain[f"w{i}"], plain[f"b{i}"], ACTIVATIONS.index(layer["activation"]) if i or not quantized else -1)
        for i, layer in enumerate(layers)
    ]
    if not quantized:
        return Network(parameters)
    (w0, b0, _), (w1, b1, activation), *rest = parameters
    return Network(rest, (w0, b0, layers[0]["shift"], w1, b1, 1 / layers[1]["scale"], activation))
