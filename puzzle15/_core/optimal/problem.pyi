from collections.abc import Callable, Sequence
from typing import Any, Optional

from numpy import uint8, uint64
from numpy.typing import NDArray

from puzzle15._core.tables.tables import Table

_Shape = tuple[int, int]
_Bytes = NDArray[uint8]
_Numbers = NDArray[uint64]

class AnyProblem:
    running: int
    def move_tables(self, moved: dict[Any, Any], running: int = 0) -> bool: ...
    def heuristic(self, board: int) -> int: ...
    def heuristics(
        self, boards: _Numbers, values: _Bytes, status: _Bytes, lookups: Optional[_Bytes] = None
    ) -> None: ...
    def solve(
        self,
        board: int,
        max_nodes: Optional[int] = None,
        deadline: Optional[float] = None,
        threads: int = 1,
        on_iteration: Optional[Callable[[int, int, int], Any]] = None,
        limit: int = 255,
    ) -> dict[str, Any]: ...
    def directions_of_path(self, path: _Bytes, length: int) -> bytes: ...

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

class Search:
    def __init__(self, problem: AnyProblem, threads: int) -> None: ...
    def work(self, worker: int) -> None: ...

class Limits:
    def __init__(self, search: Search, max_nodes: Optional[int], deadline: Optional[float]) -> None: ...
    def late(self) -> bool: ...
    def limited(self) -> bool: ...
    def over(self, paused: bool) -> bool: ...

class Batch:
    done: int
    def __init__(
        self,
        problem: AnyProblem,
        boards: _Numbers,
        limits: _Bytes,
        max_nodes: Optional[_Numbers] = None,
        moves: Optional[_Bytes] = None,
    ) -> None: ...
    def work(self, progress: Optional[Callable[[], Any]] = None, deadline: Optional[float] = None) -> None: ...
    def arrays(self) -> dict[str, NDArray[Any]]: ...
