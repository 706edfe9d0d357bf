"""The JSON interface: the fields of its questions, what answers them, and its description."""

from __future__ import annotations

import json
import secrets
from functools import partial
from typing import Any, Optional

from .. import searches  # searching needs numpy, which the first hint does not wait for
from .._system.version import __version__
from ..board import Board
from ..board._board import parse_goal, read_board
from ..board._moves import METRICS, MOVE_CONVENTIONS, Convention, Metric
from ..errors import BoardError, OptionError, UnsolvableError
from ..heuristics import NAMES
from ..searches._algorithms import DEFAULT_HEURISTIC
from ..solver import scramble
from ..solver._solution import SEARCH_FIELDS
from ..solver._solver import best_solver
from ..tables._folder import Folder

Record = dict[str, Any]

_SHAPES = {f"{rows}x{cols}": (rows, cols) for rows in range(2, 9) for cols in range(2, 9) if rows * cols <= 16}
#: The fields of all questions: a JSON Schema without its type, which also checks values, and what a field means. The
#: largest whole numbers are those that every reader of JSON has.
_FIELDS: dict[str, tuple[Record, str]] = {
    "board": ({"maxLength": 400}, "A board, such as `8 6 7/2 5 4/3 0 1`, in any form that is read."),
    "goal": ({"maxLength": 400, "default": "blank-last"}, "A board, `blank-last`, or `blank-first`, also `korf`."),
    "moves": ({"maxLength": 10_000}, "Legal moves of tiles, such as `URDL2`. They need not lead to the goal."),
    "convention": ({"enum": MOVE_CONVENTIONS, "default": "tile"}, "Whose direction a letter of the answer's moves is."),
    "metric": ({"enum": METRICS, "default": "stm"}, "What counts as one move."),
    "algorithm": ({"enum": tuple(searches.ALGORITHMS)}, "The algorithm."),
    "heuristic": (
        {"enum": (*NAMES, "tables", "ann")},
        f"By default `{DEFAULT_HEURISTIC}`, where one is used.",
    ),
    "max_length": ({"minimum": 0, "maximum": 255}, "The most moves of depth-first; required above 9 cells."),
    "shape": ({"enum": tuple(_SHAPES)}, "Rows and columns; by default those of the goal, else 4x4."),
    "distance": ({"minimum": 0, "maximum": 160}, "The moves of a shortest solution; by default any number."),
    "seed": ({"minimum": 0, "maximum": 2**53 - 1}, "The same seed and the same fields give the same board again."),
    "max_nodes": ({"minimum": 0, "maximum": 2**53 - 1}, "The search ends when it has generated so many nodes."),
}
_REQUIRED = {"board", "moves", "algorithm"}
#: What each endpoint answers, and its fields.
ENDPOINTS = {
    "solve": ("A shortest solution of a board.", "board goal convention metric max_nodes time_limit_s"),
    "hint": ("The distance of a board, and all optimal moves.", "board goal convention metric max_nodes time_limit_s"),
    "analyse": ("The distance after every move, and the mistakes.", "board moves goal metric max_nodes time_limit_s"),
    "search": ("A textbook search.", "board algorithm heuristic goal max_length max_nodes time_limit_s"),
    "scramble": ("A random board.", "shape goal distance seed time_limit_s"),
}
_ABOUT = """Answers are the records that the shell commands of these names print with `--json`; that of `search` is of
`compare`. A limit that is reached is not an error: the status is `limit`, and `lower_bound` is proved."""


class Refused(Exception):
    """A request that gets an error for an answer: a status, and a sentence."""


