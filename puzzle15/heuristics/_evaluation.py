"""`Heuristic`, and `heuristic`, which makes one from its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import lru_cache
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .._core.base import board as _board
from .._core.search.evaluator import KINDS, MAX_COMPONENTS, Evaluator
from .._system.sendable import Sendable
from ..board import Board, BoardLike, BoardsLike, Orientation, pack_boards
from ..board._board import goal_of, read_board_like
from ..board._solvability import board_to_solve, pack_solvable
from ..errors import BoardError, OptionError
from ..learning import AnnDistance
from ..learning._ann import DEFAULT_NETWORK
from ..nodes import Children
from ..solver import Solver
from ..tables import PatternTable
from ..tables._folder import Folder
from ._compiled import is_compiled
from ._functions import HeuristicFunction
from ._names import NAMES, SUM, TABLES, listed_names, names_in, network_in, tables_in
from ._sums import TableSum

_STRAIGHT = bytes(range(4))

#: What a heuristic consists of: names, functions of one's own, and sums of tables.
Part = Union[str, HeuristicFunction, TableSum]
#: What evaluates a part; the name of a heuristic of the core stands for itself.
Source = Union[str, HeuristicFunction, TableSum, Solver, AnnDistance]
#: What `heuristic` takes: a name, a function, a sum of tables, or several of them. A `PatternTable` is a function, too.
HeuristicLike = Union[str, Callable[..., Any], TableSum, Sequence[Union[str, Callable[..., Any], TableSum]]]


class Heuristic(Sendable):
    """A lower bound or an estimate of the number of moves to a goal; `heuristic` makes it.

    Call it with one board, or call `many` with many boards. Any number of threads may use it. It can be pickled, as a
    few hundred bytes that name the tables and networks; these are opened when it is first used.

    Attributes
    ----------
    name : str
        The name that `heuristic` takes, unless it names your own function.
    goal, shape : Board, (int, int)
        Of a heuristic that was made without a goal and a shape, those of 4x4 boards; boards of another shape are
        evaluated for their own goal.
    admissible, consistent : bool
        Whether it is never larger than the length of a shortest solution, and whether no move changes it by more than
        one. Your own functions are so if they claim it.
    parts : tuple
        The names, functions and sums of tables that it is the maximum of.
    functions, user_defined : tuple
        The functions, and these with the sums of tables given as arrays: what they claim may be wrong.
    batch : int
        How many nodes a search should expand at once: the largest batch of its functions, otherwise 1.

    Examples
    --------
    >>> h = heuristic("linear-conflict", goal="1 2 3/4 5 6/7 8 0")
    >>> h("3 2 1/4 5 6/8 7 0"), h.admissible, h.consistent
    (12, True, True)
    """

    def __init__(self, parts: Sequence[Part], goal: Board, sources: Sequence[Source], any_shape: bool = False) -> None:
        self._open(tuple(parts), goal, tuple(sources), any_shape)

    def _open(self, parts: tuple[Part, ...], goal: Board, sources: tuple[Source, ...], any_shape: bool) -> None:
        self._given, self._any_shape = (parts, goal, sources, any_shape), any_shape
        self._of_shapes: dict[tuple[int, int], Heuristic] = {}  # of other shapes than its own
        self.parts, self.goal, self.shape = parts, goal, goal.shape
        self.name = _name_of(parts)
        kinds = tuple(KINDS.index(each) for each in sources if each in KINDS)
        solvers = self._solvers = [each for each in sources if isinstance(each, Solver)]
        networks = [each for each in sources if isinstance(each, AnnDistance)]
        sums = self._sums = [each for each in sources if isinstance(each, TableSum)]
        functions = self.functions = tuple(each for each in sources if isinstance(each, HeuristicFunction))
        own: list[Union[HeuristicFunction, TableSum]] = [*functions, *(each for each in sums if each.arrays)]
        self.user_defined = tuple(own)
        self.admissible = not networks and all(each.admissible for each in self.user_defined)
        self.batch = max((function.batch for function in functions), default=1)
        count = (
            len(kinds) + len(networks) + len(sums) + len(functions) + sum(each.open_tables.lookups for each in solvers)
        )
        if count > MAX_COMPONENTS:
            raise OptionError(
                f"heuristic {self.name!r}: it has {count} values per board, counting each lookup of the tables; "
                f"expected at most {MAX_COMPONENTS}; use fewer heuristics or smaller tables"
            )
        # Tables and networks are only for the canonical goal.
        orientation = self._orientation = Orientation(goal) if solvers or networks or sums else None
        if networks and (self.shape != (4, 4) or (orientation and orientation.home != 15)):
            raise OptionError(
                f"heuristic {self.name!r}: networks are for 4x4 and goals whose blank is in a corner, not for {goal}"
            )
        target = Board.goal(self.shape, orientation.home) if orientation else goal
        make = _evaluator if orientation or functions else _shared_evaluator
        evaluator = self._evaluator = make(self.shape, target.packed, kinds)
        for solver in solvers:
            evaluator.add_lookups(solver.open_tables.problem)
        for network in networks:
            network.add_to(evaluator)
        consistent = [orientation is not None and each.add_to(evaluator, orientation) for each in sums]
        straight = range(len(goal.tiles))
        cell_to, tile_to = (orientation.cell_to, orientation.tile_to) if orientation else (straight, straight)
        for function in functions:
            function.add_to(evaluator, goal, cell_to, tile_to)
        consistent += [not networks, *map(_is_consistent, solvers), *(each.consistent for each in functions)]
        self.consistent = all(consistent)

    def _settings(self) -> tuple[Any, ...]:
        return self._given

    def __call__(self, board: BoardLike) -> int:
        """Return the value of one board; BoardError, UnsolvableError, or TableCorruptError if a table is damaged."""
        if self._any_shape:
            board = Board(board)
            if board.shape != self.shape:
                return self._of_shape(board.shape)(board)
        board = board_to_solve(self.goal, board)
        evaluator, turn, _ = self.prepare()
        with self.explain_table_errors():
            return evaluator.board(turn(board))

    def many(self, boards: BoardsLike) -> NDArray[np.uint8]:
        """Return the values of many boards.

        Parameters
        ----------
        boards : array or iterable
            As for `Solver.solve_many`; BoardError or UnsolvableError has the index of the first bad one.

        Returns
        -------
        ndarray of uint8, shape (N,)

        Examples
        --------
        >>> heuristic("walking-distance", shape=(3, 3)).many(["1 2 3/4 5 6/7 8 0", "8 6 7/2 5 4/3 0 1"])
        array([ 0, 25], dtype=uint8)
        """
        if self._any_shape:
            boards, shape = pack_boards(boards)[:2]
            if shape != self.shape:
                return self._of_shape(shape).many(boards)
        return self._values(boards, 1)[:, 0]

    def components(self, boards: BoardsLike) -> NDArray[np.uint8]:
        """Return the values of which `many` has the largest: uint8 (N, C), a column for each heuristic and lookup.

        `of_children` takes them, because the largest one alone does not say what the others are.

        >>> heuristic("max(misplaced,manhattan)").components(["5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"]).tolist()
        [[14, 35]]
        """
        return self._values(boards, max(self._evaluator.count, 1))

    def _values(self, boards: BoardsLike, columns: int) -> NDArray[np.uint8]:
        packed, _, _ = pack_boards(boards, goal=self.goal)
        values, status = np.empty((len(packed), columns), np.uint8), np.empty(len(packed), np.uint8)
        with self.explain_table_errors():
            self._evaluator.boards(self._orientation.turn(packed) if self._orientation else packed, values, status)
            for index in np.flatnonzero(status)[:1].tolist():
                pack_solvable(packed, self.goal, "raise")
                _board.raise_status(int(status[index]), f"board {index}")
        return values

    def of_children(self, made: Children, packed: NDArray[np.uint64], values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the values of children from those of their parents, which is quicker than `many`.

        Parameters
        ----------
        made : Children
            As `puzzle15.nodes.children` made them of `packed`.
        packed : ndarray of uint64, shape (N,)
            The parents.
        values : ndarray of uint8, shape (N,) or (N, C)
            Their values, as `many` returns them; or their `components`. Only these are enough for a maximum of several
            values: given the largest ones alone, the children are evaluated by `many`.

        Returns
        -------
        ndarray of uint8, shape (M,) or (M, C)
            As `many` or `components` returns them.

        Raises
        ------
        BoardError
            If a parent is not a board, or a direction is illegal there.
        ValueError
            If the arrays do not belong together.

        Examples
        --------
        >>> from puzzle15.nodes import children
        >>> h = heuristic("manhattan", shape=(3, 3))
        >>> parents = np.array([Board("8 6 7/2 5 4/3 0 1").packed], dtype=np.uint64)
        >>> h.of_children(children(parents, h.shape), parents, h.many(parents))
        array([22, 20, 20], dtype=uint8)
        """
        count = self._evaluator.count
        given = values[:, np.newaxis] if values.ndim == 1 else values
        if values.ndim == 1 and count > 1:
            return self.many(made.packed)
        if given.shape != (len(packed), max(count, 1)) or given.dtype != np.uint8:
            raise OptionError(
                f"values: {values.dtype} of shape {values.shape}; expected uint8 of shape ({len(packed)},), or "
                f"({len(packed)}, {max(count, 1)}) of components, as there are {len(packed)} parents"
            )
        found = np.zeros((len(made.packed), given.shape[1]), dtype=np.uint8)
        parents, rows = np.ascontiguousarray(packed, np.uint64), np.ascontiguousarray(made.parent, np.int64)
        directions = np.ascontiguousarray(made.direction, np.uint8)
        if self._orientation:
            parents = self._orientation.turn(parents)
            directions = np.frombuffer(self._orientation.direction_to, np.uint8)[directions]
        if count:
            with self.explain_table_errors():
                done = self._evaluator.children(parents, np.ascontiguousarray(given), rows, directions, found)
            if done < len(found):
                row = int(made.parent[done])
                raise BoardError(
                    f"child {done}: direction {made.direction[done]} from row {row} of {len(packed)} parents; expected "
                    "children that were made of these parents, and packed boards"
                )
        return found[:, 0] if values.ndim == 1 else found

    def toward(self, goal: BoardLike) -> Heuristic:
        """Return the same heuristic for another goal of this shape.

        It raises ValueError if your own function or a network is not for this goal, and TableMissingError if
        tables for a goal with the blank there have not been built.

        Examples
        --------
        >>> heuristic("manhattan").toward("5 1 2 3/9 6 7 4/13 10 11 8/0 14 15 12")(Board.goal())
        9
        """
        target = read_board_like(self.goal, goal)
        if target == self.goal:
            return self
        for function in self.functions:
            if not function.any_goal:
                raise OptionError(
                    f"heuristic {function.name!r}: it is for the goal {self.goal}, not for {target}; expected a "
                    f"function for any goal"
                )
        return self._made_for(target)

    def _made_for(self, goal: Board) -> Heuristic:
        """Return the same heuristic for another goal, of any shape."""
        folders = [solver.open_tables.folder for solver in self._solvers] + [each.folder for each in self._sums]
        return heuristic(self.parts, goal=goal, tables=next(iter(folders), None))

    def _of_shape(self, shape: tuple[int, int]) -> Heuristic:
        """Return the same heuristic for the boards of another shape, whose tables are opened once."""
        if shape not in self._of_shapes:
            self._of_shapes[shape] = self._made_for(Board.goal(shape))
        return self._of_shapes[shape]

    def prepare(self) -> tuple[Evaluator, Callable[[Board], int], bytes]:
        """Return what a search needs: (evaluator, turn, back).

        A search starts from ``turn(board)``, a packed board, and ends at the evaluator's goal. A move there in
        direction d is a move of the original board in direction ``back[d]``.
        """
        if self._orientation is None:
            return self._evaluator, lambda board: board.packed, _STRAIGHT
        return self._evaluator, self._orientation.turn_one, self._orientation.direction_back

    def explain_table_errors(self) -> ExitStack:
        """Return a context that adds the tables' folder to the error about a damaged table."""
        stack = ExitStack()
        for solver in self._solvers[1:]:
            solver.open_tables.check_sizes()
        for solver in self._solvers[:1]:
            stack.enter_context(solver.open_tables.explain_table_errors())
        return stack

    def __repr__(self) -> str:
        return f"heuristic({self.name!r}, goal={str(self.goal)!r})"


