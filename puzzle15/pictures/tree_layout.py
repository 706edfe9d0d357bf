"""The places of the nodes in a tidy drawing of a tree.

A parent stands over the middle of its children, nodes of one depth never overlap, and equal subtrees are drawn alike.
The algorithm is that of Buchheim, Jünger and Leipert, "Improving Walker's algorithm to run in linear time" (2002), with
loops in place of recursion, because a search tree can be deep.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["place_nodes"]

#: Between neighbours that have different parents, where children of one parent have 1.
_COUSINS = 1.2


def place_nodes(children: Sequence[Sequence[int]]) -> list[tuple[float, int]]:
    """The centre of each node in widths of a node, from 0 at the left, and its depth.

    `children` holds, per node, the numbers of its children from the left to the right. Node 0 is the root, and every
    child has a larger number than its parent.

    >>> place_nodes([[1, 2], [], [3, 4], [], []])
    [(0.5, 0), (0.0, 1), (1.0, 1), (0.5, 2), (1.5, 2)]
    """
    drawing = _Drawing(children)
    for node in reversed(range(len(children))):
        drawing.join(node)
    return drawing.places()


class _Drawing:
    """Subtrees with places relative to their roots, joined from the leaves up.

    The names are those of the paper. `_prelim` is the place of a node beside its siblings, and `_mod` is added to all
    nodes below it. A `_thread` leads from the last node of a contour to the next deeper one. `_shift` and `_change`
    spread the space that a subtree needs over the siblings to its left.
    """

    def __init__(self, children: Sequence[Sequence[int]]) -> None:
        count = len(children)
        self._children = children
        self._siblings: list[Sequence[int]] = [()] * count
        self._index = [0] * count
        for brood in children:
            for index, child in enumerate(brood):
                self._siblings[child], self._index[child] = brood, index
        self._middle = [0.0] * count  # of the children
        self._prelim = [0.0] * count
        self._mod = [0.0] * count
        self._shift = [0.0] * count
        self._change = [0.0] * count
        self._thread = [-1] * count
        self._ancestor = list(range(count))

    def join(self, parent: int) -> None:
        """Put the subtrees of a node's children side by side; each of them has been joined before."""
        brood = self._children[parent]
        if not brood:
            return
        default = brood[0]
        self._prelim[default] = self._middle[default]
        for left, child in zip(brood, brood[1:]):
            self._prelim[child] = self._prelim[left] + 1
            self._mod[child] = self._prelim[child] - self._middle[child]
            default = self._push_apart(left, child, default)
        shift = change = 0.0
        for child in reversed(brood):
            self._prelim[child] += shift
            self._mod[child] += shift
            change += self._change[child]
            shift += self._shift[child] + change
        self._middle[parent] = (self._prelim[brood[0]] + self._prelim[brood[-1]]) / 2

    def _push_apart(self, left: int, child: int, default: int) -> int:
        """Move the subtree of `child` to the right until it is clear of all those before it; the next `default`."""
        mod, prelim = self._mod, self._prelim
        inner_left, inner_right = left, child  # down the contours that face each other
        outer_left, outer_right = self._siblings[child][0], child  # and down those of the whole
        sum_inner_left, sum_inner_right = mod[left], mod[child]
        sum_outer_left, sum_outer_right = mod[outer_left], mod[child]
        while True:
            below_left, below_right = self._last_below(inner_left), self._first_below(inner_right)
            if below_left < 0 or below_right < 0:
                break
            inner_left, inner_right = below_left, below_right
            outer_left, outer_right = self._first_below(outer_left), self._last_below(outer_right)
            self._ancestor[outer_right] = child
            missing = prelim[inner_left] + sum_inner_left + _COUSINS - prelim[inner_right] - sum_inner_right
            if missing > 0:
                owner = self._ancestor[inner_left]
                self._move(owner if self._siblings[owner] is self._siblings[child] else default, child, missing)
                sum_inner_right += missing
                sum_outer_right += missing
            sum_inner_left += mod[inner_left]
            sum_inner_right += mod[inner_right]
            sum_outer_left += mod[outer_left]
            sum_outer_right += mod[outer_right]
        if below_left >= 0 and self._last_below(outer_right) < 0:
            self._thread[outer_right] = below_left
            mod[outer_right] += sum_inner_left - sum_outer_right
        if below_right >= 0 and self._first_below(outer_left) < 0:
            self._thread[outer_left] = below_right
            mod[outer_left] += sum_inner_right - sum_outer_left
            default = child
        return default

    def _move(self, owner: int, child: int, distance: float) -> None:
        """Move the subtree of `child` to the right, and later those between it and `owner` in proportion."""
        each = distance / (self._index[child] - self._index[owner])
        self._change[child] -= each
        self._shift[child] += distance
        self._change[owner] += each
        self._prelim[child] += distance
        self._mod[child] += distance

    def _first_below(self, node: int) -> int:
        """The next node down the left contour, -1 at its end."""
        return self._children[node][0] if self._children[node] else self._thread[node]

    def _last_below(self, node: int) -> int:
        """The next node down the right contour, -1 at its end."""
        return self._children[node][-1] if self._children[node] else self._thread[node]

    def places(self) -> list[tuple[float, int]]:
        sums, depths = [0.0] * len(self._children), [0] * len(self._children)
        centres = list(self._prelim)
        if centres:
            centres[0] = self._middle[0]
        for node, brood in enumerate(self._children):
            for child in brood:
                sums[child] = sums[node] + self._mod[child]
                centres[child] = self._prelim[child] + sums[node]
                depths[child] = depths[node] + 1
        first = min(centres, default=0.0)
        return [(centre - first, depth) for centre, depth in zip(centres, depths)]
