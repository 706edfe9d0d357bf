"""The interface: what each endpoint takes and answers, and the function that answers it.

The declarations check requests, and `puzzle15.serve.description` describes the interface with them.
"""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from threading import Lock
from typing import Any, NamedTuple, NoReturn, Optional

from ..board import METRICS, MOVE_CONVENTIONS, Board, Shape, parse_goal, read_board
from ..errors import BoardError, UnsolvableError
from ..heuristics import NAMES
from ..searches import ALGORITHMS, DEFAULT_HEURISTIC, search
from ..solver import SEARCH_FIELDS, Solver, best_solver, scramble
from ..tables import Folder
from .fields import Choice, Field, Flag, ListOf, Number, OrNull, Record, Text, Whole
from .limits import Limits
from .messages import Refused

__all__ = ["Api", "Endpoint"]

_MOST_EXACT = 2**53 - 1  # whole numbers up to this are exact in every reader of JSON
_MOST_DIGITS = 20  # of a whole number
_BOARD_CHARACTERS = 400  # no form of a board needs more
_MOVES_CHARACTERS = 10_000
_FARTHEST = 160  # moves, of boards of all shapes
_SIDES = range(2, 9)
_SHAPES = {f"{rows}x{cols}": (rows, cols) for rows in _SIDES for cols in _SIDES if rows * cols <= 16}

_BOARD = Field("board", Text(_BOARD_CHARACTERS), "A board, such as `8 6 7/2 5 4/3 0 1`, in any form that is read.")
_GOAL = Field(
    "goal",
    Text(_BOARD_CHARACTERS),
    "The goal: a board, `blank-last`, or `blank-first`, also called `korf`.",
    False,
    "blank-last",
)
_CONVENTION = Field(
    "moves",
    Choice(MOVE_CONVENTIONS),
    "Whether a letter of the answer's moves is the direction of the tile or that of the blank.",
    False,
    "tile",
)
_NODES = Field("max_nodes", Whole(0, _MOST_EXACT), "The search ends when it has generated so many nodes.", False)

_BOARDS = (
    Field("board", Text(), "The board, row by row."),
    Field("goal", Text(), "The goal, row by row."),
)
_WAYS = (
    Field("convention", Choice(MOVE_CONVENTIONS), "Whether a letter is the direction of the tile or of the blank."),
    Field("metric", Choice(METRICS), "How moves are counted: single-tile moves (stm) or multi-tile moves (mtm)."),
)
_COUNTS = (
    Field("lower_bound", Whole(), "No solution is shorter; this is proved."),
    Field("expanded", Whole(), "Nodes whose children were made."),
    Field("generated", Whole(), "Children that were made and evaluated."),
    Field("seconds", Number(), "Wall time of the search."),
)
_NO_ERROR = Field("error", OrNull(Text()), "null; an error has an answer of its own.")


def _status(*words: str) -> Field:
    return Field("status", Choice(words), "`limit` if a limit ended the search, which is no error.")


