from collections.abc import Sequence

from puzzle15._core.multitile.tables import Table
from puzzle15._core.optimal.problem import AnyProblem

class Problem(AnyProblem):
    def __init__(self, shape: tuple[int, int], home: int, lookups: list[tuple[list[Table], Sequence[int]]]) -> None: ...
