"""`register`, which makes a function an algorithm, and `Progress`, which it calls during its search."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from reprlib import repr as shorten
from typing import TYPE_CHECKING, Any, Optional, TypeVar, get_args

from .._core.search.searches import FATES, MAX_G
from .._system.lazy import np
from .._system.quantities import check_choice, plain_name, whole
from .._system.sendable import PicklableCallable
from .._system.threads import check_stop
from .._system.unsendable import Unsendable
from ..board import Board, farthest, parse_moves
from ..board._moves import directions_from_moves
from ..errors import AlgorithmError, BoardError, OptionError, Puzzle15Error, add_note
from ..heuristics import Heuristic
from ._algorithms import ALGORITHMS, EXAMPLES, Algorithm, Compared, Memory, Shortest, make_known
from ._expansions import Recorder
from ._options import CALLBACKS, CHECKS, SPECIFIC_OPTIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OPTIONS = ("move_order", *(name for name in SPECIFIC_OPTIONS if name != "heuristic"))
#: The attribute of a function that has the name of its algorithm.
REGISTERED = "registered_algorithm"
#: The counts of a `Solution`.
COUNTS = ("expanded", "generated", "largest_open", "largest_closed", "memory_bytes")
_MOST_LAYERS = MAX_G + 256

_Function = TypeVar("_Function", bound=Callable[..., Any])


def register(
    *,
    name: Optional[str] = None,
    summary: str = "",
    options: Optional[Mapping[str, Any]] = None,
    f: Compared = "g + h",
    shortest: Shortest = "no",
    remembers: Memory = "every board",
) -> Callable[[_Function], _Function]:
    """Return a decorator that makes a function an algorithm, which is then found by its name like those of the package.

    The function is called as ``function(start, goal, heuristic, progress, **options)`` with two `Board`, a `Heuristic`
    to the goal (``heuristic.toward(start)`` is one to the start), and a `Progress`. It returns the moves of the tiles
    as text, such as ``"URDL"``, or None if it gives up. The answer is replayed. `register` returns the function as it
    is.

    Parameters
    ----------
    name : str, optional
        By default, the name of the function. Registering it again replaces the function.
    summary : str
        What it does, in one line that begins with a verb.
    options : mapping, optional
        The fields of `SearchOptions` that it takes, and their defaults. They are keywords of the function, except
        ``on_iteration`` and ``on_improvement``, which `Progress` calls. For other settings, register a
        `functools.partial` of the function under a name of its own.
    f : {"g", "h", "g + h", "g + weight h"}
        What it compares. With ``"g"`` it takes no heuristic, and is given one whose values are 0.
    shortest : {"yes", "if h is admissible", "if h is consistent", "no"}
        When its solutions are shortest ones. ``"yes"`` counts with an admissible heuristic, or with none.
    remembers : {"every board", "every board that it kept", "as many boards as fit", "a table", "two depths", \
"width boards of each depth", "one path", "one path and its siblings"}
        What it remembers. Those that remember one path take no `max_memory`.

    Raises
    ------
    ValueError
        If the name belongs to another algorithm, or a value is not possible.

    Examples
    --------
    >>> from puzzle15 import search
    >>> @register(name="always-left", summary="move the blank to the right until it is at the edge")
    ... def always_left(start, goal, heuristic, progress):
    ...     moves = ""
    ...     while start != goal and "L" in start.legal_moves():
    ...         start, moves = start.move("L"), moves + "L"
    ...         progress(expanded=len(moves), generated=len(moves))
    ...     return moves if start == goal else None
    >>> solution = search("1 2 3/4 5 6/0 7 8", algorithm="always-left")
    >>> solution.moves, solution.optimal, solution.expanded, search("1 2 0/4 5 3/7 8 6", algorithm="always-left").status
    ('LL', True, 2, 'failed')
    """

    def enter(function: _Function) -> _Function:
        if not callable(function):
            raise TypeError(f"algorithm {function!r}: expected a function")
        called = name or plain_name(getattr(function, "__name__", type(function).__name__))
        inner = function.func if isinstance(function, partial) else function
        where = f"{inner.__module__}.{getattr(inner, '__qualname__', type(inner).__name__)}"
        _check_name(called, where)
        claims: dict[str, Any] = {"options": taken, "f": f, "shortest": shortest, "memory": remembers}
        given = PicklableCallable(function, f"algorithm {called!r}")
        identity = where, os.urandom(8).hex()
        make_known(Algorithm(called, summary, "", **claims, for_large=True, function=given, identity=identity))
        with suppress(AttributeError, TypeError):  # a method of an object, a type of Python's
            setattr(function, REGISTERED, called)
        return function

    taken = dict(options or {})
    wrong = [option for option in taken if option not in _OPTIONS]
    if wrong:
        raise OptionError(
            f"option {wrong[0]!r}: expected some of {', '.join(_OPTIONS)}; for a setting of its own, register a "
            "functools.partial of the function under another name"
        )
    checked = [option for option in taken if option in CHECKS and taken[option] is not None]
    taken.update((option, CHECKS[option](option, taken[option])) for option in checked)
    for claim, given, kind in (("f", f, Compared), ("shortest", shortest, Shortest), ("remembers", remembers, Memory)):
        check_choice(claim, given, get_args(kind))
    if "weight" in f and "weight" not in taken:
        raise OptionError(f"f {f!r}: the option weight is missing; expected options={{'weight': 2}}, for example")
    return enter


def _check_name(name: str, where: str) -> None:
    """Raise ValueError if an algorithm from elsewhere has the name, or if it has spaces or commas."""
    if not re.fullmatch(r"[^\s,]+", name):
        raise OptionError(f"algorithm {name!r}: expected a name without spaces and commas")
    for kind in ALGORITHMS.values():
        if plain_name(name) in (plain_name(kind.name), *kind.short) and kind.identity[0] != where:
            owner = kind.identity[0] or "puzzle15"
            raise OptionError(f"algorithm {name!r}: {owner} has one of this name; expected another name")
    if plain_name(name) in EXAMPLES and not where.startswith(f"puzzle15.searches.{EXAMPLES[plain_name(name)]}."):
        raise OptionError(f"algorithm {name!r}: puzzle15 has one of this name; expected another name")


class _Ended(BaseException):
    """A limit ends a search. It is not an `Exception`, so no function handles it as an error."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress


