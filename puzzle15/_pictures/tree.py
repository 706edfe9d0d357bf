"""Search trees as SVG: as a textbook draws them, made of small boards with their numbers beneath."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from typing import NamedTuple, Optional

from .._system.quantities import count_text
from .palette import DARK, LIGHT, Colours, Mode, colour_numbers
from .svg import Look, Svg, board_fragment, board_size, stylesheet
from .tree_layout import place_nodes

#: The fates of nodes, as the legend names them.
FATES = {
    "expanded": "expanded; numbers are the order",
    "goal": "completes a solution; not expanded",
    "open": "waits to be expanded",
    "reopened": "a shorter path to a known board",
    "replaced": "replaced by a shorter path",
    "known": "dropped: the board is known",
    "cut": "cut off: beyond the bound",
    "dropped": "dropped: not good enough to keep",
}


class TreeNode(NamedTuple):
    """A node of a search tree, as it is drawn."""

    tiles: Sequence[int]  # cell by cell, 0 for the blank
    parent: Optional[int]  # the index of the parent in the tree; None for the root, which comes first
    fate: str  # one of `FATES`; an expanded node may be "reopened", too
    move: str = ""  # the letter of the move from the parent
    number: Optional[int] = None  # when the node was expanded first, or found to be the goal; None if it never was
    label: str = ""  # such as ``3 + 7 = 10``
    note: str = ""  # a further text, such as ``f = 12 > 10``
    on_path: bool = False  # whether the node is on the solution's path
    again: tuple[int, ...] = ()  # when it was expanded again, by a search that forgets nodes


class Tree(NamedTuple):
    """The nodes of one tree, parents before their children, and the heading above it."""

    heading: str
    nodes: Sequence[TreeNode]


# Lengths in pixels.
_SCALE = 0.45  # of a fragment, whose cells are 40
_MARGIN = 24
_LINE = 13  # of labels
_GAP = 12  # between neighbours
_DROP = 38  # from the labels of a parent to its children
_BETWEEN = 48  # trees
_ROW = 1100  # as wide as several small trees side by side may be
_LETTER = 6.4  # of a label; the widest usual fonts have no more


def tree_svg(
    trees: Sequence[Tree],
    shape: tuple[int, int],
    *,
    title: str,
    lines: Sequence[str] = (),
    colours: Colours = "plain",
    goal: Optional[Sequence[int]] = None,
) -> Svg:
    """Search trees as one picture: a title and lines of text, a legend of what occurs, and the trees.

    Each expanded node is a ``<g>`` with the attribute ``data-number`` (several numbers, with spaces between them, if it
    was expanded again). `colours` and `goal` are those of `puzzle15._pictures.Look`.

    >>> root = TreeNode([1, 2, 0, 3], None, "expanded", number=1, label="0 + 1 = 1", on_path=True)
    >>> child = TreeNode([1, 2, 3, 0], 0, "goal", move="L", number=2, label="1 + 0 = 1", on_path=True)
    >>> picture = tree_svg([Tree("", [root, child])], (2, 2), title="a* with manhattan")
    >>> picture.count("data-number"), "expanded; numbers are the order" in picture
    (2, True)
    """
    size = _SCALE * (40 * max(shape) + 8)
    wide, high = board_size(shape, size)
    longest = max(len(text) for tree in trees for node in tree.nodes for text in (node.label, _note(node)))
    sizes = _Sizes(wide, high, max(wide, _LETTER * longest) + _GAP, high + 2 * _LINE + _DROP)
    draw = partial(board_fragment, shape=shape, look=Look(size, colours, goal=goal))
    drawn = [_drawn(tree, sizes, draw) for tree in trees]
    widths = (sum(8.8 if letter.isupper() else 7.2 for letter in line) for line in lines)  # moves are wide
    right = max(560.0, 11.0 * len(title), *widths)
    legend, below = _legend(trees, right)
    top = 62 + 17 * len(lines)
    parts = []
    x, y, row_height = float(_MARGIN), top + below + 24.0, 0.0
    row = max(_ROW, *(width for _, width, _ in drawn))
    for tree, width, height in drawn:
        if x > _MARGIN and x + width > _MARGIN + row:
            x, y, row_height = float(_MARGIN), y + row_height + _BETWEEN, 0.0
        parts.append(f'<g transform="translate({_px(x)} {_px(y)})">{tree}</g>')
        right = max(right, x + width)
        x, row_height = x + width + _BETWEEN, max(row_height, height)
    width, height = round(right + _MARGIN), round(y + row_height + _MARGIN)
    words = "".join(f'<text x="{_MARGIN}" y="{58 + 17 * at}">{escape(line)}</text>' for at, line in enumerate(lines))
    numbers = colour_numbers(shape, colours, goal)[1:]
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="p15t" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><title>{escape(title)}</title><desc>{escape(_describe(trees, lines))}</desc>'
        f'{stylesheet(numbers)}{_stylesheet()}<rect class="page" width="{width}" height="{height}"/>'
        f'<text class="h" x="{_MARGIN}" y="36">{escape(title)}</text>{words}'
        f'<g transform="translate({_MARGIN} {top})">{legend}</g>{"".join(parts)}</svg>'
    )


class _Sizes(NamedTuple):
    width: float  # of a board, which is as large in all trees of a picture
    height: float
    column: float  # from one node to the next
    level: float  # from one depth to the next


def _drawn(tree: Tree, sizes: _Sizes, draw: Callable[[Sequence[int]], str]) -> tuple[str, float, float]:
    """Return a tree with its heading, its width and its height. Edges come first, so that boards cover them."""
    nodes = tree.nodes
    children: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes):
        if node.parent is not None:
            children[node.parent].append(index)
    columns = place_nodes(children)
    most, depth = max(across for across, _ in columns), max(depth for _, depth in columns)
    width = max(sizes.column * (most + 1), 7.6 * len(tree.heading))
    left = (width - sizes.column * most) / 2
    top = 32 if tree.heading else 12  # of the root's board; its number and the heading are above
    places = [(left + sizes.column * across, top + sizes.level * below) for across, below in columns]
    edges, boards = [], []
    for node, (x, y) in zip(nodes, places):
        number = "" if node.number is None else f' data-number="{" ".join(map(str, (node.number, *node.again)))}"'
        if node.parent is not None:
            parent, (from_x, from_y) = nodes[node.parent], places[node.parent]
            from_y += sizes.height + 5 + _LINE * (bool(parent.label) + bool(_note(parent)))
            half = _px((from_y + y) / 2)
            curve = f"M{_px(from_x)} {_px(from_y)}C{_px(from_x)} {half} {_px(x)} {half} {_px(x)} {_px(y - 1)}"
            letter = f'class="left" x="{_px(x - 5)}"' if x < from_x else f'x="{_px(x + 5)}"'
            edges.append(
                f'<g class="e{" way" * (node.on_path and parent.on_path)}"><path d="{curve}"/>'
                f'<text {letter} y="{_px(y - 7)}">{node.move}</text></g>'
            )
        boards.append(
            f'<g class="{_classes(node)}"{number} transform="translate({_px(x - sizes.width / 2)} {_px(y)})">'
            f"{draw(node.tiles)}{_frame(node, sizes.width, sizes.height)}{_badge(node.number)}"
            f"{_labels(node, sizes.width / 2, sizes.height)}</g>"
        )
    heading = f'<text class="b" x="{_px(width / 2)}" y="12">{escape(tree.heading)}</text>'
    return "".join([heading, *edges, *boards]), width, top + sizes.level * (1 + depth) - _DROP


def _px(length: float) -> str:
    """Return a length or a coordinate, in tenths of a pixel."""
    return f"{round(length, 1):g}"


def _classes(node: TreeNode) -> str:
    expanded = node.number is not None and node.fate not in ("expanded", "goal")
    return " ".join(["n", node.fate, *["expanded"] * expanded, *["way"] * node.on_path])


def _frame(node: TreeNode, width: float, height: float) -> str:
    """Return the line around a board, whose form shows the node's fate."""
    frame = f'<rect class="f" x="-1" y="-1" width="{_px(width + 2)}" height="{_px(height + 2)}" rx="4"/>'
    if node.fate in ("goal", "reopened"):  # a second line
        frame += f'<rect class="f" x="-5" y="-5" width="{_px(width + 10)}" height="{_px(height + 10)}" rx="7"/>'
    return frame


