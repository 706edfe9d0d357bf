from collections.abc import Callable
from typing import Any, Optional

from numpy import uint8, uint64
from numpy.typing import NDArray

class Problem:
    @property
    def running(self) -> int: ...
    def move_tables(self, moved: dict[Any, Any], running: int = 0) -> bool: ...
    def heuristic(self, board: int) -> tuple[int, list[int]]: ...
    def heuristics(
        self,
        boards: NDArray[uint64],
        values: NDArray[uint8],
        status: NDArray[uint8],
        lookups: Optional[NDArray[uint8]] = None,
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
    def directions_of_path(self, path: NDArray[uint8], length: int) -> bytes: ...

class Search:
    def __init__(self, problem: Problem, threads: int) -> None: ...
    def work(self, worker: int) -> None: ...
    def limited(self) -> bool: ...

class Batch:
    def __init__(
        self,
        problem: Problem,
        boards: NDArray[uint64],
        skip: NDArray[uint8],
        limits: Optional[NDArray[uint8]] = None,
        max_nodes: Optional[NDArray[uint64]] = None,
        moves: Optional[NDArray[uint8]] = None,
    ) -> None: ...
    @property
    def done(self) -> int: ...
    def work(self, progress: Optional[Callable[[], Any]] = None, deadline: Optional[float] = None) -> None: ...
    def arrays(self) -> dict[str, NDArray[Any]]: ...
