"""Searches that extend the first path of a list, as J. Kantz wrote them in Lisp: `kantz-beam`, `kantz-a*` and others.

They differ only in where they insert new paths into the list of open paths, so the order of every list matters:

* The blank's moves are tried in the order down, right, up, left. A path never returns to one of its own boards.
* Sorting is stable. Merging takes the new path first when two paths cost the same.
* `kantz-best-first` and `kantz-a*` keep the first of all open paths to a board. They forget boards that they expand.

`puzzle15.papers.kantz2005` has what the paper found, and reaches its counts with these functions.

References
----------
J. Kantz, "Optimizing search: the 8 puzzle", 2005.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, Optional

from ..._system.lazy import np
from ...board import Board, moves_from_directions
from ...heuristics import Heuristic
from ...nodes import NO_MOVE, Children, children
from .._registering import Progress, register


class Path:
    """A path from the start: its last board, the path to the board before it, and how many boards it has.

    A board is any value that can be compared and hashed. The searches by name know the blank's direction and h, too.
    """

    __slots__ = ("board", "direction", "h", "length", "parent")

    def __init__(self, board: Any, parent: Optional[Path] = None, direction: int = NO_MOVE, h: int = 0) -> None:
        self.board, self.parent, self.direction, self.h = board, parent, direction, h
        self.length: int = 1 if parent is None else parent.length + 1

    def back(self) -> Iterator[Path]:
        """This path, the path to the board before, and so on, back to the start."""
        path: Optional[Path] = self
        while path is not None:
            yield path
            path = path.parent


class Result(NamedTuple):
    """What a search found: the number of expansions, and the path to the goal, if there is one."""

    expansions: int
    path: Optional[Path]

    @property
    def boards(self) -> list[Any]:
        """list: the boards from the start to the goal."""
        return [] if self.path is None else [path.board for path in self.path.back()][::-1]


Cost = Callable[[Path], int]
Paths = deque[Path]
#: Inserts new paths among the other open ones, which it may change.
Combine = Callable[[Sequence[Path], Paths], Paths]


class BoardsOfPath:
    """The boards of a path as a set, which is made from that of the last path that was asked for."""

    def __init__(self) -> None:
        self._path: Optional[Path] = None
        self._boards: set[Any] = set()

    def __call__(self, path: Path) -> set[Any]:
        old, new, added = self._path, path, []
        while old is not new:  # back to the board where they part
            if old is not None and old.length >= new.length:
                self._boards.remove(old.board)
                old = old.parent
            else:
                added.append(new.board)
                if new.parent is None:
                    break
                new = new.parent
        self._boards.update(added)
        self._path = path
        return self._boards


def extend(root: Path, goal: Any, expand: Callable[[Path], list[Path]], combine: Combine) -> Result:
    """Extend the first path of a list until it ends at the goal; `combine` inserts new paths among the others."""
    paths, expansions = deque([root]), 0
    while paths:
        first = paths.popleft()
        if first.board == goal:
            return Result(expansions, first)
        expansions += 1
        paths = combine(expand(first), paths)
    return Result(expansions, None)


def breadth_first(new: Sequence[Path], others: Paths) -> Paths:
    """Put new paths after all others, so that the path found is a shortest one."""
    others.extend(new)
    return others


def depth_first(new: Sequence[Path], others: Paths) -> Paths:
    """Put new paths before all others."""
    others.extendleft(reversed(new))
    return others


def beam(width: int, cost: Cost) -> Combine:
    """Return a rule that puts new paths before all others, the cheapest first, and keeps the first `width` paths."""
    return lambda new, others: deque(islice(chain(sorted(new, key=cost), others), width))


def best_first(cost: Cost) -> Combine:
    """Return a rule by which the cheapest path comes first. The cost is computed for both sides of every comparison."""
    return lambda new, others: distinct(merge(sort(new, cost), others, cost))


def distinct(paths: Sequence[Path]) -> Paths:
    """Leave out paths whose last board also ends an earlier path."""
    first: dict[Any, Path] = {}
    for path in paths:
        first.setdefault(path.board, path)
    return deque(first.values())


def merge(some: Sequence[Path], others: Sequence[Path], cost: Cost) -> list[Path]:
    """Merge two sorted lists as Lisp's MERGE does: of equal paths, those of the first list come first."""
    merged, one, two = [], 0, 0
    while one < len(some) and two < len(others):
        if cost(others[two]) < cost(some[one]):
            merged.append(others[two])
            two += 1
        else:
            merged.append(some[one])
            one += 1
    return [*merged, *islice(some, one, None), *islice(others, two, None)]


