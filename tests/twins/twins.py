"""Slow, obvious twins of the C kernels, written from the definitions alone.

A board is a tuple of tiles, row-major, 0 for the blank; a cell is also given
as (row, col).  No twin calls puzzle15.
"""

import math
from functools import cache
from itertools import combinations, permutations

import numpy as np

SHAPES = [(rows, cols) for rows in range(2, 9) for cols in range(2, 9) if rows * cols <= 16]

#: How the blank steps, by its direction 0 .. 3, and the letter of the tile that makes way.
BLANK_STEPS = [(-1, 0), (0, -1), (0, 1), (1, 0)]
TILE_LETTERS = "DRLU"


def position(shape, cell):
    return divmod(cell, shape[1])


def cell_at(shape, row, col):
    rows, cols = shape
    return row * cols + col if 0 <= row < rows and 0 <= col < cols else -1


@cache
def neighbour(shape, cell, direction):
    row, col = position(shape, cell)
    down, right = BLANK_STEPS[direction]
    return cell_at(shape, row + down, col + right)


def goal(shape, home):
    tiles = list(range(1, math.prod(shape)))
    return (*tiles[:home], 0, *tiles[home:])


@cache
def taxicab(shape, a, b):
    return sum(abs(x - y) for x, y in zip(position(shape, a), position(shape, b)))


def manhattan(shape, board, target):
    return sum(taxicab(shape, board.index(tile), target.index(tile)) for tile in range(1, len(board)))


def misplaced(shape, board, target):
    return sum(tile != 0 and tile != home for tile, home in zip(board, target))


def reversals(shape, board, target):
    """Pairs of neighbours that stand on each other's goal cells."""
    pairs = [(cell, neighbour(shape, cell, direction)) for cell in range(len(board)) for direction in (2, 3)]
    return sum(
        other >= 0 and board[cell] != 0 != board[other] and (board[cell], board[other]) == (target[other], target[cell])
        for cell, other in pairs
    )


def linear_conflicts(shape, board, target):
    """The tiles that must leave their goal lines: of every line the fewest, all sets being tried."""
    cells = [position(shape, cell) for cell in range(len(board))]
    lines = [
        [cell for cell, place in enumerate(cells) if place[axis] == number]
        for axis in (0, 1)
        for number in range(shape[axis])
    ]
    count = 0
    for line in lines:
        home = [board[cell] for cell in line if board[cell] and target.index(board[cell]) in line]
        kept = next(
            size
            for size in range(len(home), -1, -1)
            for some in combinations(home, size)
            if [target.index(tile) for tile in some] == sorted(target.index(tile) for tile in some)
        )
        count += len(home) - kept
    return count


@cache
def walking_values(lines, width, home_line):
    """Of every (blank's line, tiles of each goal line in each line): the moves to the goal's."""
    goal = tuple(
        tuple((width - (line == home_line)) * (line == goal_line) for goal_line in range(lines))
        for line in range(lines)
    )

    def moved(state):
        blank, counts = state
        for line in {blank - 1, blank + 1} & set(range(lines)):
            for goal_line in range(lines):
                if counts[line][goal_line]:
                    after = [list(row) for row in counts]
                    after[line][goal_line] -= 1
                    after[blank][goal_line] += 1
                    yield line, tuple(map(tuple, after))

    return numbered(breadth_first([(home_line, goal)], moved))


