"""The distance that a network predicts."""

from __future__ import annotations

import os
import platform
from functools import lru_cache
from pathlib import Path
from typing import Optional, Union

import numpy as np
from numpy.typing import NDArray

from .._core.search.evaluator import KINDS, Evaluator
from .._system.sendable import Sendable
from ..board import Board, BoardLike, BoardsLike
from ..board._solvability import pack_solvable
from ..errors import NetworkError, OptionError
from ._network_file import FARTHEST, read_network

#: The network of the name ``ann``.
DEFAULT_NETWORK = "best"

_WEIGHTS = Path(__file__).parent / "weights"
_SHAPE = (4, 4)
_GOAL = Board.goal(_SHAPE)


class AnnDistance(Sendable):
    """A network's prediction of the distance to the goal with the tiles in order and the blank last.

    Call it with one board, or call `many` with many boards. The heuristic ``ann`` rounds its predictions. Any number of
    threads may use it.

    Parameters
    ----------
    network : str or path
        One of `network_names`; or the path of a file, which has a slash or ends in ``.npz``: NetworkError if it is
        missing or damaged.
    lowered : float, optional
        By how many moves the heuristic lowers predictions before it rounds them, 0 .. 80. With larger values, more
        solutions are shortest ones, and searches take longer. By default, the file's own value.

    Attributes
    ----------
    meta : dict
        The description of the network in its file.
    parameters, bytes : int
        The number of weights and biases, and their size in the file's own types.
    checksum : str
        The checksum of the weights and biases; see `puzzle15.learning.checksum`.

    Notes
    -----
    It can be pickled, as a few hundred bytes. A process that unpickles it reads the file once, when it is first used.
    The file must be there under the same path, and have the same checksum.
    """

    def __init__(
        self, network: Union[str, os.PathLike[str]] = DEFAULT_NETWORK, *, lowered: Optional[float] = None
    ) -> None:
        self._open(os.fspath(network), lowered)

    def _open(self, network: str, lowered: Optional[float], expected: Optional[str] = None) -> None:
        """Read the network, which must have the expected checksum if it was received."""
        self.network = network
        path = _path_of(network)
        host = f"on host {platform.node()}: " if expected else ""
        try:
            status = path.stat()
        except OSError as error:
            raise NetworkError(f"{host}network {path}: {error.strerror}; name another file") from None
        found = read_network(path, status.st_mtime_ns, status.st_size)
        self._network, self.meta, self.parameters, self.bytes = found
        self.checksum = self.meta["checksum"]
        if expected not in (None, self.checksum):
            raise NetworkError(
                f"{host}network {path}: its checksum is {self.checksum}, expected {expected}, the checksum "
                f"of the network that was sent here; copy its file here"
            )
        self.lowered = float(self.meta["lowered"] if lowered is None else lowered)
        if not 0 <= self.lowered <= FARTHEST:
            raise OptionError(f"lowered {lowered}: expected a number of moves, 0 .. {FARTHEST}")

    def _settings(self) -> tuple[str, float, str]:
        ships = self.network in network_names()
        return self.network if ships else os.path.abspath(self.network), self.lowered, self.checksum

    def __call__(self, board: BoardLike) -> float:
        """Return the prediction for one board, in moves."""
        return float(self.many([Board(board, _SHAPE)])[0])

    def many(self, boards: BoardsLike) -> NDArray[np.float32]:
        """Return the predictions for many boards: ndarray of float32, shape (N,), in moves.

        `boards` are as for `Solver.solve_many`; BoardError or UnsolvableError has the index of the first bad one.

        Examples
        --------
        >>> AnnDistance().many(["5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"]).round()
        array([50.], dtype=float32)
        """
        packed, _ = pack_solvable(boards, _GOAL, "raise")
        predictions = np.empty(len(packed), dtype=np.float32)
        self._network.outputs(packed, predictions)
        if self.meta["target"] == "residual":
            manhattan = np.empty(len(packed), dtype=np.uint8)
            _manhattan().boards(packed, manhattan[:, np.newaxis], np.empty_like(manhattan))
            predictions = manhattan + 2 * predictions
        return predictions

    def add_to(self, evaluator: Evaluator) -> None:
        """Let an evaluator take the predictions into account, lowered, and rounded to the board's parity."""
        evaluator.add_network(self._network, self.meta["target"] == "residual", self.lowered)

    def __repr__(self) -> str:
        return f"AnnDistance({self.network!r}, lowered={self.lowered!r})"


def network_names() -> list[str]:
    """Return the networks that ship with the package."""
    return sorted(path.stem for path in _WEIGHTS.glob("*.npz"))


def _path_of(network: str) -> Path:
    if os.sep in network or "/" in network or network.endswith(".npz"):
        return Path(network)
    names = network_names()
    if network not in names:
        raise OptionError(
            f"network {network!r}: expected the path of an .npz file"
            + (f", or one of {', '.join(names)}" if names else "; none ships with this package")
        )
    return _WEIGHTS / f"{network}.npz"


@lru_cache(maxsize=1)
def _manhattan() -> Evaluator:
    evaluator = Evaluator(_SHAPE, _GOAL.packed)
    evaluator.add(KINDS.index("manhattan"))
    return evaluator
