from typing import Any, Optional

from numpy import float32, uint8, uint64
from numpy.typing import NDArray

MAX_LAYERS: int
MAX_WIDTH: int
ACTIVATIONS: tuple[str, ...]

class Network:
    def __init__(
        self, layers: list[tuple[NDArray[float32], NDArray[float32], int]], quantized: Optional[tuple[Any, ...]] = ...
    ) -> None: ...
    def outputs(self, boards: NDArray[uint64], outputs: NDArray[float32], batch: int = ...) -> None: ...
    def child_outputs(self, board: int, moves: NDArray[uint8], outputs: NDArray[float32]) -> None: ...
