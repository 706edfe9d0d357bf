"""Pictures of boards, solutions and searches, drawn from plain data: tiles, shapes, moves, numbers."""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .palette import COLOURS, DARK, LIGHT, Mode, check_colours, colour_numbers
    from .stepping import tree_page
    from .svg import board_fragment, board_size, board_svg, describe_board, stylesheet
    from .tree import FATES, Tree, TreeNode, tree_svg
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        palette="COLOURS DARK LIGHT Mode check_colours colour_numbers",
        svg="board_fragment board_size board_svg describe_board stylesheet",
        tree="FATES Tree TreeNode tree_svg",
        stepping="tree_page",
    )

__all__ = [
    "COLOURS",
    "DARK",
    "FATES",
    "LIGHT",
    "Mode",
    "Tree",
    "TreeNode",
    "board_fragment",
    "board_size",
    "board_svg",
    "check_colours",
    "colour_numbers",
    "describe_board",
    "stylesheet",
    "tree_page",
    "tree_svg",
]
