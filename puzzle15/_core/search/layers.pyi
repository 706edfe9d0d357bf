from collections.abc import Callable
from typing import Any, Optional

from puzzle15._core.search.evaluator import Evaluator

def breadth_first_heuristic(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    max_bytes: int,
    on_iteration: Optional[Callable[[int, int, int], Any]] = ...,
    on_expand: Optional[Callable[..., bool]] = ...,
) -> dict[str, Any]: ...

class Iterations:
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...
