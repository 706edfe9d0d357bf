"""The first moves of all shortest solutions of a board, and all these solutions.

A graph holds the boards on shortest solutions that are known. It begins with those on one solution, and grows by
limited searches of the boards beside them; see `puzzle15/_core/optimal/graph.pyx`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any, Optional

from .._core.optimal.graph import Graph, Listing
from ..board import Board, format_moves
from ..errors import Puzzle15Error
from ..system.unsendable import Unsendable
from .engine import Engine, letters_of_set
from .limits import Limits
from .solution import Solution

__all__ = ["AllSolutions", "Explorer", "Hint"]


@dataclass(frozen=True)
class Hint:
    """The distance of a board, and its optimal moves.

    Attributes
    ----------
    board : Board or None
        None if the input was not a board.
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

    @classmethod
    def of(cls, explorer: Explorer, start: float) -> Hint:
        """The hint for an explorer's board, after a search that began at a `time.monotonic`."""
        moves, whole = explorer.first_moves()
        solution = explorer.solution
        return cls(
            board=solution.board,
            goal=solution.goal,
            status="solved" if whole else "limit",
            distance=solution.length,
            moves=moves,
            lower_bound=solution.lower_bound,
            expanded=explorer.expanded,
            generated=explorer.generated,
            seconds=time.monotonic() - start,
        )

    def __str__(self) -> str:
        return self.text()

    def text(self, *, convention: str = "tile") -> str:
        """The hint as one line for people; `convention` as for `to_dict`."""
        if self.error is not None:
            return f"error: {self.error}"
        if self.distance is None:
            return f"{self.status}: at least {self.lower_bound} moves"
        line = f"{self.distance} move{'s' * (self.distance != 1)}"
        if self.moves:
            line += f"; optimal: {' '.join(format_moves(self.moves, convention))}"
        return line + (", and perhaps others" if self.status == "limit" else "")


class Explorer:
    """Solves a board within limits of all searches together, and goes on to its other shortest solutions."""

    def __init__(self, engine: Engine, board: Board, limits: Limits, threads: int) -> None:
        self._engine = engine
        self.solution = engine.solve_one(board, limits, threads)  # without moves, there is nothing to explore
        left = limits.after(self.solution.generated)
        self._limits = left.max_nodes, left.deadline
        self._graph = Graph(engine.tables.problem, threads)
        self._board = engine.orientation.turn_one(board)
        if self.solution.moves is not None:
            self._graph.add(self._board, engine.directions(self.solution.moves))

    def first_moves(self) -> tuple[str, bool]:
        """(the first moves of shortest solutions that are known, whether these are all)"""
        if self.solution.moves is None:
            return "", False
        self._graph.query(self._board)
        with self._engine.tables.naming_folder(self.solution.board):
            self._graph.resolve(*self._limits)
        _, mask, whole = self._graph.known(self._board)
        return letters_of_set(mask, self._engine.order), whole

    def explore(self) -> bool:
        """Find all boards on shortest solutions; False if a limit was reached."""
        if self.solution.moves is None:
            return False
        with self._engine.tables.naming_folder(self.solution.board):
            while self._graph.reach(self._board):
                if not self._graph.resolve(*self._limits):
                    self._graph.reach(self._board)
                    return False
        return True

    def count(self) -> int:
        """The number of shortest solutions that are known, after `explore`."""
        return self._graph.count_solutions()

    def fewest_multi_tile(self) -> str:
        """The moves of the known solution with the fewest multi-tile moves, after `explore`."""
        return self._engine.letters(self._graph.fewest_runs(self._engine.order))

    def listing(self) -> Optional[Listing]:
        """A list of all solutions, to be read by `next_of`."""
        return None if self.solution.moves is None else Listing(self._graph, self._board, self._engine.order)

    def next_of(self, listing: Listing) -> Optional[str]:
        """The moves of the next solution; None at the end of the list, or if a limit was reached."""
        with self._engine.tables.naming_folder(self.solution.board):
            directions = listing.next(*self._limits)
        return None if directions is None else self._engine.letters(directions)

    @property
    def expanded(self) -> int:
        """int: nodes expanded by all searches."""
        return self.solution.expanded + self._graph.expanded

    @property
    def generated(self) -> int:
        """int: nodes generated by all searches."""
        return self.solution.generated + self._graph.generated


class AllSolutions(Unsendable, instead="it searches on in this process; send a list of it, or the board"):
    """All shortest solutions of a board: an iterator over their moves, which searches only for what is asked of it.

    Each solution comes once, as a string of letters. They are ordered by their moves, from the first move on, and moves
    in the order ``UDLR``.

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

    def __init__(self, explorer: Explorer, max_solutions: Optional[int]) -> None:
        self.solution = explorer.solution
        self.complete = False
        self._explorer, self._listing = explorer, explorer.listing()
        self._left = max_solutions
        self._start = time.monotonic() - self.solution.seconds

    def __iter__(self) -> AllSolutions:
        return self

    def __next__(self) -> str:
        if self._listing is None or self._left == 0:
            raise StopIteration
        moves = self._explorer.next_of(self._listing)
        if moves is None:
            self.complete = self._listing.ended
            raise StopIteration
        if self._left is not None:
            self._left -= 1
        return moves

    def count(self) -> Optional[int]:
        """The number of all shortest solutions, counted without a list of them; None if a limit was reached.

        Examples
        --------
        >>> from puzzle15 import Solver
        >>> Solver(shape=(3, 3)).all_solutions("8 6 7/2 5 4/3 0 1").count()
        40
        """
        return self._explorer.count() if self._explorer.explore() else None

    def fewest_multi_tile(self) -> Solution:
        """Of all shortest solutions, the first one with the fewest multi-tile moves.

        A multi-tile move slides all tiles between the blank and another cell of its row or column: successive equal
        letters are one such move. The length of the solution still counts the single tiles. (A solver with
        ``metric="mtm"`` finds solutions with the fewest multi-tile moves, which may slide more single tiles.)

        Returns
        -------
        Solution
            With the status "limit" it is the best one that was found, if any was.

        Examples
        --------
        >>> from puzzle15 import Solver
        >>> solver = Solver(shape=(3, 3))
        >>> print(solver.solve("7 0 2/8 1 5/6 3 4"))
        19 moves: ULUR2D2LULUR2DLDLU2
        >>> print(solver.all_solutions("7 0 2/8 1 5/6 3 4").fewest_multi_tile())
        19 moves: U2LDRURD2L2U2R2DL2U
        """
        if self.solution.moves is None:
            return self.solution
        whole = self._explorer.explore()
        return replace(
            self.solution,
            status="solved" if whole else "limit",
            moves=self._explorer.fewest_multi_tile(),
            expanded=self._explorer.expanded,
            generated=self._explorer.generated,
            seconds=time.monotonic() - self._start,
        )
