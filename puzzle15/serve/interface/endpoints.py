"""The endpoints: the fields of their requests, which check requests and describe the interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...board import METRICS, MOVE_CONVENTIONS, farthest
from ...heuristics import NAMES
from ...searches import ALGORITHMS, DEFAULT_HEURISTIC
from ...system.version import __version__
from ..limits import Limits
from .fields import Choice, Field, Kind, Number, Record, Text, Whole

MOST_MOVES = 10_000  # that are analysed; longer games are none

_MOST_EXACT = 2**53 - 1  # whole numbers up to this are exact in every reader of JSON
_BOARD_CHARACTERS = 400  # no form of a board needs more
_MOST_EXPANSIONS = 1_000  # an answer of a megabyte at most
_SIDES = range(2, 9)
_OF_SOME = ("heuristic", "max_length")  # fields that not every algorithm takes
_TAKES = {kind.name: [name for name in _OF_SOME if kind.takes(name)] for kind in ALGORITHMS.values()}
_BY_SIZE = sorted((rows * cols, rows, cols) for rows in _SIDES for cols in _SIDES if rows * cols <= 16)
#: The shapes by their names.
SHAPES = {f"{rows}x{cols}": (rows, cols) for _, rows, cols in _BY_SIZE}
_LARGEST_DISTANCES = {name: farthest(shape, shape[0] * shape[1] - 1) for name, shape in SHAPES.items()}


@dataclass(frozen=True)
class _Described(Choice):
    """One of some words, with what the page reads about each of them."""

    about: str
    facts: Mapping[str, Any]

    def schema(self) -> dict[str, Any]:
        return {**super().schema(), f"x-{self.about}": self.facts}


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
_ALGORITHM = Field("algorithm", _Described(tuple(ALGORITHMS), "takes", _TAKES), "The algorithm.")
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
_SHAPE = _option(
    "shape",
    _Described(tuple(SHAPES), "largest-distances", _LARGEST_DISTANCES),
    "Rows and columns; by default those of the goal, else 4x4.",
)
_DISTANCE = _option("distance", Whole(0, 160), "The moves of a shortest solution; by default any number.")
_SEED = _option("seed", Whole(0, _MOST_EXACT), "The same seed and the same fields give the same board again.")


class Endpoint(NamedTuple):
    """An endpoint of the interface: what it answers, the fields of a request, and a request as an example."""

    name: str
    summary: str
    request: Record
    example: dict[str, Any]


def endpoints(limits: Limits) -> dict[str, Endpoint]:
    """The endpoints of a server with these limits, by path."""
    most = limits.time_limit_s
    time = _option("time_limit_s", Number(0, most), "The search ends after so many seconds.", most)
    board = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"
    every = (
        Endpoint(
            "solve",
            "A shortest solution of a board, as `puzzle15 solve --json` prints it.",
            Record((_BOARD, _GOAL, _CONVENTION, _METRIC, _NODES, time)),
            {"board": board},
        ),
        Endpoint(
            "hint",
            "The distance of a board and all its optimal moves, as `puzzle15 hint --json` prints them.",
            Record((_BOARD, _GOAL, _CONVENTION, _NODES, time)),
            {"board": board},
        ),
        Endpoint(
            "analyse",
            "The distance after every move, and the moves that cost, as `puzzle15 analyse --json` prints them.",
            Record((_BOARD, _MOVES, _GOAL, _NODES, time)),
            {"board": "1 2 3/4 5 6/0 7 8", "moves": "LRLL"},
        ),
        Endpoint(
            "search",
            "The answer of a textbook search: a record of `puzzle15 compare --json`, and its first expansions.",
            Record((_BOARD, _ALGORITHM, _HEURISTIC, _GOAL, _LENGTH, _TREE, _NODES, time)),
            {"board": "8 6 7/2 5 4/3 0 1", "algorithm": "a*", "heuristic": "manhattan"},
        ),
        Endpoint(
            "scramble",
            "A random board, as `puzzle15 scramble --json` prints it, and a status.",
            Record((_SHAPE, _GOAL, _DISTANCE, _SEED, time)),
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
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    return {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "requestBody": {"required": True, "content": _content(endpoint.request.schema(), example=endpoint.example)},
        "responses": {
            "200": {"description": "The answer.", "content": _content({"type": "object"})},
            "default": {"description": "An error, which the status of HTTP classifies.", "content": _content(_ERROR)},
        },
    }


def _content(schema: dict[str, Any], **example: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema, **example}}
