from collections.abc import Callable
from typing import Any, Optional

from puzzle15._core.search.evaluator import Evaluator

MAX_BOUND: int

def deepening(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    first_bound: Optional[int] = None,
    last_bound: Optional[int] = None,
    max_nodes: Optional[int] = None,
    deadline: Optional[float] = None,
    on_iteration: Optional[Callable[[int, int, int], Any]] = None,
    on_expand: Optional[Callable[..., bool]] = None,
    max_bytes: Optional[int] = None,
    level: Optional[int] = None,
) -> dict[str, Any]: ...
