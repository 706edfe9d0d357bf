"""The oracle: distances of all boards of a shape by breadth-first search in plain numpy. Nothing here calls puzzle15.

A board is a tuple of tiles, row-major, 0 for the blank. Many boards are an array of uint8, a row each. The key of a
board has the tile on cell i in bits 4i to 4i+3.
"""

import math
from functools import cache, lru_cache
from itertools import permutations

import numpy as np

LETTERS = {-1: "D", 1: "U"}, {-1: "R", 1: "L"}  # of the tiles, by the axis and the side to which the blank goes


def goal_of(shape, home):
    """The goal with the tiles in order."""
    tiles = list(range(1, math.prod(shape)))
    return (*tiles[:home], 0, *tiles[home:])


def keys_of(boards):
    shifts = 4 * np.arange(boards.shape[1], dtype=np.uint64)
    return (boards.astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64)


def boards_of(keys, cells):
    shifts = 4 * np.arange(cells, dtype=np.uint64)
    return (keys[:, None] >> shifts & np.uint64(15)).astype(np.uint8)


@cache
def paths(shape, blank, multi_tile):
    """(letters, the cells that the blank visits) of each move of the blank from a cell."""
    found, at = [], divmod(blank, shape[1])
    for axis in (0, 1):
        for side in (-1, 1):
            place, cells = list(at), [blank]
            while 0 <= place[axis] + side < shape[axis]:
                place[axis] += side
                cells.append(place[0] * shape[1] + place[1])
                found.append((LETTERS[axis][side] * (len(cells) - 1), tuple(cells)))
                if not multi_tile:
                    break
    return found


def moved(board, cells):
    """The board, or boards, after the blank has visited these cells."""
    after = np.array(board)
    after[..., list(cells[:-1])] = after[..., list(cells[1:])]
    after[..., cells[-1]] = 0
    return after


def moves(shape, board, multi_tile=False):
    """{letters: the board after that move}"""
    steps = paths(shape, board.index(0), multi_tile)
    return {letters: tuple(moved(board, cells).tolist()) for letters, cells in steps}


def replay(shape, board, letters):
    """The board after moves of single tiles; ValueError if one of them is illegal."""
    for letter in letters:
        after = moves(shape, board)
        if letter not in after:
            raise ValueError(f"{letter} from {board}")
        board = after[letter]
    return board


def count_multi_tile(letters):
    """Equal letters in a row are one move."""
    return sum(letters[i : i + 1] != letters[i - 1 : i] for i in range(len(letters)))


def breadth_first(shape, starts, multi_tile):
    """(keys in order, distances): of all boards, to the nearest of the starts. Moves can be undone."""
    level, before = np.unique(keys_of(starts)), np.empty(0, np.uint64)
    keys, distances = [], []
    while len(level):
        keys.append(level)
        distances.append(np.full(len(level), len(distances), np.uint8))
        boards, found = boards_of(level, math.prod(shape)), []
        blanks = (boards == 0).argmax(axis=1)
        for blank in np.unique(blanks):
            here = boards[blanks == blank]
            found += [keys_of(moved(here, cells)) for _, cells in paths(shape, int(blank), multi_tile)]
        after = np.unique(np.concatenate(found))
        after = after[~np.isin(after, level) & ~np.isin(after, before)]
        before, level = level, after
    keys, distances = np.concatenate(keys), np.concatenate(distances)
    order = np.argsort(keys)
    return keys[order], distances[order]


class Known:
    """The distance of every board from which a goal, or one of several, can be reached."""

    def __init__(self, shape, starts, multi_tile=False):
        self.shape, self.multi_tile = shape, multi_tile
        self.keys, self.distances = breadth_first(shape, np.array(starts, np.uint8), multi_tile)

    def many(self, boards):
        """The distances of boards; KeyError unless all can be solved."""
        keys = keys_of(np.asarray(boards, np.uint8))
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        if (self.keys[at] != keys).any():
            raise KeyError("a board from which no goal can be reached")
        return self.distances[at].astype(int)

    def __call__(self, board):
        return int(self.many([board])[0])

    def drawn(self, rng, count):
        """Random boards as tuples: uniform ones, and as many near the goal."""
        near = np.flatnonzero(self.distances <= rng.integers(0, 12))
        at = np.concatenate([rng.integers(0, len(self.keys), count - count // 2), rng.choice(near, count // 2)])
        return [tuple(board) for board in boards_of(self.keys[at], math.prod(self.shape)).tolist()]

    def first_moves(self, board):
        """The moves that begin a shortest solution, as a set of letters."""
        distance, after = self(board), moves(self.shape, board, self.multi_tile)
        if distance == 0:
            return set()
        values = self.many(list(after.values()))
        return {letters for letters, value in zip(after, values) if value < distance}

    def count_solutions(self, board):
        """How many shortest solutions a board has."""
        counts = {board: 1}
        for _ in range(self(board)):
            further = {}
            for each, count in counts.items():
                after = moves(self.shape, each, self.multi_tile)
                for letters in self.first_moves(each):
                    further[after[letters]] = further.get(after[letters], 0) + count
            counts = further
        return sum(counts.values())


@lru_cache(maxsize=40)
def canonical(shape, home, multi_tile):
    return Known(shape, [goal_of(shape, home)], multi_tile)


class Renamed:
    """The same for any goal: its tiles are renamed as those of the canonical goal with this blank."""

    def __init__(self, shape, goal, multi_tile=False):
        self.shape, self.goal, self.multi_tile = shape, goal, multi_tile
        self.known = canonical(shape, goal.index(0), multi_tile)
        self.names = np.zeros(len(goal), np.uint8)
        self.names[list(goal)] = goal_of(shape, goal.index(0))
        self.back = np.argsort(self.names)

    def many(self, boards):
        return self.known.many(self.names[np.asarray(boards)])

    def __call__(self, board):
        return int(self.many([board])[0])

    def renamed(self, board):
        return tuple(self.names[list(board)].tolist())

    def drawn(self, rng, count):
        return [tuple(self.back[list(board)].tolist()) for board in self.known.drawn(rng, count)]

    def first_moves(self, board):
        return self.known.first_moves(self.renamed(board))

    def count_solutions(self, board):
        return self.known.count_solutions(self.renamed(board))


def pattern(shape, goal, tiles):
    """The distance of every board to the nearest one that has the tiles on their cells of the goal."""
    free = [cell for cell, tile in enumerate(goal) if tile not in tiles]
    starts = []
    for others in permutations([goal[cell] for cell in free]):
        board = list(goal)
        for cell, tile in zip(free, others):
            board[cell] = tile
        starts.append(tuple(board))
    return Known(shape, starts)
