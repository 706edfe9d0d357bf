"""Making chunks of labelled boards, in any process: a chunk's number alone decides which boards it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TableMissingError
from ..solver import Solver, label
from .distributions import Distribution
from .rows import Rows

__all__ = ["ChunkMaker", "describe_tables"]


def describe_tables(solver: Solver) -> dict[str, Any]:
    """The tables of a solver, which decide the table values and which of several shortest solutions it finds."""
    return {
        "format": solver.tables.format,
        "partitions": solver.tables.partitions,
        "views": solver.tables.lookups,
        "files": {table.path.name: f"{table.checksum:08x}" for table in solver.tables.files},
    }


@dataclass(frozen=True)
class ChunkMaker:
    """Makes chunks from their numbers; it is sent to the workers."""

    solver: Solver
    tables: dict[str, Any]
    distribution: Distribution
    seed: int
    count: int
    options: dict[str, bool]

    def boards(self, chunk: int) -> NDArray[np.uint64]:
        size = self.distribution.chunk
        sequence = np.random.SeedSequence(self.seed, spawn_key=(chunk,))
        rng = np.random.Generator(np.random.PCG64(sequence))
        return self.distribution.draw(min(size, self.count - chunk * size), rng, self.solver)

    def boards_of_task(self, chunks: Sequence[int]) -> NDArray[np.uint64]:
        return np.concatenate([self.boards(chunk) for chunk in chunks])

    def __call__(self, chunks: Sequence[int]) -> list[Rows]:
        """The columns of each of the chunks of a task."""
        here = describe_tables(self.solver)
        if here != self.tables:  # in another process, or on another machine
            raise TableMissingError(
                f"this worker has other tables: {here}, expected {self.tables}; "
                f"build the same tables there, or copy them"
            )
        return [label(self.solver, self.boards(chunk), **self.options) for chunk in chunks]
