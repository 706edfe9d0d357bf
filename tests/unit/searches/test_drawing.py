"""Recorded searches as trees, held against what was recorded; and their pictures."""

import re
import xml.etree.ElementTree as ElementTree
from functools import cache

import pytest
from searching import MEETING

from puzzle15 import ALGORITHMS, Board, search
from puzzle15.searches import Child, Expansion, SearchTree
from puzzle15.searches._drawing import draw

SVG = "{http://www.w3.org/2000/svg}"
NEAR = "2 3 5/4 0 6/1 7 8"  # 12 moves
FAR = "8 6 7/2 5 4/3 0 1"
BOARDS = {"near": NEAR, "far": FAR, "4x4": "5 1 2 3/9 6 7 0/13 10 8 4/15 12 11 14"}


def recorded(board, limit=60, **options):
    tree = SearchTree(max_expansions=limit)
    tree.solution = search(board, on_expand=tree.add, **options)
    return tree


@pytest.fixture(params=ALGORITHMS)
def algorithm(request):
    return request.param


@cache
def tree_of(name, algorithm):
    options = {"max_length": 30} if algorithm == "depth-first" else {}
    return recorded(BOARDS[name], algorithm=algorithm, max_nodes=10_000, **options)


@pytest.fixture(params=BOARDS)
def tree(algorithm, request):
    """A recorded search of each algorithm, on each board."""
    return tree_of(request.param, algorithm)


def test_every_expansion_and_child_is_drawn_once(tree):
    drawing = draw(tree.expansions, tree.solution)
    nodes = [node for drawn in drawing["trees"] for node in drawn.nodes]
    numbers = [number for node in nodes if node.number is not None for number in (node.number, *node.again)]
    assert sorted(numbers) == [expansion.number for expansion in tree.expansions]
    if tree.solution.algorithm in ("rbfs", "sma*"):
        pytest.skip("it forgets nodes, and makes the same child again")
    roots = [expansion for expansion in tree.expansions if expansion.parent is None]
    assert len(drawing["trees"]) == len(roots)
    assert len(nodes) == len(roots) + sum(len(expansion.children) for expansion in tree.expansions)
    for drawn in drawing["trees"]:
        for node in drawn.nodes:
            if node.number is not None:
                check_node(node, drawn, tree.expansions[node.number - 1])


def check_node(node, drawn, expansion):
    """An expanded node of a drawn tree against its expansion."""
    assert node.tiles == expansion.board.tiles and node.move == (expansion.move or "")
    parent = None if node.parent is None else drawn.nodes[node.parent].number
    assert parent == expansion.parent
    assert (node.fate == "goal") == (expansion.fate == "goal")
    children = [child for child in drawn.nodes if child.parent is not None and drawn.nodes[child.parent] is node]
    expected = [(child.board.tiles, child.move) for child in expansion.children]
    assert [(child.tiles, child.move) for child in children] == expected
    for child, made in zip(children, expansion.children):
        if made.fate in ("known", "cut", "dropped"):
            assert child.fate == made.fate and child.number is None
        if made.fate == "reopened" and child.number is None:
            assert child.fate in ("reopened", "replaced")


def test_the_path_is_that_of_the_solution(tree):
    boards, lengths = [step.board.tiles for step in tree.solution.path()], []
    for drawn in draw(tree.expansions, tree.solution)["trees"]:
        marked = [node for node in drawn.nodes if node.on_path]
        lengths.append(len(marked))
        path = boards[::-1] if drawn.heading.startswith("from the goal") else boards
        assert [node.tiles for node in marked] == path[: len(marked)]
        assert all(after.parent == drawn.nodes.index(before) for before, after in zip(marked, marked[1:]))
    if tree.solution.moves is not None and tree.truncated:
        assert min(lengths) > 1
    elif tree.solution.moves is not None and tree.solution.algorithm in ("bidirectional", *MEETING):
        assert sum(lengths) == len(boards) + 1  # both paths have the board where they meet
    elif tree.solution.moves is not None:
        assert lengths[-1] == len(boards) and marked[-1].fate == "goal"


def test_labels_say_how_f_is_made_up():
    def labels(algorithm, **options):
        tree = recorded(NEAR, algorithm=algorithm, **options)
        nodes = draw(tree.expansions, tree.solution)["trees"][0].nodes
        return nodes[0].label, nodes[1].label

    assert labels("a*") == labels("branch-and-bound") == ("0 + 8 = 8", "1 + 9 = 10")
    assert labels("weighted-a*", weight="4/3") == ("0 + 4/3·8 = 10.67", "1 + 4/3·9 = 13")
    assert labels("weighted-a*") == ("0 + 2·8 = 16", "1 + 2·9 = 19")
    assert labels("weighted-a*", weight=1) == ("0 + 8 = 8", "1 + 9 = 10")
    assert labels("weighted-a*", priority="xdp") == ("g 0, h 8: 16", "g 1, h 9: 19.83")
    assert labels("greedy") == labels("beam") == ("h = 8", "h = 9")
    assert labels("breadth-first") == labels("bidirectional") == ("g = 0", "g = 1")


