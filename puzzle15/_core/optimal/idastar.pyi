from collections.abc import Callable, Sequence
from typing import Optional

from numpy import uint8, uint32, uint64
from numpy.typing import NDArray

from puzzle15._core.optimal.problem import Problem as AnyProblem
from puzzle15._core.tables.tables import Table

_Shape = tuple[int, int]

class StateMachine:
    def __init__(self, shape: _Shape, length: int) -> None: ...
    @property
    def shape(self) -> _Shape: ...
    @property
    def state_count(self) -> int: ...

class Problem(AnyProblem):
    def __init__(
        self,
        shape: _Shape,
        home: int,
        lookups: list[tuple[list[Table], Sequence[int]]],
        fsm: StateMachine,
        plain: bool,
        slots: int,
        longer: Optional[Callable[[], StateMachine]] = None,
        large: int = 0,
    ) -> None: ...

def directions_of_path(path: NDArray[uint8], length: int) -> bytes: ...
def turn_paths(lengths: NDArray[uint8], to: bytes, paths: NDArray[uint8]) -> None: ...
def follow_paths(
    boards: NDArray[uint64], lengths: NDArray[uint8], paths: NDArray[uint8], shape: _Shape
) -> tuple[NDArray[uint64], NDArray[uint8], NDArray[uint8], NDArray[uint32]]: ...
def children_beside(
    boards: NDArray[uint64], lengths: NDArray[uint8], known: NDArray[uint8], shape: _Shape
) -> tuple[NDArray[uint64], NDArray[uint8], NDArray[uint8]]: ...
