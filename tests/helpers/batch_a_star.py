"""Algorithms of one's own, in a module, so that other processes find them."""

import numpy as np

from puzzle15.nodes import BoardTable, BucketQueue, children

CLAIMS = {"options": {"batch": 16}, "shortest": "if h is admissible"}


def batch_a_star(start, goal, heuristic, progress, *, batch):
    """A* that expands several nodes of the least g + h at once."""
    shape = start.shape
    packed = np.array([start.packed], dtype=np.uint64)
    g, h = np.zeros(1, dtype=np.uint8), heuristic.many(packed)
    table, queue = BoardTable(values=np.uint8, max_memory=progress.max_memory), BucketQueue()
    table.update(packed, g)
    queue.push(h, packed, g, h)
    expanded = generated = 0
    while len(queue):
        bound = queue.least
        packed, g, h = queue.pop(batch)
        fresh = table.get(packed)[0] == g
        packed, g, h = packed[fresh], g[fresh], h[fresh]
        at_goal = packed == goal.packed
        if at_goal.any():
            progress.expand(packed[at_goal], g[at_goal], h[at_goal])
            progress(lower_bound=bound)
            return path(table, start, goal)
        made = children(packed, shape)
        values, depths = heuristic.of_children(made, packed, h), g[made.parent] + np.uint8(1)
        known = table.get(made.packed)[1]
        better = table.lower(made.packed, depths)
        fates = np.where(better, np.where(known, "reopened", "open"), "known")
        progress.expand(packed, g, h, made, values, fates)
        queue.push((depths + values)[better], made.packed[better], depths[better], values[better])
        expanded, generated = expanded + len(packed), generated + len(values)
        progress(
            expanded=expanded,
            generated=generated,
            lower_bound=bound,
            open=len(queue),
            closed=len(table),
            memory_bytes=table.memory_bytes,
        )
    return None


def path(table, start, goal):
    """The moves to the goal, from the depths in a table."""
    board, moves = goal, ""
    depth = int(table.get(np.array([goal.packed], dtype=np.uint64))[0][0])
    while board != start:
        depth -= 1
        boards = board.neighbours()
        depths, found = table.get(np.array([each.packed for _, each in boards], dtype=np.uint64))
        letter, board = boards[int(np.flatnonzero(found & (depths == depth))[0])]
        moves = {"U": "D", "D": "U", "L": "R", "R": "L"}[letter] + moves
    return moves


def reversed_moves(*given, batch):
    """The same, but its moves are in the wrong order."""
    return batch_a_star(*given, batch=batch)[::-1]


def breadth_first(start, goal, heuristic, progress):
    """One layer after another, without numpy; it hands over what it finds, and goes on for one layer."""
    layer, known, shortest = {start: ""}, {start}, None
    for depth in range(32):
        progress(expanded=len(known) - len(layer), generated=len(known), lower_bound=depth, open=len(layer))
        if shortest is not None:
            break
        if goal in layer:
            shortest = layer[goal]
            progress.found(shortest)
        following = {}
        for board, moves in layer.items():
            following.update((child, moves + letter) for letter, child in board.neighbours() if child not in known)
            known.update(following)
        progress.finish_iteration(depth)
        layer = following
    return shortest
