"""Pictures of boards, solutions and searches, drawn from plain data: tiles, shapes, moves, numbers."""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .boxes import TERMINAL_TILES, board_box, can_encode_boxes, side_by_side
    from .loop import moves_svg
    from .page import html_page
    from .palette import COLOURS, DARK, LIGHT, Mode, check_colours, colour_numbers, css_variables
    from .pixels import board_pixels
    from .player import player_html
    from .png import write_png
    from .speed import check_speed
    from .stepping import tree_page
    from .svg import Svg, board_fragment, board_size, board_svg, describe_board, stylesheet
    from .table import table_html
    from .tree import FATES, Tree, TreeNode, tree_svg
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        boxes="TERMINAL_TILES board_box can_encode_boxes side_by_side",
        loop="moves_svg",
        page="html_page",
        palette="COLOURS DARK LIGHT Mode check_colours colour_numbers css_variables",
        pixels="board_pixels",
        player="player_html",
        png="write_png",
        speed="check_speed",
        stepping="tree_page",
        svg="Svg board_fragment board_size board_svg describe_board stylesheet",
        table="table_html",
        tree="FATES Tree TreeNode tree_svg",
    )

__all__ = [
    "COLOURS",
    "DARK",
    "FATES",
    "LIGHT",
    "Mode",
    "Svg",
    "TERMINAL_TILES",
    "Tree",
    "TreeNode",
    "board_box",
    "board_fragment",
    "board_pixels",
    "board_size",
    "board_svg",
    "can_encode_boxes",
    "check_colours",
    "check_speed",
    "colour_numbers",
    "css_variables",
    "describe_board",
    "html_page",
    "moves_svg",
    "player_html",
    "side_by_side",
    "stylesheet",
    "table_html",
    "tree_page",
    "tree_svg",
    "write_png",
]
