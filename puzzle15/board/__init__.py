"""Boards: one or many, their text, their moves, the symmetries of their shape, and random boards."""

from .board import Board, BoardLike, BoardsLike, board_beside, goal_of
from .following import apply_moves, boards_along
from .goals import GoalOf, parse_goal, read_board
from .mending import mend, taxicab, unsolvable_reason
from .moves import (
    METRICS,
    MOVE_CONVENTIONS,
    check_metric,
    count_moves,
    directions_from_moves,
    format_moves,
    invert_moves,
    moves_from_directions,
    parse_moves,
    read_moves,
    simplify_moves,
    split_moves,
)
from .notation import BOARD_STYLES, Shape, abbreviated, check_shape, format_board, parse_board
from .orientation import Orientation
from .packing import pack_boards, pack_readable, unpack_boards
from .sampling import random_walk, uniform
from .slides import blank_cells, legal_directions, neighbours, slide
from .solvability import pack_solvable, solvable, unsolvable_text
from .symmetry import home_cell, symmetries
from .texts import format_boards, read_plain

__all__ = [
    "BOARD_STYLES",
    "Board",
    "BoardLike",
    "BoardsLike",
    "GoalOf",
    "METRICS",
    "MOVE_CONVENTIONS",
    "Orientation",
    "Shape",
    "abbreviated",
    "apply_moves",
    "blank_cells",
    "board_beside",
    "boards_along",
    "check_metric",
    "check_shape",
    "count_moves",
    "directions_from_moves",
    "format_board",
    "format_boards",
    "format_moves",
    "goal_of",
    "home_cell",
    "invert_moves",
    "legal_directions",
    "mend",
    "moves_from_directions",
    "neighbours",
    "pack_boards",
    "pack_readable",
    "pack_solvable",
    "parse_board",
    "parse_goal",
    "parse_moves",
    "random_walk",
    "read_board",
    "read_moves",
    "read_plain",
    "simplify_moves",
    "slide",
    "solvable",
    "split_moves",
    "symmetries",
    "taxicab",
    "uniform",
    "unpack_boards",
    "unsolvable_reason",
    "unsolvable_text",
]
