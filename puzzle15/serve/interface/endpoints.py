"""The endpoints: the fields of their requests and answers, which check requests and describe the interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...board import METRICS, MOVE_CONVENTIONS
from ...heuristics import NAMES
from ...searches import ALGORITHMS, DEFAULT_HEURISTIC
from ...system.version import __version__
from ..limits import Limits
from .fields import Choice, Field, Flag, Kind, ListOf, Number, OrNull, Record, Text, Whole

__all__ = ["Endpoint", "MOST_MOVES", "SHAPES", "describe", "endpoints"]

MOST_MOVES = 10_000  # that are analysed; longer games are none

_MOST_EXACT = 2**53 - 1  # whole numbers up to this are exact in every reader of JSON
_BOARD_CHARACTERS = 400  # no form of a board needs more
_FARTHEST = 160  # moves, of boards of all shapes
_MOST_EXPANSIONS = 1_000  # an answer of a megabyte at most
_SIDES = range(2, 9)
_OF_SOME = ("heuristic", "max_length")  # fields that not every algorithm takes
#: The shapes by their names.
SHAPES = {f"{rows}x{cols}": (rows, cols) for rows in _SIDES for cols in _SIDES if rows * cols <= 16}


class _Algorithms(Choice):
    """The algorithms; the page reads which of the other fields each one takes."""

    def schema(self) -> dict[str, Any]:
        fields = {kind.name: [name for name in _OF_SOME if kind.takes(name)] for kind in ALGORITHMS.values()}
        return {**super().schema(), "x-takes": fields}


def _option(name: str, kind: Kind, about: str, default: Any = None) -> Field:
    return Field(name, kind, about, False, default)


_TEXT = Text(_BOARD_CHARACTERS)
_BOARD = Field("board", _TEXT, "A board, such as `8 6 7/2 5 4/3 0 1`, in any form that is read.")
_GOAL = _option("goal", _TEXT, "A board, `blank-last`, or `blank-first`, also called `korf`.", "blank-last")
_CONVENTION = _option(
    "moves",
    Choice(MOVE_CONVENTIONS),
    "Whether a letter of the answer's moves is the direction of the tile or that of the blank.",
    "tile",
)
_NODES = _option("max_nodes", Whole(0, _MOST_EXACT), "The search ends when it has generated so many nodes.")
_METRIC = _option("metric", Choice(METRICS), "What the solution has the fewest of.", "stm")
_MOVES = Field("moves", Text(2 * MOST_MOVES), "Legal moves of tiles, such as `URDL2`. They need not lead to the goal.")
_ALGORITHM = Field("algorithm", _Algorithms(tuple(ALGORITHMS)), "The algorithm.")
_HEURISTIC = _option(
    "heuristic",
    Choice((*NAMES, "tables", "ann")),
    f"The heuristic; `{DEFAULT_HEURISTIC}` by default. Only for algorithms that use one.",
)
_LENGTH = _option(
    "max_length",
    Whole(0, 255),
    "The most moves that depth-first makes; required on boards of more than 9 cells. Only for depth-first.",
)
_TREE = _option("tree", Whole(1, _MOST_EXPANSIONS), "The answer holds so many expansions, the first ones.")
_SHAPE = _option("shape", Choice(tuple(SHAPES)), "Rows and columns; by default those of the goal, else 4x4.")
_DISTANCE = _option("distance", Whole(0, _FARTHEST), "The moves of a shortest solution; by default any number.")
_SEED = _option("seed", Whole(0, _MOST_EXACT), "The same seed and the same fields give the same board again.")

_GOAL_TEXT = Field("goal", Text(), "The goal, row by row.")
_BOARDS = (Field("board", Text(), "The board, row by row."), _GOAL_TEXT)
_UNITS = (
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
_STATUS = Field("status", Choice(("solved", "limit")), "`limit` if a limit ended the search, which is no error.")
_SOLUTION = (
    *_BOARDS,
    Field("length", OrNull(Whole()), "The number of moves, if a solution was found."),
    Field("moves", OrNull(Text()), "The moves, one letter each: U, D, L and R."),
    *_UNITS,
    Field("optimal", Flag(), "Whether no solution is shorter."),
    *_COUNTS,
)
_IMPROVEMENT = (
    Field("length", Whole(), "The number of moves of the best solution by then."),
    Field("lower_bound", Whole(), "No solution is shorter; this is proved."),
    Field("weight", OrNull(Number()), "The weight of anytime-a*, or of the last round of ara* that had ended."),
    *_COUNTS[1:],
)
_OF_SEARCHES = (
    _ALGORITHM,
    Field("heuristic", OrNull(Text()), "The heuristic; null if the algorithm uses none."),
    Field("max_length", OrNull(Whole()), "The depth limit of depth-first, given or by default; null of others."),
    Field("largest_open", Whole(), "The most nodes that waited for expansion at any one time."),
    Field("largest_closed", Whole(), "The most expanded nodes that were remembered at any one time."),
    Field("memory_bytes", Whole(), "The most memory that nodes took at any one time."),
    Field("improvements", ListOf(Record(_IMPROVEMENT)), "What anytime searches found, one after the other."),
)
_FATES = (
    "It waits for expansion; its board is known already; it is known, but this path is shorter; it is beyond the "
    "bound; or the search does not keep it."
)
_CHILD = (
    Field("board", Text(), "The board of the child."),
    Field("move", Text(), "The move that leads to it from the expanded board."),
    Field("g", Whole(), "The moves from the root."),
    Field("h", OrNull(Whole()), "The heuristic; null if the algorithm uses none."),
    Field("f", Number(), "What the algorithm compares."),
    Field("fate", Choice(("open", "known", "reopened", "cut", "dropped")), _FATES),
)
_EXPANSION = (
    Field("number", Whole(1), "The number in the order of expansions."),
    Field("iteration", Whole(), "The iteration of a search that has some, from 1 on; 0 of others."),
    Field("bound", OrNull(Whole()), "Children with a larger f are cut off; null if none are."),
    Field("side", Choice(("start", "goal")), "The end from which a search from both ends came here; start of others."),
    Field("board", Text(), "The board of the node."),
    Field("parent", OrNull(Whole(1)), "The number of the expansion that made this node; null for a root."),
    Field("move", OrNull(Text()), "The move that led here from there."),
    Field("g", Whole(), "The moves from the root."),
    Field("h", OrNull(Whole()), "The heuristic; null if the algorithm uses none."),
    Field("f", Number(), "What the algorithm compares."),
    Field("fate", Choice(("expanded", "goal")), "Whether its children were made, or it is the goal."),
    Field("children", ListOf(Record(_CHILD)), "Its children, in the order in which they were made."),
)
_SEARCH_TREE = (
    Field("expansions", ListOf(Record(_EXPANSION)), "The expansions, in their order."),
    Field("truncated", Flag(), "Whether the search made more of them."),
)
_HINT = (
    *_BOARDS,
    Field("distance", OrNull(Whole()), "Moves of a shortest solution, if that is known."),
    Field("moves", Text(), "The first moves of all shortest solutions, one letter each; none at the goal."),
    *_UNITS,
    *_COUNTS,
    _STATUS,
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
    *_UNITS,
    Field("length", Whole(), "The number of these moves."),
    Field("distances", ListOf(Whole()), "The distance of the first board and after each move, as far as it is known."),
    Field("mistakes", ListOf(Record(_MISTAKE)), "The moves that lead away from the goal."),
    Field("shortest", OrNull(Whole()), "The distance of the first board, if it is known."),
    Field("lost", Whole(), "By how many moves the mistakes made the solution longer."),
    Field("first_loss", OrNull(Whole(1)), "The number of the first mistake, if there is one."),
    Field("reaches_goal", Flag(), "Whether the last move leads to the goal."),
    Field("finish", Text(), "A shortest solution of the last board whose distance is known."),
    _STATUS,
    _NO_ERROR,
)
_SCRAMBLE = (
    Field("board", OrNull(Text()), "The board; null if a limit was reached."),
    _GOAL_TEXT,
    Field("distribution", Text(), "`uniform`, or `distance:D`: at distance D, but not equally likely."),
    Field("distance", OrNull(Whole()), "The distance of the board, if one was given."),
    Field("metric", Choice(("stm",)), "The distance counts single-tile moves."),
    Field("seed", Whole(), "What the board was drawn with."),
    _STATUS,
    _NO_ERROR,
)


class Endpoint(NamedTuple):
    """An endpoint of the interface: the fields of a request and of its answer, and a request as an example."""

    name: str
    summary: str
    request: Record
    answer: Record
    example: dict[str, Any]


def endpoints(limits: Limits) -> dict[str, Endpoint]:
    """The endpoints of a server with these limits, by path."""
    most = limits.time_limit_s
    time = _option("time_limit_s", Number(0, most), "The search ends after so many seconds.", most)
    board = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"
    every = (
        Endpoint(
            "solve",
            "A shortest solution of a board: the fields of `puzzle15 solve --json`.",
            Record((_BOARD, _GOAL, _CONVENTION, _METRIC, _NODES, time)),
            Record((*_SOLUTION, _STATUS, _NO_ERROR)),
            {"board": board},
        ),
        Endpoint(
            "hint",
            "The distance of a board and all its optimal moves: the fields of `puzzle15 hint --json`.",
            Record((_BOARD, _GOAL, _CONVENTION, _NODES, time)),
            Record(_HINT),
            {"board": board},
        ),
        Endpoint(
            "analyse",
            "The distance after every move, and the moves that cost: the fields of `puzzle15 analyse --json`.",
            Record((_BOARD, _MOVES, _GOAL, _NODES, time)),
            Record(_ANALYSIS),
            {"board": "1 2 3/4 5 6/0 7 8", "moves": "LRLL"},
        ),
        Endpoint(
            "search",
            "The answer of a textbook search: the fields of a record of `puzzle15 compare --json`, and a tree.",
            Record((_BOARD, _ALGORITHM, _HEURISTIC, _GOAL, _LENGTH, _TREE, _NODES, time)),
            Record(
                (
                    *_SOLUTION,
                    _STATUS._replace(kind=Choice(("solved", "limit", "failed"))),
                    _NO_ERROR,
                    *_OF_SEARCHES,
                    Field("tree", OrNull(Record(_SEARCH_TREE)), "What the search did, if that was requested."),
                )
            ),
            {"board": "8 6 7/2 5 4/3 0 1", "algorithm": "a*", "heuristic": "manhattan"},
        ),
        Endpoint(
            "scramble",
            "A random board: the fields of `puzzle15 scramble --json`, and a status.",
            Record((_SHAPE, _GOAL, _DISTANCE, _SEED, time)),
            Record(_SCRAMBLE),
            {"shape": "3x3", "distance": 20, "seed": 1},
        ),
    )
    return {f"/api/{endpoint.name}": endpoint for endpoint in every}


_ERROR = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "const": "error"},
        "error": {"type": "string", "description": "What was given, what was expected, and how to correct it."},
    },
    "required": ["status", "error"],
    "additionalProperties": False,
}

_REFUSALS = {
    "400": "The request is not HTTP, not JSON, or has a wrong field, which the sentence names.",
    "403": "The request comes from a page of another site.",
    "405": "The method is another one than POST.",
    "408": "The request took too long to arrive.",
    "411": "The length of the body is not given.",
    "413": "The body is too long.",
    "415": "The body is not `application/json`.",
    "417": "Something is expected that the server does not do.",
    "421": "The host is none of this server's names.",
    "422": "The board cannot reach the goal.",
    "431": "The head of the request is too long.",
    "500": "The server has a fault, which its log describes.",
    "503": "Too many searches run and wait; try again after the seconds of `Retry-After`.",
}


def describe(endpoints: Mapping[str, Endpoint]) -> dict[str, Any]:
    """The interface as an OpenAPI document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "puzzle15",
            "version": __version__,
            "summary": "Shortest solutions of sliding-tile puzzles of up to 16 cells.",
            "description": "A limit that is reached is no error: the status is `limit`, and `lower_bound` is proved. "
            "A client that closes its connection ends its search.",
        },
        "paths": {path: {"post": _operation(endpoint)} for path, endpoint in endpoints.items()},
        "components": {
            "schemas": {"Error": _ERROR},
            "responses": {
                name: {"description": about, "content": {"application/json": {"schema": _ref("schemas", "Error")}}}
                for name, about in _REFUSALS.items()
            },
        },
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    return {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": endpoint.request.schema(), "example": endpoint.example}},
        },
        "responses": {
            "200": {
                "description": "The answer.",
                "content": {"application/json": {"schema": endpoint.answer.schema()}},
            },
            **{name: _ref("responses", name) for name in _REFUSALS},
        },
    }


def _ref(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}
