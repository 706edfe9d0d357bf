from typing import Any, Optional

from numpy import float32, uint8, uint64
from numpy.typing import NDArray

MAX_LAYERS: int
MAX_WIDTH: int
ACTIVATIONS: tuple[str, ...]
LEVELS: tuple[str, ...]

def level() -> int: ...

class Network:
    memory_bytes: int
    def __init__(
        self,
        layers: list[tuple[NDArray[float32], NDArray[float32], int]],
        quantized: Optional[tuple[Any, ...]] = ...,
        level: Optional[int] = ...,
    ) -> None: ...
    def outputs(self, boards: NDArray[uint64], outputs: NDArray[float32], batch: int = ...) -> None: ...
    def child_outputs(self, board: int, moves: NDArray[uint8], outputs: NDArray[float32]) -> None: ...
