"""Several searches on one board, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from .._system.machine import available_memory
from .._system.quantities import count_text, format_size, size
from .._system.workers import Workers, worker_count
from ..board import Board, BoardLike, Shape
from ..board._solvability import check_solvable
from ..errors import OptionError
from ..heuristics import HeuristicLike, TableSum, heuristic
from ..heuristics._evaluation import full_name, own_goal
from ..solver import Solution
from ._algorithms import ALGORITHMS, Algorithm, algorithm_of, check_options
from ._many import is_alone, run_all
from ._options import CALLBACKS, SPECIFIC_OPTIONS, CommonFields, SearchOptions, check_names, takes_fields
from ._registering import refutation
from ._run import Search, board_and_goal

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: The default heuristics.
HEURISTICS = ("manhattan", "linear-conflict")
#: The default limit of one run.
TIME_LIMIT_S = 10.0

_MAX_MEMORY = 1024**3
_LARGEST_SMALL = 9  # cells: every search ends soon

#: Several heuristics, or one.
Heuristics = Union[Sequence[HeuristicLike], HeuristicLike]


class Run(NamedTuple):
    """One algorithm with one heuristic, by its name, or None if it does not use one."""

    algorithm: Algorithm
    heuristic: Optional[str]

    def __str__(self) -> str:
        return self.algorithm.name + (f" with {self.heuristic}" if self.heuristic else "")


def plan_runs(
    shape: Shape, *, algorithms: Optional[Sequence[str]] = None, heuristics: Optional[Heuristics] = None
) -> list[Run]:
    """Return the runs of a comparison, in order.

    Examples
    --------
    >>> print(*plan_runs((3, 3), algorithms=["mm", "bfs"], heuristics=["zero", "manhattan"]), sep="; ")
    mm with zero; mm with manhattan; breadth-first
    """
    if algorithms is None:
        small = shape[0] * shape[1] <= _LARGEST_SMALL
        algorithms = [algorithm.name for algorithm in ALGORITHMS.values() if small or algorithm.for_large]
    algorithms = [algorithms] if isinstance(algorithms, str) else algorithms
    chosen = list(dict.fromkeys(map(algorithm_of, algorithms)))
    names = _by_name(heuristics)
    if heuristics is not None and not any(algorithm.informed for algorithm in chosen):
        raise OptionError(f"heuristics: none of {', '.join(algorithm.name for algorithm in chosen)} uses one")
    runs = []
    for algorithm in chosen:
        runs += [Run(algorithm, name) for name in names] if algorithm.informed else [Run(algorithm, None)]
    return runs


def _by_name(heuristics: Optional[Heuristics]) -> dict[str, HeuristicLike]:
    """Return the heuristics of a comparison by their names; ValueError if two functions have the same name."""
    if heuristics is None:
        heuristics = HEURISTICS
    named: dict[str, HeuristicLike] = {}
    for given in [heuristics] if isinstance(heuristics, (str, TableSum)) or callable(heuristics) else heuristics:
        name = full_name(given)
        known = named.setdefault(name, given)
        if known is not given and not (isinstance(known, str) and isinstance(given, str)):
            raise OptionError(
                f"heuristics: two are called {name!r}; give one of them another name: HeuristicFunction(.., name=..)"
            )
    return named


#: The columns of numbers. "open" and "closed" are the largest sizes of these lists.
_NUMBERS = ("length", "optimal", "expanded", "generated", "open", "closed", "seconds", "memory")
_WIDTHS = (6, 7, 13, 13, 11, 11, 8, 9)


def format_row(runs: Sequence[Run], solution: Optional[Solution] = None) -> str:
    """Return the answer of one run as a line, or without one, the line above the rows of these runs.

    If no solution is known, the length is ``>=`` the proved lower bound.

    >>> runs = plan_runs((3, 3), algorithms=["ida*"], heuristics=["manhattan"])
    >>> (solution,) = compare("1 2 3/4 5 6/7 8 0", algorithms=["ida*"], heuristics=["manhattan"])
    >>> format_row(runs).split()[:4], format_row(runs, solution).split()[:4]
    (['algorithm', 'heuristic', 'length', 'optimal'], ['ida*', 'manhattan', '0', 'yes'])
    """
    cells, status = ["algorithm", "heuristic", *_NUMBERS], "status"
    if solution is not None:
        length = f">={solution.lower_bound}" if solution.length is None else str(solution.length)
        status = solution.status
        if solution.max_length is not None and not solution.optimal:
            status += f" within {count_text(solution.max_length, 'move')}"
        cells = [solution.algorithm, solution.heuristic or "-", length]
        cells.append("yes" if solution.optimal else "-" if solution.length is None else "no")
        cells += [f"{solution.expanded:,}", f"{solution.generated:,}"]
        cells += [f"{count:,}" if count else "-" for count in (solution.largest_open, solution.largest_closed)]
        cells += [f"{solution.seconds:.3f}", format_size(solution.memory_bytes) if solution.memory_bytes else "-"]
    first = max(9, *(len(run.algorithm.name) for run in runs))
    second = max(9, *(len(run.heuristic or "") for run in runs))
    numbers = [cell.rjust(width) for cell, width in zip(cells[2:], _WIDTHS)]
    return "  ".join([cells[0].ljust(first), cells[1].ljust(second), *numbers, status])


@takes_fields(CommonFields)
def compare(
    board: BoardLike,
    algorithms: Union[str, Sequence[str], None] = None,
    *,
    heuristics: Optional[Heuristics] = None,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    workers: Workers = 1,
    **fields: Unpack[CommonFields],
) -> Iterator[Solution]:
    """Run several searches on one board; `compare_many` runs them on a set of boards.

    Parameters
    ----------
    board, goal, shape
        As for `puzzle15.search`.
    algorithms : str or list of str, optional
        Names of `ALGORITHMS`. By default, all of them on boards of up to 9 cells; on larger ones, those that usually
        find a solution.
    heuristics : list, optional
        Heuristics as for `puzzle15.search`. Every search that uses a heuristic runs with each of them; by default
        `HEURISTICS`.
    workers : int or executor
        Threads, or an executor: anything with ``submit`` (see `puzzle15.dataset.connect`). Runs at the same time
        slow each other down where there are more of them than processors.
    **fields
        Fields of `SearchOptions`. Each goes to the algorithms that take it. The default limits of each run are 10
        seconds, and 1 GiB, the 256 MiB of ida*-tt, or three quarters of the available memory; `max_memory` is divided
        between the workers.
        Several workers call no function during a search.

    Returns
    -------
    iterator of Solution
        In the order of `plan_runs`. Each search runs when the iterator gets to it; several workers begin with up to
        three further ones each. `SearchBatch` makes columns of them.

    Raises
    ------
    BoardError, UnsolvableError
    ValueError
        If none of the algorithms takes an option, or if a function is to be called by several workers.
    AlgorithmError
        If a registered algorithm is wrong, also when a solution of another one refutes its lower bound.

    Examples
    --------
    >>> for solution in compare("1 2 3/0 5 6/4 7 8", algorithms=["ida*", "greedy"], heuristics=["manhattan"]):
    ...     print(solution.algorithm, solution.length, solution.generated)
    ida* 3 6
    greedy 3 6
    """
    if goal is None:
        goal = goal_of_heuristics(heuristics)
    start, end = board_and_goal(board, goal, shape)
    check_solvable(start, end)
    searches = make_searches(compare, end, algorithms, heuristics, workers, fields)
    answers = run_all(((search, [start]) for search in searches), workers)
    return _unrefuted(solution for (solution,) in answers)


def goal_of_heuristics(heuristics: Optional[Heuristics]) -> Optional[Board]:
    """Return the goal of the first heuristic that has one of its own."""
    return next(filter(None, map(own_goal, _by_name(heuristics).values())), None)


def make_searches(
    function: Callable[..., Any],
    goal: Board,
    algorithms: Union[str, Sequence[str], None],
    heuristics: Optional[Heuristics],
    workers: Workers,
    fields: Mapping[str, Any],
) -> list[Search]:
    """Return the searches of a comparison, in the order of `plan_runs`; the options are those of `compare`."""
    check_names(function, fields, CommonFields)
    named = _by_name(heuristics)
    runs = plan_runs(goal.shape, algorithms=algorithms, heuristics=heuristics)
    given = {"time_limit_s": TIME_LIMIT_S, **fields}
    chosen = [name for name in given if given[name] is not None]
    called = [name for name in chosen if name in CALLBACKS]
    if called and not is_alone(workers):
        raise OptionError(f"{called[0]}: several workers call no function; expected workers=1")
    check_options({run.algorithm for run in runs}, [name for name in chosen if name in SPECIFIC_OPTIONS])
    count = worker_count(workers)
    wanted = given.pop("max_memory", None)
    memory = min(_MAX_MEMORY * count, available_memory() // 4 * 3) if wanted is None else size("max_memory", wanted)
    used = {run.heuristic for run in runs if run.heuristic}
    made = {name: heuristic(named[name], goal=goal, tables=given.get("tables")) for name in used}
    searches = []
    for run in runs:
        own = {
            name: value for name, value in given.items() if name not in SPECIFIC_OPTIONS or run.algorithm.takes(name)
        }
        estimate = made.get(run.heuristic) if run.heuristic else None
        most = run.algorithm.default_memory if wanted is None else None
        own["max_memory"] = min(memory // count, most or memory)
        searches.append(Search(SearchOptions(algorithm=run.algorithm.name, heuristic=estimate, **own), goal))
    return searches


def _unrefuted(solutions: Iterator[Solution]) -> Iterator[Solution]:
    """Yield solutions of one board; AlgorithmError if one is shorter than the lower bound of a registered algorithm."""
    bounds: dict[str, int] = {}
    shortest = None
    for solution in solutions:
        if solution.length is not None:
            shortest = solution.length if shortest is None else min(shortest, solution.length)
        if algorithm_of(solution.algorithm).function is not None:
            bounds[solution.algorithm] = max(solution.lower_bound, bounds.get(solution.algorithm, 0))
        for name, bound in bounds.items():
            if shortest is not None and bound > shortest:
                raise refutation(name, solution.board, bound, shortest)
        yield solution
