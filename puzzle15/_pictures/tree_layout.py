"""The places of the nodes in a tidy drawing of a tree.

A parent stands over the middle of its children, nodes of one depth never overlap, equal subtrees are drawn alike, and a
mirrored tree has a mirrored drawing. The algorithm is that of Kennedy, "Functional pearls: drawing trees" (1996): the
subtrees of a node are packed from the left and from the right, and their places are the averages of both.
"""

from __future__ import annotations

from collections.abc import Sequence

#: The distance of neighbours that have different parents; that of children of one parent is 1.
_COUSINS = 1.2

#: The first and the last place of a subtree at each depth, relative to its root.
Extent = list[tuple[float, float]]


def place_nodes(children: Sequence[Sequence[int]]) -> list[tuple[float, int]]:
    """Return the centre of each node in widths of a node, from 0 at the left, and its depth.

    `children` holds, per node, the numbers of its children from the left to the right. Node 0 is the root, and every
    child has a larger number than its parent.

    >>> place_nodes([[1, 2], [], [3, 4], [], []])
    [(0.5, 0), (0.0, 1), (1.0, 1), (0.5, 2), (1.5, 2)]
    """
    extents: list[Extent] = [[] for _ in children]
    offsets = [0.0] * len(children)  # from the parent
    for node in reversed(range(len(children))):
        below = [extents[child] for child in children[node]]
        packed = _offsets(below)
        for child, offset in zip(children[node], packed):
            offsets[child], extents[child] = offset, []
        extents[node] = [(0.0, 0.0), *_joined(below, packed)]
    places = [(0.0, 0)] * len(children)
    for node, brood in enumerate(children):
        across, depth = places[node]
        for child in brood:
            places[child] = across + offsets[child], depth + 1
    first = min((across for across, _ in places), default=0.0)
    return [(across - first, depth) for across, depth in places]


def _offsets(extents: Sequence[Extent]) -> list[float]:
    """Return the offsets of the children of a node, whose middle is 0."""
    if len(extents) < 2:
        return [0.0] * len(extents)
    mirrored = [[(-right, -left) for left, right in extent] for extent in reversed(extents)]
    from_left, from_right = _packed(extents), _packed(mirrored)[::-1]
    offsets = [(left - right) / 2 for left, right in zip(from_left, from_right)]
    middle = (offsets[0] + offsets[-1]) / 2
    return [offset - middle for offset in offsets]


def _packed(extents: Sequence[Extent]) -> list[float]:
    """Return the offsets of subtrees that are packed to the left as tight as possible; the first one is 0."""
    offsets: list[float] = []
    ends: list[float] = []  # the last place at each depth of the subtrees packed so far
    for extent in extents:
        gaps = [1.0, *[_COUSINS] * len(extent)]
        offset = max((end + gap - left for end, gap, (left, _) in zip(ends, gaps, extent)), default=0.0)
        ends = [offset + right for _, right in extent] + ends[len(extent) :]
        offsets.append(offset)
    return offsets


def _joined(extents: Sequence[Extent], offsets: Sequence[float]) -> Extent:
    """Return the extent of subtrees side by side."""
    if len(extents) == 1:
        return extents[0]  # its offset is 0
    joined: Extent = []
    for extent, offset in zip(extents, offsets):
        moved = [(left + offset, right + offset) for left, right in extent]
        begun = [(first, last) for (first, _), (_, last) in zip(joined, moved)]
        joined = [*begun, *joined[len(moved) :], *moved[len(begun) :]]
    return joined