def test_iterations_have_a_tree_each_that_tells_its_bound():
    tree = recorded(NEAR, algorithm="ida*")
    drawing = draw(tree.expansions, tree.solution)
    assert [drawn.heading for drawn in drawing["trees"]] == [
        f"bound {bound}: {expanded} expanded" for bound, expanded, _ in tree.solution.iterations
    ]
    cut = [node for node in drawing["trees"][0].nodes if node.fate == "cut"]
    assert [(node.label, node.note) for node in cut] == [("1 + 9 = 10", "f = 10 > 8")] * 4
    tree = recorded(NEAR, algorithm="iterative-deepening", limit=30)
    headings = [drawn.heading for drawn in draw(tree.expansions, tree.solution)["trees"]]
    assert headings[0] == "depth limit 0: 1 expanded" and re.match(r"depth limit 3: \d+ of \d+ expanded", headings[-1])
    cut = [node for node in draw(tree.expansions)["trees"][0].nodes if node.fate == "cut"]
    assert [(node.label, node.note) for node in cut] == [("", "g = 1 > 0")] * 4


@pytest.mark.parametrize("options", [{"algorithm": "rbfs"}, {"algorithm": "sma*", "max_memory": 40 * 48}], ids=str)
def test_a_node_that_is_expanded_again_is_drawn_once(options):
    tree = recorded(FAR, limit=400, **options)
    drawing = draw(tree.expansions, tree.solution)
    (drawn,) = drawing["trees"]
    again = [node for node in drawn.nodes if node.again]
    assert again and drawn.nodes[0].number == 1
    paths = set()
    for node in drawn.nodes:
        path, at = [], node
        while at.parent is not None:
            path, at = [at.move, *path], drawn.nodes[at.parent]
        paths.add(tuple(path))
        for number in (node.number, *node.again) if node.number else ():
            expansion = tree.expansions[number - 1]
            assert expansion.board.tiles == node.tiles == Board(FAR).apply("".join(path)).tiles
    assert len(paths) == len(drawn.nodes)
    picture = tree.svg()
    assert f'data-number="{again[0].number} {again[0].again[0]}' in picture and "again: " in picture


@pytest.mark.parametrize("name", ["bidirectional", *MEETING])
def test_both_sides_have_a_tree(name):
    tree = recorded(NEAR, algorithm=name)
    start, goal = draw(tree.expansions, tree.solution)["trees"]
    assert start.heading.startswith("from the board: ") and goal.heading.startswith("from the goal: ")
    assert start.nodes[0].tiles == Board(NEAR).tiles and goal.nodes[0].tiles == Board.goal((3, 3)).tiles
    assert start.nodes[0].on_path and goal.nodes[0].on_path


def by_hand():
    """Four expansions in which a shorter way replaces a node that waits, and another one that was expanded."""
    root = Board("1 2 3/4 0 5/7 8 6")
    boards = [root.apply(moves) for moves in ("", "U", "L", "UL")]
    other = boards[3]
    return [
        Expansion(1, 0, None, "start", root, None, None, 0, 2, 2, "expanded", (
            Child(boards[1], "U", 1, 3, 4, "open"), Child(boards[2], "L", 1, 1, 2, "open"))),
        Expansion(2, 0, None, "start", boards[2], 1, "L", 1, 1, 2, "expanded", (
            Child(other, "U", 5, 0, 5, "open"), Child(boards[1], "D", 2, 3, 5, "known"))),
        Expansion(3, 0, None, "start", boards[1], 1, "U", 1, 3, 4, "expanded", (
            Child(other, "L", 2, 0, 2, "reopened"), Child(boards[2], "D", 1, 1, 2, "reopened"))),
        Expansion(4, 0, None, "start", other, 3, "L", 2, 0, 2, "goal", ()),
    ]  # fmt: skip


def test_a_shorter_way_replaces_the_node_that_waits():
    drawing = draw(by_hand())
    (tree,) = drawing["trees"]
    assert [(node.move, node.number, node.fate, node.note) for node in tree.nodes] == [
        ("", 1, "expanded", ""),
        ("U", 3, "expanded", ""),
        ("L", 2, "expanded", ""),
        ("U", None, "replaced", "replaced"),
        ("D", None, "known", "known"),
        ("L", 4, "goal", "reopened"),
        ("D", None, "reopened", "reopened"),
    ]
    assert drawing["title"] == "3 expansions of a search" and drawing["lines"] == ["from 1 2 3/4 0 5/7 8 6"]


def test_titles_and_lines():
    tree = recorded(NEAR)
    assert tree.title == "all 21 expansions of a* with manhattan"
    tree = recorded(FAR, limit=10)
    assert tree.title == "10 of 6,728 expansions of a* with manhattan"
    lines = draw(tree.expansions, tree.solution)["lines"]
    assert lines == [f"from {FAR} to 1 2 3/4 5 6/7 8 0", str(tree.solution)]
    tree = recorded(NEAR, algorithm="beam", width=2, limit=5)
    assert tree.solution.length > 100 and draw(tree.expansions, tree.solution)["lines"][1].endswith(" ..")
    assert recorded("1 2 3/4 5 6/7 0 8", algorithm="bfs").title == "all 3 expansions of breadth-first"
    assert recorded("1 2 3/4 5 6/7 0 8").title == "the only expansion of a* with manhattan"


def test_the_picture_has_all_nodes_and_says_what_it_is():
    tree = recorded(FAR, limit=30)
    root = ElementTree.fromstring(tree.svg())
    assert root.find(f"{SVG}title").text == tree.title
    numbers = [element.get("data-number") for element in root.iter(f"{SVG}g") if element.get("data-number")]
    assert sorted(map(int, numbers)) == list(range(1, 31))
    assert tree._repr_svg_() == tree.svg() != tree.svg(colours="rings")
    with pytest.raises(ValueError, match="colours 'red': expected one of rows, rings, plain"):
        tree.svg(colours="red")


def test_an_empty_tree_is_no_picture():
    assert SearchTree()._repr_svg_() is None
    with pytest.raises(ValueError, match="no expansions: expected those of a search"):
        SearchTree().svg()