def _badge(number: Optional[int]) -> str:
    if number is None:
        return ""
    width = 7 + 6.5 * len(str(number))
    right = 12  # of it, so that it hides neither the first tile nor the letter of the move
    return (
        f'<g class="k"><rect x="{right - width}" y="-15" width="{width}" height="15" rx="5"/>'
        f'<text x="{right - width / 2}" y="-3.5">{number}</text></g>'
    )


def _labels(node: TreeNode, x: float, height: float) -> str:
    lines = [(name, text) for name, text in (("l", node.label), ("note", _note(node))) if text]
    return "".join(
        f'<text class="{name}" x="{_px(x)}" y="{_px(height + _LINE * at + 14)}">{escape(text)}</text>'
        for at, (name, text) in enumerate(lines)
    )


def _note(node: TreeNode) -> str:
    """Return what stands below the label of a node: its note, or when it was expanded again."""
    if node.note or not node.again:
        return node.note
    return f"again: {', '.join(map(str, node.again[:3]))}{' ..' if len(node.again) > 3 else ''}"


def _legend(trees: Sequence[Tree], width: float) -> tuple[str, float]:
    """Samples of what occurs, in lines of this width, and the height of these lines."""
    nodes = [node for tree in trees for node in tree.nodes]
    fates = {node.fate for node in nodes} | {"expanded" for node in nodes if node.number is not None}
    items = [(_sample(fate), text) for fate, text in FATES.items() if fate in fates]
    if any(node.on_path for node in nodes):
        items.append(('<g class="e way"><path d="M0 9H18"/></g>', "the solution"))
    parts, x, y = [], 0.0, 0
    for sample, text in items:
        taken = 34 + 6.4 * len(text) + 22
        if x and x + taken > width:
            x, y = 0.0, y + 26
        parts.append(
            f'<g transform="translate({_px(x)} {y})"><g transform="translate(6)">{sample}</g>'
            f'<text x="34" y="13">{text}</text></g>'
        )
        x += taken
    return "".join(parts), y + 26


