from collections.abc import Callable
from typing import Any, Optional

from puzzle15._core.search.evaluator import Evaluator

SMA_NODE_BYTES: int
SMA_LEAST_NODES: int

def rbfs(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    on_expand: Optional[Callable[..., bool]] = ...,
) -> dict[str, Any]: ...
def sma(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    max_bytes: int,
    on_expand: Optional[Callable[..., bool]] = ...,
) -> dict[str, Any]: ...
