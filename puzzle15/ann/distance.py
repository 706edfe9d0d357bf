"""Networks: their files, and the distance that one predicts."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from reprlib import repr as shorten
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .._core.base import board as _board
from .._core.learning.network import ACTIVATIONS, MAX_LAYERS, MAX_WIDTH, Network
from .._core.search.evaluator import KINDS, Evaluator
from ..board import Board, BoardLike, BoardsLike, pack_boards
from ..errors import NetworkError, UnsolvableError
from ..system.arrays import ArraysError, open_arrays

__all__ = ["DEFAULT_NETWORK", "AnnDistance", "checksum", "network_names"]

#: The network of the name ``ann``.
DEFAULT_NETWORK = "best"

_WEIGHTS = Path(__file__).parent / "weights"
_SHAPE = (4, 4)
_GOAL = Board.goal(_SHAPE)
_FARTHEST = 80
_INPUTS = 256
_MOST_BYTES = 1 << 28  # of all arrays: some four times what the widest layers take


class _File(NamedTuple):
    """What a network's file holds."""

    network: Network
    meta: dict[str, Any]
    parameters: int
    bytes: int


class AnnDistance:
    """A network's prediction of the distance to the goal with the tiles in order and the blank last.

    Call it with a board, or `many` with many, for whole numbers as a search uses them. Any number of threads may use it.

    Parameters
    ----------
    network : str or path
        A network that ships with the package, see `network_names`, or the path of a file (with a slash or
        the ending ``.npz``).
    lowered : float, optional
        By how many moves predictions are lowered before they are rounded, 0 .. 80: more makes solutions more often
        shortest ones, and searches longer. By default what the file tells.

    Raises
    ------
    NetworkError
        The file is not there, is damaged, or holds no network.
    ValueError
        No such name, or a wrong `lowered`.

    Attributes
    ----------
    network : str
        As it was given.
    lowered : float
    meta : dict
        What the file says of the network.
    parameters : int
        Weights and biases.
    bytes : int
        Of the weights and biases as the file keeps them.
    checksum : str
        Of the weights and biases; see `checksum`.

    Notes
    -----
    It can be pickled: a few hundred bytes that name the file and its checksum. The file is read when it is first used
    where it arrives, and once in a process; it must be there under the same path, and have the same checksum.
    """

    def __init__(
        self, network: Union[str, os.PathLike[str]] = DEFAULT_NETWORK, lowered: Optional[float] = None
    ) -> None:
        self.network = os.fspath(network)
        self._open(lowered)

    def _open(self, lowered: Optional[float], expected: Optional[str] = None) -> None:
        """Read the network, which must have the expected checksum if one was sent along."""
        path = _path_of(self.network)
        where = f"on host {platform.node()}: " if expected else ""
        try:
            status = path.stat()
        except OSError as error:
            raise NetworkError(f"{where}network {path}: {error.strerror}; name another file") from None
        file = _read(path, status.st_mtime_ns, status.st_size)
        checksum = file.meta["checksum"]
        if expected not in (None, checksum):
            raise NetworkError(
                f"{where}network {path}: its checksum is {checksum}, expected {expected}, that of the "
                f"network which was sent here; copy its file here"
            )
        lowered = float(file.meta["lowered"] if lowered is None else lowered)
        if not 0 <= lowered <= _FARTHEST:
            raise ValueError(f"lowered {lowered}: expected a number of moves, 0 .. {_FARTHEST}")
        self._network, self.meta, self.parameters, self.bytes = file
        self.lowered, self.checksum = lowered, checksum
        evaluator = Evaluator(_SHAPE, _GOAL.packed)
        self._add_to(evaluator)
        self._evaluator = evaluator

    def __reduce__(self) -> tuple[Any, ...]:
        ships = self.network in network_names()
        return _arrived, (self.network if ships else os.path.abspath(self.network), self.lowered, self.checksum)

    if not TYPE_CHECKING:  # to a checker, no attribute would be unknown any more

        def __getattr__(self, name):
            """Of one that arrived in a pickle: read it. Not before, as pools break when what they unpickle raises."""
            if "checksum" in self.__dict__ and "_evaluator" not in self.__dict__ and not name.startswith("__"):
                self._open(self.lowered, self.checksum)
            return object.__getattribute__(self, name)

    def __call__(self, board: BoardLike) -> int:
        """The prediction for one board as `many` gives it."""
        return int(self.many([Board(board, _SHAPE)])[0])

    def many(self, boards: BoardsLike) -> NDArray[np.uint8]:
        """The number of the board's parity that is nearest to the lowered prediction.

        At least the Manhattan distance, at most 80, and 0 for the goal.

        Parameters
        ----------
        boards : array or iterable
            Anything that `Board` takes, in a list; or an integer array (N, 16) or (N, 4, 4), or a uint64 array
            (N,) of packed boards.

        Returns
        -------
        ndarray of uint8, shape (N,)

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board.
        """
        return _values(self._evaluator, _pack(boards))

    def predict(self, boards: BoardsLike) -> NDArray[np.float32]:
        """What the network predicts, in moves: neither lowered nor rounded.

        Parameters
        ----------
        boards : array or iterable
            As for `many`.

        Returns
        -------
        ndarray of float32, shape (N,)

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board.
        """
        packed = _pack(boards)
        outputs = np.empty(len(packed), dtype=np.float32)
        self._network.outputs(packed, outputs)
        if self.meta["target"] == "residual":
            return _values(_manhattan(), packed).astype(np.float32) + 2 * outputs
        return outputs

    def _add_to(self, evaluator: Evaluator) -> None:
        evaluator.add_network(self._network, self.meta["target"] == "residual", self.lowered)

    def __repr__(self) -> str:
        return f"AnnDistance({self.network!r}, lowered={self.lowered!r})"


