"""J. Kantz, "Optimizing search: the 8 puzzle" (2005).

The paper develops a program in Common Lisp step by step and prints its output. The searches differ only in where they
insert new paths into the list of open paths, so the order of every list matters. searches/examples/path_list.py has the
program, and says how it orders. `out_count` counts the tiles that are not in the order 1, 2, .. 8, whatever the goal
is, and g counts the boards of a path, including the start.

With these rules every count of the sample runs comes out. Two printouts belong to other runs than the counts beside
them:

* The path of the beam of width 3. 24 orders of the moves, each with all 768 rules for the order of two or three boards
  of which some are equal, were tried. None of these 18,432 programs gives this path and 5,527 expansions.
* The profile of A*. It counts 166 calls of NEXT-BOARDS, one per expansion, and above it are printed 122 expansions.

The searches can be run by name, with any heuristic: `kantz-breadth-first`, `kantz-depth-first`, `kantz-beam`,
`kantz-best-first` and `kantz-a*`. The undirected beam is `kantz-beam` with the heuristic `zero`, and the paper's
hill-climbing is the beam of width 1. `beam` and `hill-climbing` of this package are other algorithms: `beam` keeps the
best boards of each depth, and `hill-climbing` stops where no child is better.

>>> from puzzle15 import search as search_by_name
>>> found = search_by_name(EASY, "kantz-beam", goal=EASY_GOAL, width=3, heuristic=out_counts)
>>> found.expanded, found.length
(5527, 5477)
"""

from __future__ import annotations

import timeit
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple, Optional

from .._pictures.figures import save_bars
from .._system.lazy import np
from ..board import Board
from ..heuristics import check_heuristic
from ..searches.examples import path_list
from ..solver import Solver
from ._reproduction import Progress, Row, Value, claim

#: Nine tiles, row by row; 0 is the blank.
Tiles = tuple[int, ...]


def _tiles(text: str) -> Tiles:
    return tuple(0 if digit == "X" else int(digit) for digit in text)


#: The first and the second example of the paper.
EASY, EASY_GOAL = _tiles("2831647X5"), _tiles("1238X4765")
HARD, HARD_GOAL = _tiles("2731648X5"), _tiles("12345678X")

_SIDE = 3


def out_count(tiles: Tiles) -> int:
    """Return the number of tiles that are not in the order 1 .. 8.

    >>> out_count(EASY_GOAL)
    4
    """
    return sum([tile not in (0, place) for place, tile in enumerate(tiles, 1)])


def out_counts(boards: Any) -> Any:
    """Return the same for an array of boards: a heuristic for ``--heuristic puzzle15.papers.kantz2005:out_counts``."""
    return ((boards != 0) & (boards != np.arange(1, boards.shape[1] + 1))).sum(axis=1)


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


def _extension() -> Callable[[path_list.Path], list[path_list.Path]]:
    """Return a function that extends paths by one move, but never to a board on the path."""
    boards_of = path_list.BoardsOfPath()

    def expand(path: path_list.Path) -> list[path_list.Path]:
        on_path = boards_of(path)
        return [path_list.Path(tiles, path) for tiles in _next_boards(path.board) if tiles not in on_path]

    return expand


def search(
    start: Tiles,
    goal: Tiles,
    combine: path_list.Combine,
    expand: Optional[Callable[[path_list.Path], list[path_list.Path]]] = None,
) -> path_list.Result:
    """Run a search of the paper, perhaps with another `expand`, which counts."""
    return path_list.extend(path_list.Path(start), goal, expand or _extension(), combine)


def _outs(path: path_list.Path) -> int:
    return out_count(path.board)


def _f(path: path_list.Path) -> int:
    return path.length + out_count(path.board)


def _f_of_goal(path: path_list.Path) -> int:
    return path.length + sum([tile not in (0, there) for tile, there in zip(path.board, EASY_GOAL)])


# ---------------------------------------------------------------- what the paper found ---

_BEGINS = "2831647X5 2831X4765 2X3184765 X23184765 123X84765 1238X4765"


class _Run(NamedTuple):
    """A search of the paper, and its printed results."""

    case: str
    ends: tuple[Tiles, Tiles]
    combine: path_list.Combine
    expansions: Optional[int]
    boards: Value  # of the path that it found
    first_boards: str = ""  # as many of these boards as the paper prints
    moves: Optional[int] = None  # that the path has by the text
    cause: str = ""  # why the boards differ here

    def run(self) -> path_list.Result:
        return search(*self.ends, self.combine)


