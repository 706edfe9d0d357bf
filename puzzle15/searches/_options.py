"""`SearchOptions`: the options of a search, which are checked, and translated for its kernel."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from inspect import Parameter, signature
from typing import Any, Optional, TypedDict, TypeVar, Union

from .._core.search.searches import MAX_BOUND, MAX_EXPANDED, MAX_PARTS, MAX_TIES, MAX_WEIGHT, MAX_WIDTH
from .._system.keywords import unknown_keyword
from .._system.quantities import Size, check_choice, flag, ratio, seconds, size, whole
from ..board import Board, farthest
from ..board._moves import MOVE_ORDER, order_of
from ..errors import OptionError
from ..heuristics import HeuristicLike
from ..solver import Improvement, Iteration
from ..tables._folder import Folder
from ._algorithms import ALGORITHMS, PRIORITIES, TIES, Algorithm, Priority, Ties, algorithm_of, check_options
from ._expansions import Expansion
from ._priorities import priority_rows

assert len(TIES) == MAX_TIES + 1

_MAX_DENOMINATOR = 10**6

#: What may be given as the weight of h.
Weight = Union[int, float, str, Fraction]

Function = TypeVar("Function", bound=Callable[..., Any])

#: The options that not every algorithm takes.
SPECIFIC_OPTIONS = ("heuristic", *dict.fromkeys(option for kind in ALGORITHMS.values() for option in kind.options))
#: The functions that are called during a search.
CALLBACKS = ("on_iteration", "on_improvement", "on_expand")


@dataclass(frozen=True)
class SearchOptions:
    """The options of `puzzle15.search`, which are checked when they are put together.

    Parameters
    ----------
    algorithm : str
        A name of `ALGORITHMS`, in upper or lower case, or a short one (``bfs``, ``dfs``, ``gbfs``, ``awa*``,
        ``bfhs``). ``astar`` means ``a*``, because shells expand the star.
    heuristic : str, callable, list of these, or Heuristic, optional
        What `puzzle15.heuristics.heuristic` takes; by default ``"manhattan"``. For many boards with one goal, make a
        `Heuristic` once and pass it to each search.
    ties : {"fifo", "lifo", "larger-g"}, optional
        Which of several equally good nodes is expanded first: the one made first, the one made last, or the one with
        the largest g (of several, the one made last). By default ``"larger-g"``, or ``"fifo"`` where the order is by h
        alone, which finds shorter solutions.
    move_order : str
        The blank's directions in the order in which children are made.
    weight : number, optional
        The weight of h (of ara*: in the first round), by default 2: any number of at least 1, such as 1.333 or "4/3",
        in anytime searches one of up to four digits.
    priority : {"linear", "xdp", "xup"}, optional
        What weighted-a* compares: g + weight h (the default), or a curve between the same ends, by which solutions are
        at most `weight` times as long, too. The guide's page "Beyond A*" has the formulas.
    weight_step : number, optional
        What the weight of ara* loses after each round, until it is 1; by default 0.2.
    width : int, optional
        How many boards of each depth a beam keeps; by default 100, and 1000 in a beam stack. In kantz-beam it is the
        number of open paths, by default 1.
    max_length : int, optional
        The most moves that depth-first makes, which is its depth limit. By default, on boards of up to 9 cells, the
        distance of the farthest board of the shape; for larger boards, there is no default.
    batch : int, optional
        How many nodes are expanded at once, 1 .. 16384; by default 1, or the batch of your own heuristic. Their
        children are evaluated together, which is faster with functions and with large networks.
    prove : bool
        Whether to prove a solution optimal, or replace it by an optimal one: IDA* with the best installed tables, or
        with small ones in memory, searches for a shorter solution. Counts, seconds and limits cover both searches.
    counts : bool
        Whether to count the nodes by layer, in `Solution.counts`, which takes hardly any time. Algorithms that were
        registered have such counts if they report each expansion by `Progress.expand`.
    tables : path, optional
        The folder of the tables, for heuristics that need them and for `prove`.
    max_nodes : int, optional
        Stop when this many nodes have been generated.
    time_limit_s : float, optional
        Stop after this many seconds; infinity means no limit.
    max_memory : int or str, optional
        The bytes that nodes may take, as a number or as text such as ``"1G"``; by default three quarters of the
        available memory. sma* forgets nodes to stay below it; of ida*-tt, it is the size of the table, by default
        256 MiB at most.
    on_iteration : callable, optional
        Called with an `Iteration` when each one is finished.
    on_improvement : callable, optional
        Called with an `Improvement` whenever there is a better solution, or a better proof of how good it is. If it
        returns False, the search ends with what it has, as at a limit.
    on_expand : callable, optional
        Called with an `Expansion` for each node at its turn, in the order of the search. As soon as it returns False,
        the search goes on without it, at full speed. `SearchTree.add` collects expansions.

    Examples
    --------
    >>> SearchOptions(algorithm="A star", max_memory="1G").max_memory
    1073741824
    >>> SearchOptions(algorithm="a*", max_length=5)
    Traceback (most recent call last):
        ...
    puzzle15.errors.OptionError: max_length: a* does not use it; depth-first does
    """

    algorithm: str = "a*"
    heuristic: Optional[HeuristicLike] = None
    ties: Optional[Ties] = None
    move_order: str = MOVE_ORDER
    weight: Optional[Weight] = None
    priority: Optional[Priority] = None
    weight_step: Optional[Weight] = None
    width: Optional[int] = None
    max_length: Optional[int] = None
    batch: Optional[int] = None
    prove: bool = False
    counts: bool = False
    tables: Folder = None
    max_nodes: Optional[int] = None
    time_limit_s: Optional[float] = None
    max_memory: Optional[Size] = None
    on_iteration: Optional[Callable[[Iteration], Any]] = None
    on_improvement: Optional[Callable[[Improvement], Any]] = None
    on_expand: Optional[Callable[[Expansion], Any]] = None

    #: The algorithm of this name.
    kind: Algorithm = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kind = algorithm_of(self.algorithm)
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "algorithm", kind.name)
        given = [name for name in SPECIFIC_OPTIONS if getattr(self, name) is not None]
        check_options([kind], [*given, *["move_order"] * (self.move_order != MOVE_ORDER)])
        if self.ties is not None:
            check_choice("ties", self.ties, TIES)
        if self.priority is not None:
            check_choice("priority", self.priority, PRIORITIES)
        order_of(self.move_order)
        for name, check in CHECKS.items():
            if getattr(self, name) is not None:
                object.__setattr__(self, name, check(name, getattr(self, name)))

    def for_kernel(self, goal: Board) -> dict[str, Any]:
        """Return what the kernel takes besides limits; ValueError if the shape of the goal needs an option."""
        kind = self.kind
        given = {name: getattr(self, name) for name in kind.options}
        own = {name: default if given[name] is None else given[name] for name, default in kind.options.items()}
        made = dict(kind.settings)
        if kind.function is not None:
            made.update((name, value) for name, value in own.items() if name not in CALLBACKS)
            own = {}
        made.update((name, own[name]) for name in ("width", "batch") if name in own)
        if "ties" in own:
            made["ties"] = TIES.index(own["ties"])
        if "weight" in own:
            made["h_weight"], made["g_weight"] = own["weight"].as_integer_ratio()
        if own.get("priority", "linear") != "linear" or ("priority" in own and made["h_weight"] > MAX_WEIGHT):
            made.update(priority_rows(own["priority"], own["weight"]))
        if "weight_step" in own:
            step = _weight("weight_step", own["weight_step"])
            made["h_step"] = step.numerator * made["g_weight"]
            made["g_weight"] *= step.denominator
            made["h_weight"] *= step.denominator
        if kind.kernel == "anytime" and made["h_weight"] > MAX_PARTS:
            given_step = f" and the step {own['weight_step']}" if "weight_step" in own else ""
            raise OptionError(f"weight {own['weight']}{given_step}: {kind.name} takes up to four digits, such as 1.333")
        if "max_length" in own:
            made["first_bound"] = made["last_bound"] = _depth_limit(goal, own["max_length"])
        if "below" in made:
            made["below"] = farthest(goal.shape, goal.blank) + 1
        if self.on_iteration is not None:
            call = self.on_iteration
            made["on_iteration"] = lambda *counts: call(Iteration(*counts))
        return made


class CommonFields(TypedDict, total=False):
    """The fields of `SearchOptions` that `compare` takes by name; a test holds that they are all here."""

    ties: Optional[Ties]
    move_order: str
    weight: Optional[Weight]
    priority: Optional[Priority]
    weight_step: Optional[Weight]
    width: Optional[int]
    max_length: Optional[int]
    batch: Optional[int]
    prove: bool
    counts: bool
    tables: Folder
    max_nodes: Optional[int]
    time_limit_s: Optional[float]
    max_memory: Optional[Size]
    on_iteration: Optional[Callable[..., Any]]
    on_improvement: Optional[Callable[..., Any]]
    on_expand: Optional[Callable[[Expansion], Any]]


class SearchFields(CommonFields, total=False):
    """The fields that `search` and `search_many` take by name: those of one search."""

    algorithm: str
    heuristic: Optional[HeuristicLike]


def takes_fields(names: type) -> Callable[[Function], Function]:
    """Decorate a function that takes these fields as ``**fields``: its signature, and so its help, lists them."""

    def decorate(function: Function) -> Function:
        fields = signature(SearchOptions).parameters.values()
        shown = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in fields if each.name in names.__annotations__]
        own = signature(function)
        kept = [each for each in own.parameters.values() if each.kind != Parameter.VAR_KEYWORD]
        function.__signature__ = own.replace(parameters=[*kept, *shown])  # type: ignore[attr-defined]
        return function

    return decorate


def options_of(
    function: Callable[..., Any], given: Union[SearchOptions, str, None], fields: Mapping[str, Any]
) -> SearchOptions:
    """Return the options of `search` or `search_many`, given as such or as an algorithm; fields replace theirs."""
    check_names(function, fields, SearchFields)
    if given is None or isinstance(given, str):
        return SearchOptions(**fields) if given is None else SearchOptions(given, **fields)
    if not isinstance(given, SearchOptions):
        raise TypeError(f"options {given!r}: expected SearchOptions, or an algorithm's name; write a goal as goal=..")
    return replace(given, **fields)


def check_names(function: Callable[..., Any], fields: Mapping[str, Any], known: type) -> None:
    """Raise TypeError, with what is meant, for a keyword of a function that is not among these fields."""
    for name in fields.keys() - known.__annotations__.keys():
        raise unknown_keyword(function, name)


def _depth_limit(goal: Board, given: Optional[int]) -> int:
    if given is not None:
        return given
    rows, cols = goal.shape
    if rows * cols > 9:
        raise OptionError(f"max_length: depth-first needs one on a {rows}x{cols} board")
    return farthest(goal.shape, 0)


def _weight(name: str, given: Weight) -> Fraction:
    """Return a weight or a step of weights as a fraction; 1.2 is 6/5, although the float 1.2 is not exactly that."""
    near = ratio(given, MAX_WEIGHT) or ratio(given, _MAX_DENOMINATOR)
    least, expected = (1, "a number of at least 1") if name == "weight" else (Fraction(1, 10**9), "a positive number")
    if near is None or not least <= near <= MAX_PARTS:
        raise OptionError(f"{name} {given!r}: expected {expected}, up to {MAX_PARTS}, such as 1.25 or 4/3")
    return near


#: What options must be: each takes a name and a value, and returns the value as searches use it.
CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "weight": _weight,
    "weight_step": _weight,
    "width": lambda name, given: whole(name, given, 1, MAX_WIDTH),
    "max_length": lambda name, given: whole(name, given, 0, MAX_BOUND),
    "batch": lambda name, given: whole(name, given, 1, MAX_EXPANDED),
    "prove": flag,
    "counts": flag,
    "max_nodes": whole,
    "time_limit_s": seconds,
    "max_memory": lambda name, given: min(size(name, given), sys.maxsize),
}
