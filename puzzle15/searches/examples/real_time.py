"""`rta*` and `lrta*`: searches that move before they know the whole way, written with `puzzle15.nodes`."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Optional

from ..._system.lazy import np
from ...board import Board, moves_from_directions
from ...errors import OptionError
from ...heuristics import Heuristic
from ...nodes import BoardTable, children
from .._registering import Progress, register

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FAR = 1 << 30  # the value of a move that leads nowhere else
_LONGEST = 10_000  # moves of a walk that `lrta*` tells of


class _Walker:
    """Walks from board to board, looks `depth` moves ahead, and stores a value for each board that it leaves."""

    def __init__(self, goal: Board, heuristic: Heuristic, progress: Progress, depth: int) -> None:
        if depth < 1:
            raise OptionError(f"depth {depth}: expected a whole number of at least 1")
        self.goal, self.heuristic, self.progress, self.depth = goal, heuristic, progress, depth
        self.learned = BoardTable(values=np.int32, max_memory=progress.max_memory)
        self.expanded = self.generated = 0
        self.bound: Optional[int] = None  # what was known of the start before a trial of `lrta*`

    def look(self, board: int, g: int, h: int) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.int64]]:
        """Return the children of a board, the blank's directions, and f of each: as stored, or by looking ahead."""
        made = children(np.array([board], dtype=np.uint64), self.goal.shape)
        values, known = self.learned.get(made.packed)
        f = np.where(known, 1 + values.astype(np.int64), _FAR)
        self._look_ahead(made.packed[~known], made.direction[~known], np.flatnonzero(~known), f)
        self.expanded, self.generated = self.expanded + 1, self.generated + len(made.packed)
        self.progress.expand([board], g, h, made, f - 1, bound=self.bound)
        return made.packed, made.direction, f

    def _look_ahead(
        self, packed: NDArray[np.uint64], last: NDArray[np.uint8], behind: NDArray[np.int64], f: NDArray[np.int64]
    ) -> None:
        """Lower f of the children behind which boards are to the least g + h that is `depth` moves away."""
        for moves in range(1, self.depth + 1):
            h = self.heuristic.many(packed) if moves == self.depth else np.zeros(len(packed), dtype=np.uint8)
            ends = (packed == self.goal.packed) | (moves == self.depth)
            np.minimum.at(f, behind[ends], moves + h[ends].astype(np.int64))
            packed, last, behind = packed[~ends], last[~ends], behind[~ends]
            made = children(packed, self.goal.shape, last)
            self.expanded, self.generated = self.expanded + len(packed), self.generated + len(made.packed)
            packed, last, behind = made.packed, made.direction, behind[made.parent]

    def walk(self, start: Board, second: bool) -> str:
        """Return the moves to the goal. A board that is left gets the second-least f of its children, or the least."""
        directions: list[int] = []
        board, h = start.packed, self.heuristic(start)
        while board != self.goal.packed:
            memory = self.learned.memory_bytes
            self.progress(
                expanded=self.expanded, generated=self.generated, closed=len(self.learned), memory_bytes=memory
            )
            packed, direction, f = self.look(board, len(directions), h)
            best = int(f.argmin())
            value = int(np.sort(f)[1] if second else f[best])
            self.learned.update(np.array([board], dtype=np.uint64), [value])
            board, h = int(packed[best]), int(f[best]) - 1
            directions.append(int(direction[best]))
        return moves_from_directions(directions)


@register(
    name="rta*",
    summary="look ahead, make the best move, and store the second-best value for the board that is left",
)
def rta_star(start: Board, goal: Board, heuristic: Heuristic, progress: Progress, *, depth: int = 1) -> str:
    """Walk to the goal by looking `depth` moves ahead: real-time A*.

    It always arrives. The solution is the whole walk, with all its detours. Ties: up before left, right and down.

    References
    ----------
    R. E. Korf, "Real-time heuristic search", Artificial Intelligence 42, 1990.
    """
    return _Walker(goal, heuristic, progress, depth).walk(start, second=True)


@register(
    name="lrta*",
    summary="walk like rta*, but store the best value, and walk again until a walk is proved shortest",
    options={"on_improvement": None, "on_iteration": None},
    shortest="if h is admissible",
)
def lrta_star(
    start: Board, goal: Board, heuristic: Heuristic, progress: Progress, *, depth: int = 1, trials: Optional[int] = None
) -> Optional[str]:
    """Walk to the goal again and again, until the value of the start is the length of a walk: learning real-time A*.

    The value of a board is a lower bound if the heuristic is admissible. It is kept between the walks, which are
    called trials: each is an iteration, whose bound is the value of the start before it. After so many `trials`,
    the search ends with status "limit" and its shortest walk. A walk of up to 10,000 moves that is shorter than those
    before is an improvement. Ties: up before left, right and down.

    References
    ----------
    R. E. Korf, "Real-time heuristic search", Artificial Intelligence 42, 1990.
    """
    walker = _Walker(goal, heuristic, progress, depth)
    root = np.array([start.packed], dtype=np.uint64)
    walker.bound = heuristic(start)
    for trial in count(1):
        moves = walker.walk(start, second=False)
        bound = int(walker.learned.get(root)[0][0])
        progress(expanded=walker.expanded, generated=walker.generated, lower_bound=bound)
        progress.finish_iteration(walker.bound)
        if len(moves) <= _LONGEST or trial == trials:
            progress.found(moves)
        if bound == len(moves):
            return moves
        if trial == trials:
            break
        walker.bound = bound
    return None