_SOLUTION = (
    *_BOARDS,
    Field("length", OrNull(Whole()), "The number of moves, if a solution was found."),
    Field("moves", OrNull(Text()), "The moves, one letter each: U, D, L and R."),
    *_WAYS,
    Field("optimal", Flag(), "Whether no solution is shorter."),
    *_COUNTS,
)
_OF_SEARCHES = (
    Field("algorithm", Choice(tuple(ALGORITHMS)), "The algorithm."),
    Field("heuristic", OrNull(Text()), "The heuristic; null if the algorithm uses none."),
    Field("largest_open", Whole(), "The most nodes that waited for expansion at any one time."),
    Field("largest_closed", Whole(), "The most expanded nodes that were remembered at any one time."),
    Field("memory_bytes", Whole(), "The most memory that nodes took at any one time."),
)
_HINT = (
    *_BOARDS,
    Field("distance", OrNull(Whole()), "Moves of a shortest solution, if that is known."),
    Field("moves", Text(), "The first moves of all shortest solutions, one letter each; none at the goal."),
    *_WAYS,
    *_COUNTS,
    _status("solved", "limit"),
    _NO_ERROR,
)
_MISTAKE = (
    Field("number", Whole(1), "The number of the move, from 1 on."),
    Field("move", Text(), "The move's letter."),
    Field("lost", Whole(), "By how many moves the solution becomes longer."),
    Field("distance", Whole(), "The distance of the board before the move."),
    Field("finish", Text(), "A shortest solution of the board before the move."),
)
_ANALYSIS = (
    *_BOARDS,
    Field("moves", Text(), "The moves that were analysed, one letter each."),
    *_WAYS,
    Field("length", Whole(), "The number of these moves."),
    Field("distances", ListOf(Whole()), "The distance of the first board and after each move, as far as it is known."),
    Field("mistakes", ListOf(Record(_MISTAKE)), "The moves that lead away from the goal."),
    Field("shortest", OrNull(Whole()), "The distance of the first board, if it is known."),
    Field("lost", Whole(), "By how many moves the mistakes made the solution longer."),
    Field("first_loss", OrNull(Whole(1)), "The number of the first mistake, if there is one."),
    Field("reaches_goal", Flag(), "Whether the last move leads to the goal."),
    Field("finish", Text(), "A shortest solution of the last board whose distance is known."),
    _status("solved", "limit"),
    _NO_ERROR,
)
_SCRAMBLE = (
    Field("board", OrNull(Text()), "The board; null if a limit was reached."),
    Field("goal", Text(), "The goal, row by row."),
    Field("distribution", Text(), "`uniform`, or `scrambled:D`: at distance D, but not equally likely."),
    Field("distance", OrNull(Whole()), "The distance of the board, if it was asked for."),
    Field("metric", Choice(("stm",)), "The distance counts single-tile moves."),
    Field("seed", Whole(), "The same seed and the same fields give the same board again."),
    _status("solved", "limit"),
    _NO_ERROR,
)


class Endpoint(NamedTuple):
    """One thing that the interface can be asked for."""

    path: str
    summary: str
    asked: Record
    answer: Record
    example: dict[str, Any]
    act: Callable[[dict[str, Any]], dict[str, Any]]
    """Makes the record of an answer from the checked fields of a request."""


