"""Slow, obvious twins of the textbook searches, which tell each expansion, written from the definitions alone.

Boards are tuples of tiles. Each search yields its expansions as tuples in the order of the fields of
`puzzle15.searches.Expansion`, with children in that of `Child`. No twin calls puzzle15.
"""

import heapq
from fractions import Fraction
from itertools import count

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
    shape, start, goal, h, order, *, g_weight, h_weight, ties, prove=False, batch=1, f_of=None, informed=True
):
    """A*, weighted A*, greedy, breadth-first search, branch and bound."""
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
        row = g_weight * nodes[board][0] + h_weight * value
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
