"""The first moves of all shortest solutions of a board, and all these solutions."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any, Optional

from ..board import Board, format_moves
from ..errors import Puzzle15Error
from ..system.unsendable import Unsendable
from .explorer import Explorer
from .solution import Solution

__all__ = ["AllSolutions", "Hint"]


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