_EASY, _HARD = (EASY, EASY_GOAL), (HARD, HARD_GOAL)
_RUNS = (
    _Run("breadth-first", _EASY, path_list.breadth_first, 48, 6, _BEGINS),
    _Run("depth-first", _EASY, path_list.depth_first, None, None),
    _Run("undirected beam of width 1", _EASY, path_list.beam(1, lambda path: 0), None, "not found"),
    _Run("directed beam of width 1", _EASY, path_list.beam(1, _outs), 182, "not found"),
    _Run(
        "directed beam of width 3",
        _EASY,
        path_list.beam(3, _outs),
        5527,
        5478,
        "2831647X5 2831X4765 28314X765 28314576X 2831457X6 2831X5746 28315X746 28315674X 2831567X4 2831X6754",
        5478,
        "of 18,432 orders of the moves and of equal boards, none gives both this path and the 5,527 expansions",
    ),
    _Run(
        "best-first",
        _EASY,
        path_list.best_first(_outs),
        39,
        16,
        "2831647X5 28316475X 28316X754 2831X6754 2X3186754 X23186754 123X86754 1238X6754 1238567X4 12385674X "
        "12385X746 1238X5746 1238457X6 12384576X 12384X765 1238X4765",
    ),
    _Run("A*", _EASY, path_list.best_first(_f), 19, 6, _BEGINS),
    _Run("depth-first, harder board", _HARD, path_list.depth_first, None, None),
    _Run(
        "best-first, harder board",
        _HARD,
        path_list.best_first(_outs),
        515,
        128,
        "2731648X5 273164X85 273X64185 2736X4185 2X3674185 X23674185 623X74185 6237X4185 62374X185 62374518X",
        128,
    ),
    _Run(
        "A*, harder board",
        _HARD,
        path_list.best_first(_f),
        122,
        14,
        "2731648X5 2731X4865 2X3174865 X23174865 123X74865 1237X4865 12374X865 12374586X 1237458X6 123745X86 "
        "123X45786 1234X5786 12345X786 12345678X",
    ),
)

#: The calls of functions that the profile of A* on the harder board counts; F before f is kept, the others afterwards.
_PROFILE = {
    "F": 11_710,
    "PATH-F": 11_710,
    "NEXT-BOARDS": 166,
    "TREE-SEARCH": 167,
    "SWAP": 463,
    "MAKE-PATH": 298,
    "OUT-COUNT": 298,
    "PATH-MEMBER": 2_489,
    "PATH-STATE": 961_490,
}
#: Its seconds before and after.
_SECONDS = (0.111, 0.025)


def reproduce(*, plots: Optional[Path], progress: Progress, repeats: int = 5) -> Iterator[Row]:
    """Run all searches of the paper, and time its change to A* `repeats` times."""
    results = {}
    for done, run in enumerate(_RUNS):
        progress(done / len(_RUNS), run.case)
        results[run.case] = result = run.run()
        yield Row(run.case, "expansions", run.expansions, result.expansions)
        boards = result.boards
        yield Row(run.case, "boards of the way", run.boards, len(boards) or "not found")
        if run.moves:
            cause = f"by the printed (length *), the path has {len(boards):,} boards, the start included"
            yield Row(run.case, "moves", run.moves, len(boards) - 1, cause)
        if run.first_boards:
            printed = [_tiles(text) for text in run.first_boards.split()]
            others = [number for number, (one, other) in enumerate(zip_longest(printed, boards), 1) if one != other]
            here = f"others from the {others[0]}. on" if others and others[0] <= len(printed) else "as printed"
            yield Row(run.case, f"its first {len(printed)} boards", "as printed", here, run.cause)
    yield from _claims(results)
    yield from _profile(repeats)
    if plots is not None:
        cases = [run.case.replace(" of", "\nof").replace(", ", ",\n").replace("cted ", "cted\n") for run in _RUNS]
        found = {"here": [result.expansions for result in results.values()]}
        marks = {"here": [run.expansions for run in _RUNS]}
        title, file = "Kantz 2005: searches of the 8-puzzle", plots / "kantz-expansions.png"
        save_bars(file, cases, found, marks=marks, title=title, label="expansions")


