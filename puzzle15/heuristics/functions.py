"""`HeuristicFunction`: a function of one's own as a heuristic, and what it claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Optional, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from .._core.search.best_first import MAX_EXPANDED
from ..board import Board, BoardLike, Shape, check_shape
from ..errors import HeuristicError
from ..parallel import Parcel
from ..system.quantities import whole

__all__ = ["HeuristicFunction", "heuristic_function"]

_ANY_GOAL = "any"
_LARGEST = 255  # a search keeps a value in a byte
_CLAIMS = "heuristic_claims"  # the attribute of a function that was given to `heuristic_function`

_Function = TypeVar("_Function", bound=Callable[..., Any])


class HeuristicFunction:
    """A function of one's own as a heuristic, and what it claims.

    Everything that takes the name of a heuristic takes this, too, and also a bare function, which claims nothing.
    `heuristic_function` notes claims at the definition of a function.

    Parameters
    ----------
    function : callable
        It takes boards, a uint8 array (N, cells), row-major and 0 for the blank; N is 1 or more. It returns N numbers
        from 0 to 255, integers or floats. Floats are rounded down if the heuristic is admissible, else to the nearest
        integer. The array is its own, to change or to keep.
    name : str, optional
        By default, the name of the function or of its class.
    admissible : bool
        Whether no number is larger than the length of a shortest solution. If not, searches claim only what they can
        prove without the heuristic.
    consistent : bool
        Whether no move changes the number by more than one.
    batch : int
        How many nodes a search expands at once, unless its own option says that: 1 .. 1024. The function is called
        once for all children of these nodes. Larger batches are faster, and expand some nodes that smaller ones do not.
        Searches that take no batches are slow, except beam: ida* calls it for the children of one node.
    goal : board or "any", optional
        The only goal that it is for. "any" means that it is also called with the goal: a second array, uint8 (cells,).
        By default, it is taken to be for the goal of the search.
    shapes : list of (int, int), optional
        The rows and columns of boards that it is for; by default all.

    Raises
    ------
    ValueError, TypeError
        If a claim is not possible, or `function` cannot be called.

    Notes
    -----
    Searches in several threads may call it at the same time, as any Python function. If it raises an exception, the
    search that called it ends with that exception.

    It can be pickled if its function can: a function as its name in its module, another callable as what it holds. The
    process that unpickles it finds these when they are first needed. Where cloudpickle was imported, as with Dask,
    functions of ``__main__`` and lambdas can be sent, too.

    Examples
    --------
    >>> from puzzle15 import search
    >>> def misplaced(boards, goal):
    ...     return ((boards != goal) & (boards != 0)).sum(axis=1)
    >>> h = HeuristicFunction(misplaced, admissible=True, consistent=True, goal="any")
    >>> solution = search("1 2 3/0 5 6/4 7 8", heuristic=h)
    >>> solution.length, solution.optimal, solution.heuristic
    (3, True, 'misplaced')
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: Optional[str] = None,
        admissible: bool = False,
        consistent: bool = False,
        batch: int = 1,
        goal: Union[BoardLike, str, None] = None,
        shapes: Optional[Iterable[Sequence[int]]] = None,
    ) -> None:
        if not callable(function):
            raise TypeError(f"heuristic {function!r}: expected a function from boards to numbers")
        self.name = str(name or getattr(function, "__name__", type(function).__name__))
        self._parcel = Parcel(function, f"heuristic {self.name!r}")
        self.admissible, self.consistent = bool(admissible), bool(consistent)
        self.batch = whole("batch", batch, 1, MAX_EXPANDED)
        self.any_goal = isinstance(goal, str) and goal == _ANY_GOAL
        self.goal = None if goal is None or self.any_goal else Board(goal)
        self.shapes = None if shapes is None else tuple(map(check_shape, shapes))

    @classmethod
    def of(cls, given: Callable[..., Any]) -> HeuristicFunction:
        """A function with the claims that `heuristic_function` has noted; without any, it claims nothing."""
        return given if isinstance(given, cls) else cls(given, **getattr(given, _CLAIMS, {}))

    @property
    def function(self) -> Callable[..., Any]:
        """callable: the function. If it was unpickled, this finds it."""
        return self._parcel.function

    @property
    def claims(self) -> dict[str, Any]:
        """dict: the parameters that it was made with, without the function."""
        return {
            "name": self.name,
            "admissible": self.admissible,
            "consistent": self.consistent,
            "batch": self.batch,
            "goal": _ANY_GOAL if self.any_goal else self.goal,
            "shapes": self.shapes,
        }

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns."""
        return self.function(*arguments)

    def check_goal(self, goal: Board) -> None:
        """Raise ValueError if it is not for a goal."""
        if self.goal not in (None, goal):
            raise ValueError(f"heuristic {self.name!r}: it is for the goal {self.goal}, not for {goal}")
        if self.shapes is not None and goal.shape not in self.shapes:
            known = ", ".join(f"{rows}x{cols}" for rows, cols in self.shapes)
            raise ValueError(f"heuristic {self.name!r}: it is for boards of {known}; {goal} is of another shape")

    def toward(self, goal: Board) -> Callable[[bytes], bytes]:
        """The function for a goal, from the tiles of N boards, N times cells, to N values."""
        self.check_goal(goal)
        target, function = np.array(goal.tiles, dtype=np.uint8), self.function

        def values(tiles: bytes) -> bytes:
            boards = np.frombuffer(tiles, dtype=np.uint8).reshape(-1, len(target))
            given = function(boards.copy(), target.copy()) if self.any_goal else function(boards.copy())
            return self._values(given, boards, goal.shape).tobytes()

        return values

    def _values(self, given: Any, boards: NDArray[np.uint8], shape: Shape) -> NDArray[np.uint8]:
        """What the function returned for some boards, checked and rounded."""
        count = len(boards)
        try:
            numbers = np.asarray(given)
        except (TypeError, ValueError):  # a list of lists, for example
            numbers = np.array(None)
        if numbers.shape != (count,) or numbers.dtype.kind not in "iuf":
            first = Board.from_tiles(boards[0].tolist(), shape)
            raise HeuristicError(
                f"heuristic {self.name!r}: it returned {_described(given, numbers)} for "
                f"{f'the board {first}' if count == 1 else f'{count} boards, the first of which is {first}'}; "
                f"expected one integer or float per board, an array of shape ({count},)"
            )
        rounded = numbers
        if numbers.dtype.kind == "f":
            rounded = np.floor(numbers) if self.admissible else np.rint(numbers)
        good = (numbers >= 0) & (rounded <= _LARGEST)
        if not good.all():
            index = int(good.argmin())
            raise HeuristicError(
                f"heuristic {self.name!r}: it returned {numbers[index]:g} for the board "
                f"{Board.from_tiles(boards[index].tolist(), shape)}; expected a number from 0 to {_LARGEST}"
            )
        return rounded.astype(np.uint8)

    def __repr__(self) -> str:
        return f"<HeuristicFunction {self.name!r}>"


def heuristic_function(**claims: Any) -> Callable[[_Function], _Function]:
    """A decorator that notes what a function claims as a heuristic. The function stays what it is.

    Parameters
    ----------
    **claims
        The parameters of `HeuristicFunction`, except the function.

    Examples
    --------
    >>> from puzzle15 import search
    >>> @heuristic_function(admissible=True, consistent=True, batch=64)
    ... def misplaced(boards):
    ...     return ((boards != [1, 2, 3, 4, 5, 6, 7, 8, 0]) & (boards != 0)).sum(axis=1)
    >>> search("1 2 3/0 5 6/4 7 8", heuristic=misplaced).optimal
    True
    """

    def note(function: _Function) -> _Function:
        HeuristicFunction(function, **claims)  # which checks the claims
        setattr(function, _CLAIMS, claims)
        return function

    return note


def _described(given: Any, numbers: NDArray[Any]) -> str:
    """What a function returned, in words."""
    if numbers.dtype.kind == "O":
        return "None" if given is None else f"an object of type {type(given).__name__}"
    return f"an array of {numbers.dtype} of shape {numbers.shape}" if numbers.ndim else f"{numbers.dtype} {given!r}"
