from collections.abc import Sequence
from typing import Optional

from numpy import float64, int64, uint8, uint16, uint64
from numpy.typing import ArrayLike, NDArray

_Pair = tuple[int, int]
MIN_GAMMA: float
MAX_GAMMA: float
DONE: int
NONE: int

class Subproblem:
    goal: tuple[int, ...]
    fixed: tuple[int, ...]
    state_count: int
    tile_count: int
    free_count: int
    def __init__(self, shape: Sequence[int], goal: Sequence[int], fixed: Sequence[int]) -> None: ...
    def learn(self, gamma: float, order: bytes = ...) -> tuple[NDArray[float64], NDArray[uint8]]: ...
    def ends(self, policy: NDArray[uint8]) -> NDArray[uint8]: ...
    def cells(self, states: ArrayLike) -> NDArray[uint8]: ...
    def states(self, cells: ArrayLike) -> NDArray[int64]: ...

class Plan:
    def __init__(self, shape: Sequence[int], goal: int, order: Sequence[int], initial_size: int) -> None: ...
    def add(self, stage: int, begin: int, policy: NDArray[uint8]) -> None: ...
    def solve(self, board: int) -> tuple[Optional[_Pair], Optional[bytes], Optional[list[_Pair]]]: ...
    def solve_many(
        self, boards: NDArray[uint64], status: NDArray[uint8], lengths: NDArray[uint16], largest: NDArray[uint8]
    ) -> Optional[_Pair]: ...
