"""`HeuristicFunction`: your own function as a heuristic, in Python or compiled, and what it claims."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from reprlib import repr as shorten
from typing import Any, Optional, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from .._core.search.evaluator import Evaluator
from .._core.search.searches import MAX_EXPANDED
from .._system.quantities import flag, whole
from .._system.sendable import PicklableCallable
from ..board import Board, BoardLike, pack_boards
from ..errors import HeuristicError, OptionError, add_note
from ._compiled import Compiled, is_compiled

_ANY_GOAL = "any"
_TAKES = "array", "board"
_LARGEST = 255  # a search keeps a value in a byte
_CLAIMS = "heuristic_claims"  # the attribute of a function that was given to `heuristic_function`

_Function = TypeVar("_Function", bound=Callable[..., Any])


class HeuristicFunction:
    """Your own function as a heuristic, and what it claims.

    It can be given wherever the name of a heuristic can, and so can a bare function, which claims nothing.

    Parameters
    ----------
    function : callable
        It takes boards, a uint8 array (N, cells), row-major and 0 for the blank; N is 1 or more. It returns N numbers
        from 0 to 255, integers or floats. The array is its own, to change or to keep. Or it takes one `Board`, and
        returns one such number. Floats are rounded down if the heuristic is admissible, else to the nearest integer.
        Numbers below 0 count as 0. Those above 255 count as 255, but are an error if it claims to be admissible. A
        warning names the first such number. NaN, and an array of another shape, are errors.
        Or it is a compiled function: a pointer of ctypes or cffi, a ``cfunc`` of numba, a capsule, or a
        ``LowLevelCallable`` of SciPy. Its type is ``int32_t f(uint64_t board, uint64_t goal, void *data)``. It takes a
        packed board, with cell i in bits 4i .. 4i+3, and returns its value; any number but 0 to 255 is an error.
    name : str, optional
        By default, the name of the function or of its class.
    admissible : bool
        Whether no number is larger than the length of a shortest solution. If not, searches claim only what they can
        prove without the heuristic.
    consistent : bool
        Whether no move changes the number by more than one.
    batch : int
        How many nodes a search expands at once, unless the search has that option: 1 .. 16384. The function is called
        once for all children of these nodes. Larger batches are faster, and expand some nodes that smaller ones do not.
    goal : board or "any", optional
        The only goal that it is for. "any" means that it is also called with the goal: a second array, uint8 (cells,),
        or a second `Board`. By default, it is taken to be for the goal of the search.
    takes : {"array", "board"}, optional
        Whether it takes an array of boards or one `Board`. By default, the first call shows it: if the function fails
        with an array, and returns a number for a `Board`, it is called with boards one by one from then on.
    child : compiled function, optional
        Beside a compiled function, ``int32_t g(uint64_t parent, uint64_t goal, void *data, int32_t value, int32_t tile,
        int32_t from, int32_t to)``. It returns the value of a child: `value` is that of its parent, and the tile moves
        from the cell `from` to the blank's cell `to`. By default, children are evaluated as boards.
    data : ndarray, ctypes or cffi pointer, or capsule, optional
        What compiled functions get as their last pointer, by default a null pointer. An array must be C-contiguous. It
        is kept, not copied.

    Notes
    -----
    Searches in several threads may call it at the same time, a compiled one in parallel: it is called without the GIL.
    If a Python function raises an exception, the search that called it ends with that exception, which has a note of
    what the function was given. Limits and Ctrl-C act between two calls of a compiled one.

    It can be pickled if its function can: a function as its name in its module, another callable as what it holds.
    Where cloudpickle was imported, as with Dask, functions of ``__main__`` and lambdas can be sent, too. A compiled one
    is sent as the name of the `HeuristicFunction`, or of a bare function, in a module, which the other process imports.

    Examples
    --------
    >>> from puzzle15 import search
    >>> def misplaced(boards, goal):
    ...     return ((boards != goal) & (boards != 0)).sum(axis=1)
    >>> h = HeuristicFunction(misplaced, admissible=True, consistent=True, goal="any")
    >>> solution = search("1 2 3/0 5 6/4 7 8", heuristic=h)
    >>> solution.length, solution.optimal, solution.heuristic
    (3, True, 'misplaced')
    >>> search("1 2 3/0 5 6/4 7 8", heuristic=HeuristicFunction(Board.manhattan, takes="board")).length
    3
    """

    def __init__(
        self,
        function: Any,
        *,
        name: Optional[str] = None,
        admissible: bool = False,
        consistent: bool = False,
        batch: int = 1,
        goal: Union[BoardLike, str, None] = None,
        takes: Optional[str] = None,
        child: Any = None,
        data: Any = None,
    ) -> None:
        held: Any = Compiled(function, child, data) if is_compiled(function) else function
        if not callable(function) and not isinstance(held, Compiled):
            raise TypeError(f"heuristic {function!r}: expected a function from boards to numbers")
        if (child is not None or data is not None) and not is_compiled(function):
            raise OptionError(f"heuristic {function!r}: child and data are for compiled functions; this is none")
        if takes is not None and isinstance(held, Compiled):
            raise OptionError(f"takes {takes!r}: a compiled function takes a packed board; leave it out")
        if takes not in (None, *_TAKES):
            raise OptionError(f"takes {takes!r}: expected {' or '.join(map(repr, _TAKES))}, or None to find out")
        self.name = str(name or getattr(function, "__name__", type(function).__name__))
        self.admissible, self.consistent = flag("admissible", admissible), flag("consistent", consistent)
        self.batch = whole("batch", batch, 1, MAX_EXPANDED)
        self.any_goal = isinstance(goal, str) and goal == _ANY_GOAL
        self.goal = None if goal is None or self.any_goal else Board(goal)
        self.takes = takes
        self._told = False  # of a number that was not from 0 to 255
        self._parcel = PicklableCallable(held, f"heuristic {self.name!r}")
        self._id = os.urandom(8).hex()  # of this heuristic, here and in other processes
        if isinstance(held, Compiled) and held.owner is held:
            held.owner = self

    @classmethod
    def of(cls, given: Any) -> HeuristicFunction:
        """Return a function with the claims that `heuristic_function` has noted; without any, it claims nothing."""
        return given if isinstance(given, cls) else cls(given, **getattr(given, _CLAIMS, {}))

    @property
    def function(self) -> Any:
        """callable: the function; of compiled ones an object that holds them. If it was unpickled, this finds it."""
        return self._parcel.function

    @property
    def has_child(self) -> bool:
        """bool: whether it has a compiled function of a child."""
        return isinstance(self.function, Compiled) and self.function.child is not None

    @property
    def claims(self) -> dict[str, Any]:
        """dict: the parameters that it was made with, without the function."""
        goal = _ANY_GOAL if self.any_goal else self.goal
        names = ("name", "admissible", "consistent", "batch", "takes")
        return {name: getattr(self, name) for name in names} | {"goal": goal}

    def __call__(self, *arguments: Any) -> Any:
        """Return what the function returns."""
        return self.function(*arguments)

    def add_to(self, evaluator: Evaluator, goal: Board, cell_to: Sequence[int], tile_to: Sequence[int]) -> None:
        """Add it to an evaluator that has carried cells and renamed tiles; ValueError unless it is for the goal."""
        if self.goal not in (None, goal):
            raise OptionError(f"heuristic {self.name!r}: it is for the goal {self.goal}, not for {goal}")

        def refuse(board: int, number: int) -> None:
            raise HeuristicError(
                f"heuristic {self.name!r}: it returned {number} for the board {Board._of(board, goal.shape)}; expected "
                f"a number from 0 to {_LARGEST}"
            )

        def values(tiles: bytes) -> bytes:
            boards = np.frombuffer(tiles, dtype=np.uint8).reshape(-1, len(goal.tiles))
            return self._rounded(self._numbers(boards, goal), boards, goal).tobytes()

        held = self.function
        if isinstance(held, Compiled):
            addresses = held.address, held.child_address, held.data_address
            evaluator.add_compiled(*addresses, goal.packed, cell_to, tile_to, refuse)
        else:
            evaluator.add_function(values, cell_to, tile_to)

    def _numbers(self, boards: NDArray[np.uint8], goal: Board) -> NDArray[Any]:
        """Return the function's numbers for some boards."""
        if self.takes == "board":
            each = (Board._of(packed, goal.shape) for packed in pack_boards(boards, goal.shape)[0].tolist())
            return np.array([self._answer(board, goal) for board in each])
        # A function of one board may return a number for each cell. As many boards as cells would hide that.
        some = boards[:1] if self.takes is None and len(boards) == len(goal.tiles) else boards
        try:
            numbers = self._answer(some, goal)
        except (TypeError, ValueError, AttributeError, LookupError) as error:
            if self.takes is None:
                try:
                    self._answer(Board(boards[0].tolist(), goal.shape), goal)
                except Exception as other:
                    add_note(error, f"given one Board instead, it raised {type(other).__name__}: {other}")
                else:
                    self.takes = "board"
                    return self._numbers(boards, goal)
            raise
        self.takes = "array"
        return numbers if some is boards else self._numbers(boards, goal)

    def _answer(self, boards: Union[NDArray[np.uint8], Board], goal: Board) -> NDArray[Any]:
        """Return the function's numbers for an array of boards, or its number for one; HeuristicError for others."""
        is_one = isinstance(boards, Board)
        given: list[Any] = [boards if isinstance(boards, Board) else boards.copy()]
        if self.any_goal:
            given.append(goal if is_one else np.array(goal.tiles, dtype=np.uint8))
        try:
            returned = self.function(*given)
        except (Exception, SystemExit) as error:
            is_module = hasattr(self.function, "state_dict")
            advice = ", and a PyTorch module takes tensors: wrap it, as OWN_HEURISTICS.md shows" * is_module
            add_note(error, f"heuristic {self.name!r} was given {_described(boards)}{advice}")
            raise
        why = ""
        try:
            numbers = np.asarray(returned)
        except (TypeError, ValueError) as error:  # a list of lists, or a tensor of another type
            numbers, why = np.array(None), f", which is not an array ({error}),"
        shape: tuple[int, ...] = () if isinstance(boards, Board) else (len(boards),)
        if numbers.shape != shape or numbers.dtype.kind not in "iuf":
            first = boards if isinstance(boards, Board) else Board(boards[0].tolist(), goal.shape)
            many = f"{shape[0]} boards, the first of which is {first}" if shape > (1,) else f"the board {first}"
            what = f"an array of {numbers.dtype} of shape {numbers.shape}" if numbers.ndim else shorten(returned)
            raise HeuristicError(
                f"heuristic {self.name!r}: it returned {what}{why} for {many}; expected one integer or float"
                f"{f' per board, an array of shape {shape}' if shape else ''}, as it was given {_described(boards)}"
            )
        return numbers

    def _rounded(self, numbers: NDArray[Any], boards: NDArray[np.uint8], goal: Board) -> NDArray[np.uint8]:
        """Return numbers as values of a search; HeuristicError if one of them cannot be one."""
        rounded = numbers
        if numbers.dtype.kind == "f":
            rounded = np.floor(numbers) if self.admissible else np.rint(numbers)
        # 0 is always a lower bound, but 255 is above the distance of every board.
        good = np.isfinite(numbers) & (rounded <= _LARGEST if self.admissible else True)
        if not good.all():
            at = int(good.argmin())
            raise HeuristicError(
                f"{self._returned(numbers[at], boards[at], goal)}; expected a number from 0 to {_LARGEST}"
            )
        outside = (rounded < 0) | (rounded > _LARGEST)
        if not self._told and outside.any():
            self._told, at = True, int(outside.argmax())
            returned = self._returned(numbers[at], boards[at], goal)
            warnings.warn(
                f"{returned}; numbers below 0 count as 0, and those above {_LARGEST} as {_LARGEST}", stacklevel=2
            )
        values: NDArray[np.uint8] = np.clip(rounded, 0, _LARGEST).astype(np.uint8)
        return values

    def _returned(self, number: Any, tiles: NDArray[np.uint8], goal: Board) -> str:
        board = Board(tiles.tolist(), goal.shape)
        return f"heuristic {self.name!r}: it returned {number:g} for the board {board}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeuristicFunction) and self._id == other._id

    def __hash__(self) -> int:
        return hash(self._id)

    def __repr__(self) -> str:
        return f"<HeuristicFunction {self.name!r}>"


def heuristic_function(**claims: Any) -> Callable[[_Function], _Function]:
    """Return a decorator that notes what a function claims as a heuristic: parameters of `HeuristicFunction`.

    The function stays what it is.

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


def _described(boards: Union[NDArray[np.uint8], Board]) -> str:
    """Return what a function was given."""
    if isinstance(boards, Board):
        return f"one Board, {boards}"
    return f"an array of shape {boards.shape}, a row of cells for each board"