class Progress(Unsendable, instead="it belongs to one search"):
    """The progress of a registered algorithm, which calls it as it searches; at a limit, the call ends the search.

    Call it every few milliseconds, with the totals so far; what is left out stays as it was. A call takes some
    microseconds. It also ends the search at Ctrl-C, and when nobody waits for the answer any more: it raises what is
    not an `Exception`. Limits cannot stop a function that never calls it.

    Attributes
    ----------
    max_memory : int or None
        The most bytes that the nodes may take. A function that reports more is ended.
    traced : bool
        Whether `on_expand` was given; if not, `expand` only counts.

    Examples
    --------
    >>> from puzzle15 import search
    >>> @register(name="give-up")
    ... def give_up(start, goal, heuristic, progress):
    ...     for count in range(1, 1000):
    ...         progress(expanded=count, generated=3 * count, lower_bound=heuristic(start), open=2 * count)
    >>> solution = search("8 6 7/2 5 4/3 0 1", algorithm="give-up", max_nodes=100)
    >>> solution.status, solution.lower_bound, solution.expanded, solution.generated, solution.largest_open
    ('limit', 21, 34, 102, 68)
    """

    def __init__(self, algorithm: Algorithm, start: Board, heuristic: Heuristic, given: Mapping[str, Any]) -> None:
        self.max_memory, self.traced = given.get("max_bytes"), given["on_expand"] is not None
        self._best: Optional[str] = None
        self._lower_bound = 0
        self._iterations: list[tuple[int, int, int]] = []
        self._counts = dict.fromkeys(COUNTS, 0)
        self._told = [0, 0]  # what `expand` has counted
        self._to_first = self._to_best = 0
        # By f and by g: [side, layer, whether these are generated nodes]
        self._layers = np.zeros((2, 2, _MOST_LAYERS, 2), dtype=np.uint64) if given["counts"] else None
        self._given, self._name, self._start, self._goal = given, algorithm.name, start, heuristic.goal
        self._farthest = farthest(start.shape, self._goal.blank)
        self._proves = not algorithm.informed or heuristic.admissible
        self._promises = algorithm.promises(heuristic)

    def __call__(
        self,
        *,
        expanded: Optional[int] = None,
        generated: Optional[int] = None,
        lower_bound: Optional[int] = None,
        open: Optional[int] = None,
        closed: Optional[int] = None,
        memory_bytes: Optional[int] = None,
    ) -> None:
        """Report how far the search is, and end it at a limit.

        Parameters
        ----------
        expanded, generated : int, optional
            Nodes whose children were made; children made and evaluated.
        lower_bound : int, optional
            No solution but those that were found is shorter, if the heuristic is admissible. The largest one counts.
        open, closed : int, optional
            Nodes in these lists now.
        memory_bytes : int, optional
            What the nodes take now.

        Raises
        ------
        ValueError
            If one is not a whole number of at least 0.
        AlgorithmError
            If the lower bound cannot be true.
        """
        for name, count in zip(COUNTS, (expanded, generated, open, closed, memory_bytes)):
            if count is not None:
                self._counts[name] = max(self._counts[name], whole(name, count))
        if lower_bound is not None and self._proves:
            bound = whole("lower_bound", lower_bound)
            self._lower_bound = max(self._lower_bound, bound if self._best is None else min(bound, len(self._best)))
            self._check_bound()
        check_stop()
        limits = (self._counts["generated"], self._given["max_nodes"]), (time.monotonic(), self._given["deadline"])
        too_much = self.max_memory is not None and self._counts["memory_bytes"] > self.max_memory
        if too_much or any(limit is not None and now >= limit for now, limit in limits):
            raise _Ended(self)

    def found(self, moves: str) -> None:
        """Hand over a solution and go on; it is the answer if a limit ends the search, or if the function returns None.

        With the option ``on_improvement``, this calls that function of the caller's.

        Raises
        ------
        AlgorithmError
            If the moves do not solve the board, or refute the lower bound.
        """
        call = self._given.get("on_improvement")
        if self._keep(moves) and call is not None:
            directions, counts = directions_from_moves(self._best or ""), list(self._counts.values())[:2]
            if call(directions, self._lower_bound, 0, *counts) is False:
                raise _Ended(self)

    def finish_iteration(self, bound: int) -> None:
        """Report the end of an iteration with a bound on f; its nodes are those since the last one."""
        before = [sum(each) for each in zip(*self._iterations)] or [0, 0, 0]
        expanded, generated = self._counts["expanded"] - before[1], self._counts["generated"] - before[2]
        self._iterations.append((whole("bound", bound), expanded, generated))
        if self._given.get("on_iteration") is not None:
            self._given["on_iteration"](*self._iterations[-1])

    def expand(
        self,
        boards: Any,
        g: Any,
        h: Any = 0,
        children: Any = None,
        child_h: Any = 0,
        fates: Any = "open",
        *,
        side: str = "start",
        bound: Optional[int] = None,
    ) -> None:
        """Report expanded nodes, in the order of the search: they are counted, and `on_expand` gets them.

        `progress(expanded=..., generated=...)` need not count them again. If all nodes are reported here,
        `counts=True` gives the counts by layer. The arrays are read only where that is asked for.

        Parameters
        ----------
        boards : ndarray of uint64, shape (N,)
            Packed boards. Each but the first was an open child of an earlier expansion, with the same g.
        g : int or array (N,)
        h : int or array (N,) or (N, C)
            Of several columns, which `Heuristic.components` makes, it is the largest.
        children : Children, optional
            As `puzzle15.nodes.children` makes them; without any, these boards are goals, or where both sides meet.
        child_h : int or array (M,) or (M, C)
        fates : str, or array (M,) of str or bool
            What became of each child: "open", "known", "reopened", "cut" or "dropped". True stands for "open", False
            for "known", or with a bound for "cut".
        side : {"start", "goal"}
        bound : int, optional
            As in `Expansion`.

        Raises
        ------
        AlgorithmError
            If no earlier expansion has made a board with this g.
        """
        from_goal = ("start", "goal").index(side)
        if children is not None:
            self._count(from_goal, boards, g, h, children)
        if not self.traced:
            return
        recorder: Recorder = self._given["on_expand"]
        boards = np.atleast_1d(boards).tolist()
        gs, hs = (_column(each, len(boards)).tolist() for each in (g, h))
        made: list[list[tuple[int, int, int, int, int]]] = [[] for _ in boards]
        if children is not None:
            parents, directions = children.parent.tolist(), children.direction.tolist()
            values, names = (_column(each, len(parents)).tolist() for each in (child_h, fates))
            for parent, packed, direction, value, name in zip(
                parents, children.packed.tolist(), directions, values, names
            ):
                fate = name if isinstance(name, str) else "open" if name else "known" if bound is None else "cut"
                if fate not in FATES:
                    raise self._error(f"a child's fate is {fate!r}; expected one of {', '.join(FATES)}")
                made[parent].append((packed, direction, value, FATES.index(fate), 0))
        iteration = len(self._iterations) + 1
        for row, (packed, depth) in enumerate(zip(boards, gs)):
            if not recorder.knows(from_goal, packed, depth):
                raise self._error(
                    f"it expands the board {Board._of(packed, self._start.shape)} with g = {depth}; expected the "
                    "start, or an open child of an earlier expansion with the same g"
                )
            is_goal, its = children is None, tuple(made[row])
            if not recorder(iteration, bound, from_goal, packed, depth, hs[row], is_goal, 0, its):
                self.traced = False
                return

    def _count(self, side: int, boards: Any, g: Any, h: Any, children: Any) -> None:
        """Count expanded nodes and their children, and by layer if the search has `counts`."""
        count, made = np.size(boards), len(children.packed)
        self._told = [self._told[0] + count, self._told[1] + made]
        for name, told in zip(COUNTS, self._told):
            self._counts[name] = max(self._counts[name], told)
        if self._layers is not None:
            depths, of_each = _column(g, count), np.bincount(children.parent, minlength=count)
            for layers, layer in zip(self._layers, (depths + _column(h, count), depths)):
                at = np.minimum(layer, _MOST_LAYERS - 1)
                layers[side, :, 0] += np.bincount(at, minlength=_MOST_LAYERS).astype(np.uint64)
                layers[side, :, 1] += np.bincount(at, of_each, _MOST_LAYERS).astype(np.uint64)

    def _keep(self, moves: Any) -> bool:
        """Keep moves if they are a shorter solution; AlgorithmError if they are wrong, or refute the bound."""
        if not isinstance(moves, str):
            raise self._error(
                f"it returned {shorten(moves)} for the board {self._start}; expected the moves of tiles as text, such "
                "as 'URDL', or None"
            )
        try:
            letters = parse_moves(moves)
            end = self._start.apply(letters)
        except BoardError as error:
            raise self._error(f"its solution of the board {self._start} is wrong: {error}") from None
        if end != self._goal:
            raise self._error(
                f"its solution of the board {self._start} is wrong: its moves lead to {end}, and not to "
                f"the goal {self._goal}"
            )
        if self._best is not None and len(letters) >= len(self._best):
            return False
        self._to_best = self._counts["expanded"]
        self._to_first = self._to_best if self._best is None else self._to_first
        self._best = letters
        self._check_bound()
        return True

    def _check_bound(self, length: int = 0) -> None:
        """Raise AlgorithmError if fewer moves are enough than the lower bound, or than a length that is promised."""
        most = self._farthest if self._best is None else min(len(self._best), self._farthest)
        bound = max(self._lower_bound, length * self._promises)
        if bound > most:
            raise refutation(self._name, self._start, bound, most)

    def _end(self, moves: Any) -> str:
        """Return the status of a search that returned moves or None; AlgorithmError if they break its promise."""
        if moves is None:
            return "failed" if self._best is None else "limit"
        self._keep(moves)
        self._check_bound(len(parse_moves(moves)))
        return "solved"

    def _error(self, what: str) -> AlgorithmError:
        return AlgorithmError(f"algorithm {self._name!r}: {what}")