class Api:
    """The endpoints of a server. It keeps nothing of what it is asked, but the solvers that it has opened.

    Parameters
    ----------
    limits : Limits
    tables : path, optional
        The folder of the tables.

    Attributes
    ----------
    endpoints : dict of str to Endpoint
        By path.

    Examples
    --------
    >>> api = Api(Limits())
    >>> record = api.ask("/api/hint", b'{"board": "8 6 7/2 5 4/3 0 1"}')()
    >>> record["distance"], record["moves"]
    (31, 'DLR')
    """

    def __init__(self, limits: Limits, tables: Folder = None) -> None:
        self._limits, self._tables = limits, tables
        self._opening: defaultdict[tuple[Shape, str], Lock] = defaultdict(Lock)
        time = Field(
            "time_limit_s", Number(0, limits.seconds), "The search ends after so many seconds.", False, limits.seconds
        )
        board = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"
        self.endpoints = {
            endpoint.path: endpoint
            for endpoint in (
                Endpoint(
                    "/api/solve",
                    "A shortest solution of a board: the fields of `puzzle15 solve --json`.",
                    Record(
                        (
                            _BOARD,
                            _GOAL,
                            _CONVENTION,
                            Field("metric", Choice(METRICS), "What the solution has the fewest of.", False, "stm"),
                            _NODES,
                            time,
                        )
                    ),
                    Record((*_SOLUTION, _status("solved", "limit"), _NO_ERROR)),
                    {"board": board},
                    self._solve,
                ),
                Endpoint(
                    "/api/hint",
                    "The distance of a board and all its optimal moves: the fields of `puzzle15 hint --json`.",
                    Record((_BOARD, _GOAL, _CONVENTION, _NODES, time)),
                    Record(_HINT),
                    {"board": board},
                    self._hint,
                ),
                Endpoint(
                    "/api/analyse",
                    "The distance after every move, and the moves that cost: the fields of `puzzle15 analyse --json`.",
                    Record(
                        (
                            _BOARD,
                            Field(
                                "moves",
                                Text(_MOVES_CHARACTERS),
                                "Legal moves, directions of tiles, such as `URDL2`. They need not end at the goal.",
                            ),
                            _GOAL,
                            _NODES,
                            time,
                        )
                    ),
                    Record(_ANALYSIS),
                    {"board": "1 2 3/4 5 6/0 7 8", "moves": "LRLL"},
                    self._analyse,
                ),
                Endpoint(
                    "/api/search",
                    "The answer of a textbook search: the fields of a record of `puzzle15 compare --json`.",
                    Record(
                        (
                            _BOARD,
                            Field("algorithm", Choice(tuple(ALGORITHMS)), "The algorithm."),
                            Field(
                                "heuristic",
                                Choice((*NAMES, "tables", "ann")),
                                f"The heuristic; `{DEFAULT_HEURISTIC}` by default. Only for algorithms that use one.",
                                False,
                            ),
                            _GOAL,
                            Field(
                                "depth_limit",
                                Whole(0, 255),
                                "The most moves that depth-first makes; required on boards of more than 9 cells.",
                                False,
                            ),
                            _NODES,
                            time,
                        )
                    ),
                    Record((*_SOLUTION, _status("solved", "limit", "failed"), _NO_ERROR, *_OF_SEARCHES)),
                    {"board": "8 6 7/2 5 4/3 0 1", "algorithm": "a*", "heuristic": "manhattan"},
                    self._search,
                ),
                Endpoint(
                    "/api/scramble",
                    "A random board: the fields of `puzzle15 scramble --json`.",
                    Record(
                        (
                            Field(
                                "shape",
                                Choice(tuple(_SHAPES)),
                                "Rows and columns; by default those of the goal.",
                                False,
                            ),
                            _GOAL,
                            Field("distance", Whole(0, _FARTHEST), "The moves of a shortest solution.", False),
                            Field("seed", Whole(0, _MOST_EXACT), "The same seed gives the same board again.", False),
                            time,
                        )
                    ),
                    Record(_SCRAMBLE),
                    {"shape": "3x3", "distance": 31, "seed": 1},
                    self._scramble,
                ),
            )
        }

    def ask(self, path: str, body: bytes) -> Callable[[], dict[str, Any]]:
        """The work that makes the record of an answer; Refused for a body that asks for nothing."""
        endpoint = self.endpoints[path]
        value = _parse(body)
        try:
            asked = endpoint.asked.read(value)
        except ValueError:
            raise Refused(400, "the body: expected a JSON object, such as " + json.dumps(endpoint.example)) from None
        return partial(endpoint.act, asked)

    def warm(self) -> None:
        """Open the tables for the boards that most people ask for."""
        self._solver(Board.goal()).hint(Board.goal())

    # ---------------------------------------------------------------- the endpoints

    def _solve(self, asked: dict[str, Any]) -> dict[str, Any]:
        board, goal = _board_and_goal(asked)
        solver = self._solver(goal, asked["metric"])
        with _of_board():
            solution = solver.solve(board, max_nodes=asked["max_nodes"], time_limit_s=asked["time_limit_s"])
        record = solution.to_dict(asked["moves"])
        return {name: value for name, value in record.items() if name not in SEARCH_FIELDS}

    def _hint(self, asked: dict[str, Any]) -> dict[str, Any]:
        board, goal = _board_and_goal(asked)
        solver = self._solver(goal)
        with _of_board():
            hint = solver.hint(board, max_nodes=asked["max_nodes"], time_limit_s=asked["time_limit_s"])
        return hint.to_dict(asked["moves"])

    def _analyse(self, asked: dict[str, Any]) -> dict[str, Any]:
        board, goal = _board_and_goal(asked)
        with _field("moves"):
            board.apply(asked["moves"])
        solver = self._solver(goal)
        with _of_board():
            return solver.analyse(
                board, asked["moves"], max_nodes=asked["max_nodes"], time_limit_s=asked["time_limit_s"]
            ).to_dict()

    def _search(self, asked: dict[str, Any]) -> dict[str, Any]:
        board, goal = _board_and_goal(asked)
        with _of_board():
            return search(
                board,
                algorithm=asked["algorithm"],
                heuristic=asked["heuristic"],
                goal=goal,
                depth_limit=asked["depth_limit"],
                tables=self._tables,
                max_nodes=asked["max_nodes"],
                time_limit_s=asked["time_limit_s"],
                max_memory=self._limits.memory,
            ).to_dict()

    def _scramble(self, asked: dict[str, Any]) -> dict[str, Any]:
        with _field("goal"):
            goal_of, shape = parse_goal(asked["goal"], _SHAPES.get(asked["shape"]))
            goal = goal_of(shape or (4, 4))
        seed = secrets.randbelow(2**32) if asked["seed"] is None else asked["seed"]
        distance = asked["distance"]
        board: Optional[Board]
        if distance is None:
            board = Board.random(seed, goal=goal)
        else:
            with _of_board():
                board = scramble(distance, self._solver(goal), Random(seed), time_limit_s=asked["time_limit_s"])
        return {
            "board": None if board is None else str(board),
            "goal": str(goal),
            "distribution": "uniform" if distance is None else f"scrambled:{distance}",
            "distance": None if board is None else distance,
            "metric": "stm",
            "seed": seed,
            "status": "limit" if board is None else "solved",
            "error": None,
        }

    def _solver(self, goal: Board, metric: str = "stm") -> Solver:
        """The solver of a goal. Requests that need the same tables wait until one of them has opened them."""
        with self._opening[goal.shape, metric]:
            return best_solver(goal, self._tables, metric)


