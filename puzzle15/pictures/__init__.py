"""Pictures of boards and solutions, drawn from plain data: tiles, shapes, moves, numbers."""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .palette import COLOURS, DARK, LIGHT, Mode, check_colours, colour_numbers
    from .svg import board_fragment, board_size, board_svg, describe_board, stylesheet
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        palette="COLOURS DARK LIGHT Mode check_colours colour_numbers",
        svg="board_fragment board_size board_svg describe_board stylesheet",
    )

__all__ = [
    "COLOURS",
    "DARK",
    "LIGHT",
    "Mode",
    "board_fragment",
    "board_size",
    "board_svg",
    "check_colours",
    "colour_numbers",
    "describe_board",
    "stylesheet",
]
