"""`Heuristic`, and `heuristic`, which makes one from its name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .._core.base import board as _board
from .._core.search.evaluator import KINDS, MAX_COMPONENTS, Evaluator
from ..ann import DEFAULT_NETWORK, AnnDistance
from ..board import Board, BoardLike, Orientation, board_beside, goal_of, pack_boards, unsolvable_text
from ..errors import UnsolvableError
from ..solver import Solver
from ..system.names import plain_name
from ..tables import Folder

__all__ = ["NAMES", "Heuristic", "heuristic"]

#: The heuristics that need no tables.
NAMES = ("zero", *KINDS)

_TABLES = "tables"
_ANN = "ann"
_STRAIGHT = bytes(range(4))


class Heuristic:
    """A bound on the moves to one goal, or a guess; `heuristic` makes it from a name.

    Call it with a board, or `many` with many. Any number of threads may use it.

    Attributes
    ----------
    name : str
        That `heuristic` takes.
    goal : Board
    shape : (int, int)
    admissible : bool
        Whether it is never more than the length of a shortest solution.
    consistent : bool
        Whether no move changes it by more than one.

    Notes
    -----
    Heuristics can be pickled: a few hundred bytes that say which tables and networks to open. They are opened when the
    heuristic is first used where it arrives, and once in a process; see `Solver` and `puzzle15.ann.AnnDistance`.

    Examples
    --------
    >>> h = heuristic("linear-conflict", goal="1 2 3/4 5 6/7 8 0")
    >>> h("3 2 1/4 5 6/8 7 0"), h.admissible, h.consistent
    (12, True, True)
    """

    def __init__(
        self, names: Sequence[str], goal: Board, solvers: Sequence[Solver], networks: Sequence[AnnDistance] = ()
    ) -> None:
        self._describe(names, goal, solvers, networks)
        self._open()

    def _describe(self, names, goal, solvers, networks):
        self._description = tuple(names), goal, tuple(solvers), tuple(networks)
        self.name = _joined(names)
        self.goal = goal
        self.shape = goal.shape
        self.admissible = not networks
        self._solvers = tuple(solvers)

    def _open(self):
        """Make what tells the values; of what arrived in a pickle, this opens tables and networks."""
        names, goal, solvers, networks = self._description
        kinds = tuple(KINDS.index(name) for name in names if name in KINDS)
        count = len(kinds) + len(networks) + sum(solver.view_count for solver in solvers)
        if count > MAX_COMPONENTS:
            raise ValueError(
                f"heuristic {self.name!r}: {count} values a board, each view of tables being one; "
                f"a search carries at most {MAX_COMPONENTS}"
            )
        self.consistent = not networks and all(map(_is_consistent, solvers))
        orientation: Optional[Orientation] = None
        if solvers or networks:
            # Tables and networks know the canonical goal only.
            orientation = Orientation(goal)
            home = orientation.home
            if networks and (self.shape != (4, 4) or home != 15):
                raise ValueError(
                    f"heuristic {self.name!r}: networks are for 4x4 and goals whose blank is in a corner, "
                    f"not for {goal}"
                )
            evaluator = Evaluator(self.shape, Board.goal(self.shape, home).packed)
            for kind in kinds:
                evaluator.add(kind)
            for solver in solvers:
                evaluator.add_views(solver.views.problem)
            for network in networks:
                network._add_to(evaluator)
        else:
            evaluator = _shared_evaluator(self.shape, goal.packed, kinds)
        self._orientation, self._evaluator = orientation, evaluator

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, self._description

    if not TYPE_CHECKING:  # to a checker, no attribute would be unknown any more

        def __getattr__(self, name):
            """Of one that arrived in a pickle: open it. Not before, as pools break when what they unpickle raises."""
            if "_solvers" in self.__dict__ and "_evaluator" not in self.__dict__ and not name.startswith("__"):
                self._open()
            return object.__getattribute__(self, name)

    def __call__(self, board: BoardLike) -> int:
        """The bound, or the guess, of one board.

        Raises
        ------
        BoardError, UnsolvableError
        TableCorruptError
            A table file is damaged.
        """
        board = board_beside(self.goal, board)
        if not board.is_solvable(self.goal):
            raise UnsolvableError(unsolvable_text(board, self.goal))
        evaluator, turn, _ = self._prepare()
        with self._folders_named():
            return evaluator.board(turn(board))

    def many(self, boards: Union[NDArray[Any], Iterable[BoardLike]]) -> NDArray[np.uint8]:
        """The bounds, or the guesses, of many boards.

        Parameters
        ----------
        boards : array or iterable
            Anything that `Board` takes, in a list; or an integer array (N, cells) or (N, rows, cols),
            or a uint64 array (N,) of packed boards.

        Returns
        -------
        ndarray of uint8, shape (N,)

        Raises
        ------
        BoardError, UnsolvableError
            With the index of the first bad board.
        TableCorruptError
            A table file is damaged.

        Examples
        --------
        >>> heuristic("walking-distance", shape=(3, 3)).many(["1 2 3/4 5 6/7 8 0", "8 6 7/2 5 4/3 0 1"])
        array([ 0, 25], dtype=uint8)
        """
        packed, _ = pack_boards(boards, goal=self.goal)
        turned = self._orientation.turn(packed) if self._orientation else packed
        values = np.empty(len(packed), dtype=np.uint8)
        status = np.empty(len(packed), dtype=np.uint8)
        with self._folders_named():
            self._evaluator.boards(turned, values, status)
        for index in np.flatnonzero(status)[:1].tolist():
            board = Board(int(packed[index]), self.shape)
            if not board.is_solvable(self.goal):
                raise UnsolvableError(f"board {index}: {unsolvable_text(board, self.goal)}")
            with self._folders_named():
                _board.raise_status(int(status[index]), f"board {index}")
        return values

    def _prepare(self) -> tuple[Evaluator, Callable[[Board], int], bytes]:
        """(evaluator, turn, back), for the searches.

        Tables and networks know the canonical goal only. So a search goes from ``turn(board)``, a packed
        board, to the evaluator's goal, and byte d of `back` is the direction of a move in which the blank
        goes in direction d there. Without them nothing is turned.
        """
        if self._orientation is None:
            return self._evaluator, lambda board: board.packed, _STRAIGHT
        return self._evaluator, self._orientation.turn_one, self._orientation.direction_back

    def _folders_named(self):
        """Says of a damaged table in which folder to look for it."""
        stack = ExitStack()
        for solver in self._solvers[1:]:
            solver.views.check_sizes()
        for solver in self._solvers[:1]:
            stack.enter_context(solver.views.naming_folder())
        return stack

    def __repr__(self) -> str:
        return f"heuristic({self.name!r}, goal={str(self.goal)!r})"


def heuristic(
    name: Union[str, Sequence[str]],
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    tables: Folder = None,
) -> Heuristic:
    """The heuristic of a name.

    Parameters
    ----------
    name : str or sequence of str
        See the table of `puzzle15.heuristics`, in any case; of several names, the maximum.
    goal : board, optional
        Any arrangement; by default the tiles in order, the blank last.
    shape : (int, int), optional
        Rows and columns, where `goal` does not tell; by default 4x4.
    tables : path, optional
        The folder of the tables; see `puzzle15.tables.table_folder`.

    Returns
    -------
    Heuristic

    Raises
    ------
    ValueError
        No such name, partition, format or network; a maximum of more than 8 values; or a network and a goal
        that it does not know.
    TableMissingError
        The partition or format asked for has not been built.
    NetworkError
        A network's file is not there, is damaged, or is none.

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
    ValueError: heuristic 'manhatan': did you mean 'manhattan'? There are zero, misplaced, manhattan, \
