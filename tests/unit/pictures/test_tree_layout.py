"""Tidy drawings of random trees, looked at node by node."""

import random

import pytest

from puzzle15._pictures.tree_layout import place_nodes

SHAPES = {
    "any": lambda draw, node: draw.randrange(node),
    "deep": lambda draw, node: draw.randrange(max(0, node - 3), node),
    "wide": lambda draw, node: int(draw.random() ** 3 * node),
}


def random_tree(seed, kind, size=None):
    draw = random.Random(seed)
    children = [[] for _ in range(size or draw.randrange(1, 60))]
    for node in range(1, len(children)):
        children[SHAPES[kind](draw, node)].append(node)
    return children


def rows_of(children):
    """Per depth, the nodes from the left to the right: those of one parent together."""
    rows = [[0]]
    while rows[-1]:
        rows.append([child for node in rows[-1] for child in children[node]])
    return rows[:-1]


@pytest.mark.parametrize("kind", SHAPES)
def test_nodes_stand_in_order_and_never_overlap(kind):
    for seed in range(60):
        children = random_tree(seed, kind)
        places = place_nodes(children)
        parents = {child: parent for parent, brood in enumerate(children) for child in brood}
        assert min(across for across, _ in places) == 0, seed
        for depth, row in enumerate(rows_of(children)):
            assert {places[node][1] for node in row} == {depth}, seed
            for left, right in zip(row, row[1:]):
                least = 1 if parents[left] == parents[right] else 1.2
                assert places[right][0] - places[left][0] >= least - 1e-9, (seed, left, right)
        for node, brood in enumerate(children):
            if brood:
                middle = (places[brood[0]][0] + places[brood[-1]][0]) / 2
                assert places[node][0] == pytest.approx(middle), (seed, node)
        width = max(across for across, _ in places)
        mirrored = place_nodes([brood[::-1] for brood in children])
        assert mirrored == [(pytest.approx(width - across, abs=1e-9), depth) for across, depth in places], seed


def test_equal_subtrees_are_drawn_alike():
    inner = [[1, 2, 3], [4, 5], [], [6], [7], [], [], []]
    children = [[1, 9], *[[child + 1 for child in brood] for brood in inner]]
    children += [[child + 9 for child in brood] for brood in inner]
    places = place_nodes(children)
    offsets = {(round(b[0] - a[0], 9), b[1] - a[1]) for a, b in zip(places[1:9], places[9:])}
    assert len(offsets) == 1


def test_leaves_paths_and_deep_trees():
    assert place_nodes([[]]) == [(0, 0)] and place_nodes([]) == []
    assert place_nodes([[node + 1] for node in range(4_999)] + [[]])[-1] == (0, 4_999)
    assert max(depth for _, depth in place_nodes(random_tree(1, "deep", 1_000))) > 400