def walking_distance(shape, board, target):
    total = 0
    for axis in (0, 1):
        lines = shape[axis]
        line_of = [position(shape, cell)[axis] for cell in range(len(board))]
        counts = [[0] * lines for _ in range(lines)]
        for cell, tile in enumerate(board):
            if tile:
                counts[line_of[cell]][line_of[target.index(tile)]] += 1
        state = line_of[board.index(0)], tuple(map(tuple, counts))
        total += walking_values(lines, len(board) // lines, line_of[target.index(0)])[state]
    return total


def neighbours(shape, board):
    """{tile letter: the board after that move}"""
    blank = board.index(0)
    result = {}
    for direction, letter in enumerate(TILE_LETTERS):
        cell = neighbour(shape, blank, direction)
        if cell >= 0:
            after = list(board)
            after[blank], after[cell] = after[cell], 0
            result[letter] = tuple(after)
    return result


def breadth_first(starts, children):
    """The states at distance 0, 1, 2, ... from the nearest of the starts, level by level."""
    level = [*starts]
    seen = {*level}
    while level:
        yield level
        level = [child for state in level for child in children(state) if child not in seen and not seen.add(child)]


def numbered(levels):
    """{state: the number of its level}"""
    return {state: number for number, level in enumerate(levels) for state in level}


def levels(shape, start):
    """The boards at distance 0, 1, 2, ... from `start`."""
    return breadth_first([start], lambda board: neighbours(shape, board).values())


@cache
def distances(shape, start):
    """The distance of each board that can be reached from `start`."""
    return numbered(levels(shape, start))


def inversions(sequence):
    return sum(a > b for i, a in enumerate(sequence) for b in sequence[i + 1 :])


def solvable(shape, board, target):
    """By the textbook rule: inversions of the goal's order, and the blank's distance."""
    order = [target.index(tile) for tile in board]
    return (inversions(order) + taxicab(shape, board.index(0), target.index(0))) % 2 == 0


def symmetries(shape):
    """Every permutation of the cells that keeps neighbours neighbours.

    Found as such, from the definition: place the cells one by one, each where
    its edges to the cells placed before it are kept.
    """
    cells = range(math.prod(shape))
    adjacent = {(a, b) for a in cells for b in cells if b in (neighbour(shape, a, d) for d in range(4))}

    def extend(image):
        if len(image) == len(cells):
            yield tuple(image)
            return
        new = len(image)
        for candidate in cells:
            if candidate not in image and all(
                ((old, new) in adjacent) == ((image[old], candidate) in adjacent) for old in range(new)
            ):
                yield from extend([*image, candidate])

    return set(extend([]))


def all_boards(shape):
    return list(permutations(range(math.prod(shape))))


def regions(shape, taken):
    """The connected components of the cells that are not taken, each a frozenset."""
    free = set(range(math.prod(shape))) - set(taken)
    found = []
    while free:
        region, edge = set(), [min(free)]
        while edge:
            cell = edge.pop()
            if cell in free:
                free.remove(cell)
                region.add(cell)
                edge += [neighbour(shape, cell, direction) for direction in range(4)]
        found.append(frozenset(region))
    return found


def pattern_values(shape, goal_cells, home):
    """The moves of pattern tiles from every state of a pattern to its goal.

    A state is (the cell of each tile, the region in which the blank is); the
    answer a dict of all that can be reached.  `goal_cells` are the tiles' own.
    """

    @cache
    def regions_around(taken):
        return regions(shape, taken)

    def region_of(cells, blank):
        return next(region for region in regions_around(frozenset(cells)) if blank in region)

    def moved(state):
        cells, region = state
        for tile, cell in enumerate(cells):
            for direction in range(4):
                target = neighbour(shape, cell, direction)
                if target in region:
                    after = (*cells[:tile], target, *cells[tile + 1 :])
                    yield after, region_of(after, cell)

    return numbered(breadth_first([(tuple(goal_cells), region_of(goal_cells, home))], moved))


def classic_values(values):
    """Minimised over the regions: a dict by the cells of the tiles."""
    least = {}
    for (cells, _), value in values.items():
        least[cells] = min(value, least.get(cells, value))
    return least


def slides(shape, axis, board):
    """The boards after one multi-tile move along an axis: 0 is the blank's row, 1 its column."""
    result = []
    for direction in ((1, 2), (0, 3))[axis]:
        after = neighbours(shape, board).get(TILE_LETTERS[direction])
        while after is not None:
            result.append(after)
            after = neighbours(shape, after).get(TILE_LETTERS[direction])
    return result


def multi_pattern_values(shape, goal_cells, home):
    """The multi-tile moves from every state of a pattern to its goal: a dict by (axis of the first move, cells, blank).

    A state is the cell of each tile, and the blank's.  The axes of the moves take turns.  `goal_cells` are the tiles'
    own.
    """
    start = goal(shape, home)
    tiles = [start[cell] for cell in goal_cells]

    def before(state):
        axis, board = state
        return [(1 - axis, each) for each in slides(shape, 1 - axis, board)]

    hidden = tuple(tile if tile in tiles or tile == 0 else -1 for tile in start)
    values = numbered(breadth_first([(axis, hidden) for axis in (0, 1)], before))
    return {(axis, tuple(map(board.index, tiles)), board.index(0)): value for (axis, board), value in values.items()}


def replay(shape, board, letters):
    """The board after moves of tiles; None if one is illegal."""
    board = list(board)
    for letter in letters:
        blank = board.index(0)
        cell = neighbour(shape, blank, TILE_LETTERS.index(letter))
        if cell < 0:
            return None
        board[blank], board[cell] = board[cell], 0
    return tuple(board)


def levels_of_arrays(shape, start, depth, metric="stm"):
    """The boards at each distance from `start`, to a depth at most, each level an array (N, cells): for many boards.

    A move can be undone, so what is new is what the last two levels lack. In the metric "mtm" a move slides one or more
    tiles along the blank's row or column.
    """
    weights = np.array([1 << 4 * cell for cell in range(math.prod(shape))], dtype=np.uint64)
    level = np.array([start], dtype=np.uint8)
    before, keys = np.empty(0, dtype=np.uint64), level.astype(np.uint64) @ weights
    for _ in range(depth):
        yield level
        children = []
        blanks = level.argmin(axis=1)
        for blank in range(math.prod(shape)):
            for direction in range(4):
                boards, here = level[blanks == blank], blank
                while (there := neighbour(shape, here, direction)) >= 0 and len(boards):
                    boards = boards.copy()
                    boards[:, [here, there]] = boards[:, [there, here]]
                    children.append(boards)
                    if metric == "stm":
                        break
                    here = there
        level = np.concatenate(children)
        found, first = np.unique(level.astype(np.uint64) @ weights, return_index=True)
        new = ~np.isin(found, np.concatenate([before, keys]))
        if not new.any():
            return
        before, keys, level = keys, found[new], level[first[new]]
    yield level


def textbook_ida_star(shape, board, target):
    """IDA* with Manhattan distance: (bound, expanded, generated) of every iteration.

    The blank steps up, left, right, down, never straight back. A node's children are made
    together, and the search ends when the goal is among them.
    """

    def visit(board, depth, last):
        counts[0] += 1
        children = []
        for direction in range(4):
            cell = neighbour(shape, board.index(0), direction)
            if cell >= 0 and direction != 3 - last:
                child = neighbours(shape, board)[TILE_LETTERS[direction]]
                children.append((direction, child))
        counts[1] += len(children)
        if any(child == target for _, child in children) and depth + 1 <= bound:
            return True
        return any(
            depth + 1 + manhattan(shape, child, target) <= bound and visit(child, depth + 1, direction)
            for direction, child in children
        )

    bound = manhattan(shape, board, target)
    iterations = []
    while board != target:
        counts = [0, 0]
        solved = visit(board, 0, 9)
        iterations.append((bound, *counts))
        if solved:
            break
        bound += 2
    return iterations
