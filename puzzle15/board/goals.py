"""Goals by text or by name, and boards that are read beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from .board import Board, board_beside
from .notation import Shape

__all__ = ["GoalOf", "parse_goal", "read_board"]

#: The goal of boards of a shape.
GoalOf = Callable[[Shape], Board]


def parse_goal(text: str, shape: Optional[Shape]) -> tuple[GoalOf, Optional[Shape]]:
    """(the goal as a function of the shape, the shape if it is known)"""
    name = text.strip().lower()
    if name in ("korf", "blank-first"):
        return lambda shape: Board.goal(shape, home=0), shape
    if name == "blank-last":
        return Board.goal, shape
    goal = Board(text, shape)
    return lambda shape: goal, goal.shape


def read_board(text: str, goal_of: GoalOf, shape: Optional[Shape]) -> Board:
    """The board of a text; `goal_of` and `shape` are the results of `parse_goal`."""
    return Board(text) if shape is None else board_beside(goal_of(shape), text)