@lru_cache(maxsize=16)
def _arrived(network: str, lowered: float, checksum: str) -> AnnDistance:
    """The distance of a pickle: the same one for the same description."""
    distance = AnnDistance.__new__(AnnDistance)
    distance.__dict__.update(network=network, lowered=lowered, checksum=checksum)
    return distance


def network_names() -> list[str]:
    """The networks that ship with the package."""
    return sorted(path.stem for path in _WEIGHTS.glob("*.npz"))


def checksum(arrays: Mapping[str, NDArray[Any]]) -> str:
    """The checksum of a network's arrays, but for ``meta``.

    >>> checksum({"b0": np.zeros(1, np.float32)})[:16]
    'f6432f727b87144a'
    """
    digest = hashlib.sha256()
    for name in sorted(arrays):
        if name != "meta":
            array = np.ascontiguousarray(arrays[name])
            digest.update(name.encode() + array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes())
    return digest.hexdigest()


def _path_of(network):
    if os.sep in network or "/" in network or network.endswith(".npz"):
        return Path(network)
    names = network_names()
    if network not in names:
        raise ValueError(
            f"network {network!r}: expected the path of an .npz file"
            + (f", or one of {', '.join(names)}" if names else "; none ships with this package")
        )
    return _WEIGHTS / f"{network}.npz"


def _pack(boards):
    packed, _ = pack_boards(boards, _SHAPE)
    solvable = np.zeros(len(packed), dtype=np.uint8)
    _board.solvable_many(packed, _GOAL.packed, _SHAPE, solvable)
    for index in np.flatnonzero(solvable == 0)[:1].tolist():
        raise UnsolvableError(f"board {index}: {Board._of(int(packed[index]), _SHAPE)} cannot reach {_GOAL}")
    return packed


def _values(evaluator, packed):
    values = np.empty(len(packed), dtype=np.uint8)
    evaluator.boards(packed, values, np.empty_like(values))
    return values


@lru_cache(maxsize=1)
def _manhattan() -> Evaluator:
    evaluator = Evaluator(_SHAPE, _GOAL.packed)
    evaluator.add(KINDS.index("manhattan"))
    return evaluator


# ---------------------------------------------------------------- files


@lru_cache(maxsize=8)
def _read(path: Path, changed: int, size: int) -> _File:
    """The network of a file; `changed` and `size` tell when it is to be read again."""
    try:
        with open_arrays(path, _MOST_BYTES) as file:
            return _network_of(file)
    except (ArraysError, FileNotFoundError) as error:
        raise NetworkError(f"network {path}: {error}; name another file, or train the network again") from None


