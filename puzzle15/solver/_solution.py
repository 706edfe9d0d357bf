"""The answer of a search for one board: `Solution`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Optional

from .. import _pictures
from .._pictures.palette import Colours
from .._system.quantities import count_text
from ..board import Board, count_moves, format_moves
from ..board._moves import KINDS, Convention, Metric, split_moves
from ..errors import OptionError, Puzzle15Error
from ._counts import Counts

#: The fields of `Solution.to_dict` that are empty in the solutions of a `Solver`.
SEARCH_FIELDS = (
    *("algorithm", "heuristic", "max_length"),
    *("largest_open", "largest_closed", "memory_bytes", "improvements", "counts"),
)

#: How a search can end: see `Solution`.
Status = Literal["solved", "limit", "failed", "error"]


class Iteration(NamedTuple):
    """One iteration of IDA*: its bound on f, and its nodes."""

    bound: int
    expanded: int
    generated: int


class Improvement(NamedTuple):
    """A shorter solution of an anytime search, or a better proof of the best one.

    Attributes
    ----------
    moves : str
        The best solution so far, as in `Solution.moves`.
    lower_bound : int
        No solution is shorter; this is proved.
    weight : float or None
        Of anytime-a*, its weight. Of ara*, the weight of the last round that has ended. None of beam-stack.
    expanded, generated, seconds
        By now, as in `Solution`.

    Examples
    --------
    >>> from puzzle15 import search
    >>> solution = search("8 0 6/5 4 7/2 3 1", algorithm="anytime-a*", weight=3)
    >>> [(better.length, better.lower_bound) for better in solution.improvements]
    [(35, 21), (31, 21), (29, 21), (27, 21), (27, 23), (27, 25), (27, 27)]
    """

    moves: str
    lower_bound: int
    weight: Optional[float]
    expanded: int
    generated: int
    seconds: float

    @property
    def length(self) -> int:
        """int: number of moves."""
        return len(self.moves)

    @property
    def ratio(self) -> float:
        """float: the solution is proved to be at most so many times as long as a shortest one."""
        return self.length / self.lower_bound if self.lower_bound else 1.0


class PathStep(NamedTuple):
    """A board along a solution, the move that led to it, and the moves from there to the goal."""

    move: str
    board: Board
    moves_left: int


@dataclass(frozen=True, repr=False)
class Solution:
    """The answer for one board.

    Iterating over a solution gives its moves, and ``len(solution)`` is their number. `solved` tells whether there are
    any; the object itself is always true.

    Attributes
    ----------
    board, goal : Board
    status : {"solved", "limit", "failed", "error"}
        "limit": a limit stopped the search. "failed": the space that the search allows itself ended without the goal
        (depth-first, beam, hill-climbing). "error": only in a batch with ``on_error="mark"``.
    moves : str or None
        The directions in which tiles move, one letter per step of a tile, such as ``URDLLU``. None if there is no
        solution. With the status "limit", the best solution until then, of branch and bound and of anytime searches.
    optimal : bool
        Whether the solution is proved to be a shortest one.
    lower_bound : int
        No solution is shorter; proved, also when a limit stopped the search.
    expanded, generated : int
        Nodes whose children were made; children made and evaluated. Summed over iterations.
    seconds : float
        Wall time; in a batch, a board's share of it.
    iterations : tuple of Iteration
        Those that were finished; empty in a batch. Comparisons leave out these, seconds and improvements.
    error : Puzzle15Error or None
    algorithm, heuristic : str, str or None
        As for `puzzle15.search`; the heuristic of a `Solver` is None.
    max_length : int or None
        Of depth-first, its depth limit: a solution of so many moves proves nothing about shorter ones.
    largest_open, largest_closed : int
        The most nodes in the open list and in the closed list at any one time; 0 without such lists.
    memory_bytes : int
        The most memory that nodes took at any one time; 0 of a `Solver`.
    improvements : tuple of Improvement
        Each better solution, and each better proof, of an anytime search (anytime-a*, ara*, beam-stack).
    counts : Counts or None
        The nodes by layer, of a textbook search with ``counts=True``. Comparisons leave them out.
    metric : {"stm", "mtm"}
        Whether `length` and `lower_bound` count single-tile or multi-tile moves.

    Examples
    --------
    >>> from puzzle15 import solve
    >>> solution = solve("1 2 3/0 5 6/4 7 8")
    >>> solution.moves, list(solution), solution.length, solution.multi_tile_length
    ('ULL', ['U', 'L', 'L'], 3, 2)
    >>> print(solution)                     # for people: L2 means LL
    3 moves: UL2
    """

    board: Optional[Board]
    goal: Board
    status: Status
    moves: Optional[str]
    optimal: bool
    lower_bound: int
    expanded: int
    generated: int
    seconds: float = field(compare=False)
    iterations: tuple[Iteration, ...] = field(default=(), compare=False)
    error: Optional[Puzzle15Error] = field(default=None, compare=False)
    algorithm: str = "ida*"
    heuristic: Optional[str] = None
    largest_open: int = 0
    largest_closed: int = 0
    memory_bytes: int = 0
    metric: Metric = "stm"
    improvements: tuple[Improvement, ...] = field(default=(), compare=False)
    max_length: Optional[int] = None
    counts: Optional[Counts] = field(default=None, compare=False)

    @classmethod
    def _of(cls, **fields: Any) -> Solution:
        """Return a solution from its fields: the same, but a frozen dataclass takes some microseconds to fill."""
        self = object.__new__(cls)
        self.__dict__.update(fields)
        return self

    @property
    def solved(self) -> bool:
        """bool: whether there is a solution, shortest or not."""
        return self.moves is not None

    @property
    def length(self) -> Optional[int]:
        """int or None: number of moves, as the metric counts them."""
        return self.single_tile_length if self.metric == "stm" else self.multi_tile_length

    @property
    def single_tile_length(self) -> Optional[int]:
        """int or None: number of single-tile moves."""
        return None if self.moves is None else len(self.moves)

    @property
    def multi_tile_length(self) -> Optional[int]:
        """int or None: number of multi-tile moves, which are equal letters in a row."""
        return None if self.moves is None else count_moves(self.moves, "mtm")

    def __iter__(self) -> Iterator[str]:
        return iter(split_moves(self.moves or "", self.metric))

    def __len__(self) -> int:
        return self.length or 0

    def __bool__(self) -> bool:
        return True

    def path(self) -> Iterator[PathStep]:
        """Every board from the start to the goal, with the move that led to it and the number of moves that are left.

        >>> from puzzle15 import solve
        >>> for move, board, moves_left in solve("1 2 3/4 5 6/0 7 8").path():
        ...     print(f"{move:1}  {board}  {moves_left}")
           1 2 3/4 5 6/0 7 8  2
        L  1 2 3/4 5 6/7 0 8  1
        L  1 2 3/4 5 6/7 8 0  0
        """
        if self.board is None or self.moves is None:
            return
        board, moves_left = self.board, len(self)
        yield PathStep("", board, moves_left)
        for move in self:
            board, moves_left = board.apply(move), moves_left - 1
            yield PathStep(move, board, moves_left)

    def boards(self) -> Iterator[Board]:
        """Every board from the start to the goal; `path` gives more about each."""
        return (step.board for step in self.path())

    def to_dict(self, *, convention: Convention = "tile") -> dict[str, Any]:
        """Return the solution as plain values, which JSON can hold: the record that ``puzzle15 solve --json`` prints.

        Boards are texts, and what is unknown is None. The iterations are left out.

        Parameters
        ----------
        convention : {"tile", "blank"}
            Whether a letter of a move is the direction of the tile or that of the blank.

        Examples
        --------
        >>> from puzzle15 import solve
        >>> record = solve("1 2 3/0 5 6/4 7 8").to_dict()
        >>> record["board"], record["length"], record["moves"], record["metric"], record["status"]
        ('1 2 3/0 5 6/4 7 8', 3, 'ULL', 'stm', 'solved')
        """
        known = self.error is None

        def fields(*names: str) -> dict[str, Any]:
            return {name: getattr(self, name) if known else None for name in names}

        return {
            "board": None if self.board is None else str(self.board),
            "goal": str(self.goal),
            "length": self.length,
            "moves": None if self.moves is None else format_moves(self.moves, convention=convention),
            "convention": convention,
            "metric": self.metric,
            **fields("optimal", "lower_bound", "expanded", "generated"),
            "seconds": round(self.seconds, 6) if known else None,
            "status": self.status,
            "error": None if known else str(self.error),
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "max_length": self.max_length,
            **fields("largest_open", "largest_closed", "memory_bytes"),
            "improvements": [
                {
                    "length": each.length,
                    **{name: getattr(each, name) for name in ("lower_bound", "weight", "expanded", "generated")},
                    "seconds": round(each.seconds, 6),
                }
                for each in self.improvements
            ],
            "counts": None if self.counts is None else self.counts.to_dict(),
        }

    def animation(
        self, *, tiles_per_second: float = 2.0, colours: Colours = "rows", numbers: bool = True, size: float = 240
    ) -> str:
        """Return a page that plays the solution: an HTML document of about 10 kB that needs nothing else.

        Buttons, a slider and keys (space, arrows, Home, End) play, pause and step. The page shows the number of moves
        made and, if the solution is optimal, the distance that is left. A notebook shows the same for a solution.

        Parameters
        ----------
        tiles_per_second : float
            The number of moves per second, 0.1 to 50; all tiles of a multi-tile move slide at once.
        colours, numbers, size
            As for `Board.svg`. The goal of the solution gives the tiles their colours.

        Examples
        --------
        >>> from puzzle15 import solve
        >>> solve("8 6 7/2 5 4/3 0 1").animation(tiles_per_second=4)[:15]
        '<!DOCTYPE html>'
        """
        player = self._player(_pictures.Look(size, colours, numbers), tiles_per_second)
        return _pictures.html_page(f"Board {self.board}", player)

    def svg(
        self, *, tiles_per_second: float = 2.0, colours: Colours = "rows", numbers: bool = True, size: float = 240
    ) -> _pictures.Svg:
        """A picture that plays the solution by itself, again and again: an SVG of 5 to 10 kB, for a README or a slide.

        The parameters are those of `animation`; ValueError if there are no moves.

        >>> from puzzle15 import solve
        >>> solve("1 2 3/0 5 6/4 7 8").svg().count("@keyframes")
        4
        """
        if self.board is None or not self.moves:
            raise OptionError(f"{self}: expected a solution with moves; a board has a picture, too: Board.svg()")
        return _pictures.moves_svg(
            self.board.tiles,
            self.board.shape,
            list(self),
            _pictures.Look(size, colours, numbers, self.goal.tiles),
            tiles_per_second=tiles_per_second,
        )

    def _repr_html_(self) -> str:
        return self._player()

    def _player(self, look: Optional[_pictures.Look] = None, tiles_per_second: float = 2.0) -> str:
        """Return the part of a page that plays the solution."""
        if self.board is None:
            return _pictures.player_html((), (0, 0), (), caption=str(self))
        left = range(len(self), -1, -1) if self.optimal and self.moves else ()
        return _pictures.player_html(
            self.board.tiles,
            self.board.shape,
            list(self),
            (look or _pictures.Look())._replace(goal=self.goal.tiles),
            distances=left,
            caption=self._summary(),
            tiles_per_second=tiles_per_second,
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        moves = "" if self.moves is None else format_moves(self.moves, compress=True)
        return f"{self._outcome()}{': ' * bool(moves)}{moves}"

    def _summary(self) -> str:
        """Return a sentence about the solution, without its moves."""
        if self.status != "solved":
            return f"{self._outcome()}."
        return f"{self._outcome()}; {'no solution is' if self.optimal else 'another solution may be'} shorter."

    def _outcome(self) -> str:
        if self.error is not None:
            return f"{self.status}: {self.error}"
        kind = KINDS[self.metric]
        within = "" if self.max_length is None or self.optimal else f" within the depth limit {self.max_length}"
        if self.status != "solved":
            at_most = "" if self.moves is None else f", at most {self.length}"
            return f"{self.status}{within}: at least {count_text(self.lower_bound, kind)}{at_most}"
        return f"{count_text(len(self), kind)}{within}"
