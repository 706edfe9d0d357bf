"""Pictures of boards and solutions, drawn from plain data: tiles, shapes, moves, numbers."""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .boxes import board_box, can_encode_boxes, side_by_side
    from .loop import moves_svg
    from .palette import COLOURS, DARK, LIGHT, Mode, check_colours, colour_numbers, css_variables
    from .player import player_html, player_page
    from .speed import check_speed
    from .svg import board_fragment, board_size, board_svg, describe_board, stylesheet
    from .table import table_html
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        boxes="board_box can_encode_boxes side_by_side",
        loop="moves_svg",
        palette="COLOURS DARK LIGHT Mode check_colours colour_numbers css_variables",
        player="player_html player_page",
        speed="check_speed",
        svg="board_fragment board_size board_svg describe_board stylesheet",
        table="table_html",
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
    "check_speed",
    "colour_numbers",
    "css_variables",
    "describe_board",
    "moves_svg",
    "player_html",
    "player_page",
    "side_by_side",
    "stylesheet",
    "table_html",
]
