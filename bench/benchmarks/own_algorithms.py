"""Seven search algorithms, written with `puzzle15.nodes`; puzzle15/searches/OWN_ALGORITHMS.md explains them.

The tutorial puzzle15/guide/first_a_star.md shows `root_of`, `path_to` and `a_star`.
"""

import numpy as np

from puzzle15.board import moves_from_directions
from puzzle15.nodes import NO_MOVE, BoardTable, BucketQueue, children, sort_by


def root_of(start):
    """Return the packed board and the direction that led to it, none, as arrays."""
    return np.array([start.packed], np.uint64), np.array([NO_MOVE], np.uint8)


def path_to(board, g_of, shape):
    """Return the blank's directions to a board, found on the way back."""
    directions, board = [], np.array([board], np.uint64)
    g, _ = g_of.get(board)
    while g > 0:
        made = children(board, shape)
        g_made, known = g_of.get(made.packed)
        nearest = np.where(known, g_made, np.inf).argmin()
        directions.append(3 - int(made.direction[nearest]))  # undo the way back
        board, g = made.packed[[nearest]], g_made[nearest]
    return directions[::-1]


def breadth_first(start, goal, heuristic, progress):
    """Visit all boards at distance 1, then 2, and so on."""
    boards, last = root_of(start)
    g_of = BoardTable(values=np.uint16)
    g_of.insert(boards, 0)
    g = 0
    while len(boards) and goal.packed not in boards:
        made = children(boards, start.shape, last)
        is_new = g_of.insert(made.packed, g + 1)
        progress.expand(boards, g, 0, made, 0, is_new)
        g += 1
        progress(lower_bound=g, memory_bytes=g_of.memory_bytes)
        boards, last = made.packed[is_new], made.direction[is_new]
    return moves_from_directions(path_to(goal.packed, g_of, start.shape)) if len(boards) else None


def a_star(start, goal, heuristic, progress, *, batch=4096):
    """Expand up to `batch` boards of the least f = g + h at once, the last made first."""
    boards, last = root_of(start)
    g_of, queue = BoardTable(values=np.uint16), BucketQueue()
    g_of.insert(boards, 0)
    g, values = np.zeros(1, np.uint16), heuristic.components(boards)
    queue.push(values.max(axis=1), boards, g, values, last)
    while len(queue):
        f = queue.least
        boards, g, values, last = queue.pop(batch)
        if goal.packed in boards:
            return moves_from_directions(path_to(goal.packed, g_of, start.shape))
        current = g_of.get(boards)[0] == g  # no shorter path was found since
        boards, g, values, last = boards[current], g[current], values[current], last[current]
        made = children(boards, start.shape, last)
        g_made, values_made = g[made.parent] + 1, heuristic.of_children(made, boards, values)
        shorter = g_of.lower(made.packed, g_made)
        progress.expand(boards, g, values, made, values_made, shorter)
        progress(lower_bound=f, memory_bytes=g_of.memory_bytes)
        boards, g, values, last = made.packed[shorter], g_made[shorter], values_made[shorter], made.direction[shorter]
        queue.push(g + values.max(axis=1), boards, g, values, last)
    return None


