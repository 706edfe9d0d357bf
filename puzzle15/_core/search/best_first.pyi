from collections.abc import Callable
from typing import Any, Optional

from puzzle15._core.search.evaluator import Evaluator

MAX_WEIGHT: int
MAX_EXPANDED: int
MAX_WIDTH: int
MAX_TIES: int
MAX_G: int

def best_first(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    g_weight: int,
    h_weight: int,
    ties: int,
    prove: bool = ...,
    batch: int = ...,
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    max_bytes: int,
    on_expand: Optional[Callable[..., bool]] = ...,
) -> dict[str, Any]: ...
def bidirectional(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    max_bytes: int,
    on_expand: Optional[Callable[..., bool]] = ...,
) -> dict[str, Any]: ...
def beam(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    width: int,
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    max_bytes: int,
    on_expand: Optional[Callable[..., bool]] = ...,
) -> dict[str, Any]: ...
def hill_climbing(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    on_expand: Optional[Callable[..., bool]] = ...,
) -> dict[str, Any]: ...