def full_name(name: HeuristicLike) -> str:
    """Return the name of a heuristic in the form of `Heuristic.name`; ValueError lists the names.

    >>> full_name("Max(Linear conflict, ZERO)")
    'max(linear-conflict,zero)'
    """
    return name.name if isinstance(name, Heuristic) else _name_of(_parts_in(name))


def own_goal(given: Optional[HeuristicLike]) -> Optional[Board]:
    """Return the goal of a `Heuristic`, of the first function for one goal only, or of the first sum of tables."""
    if isinstance(given, Heuristic):
        return None if given._any_shape else given.goal
    parts = [] if given is None else _parts_in(given)
    return next((part.goal for part in parts if not isinstance(part, str) and part.goal is not None), None)


def heuristic(
    name: HeuristicLike,
    *,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    tables: Folder = None,
) -> Heuristic:
    """Make a heuristic from its name, or from a function.

    Parameters
    ----------
    name : str, callable, TableSum, or sequence of these
        A name from the table of `puzzle15.heuristics`, in upper or lower case; a `HeuristicFunction`, or a bare
        function such as that takes, which claims nothing; a `puzzle15.tables.PatternTable` or a `TableSum`. Several
        stand for the maximum. A `Heuristic` is returned as it is.
    goal : board, optional
        Any arrangement; by default the goal of a function that has one, or the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, if `goal` does not determine them; by default those of the boards that it is called with.
    tables : path, optional
        The folder of the tables; see `puzzle15.tables.table_folder`.

    Returns
    -------
    Heuristic

    Raises
    ------
    ValueError
        If there is no such name, partition, format or network, if it is the maximum of more than 8 values, or if it
        is not for this goal.
    TableMissingError, NetworkError
        If tables have not been built, or the file of a network is missing or damaged.

    Examples
    --------
    >>> h = heuristic("manhattan")
    >>> h("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15")
    35
    >>> heuristic("max(linear-conflict, walking-distance)")("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15")
    39
    >>> heuristic("tables:embedded", goal="0 1 2/3 4 5/6 7 8")("8 7 6/5 4 3/2 1 0")
    28
    >>> heuristic("manhatan")
    Traceback (most recent call last):
        ...
    puzzle15.errors.OptionError: heuristic 'manhatan': did you mean 'manhattan'? expected one of zero, ...
    """
    if isinstance(name, Heuristic) and name._any_shape and (goal is not None or shape is not None):
        return heuristic(name.parts, goal=goal, shape=shape, tables=tables)
    if isinstance(name, Heuristic):
        given = name.goal if goal is None else goal
        if (given if isinstance(given, Board) else read_board_like(name.goal, given)) != name.goal:
            raise OptionError(f"heuristic: it is for the goal {name.goal}, not for {goal}")
        return name
    parts = _parts_in(name)
    own = own_goal(name) if goal is None else goal
    target = goal_of(own, shape)
    return Heuristic(parts, target, [_source(part, target, tables) for part in parts], own is None and shape is None)