def batch_a_star(start, goal, heuristic, progress, *, batch=1024, weight=1):
    """Expand the `batch` boards of the least f = g + weight h together, whether or not their f are equal."""
    boards, last = root_of(start)
    g_of, queue = BoardTable(values=np.uint16), BucketQueue()
    g_of.insert(boards, 0)
    g, values = np.zeros(1, np.uint16), heuristic.components(boards)
    queue.push(weight.numerator * values.max(axis=1).astype(int), boards, g, values, last)
    length = 0 if start == goal else 10**6  # of the shortest solution that is known
    while len(queue) and queue.least < length * weight.denominator:
        lower_bound = -(-queue.least // weight.numerator)
        boards, g, values, last = queue.pop(batch, across=True)
        current = (g_of.get(boards)[0] == g) & (g + values.max(axis=1) < length)
        boards, g, values, last = boards[current], g[current], values[current], last[current]
        made = children(boards, start.shape, last)
        g_made, values_made = g[made.parent] + 1, heuristic.of_children(made, boards, values)
        shorter = g_of.lower(made.packed, g_made)
        length = min([length, *g_made[made.packed == goal.packed].tolist()])
        h = values_made.max(axis=1).astype(int)
        keep = shorter & (g_made + h < length)
        progress.expand(boards, g, values, made, values_made, keep)
        progress(lower_bound=lower_bound, memory_bytes=g_of.memory_bytes)
        f = weight.denominator * g_made + weight.numerator * h
        queue.push(f[keep], made.packed[keep], g_made[keep], values_made[keep], made.direction[keep])
    return moves_from_directions(path_to(goal.packed, g_of, start.shape)) if length < 10**6 else None


def weighted_a_star(start, goal, heuristic, progress, *, weight=2, batch=1024):
    """Trust h more: the solution is at most `weight` times as long as a shortest one."""
    return batch_a_star(start, goal, heuristic, progress, batch=batch, weight=weight)


def bidirectional(start, goal, heuristic, progress):
    """Search breadth-first from both ends, a whole depth at a time on the side that has fewer boards."""
    if start == goal:
        return ""
    sides = [root_of(start), root_of(goal)]
    tables = [BoardTable(values=np.uint16), BoardTable(values=np.uint16)]
    depths = [0, 0]
    for (boards, _), g_of in zip(sides, tables):
        g_of.insert(boards, 0)
    while len(sides[0][0]) and len(sides[1][0]):
        side = int(len(sides[1][0]) < len(sides[0][0]))
        boards, last = sides[side]
        made = children(boards, start.shape, last)
        is_new = tables[side].insert(made.packed, depths[side] + 1)
        progress.expand(boards, depths[side], 0, made, 0, is_new, side=["start", "goal"][side])
        depths[side] += 1
        progress(lower_bound=sum(depths), memory_bytes=sum(table.memory_bytes for table in tables))
        sides[side] = made.packed[is_new], made.direction[is_new]
        meeting = sides[side][0][tables[1 - side].get(sides[side][0])[1]]
        if len(meeting):
            there = path_to(meeting[0], tables[0], start.shape)
            back = path_to(meeting[0], tables[1], start.shape)
            return moves_from_directions(there + [3 - direction for direction in back[::-1]])
    return None


def beam(start, goal, heuristic, progress, *, width=1000):
    """Search breadth-first, but keep only the `width` boards of the least h of each depth."""
    boards, last = root_of(start)
    values = heuristic.components(boards)
    g_of, next_depth = BoardTable(values=np.uint16), BoardTable()
    g = 0
    g_of.insert(boards, g)
    while len(boards) and goal.packed not in boards:
        made = children(boards, start.shape, last)
        values_made = heuristic.of_children(made, boards, values)
        next_depth.clear()
        keep = ~g_of.get(made.packed)[1] & next_depth.insert(made.packed)
        progress.expand(boards, g, values, made, values_made, keep)
        progress(memory_bytes=g_of.memory_bytes)
        h = values_made[keep].max(axis=1)
        columns = sort_by(h, made.packed[keep], values_made[keep], made.direction[keep])
        _, boards, values, last = (column[:width] for column in columns)
        g += 1
        g_of.insert(boards, g)
    return moves_from_directions(path_to(goal.packed, g_of, start.shape)) if len(boards) else None


def ida_star(start, goal, heuristic, progress, *, batch=1024):
    """Search depth-first with a growing bound on g + h; expand up to `batch` boards of the same depth together."""
    boards, last = root_of(start)
    values = heuristic.components(boards)
    bound, next_bound = 0, int(values.max())

    def dive(boards, last, values, g):
        """The row of an ancestor of the goal and the directions from it to the goal; None if the goal is not below."""
        nonlocal next_bound
        if goal.packed in boards:
            return np.flatnonzero(boards == goal.packed)[0], []
        for first in range(0, len(boards), batch):
            rows = slice(first, first + batch)
            made = children(boards[rows], start.shape, last[rows])
            values_made = heuristic.of_children(made, boards[rows], values[rows])
            f = g + 1 + values_made.max(axis=1).astype(int)
            progress.expand(boards[rows], g, values[rows], made, values_made, f <= bound, bound=bound)
            progress(lower_bound=bound)
            next_bound = f[f > bound].min(initial=next_bound)
            within = np.flatnonzero(f <= bound)
            found = dive(made.packed[within], made.direction[within], values_made[within], g + 1)
            if found:
                row, directions = within[found[0]], found[1]
                return first + made.parent[row], [made.direction[row], *directions]
        return None

    while next_bound < 10**6:
        bound, next_bound = next_bound, 10**6
        found = dive(boards, last, values, 0)
        if found:
            return moves_from_directions(found[1])
    return None
