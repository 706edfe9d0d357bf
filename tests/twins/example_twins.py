"""Slow, obvious twins of the example searches, one board at a time."""

import math

from search_twins import children_of


def children(shape, board, parent=None):
    return [child for _, child in children_of(shape, bytes(range(4)), board, parent)]


class Side:
    """The boards that were reached from one end: g, the parent, whether expanded; and lists of those that wait."""

    def __init__(self, root, toward, away):
        self.h, self.back = toward, away
        self.nodes = {root: [0, None, False]}
        self.waiting = {}  # key -> lists of boards with their g, one for each parent

    def least(self):
        return min(self.waiting)

    def push(self, key, boards):
        for each in sorted({key(self, board) for board in boards}):
            self.waiting.setdefault(each, []).append([(b, self.nodes[b][0]) for b in boards if key(self, b) == each])

    def pop(self):
        """A board of the least key, of those that came last."""
        key = self.least()
        taken = self.waiting[key][-1].pop()
        if not self.waiting[key][-1]:
            self.waiting[key].pop()
        if not self.waiting[key]:
            del self.waiting[key]
        return taken


class Both:
    def __init__(self, shape, start, goal, h, h_back, key, nips):
        self.shape, self.key, self.nips = shape, key, nips
        self.sides = Side(start, h, h_back), Side(goal, h_back, h)
        for side, root in zip(self.sides, (start, goal)):
            side.push(key, [root])
        self.best = 0 if start == goal else math.inf
        self.expanded = [0, 0]

    def expand(self, number, board, g):
        side, other = self.sides[number], self.sides[1 - number]
        node = side.nodes[board]
        if node[2] or node[0] != g or g + side.h(board) >= self.best:
            return
        if self.nips and board in other.nodes and other.nodes[board][2]:
            return
        node[2], new = True, []
        self.expanded[number] += 1
        for child in children(self.shape, board, node[1]):
            known = side.nodes.get(child, [math.inf])[0]
            if g + 1 < known and g + 1 + side.h(child) < self.best:
                side.nodes[child] = [g + 1, board, False]
                new.append(child)
        side.push(self.key, new)
        self.best = min([self.best] + [g + 1 + other.nodes[child][0] for child in new if child in other.nodes])


def bae(shape, start, goal, h, h_back):
    def key(side, board):
        g = side.nodes[board][0]
        return 2 * g + side.h(board) - side.back(board), -g

    both = Both(shape, start, goal, h, h_back, key, nips=True)
    first, second = both.sides
    while first.waiting and second.waiting:
        if (first.least()[0] + second.least()[0] + 1) // 2 + 1 >= both.best:
            break
        number = int(both.expanded[1] < both.expanded[0])
        both.expand(number, *both.sides[number].pop())
    return both.best, sum(both.expanded)


def bs(shape, start, goal, h, h_back):
    def key(side, board):
        g = side.nodes[board][0]
        return g + side.h(board), -g

    both = Both(shape, start, goal, h, h_back, key, nips=True)
    while all(side.waiting for side in both.sides):
        if max(side.least()[0] for side in both.sides) + 1 >= both.best:
            break
        sizes = [sum(map(len, sum(side.waiting.values(), []))) for side in both.sides]
        number = int(sizes[1] < sizes[0])
        both.expand(number, *both.sides[number].pop())
    return both.best, sum(both.expanded)


def dvcbs(shape, start, goal, h, h_back):
    def key(side, board):
        g = side.nodes[board][0]
        return g + side.h(board), g

    both = Both(shape, start, goal, h, h_back, key, nips=False)
    ready = [{}, {}]  # g -> boards

    def move(number):
        """The waiting boards of the least f, and of these of the least g, become ready."""
        least = both.sides[number].least()
        ready[number].setdefault(least[1], []).extend(sum(reversed(both.sides[number].waiting.pop(least)), []))

    def waits(number, bound):
        return both.sides[number].waiting and both.sides[number].least()[0] < bound

    bound = 0
    while all(side.waiting or of_side for side, of_side in zip(both.sides, ready)) and bound + 1 < both.best:
        for number in range(2):
            while waits(number, bound):
                move(number)
        pair = sum(map(min, ready)) + 1 if all(ready) else math.inf
        if pair > bound:
            equal = [number for number in range(2) if waits(number, bound + 1)]
            for number in equal:
                move(number)
            if not equal:
                bound = min([side.least()[0] for side in both.sides if side.waiting] + [pair])
            continue
        number, g = side_of_cover(ready, bound)
        while ready[number].get(g) and bound + 1 < both.best:
            both.expand(number, *ready[number][g].pop())
        if not ready[number][g]:
            del ready[number][g]
    return both.best, sum(both.expanded)


def side_of_cover(ready, bound):
    """The side, and its least g, of a minimum vertex cover of the pairs with g + g' < bound, by trying all covers."""
    sizes = [{g: len(boards) for g, boards in of_side.items()} for of_side in ready]
    pairs = [(a, b) for a in sizes[0] for b in sizes[1] if a + b < bound]
    covers = []
    for least in (*sizes[0], math.inf):  # all boards with a smaller g are taken on the first side
        there = {a for a, _ in pairs if a < least}
        others = {b for a, b in pairs if a >= least}
        covers.append((sum(sizes[0][g] for g in there) + sum(sizes[1][g] for g in others), bool(there), bool(others)))
    best = [cover for cover in covers if cover[0] == min(covers)[0]]
    first = [sizes[number][min(sizes[number])] for number in range(2)]
    used = any(cover[1] for cover in best), any(cover[2] for cover in best)
    number = 0 if used[0] and (not used[1] or first[0] < first[1]) else 1
    return number, min(sizes[number])


def rta(shape, start, goal, h, depth, learned=None, second=True):
    """The boards of the walk of RTA*, or of one of LRTA*, which fills `learned`."""
    learned, walk = {} if learned is None else learned, [start]

    def ahead(board, parent, left):
        if board == goal or not left:
            return h(board)
        return 1 + min(ahead(child, board, left - 1) for child in children(shape, board, parent))

    while walk[-1] != goal:
        made, board = children(shape, walk[-1]), walk[-1]
        f = [(1 + (learned[child] if child in learned else ahead(child, board, depth - 1)), child) for child in made]
        values = sorted(value for value, _ in f)
        learned[walk[-1]] = values[1 if second else 0]
        walk.append(next(child for value, child in f if value == values[0]))
    return walk