def sort(paths: Sequence[Path], cost: Cost) -> Sequence[Path]:
    """Sort at most four paths by merging."""
    half = (len(paths) + 1) // 2
    return paths if len(paths) < 2 else merge(sort(paths[:half], cost), sort(paths[half:], cost), cost)


# ---------------------------------------------------------------- the searches by name ---

#: The blank's directions (0 up, 1 left, 2 right, 3 down) as the program lists them: the last one pushed comes first.
_ORDER = (3, 2, 0, 1)
_PATH_BYTES = 160


def _h(path: Path) -> int:
    return path.h


#: What each does, its combiner by width, and what it claims.
_BY_NAME: dict[str, tuple[str, Callable[[int], Combine], dict[str, Any]]] = {
    "kantz-breadth-first": (
        "extend the oldest path first, never to one of its own boards",
        lambda width: breadth_first,
        {"f": "g", "shortest": "yes"},
    ),
    "kantz-depth-first": (
        "extend the newest path first, never to one of its own boards",
        lambda width: depth_first,
        {"f": "g"},
    ),
    "kantz-beam": (
        "extend the newest path first, the best child before its siblings, and keep only the first few paths",
        lambda width: beam(width, _h),
        {"f": "h", "options": {"width": 1}},
    ),
    "kantz-best-first": (
        "extend the path of the least h first, of equal ones the newest; known boards are extended again",
        lambda width: best_first(_h),
        {"f": "h"},
    ),
    "kantz-a*": (
        "extend the path of the least g + h first, of equal ones the newest; known boards are extended again",
        lambda width: best_first(lambda path: path.length + path.h),
        {"shortest": "if h is admissible"},
    ),
}


def _solve(
    start: Board, goal: Board, heuristic: Heuristic, progress: Progress, *, name: str, width: int = 0
) -> Optional[str]:
    """Run a search of the paper on any board, with any heuristic."""
    boards_of, combine = BoardsOfPath(), _BY_NAME[name][1](width)
    paths_made = 0
    extended: tuple[Any, ...] = ()  # the path, its board, the children and their h

    def expand(path: Path) -> list[Path]:
        nonlocal extended
        packed = np.array([path.board], np.uint64)
        made = children(packed, start.shape, np.array([path.direction], np.uint8))
        h = heuristic.of_children(made, packed, np.array([path.h], np.uint8))
        order = np.argsort([_ORDER.index(direction) for direction in made.direction.tolist()])
        made, h = Children(made.packed[order], made.parent, made.direction[order]), h[order]
        extended, on_path = (path, packed, made, h), boards_of(path)
        columns = zip(made.packed.tolist(), made.direction.tolist(), h.tolist())
        return [Path(board, path, direction, h) for board, direction, h in columns if board not in on_path]

    def insert(new: Sequence[Path], others: Paths) -> Paths:
        nonlocal paths_made
        paths, (path, packed, made, h), fates = combine(new, others), extended, np.array(["open"])
        if progress.traced:
            kept, lost = {*map(id, paths)}, "dropped" if width else "known"
            fate = {each.board: "open" if id(each) in kept else lost for each in new}
            fates = np.array([fate.get(board, "known") for board in made.packed.tolist()])
        progress.expand(packed, path.length - 1, path.h, made, h, fates)
        paths_made += len(new)
        progress(open=len(paths), memory_bytes=paths_made * _PATH_BYTES)
        return paths

    found = extend(Path(start.packed, h=heuristic(start)), goal.packed, expand, insert).path
    if found is None:
        return None
    progress.expand(np.array([found.board], np.uint64), found.length - 1, found.h)
    return moves_from_directions([path.direction for path in found.back()][-2::-1])


for _name, (_summary, _combine, _claims_of) in _BY_NAME.items():
    register(name=_name, summary=_summary, **_claims_of)(partial(_solve, name=_name))
