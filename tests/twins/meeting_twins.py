"""Slow, obvious twins of MM, MMe and NBS, which tell each expansion as those of `search_twins` do.

They look at all open nodes for each minimum, and at all pairs for the best one.
"""

from itertools import count

from search_twins import children_of


class Side:
    """The nodes that were reached from one end."""

    def __init__(self, name, root, h):
        self.name, self.h = name, h
        self.nodes = {root: (0, None, None, None)}  # board -> g, parent's board, its expansion's number, move
        self.open = {root: 0}  # board -> when it came
        self.ready = {}  # of NBS: board -> when it became ready

    def g(self, board):
        return self.nodes[board][0]

    def f(self, board):
        return self.g(board) + self.h(board)


def meeting(shape, start, goal, h, h_back, order, *, rule, batch=1):
    """MM, MMe or NBS; `h_back` is the heuristic to the start. A batch is taken before any node of it has children."""
    numbers, turn = count(1), count(1)
    sides = [Side("start", start, h), Side("goal", goal, h_back)]
    best, met = None, None  # moves of the best solution, its board and the side that made it

    def told(side, board, fate, children=()):
        g, _, parent, move = side.nodes[board]
        return next(numbers), 0, None, side.name, board, parent, move, g, side.h(board), side.f(board), fate, children

    def expand(side, other, line, last):
        nonlocal best, met
        board, g, made = line[4], line[7] + 1, []
        for letter, child in children_of(shape, order, board, last):
            fate = "known" if child in side.nodes and g >= side.g(child) else "open"
            if fate == "open":
                fate = "reopened" if child in side.nodes else "open"
                side.nodes[child] = (g, board, line[0], letter)
                side.open[child] = next(turn)
                side.ready.pop(child, None)
                if child in other.nodes and (best is None or g + other.g(child) < best):
                    best, met = g + other.g(child), (side, child)
            made.append((child, letter, g, side.h(child), g + side.h(child), fate))
        return (*line[:-1], tuple(made))

    if rule == "nbs":
        steps = pairs(sides, lambda: best, turn, batch)
    else:
        steps = least(sides, lambda: best, rule == "mme", batch)
    if start == goal:
        yield told(sides[0], start, "goal")
        return
    for step in steps:
        taken = [
            (number, told(sides[number], board, "expanded"), sides[number].nodes[board][1]) for number, board in step
        ]
        for number, line, last in taken:
            yield expand(sides[number], sides[1 - number], line, last)
    yield told(*met, "goal")


def take(side, board):
    del side.open[board]
    side.ready.pop(board, None)


def least(sides, best, e, batch):
    """MM (e = 0) and MMe (e = 1): which side expands which boards at once."""

    def priority(side, board):
        return max(side.f(board), 2 * side.g(board) + e)

    while all(side.open for side in sides):
        first = [min(priority(side, board) for board in side.open) for side in sides]
        fs = [min(map(side.f, side.open)) for side in sides]
        together = sum(min(map(side.g, side.open)) for side in sides) + 1
        if best() is not None and best() <= max(min(first), *fs, together):
            return
        number = 0 if first[0] <= first[1] else 1
        side = sides[number]
        equal = [board for board in side.open if priority(side, board) == first[number]]
        equal.sort(key=lambda board: (side.h(board), -side.open[board]))
        for board in equal[:batch]:
            take(side, board)
        yield [(number, board) for board in equal[:batch]]


def pairs(sides, best, turn, batch):
    """NBS: which sides expand which boards at once."""
    lb, taken = 0, []
    while True:
        waiting = [[board for board in side.open if board not in side.ready] for side in sides]
        for side, boards in zip(sides, waiting):
            boards.sort(key=lambda board: (side.f(board), -side.h(board), -side.open[board]))
            for board in boards:
                if side.f(board) < lb:
                    side.ready[board] = next(turn)
        if not taken and best() is not None and best() <= lb:
            return
        pair = [
            min(side.ready, key=lambda board: (side.g(board), side.h(board), -side.ready[board]), default=None)
            for side in sides
        ]
        sums = [sides[0].g(pair[0]) + sides[1].g(pair[1]) + 1] if None not in pair else []
        if sums and sums[0] <= lb:
            for side, board in zip(sides, pair):
                take(side, board)
            taken += enumerate(pair)
            if len(taken) + 2 > batch:
                yield taken
                taken = []
            continue
        waiting = [[board for board in boards if board not in side.ready] for side, boards in zip(sides, waiting)]
        for side, boards in zip(sides, waiting):
            if boards and side.f(boards[0]) == lb:
                side.ready[boards[0]] = next(turn)
                break
        else:
            if taken:  # there is no other pair of this bound
                yield taken
                taken = []
                continue
            bounds = sums + [side.f(boards[0]) for side, boards in zip(sides, waiting) if boards]
            if not bounds:
                return
            lb = max(lb, min(bounds))
