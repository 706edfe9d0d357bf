from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from numpy import int64, uint8, uint64
from numpy.typing import NDArray

from puzzle15._core.learning.network import Network
from puzzle15._core.optimal.problem import Problem
from puzzle15._core.tables.tables import Table

KINDS: tuple[str, ...]
MAX_COMPONENTS: int
MAX_PATTERNS: int

def capsule_pointer(capsule: Any) -> int: ...
def capsule_name(capsule: Any) -> Optional[str]: ...

class Evaluator:
    shape: tuple[int, int]
    goal: int
    count: int
    def __init__(self, shape: tuple[int, int], goal: int) -> None: ...
    def add(self, kind: int) -> None: ...
    def add_lookups(self, problem: Problem) -> None: ...
    def add_network(self, network: Network, residual: bool, lowered: float) -> None: ...
    def add_function(self, function: Callable[[bytes], bytes], cell_to: Any, tile_to: Any) -> None: ...
    def add_compiled(
        self,
        function: int,
        child: int,
        data: int,
        goal: int,
        cell_to: Any,
        tile_to: Any,
        refuse: Callable[[int, int], Any],
    ) -> None: ...
    def add_patterns(self, parts: Sequence[Union[Table, tuple[Any, ...]]]) -> None: ...
    def board(self, board: int) -> int: ...
    def boards(self, boards: NDArray[uint64], values: NDArray[uint8], status: NDArray[uint8]) -> None: ...
    def children(
        self,
        boards: NDArray[uint64],
        values: NDArray[uint8],
        parents: NDArray[int64],
        directions: NDArray[uint8],
        out: NDArray[uint8],
    ) -> int: ...
