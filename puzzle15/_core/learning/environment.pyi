from typing import Optional

from numpy import float32, int8, uint8, uint32, uint64
from numpy.typing import NDArray

_Shape = tuple[int, int]
_Bytes = NDArray[uint8]
_Numbers = NDArray[uint64]

def ranks(boards: _Numbers, shape: _Shape) -> NDArray[uint32]: ...

class Scramble:
    @staticmethod
    def uniform(shape: _Shape, goal: int) -> Scramble: ...
    @staticmethod
    def walk(shape: _Shape, goal: int, least: int, most: int) -> Scramble: ...
    @staticmethod
    def listed(shape: _Shape, goal: int, boards: _Numbers, ends: _Numbers, chances: _Numbers) -> Scramble: ...

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
    def restore(self, boards: _Numbers, randoms: _Numbers, steps: NDArray[uint32], ended: _Bytes) -> None: ...
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
    def observe(self, begin: int, end: int, observations: _Bytes, masks: NDArray[int8]) -> None: ...
    def advise(self, begin: int, end: int, distances: _Bytes, optimal: NDArray[int8]) -> None: ...
