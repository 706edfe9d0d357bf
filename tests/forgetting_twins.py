"""Slow, obvious twins of the searches that forget nodes, or that remember in a table what they have proved.

As in `search_twins`, each yields its expansions as tuples in the order of the fields of `puzzle15.searches.Expansion`.
No twin calls puzzle15.
"""

from itertools import count
from math import inf

from search_twins import children_of


def rbfs(shape, start, goal, h, order):
    """Recursive best-first search, as Korf (1993) writes it."""
    numbers = count(1)

    def visit(board, undo, parent, move, g, stored, bound):
        """Yields the expansions; returns the least value below the node, None if the goal was met."""
        f = g + h(board)
        number = next(numbers)
        line = number, 0, None if bound == inf else bound, "start", board, parent, move, g, h(board), f
        if board == goal:
            yield (*line, "goal", ())
            return None
        children = children_of(shape, order, board, undo)
        yield (
            *line,
            "expanded",
            tuple(
                (child, letter, g + 1, h(child), g + 1 + h(child), "open" if g + 1 + h(child) <= bound else "cut")
                for letter, child in children
            ),
        )
        values = [g + 1 + h(child) for _, child in children]
        if f < stored:
            values = [max(value, stored) for value in values]
        while min(values) <= bound:
            best = values.index(min(values))
            others = values[:best] + values[best + 1 :]
            letter, child = children[best]
            found = yield from visit(child, board, number, letter, g + 1, values[best], min([bound, *others]))
            if found is None:
                return None
            values[best] = found
        return min(values)

    yield from visit(start, None, None, None, 0, h(start), inf)


class Node:
    """A node of `sma` in memory."""

    def __init__(self, board, parent, rank, move, maker, g, value, stamp):
        self.board, self.parent, self.rank, self.move, self.maker, self.g = board, parent, rank, move, maker, g
        self.value, self.stamp = value, stamp
        self.children, self.values = None, []  # (letter, board) and the value of each, once it was expanded
        self.kept = {}  # the children in memory, by rank

    def misses_a_child(self):
        return self.children is None or len(self.kept) < len(self.children)


def sma(shape, start, goal, h, order, room):
    """SMA* in a memory of so many nodes; ends without the goal when nothing that fits is left."""
    numbers, stamps = count(1), count(1)
    deepest = min(room - 1, 1000)
    nodes = [Node(start, None, None, None, None, 0, h(start), 0)]

    def keep(parent, rank, number):
        """Puts a child into memory, unless it is worse than all leaves there."""
        letter, board = parent.children[rank]
        child = Node(board, parent, rank, letter, number, parent.g + 1, parent.values[rank], None)
        if len(nodes) == room:
            leaves = [node for node in nodes if not node.kept and node is not parent]
            worst = max(leaves, key=lambda node: (node.value, -node.g, -node.stamp))
            if (child.value, -child.g) > (worst.value, -worst.g):
                return
            forget(worst, parent)
        child.stamp = next(stamps)
        parent.kept[rank] = child
        nodes.append(child)

    def forget(node, expanding=None):
        nodes.remove(node)
        del node.parent.kept[node.rank]
        if node.parent is not expanding:
            node.parent.stamp = next(stamps)

    def back_up(node):
        first = True
        while node is not None:
            value = min(node.values)
            if value == node.value and not first:
                return
            changed, node.value, first = value != node.value, value, False
            if node.parent is not None:
                node.parent.values[node.rank] = value
            if value == inf and node.parent is not None:
                forget(node)
            else:
                node.stamp = next(stamps)
                if not changed:
                    return
            node = node.parent

    while nodes[0].value < inf:
        missing = [node for node in nodes if node.misses_a_child()]
        node = min(missing, key=lambda node: (node.value, -node.g, bool(node.kept), -node.stamp))
        number = next(numbers)
        maker = None if node.parent is None else node.maker
        f = node.g + h(node.board)
        line = number, 0, None, "start", node.board, maker, node.move, node.g, h(node.board), f
        if node.board == goal:
            yield (*line, "goal", ())
            return
        if node.children is None:
            node.children = children_of(shape, order, node.board, node.parent and node.parent.board)
            for _, child in node.children:
                value = max(node.value, node.g + 1 + h(child))
                fits = value <= deepest and (node.g + 1 < deepest or child == goal)
                node.values.append(value if fits else inf)
            ranks = range(len(node.children))
        else:
            lacking = [rank for rank in range(len(node.children)) if rank not in node.kept]
            ranks = [rank for rank in lacking if node.values[rank] == node.value][:1]
        for rank in ranks:
            if node.values[rank] < inf:
                keep(node, rank, number)
        made = []
        for rank in ranks:
            letter, child = node.children[rank]
            fate = "open" if rank in node.kept else "cut" if node.values[rank] == inf else "dropped"
            made.append((child, letter, node.g + 1, h(child), node.g + 1 + h(child), fate))
        yield (*line, "expanded", tuple(made))
        back_up(node)


def remembering(shape, start, goal, h, order, iterations=None):
    """IDA* with a table that has room for every board; `iterations` gets (bound, expanded, generated) of each."""
    numbers = count(1)
    proved = {}

    def visit(board, undo, parent, move, g):
        """Yields the expansions; returns the smallest f that was cut off, None if the goal was met."""
        number = next(numbers)
        line = number, iteration, bound, "start", board, parent, move, g, h(board), g + h(board)
        if board == goal:
            yield (*line, "goal", ())
            return None
        counts[0] += 1
        made, least = [], inf
        for letter, child in children_of(shape, order, board, undo):
            f = g + 1 + h(child)
            known = g + 1 + proved.get(child, 0)
            fate = "cut" if f > bound else "known" if known > bound else "open"
            made.append((child, letter, g + 1, h(child), f, fate))
            least = min(least, {"cut": f, "known": known, "open": inf}[fate])
        yield (*line, "expanded", tuple(made))
        for child, letter, *_, fate in made:
            counts[1] += 1
            if fate == "open":
                found = yield from visit(child, board, number, letter, g + 1)
                if found is None:
                    return None
                least = min(least, found)
        if undo is not None:
            least = min(least, bound + 3)
            proved[board] = least - g
        return least

    if start == goal:
        yield 1, 0, None, "start", start, None, None, 0, h(start), h(start), "goal", ()
        return
    bound, iteration = h(start), 0
    while bound is not None:
        iteration, counts = iteration + 1, [0, 0]
        beyond = yield from visit(start, None, None, None, 0)
        if iterations is not None:
            iterations.append((bound, *counts))
        bound = beyond
