from typing import Optional

from numpy import float32, int8, uint8, uint32, uint64
from numpy.typing import NDArray

_Shape = tuple[int, int]
_Bytes = NDArray[uint8]
_Numbers = NDArray[uint64]

class Scramble:
    def __init__(
        self,
        shape: _Shape,
        goal: int,
        walk: Optional[tuple[int, int]] = None,
        levels: Optional[tuple[_Numbers, _Numbers, _Numbers]] = None,
    ) -> None: ...

class Episodes:
    boards: _Numbers
    randoms: _Numbers
    steps: NDArray[uint32]
    ended: _Bytes
    def __init__(
        self,
        shape: _Shape,
        goal: int,
        count: int,
        rewards: tuple[float, float, float],
        most_steps: int,
        one_hot: bool,
        progress: bool,
        distances: Optional[_Bytes],
    ) -> None: ...
    def seed(self, seeds: _Numbers, indices: _Numbers) -> None: ...
    def place(self, boards: _Numbers, indices: _Numbers) -> None: ...
    def begin(self, scramble: Scramble, indices: _Numbers) -> None: ...
    def step(
        self,
        scramble: Scramble,
        actions: _Bytes,
        begin: int,
        end: int,
        rewards: NDArray[float32],
        terminated: _Bytes,
        truncated: _Bytes,
    ) -> None: ...
    def observe(
        self,
        begin: int,
        end: int,
        observations: _Bytes,
        masks: NDArray[int8],
        distances: Optional[_Bytes] = None,
        optimal: Optional[NDArray[int8]] = None,
    ) -> None: ...
