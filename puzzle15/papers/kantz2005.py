"""J. Kantz, "Optimizing search: the 8 puzzle" (2005).

The paper develops a program in Common Lisp step by step and prints its output. The searches differ only in where they
insert new paths into the list of open paths, so the order of every list matters. This module keeps that order:

* The blank's moves are found in the order left, up, right, down, and each is pushed to the front of the list.
* Sorting is stable. Merging takes the new path first when two paths cost the same.
* Of two paths to the same board, the first one in the list stays. A path never returns to one of its own boards.
* `out_count` counts the tiles that are not in the order 1, 2, .. 8, whatever the goal is, and g counts the boards of a
  path, including the start.

With these rules every count of the paper comes out.

Two printouts in the paper belong to other runs than the counts beside them. The first is the path of the beam of width
3: 24 orders of the moves and 18 ways of sorting were tried, and all that give 182 and 5,527 expansions begin as here,
with the blank moving right. The second is the profile of A*, which expands 166 boards instead of 122.

>>> breadth_first(EASY, EASY_GOAL).expansions, a_star(EASY, EASY_GOAL).expansions
(48, 19)
"""

from __future__ import annotations

import timeit
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple, Optional

from ..system.figures import save_bars
from .reproduction import Progress, Row

#: Nine tiles, row by row; 0 is the blank.
Tiles = tuple[int, ...]


def _tiles(text: str) -> Tiles:
    return tuple(0 if digit == "X" else int(digit) for digit in text)


#: The first and the second example of the paper.
EASY, EASY_GOAL = _tiles("2831647X5"), _tiles("1238X4765")
HARD, HARD_GOAL = _tiles("2731648X5"), _tiles("12345678X")

_SIDE = 3


class _Path:
    """A path from the start: its last board, and the path to the board before it."""

    def __init__(self, tiles: Tiles, parent: Optional[_Path] = None) -> None:
        self.tiles, self.parent = tiles, parent

    def boards(self) -> Iterator[Tiles]:
        """The boards from the last one back to the start."""
        path: Optional[_Path] = self
        while path is not None:
            yield path.tiles
            path = path.parent


class Result(NamedTuple):
    """What a search found: the number of expansions, and the boards from the start to the goal, if there is a path."""

    expansions: int
    boards: Optional[list[Tiles]]


_Cost = Callable[[_Path], int]
_Estimate = Callable[[Tiles], int]


def out_count(tiles: Tiles) -> int:
    """The number of tiles that are not in the order 1 .. 8.

    >>> out_count(EASY_GOAL)
    4
    """
    return sum([tile not in (0, place) for place, tile in enumerate(tiles, 1)])


def _next_boards(tiles: Tiles) -> Iterator[Tiles]:
    blank = tiles.index(0)
    row, col = divmod(blank, _SIDE)
    # The last move pushed comes first: down, right, up, left.
    for is_inside, cell in (
        (row < _SIDE - 1, blank + _SIDE),
        (col < _SIDE - 1, blank + 1),
        (row > 0, blank - _SIDE),
        (col > 0, blank - 1),
    ):
        if is_inside:
            moved = list(tiles)
            moved[blank], moved[cell] = moved[cell], 0
            yield tuple(moved)


class _Expansion:
    """Extends paths by one move, but never to a board on the path."""

    def __init__(self) -> None:
        self._path: Optional[_Path] = None
        self._boards: set[Tiles] = set()

    def __call__(self, path: _Path) -> list[_Path]:
        # A path of thousands of boards is mostly extended right after it was made: then only one board is new.
        if path.parent is not None and path.parent is self._path:
            self._boards.add(path.tiles)
        else:
            self._boards = set(path.boards())
        self._path = path
        return [_Path(tiles, path) for tiles in _next_boards(path.tiles) if tiles not in self._boards]


