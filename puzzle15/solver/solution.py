"""What a search answers: one `Solution`, or many in a `SolutionBatch`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from ..board import Board, format_moves
from ..errors import Puzzle15Error
from ..system.later import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Iteration", "Solution", "SolutionBatch"]


class Iteration(NamedTuple):
    """One iteration of IDA*: its bound on f, and its nodes."""

    bound: int
    expanded: int
    generated: int


@dataclass(frozen=True)
class Solution:
    """The answer for one board.

    Attributes
    ----------
    board, goal : Board
    status : {"solved", "limit", "failed", "error"}
        "limit": a limit stopped the search. "failed": the space that the search allows itself ended
        without the goal (depth-first, beam, hill-climbing). "error": only in a batch with
        ``on_error="mark"``.
    moves : str or None
        The directions in which tiles move, one letter a move, such as ``URDLLU``. None if there is no solution; with
        the status "limit", the best one that branch and bound had until then, or one that was to be proved.
    optimal : bool
        Whether the solution is proved to be a shortest one.
    lower_bound : int
        No solution is shorter; proved, also when a limit stopped the search.
    expanded, generated : int
        Nodes whose children were made; children made and evaluated. Summed over iterations.
    seconds : float
        Wall time; in a batch, a board's share of it. Solutions that differ in nothing else are equal.
    iterations : tuple of Iteration
        Those that were finished; empty in a batch.
    error : Puzzle15Error or None
    algorithm : str
        A name of `puzzle15.searches.ALGORITHMS`.
    heuristic : str or None
        A name of `puzzle15.heuristics`; None where the search uses none, and of a `Solver`, whose
        heuristic is its tables.
    largest_open, largest_closed : int
        The most nodes that waited for expansion, and that were remembered as expanded, at any one
        time; 0 for searches that hold no more than a path.
    memory_bytes : int
        The most memory that nodes took at any one time; 0 of a `Solver`.

    Examples
    --------
    >>> from puzzle15 import solve
    >>> solution = solve("1 2 3/0 5 6/4 7 8")
    >>> solution.moves, solution.length
    ('ULL', 3)
    >>> print(solution)                     # for people, a digit repeats a letter
    3 moves: UL2
    """

    board: Optional[Board]
    goal: Board
    status: str
    moves: Optional[str]
    optimal: bool
    lower_bound: int
    expanded: int
    generated: int
    seconds: float = field(compare=False)
    iterations: tuple[Iteration, ...] = ()
    error: Optional[Puzzle15Error] = field(default=None, compare=False)
    algorithm: str = "ida*"
    heuristic: Optional[str] = None
    largest_open: int = 0
    largest_closed: int = 0
    memory_bytes: int = 0

    @property
    def length(self) -> Optional[int]:
        """int or None: number of moves."""
        return None if self.moves is None else len(self.moves)

    def boards(self) -> Iterator[Board]:
        """Every board from the start to the goal.

        Examples
        --------
        >>> from puzzle15 import solve
        >>> for board in solve("1 2 3/0 5 6/4 7 8").boards():
        ...     print(board)
        1 2 3/0 5 6/4 7 8
        1 2 3/4 5 6/0 7 8
        1 2 3/4 5 6/7 0 8
        1 2 3/4 5 6/7 8 0
        """
        if self.board is None or self.moves is None:
            return
        board = self.board
        yield board
        for letter in self.moves:
            board = board.move(letter)
            yield board

    def __str__(self) -> str:
        if self.error is not None:
            return f"{self.status}: {self.error}"
        at_least = f"{self.status}: at least {self.lower_bound} moves"
        if self.moves is None:
            return at_least
        moves = format_moves(self.moves, compress=True)
        if self.status != "solved":
            return f"{at_least}, at most {self.length}: {moves}"
        return f"{self.length} move{'s' * (self.length != 1)}{': ' * bool(moves)}{moves}"


class SolutionBatch:
    """The answers for many boards, as arrays; ``batch[i]`` is a `Solution`.

    Attributes
    ----------
    lengths : ndarray of int16, shape (N,)
        Moves of an optimal solution; -1 where there is none.
    expanded, generated : ndarray of uint64, shape (N,)
    seconds : ndarray of float64, shape (N,)
    status : ndarray of str, shape (N,)
        "solved" or "error".
    errors : dict of int to Puzzle15Error
        What was wrong with the boards that failed.
    """

    def __init__(
        self,
        goal: Board,
        packed: NDArray[np.uint64],
        results: dict[str, Any],
        errors: dict[int, Puzzle15Error],
        moves_of: Callable[[NDArray[np.uint8], int], str],
    ) -> None:
        self._goal = goal
        self._packed = packed
        self._paths = results["path"]
        self._moves_of = moves_of
        failed = np.zeros(len(packed), dtype=bool)
        failed[list(errors)] = True
        self.errors = errors
        self.lengths = np.where(failed, -1, results["length"].astype(np.int16)).astype(np.int16)
        self.expanded: NDArray[np.uint64] = results["expanded"]
        self.generated: NDArray[np.uint64] = results["generated"]
        self.seconds: NDArray[np.float64] = results["seconds"]
        self.status = np.where(failed, "error", "solved")

    def __len__(self) -> int:
        return len(self._packed)

    def __getitem__(self, index: int) -> Solution:
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"board {index} of {count}")
        index %= count
        error = self.errors.get(index)
        length = int(self.lengths[index])
        packed = int(self._packed[index])
        return Solution(
            board=Board._of(packed, self._goal.shape) if packed else None,
            goal=self._goal,
            status=str(self.status[index]),
            moves=None if error else self._moves_of(self._paths[index], length),
            optimal=error is None,
            lower_bound=max(length, 0),
            expanded=int(self.expanded[index]),
            generated=int(self.generated[index]),
            seconds=float(self.seconds[index]),
            error=error,
        )

    def __iter__(self) -> Iterator[Solution]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        solved = int((self.lengths >= 0).sum())
        return f"<SolutionBatch of {len(self)} boards, {solved} solved>"
