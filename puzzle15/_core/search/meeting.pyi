from collections.abc import Callable
from typing import Any, Optional

from puzzle15._core.search.evaluator import Evaluator

RULES: tuple[str, ...]

def meeting(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    rule: int,
    goal: int,
    backward: Evaluator,
    backs: tuple[bytes, bytes],
    batch: int = ...,
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    max_bytes: int,
    on_expand: Optional[Callable[..., bool]] = ...,
) -> dict[str, Any]: ...