# ---------------------------------------------------------------- reading a request ---


def _parse(body: bytes) -> Any:
    """The value of a body in JSON."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(400, f"the body: byte {error.start} is not UTF-8; expected JSON in UTF-8") from None
    try:
        return json.loads(text, object_pairs_hook=_once, parse_int=_int, parse_constant=_no_number)
    except RecursionError:
        raise Refused(400, "the body: its lists or objects are nested too deep; expected one flat object") from None
    except ValueError as error:
        raise Refused(400, f"the body: it is not JSON: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Refused(400, f"{name[:40]}: the field is there twice; give it once")
        found[name] = value
    return found


def _int(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise Refused(400, f"a whole number of {len(digits)} digits: expected at most {_MOST_DIGITS}")
    return int(digits)


def _no_number(word: str) -> NoReturn:
    raise Refused(400, f"{word}: JSON has no such number")


def _board_and_goal(asked: dict[str, Any]) -> tuple[Board, Board]:
    with _field("goal"):
        goal_of, shape = parse_goal(asked["goal"], None)
    with _field("board"):
        board = read_board(asked["board"], goal_of, shape)
    return board, goal_of(board.shape)


@contextmanager
def _field(name: str) -> Iterator[None]:
    """Name the field in the sentence about its value."""
    try:
        yield
    except BoardError as error:
        raise Refused(400, f"{name}: {_sentence(error)}") from None


@contextmanager
def _of_board() -> Iterator[None]:
    """Tell a board that cannot be solved from values that do not go together."""
    try:
        yield
    except UnsolvableError as error:
        raise Refused(422, _sentence(error)) from None
    except ValueError as error:
        raise Refused(400, _sentence(error)) from None


def _sentence(error: Exception) -> str:
    return " ".join(str(error).split())
