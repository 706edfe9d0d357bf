"""Slow, obvious twins of the textbook searches, which tell each expansion, written from the definitions alone.

Boards are tuples of tiles. Each search yields its expansions as tuples in the order of the fields of
`puzzle15.searches.Expansion`, with children in that of `Child`. No twin calls puzzle15.
"""

import heapq
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import count
from math import inf

import twins

#: How the kernels that remember boards count moves.
MAX_G = 1022


def children_of(shape, order, board, undo=None):
    """(letter, board) of each child, in the order of the blank's directions; `undo` is the board not to make again."""
    after = twins.neighbours(shape, board)
    letters = [twins.TILE_LETTERS[direction] for direction in order]
    return [(letter, after[letter]) for letter in letters if letter in after and after[letter] != undo]


def number_of(f):
    return int(f) if f == int(f) else float(f)


def best_first(
    shape,
    start,
    goal,
    h,
    order,
    *,
    g_weight=1,
    h_weight=1,
    ties,
    prove=False,
    batch=1,
    f_of=None,
    row_of=None,
    informed=True,
):
    """A*, weighted A*, greedy, breadth-first search, branch and bound; `row_of` is another priority of g and h."""
    row_of = row_of or (lambda g, h: g_weight * g + h_weight * h)
    greedy = g_weight == 0 and not prove
    f_of = f_of or (lambda g, h: Fraction(g_weight * g + h_weight * h, g_weight or 1))
    turn, numbers = count(), count(1)
    keys = {
        "fifo": lambda row, h, at: (row, at),
        "lifo": lambda row, h, at: (row, -at),
        "larger-g": lambda row, h, at: (row, h, -at),
    }
    waiting = []  # heap of (key, board)
    nodes = {start: [0, None, None, None]}  # board -> g, parent's board, its expansion's number, move
    closed = set()
    best = None

    def put(board):
        value = h(board)
        row = row_of(nodes[board][0], value)
        heapq.heappush(waiting, (keys[ties](row, value, next(turn)), board))

    def told(board, node, fate, children=()):
        g, _, parent, move = node
        bound = None if not best else best - 1
        value = h(board) if informed else None
        f = number_of(f_of(g, h(board)))
        return next(numbers), 0, bound, "start", board, parent, move, g, value, f, fate, tuple(children)

    put(start)
    while waiting:
        taken = []
        while waiting and len(taken) < batch:
            if taken and waiting[0][1] == goal:
                break
            _, board = heapq.heappop(waiting)
            if board in closed:
                continue
            closed.add(board)
            if best is not None and nodes[board][0] + h(board) >= best:
                continue
            if board == goal:
                yield told(board, nodes[board], "goal")
                if not prove:
                    return
                best, at = 0, goal
                while at != start:
                    best, at = best + 1, nodes[at][1]
                continue
            taken.append((board, list(nodes[board])))
        for board, node in taken:
            line, made = told(board, node, "expanded"), []
            g = min(node[0] + 1, MAX_G)
            for letter, child in children_of(shape, order, board, node[1]):
                if child in nodes and (greedy or g >= nodes[child][0]):
                    fate = "known"
                elif best is not None and g + h(child) >= best:
                    fate = "cut"
                else:
                    fate = "reopened" if child in nodes else "open"
                    nodes[child] = [g, board, line[0], letter]
                    closed.discard(child)
                    put(child)
                value = h(child) if informed else None
                made.append((child, letter, g, value, number_of(f_of(g, h(child))), fate))
            yield (*line[:-1], tuple(made))


def curve(name, weight):
    """The priority XDP or XUP of g and h, by exact arithmetic to nine digits."""
    w, half = Decimal(weight), Decimal(1) / 2

    @cache
    def value(g, h):
        if name == "xdp":
            exact = half * (g + (2 * w - 1) * h + ((g - h) ** 2 + 4 * w * g * h).sqrt())
        else:
            exact = half * (g + h + (Decimal(g + h) ** 2 + 4 * w * (w - 1) * h * h).sqrt())
        return exact.quantize(Decimal("1e-9"))

    return value


