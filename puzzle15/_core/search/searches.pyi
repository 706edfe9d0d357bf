from collections.abc import Callable
from typing import Any, Optional

MAX_WEIGHT: int
MAX_PARTS: int
MAX_EXPANDED: int
MAX_WIDTH: int
MAX_BOUND: int
MAX_TIES: int
MAX_G: int
SMA_NODE_BYTES: int
SMA_LEAST_NODES: int
KERNELS: tuple[str, ...]
RULES: tuple[str, ...]
FATES: tuple[str, ...]

_Kernel = Callable[..., Optional[dict[str, Any]]]
anytime: _Kernel
beam: _Kernel
beam_stack: _Kernel
best_first: _Kernel
bidirectional: _Kernel
breadth_first_heuristic: _Kernel
deepening: _Kernel
hill_climbing: _Kernel
meeting: _Kernel
rbfs: _Kernel
sma: _Kernel