reversal, linear-conflict, walking-distance, tables, tables:PARTITION[:FORMAT], ann[:NETWORK[:LOWERED]] and max(a,b,..)
    """
    names = _names_in(name)
    target = goal_of(goal, shape)
    solvers = [_solver(name, target, tables) for name in names if _family(name) == _TABLES]
    networks = [_network(name) for name in names if _family(name) == _ANN]
    return Heuristic(names, target, solvers, networks)


def full_name(name: Union[str, Sequence[str]]) -> str:
    """A heuristic's name as `Heuristic.name` has it; ValueError tells the names.

    >>> full_name("Max(Linear conflict, ZERO)")
    'max(linear-conflict,zero)'
    """
    return _joined(_names_in(name))


def _joined(names):
    return names[0] if len(names) == 1 else f"max({','.join(names)})"


def _names_in(name):
    """The names in a name, each once."""
    return list(dict.fromkeys(_parse(name)))


def _parse(name):
    if isinstance(name, Sequence) and not isinstance(name, str) and name:
        return [single for part in name for single in _parse(part)]
    if not isinstance(name, str):
        raise ValueError(f"heuristic {name!r}: expected a name or several, such as 'manhattan' or ['zero', 'tables']")
    several = re.fullmatch(r"\s*max\s*\((.*)\)\s*", name, flags=re.IGNORECASE)
    if several:
        # tiles of a partition have commas, too, but names begin with letters
        return _parse(re.split(r",(?=\s*[A-Za-z])", several[1]))
    family, colon, rest = name.strip().partition(":")
    family = plain_name(family)
    if family in NAMES and not colon:
        return [family]
    if family in (_TABLES, _ANN):
        return [family + colon + rest]
    close = difflib.get_close_matches(family, [*NAMES, _TABLES, _ANN], n=1)
    guess = f"did you mean {close[0]!r}? " if close else ""
    raise ValueError(
        f"heuristic {name!r}: {guess}There are {', '.join(NAMES)}, tables, "
        f"tables:PARTITION[:FORMAT], ann[:NETWORK[:LOWERED]] and max(a,b,..)"
    )


def _family(name):
    """What of a name stands before the first colon."""
    return name.partition(":")[0]


def _network(name):
    """The network that a name tells of; a path may have colons of its own."""
    _, colon, network = name.partition(":")
    path, more, lowered = network.rpartition(":")
    try:
        network, moves = (path, float(lowered)) if more else (network, None)
    except ValueError:
        moves = None
    if colon and not network:
        raise ValueError(f"heuristic {name!r}: expected ann, ann:NETWORK or ann:NETWORK:LOWERED")
    return AnnDistance(network or DEFAULT_NETWORK, moves)


def _solver(name, goal, folder):
    """The solver whose tables a name tells of."""
    partition, _, format = name[len(_TABLES) + 1 :].partition(":")
    if name.endswith(":"):
        raise ValueError(f"heuristic {name!r}: expected tables, tables:PARTITION or tables:PARTITION:FORMAT")
    # plain: no search of its own, so no large automaton for it
    return Solver(partition or None, goal=goal, shape=goal.shape, tables=folder, format=format or None, plain=True)


@lru_cache(maxsize=16)
def _arrived(*description: Any) -> Heuristic:
    """The heuristic of a pickle: the same one for the same description."""
    heuristic = Heuristic.__new__(Heuristic)
    heuristic._describe(*description)
    return heuristic


def _is_consistent(solver):
    """A classic table of all tiles has the one region, so its entries are no minimum."""
    return solver.format == "zero-aware" or all("/" not in partition for partition in solver.partitions)


@lru_cache(maxsize=8)
def _shared_evaluator(shape: tuple[int, int], goal: int, kinds: tuple[int, ...]) -> Evaluator:
    """Made once for all boards of one goal: walking distances take some milliseconds."""
    evaluator = Evaluator(shape, goal)
    for kind in kinds:
        evaluator.add(kind)
    return evaluator
