"""Search trees as SVG, read back by parsers."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from puzzle15._pictures.pages import player_html
from puzzle15._pictures.tree import FATES, Tree, TreeNode, tree_svg

SVG = "{http://www.w3.org/2000/svg}"
TILES = (1, 2, 3, 4, 0, 5, 6, 7, 8)

#: A node of every fate.
NODES = [
    TreeNode(TILES, None, "expanded", number=1, label="0 + 4 = 4", on_path=True),
    TreeNode(TILES, 0, "expanded", "U", 2, "1 + 3 = 4", on_path=True),
    TreeNode(TILES, 0, "open", "D", None, "1 + 5 = 6"),
    TreeNode(TILES, 0, "replaced", "L", None, "1 + 5 = 6", "replaced"),
    TreeNode(TILES, 1, "reopened", "R", 3, "2 + 5 = 7", "reopened"),
    TreeNode(TILES, 1, "known", "U", None, "2 + 2 = 4", "known"),
    TreeNode(TILES, 4, "cut", "U", None, "3 + 6 = 9", "f = 9 > 8"),
    TreeNode(TILES, 4, "dropped", "L", None, "3 + 4 = 7"),
    TreeNode(TILES, 1, "goal", "L", 4, "2 + 0 = 2", on_path=True),
]


def picture(*trees, **options):
    return ElementTree.fromstring(tree_svg(trees or [Tree("", NODES)], **{"title": "", "shape": (3, 3), **options}))


def nodes_of(root):
    """The groups of the nodes, in order."""
    return [group for group in root.iter(f"{SVG}g") if "n" in group.get("class", "").split() and group.get("transform")]


def texts_of(element, name=None):
    return [text.text for text in element.iter(f"{SVG}text") if name is None or text.get("class") == name]


def test_every_node_stands_there_once_with_its_numbers():
    groups = nodes_of(picture())
    assert len(groups) == len(NODES)
    for group, node in zip(groups, NODES):
        assert group.get("data-number") == (None if node.number is None else str(node.number))
        assert texts_of(group, "l") == [node.label] and texts_of(group, "note") == [node.note] * bool(node.note)
        assert [tile for tile in texts_of(group) if tile.isdigit()][: len(TILES) - 1] == [str(t) for t in TILES if t]
        names = group.get("class").split()
        assert node.fate in names and ("way" in names) == node.on_path
        assert ("expanded" in names) == (node.number is not None and node.fate != "goal")


def test_edges_have_letters_and_the_legend_has_what_occurs():
    edges = [group for group in picture().iter(f"{SVG}g") if "e" in group.get("class", "").split()]
    edges = [edge for edge in edges if texts_of(edge)]  # not that of the legend
    assert [texts_of(edge)[0] for edge in edges] == [node.move for node in NODES[1:]]
    assert ["way" in edge.get("class") for edge in edges] == [node.on_path for node in NODES[1:]]
    words = texts_of(picture())
    assert all(text in words for text in FATES.values()) and "the solution" in words
    words = texts_of(picture(Tree("", [NODES[2]._replace(parent=None)])))
    assert [text for text in FATES.values() if text in words] == [FATES["open"]] and "the solution" not in words


@pytest.mark.parametrize("shape", [(2, 2), (4, 4), (2, 8), (8, 2)])
def test_boards_and_texts_lie_in_the_picture_and_boards_apart(shape):
    cells = shape[0] * shape[1]
    nodes = [node._replace(tiles=tuple(range(cells))) for node in NODES]
    root = picture(*[Tree(f"tree {number}", nodes) for number in range(5)], shape=shape, lines=["x" * 150])
    width, height = float(root.get("width")), float(root.get("height"))
    corners = []
    for tree in root.findall(f"{SVG}g")[1:]:
        left, top = shift(tree)
        corners += [(left + x, top + y) for x, y in map(shift, nodes_of(tree))]
    wide, high = (0.45 * (40 * side + 8) for side in (shape[1], shape[0]))
    assert len(corners) == 5 * len(nodes)
    assert all(0 < x < width - wide and 0 < y < height - high for x, y in corners)
    for index, (x, y) in enumerate(corners):
        assert all(abs(x - a) >= wide + 8 or abs(y - b) >= high + 8 for a, b in corners[:index])


@pytest.mark.parametrize("heading, count", [("a heading wider than its tree", 1), ("", 3)])
def test_the_heading_is_above_the_middle_of_a_tree(heading, count):
    """Here all nodes but the root are its children, and the tree is as wide as its heading, or wider."""
    tree = picture(Tree(heading, [NODES[0], *[NODES[2]] * count])).findall(f"{SVG}g")[1]
    [middle] = [float(text.get("x")) for text in tree.findall(f"{SVG}text")]
    root, *children = [shift(group)[0] for group in nodes_of(tree)]
    assert root + 0.45 * (40 * 3 + 8) / 2 == pytest.approx(middle, abs=0.11)
    assert (children[0] + children[-1]) / 2 == pytest.approx(root, abs=0.11)


def shift(group):
    return tuple(map(float, re.findall(r"-?[\d.]+", group.get("transform"))[:2]))


def test_it_says_what_it_shows_and_needs_nothing():
    text = tree_svg([Tree("bound <4>", NODES)], (3, 3), title="a & b", lines=["from <here>"])
    root = ElementTree.fromstring(text)
    assert root.get("role") == "img" and root.find(f"{SVG}title").text == "a & b"
    assert root.find(f"{SVG}desc").text == (
        "from <here>. bound <4>: a tree of 9 boards, 3 expanded; the numbers give the order. "
        "Number 4 completes a solution. The solution begins with UL."
    )
    assert "bound <4>" in texts_of(root, "b")
    assert re.findall(r"https?://[^\"]+|url\(|@import|href", text) == ["http://www.w3.org/2000/svg"]
    assert " id=" not in text
    for rules in re.findall(r"<style>(.*?)</style>", text):  # they leave the rest of a page alone
        selectors = re.split("[,{}]", re.sub(r"\{[^{}]*\}", ",", rules))
        assert all(selector.startswith((".p15", "@media")) for selector in selectors if selector)
    assert text.count("prefers-color-scheme:dark") == 2


def test_large_pictures_keep_tenths_of_a_pixel():
    nodes = [NODES[0]] + [NODES[2]] * 1000
    lefts = sorted(shift(group)[0] for group in nodes_of(picture(Tree("", nodes)))[1:])
    steps = {round(b - a, 1) for a, b in zip(lefts, lefts[1:])}
    assert max(lefts) > 60_000 and steps == {69.6}


def test_scripts_are_short_and_leave_no_names_behind():
    script = re.findall("<script>(.*?)</script>", player_html((1, 0), (1, 2), "L"), flags=re.S)[-1]
    assert len(script.splitlines()) < 140
    assert script.startswith('(() => {\n"use strict";\n') and script.endswith("})();")