def _network_of(file):
    meta = _meta_of(file)
    layers = meta["layers"]
    expected = {"meta", *(f"{letter}{i}" for letter in "wb" for i in range(len(layers)))}
    if set(file.names) != expected:
        raise ArraysError(
            f"it has the arrays {', '.join(sorted(file.names))}; {len(layers)} layers need "
            f"{', '.join(sorted(expected))}"
        )
    quantized = meta["kind"] == "quantized"
    if quantized and len(layers) < 2:
        raise ArraysError("a quantized network has at least 2 layers")
    arrays = {}
    for i, layer in enumerate(layers):
        inputs = layers[i - 1]["outputs"] if i else _INPUTS
        outputs = layer["outputs"]
        if layer["inputs"] != inputs:
            raise ArraysError(f"layer {i} has {layer['inputs']} inputs, not the {inputs} that come")
        types = (("int8", "int16"), ("int8", "int32"))[i] if quantized and i < 2 else ("float16 float32", "float32")
        arrays[f"w{i}"] = file.read(f"w{i}", types[0], (inputs, outputs))
        arrays[f"b{i}"] = file.read(f"b{i}", types[1], (outputs,))
    if layers[-1]["outputs"] != 1:
        raise ArraysError(f"it has {layers[-1]['outputs']} outputs, not one")
    if checksum(arrays) != meta.get("checksum"):
        raise ArraysError("its weights do not have the checksum that it tells")
    plain = {
        name: np.ascontiguousarray(array, dtype=np.float32 if array.dtype.kind == "f" else array.dtype)
        for name, array in arrays.items()
    }
    floats = [
        (plain[f"w{i}"], plain[f"b{i}"], ACTIVATIONS.index(layer["activation"]))
        for i, layer in enumerate(layers)
        if not quantized or i > 1
    ]
    try:
        network = Network(floats, _quantized_of(layers, plain) if quantized else None)
    except ValueError as error:
        raise ArraysError(f"its weights are out of range ({error})") from None
    return _File(
        network, meta, sum(array.size for array in plain.values()), sum(array.nbytes for array in arrays.values())
    )


def _quantized_of(layers, arrays):
    return (
        arrays["w0"],
        arrays["b0"],
        layers[0]["shift"],
        arrays["w1"],
        arrays["b1"],
        1 / layers[1]["scale"],
        ACTIVATIONS.index(layers[1]["activation"]),
    )


def _meta_of(file):
    """What a file says of its network, checked."""
    try:
        meta = json.loads(file.read("meta", "uint8", (None,)).tobytes().decode() if "meta" in file.names else "")
    except (ValueError, RecursionError):
        raise ArraysError("it has no readable `meta`, so it is no network") from None
    if not isinstance(meta, dict) or meta.get("format") != 1:
        raise ArraysError("it is no network of format 1")
    for name, values in {"kind": ("float", "quantized"), "target": ("distance", "residual")}.items():
        if meta.get(name) not in values:
            raise ArraysError(f"{name} {shorten(meta.get(name))}: expected {' or '.join(values)}")
    if not _is_number(meta.get("lowered"), 0, _FARTHEST):
        raise ArraysError(f"lowered {shorten(meta.get('lowered'))}: expected a number of moves, 0 .. {_FARTHEST}")
    layers = meta.get("layers")
    if (
        not isinstance(layers, list)
        or not 1 <= len(layers) <= MAX_LAYERS
        or not all(
            isinstance(layer, dict) and all(_is_whole(layer.get(side), 1, MAX_WIDTH) for side in ("inputs", "outputs"))
            for layer in layers
        )
    ):
        raise ArraysError(f"layers: expected 1 .. {MAX_LAYERS} of at most {MAX_WIDTH} inputs and outputs")
    for i, layer in enumerate(layers):
        allowed = ACTIVATIONS
        if meta["kind"] == "quantized" and i == 0:
            allowed = ("clipped-relu",)
            if not _is_whole(layer.get("shift"), 0, 15):
                raise ArraysError(f"layer 0: shift {shorten(layer.get('shift'))}: expected 0 .. 15")
        elif meta["kind"] == "quantized" and i == 1:
            allowed = ("none", "relu")
            if not _is_number(layer.get("scale"), 1e-3, 1e12):
                raise ArraysError(f"layer 1: scale {shorten(layer.get('scale'))}: expected a number of 0.001 .. 1e12")
        if layer.get("activation") not in allowed:
            raise ArraysError(
                f"layer {i}: activation {shorten(layer.get('activation'))}: expected {', '.join(allowed)}"
            )
    return meta


def _is_number(value, least, most):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most


def _is_whole(value, least, most):
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
