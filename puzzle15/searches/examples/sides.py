"""What the bidirectional examples share: two searches toward each other, whose boards are kept in tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Optional

from ..._system.lazy import np
from ...board import Board, moves_from_directions
from ...errors import HeuristicError
from ...heuristics import Heuristic
from ...nodes import NO_MOVE, BoardTable, BucketQueue, Children, children

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .._registering import Progress

    Boards = NDArray[np.uint64]
    Numbers = NDArray[np.int64]

#: What a side remembers of a board: its g, the direction of the blank that led to it, whether it was expanded, h, and
#: the heuristic toward the board where the side began.
_NODE = [(name, "u1") for name in ("g", "direction", "closed", "h", "back")]

#: A length that no solution has.
NO_LENGTH = 1 << 14

#: A batch is at most this part of what its side has expanded, so that it expands few boards that it need not.
_PART = 16

#: What the queue of a side is ordered by, from g, h and the heuristic backward.
Key = Callable[["Numbers", "Numbers", "Numbers"], "Numbers"]


class Side:
    """One of the two searches: its boards, and the queue of those that wait for their turn."""

    def __init__(
        self, name: str, root: Board, toward: Heuristic, away: Optional[Heuristic], max_memory: Optional[int]
    ) -> None:
        self.name = name
        self.toward, self.away = toward, away
        # The queues take what the tables leave.
        self.nodes = BoardTable(values=_NODE, max_memory=max_memory and max_memory * 2 // 5)
        self.queue = BucketQueue()
        self.expanded = 0

    def push(self, packed: Boards, nodes: NDArray[Any], key: Key) -> None:
        """Let boards wait for their turn, each with its g."""
        self.queue.push(key(*(nodes[name].astype(np.int64) for name in ("g", "h", "back"))), packed, nodes["g"])

    def path(self, board: int, shape: tuple[int, int]) -> list[int]:
        """Return the blank's directions back from a board to the root."""
        back: list[int] = []
        while True:
            packed = np.array([board], dtype=np.uint64)
            node = self.nodes.get(packed)[0][0]
            if not node["g"]:
                return back
            back.append(3 - int(node["direction"]))
            made = children(packed, shape)
            board = int(made.packed[made.direction == back[-1]][0])


class TwoSides:
    """Two searches, from the start and from the goal, and the shortest solution through a board that both reached.

    `key` orders the queues. With `nips`, no board is expanded that the other side has expanded. That is right only if
    the heuristic is consistent; then the other side knows the shortest rest of the solution. `ready` are
    further queues.
    """

    def __init__(
        self,
        start: Board,
        goal: Board,
        heuristic: Heuristic,
        progress: Progress,
        key: Key,
        *,
        errors: bool = False,
        nips: bool = True,
        ready: Sequence[BucketQueue] = (),
    ) -> None:
        if nips and not heuristic.consistent:
            raise HeuristicError(
                f"heuristic {heuristic.name!r}: it is not consistent, so this algorithm could miss the shortest "
                "solution; expected a consistent one, such as 'manhattan', or another algorithm, such as 'nbs'"
            )
        backward = heuristic.toward(start)
        self.shape, self.progress, self.key, self.nips = start.shape, progress, key, nips
        self.sides = tuple(
            Side(name, root, toward, away if errors else None, progress.max_memory)
            for name, root, toward, away in (("start", start, heuristic, backward), ("goal", goal, backward, heuristic))
        )
        self.length, self.middle = NO_LENGTH, 0
        self.queues = *(side.queue for side in self.sides), *ready
        for side, root in zip(self.sides, (start, goal)):
            packed = np.array([root.packed], dtype=np.uint64)
            node = np.zeros(1, dtype=_NODE)
            node["direction"], node["h"] = NO_MOVE, side.toward(root)
            side.nodes.insert(packed, node)
            side.push(packed, node, key)
        if start == goal:
            self.length, self.middle = 0, start.packed

    def wait(self) -> bool:
        """Return whether boards wait on both sides."""
        return all(len(side.queue) for side in self.sides)

    def goes_on(self, bound: int) -> bool:
        """Return whether there may be a shorter solution, where `bound` is a lower bound on solutions not found yet.

        All solutions of a board have the same parity, so none is shorter by one.
        """
        forward, backward = self.sides
        self.progress(
            lower_bound=min(bound, self.length),
            open=sum(map(len, self.queues)),
            closed=len(forward.nodes) + len(backward.nodes),
            memory_bytes=sum(side.nodes.memory_bytes for side in self.sides)
            + sum(queue.memory_bytes for queue in self.queues),
        )
        return bound + 1 < self.length

    def batch(self, side: Side, most: int) -> int:
        """Return how many boards the side expands at once."""
        return min(most, 1 + side.expanded // _PART)

    def expand(self, side: Side, packed: Boards, g: NDArray[np.uint8]) -> None:
        """Expand those of a side's boards that still have this g, and through which a shorter solution may lead."""
        other = self.sides[side is self.sides[0]]
        nodes, _ = side.nodes.get(packed)
        useful = (nodes["closed"] == 0) & (nodes["g"] == g) & (_f(nodes) < self.length)
        if self.nips:
            useful &= other.nodes.get(packed)[0]["closed"] == 0
        packed, nodes = packed[useful], nodes[useful]
        nodes["closed"] = 1
        side.nodes.update(packed, nodes)
        side.expanded += len(packed)
        self._add(side, other, children(packed, self.shape, nodes["direction"]), packed, nodes)

    def _add(self, side: Side, other: Side, made: Children, parents: Boards, values: NDArray[Any]) -> None:
        """Remember children that are new or reached by fewer moves, and look whether the other side knows them."""
        nodes = np.zeros(len(made.packed), dtype=_NODE)
        nodes["g"], nodes["direction"] = values["g"][made.parent] + 1, made.direction
        nodes["h"] = side.toward.of_children(made, parents, values["h"])
        if side.away is not None:
            nodes["back"] = side.away.of_children(made, parents, values["back"])
        useful = np.flatnonzero(_f(nodes) < self.length)
        useful = useful[side.nodes.lower(made.packed[useful], nodes[useful])]
        packed, kept = made.packed[useful], nodes[useful]
        side.push(packed, kept, self.key)
        fates: Any = "open"
        if self.progress.traced:
            fates = np.where(_f(nodes) < self.length, "known", "cut")
            fates[useful] = "open"
        self.progress.expand(parents, values["g"], values["h"], made, nodes["h"], fates, side=side.name)
        there, met = other.nodes.get(packed)
        if met.any():
            lengths = np.where(met, there["g"].astype(np.int64) + kept["g"], NO_LENGTH)
            best = int(lengths.argmin())
            if lengths[best] < self.length:
                self.length, self.middle = int(lengths[best]), int(packed[best])
                self.progress.found(self.moves() or "")

    def moves(self) -> Optional[str]:
        """Return the moves of the best solution; None if there is none."""
        if self.length == NO_LENGTH:
            return None
        to_start, to_goal = (side.path(self.middle, self.shape) for side in self.sides)
        return moves_from_directions([3 - direction for direction in reversed(to_start)] + to_goal)


def _f(nodes: NDArray[Any]) -> NDArray[np.uint16]:
    f: NDArray[np.uint16] = nodes["g"].astype(np.uint16) + nodes["h"]
    return f
