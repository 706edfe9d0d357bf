"""Slow, obvious twins of anytime A*, ARA*, breadth-first heuristic search and beam-stack search.

They are written as those of `search_twins`. The anytime ones also append what is new to a list: (length, lower bound,
weight, expanded, generated).
"""

import heapq
from collections import Counter
from itertools import count

from search_twins import MAX_G, children_of


def way_length(nodes, start, goal):
    length = 0
    while goal != start:
        length, goal = length + 1, nodes[goal][1]
    return length


def anytime(shape, start, goal, h, order, news, *, weight, step=None, batch=1):
    """Anytime weighted A*; with a step, ARA*."""
    turns, numbers = count(), count(1)
    nodes = {start: (0, None, None, None)}  # board -> g, parent's board, its expansion's number, move
    waiting, later, f_counts, closed = [], [], Counter(), set()
    best = told_best = finished = None
    lower, expanded, generated = h(start), 0, 0
    if step is None:
        finished = weight

    def put(board, g):
        f_counts[g + h(board)] += 1
        heapq.heappush(waiting, (g + weight * h(board), h(board), -next(turns), g, board))

    def line(board, fate, children=(), node=None):
        g, _, parent, move = node or nodes[board]
        value = 0 if fate == "goal" else h(board)
        bound = None if not best else best - 1
        return next(numbers), 0, bound, "start", board, parent, move, g, value, g + value, fate, tuple(children)

    put(start, 0)
    if start == goal:
        yield line(start, "goal")
        best = 0
    while True:
        least = min((f for f, number in f_counts.items() if number), default=None)
        if least is None or (best is not None and least >= best):
            if best is not None:
                news.append((best, best, 1 if step else weight, expanded, generated))
            return
        rose, lower = least > lower, max(least, lower)
        new = best is not None and (rose or best != told_best)
        while waiting and best is not None and waiting[0][3] + waiting[0][1] >= best:
            heapq.heappop(waiting)
        if step and (not waiting or (best is not None and waiting[0][0] >= best)):
            finished, new = (weight, True) if best is not None else (finished, False)
            weight = max(weight - step, 1)
            closed = set()
            waiting = [(g + weight * value, value, turn, g, board) for _, value, turn, g, board in waiting]
            heapq.heapify(waiting)
            for f, _, _, g, board in sorted(later):
                f_counts[f] -= 1
                if best is None or f < best:
                    put(board, g)
            later = []
        told_best = best
        if new:
            news.append((best, lower, finished, expanded, generated))
        if new and step:
            continue
        taken = []
        while waiting and len(taken) < batch:
            _, value, _, g, board = heapq.heappop(waiting)
            if best is not None and g + value >= best:
                continue
            f_counts[g + value] -= 1
            if g == nodes[board][0]:
                closed.add(board)
                taken.append((board, nodes[board]))
        for board, node in taken:
            told, made, met = line(board, "expanded", node=node), [], False
            g = min(node[0] + 1, MAX_G)
            for letter, child in children_of(shape, order, board, node[1]):
                value = h(child)
                if child in nodes and g >= nodes[child][0]:
                    fate = "known"
                elif best is not None and g + value >= best:
                    fate = "cut"
                else:
                    fate = "reopened" if child in nodes else "open"
                    nodes[child] = g, board, told[0], letter
                    if child == goal:
                        met = True
                    elif child in closed and step:
                        later.append((g + value, value, -next(turns), g, child))
                        f_counts[g + value] += 1
                    else:
                        closed.discard(child)
                        put(child, g)
                made.append((child, letter, g, value, g + value, fate))
            expanded, generated = expanded + 1, generated + len(made)
            yield (*told[:-1], tuple(made))
            if met:
                yield line(goal, "goal")
                best = way_length(nodes, start, goal)