class Api:
    """Answers the questions of a server. It keeps none of them, only the solvers that it has opened.

    >>> record = Api(10.0, 1 << 28).answer("hint", b'{"board": "8 6 7/2 5 4/3 0 1"}')
    >>> record["distance"], record["moves"]
    (31, 'DLR')
    """

    def __init__(self, time_limit_s: float, max_memory: int, tables: Folder = None) -> None:
        limit = {"type": "number", "minimum": 0, "maximum": time_limit_s, "default": time_limit_s}
        fields = {**_FIELDS, "time_limit_s": (limit, "The search ends after so many seconds.")}
        self._fields: dict[str, Record] = {
            name: {"type": "integer" if "maximum" in schema else "string", **schema, "description": about}
            for name, (schema, about) in fields.items()
        }
        self._solver = partial(best_solver, tables=tables)
        self._search_options: Record = {"tables": tables, "max_memory": max_memory}

    def answer(self, name: str, body: bytes) -> Record:
        """Return the record that answers a question; Refused for a bad one."""
        names = ENDPOINTS[name][1].split()
        try:
            given = json.loads(body.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise Refused(400, f"the body: it is not JSON in UTF-8: {error}") from None
        if not isinstance(given, dict):
            raise Refused(400, f"the body: expected a JSON object with some of {', '.join(names)}")
        for each in given.keys() - names:
            raise Refused(400, f"{json.dumps(each)[:72]}: no such field; expected {', '.join(names)}")
        fields = {each: self._read(each, given) for each in names}
        try:
            goal_of, shape = parse_goal(fields["goal"], _SHAPES.get(fields.get("shape", "")))
            if "board" in fields:
                fields["board"] = read_board(fields["board"], goal_of, shape)
                shape = fields["board"].shape
            answer: Record = getattr(self, f"_{name}")(**{**fields, "goal": goal_of(shape or (4, 4))})
            return answer
        except (BoardError, OptionError, UnsolvableError) as error:
            raise Refused(422 if isinstance(error, UnsolvableError) else 400, " ".join(str(error).split())) from None

    def describe(self) -> Record:
        """Return the interface as an OpenAPI document."""
        paths, answers = {}, {"200": {"description": "The answer."}, "default": {"description": "What was wrong."}}
        for name, (summary, names) in ENDPOINTS.items():
            fields = {each: self._fields[each] for each in names.split()}
            required = sorted(_REQUIRED.intersection(fields))
            schema = {"type": "object", "properties": fields, "required": required, "additionalProperties": False}
            question = {"required": True, "content": {"application/json": {"schema": schema}}}
            post = {"operationId": name, "summary": summary, "requestBody": question, "responses": answers}
            paths[f"/api/{name}"] = {"post": post}
        info = {"title": "puzzle15", "version": __version__, "description": _ABOUT}
        return {"openapi": "3.1.0", "info": info, "paths": paths}

    def _read(self, name: str, given: Record) -> Any:
        schema, value = self._fields[name], given.get(name)
        if name not in given and name not in _REQUIRED:
            return schema.get("default")
        if not _fits(value, schema):
            what = json.dumps(value)[:72] if name in given else "it is missing"
            raise Refused(400, f"{name}: {what}; expected {_expected(schema)}")
        return value if schema["type"] != "integer" else int(given[name])

    def _solve(self, board: Board, goal: Board, convention: Convention, metric: Metric, **limits: Any) -> Record:
        record = self._solver(goal, metric=metric).solve(board, **limits).to_dict(convention=convention)
        return {name: value for name, value in record.items() if name not in SEARCH_FIELDS}

    def _hint(self, board: Board, goal: Board, convention: Convention, metric: Metric, **limits: Any) -> Record:
        return self._solver(goal, metric=metric).hint(board, **limits).to_dict(convention=convention)

    def _analyse(self, board: Board, moves: str, goal: Board, metric: Metric, **limits: Any) -> Record:
        return self._solver(goal, metric=metric).analyse(board, moves, **limits).to_dict()

    def _search(self, board: Board, **options: Any) -> Record:
        return searches.search(board, **options, **self._search_options).to_dict()

    def _scramble(self, goal: Board, distance: Any, seed: Any, time_limit_s: float, **_: Any) -> Record:
        seed = secrets.randbelow(2**32) if seed is None else seed
        board: Optional[Board] = Board.random(seed, goal=goal)
        if distance is not None:
            board = scramble(distance, self._solver(goal), seed, time_limit_s=time_limit_s)
        return {
            **{"board": board and str(board), "goal": str(goal), "distance": board and distance, "metric": "stm"},
            "distribution": "uniform" if distance is None else f"distance:{distance}",
            **{"seed": seed, "status": "solved" if board else "limit", "error": None},
        }


def _fits(value: Any, schema: Record) -> bool:
    """Return whether a value from JSON is as a schema has it; 2.0 is a whole number, and true is not a number."""
    if schema["type"] == "string":
        words = schema.get("enum", (value,))
        return isinstance(value, str) and value in words and len(value) <= schema.get("maxLength", len(value))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= schema["maximum"] and (schema["type"] == "number" or value == value // 1)


def _expected(schema: Record) -> str:
    if schema["type"] == "string":
        words = schema.get("enum")
        return f"one of {', '.join(words)}" if words else f"a text of at most {schema['maxLength']} characters"
    return f"{'a whole' if schema['type'] == 'integer' else 'a'} number from 0 to {schema['maximum']:.17g}"
