"""Someone's solutions, move by move: the distance after each move, the mistakes, and what is better.

A move of one tile changes the distance by exactly one. So after a board at distance d the next one is at d - 1 or
d + 1, and a search limited to d - 1 moves finds out which. After a multi-tile move it may be at d, too, so the search
is limited to d moves. On a known shortest solution no search is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from .. import _pictures
from .._core.optimal.graph import Graph
from .._system.lazy import np
from .._system.quantities import count_text
from .._system.threads import check_stop
from ..board import Board, boards_along, format_moves
from ..board._moves import KINDS, Convention, Metric, split_moves
from ..errors import Puzzle15Error
from ._engine import Engine, Limits, Progress
from ._hints import graph_of
from ._solution import Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NOT_KNOWN = 255  # as in csrc/optimal/graph.h
_FEW_BOARDS = 1 << 10  # of walks that are followed together, or more if they begin at one board;
_BOARDS = 1 << 16  # never more: the graph that grows with them takes some 200 MB


class Mistake(NamedTuple):
    """A move that does not lead nearer to the goal, and what would have been better.

    Attributes
    ----------
    number, move, lost : int, str, int
        The move's number, from 1 on; its letter, or letters in a row; and by how many moves it makes the solution
        longer: 2, or 1 by a multi-tile move after which the goal is as far.
    board, distance, finish : Board, int, str
        The board before the move, its distance, and a shortest solution of it.
    """

    number: int
    move: str
    lost: int
    board: Board
    distance: int
    finish: str


@dataclass(frozen=True)
class Analysis:
    """Someone's solution, with the distance after each move and the moves that do not lead nearer to the goal.

    Attributes
    ----------
    board, goal : Board
        Where the moves begin, None if the input was not a board; and the goal.
    moves : str
        The moves, one letter per tile that moves: directions in which tiles move. They need not lead to the goal.
    distances : tuple of int
        Moves of a shortest solution, of the first board and after every move; fewer entries if a limit was reached.
    mistakes : tuple of Mistake
        The moves that do not lead nearer to the goal.
    finish : str
        A shortest solution of the last board in `distances`; "" at the goal.
    status : {"solved", "limit", "error"}
        "error" only of `Solver.analyse_many` with ``on_error="mark"``.
    error : Puzzle15Error or None
    metric : {"stm", "mtm"}
        Whether moves are single-tile or multi-tile moves. All equal letters in a row are one multi-tile move.

    Examples
    --------
    >>> from puzzle15 import Solver
    >>> analysis = Solver(shape=(3, 3)).analyse("1 2 3/4 5 6/0 7 8", "LRLDUL")
    >>> analysis.distances, analysis.shortest, analysis.lost, analysis.first_loss
    ((2, 1, 2, 1, 2, 1, 0), 2, 4, 2)
    >>> analysis = Solver(shape=(3, 3), metric="mtm").analyse("1 2 3/4 5 6/0 7 8", "LRLL")
    >>> analysis.distances, analysis.length, analysis.lost
    ((1, 1, 1, 0), 3, 2)
    """

    board: Optional[Board]
    goal: Board
    moves: str
    distances: tuple[int, ...] = field(repr=False)
    mistakes: tuple[Mistake, ...] = field(repr=False)
    finish: str = field(repr=False)
    status: Status = "solved"
    error: Optional[Puzzle15Error] = field(default=None, compare=False)
    metric: Metric = "stm"

    @property
    def length(self) -> int:
        """int: number of moves."""
        return len(split_moves(self.moves, self.metric))

    @property
    def shortest(self) -> Optional[int]:
        """int or None: moves of a shortest solution of the first board, if it is known."""
        return self.distances[0] if self.distances else None

    @property
    def lost(self) -> int:
        """int: by how many moves the mistakes made the solution longer."""
        return sum(mistake.lost for mistake in self.mistakes)

    @property
    def first_loss(self) -> Optional[int]:
        """int or None: the number of the first mistake."""
        return self.mistakes[0].number if self.mistakes else None

    @property
    def reaches_goal(self) -> bool:
        """bool: whether the last move leads to the goal."""
        return len(self.distances) == self.length + 1 and self.distances[-1] == 0

    def to_dict(self, *, convention: Convention = "tile") -> dict[str, Any]:
        """Return the analysis as plain values, which JSON can hold; `convention` as for `Solution.to_dict`.

        >>> from puzzle15 import Solver
        >>> record = Solver(shape=(3, 3)).analyse("1 2 3/4 5 6/0 7 8", "LRLL").to_dict()
        >>> record["distances"], record["lost"], record["mistakes"]
        ([2, 1, 2, 1, 0], 2, [{'number': 2, 'move': 'R', 'lost': 2, 'distance': 1, 'finish': 'L'}])
        """

        def letters(moves: str) -> str:
            return format_moves(moves, convention=convention)

        return {
            "board": None if self.board is None else str(self.board),
            "goal": str(self.goal),
            "moves": letters(self.moves),
            "convention": convention,
            "metric": self.metric,
            "length": self.length,
            "distances": list(self.distances),
            "mistakes": [
                {"number": number, "move": letters(move), "lost": lost, "distance": distance, "finish": letters(finish)}
                for number, move, lost, _, distance, finish in self.mistakes
            ],
            **{name: getattr(self, name) for name in ("shortest", "lost", "first_loss", "reaches_goal")},
            "finish": letters(self.finish),
            "status": self.status,
            "error": None if self.error is None else " ".join(str(self.error).split()),
        }

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        """Play the moves, with the distance that is left after each, as far as it is known."""
        tiles, shape = ((), (0, 0)) if self.board is None else (self.board.tiles, self.board.shape)
        moves = split_moves(self.moves, self.metric)[: max(len(self.distances) - 1, 0)]
        look = _pictures.Look(goal=self.goal.tiles)
        return _pictures.player_html(tiles, shape, moves, look, distances=self.distances, caption=str(self))

    def summary(self, *, convention: Convention = "tile") -> str:
        """Return the analysis as one line for people; `convention` as for `to_dict`."""
        if self.error is not None:
            return f"error: {self.error}"
        if self.shortest is None:
            return f"{self.status}: the distance is not known"
        parts = [count_text(self.length, KINDS[self.metric]), f"shortest {self.shortest}", f"lost {self.lost}"]
        if self.first_loss is not None:
            parts.append(f"first at move {self.first_loss}")
        if len(self.distances) <= self.length:
            parts.append(f"{self.status}: known up to move {len(self.distances) - 1}")
        elif not self.reaches_goal:
            finish = format_moves(self.finish, convention=convention, compress=True)
            parts.append(f"{self.distances[-1]} to go: {finish}")
        return ", ".join(parts)

    def table(self, *, convention: Convention = "tile") -> str:
        """The analysis as lines for people: every move with the distance after it, the mistakes with what was better.

        >>> from puzzle15 import Solver
        >>> print(Solver(shape=(3, 3)).analyse("1 2 3/4 5 6/0 7 8", "LRLL").table())
        move  letter  distance
           0                 2
           1  L              1
           2  R              2  lost 2; better: L
           3  L              1
           4  L              0
        4 moves, shortest 2, lost 2, first at move 2
        """
        lines = ["move  letter  distance"] if self.distances else []
        better = {mistake.number: mistake for mistake in self.mistakes}
        moves = ["", *split_moves(self.moves, self.metric)]
        for number, distance in enumerate(self.distances):
            move = format_moves(moves[number], convention=convention, compress=True)
            line = f"{number:4}  {move:6}  {distance:8}"
            if number in better:
                mistake = better[number]
                finish = format_moves(mistake.finish, convention=convention, compress=True)
                line += f"  lost {mistake.lost}; better: {finish}"
            lines.append(line)
        return "\n".join([*lines, self.summary(convention=convention)])


def analyses_of(
    engine: Engine,
    packed: NDArray[np.uint64],
    limits: Limits,
    moves: Sequence[str],
    threads: int = 1,
    progress: Progress = None,
) -> list[Analysis]:
    """The analyses of legal moves from packed boards; without a limit of nodes, those of one board share a graph."""
    shape = engine.goal.shape
    if limits.max_nodes is not None:
        walks = enumerate(zip(packed.tolist(), moves))
        return [analysis_of(engine, Board._of(board, shape), each, limits.of(i), threads) for i, (board, each) in walks]
    starts = np.unique(packed)
    results = engine.solve(starts, limits, threads)
    graph = Graph(engine.tables.problem, threads)
    solved = results["solved"] == 1
    lengths, turned = results["length"][solved].tolist(), engine.orientation.turn(starts[solved]).tolist()
    for start, path, length in zip(turned, results["path"][solved], lengths):
        graph.add(start, engine.tables.problem.directions_of_path(path, length))
    known = np.isin(packed, starts[solved])
    followed = iter(_follow(engine, graph, packed[known], [each for each, is_in in zip(moves, known) if is_in], limits))
    return [
        next(followed) if is_in else _unknown(engine, Board._of(board, shape), each)
        for board, each, is_in in zip(packed.tolist(), moves, known)
    ]


def analysis_of(engine: Engine, board: Board, letters: str, limits: Limits, threads: int) -> Analysis:
    """Return the analysis of legal moves from a board."""
    solution, graph, _, _ = graph_of(engine, board, limits, threads)
    if solution.moves is None:
        return _unknown(engine, board, letters)
    packed = np.array([board.packed], dtype=np.uint64)
    return _follow(engine, graph, packed, [letters], limits.after(solution.generated))[0]


def _unknown(engine: Engine, board: Board, letters: str) -> Analysis:
    """Return the analysis where a limit was reached before the first distance was known."""
    return Analysis(board, engine.goal, letters, (), (), "", "limit", metric=engine.metric)


def _follow(
    engine: Engine, graph: Graph, starts: NDArray[np.uint64], moves: Sequence[str], limits: Limits
) -> list[Analysis]:
    """Return the analyses of moves from packed boards of which `graph` has a solution."""
    if not moves:
        return []
    shape = engine.goal.shape
    courses, _ = boards_along(starts, moves, shape=shape)
    parts: Sequence[Sequence[str]] = moves  # the letters of each move
    numbers = [engine.directions(letters) for letters in moves]  # of the moves, as in csrc/optimal/graph.h
    if engine.metric == "mtm":
        parts = [split_moves(letters, "mtm") for letters in moves]
        numbers = [bytes(engine.directions(move[0])[0] + 4 * len(move) - 4 for move in each) for each in parts]
        courses = [course[np.cumsum([0, *map(len, each)])] for course, each in zip(courses, parts)]
    packed = np.concatenate(courses)
    begins = np.cumsum([0, *map(len, courses)], dtype=np.int64)
    numbered = np.frombuffer(b"".join(b"\0" + each for each in numbers), dtype=np.uint8)
    turned = engine.orientation.turn(packed)
    distances = np.empty(len(packed), dtype=np.uint8)
    with engine.tables.explain_table_errors():
        graph.follow(turned, numbered, begins, distances, limits.max_nodes, limits.deadline)

    def analysis(letters: str, each: Sequence[str], begin: int, end: int) -> Analysis:
        def board(index: int) -> Board:
            return Board._of(int(packed[begin + index]), shape)

        def finish(index: int) -> str:
            return engine.letters(graph.solution(int(turned[begin + index])))

        check_stop()
        known = [distance for distance in distances[begin:end].tolist() if distance != _NOT_KNOWN]
        mistakes = tuple(
            Mistake(index + 1, each[index], lost, board(index), known[index], finish(index))
            for index in range(len(known) - 1)
            if (lost := 1 + known[index + 1] - known[index]) > 0
        )
        status: Status = "solved" if len(known) == end - begin else "limit"
        return Analysis(
            board(0), engine.goal, letters, tuple(known), mistakes, finish(len(known) - 1), status, metric=engine.metric
        )

    return [analysis(*walk) for walk in zip(moves, parts, begins.tolist(), begins[1:].tolist())]


def chunks(rows: NDArray[np.int64], starts: NDArray[np.uint64], counts: Sequence[int]) -> Iterator[NDArray[np.int64]]:
    """The rows of walks in chunks. Walks that begin at the same board of `starts` are in one chunk, unless it becomes
    too large; `counts` are the boards of each walk."""
    rows = rows[np.argsort(starts[rows], kind="stable")]
    last = np.append(starts[rows[1:]] != starts[rows[:-1]], True)  # of those from its board
    begin = boards = 0
    for end, (count, is_last) in enumerate(zip([counts[row] for row in rows], last), 1):
        boards += count
        if boards >= _BOARDS or (boards >= _FEW_BOARDS and is_last) or end == len(rows):
            yield rows[begin:end]
            begin, boards = end, 0
