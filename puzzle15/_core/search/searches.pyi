from collections.abc import Callable
from typing import Any, Optional

from puzzle15._core.search.evaluator import Evaluator

MAX_WEIGHT: int
MAX_PARTS: int
MAX_EXPANDED: int
MAX_WIDTH: int
MAX_BELOW: int
MAX_BOUND: int
MAX_TIES: int
MAX_G: int
SMA_NODE_BYTES: int
SMA_LEAST_NODES: int
RULES: tuple[str, ...]
FATES: tuple[str, ...]

_Kernel = Callable[..., dict[str, Any]]

def deepening(
    evaluator: Evaluator,
    start: int,
    order: bytes,
    *,
    first_bound: Optional[int] = ...,
    last_bound: Optional[int] = ...,
    max_nodes: Optional[int] = ...,
    deadline: Optional[float] = ...,
    on_iteration: Optional[Callable[[int, int, int], Any]] = ...,
    on_expand: Optional[Callable[..., bool]] = ...,
    max_bytes: Optional[int] = ...,
    level: Optional[int] = ...,
) -> dict[str, Any]: ...

# Their keywords are in the docstrings.
best_first: _Kernel
anytime: _Kernel
bidirectional: _Kernel
meeting: _Kernel
beam: _Kernel
beam_stack: _Kernel
breadth_first_heuristic: _Kernel
rbfs: _Kernel
sma: _Kernel
hill_climbing: _Kernel

class Task: ...
class Trace: ...