def breadth_first_heuristic(shape, start, goal, h, order):
    """Breadth-first within a growing bound; what is known is the layer before and the next one."""
    numbers, bound, iteration = count(1), h(start), 0
    if start == goal:
        yield 1, 0, None, "start", start, None, None, 0, 0, 0, "goal", ()
        return
    while bound is not None:
        iteration += 1
        before, layer, beyond = set(), {start: (None, None, None)}, []
        for g in count():
            following = {}
            for board, (undo, parent, move) in layer.items():
                number, made, met = next(numbers), [], None
                for letter, child in children_of(shape, order, board, undo):
                    f = g + 1 + h(child)
                    if child in before or (f <= bound and child in following):
                        fate = "known"
                    elif f > bound:
                        fate = "cut"
                        beyond.append(f)
                    else:
                        fate = "open"
                        following[child] = board, number, letter
                        met = letter if child == goal else met
                    made.append((child, letter, g + 1, h(child), f, fate))
                told = iteration, bound, "start", board, parent, move, g, h(board), g + h(board), "expanded"
                yield number, *told, tuple(made)
                if met:
                    at = iteration, bound, "start", goal, number, met, g + 1, 0, g + 1, "goal"
                    yield next(numbers), *at, ()
                    return
            before, layer = set(layer), following
            if not layer:
                break
        bound = min(beyond, default=None)


def mixed(board):
    """The packed board, mixed: an order without any meaning."""
    packed = sum(tile << 4 * cell for cell, tile in enumerate(board))
    packed = (packed ^ packed >> 32) * 0x9E3779B97F4A7C15 % 2**64
    return (packed ^ packed >> 29) * 0xBF58476D1CE4E5B9 % 2**64


def beam_stack(shape, start, goal, h, order, news, *, width, below):
    """A beam, layer by layer, that goes back to the last layer of whose children some wait."""
    numbers = count(1)
    nothing, everything = (-1, 0), (10**6, 0)
    layers = [{start: (None, None, None)}]  # board -> the first parent, its expansion's number, move
    ranges = [[nothing, everything]]
    has_expanded = [set()]
    lower, expanded, generated, solved = h(start), 0, 0, False

    def key(board):
        return h(board), mixed(board)

    if start == goal:
        yield 1, 0, below - 1, "start", start, None, None, 0, 0, 0, "goal", ()
        news.append((0, 0, None, 0, 0))
        return
    while layers:
        g, (low, _) = len(layers) - 1, ranges[-1]
        has_expanded[g] = set()
        before = has_expanded[g - 1] if g else set()
        children, lines = {}, []
        for board, (undo, parent, move) in layers[g].items():
            if g + h(board) >= below:
                continue
            has_expanded[g].add(board)
            number, made, met = next(numbers), [], None
            bound = below - 1
            for letter, child in children_of(shape, order, board, undo):
                if child == goal and g + 1 < below:
                    fate, met = "open", letter
                elif child in before or key(child) < low:
                    fate = "known"
                elif g + 1 + h(child) >= below:
                    fate = "cut"
                else:
                    fate = "open" if child not in children else "again"
                    children.setdefault(child, (board, number, letter))
                made.append((child, letter, g + 1, h(child), g + 1 + h(child), fate))
            expanded, generated = expanded + 1, generated + len(made)
            lines.append((number, 0, bound, "start", board, parent, move, g, h(board), g + h(board), "expanded", made))
            if met:
                at = 0, bound, "start", goal, number, met, g + 1, 0, g + 1, "goal"
                lines.append((next(numbers), *at, ()))
                below, solved = g + 1, True
                news.append((below, lower, None, expanded, generated))
        ordered = sorted(children, key=key)
        kept = {board: children[board] for board in ordered[:width]}
        if len(ordered) > width:
            ranges[g][1] = key(ordered[width])
        for told in lines:
            fates = [
                fate
                if fate in ("known", "cut") or child == goal
                else "dropped"
                if child not in kept
                else {"open": "open", "again": "known"}[fate]
                for child, *_, fate in told[-1]
            ]
            yield (*told[:-1], tuple((*child[:5], fate) for child, fate in zip(told[-1], fates)))
        if kept and g + 1 + h(next(iter(kept))) < below:
            layers.append(kept)
            ranges.append([nothing, everything])
            has_expanded.append(set())
            continue
        while layers and len(layers) + ranges[-1][1][0] >= below:
            layers.pop(), ranges.pop(), has_expanded.pop()
        if layers:
            ranges[-1] = [ranges[-1][1], everything]
            waits = [len(layers) + ranges[-1][0][0], *(g + 1 + high[0] for g, (_, high) in enumerate(ranges[:-1]))]
            if min(waits) > lower:
                lower = min(waits)
                if solved:
                    news.append((below, lower, None, expanded, generated))
    if solved:
        news.append((below, below, None, expanded, generated))
