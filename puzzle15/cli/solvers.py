"""The solvers of a command that answers boards of any shape, and the options that choose their tables."""

from __future__ import annotations

import argparse
from typing import Optional

from ..board import MOVE_CONVENTIONS, Board, Shape, parse_goal, read_board, unsolvable_text
from ..errors import UnsolvableError
from ..solver import Solver
from ..tables import NAMED
from .options import Container, add_folder, add_goal, add_workers, hint_at_tables, to_count, to_seconds

__all__ = ["Solvers", "add_solver"]


def add_solver(
    parser: Container, workers: str, time_limit_s: Optional[float] = None, shape: str = "those of each board"
) -> None:
    """Add the options of the goal, the tables, the workers and the limits, and the convention of moves.

    `workers` says what they are for; `time_limit_s` and `shape` are defaults, the latter in words.
    """
    add_goal(parser, f"those of the goal, else {shape}")
    parser.add_argument("--partition", metavar="P", help="use these tables, as for solve")
    parser.set_defaults(metric="stm")
    add_folder(parser)
    add_workers(parser, workers)
    parser.add_argument(
        "--max-nodes", type=to_count, metavar="N", help="stop searching for an answer after N generated nodes"
    )
    parser.add_argument(
        "--time-limit",
        type=to_seconds,
        default=time_limit_s,
        metavar="S",
        help="stop searching for an answer after S seconds"
        + ("" if time_limit_s is None else f" (default: {time_limit_s:g})"),
    )
    parser.add_argument(
        "--moves",
        choices=MOVE_CONVENTIONS,
        default="tile",
        help="whether a move letter is the direction of the tile or of the blank (default: tile)",
    )


class Solvers:
    """A solver for each shape, opened when it is first needed.

    Parameters
    ----------
    args : argparse.Namespace
        With the options of `add_solver`.

    Raises
    ------
    ValueError, OSError
        An option cannot be used; raised before any board is read if the shape is known.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._goal, self._shape = parse_goal(args.goal or "blank-last", args.shape)
        if self._shape is None and args.partition in NAMED:
            self._shape = (4, 4)
        self._solvers: dict[Shape, Solver] = {}
        if self._shape is not None:
            self.of(self._shape)

    def read(self, text: str) -> Board:
        """The board of a text; BoardError if it is none."""
        return read_board(text, self._goal, self._shape)

    def check(self, board: Board) -> None:
        """Raise UnsolvableError for a board that cannot reach the goal."""
        goal = self._goal(board.shape)
        if not board.is_solvable(goal):
            raise UnsolvableError(unsolvable_text(board, goal))

    def failure(self, text: str, board: Optional[Board], error: str, moves: str) -> dict[str, Optional[str]]:
        """What records of a failure tell; `board` is None for a text that is no board."""
        shape = self._shape if board is None else board.shape
        return {
            "board": text if board is None else str(board),
            "goal": None if shape is None else str(self._goal(shape)),
            "convention": moves,
            "metric": "stm",
            "status": "error",
            "error": error,
        }

    def of(self, shape: Shape) -> Solver:
        """The solver for boards of a shape."""
        if shape not in self._solvers:
            args = self._args
            solver = Solver(args.partition, goal=self._goal(shape), shape=shape, tables=args.tables, metric=args.metric)
            self._solvers[shape] = solver
            hint_at_tables(solver, args)
        return self._solvers[shape]
