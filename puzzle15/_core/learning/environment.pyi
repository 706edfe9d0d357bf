from typing import Optional

from numpy import float32, int8, uint8, uint32, uint64
from numpy.typing import NDArray

_Shape = tuple[int, int]

def ranks(boards: NDArray[uint64], shape: _Shape) -> NDArray[uint32]: ...

class Scramble:
    @staticmethod
    def uniform(shape: _Shape, goal: int) -> Scramble: ...
    @staticmethod
    def walk(shape: _Shape, goal: int, least: int, most: int) -> Scramble: ...
    @staticmethod
    def listed(
        shape: _Shape, goal: int, boards: NDArray[uint64], ends: NDArray[uint64], chances: NDArray[uint64]
    ) -> Scramble: ...

class Episodes:
    @property
    def boards(self) -> NDArray[uint64]: ...
    @property
    def randoms(self) -> NDArray[uint64]: ...
    @property
    def steps(self) -> NDArray[uint32]: ...
    @property
    def ended(self) -> NDArray[uint8]: ...
    def __init__(
        self,
        shape: _Shape,
        goal: int,
        count: int,
        rewards: tuple[float, float, float],
        most_steps: int,
        one_hot: bool,
        progress: bool,
        distances: Optional[NDArray[uint8]],
    ) -> None: ...
    def seed(self, seeds: NDArray[uint64], indices: NDArray[uint64]) -> None: ...
    def place(self, boards: NDArray[uint64], indices: NDArray[uint64]) -> None: ...
    def restore(
        self, boards: NDArray[uint64], randoms: NDArray[uint64], steps: NDArray[uint32], ended: NDArray[uint8]
    ) -> None: ...
    def begin(self, scramble: Scramble, indices: NDArray[uint64]) -> None: ...
    def step(
        self,
        scramble: Scramble,
        actions: NDArray[uint8],
        begin: int,
        end: int,
        rewards: NDArray[float32],
        terminated: NDArray[uint8],
        truncated: NDArray[uint8],
    ) -> None: ...
    def observe(self, begin: int, end: int, observations: NDArray[uint8], masks: NDArray[int8]) -> None: ...
    def advise(self, begin: int, end: int, distances: NDArray[uint8], optimal: NDArray[int8]) -> None: ...
