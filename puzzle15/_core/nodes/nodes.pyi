from typing import Any, Optional

from numpy import int64, uint8, uint64
from numpy.typing import NDArray

_Boards = NDArray[uint64]
NO_MOVE: int
MOST_VALUE_BYTES: int
INSERT: int
UPDATE: int
LOWER: int

def children(
    boards: _Boards, last: Optional[NDArray[uint8]], shape: tuple[int, int]
) -> tuple[Optional[tuple[_Boards, NDArray[int64], NDArray[uint8]]], int]: ...
def ranks(boards: _Boards, shape: tuple[int, int]) -> _Boards: ...
def unranks(numbers: _Boards, goal: int, shape: tuple[int, int]) -> _Boards: ...

class Table:
    count: int
    memory_bytes: int
    def __init__(self, value_bytes: int, key_bytes: int, expected: int, most_bytes: int) -> None: ...
    def put(self, rule: int, boards: _Boards, values: Optional[NDArray[uint8]], changed: Any) -> None: ...
    def get(self, boards: _Boards, values: NDArray[uint8], found: Any) -> None: ...
    def keys(self) -> _Boards: ...
