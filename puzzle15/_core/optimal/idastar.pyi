from collections.abc import Callable, Sequence
from typing import Optional

from puzzle15._core.optimal.problem import Problem as AnyProblem
from puzzle15._core.tables.tables import Table

_Shape = tuple[int, int]

class StateMachine:
    shape: _Shape
    def __init__(self, shape: _Shape, length: int) -> None: ...

class Problem(AnyProblem):
    def __init__(
        self,
        shape: _Shape,
        home: int,
        lookups: list[tuple[list[Table], Sequence[int]]],
        fsm: StateMachine,
        plain: bool,
        slots: int,
        longer: Optional[Callable[[], StateMachine]] = None,
        large: int = 0,
    ) -> None: ...
