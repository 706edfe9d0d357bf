"""What the endpoints do: one function each, from the fields of a request to the record of its answer."""

from __future__ import annotations

import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Optional

from ... import searches  # searching needs numpy, which the first hint does not wait for
from ...board import Board, Shape, parse_goal, parse_moves, read_board
from ...errors import BoardError, UnsolvableError
from ...solver import SEARCH_FIELDS, Solver, best_solver, scramble
from ...tables import Folder
from ..http.messages import Refused
from ..limits import Limits
from .bodies import json_value
from .endpoints import MOST_MOVES, SHAPES, endpoints

if TYPE_CHECKING:
    from ...searches import SearchTree

__all__ = ["Api"]


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
        self.endpoints = {endpoint.path: endpoint for endpoint in endpoints(limits)}
        self._acts = {
            "solve": self._solve,
            "hint": self._hint,
            "analyse": self._analyse,
            "search": self._search,
            "scramble": self._scramble,
        }

    def ask(self, path: str, body: bytes) -> Callable[[], dict[str, Any]]:
        """The work that makes the record of an answer; Refused for a body that asks for nothing."""
        endpoint = self.endpoints[path]
        value = json_value(body)
        try:
            asked = endpoint.asked.read(value)
        except ValueError:
            raise Refused(400, "the body: expected a JSON object, such as " + json.dumps(endpoint.example)) from None
        return partial(self._acts[endpoint.name], asked)

    def warm(self) -> Solver:
        """The solver of the boards that most people ask for, with open tables."""
        solver = self._solver(Board.goal())
        solver.hint(solver.goal)
        return solver

    # ---------------------------------------------------------------- the endpoints

    def _solve(self, asked: dict[str, Any]) -> dict[str, Any]:
        board, goal = _board_and_goal(asked)
        solver = self._solver(goal, asked["metric"])
        with _of_board():
            solution = solver.solve(board, max_nodes=asked["max_nodes"], time_limit_s=asked["time_limit_s"])
        record = solution.to_dict(convention=asked["moves"])
        return {name: value for name, value in record.items() if name not in SEARCH_FIELDS}

    def _hint(self, asked: dict[str, Any]) -> dict[str, Any]:
        board, goal = _board_and_goal(asked)
        solver = self._solver(goal)
        with _of_board():
            hint = solver.hint(board, max_nodes=asked["max_nodes"], time_limit_s=asked["time_limit_s"])
        return hint.to_dict(convention=asked["moves"])

    def _analyse(self, asked: dict[str, Any]) -> dict[str, Any]:
        board, goal = _board_and_goal(asked)
        with _field("moves"):
            moves = parse_moves(asked["moves"])
            if len(moves) > MOST_MOVES:
                raise BoardError(f"{len(moves)} moves; expected at most {MOST_MOVES}")
            board.apply(moves)
        solver = self._solver(goal)
        with _of_board():
            return solver.analyse(
                board, moves, max_nodes=asked["max_nodes"], time_limit_s=asked["time_limit_s"]
            ).to_dict()

    def _search(self, asked: dict[str, Any]) -> dict[str, Any]:
        board, goal = _board_and_goal(asked)
        tree = None if asked["tree"] is None else searches.SearchTree(max_expansions=asked["tree"])
        with _of_board():
            solution = searches.search(
                board,
                algorithm=asked["algorithm"],
                heuristic=asked["heuristic"],
                goal=goal,
                max_length=asked["max_length"],
                tables=self._tables,
                max_nodes=asked["max_nodes"],
                time_limit_s=asked["time_limit_s"],
                max_memory=self._limits.max_memory,
                on_expand=None if tree is None else tree.add,
            )
        return {**solution.to_dict(), "tree": None if tree is None else _tree_record(tree)}

    def _scramble(self, asked: dict[str, Any]) -> dict[str, Any]:
        with _field("goal"):
            goal_of, shape = parse_goal(asked["goal"], SHAPES.get(asked["shape"]))
            goal = goal_of(shape or (4, 4))
        seed = secrets.randbelow(2**32) if asked["seed"] is None else asked["seed"]
        distance = asked["distance"]
        board: Optional[Board]
        if distance is None:
            board = Board.random(seed, goal=goal)
        else:
            with _of_board():
                board = scramble(distance, self._solver(goal), seed, time_limit_s=asked["time_limit_s"])
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


def _tree_record(tree: SearchTree) -> dict[str, Any]:
    """The expansions of a search as plain values."""
    return {"expansions": [expansion.to_dict() for expansion in tree.expansions], "truncated": tree.truncated}


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