def _parts_in(given: HeuristicLike) -> list[Part]:
    """Return the names and functions that a heuristic consists of, each name once."""
    if isinstance(given, Heuristic):
        raise OptionError(f"heuristic {given!r}: it cannot be a part of another one; expected its name or function")
    if isinstance(given, (PatternTable, TableSum)):
        return [given if isinstance(given, TableSum) else TableSum([given])]
    if callable(given) or is_compiled(given):
        return [HeuristicFunction.of(given)]
    if isinstance(given, Sequence) and not isinstance(given, str) and given:
        return list(dict.fromkeys(part for each in given for part in _parts_in(each)))
    return list(dict.fromkeys(names_in(given)))


def _name_of(parts: Sequence[Part]) -> str:
    names = [part if isinstance(part, str) else part.name for part in parts]
    return names[0] if len(names) == 1 else f"max({','.join(names)})"


def _source(part: Part, goal: Board, folder: Folder) -> Source:
    """Return what a search evaluates for a part of a heuristic."""
    if isinstance(part, TableSum):
        return part.toward(goal)
    if isinstance(part, HeuristicFunction) or part in NAMES:
        return part
    if part.startswith(SUM):
        return TableSum(listed_names(part[len(SUM) + 1 : -1]), goal=goal, tables=folder)
    if part.startswith(TABLES):
        partition, format = tables_in(part)
        # plain: without the finite-state machine, as it does not search
        return Solver(partition, goal=goal, shape=goal.shape, tables=folder, format=format, plain=True)
    network, lowered = network_in(part)
    return AnnDistance(network or DEFAULT_NETWORK, lowered=lowered)


def _is_consistent(solver: Solver) -> bool:
    """Return whether no move changes the values by more than one.

    A classic table of all tiles has a single region, so its entries are not minima.
    """
    tables = solver.open_tables
    return tables.format == "zero-aware" or all("/" not in partition for partition in tables.partitions)


def _evaluator(shape: tuple[int, int], goal: int, kinds: tuple[int, ...]) -> Evaluator:
    evaluator = Evaluator(shape, goal)
    for kind in kinds:
        evaluator.add(kind)
    return evaluator


#: The same evaluator for all boards of one goal, as making walking distances takes some milliseconds.
_shared_evaluator = lru_cache(maxsize=8)(_evaluator)
