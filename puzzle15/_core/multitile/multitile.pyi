from collections.abc import Callable, Sequence
from typing import Any, Optional

from puzzle15._core.optimal.problem import AnyProblem

_Bytes = Any  # anything with a buffer of uint8
MAX_PATTERN: int

class Lines:
    shape: tuple[int, int]
    tiles: int
    map_count: int
    block_count: int
    row_count: int
    build_bytes: int
    def __init__(self, shape: tuple[int, int], tiles: int) -> None: ...
    def region(self, cells: int, cell: int) -> int: ...
    def row_bytes(self, classic: bool = False) -> int: ...
    def payload_bytes(self, classic: bool = False) -> int: ...

def build(
    lines: Lines, cells: int, home: int, payload: _Bytes, progress: Optional[Callable[[int, int], Any]] = None
) -> list[int]: ...

class Table:
    space: Lines
    cells: int
    classic: bool
    def __init__(self, lines: Lines, payload: _Bytes, cells: int, home: int) -> None: ...
    def values(self, cells: Sequence[int], blank: int) -> tuple[int, int]: ...
    def value(self, cells: Sequence[int], blank: int) -> int: ...

class Problem(AnyProblem):
    def __init__(self, shape: tuple[int, int], home: int, lookups: list[tuple[list[Table], Sequence[int]]]) -> None: ...
