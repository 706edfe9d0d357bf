"""What the endpoints do: one method each, from the fields of a request to the record of its answer."""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any, Optional

from ... import searches  # searching needs numpy, which the first hint does not wait for
from ...board import Board, Shape, parse_goal, parse_moves, read_board
from ...errors import BoardError, UnsolvableError
from ...solver import SEARCH_FIELDS, Solver, best_solver, scramble
from ...tables import Folder
from ..http.messages import Refused
from ..limits import Limits
from .endpoints import MOST_MOVES, SHAPES, endpoints


class Api:
    """The endpoints of a server, by path. It keeps no request, only the solvers that it has opened.

    >>> api = Api(Limits())
    >>> record = api.ask("/api/hint", b'{"board": "8 6 7/2 5 4/3 0 1"}')()
    >>> record["distance"], record["moves"]
    (31, 'DLR')
    """

    def __init__(self, limits: Limits, tables: Folder = None) -> None:
        self._limits, self._tables = limits, tables
        self._opening: defaultdict[tuple[Shape, str], Lock] = defaultdict(Lock)
        self.endpoints = endpoints(limits)

    def ask(self, path: str, body: bytes) -> Callable[[], dict[str, Any]]:
        """The work that makes the record of an answer; Refused for a body that is no request."""
        endpoint = self.endpoints[path]
        value = _json_value(body)
        if not isinstance(value, dict):
            raise Refused(400, "the body: expected a JSON object, such as " + json.dumps(endpoint.example))
        fields = endpoint.request.read(value)
        work: Callable[[dict[str, Any]], dict[str, Any]] = getattr(self, f"_{endpoint.name}")
        return partial(work, fields)

    def warm(self) -> Solver:
        """The solver of the most frequent boards, with open tables."""
        solver = self._solver(Board.goal())
        solver.hint(solver.goal)
        return solver

    def _solve(self, fields: dict[str, Any]) -> dict[str, Any]:
        board, goal, limits = _read(fields)
        with _refused():
            record = self._solver(goal, fields["metric"]).solve(board, **limits).to_dict(convention=fields["moves"])
        return {name: value for name, value in record.items() if name not in SEARCH_FIELDS}

    def _hint(self, fields: dict[str, Any]) -> dict[str, Any]:
        board, goal, limits = _read(fields)
        with _refused():
            return self._solver(goal).hint(board, **limits).to_dict(convention=fields["moves"])

    def _analyse(self, fields: dict[str, Any]) -> dict[str, Any]:
        board, goal, limits = _read(fields)
        with _refused("moves"):
            moves = parse_moves(fields["moves"])
            if len(moves) > MOST_MOVES:
                raise BoardError(f"{len(moves)} moves; expected at most {MOST_MOVES}")
            board.apply(moves)
        with _refused():
            return self._solver(goal).analyse(board, moves, **limits).to_dict()

    def _search(self, fields: dict[str, Any]) -> dict[str, Any]:
        board, goal, limits = _read(fields)
        tree = None if fields["tree"] is None else searches.SearchTree(max_expansions=fields["tree"])
        with _refused():
            record = searches.search(
                board,
                algorithm=fields["algorithm"],
                heuristic=fields["heuristic"],
                goal=goal,
                max_length=fields["max_length"],
                tables=self._tables,
                max_memory=self._limits.max_memory,
                on_expand=None if tree is None else tree.add,
                **limits,
            ).to_dict()
        if tree is None:
            return {**record, "tree": None}
        expansions = [expansion.to_dict() for expansion in tree.expansions]
        return {**record, "tree": {"expansions": expansions, "truncated": tree.truncated}}

    def _scramble(self, fields: dict[str, Any]) -> dict[str, Any]:
        with _refused("goal"):
            goal_of, shape = parse_goal(fields["goal"], SHAPES.get(fields["shape"]))
            goal = goal_of(shape or (4, 4))
        seed = secrets.randbelow(2**32) if fields["seed"] is None else fields["seed"]
        distance = fields["distance"]
        board: Optional[Board]
        if distance is None:
            board = Board.random(seed, goal=goal)
        else:
            with _refused():
                board = scramble(distance, self._solver(goal), seed, time_limit_s=fields["time_limit_s"])
        return {
            "board": None if board is None else str(board),
            "goal": str(goal),
            "distribution": "uniform" if distance is None else f"distance:{distance}",
            "distance": None if board is None else distance,
            "metric": "stm",
            "seed": seed,
            "status": "limit" if board is None else "solved",
            "error": None,
        }

    def _solver(self, goal: Board, metric: str = "stm") -> Solver:
        """The solver of a goal. Requests that need the same tables wait until one of them has opened them."""
        with self._opening[goal.shape, metric]:
            return best_solver(goal, tables=self._tables, metric=metric)


def _read(fields: dict[str, Any]) -> tuple[Board, Board, dict[str, Any]]:
    """(board, goal, limits) of a request."""
    with _refused("goal"):
        goal_of, shape = parse_goal(fields["goal"], None)
    with _refused("board"):
        board = read_board(fields["board"], goal_of, shape)
    return board, goal_of(board.shape), {name: fields[name] for name in ("max_nodes", "time_limit_s")}


@contextmanager
def _refused(field: str = "") -> Iterator[None]:
    """Turn errors into refusals. The error of a board's text names its field."""
    try:
        yield
    except ValueError as error:
        if field and not isinstance(error, BoardError):
            raise
        sentence = " ".join(str(error).split())
        status = 422 if isinstance(error, UnsolvableError) and not field else 400
        raise Refused(status, f"{field}: {sentence}" if field else sentence) from None


def _json_value(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"the body: it is not JSON in UTF-8: {error}") from None
