from collections.abc import Callable, Sequence
from typing import Any, Optional

from numpy import uint8, uint32, uint64
from numpy.typing import NDArray

from puzzle15._core.tables.tables import Table

_Shape = tuple[int, int]

MAX_VIEWS: int
MAX_PLACES: int
MAX_LENGTH: int
MAX_LANES: int

class Automaton:
    def __init__(self, shape: _Shape, length: int) -> None: ...
    @property
    def shape(self) -> _Shape: ...
    @property
    def state_count(self) -> int: ...

class Problem:
    def __init__(
        self,
        shape: _Shape,
        home: int,
        views: list[tuple[list[Table], Sequence[int]]],
        automaton: Automaton,
        plain: bool,
        lanes: int,
        longer: Optional[Callable[[], Automaton]] = None,
        large: int = 0,
    ) -> None: ...
    @property
    def running(self) -> int: ...
    def move_tables(self, moved: dict[Table, Table], running: int = 0) -> bool: ...
    def heuristic(self, board: int) -> tuple[int, list[int]]: ...
    def heuristics(
        self,
        boards: NDArray[uint64],
        values: NDArray[uint8],
        status: NDArray[uint8],
        views: Optional[NDArray[uint8]] = None,
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

class Search:
    def __init__(self, problem: Problem, board: int, threads: int, limit: int) -> None: ...
    def work(self, worker: int) -> None: ...
    def run(
        self,
        max_nodes: Optional[int],
        deadline: Optional[float],
        on_iteration: Optional[Callable[[int, int, int], Any]],
    ) -> dict[str, Any]: ...

class Batch:
    def __init__(
        self,
        problem: Problem,
        boards: NDArray[uint64],
        skip: NDArray[uint8],
        limits: Optional[NDArray[uint8]] = None,
        max_nodes: Optional[NDArray[uint64]] = None,
    ) -> None: ...
    @property
    def done(self) -> int: ...
    def work(self, progress: Optional[Callable[[], Any]] = None, deadline: Optional[float] = None) -> None: ...
    def arrays(self) -> dict[str, NDArray[Any]]: ...

def directions_of_path(path: NDArray[uint8], length: int) -> bytes: ...
def turn_paths(lengths: NDArray[uint8], to: bytes, paths: NDArray[uint8]) -> None: ...
def follow_paths(
    boards: NDArray[uint64], lengths: NDArray[uint8], paths: NDArray[uint8], shape: _Shape
) -> tuple[NDArray[uint64], NDArray[uint8], NDArray[uint8], NDArray[uint32]]: ...
def children_beside(
    boards: NDArray[uint64], lengths: NDArray[uint8], known: NDArray[uint8], shape: _Shape
) -> tuple[NDArray[uint64], NDArray[uint8], NDArray[uint8]]: ...
