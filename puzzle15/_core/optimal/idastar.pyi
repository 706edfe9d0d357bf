from collections.abc import Callable, Sequence
from typing import Optional

from numpy import uint8, uint32, uint64
from numpy.typing import NDArray

from puzzle15._core.optimal.problem import Problem as AnyProblem
from puzzle15._core.tables.tables import Table

_Shape = tuple[int, int]
_Bytes = NDArray[uint8]
_Boards = NDArray[uint64]

class StateMachine:
    shape: _Shape
    def __init__(self, shape: _Shape, length: int) -> None: ...

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

def turn_paths(lengths: _Bytes, to: bytes, paths: _Bytes) -> None: ...
def follow_paths(
    boards: _Boards, lengths: _Bytes, paths: _Bytes, shape: _Shape
) -> tuple[_Boards, _Bytes, _Bytes, NDArray[uint32]]: ...
def children_beside(
    boards: _Boards, lengths: _Bytes, known: _Bytes, shape: _Shape
) -> tuple[_Boards, _Bytes, _Bytes]: ...