def _claims(results: dict[str, path_list.Result]) -> Iterator[Row]:
    """Yield what the paper says of A* and of its heuristic."""
    for board, (start, goal) in (("", _EASY), (", harder board", _HARD)):
        a_star, best = results[f"A*{board}"], results[f"best-first{board}"]
        (tried,) = check_heuristic(out_counts, goal=Board(goal), claims=["admissible"], time_limit_s=None).trials
        what = "fewer expansions than best-first, and a shortest path"
        is_shortest = len(a_star.boards) - 1 == Solver(goal=Board(goal)).distance(start)
        is_true = is_shortest and a_star.expansions < best.expansions
        yield claim(f"A*{board}", what, is_true)
        cause = f"out-count ignores the goal, and is {tried.goal_h} where the distance is 0"
        yield Row(f"goal of A*{board}", "boards whose out-count exceeds h*", 0, tried.overestimate_count, cause)
    by_breadth, by_f, by_goal = (
        _expanded(combine)
        for combine in (path_list.breadth_first, path_list.best_first(_f), path_list.best_first(_f_of_goal))
    )
    cause = (
        "its out-count is 3, and that of the goal is 4; with tiles counted that are not where the goal has them, A* "
        f"expands {len(by_goal)} boards, and {len(by_goal - by_breadth)} others"
    )
    yield Row("A*", "boards that breadth-first does not expand", 0, len(by_f - by_breadth), cause)


def _expanded(combine: path_list.Combine) -> set[Tiles]:
    """Return the boards that a search expands on the easy board."""
    extend, boards = _extension(), set()

    def expand(path: path_list.Path) -> list[path_list.Path]:
        boards.add(path.board)
        return extend(path)

    search(EASY, EASY_GOAL, combine, expand)
    return boards


def _profile(repeats: int) -> Iterator[Row]:
    """Yield rows of A* on the harder board before and after f is kept: calls of functions, and seconds."""
    case = "A*, harder board, profile"
    calls, old_first = _count_calls(), _count_calls(old_first=True)
    for name, count in _PROFILE.items():
        cause = (
            "122 expansions are printed above this profile, which counts 166 calls of NEXT-BOARDS, one per expansion; "
            f"old paths first at ties: {old_first[name]:,}"
        )
        yield Row(case, f"calls of {name}", count, calls[name], cause)
    seconds = []
    costs: dict[str, Callable[[], path_list.Cost]] = {
        "computed at every comparison": lambda: _f,
        "kept": lambda: cache(_f),
    }
    for (name, cost), published in zip(costs.items(), _SECONDS):
        times = timeit.repeat(partial(_solve_hard, cost), number=1, repeat=repeats)
        seconds.append(min(times))
        yield Row(
            f"A*, harder board, f {name}",
            "seconds",
            published,
            seconds[-1],
            note=f"the best of {repeats} here",
            is_time=True,
        )
    published, here = (before / after for before, after in (_SECONDS, seconds))
    yield Row("A*, harder board", "times faster with f kept", published, here, is_time=True)


def _solve_hard(cost: Callable[[], path_list.Cost]) -> None:
    search(*_HARD, path_list.best_first(cost()))


def _count_calls(old_first: bool = False) -> Counter[str]:
    """The calls of the paper's functions while A* solves the harder board, perhaps with old paths first at ties."""
    calls: Counter[str] = Counter({"TREE-SEARCH": 1, "MAKE-PATH": 1})  # the last call, and the start
    extend = _extension()

    def key(path: path_list.Path) -> int:
        calls.update(["F", "PATH-F"])
        return _f(path)

    def expand(path: path_list.Path) -> list[path_list.Path]:
        boards = [each.board for each in path.back()]
        for tiles in _next_boards(path.board):
            asked = boards.index(tiles) + 1 if tiles in boards else len(boards)
            calls.update({"SWAP": 1, "PATH-MEMBER": asked, "PATH-STATE": asked})
        new = extend(path)
        calls.update({"NEXT-BOARDS": 1, "TREE-SEARCH": 1, "MAKE-PATH": len(new), "OUT-COUNT": len(new)})
        return new

    def combine(new: Sequence[path_list.Path], others: path_list.Paths) -> path_list.Paths:
        new = path_list.sort(new, key)
        merged = path_list.merge(others, new, key) if old_first else path_list.merge(new, others, key)
        kept = path_list.distinct(merged)
        # DELETE-DUPLICATES compares each path with those before it that stay, up to an equal one.
        places = {path.board: place for place, path in enumerate(kept)}
        compared = sum(places[path.board] for path in merged) + len(merged) - len(kept)
        calls["PATH-STATE"] += 2 * compared
        return kept

    search(*_HARD, combine, expand)
    calls["PATH-STATE"] += calls["TREE-SEARCH"] + calls["NEXT-BOARDS"]
    return calls
