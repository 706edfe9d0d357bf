"""Several searches on one board, side by side.

>>> for solution in compare("1 2 3/0 5 6/4 7 8", algorithms=["ida*", "greedy"], heuristics=["manhattan"]):
...     print(solution.algorithm, solution.length, solution.generated)
ida* 3 6
greedy 3 6
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from .. import parallel
from ..board import BoardLike, Shape
from ..heuristics import Heuristic, HeuristicLike, TableSum, full_name, own_goal
from ..solver import Solution
from ..system.machine import available_memory
from ..system.quantities import Size, format_size, size
from ..system.unsendable import Unsendable
from ..tables import Folder
from .algorithms import ALGORITHMS, Algorithm, algorithm_of, check_options
from .many import SearchBatch, is_alone, run_all
from .options import CALLBACKS, OF_SOME, SearchOptions
from .run import Search, board_and_goal, check_solvable, heuristic_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["HEURISTICS", "TIME_LIMIT_S", "Comparison", "Run", "compare", "format_header", "format_row", "plan_runs"]

#: The default heuristics.
HEURISTICS = ("manhattan", "linear-conflict")
#: The default limits of one run.
TIME_LIMIT_S = 10.0
MAX_MEMORY = 1024**3

_LARGEST_SMALL = 9  # cells: every search ends soon

#: The options that `compare` passes on to the searches.
_OPTIONS = {field.name for field in fields(SearchOptions)} - {"algorithm", "heuristic"}

#: Several heuristics, or one.
Heuristics = Union[Sequence[Union[HeuristicLike, Heuristic]], HeuristicLike, Heuristic]


class Run(NamedTuple):
    """One algorithm with one heuristic, by its name, or None if it does not use one."""

    algorithm: Algorithm
    heuristic: Optional[str]

    def __str__(self) -> str:
        return self.algorithm.name + (f" with {self.heuristic}" if self.heuristic else "")


def plan_runs(
    shape: Shape,
    *,
    algorithms: Optional[Sequence[str]] = None,
    heuristics: Optional[Heuristics] = None,
) -> list[Run]:
    """The runs of a comparison, in order.

    Examples
    --------
    >>> print(*plan_runs((3, 3), algorithms=["mm", "bfs"], heuristics=["zero", "manhattan"]), sep="; ")
    mm with zero; mm with manhattan; breadth-first
    """
    algorithms = [algorithms] if isinstance(algorithms, str) else algorithms
    if algorithms is None:
        small = shape[0] * shape[1] <= _LARGEST_SMALL
        algorithms = [algorithm.name for algorithm in ALGORITHMS.values() if small or algorithm.for_large]
    chosen = list(dict.fromkeys(map(algorithm_of, algorithms)))
    names = _by_name(heuristics)
    if heuristics is not None and not any(algorithm.informed for algorithm in chosen):
        raise ValueError(f"heuristics: none of {', '.join(algorithm.name for algorithm in chosen)} uses one")
    runs = []
    for algorithm in chosen:
        runs += [Run(algorithm, name) for name in names] if algorithm.informed else [Run(algorithm, None)]
    return runs


def _by_name(heuristics: Optional[Heuristics]) -> dict[str, Union[HeuristicLike, Heuristic]]:
    """The heuristics of a comparison by their names; ValueError if two functions have the same name."""
    if heuristics is None:
        heuristics = HEURISTICS
    named: dict[str, Union[HeuristicLike, Heuristic]] = {}
    for given in [heuristics] if isinstance(heuristics, (str, TableSum)) or callable(heuristics) else heuristics:
        name = given.name if isinstance(given, Heuristic) else full_name(given)
        known = named.setdefault(name, given)
        if known is not given and not (isinstance(known, str) and isinstance(given, str)):
            raise ValueError(
                f"heuristics: two are called {name!r}; give one of them another name: HeuristicFunction(.., name=..)"
            )
    return named


class Comparison(Unsendable, Iterator[Solution], instead="it searches on in this process; send a list of it"):
    """The solutions of several searches, one after the other: each search runs when the iterator comes to it.

    >>> answers = compare("1 2 3/0 5 6/4 7 8", algorithms=["ida*", "greedy"], heuristics=["manhattan"])
    >>> next(answers).algorithm
    'ida*'
    >>> answers.to_dict()["algorithm"], answers.to_structured()["length"].tolist()
    (['ida*', 'greedy'], [3, 3])
    """

    def __init__(self, answers: Iterator[Solution]) -> None:
        self._answers = answers
        self._known: list[Solution] = []

    def __next__(self) -> Solution:
        self._known.append(next(self._answers))
        return self._known[-1]

    def _all(self) -> SearchBatch:
        """Run the searches that are left."""
        self._known += self._answers
        return SearchBatch(self._known)

    def to_dict(self, *, convention: str = "tile") -> dict[str, list[Any]]:
        """Run the searches that are left, and give the fields of `Solution.to_dict` as columns, for pandas."""
        return self._all().to_dict(convention=convention)

    def to_structured(self, *, convention: str = "tile") -> NDArray[Any]:
        """The same as one structured array of numpy; see `SolutionBatch.to_structured`."""
        return self._all().to_structured(convention=convention)


#: The columns of numbers. "open" and "closed" are the largest sizes of these lists.
_NUMBERS = ("length", "optimal", "expanded", "generated", "open", "closed", "seconds", "memory")
_WIDTHS = (6, 7, 13, 13, 11, 11, 8, 9)


def format_header(runs: Sequence[Run]) -> str:
    """The line above the rows of these runs."""
    return _line(runs, ["algorithm", "heuristic", *_NUMBERS, "status"])


def format_row(runs: Sequence[Run], solution: Solution) -> str:
    """The answer of one run as a line. If no solution is known, its length is ``>=`` the proved lower bound.

    >>> runs = plan_runs((3, 3), algorithms=["ida*"], heuristics=["manhattan"])
    >>> (solution,) = compare("1 2 3/4 5 6/7 8 0", algorithms=["ida*"], heuristics=["manhattan"])
    >>> format_row(runs, solution).split()[:6]
    ['ida*', 'manhattan', '0', 'yes', '0', '0']
    """
    length = f">={solution.lower_bound}" if solution.length is None else str(solution.length)
    status = solution.status
    if solution.max_length is not None and not solution.optimal:
        status += f" within {solution.max_length} moves"
    cells = [solution.algorithm, solution.heuristic or "-", length]
    cells.append("yes" if solution.optimal else "-" if solution.length is None else "no")
    cells += [f"{solution.expanded:,}", f"{solution.generated:,}"]
    cells += [f"{count:,}" if count else "-" for count in (solution.largest_open, solution.largest_closed)]
    cells += [f"{solution.seconds:.3f}", format_size(solution.memory_bytes) if solution.memory_bytes else "-"]
    return _line(runs, [*cells, status])


def _line(runs: Sequence[Run], cells: Sequence[str]) -> str:
    first = max(9, *(len(run.algorithm.name) for run in runs))
    second = max(9, *(len(run.heuristic or "") for run in runs))
    parts = [cells[0].ljust(first), cells[1].ljust(second)]
    parts += [cell.rjust(width) for cell, width in zip(cells[2:], _WIDTHS)]
    return "  ".join([*parts, cells[-1]])


def compare(
    board: BoardLike,
    *,
    algorithms: Optional[Sequence[str]] = None,
    heuristics: Optional[Heuristics] = None,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    tables: Folder = None,
    max_nodes: Optional[int] = None,
    time_limit_s: Optional[float] = TIME_LIMIT_S,
    max_memory: Optional[Size] = None,
    workers: Any = 1,
    **options: Any,
) -> Comparison:
    """Run several searches on one board.

    Parameters
    ----------
    board : board
        Anything that `Board` takes.
    algorithms : list of str, optional
        Names of `puzzle15.searches.ALGORITHMS`. By default, all of them on boards of up to 9 cells; on larger ones,
        those that usually find a solution.
    heuristics : list, optional
        Heuristics as for `puzzle15.search`: names, functions of one's own, `Heuristic`. Every search that uses a
        heuristic runs with each of them; by default `HEURISTICS`.
    goal, shape, tables
        As for `puzzle15.search`.
    max_nodes, time_limit_s, max_memory
        The limits of each run; by default 10 seconds, and 1 GiB or three quarters of the available memory. Several
        workers divide the memory: each run has an equal share of `max_memory`, or by default 1 GiB or its share of
        three quarters of the available memory.
    workers : int or executor
        Threads, or an executor (see `puzzle15.parallel.spread`). Runs at the same time slow each other down where there
        are more of them than processors.
    **options
        Further options of `puzzle15.search`. Each goes to the algorithms that take it. `on_iteration` is called by
        ida* and iterative-deepening while they run, and `on_expand` by all. With several workers, no function is
        called.

    Returns
    -------
    Comparison
        An iterator of `Solution`, in the order of `plan_runs`. Each search runs when the iterator gets to it; several
        workers begin with up to three further ones each. Its `to_dict` and `to_structured` give all solutions as
        columns.

    Raises
    ------
    BoardError, UnsolvableError
    ValueError
        If none of the algorithms takes an option, or if a function is to be called by several workers.
    TypeError
        If `puzzle15.search` has no such option.
    """
    named = _by_name(heuristics)
    if goal is None:
        goals = [each.goal if isinstance(each, Heuristic) else own_goal(each) for each in named.values()]
        goal = next(filter(None, goals), None)
    start, end = board_and_goal(board, goal, shape)
    runs = plan_runs(start.shape, algorithms=algorithms, heuristics=heuristics)
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in _OPTIONS:
            raise TypeError(
                f"compare() has no option {name!r}; expected those of search(), and algorithms and heuristics"
            )
        if name in CALLBACKS and not is_alone(workers):
            raise ValueError(f"{name}: several workers call no function; expected workers=1")
    check_options({run.algorithm: None for run in runs}, [name for name in given if name in OF_SOME])
    check_solvable(start, end)
    count = parallel.worker_count(workers)
    if max_memory is None:
        most = min(MAX_MEMORY * count, available_memory() // 4 * 3)
    else:
        most = size("max_memory", max_memory)
    given.update(tables=tables, max_nodes=max_nodes, time_limit_s=time_limit_s, max_memory=most // count)
    made: dict[str, Heuristic] = {}
    searches = []
    for run in runs:
        if run.heuristic is not None and run.heuristic not in made:
            made[run.heuristic] = heuristic_for(named[run.heuristic], end, tables)
        own = {name: value for name, value in given.items() if name not in OF_SOME or run.algorithm.takes(name)}
        used = None if run.heuristic is None else made[run.heuristic]
        searches.append(Search(SearchOptions(algorithm=run.algorithm.name, heuristic=used, **own), end))
    answers = run_all(((search, [start]) for search in searches), workers)
    return Comparison(solution for (solution,) in answers)