def refutation(algorithm: str, board: object, bound: int, most: int) -> AlgorithmError:
    """Return the error of a lower bound, or a promised length, where fewer moves are enough."""
    return AlgorithmError(
        f"algorithm {algorithm!r}: by it, the board {board} needs {bound} moves at least, but {most} are enough; "
        "expected lower bounds that are proved, `shortest` only where solutions are, and an admissible heuristic"
    )


def run_registered(algorithm: Algorithm, start: Board, heuristic: Heuristic, **given: Any) -> dict[str, Any]:
    """Run a registered algorithm; the answer is as that of a kernel of `puzzle15._core.search.searches`."""
    options = {name: given.pop(name) for name in algorithm.options if name not in CALLBACKS}
    progress = Progress(algorithm, start, heuristic, given)
    status = "limit"
    try:
        assert algorithm.function is not None
        status = progress._end(algorithm.function.function(start, heuristic.goal, heuristic, progress, **options))
    except MemoryError:
        pass
    except _Ended as ended:
        if ended.progress is not progress:
            raise
    except (Exception, SystemExit) as error:
        is_users = isinstance(error, OptionError) or not isinstance(error, Puzzle15Error)
        if is_users and algorithm.name not in EXAMPLES:
            add_note(error, f"algorithm {algorithm.name!r} was searching from the board {start}")
        raise
    complete = progress._layers is not None and progress._told == [progress._counts[name] for name in COUNTS[:2]]
    return {
        "status": status,
        "directions": None if progress._best is None else directions_from_moves(progress._best),
        "lower_bound": progress._lower_bound,
        "iterations": progress._iterations,
        "layers": progress._layers if complete else None,
        "expanded_to_first": progress._to_first,
        "expanded_to_best": progress._to_best,
        "reopened": None,
        **progress._counts,
    }


def _column(values: Any, count: int) -> NDArray[Any]:
    """Return one value per row: of one number, of a column, or the largest one of several columns."""
    column = np.asarray(values)
    column = column.max(axis=1) if column.ndim == 2 else np.broadcast_to(column, count)
    return column.astype(np.int64) if column.dtype.kind in "iu" else column
