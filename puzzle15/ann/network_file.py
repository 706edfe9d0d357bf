"""The files of networks: writing, reading and checking them. `puzzle15.ann` documents the format."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from reprlib import repr as shorten
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from .._core.learning.network import ACTIVATIONS, MAX_LAYERS, MAX_WIDTH, Network
from ..errors import NetworkError
from ..system.arrays import Arrays, ArraysError, open_arrays
from ..system.files import write_atomically

__all__ = ["FARTHEST", "INPUTS", "NetworkFile", "checksum", "read_network", "write_network"]

#: Input 16 t + c is 1 if tile t is on cell c.
INPUTS = 256
#: The largest distance of a board.
FARTHEST = 80

_MOST_BYTES = 1 << 28  # of all arrays: some four times what the widest layers take


class NetworkFile(NamedTuple):
    """What the file of a network holds: its arrays, and their number of values and bytes in the file's own types."""

    network: Network
    meta: dict[str, Any]
    parameters: int
    bytes: int


def checksum(arrays: Mapping[str, NDArray[Any]]) -> str:
    """The checksum of all arrays of a network except ``meta``.

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
    with write_atomically(Path(path)) as file:
        np.savez_compressed(file, **contents)


@lru_cache(maxsize=8)
def read_network(path: Path, changed: int, size: int) -> NetworkFile:
    """Read the network of a file; it is read again when `changed` or `size` is another one."""
    try:
        with open_arrays(path, _MOST_BYTES) as file:
            return _network_of(file)
    except (ArraysError, FileNotFoundError) as error:
        raise NetworkError(f"network {path}: {error}; name another file, or train the network again") from None


def _network_of(file: Arrays) -> NetworkFile:
    meta = _meta_of(file)
    layers, quantized = meta["layers"], meta["kind"] == "quantized"
    expected = {"meta", *(f"{letter}{i}" for letter in "wb" for i in range(len(layers)))}
    if set(file.names) != expected:
        raise ArraysError(
            f"it has the arrays {', '.join(sorted(file.names))}; {len(layers)} layers need "
            f"{', '.join(sorted(expected))}"
        )
    arrays = {}
    for i, layer in enumerate(layers):
        inputs = layers[i - 1]["outputs"] if i else INPUTS
        _require(f"layer {i}: inputs", layer["inputs"], layer["inputs"] == inputs, f"{inputs}")
        types = (("int8", "int16"), ("int8", "int32"))[i] if quantized and i < 2 else ("float16 float32", "float32")
        arrays[f"w{i}"] = file.read(f"w{i}", types[0], (inputs, layer["outputs"]))
        arrays[f"b{i}"] = file.read(f"b{i}", types[1], (layer["outputs"],))
    if layers[-1]["outputs"] != 1:
        raise ArraysError(f"its last layer has {layers[-1]['outputs']} outputs, not 1")
    if checksum(arrays) != meta.get("checksum"):
        raise ArraysError("its weights do not have the checksum that `meta` states")
    plain = {
        name: np.ascontiguousarray(array, dtype=np.float32 if array.dtype.kind == "f" else array.dtype)
        for name, array in arrays.items()
    }
    parameters = [
        (plain[f"w{i}"], plain[f"b{i}"], ACTIVATIONS.index(layer["activation"]) if i or not quantized else -1)
        for i, layer in enumerate(layers)
    ]
    first: Optional[tuple[Any, ...]] = None
    if quantized:
        (w0, b0, _), (w1, b1, activation), *parameters = parameters
        first = w0, b0, layers[0]["shift"], w1, b1, 1 / layers[1]["scale"], activation
    try:
        network = Network(parameters, first)
    except ValueError as error:
        raise ArraysError(f"its weights are out of range ({error})") from None
    return NetworkFile(
        network, meta, sum(array.size for array in plain.values()), sum(array.nbytes for array in arrays.values())
    )


def _meta_of(file: Arrays) -> dict[str, Any]:
    """The description of a network, checked."""
    try:
        meta = json.loads(file.read("meta", "uint8", (None,)).tobytes().decode() if "meta" in file.names else "")
    except (ValueError, RecursionError):
        raise ArraysError("it has no readable `meta`, so it is not a network") from None
    if not isinstance(meta, dict) or meta.get("format") != 1:
        raise ArraysError("it is not a network of format 1")
    kind, target, lowered, layers = (meta.get(name) for name in ("kind", "target", "lowered", "layers"))
    _require("kind", kind, kind in ("float", "quantized"), "float or quantized")
    _require("target", target, target in ("distance", "residual"), "distance or residual")
    _require("lowered", lowered, _is_number(lowered, 0, FARTHEST), f"a number of moves, 0 .. {FARTHEST}")
    least = 2 if kind == "quantized" else 1
    if not isinstance(layers, list) or not least <= len(layers) <= MAX_LAYERS or not all(map(_has_sizes, layers)):
        raise ArraysError(
            f"layers: expected {least} .. {MAX_LAYERS} layers with at most {MAX_WIDTH} inputs and outputs each"
        )
    for i, layer in enumerate(layers):
        allowed = ACTIVATIONS
        if kind == "quantized" and i == 0:
            allowed, shift = ("clipped-relu",), layer.get("shift")
            _require("layer 0: shift", shift, _is_whole(shift, 0, 15), "0 .. 15")
        elif kind == "quantized" and i == 1:
            allowed, scale = ("none", "relu"), layer.get("scale")
            _require("layer 1: scale", scale, _is_number(scale, 1e-3, 1e12), "a number of 0.001 .. 1e12")
        activation = layer.get("activation")
        _require(f"layer {i}: activation", activation, activation in allowed, ", ".join(allowed))
    return meta


def _has_sizes(layer: Any) -> bool:
    sides = ("inputs", "outputs")
    return isinstance(layer, dict) and all(_is_whole(layer.get(side), 1, MAX_WIDTH) for side in sides)


def _require(name: str, value: Any, fits: bool, expected: str) -> None:
    if not fits:
        raise ArraysError(f"{name} {shorten(value)}: expected {expected}")


def _is_number(value: Any, least: float, most: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most


def _is_whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and _is_number(value, least, most)
