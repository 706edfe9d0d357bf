"""Pictures of boards and solutions, drawn from plain data: tiles, shapes, moves, numbers."""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .boxes import board_box, can_encode_boxes, side_by_side
    from .palette import COLOURS, DARK, LIGHT, Mode, check_colours, colour_numbers
    from .svg import board_fragment, board_size, board_svg, describe_board, stylesheet
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        boxes="board_box can_encode_boxes side_by_side",
        palette="COLOURS DARK LIGHT Mode check_colours colour_numbers",
        svg="board_fragment board_size board_svg describe_board stylesheet",
    )

__all__ = [
    "COLOURS",
    "DARK",
    "LIGHT",
    "Mode",
    "board_box",
    "board_fragment",
    "board_size",
    "board_svg",
    "can_encode_boxes",
    "check_colours",
    "colour_numbers",
    "describe_board",
    "side_by_side",
    "stylesheet",
]