def _search(
    start: Tiles,
    goal: Tiles,
    expand: Callable[[_Path], list[_Path]],
    combine: Callable[[list[_Path], list[_Path]], list[_Path]],
) -> Result:
    """Extend the first path of a list until it ends at the goal; `combine` inserts new paths among the others."""
    paths = [_Path(start)]
    expansions = 0
    while paths:
        first, *others = paths
        if first.tiles == goal:
            return Result(expansions, list(first.boards())[::-1])
        expansions += 1
        paths = combine(expand(first), others)
    return Result(expansions, None)


def breadth_first(start: Tiles, goal: Tiles) -> Result:
    """New paths come after all others, so the path found is a shortest one."""
    return _search(start, goal, _Expansion(), lambda new, others: others + new)


def directed_beam(start: Tiles, goal: Tiles, cost: _Cost, width: int) -> Result:
    """New paths come before all others, the cheapest first, and only the first `width` paths are kept."""
    expand = _Expansion()
    return _search(start, goal, lambda path: sorted(expand(path), key=cost), lambda new, others: (new + others)[:width])


def best_first(start: Tiles, goal: Tiles, cost: _Cost) -> Result:
    """The cheapest path comes first."""
    expand = _Expansion()

    def combine(new: list[_Path], others: list[_Path]) -> list[_Path]:
        first: dict[Tiles, _Path] = {}
        for path in _merge(_sort(new, cost), others, cost):
            first.setdefault(path.tiles, path)  # without paths whose last board also ends an earlier path
        return list(first.values())

    return _search(start, goal, expand, combine)


def a_star(start: Tiles, goal: Tiles, estimate: _Estimate = out_count) -> Result:
    """Best-first by f, which is computed for both sides of every comparison."""
    return best_first(start, goal, _f_with(estimate))


def a_star_kept(start: Tiles, goal: Tiles, estimate: _Estimate = out_count) -> Result:
    """The same search, but f is computed once per path and kept."""
    return best_first(start, goal, cache(_f_with(estimate)))


def _f_with(estimate: _Estimate) -> _Cost:
    return lambda path: sum(1 for _ in path.boards()) + estimate(path.tiles)


def _merge(new: list[_Path], others: list[_Path], cost: _Cost) -> list[_Path]:
    """Merge two sorted lists as Lisp's MERGE does: of equal paths, those of the first list come first."""
    merged, one, two = [], 0, 0
    while one < len(new) and two < len(others):
        if cost(others[two]) < cost(new[one]):
            merged.append(others[two])
            two += 1
        else:
            merged.append(new[one])
            one += 1
    return merged + new[one:] + others[two:]


def _sort(paths: list[_Path], cost: _Cost) -> list[_Path]:
    """At most four paths, sorted by merging."""
    half = (len(paths) + 1) // 2
    return paths if len(paths) < 2 else _merge(_sort(paths[:half], cost), _sort(paths[half:], cost), cost)


# ---------------------------------------------------------------- what the paper found ---


class _Run(NamedTuple):
    """A search of the paper, and its printed results."""

    case: str
    run: Callable[[], Result]
    expansions: int
    boards: Optional[int]  # of the path that it found, None if it found none
    first_boards: str  # as many of these boards as the paper prints
    note: str = ""  # why the boards differ here


_RUNS = (
    _Run(
        "breadth-first",
        lambda: breadth_first(EASY, EASY_GOAL),
        48,
        6,
        "2831647X5 2831X4765 2X3184765 X23184765 123X84765 1238X4765",
    ),
    _Run("directed beam of width 1", lambda: directed_beam(EASY, EASY_GOAL, _outs, 1), 182, None, ""),
    _Run(
        "directed beam of width 3",
        lambda: directed_beam(EASY, EASY_GOAL, _outs, 3),
        5527,
        5478,
        "2831647X5 2831X4765 28314X765 28314576X 2831457X6 2831X5746 28315X746 28315674X 2831567X4 2831X6754",
        "the printed way is of another run: no order of the moves and of ties gives both it and the 5,527",
    ),
    _Run(
        "best-first",
        lambda: best_first(EASY, EASY_GOAL, _outs),
        39,
        16,
        "2831647X5 28316475X 28316X754 2831X6754 2X3186754 X23186754 123X86754 1238X6754 1238567X4 12385674X "
        "12385X746 1238X5746 1238457X6 12384576X 12384X765 1238X4765",
    ),
    _Run("A*", lambda: a_star(EASY, EASY_GOAL), 19, 6, "2831647X5 2831X4765 2X3184765 X23184765 123X84765 1238X4765"),
    _Run(
        "best-first, harder board",
        lambda: best_first(HARD, HARD_GOAL, _outs),
        515,
        128,
        "2731648X5 273164X85 273X64185 2736X4185 2X3674185 X23674185 623X74185 6237X4185 62374X185 62374518X",
    ),
    _Run(
        "A*, harder board",
        lambda: a_star(HARD, HARD_GOAL),
        122,
        14,
        "2731648X5 2731X4865 2X3174865 X23174865 123X74865 1237X4865 12374X865 12374586X 1237458X6 123745X86 "
        "123X45786 1234X5786 12345X786 12345678X",
    ),
)

