from collections.abc import Callable
from typing import Any, Optional

from puzzle15._core.search.evaluator import Evaluator

MAX_PARTS: int
MAX_EXPANDED: int
MAX_WIDTH: int
MAX_BELOW: int

def anytime(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    g_weight: int,
    h_weight: int,
    h_step: int = ...,
    batch: int = ...,
    on_improvement: Callable[[bytes, int, int, int, int], Any],
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    max_bytes: int,
    on_expand: Optional[Callable[..., bool]] = ...,
) -> dict[str, Any]: ...
def beam_stack(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    width: int,
    below: int,
    on_improvement: Callable[[bytes, int, int, int, int], Any],
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    max_bytes: int,
    on_expand: Optional[Callable[..., bool]] = ...,
) -> dict[str, Any]: ...

class Teller:
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...