def bidirectional(shape, start, goal, order):
    """Breadth-first search from both ends, the smaller frontier first, a whole level at a time."""
    numbers = count(1)
    roots = {"start": start, "goal": goal}
    nodes = {side: {root: (0, None, None, None)} for side, root in roots.items()}
    levels = {side: [root] for side, root in roots.items()}

    def told(side, board, fate, children=()):
        g, _, parent, move = nodes[side][board]
        return next(numbers), 0, None, side, board, parent, move, g, None, g, fate, tuple(children)

    if start == goal:
        yield told("start", start, "goal")
        return
    side = "start"
    while levels[side]:
        following = []
        for board in levels[side]:
            other = "goal" if side == "start" else "start"
            line, made, met = told(side, board, "expanded"), [], None
            g, undo = line[7] + 1, nodes[side][board][1]
            for letter, child in children_of(shape, order, board, undo):
                fate = "known" if child in nodes[side] else "open"
                made.append((child, letter, g, None, g, fate))
                if fate == "known":
                    continue
                nodes[side][child] = (g, board, line[0], letter)
                following.append(child)
                if child in nodes[other]:
                    met = child
                    break
            yield (*line[:-1], tuple(made))
            if met:
                yield told(side, met, "goal")
                return
        levels[side] = following
        side = "start" if len(levels["start"]) <= len(levels["goal"]) else "goal"


def deepening(shape, start, goal, h, order, *, first_bound=None, last_bound=10**6, iterates=True, informed=True):
    """IDA*, iterative deepening, and depth-first search to a limit, by recursion."""
    numbers = count(1)

    def told(board, undo, parent, move, g):
        children = [
            (child, letter, g + 1, h(child), g + 1 + h(child), "open" if g + 1 + h(child) <= bound else "cut")
            for letter, child in (children_of(shape, order, board, undo) if board != goal else [])
        ]
        fate = "goal" if board == goal else "expanded"
        line = next(numbers), iteration, bound, "start", board, parent, move, g, h(board), g + h(board), fate, children
        if not informed:
            children = [(*child[:3], None, *child[4:]) for child in children]
            line = (*line[:8], None, *line[9:])
        return (*line[:-1], tuple(children))

    def visit(board, undo, parent, move, g):
        """Yields the expansions; returns whether the goal was met."""
        if g + h(board) > bound:
            beyond.append(g + h(board))
            return False
        line = told(board, undo, parent, move, g)
        yield line
        if board == goal:
            return True
        for letter, child in children_of(shape, order, board, undo):
            if (yield from visit(child, board, line[0], letter, g + 1)):
                return True
        return False

    iteration, beyond = 0, [h(start) if first_bound is None else first_bound]
    if start == goal:
        bound = None
        yield told(start, None, None, None, 0)
        return
    while beyond and min(beyond) <= last_bound:
        bound, beyond, iteration = min(beyond), [], iteration + (1 if iterates else 0)
        if (yield from visit(start, None, None, None, 0)):
            return


def beam(shape, start, goal, h, order, width):
    """Level by level, of whose children the best are kept."""
    numbers = count(1)
    level, closed, last_g, g = [(start, None, None, None)], set(), {start: 0}, 0
    while level:
        g_child = min(g + 1, MAX_G)
        lines, following = [], []
        for board, undo, parent, move in level:
            line = next(numbers), 0, None, "start", board, parent, move, g, h(board), h(board)
            if board == goal:
                yield from told_level(lines, {node[0] for node in following})
                yield (*line, "goal", ())
                return
            closed.add(board)
            made = []
            for letter, child in children_of(shape, order, board, undo):
                known = child in closed or last_g.get(child, -1) >= g_child
                if not known:
                    last_g[child] = g_child
                    following.append((child, board, line[0], letter))
                made.append((child, letter, g_child, h(child), h(child), "known" if known else "open"))
            lines.append((*line, "expanded", tuple(made)))
        level = sorted(following, key=lambda node: h(node[0]))[:width]
        yield from told_level(lines, {node[0] for node in level})
        g = g_child


def told_level(lines, kept):
    """The expansions of a level, after its children were chosen."""
    for line in lines:
        yield (
            *line[:-1],
            tuple(
                (*child[:5], "dropped" if child[5] == "open" and child[0] not in kept else child[5])
                for child in line[-1]
            ),
        )


def hill_climbing(shape, start, goal, h, order):
    """Go to the best child, the first of equals, while it is better."""
    board, undo, parent, move = start, None, None, None
    for g in count():
        line = g + 1, 0, None, "start", board, parent, move, g, h(board), h(board)
        if board == goal:
            yield (*line, "goal", ())
            return
        children = children_of(shape, order, board, undo)
        letter, best = min(children, key=lambda child: h(child[1]))
        better = h(best) < h(board)
        yield (
            *line,
            "expanded",
            tuple(
                (child, name, g + 1, h(child), h(child), "open" if better and name == letter else "dropped")
                for name, child in children
            ),
        )
        if not better:
            return
        board, undo, parent, move = best, board, line[0], letter


# ---------------------------------------------------------------- searches that forget, or remember in a table


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
