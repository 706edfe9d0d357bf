"""All optimal moves of a board, all shortest solutions, and the one with the fewest multi-tile moves.

A graph holds the boards on shortest solutions as far as they are known. It begins with those on one solution, and grows
by questions about the boards beside them; `puzzle15/_core/optimal/graph.pyx` answers these.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any, Optional

from .._core.optimal.graph import Graph, Listing
from ..board import Board, Orientation, directions_from_moves, format_moves, moves_from_directions
from ..errors import Puzzle15Error
from ..system.unsendable import Unsendable
from .solution import Solution
from .views import Views

__all__ = ["AllSolutions", "Explorer", "Hint", "moves_of_mask"]

_LETTERS = "UDLR"  # the order of moves


@dataclass(frozen=True)
class Hint:
    """The distance of a board, and its optimal moves.

    Attributes
    ----------
    board : Board or None
        None for what is no board.
    goal : Board
    status : {"solved", "limit", "error"}
        "limit": a limit stopped the search, so that moves may be missing. "error": only of `Solver.hint_many` with
        ``on_error="mark"``.
    distance : int or None
        Moves of a shortest solution; None if it is not known.
    moves : str
        The first moves of all shortest solutions, one letter each, in the order ``UDLR``. A letter is the direction in
        which a tile moves. Empty at the goal.
    lower_bound : int
        No solution is shorter.
    expanded, generated : int
        Nodes of all searches.
    seconds : float
        Wall time; 0 of `Solver.hint_many` without limits. Hints that differ in nothing else are equal.
    error : Puzzle15Error or None

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> hint = Solver(shape=(3, 3)).hint("8 6 7/2 5 4/3 0 1")
    >>> hint.distance, hint.moves
    (31, 'DLR')
    >>> print(hint)
    31 moves; optimal: D L R
    """

    board: Optional[Board]
    goal: Board
    status: str
    distance: Optional[int]
    moves: str
    lower_bound: int
    expanded: int = 0
    generated: int = 0
    seconds: float = field(default=0.0, compare=False)
    error: Optional[Puzzle15Error] = field(default=None, compare=False)

    def to_dict(self, *, convention: str = "tile") -> dict[str, Any]:
        """The hint as a dictionary of texts and numbers, for JSON.

        Parameters
        ----------
        convention : {"tile", "blank"}
            Whether letters name the directions of the tiles or of the blank.

        Examples
        --------
        >>> from puzzle15 import Solver
        >>> record = Solver(shape=(3, 3)).hint("1 2 3/4 5 6/7 0 8").to_dict()
        >>> record["distance"], record["moves"], record["convention"]
        (1, 'L', 'tile')
        """
        return {
            "board": None if self.board is None else str(self.board),
            "goal": str(self.goal),
            "distance": self.distance,
            "moves": format_moves(self.moves, convention),
            "convention": convention,
            "metric": "stm",
            "lower_bound": self.lower_bound,
            "expanded": self.expanded,
            "generated": self.generated,
            "seconds": round(self.seconds, 6),
            "status": self.status,
            "error": None if self.error is None else " ".join(str(self.error).split()),
        }

    def __str__(self) -> str:
        return self.text()

    def text(self, *, convention: str = "tile") -> str:
        """The hint as one line for people; `moves` as for `to_dict`."""
        if self.error is not None:
            return f"error: {self.error}"
        if self.distance is None:
            return f"{self.status}: at least {self.lower_bound} moves"
        line = f"{self.distance} move{'s' * (self.distance != 1)}"
        if self.moves:
            line += f"; optimal: {' '.join(format_moves(self.moves, convention))}"
        return line + (", and perhaps others" if self.status == "limit" else "")


class Explorer:
    """The boards on the shortest solutions of a board, explored as far as it is asked.

    Parameters
    ----------
    views : Views
    orientation : Orientation
    solution : Solution
        A shortest one, with moves.
    max_nodes : int, optional
        The most nodes that the search of the solution and all questions may generate together.
    deadline : float, optional
        A `time.monotonic`.
    threads : int
    """

    def __init__(
        self,
        views: Views,
        orientation: Orientation,
        solution: Solution,
        max_nodes: Optional[int],
        deadline: Optional[float],
        threads: int,
    ) -> None:
        assert solution.board is not None and solution.moves is not None
        self.solution = solution
        self._views, self._orientation = views, orientation
        self._limits = None if max_nodes is None else max(max_nodes - solution.generated, 0), deadline
        self._graph = Graph(views.problem, threads)
        self._board = orientation.turn_one(solution.board)
        self._order = order_of_letters(orientation)
        self._graph.add(self._board, turned_directions(orientation, solution.moves))

    def hint(self) -> tuple[str, bool]:
        """(the optimal moves that are known, whether these are all)"""
        self._graph.ask(self._board)
        with self._views.naming_folder(self.solution.board):
            self._graph.answer(*self._limits)
        _, mask, whole = self._graph.known(self._board)
        return moves_of_mask(mask, self._order), whole

    def explore(self) -> bool:
        """Find all boards on shortest solutions; False if a limit was reached."""
        with self._views.naming_folder(self.solution.board):
            while self._graph.reach(self._board):
                if not self._graph.answer(*self._limits):
                    self._graph.reach(self._board)
                    return False
        return True

    def count(self) -> int:
        """The number of shortest solutions that are known."""
        return self._graph.count_solutions()

    def fewest_multi_tile(self) -> str:
        """The moves of the known solution with the fewest multi-tile moves."""
        return self._letters(self._graph.fewest_runs(self._order))

    def listing(self) -> Listing:
        """A list of all solutions, to be read by `next_of`."""
        return Listing(self._graph, self._board, self._order)

    def next_of(self, listing: Listing) -> Optional[str]:
        """The moves of the next solution; None at the end of the list, or if a limit was reached."""
        with self._views.naming_folder(self.solution.board):
            directions = listing.next(*self._limits)
        return None if directions is None else self._letters(directions)

    @property
    def expanded(self) -> int:
        """Nodes expanded for the solution and for all questions."""
        return self.solution.expanded + self._graph.expanded

    @property
    def generated(self) -> int:
        """Nodes generated for the solution and for all questions."""
        return self.solution.generated + self._graph.generated

    def _letters(self, directions: bytes) -> str:
        return moves_from_directions(directions.translate(_table(self._orientation.direction_back)))


class AllSolutions(Unsendable, instead="it searches on in this process; send a list of it, or the board"):
    """An iterator over the moves of all shortest solutions of a board.

    Each one comes once, as a string of letters. They are ordered by their moves, from the first move on, and moves in
    the order ``UDLR``. Each is searched for when it is asked for.

    Attributes
    ----------
    solution : Solution
        One shortest solution; without moves if a limit was reached.
    complete : bool
        Whether all solutions have been given. If it is false at the end, a limit was reached.

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> solutions = Solver(shape=(2, 3)).all_solutions("4 5 2/3 0 1")
    >>> list(solutions)
    ['LDRURDLULDRUL', 'LDRURDLLURDLU']
    >>> solutions.complete
    True
    """

    def __init__(self, solution: Solution, explorer: Optional[Explorer], max_solutions: Optional[int]) -> None:
        self.solution = solution
        self.complete = False
        self._explorer = explorer
        self._listing = None if explorer is None else explorer.listing()
        self._left = max_solutions

    def __iter__(self) -> AllSolutions:
        return self

    def __next__(self) -> str:
        if self._explorer is None or self._listing is None or self._left == 0:
            raise StopIteration
        moves = self._explorer.next_of(self._listing)
        if moves is None:
            self.complete = self._listing.ended
            raise StopIteration
        if self._left is not None:
            self._left -= 1
        return moves


def hint_of(explorer: Optional[Explorer], solution: Solution, start: float) -> Hint:
    """The hint for the board of a solution; `explorer` is None if there are no moves, because a limit was reached."""
    moves, whole = ("", False) if explorer is None else explorer.hint()
    counts = solution if explorer is None else explorer
    return Hint(
        board=solution.board,
        goal=solution.goal,
        status="solved" if whole else "limit",
        distance=solution.length,
        moves=moves,
        lower_bound=solution.lower_bound,
        expanded=counts.expanded,
        generated=counts.generated,
        seconds=time.monotonic() - start,
    )


def fewest_multi_tile(explorer: Explorer, start: float) -> Solution:
    """The solution of the fewest multi-tile moves that is found."""
    whole = explorer.explore()
    return replace(
        explorer.solution,
        status="solved" if whole else "limit",
        moves=explorer.fewest_multi_tile(),
        expanded=explorer.expanded,
        generated=explorer.generated,
        seconds=time.monotonic() - start,
    )


def order_of_letters(orientation: Orientation) -> bytes:
    """The directions on the turned board of the letters ``UDLR``, in this order."""
    return turned_directions(orientation, _LETTERS)


def moves_of_mask(mask: int, order: bytes) -> str:
    """The letters of a set of directions; `order` is that of `order_of_letters`."""
    return "".join(letter for letter, direction in zip(_LETTERS, order) if mask >> direction & 1)


def turned_directions(orientation: Orientation, letters: str) -> bytes:
    """The directions of moves on the turned board."""
    return directions_from_moves(letters).translate(_table(orientation.direction_to))


def _table(directions: bytes) -> bytes:
    return bytes.maketrans(bytes(range(4)), directions)