#: The profile of A* on the harder board before and after f is kept: evaluations of f, and total seconds.
_PROFILE_BOARDS = 166
_PROFILE_EVALUATIONS = (11_710, 298)
_PROFILE_SECONDS = (0.111, 0.025)
_OTHER_RUN = "the profile is of another run: 166 boards expanded, and above it are printed 122"


def reproduce(*, plots: Optional[Path], progress: Progress, repeats: int = 5) -> Iterator[Row]:
    """Run all searches of the paper, and time its change to A* `repeats` times."""
    expansions = []
    for done, run in enumerate(_RUNS):
        progress(done / len(_RUNS), run.case)
        result = run.run()
        expansions.append(result.expansions)
        yield Row(run.case, "expansions", run.expansions, result.expansions)
        if run.boards is None:
            yield Row(run.case, "goal", "not found", "not found" if result.boards is None else "found")
            continue
        boards = result.boards or []
        printed = [_tiles(text) for text in run.first_boards.split()]
        others = [number for number, (one, other) in enumerate(zip_longest(printed, boards), 1) if one != other]
        here = f"others from the {others[0]}. on" if others and others[0] <= len(printed) else "as printed"
        yield Row(run.case, "boards of the way", run.boards, len(boards))
        what = f"its first {len(printed)} boards"
        yield Row(run.case, what, "as printed", here, run.note)
    yield from _profile(repeats)
    if plots is not None:
        cases = [run.case.replace(" of", "\nof").replace(", ", ",\n") for run in _RUNS]
        marks = {"here": [run.expansions for run in _RUNS]}
        title, file = "Kantz 2005: searches of the 8-puzzle", plots / "kantz-expansions.png"
        save_bars(file, cases, {"here": expansions}, marks=marks, title=title, label="expansions")


def _profile(repeats: int) -> Iterator[Row]:
    """A* on the harder board before and after f is kept."""
    seconds = []
    names = ("f worked out at every comparison", "f kept")
    for search, name, evaluations, total in zip((a_star, a_star_kept), names, _PROFILE_EVALUATIONS, _PROFILE_SECONDS):
        case = f"A*, harder board, {name}"
        evaluated: list[Tiles] = []

        def counted(tiles: Tiles, evaluated: list[Tiles] = evaluated) -> int:
            evaluated.append(tiles)
            return out_count(tiles)

        result = search(HARD, HARD_GOAL, counted)
        seconds.append(min(timeit.repeat(partial(search, HARD, HARD_GOAL), number=1, repeat=repeats)))
        yield Row(case, "boards expanded in the profile", _PROFILE_BOARDS, result.expansions, _OTHER_RUN)
        yield Row(case, "evaluations of f", evaluations, len(evaluated), _OTHER_RUN)
        yield Row(case, "seconds", total, seconds[-1], note=f"the best of {repeats} here", is_time=True)
    published, here = (before / after for before, after in (_PROFILE_SECONDS, seconds))
    yield Row("A*, harder board", "times faster with f kept", published, here, is_time=True)


def _outs(path: _Path) -> int:
    return out_count(path.tiles)