def _sample(fate: str) -> str:
    node = TreeNode((), None, fate, number=1 if fate == "expanded" else None)
    tray = '<g class="p15"><rect width="18" height="18" rx="3"/></g>'
    return f'<g class="{_classes(node)}">{tray}{_frame(node, 18, 18)}{_badge(node.number)}</g>'


def _stylesheet() -> str:
    """Return the style of everything but the boards; all rules begin with the class ``p15t``."""

    def colours(mode: Mode) -> str:
        return (
            f".p15t .page,.p15t .k text{{fill:{mode.page}}}.p15t text,.p15t .k rect{{fill:{mode.text}}}"
            f".p15t .f,.p15t .e{{stroke:{mode.text}}}.p15t .e text{{stroke:{mode.page}}}"
            f".p15t .way .f,.p15t .e.way{{stroke:{mode.accent}}}.p15t .way .k rect{{fill:{mode.accent}}}"
        )

    return (
        "<style>.p15t{font:12px system-ui,sans-serif}.p15t .h{font-size:18px;font-weight:600}.p15t .b{font-weight:600}"
        ".p15t .b,.p15t .l,.p15t .note,.p15t .k text{text-anchor:middle}.p15t .left{text-anchor:end}"
        ".p15t .l,.p15t .note,.p15t .k text,.p15t .e text{font-size:11px}"
        ".p15t .note{font-style:italic}.p15t .k text{font-weight:700}.p15t .e text{stroke-width:4;paint-order:stroke}"
        ".p15t .f,.p15t .e path{fill:none;stroke-width:1.2}.p15t .expanded .f{stroke-width:2}"
        ".p15t .way .f,.p15t .e.way path{stroke-width:3.2}.p15t .e.way text{font-weight:700}"
        ".p15t .known .f,.p15t .replaced .f{stroke-dasharray:4 3}.p15t .cut .f,.p15t .dropped .f{stroke:none}"
        ".p15t .cut .p15,.p15t .dropped .p15,.p15t .replaced .p15{opacity:.5}"
        f"{colours(LIGHT)}@media(prefers-color-scheme:dark){{{colours(DARK)}}}</style>"
    )


def _describe(trees: Sequence[Tree], lines: Iterable[str]) -> str:
    sentences = [f"{line}." for line in lines]
    for tree in trees:
        goals = [node.number for node in tree.nodes if node.fate == "goal" and node.number is not None]
        expanded = sum(node.number is not None for node in tree.nodes) - len(goals)
        boards = f"{count_text(len(tree.nodes), 'board')}, {expanded} expanded; the numbers give the order."
        sentences.append(f"{tree.heading}{': ' * bool(tree.heading)}a tree of {boards}")
        sentences += [f"Number {number} completes a solution." for number in goals]
        moves = [node.move for node in tree.nodes if node.on_path and node.move]
        if moves:
            sentences.append(f"The solution begins with {''.join(moves)}.")
    return " ".join(sentences)
