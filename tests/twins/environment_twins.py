"""A slow, obvious twin of the environments: one board, in plain Python, written from the definitions alone."""

import math

import twins

_MASK = 2**64 - 1


class Random:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = self._mix(seed + 0x9E3779B97F4A7C15)

    @staticmethod
    def _mix(x):
        x &= _MASK
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        x = (x ^ x >> 27) * 0x94D049BB133111EB & _MASK
        return x ^ x >> 31

    def next(self):
        self.state = self.state + 0x9E3779B97F4A7C15 & _MASK
        return self._mix(self.state)

    def below(self, bound):
        return (self.next() >> 32) * bound >> 32


def uniform(random, shape, goal):
    tiles = list(goal)
    for cell in range(len(tiles) - 1, 0, -1):
        other = random.below(cell + 1)
        tiles[cell], tiles[other] = tiles[other], tiles[cell]
    if not twins.solvable(shape, tuple(tiles), goal):
        one, two = tiles.index(1), tiles.index(2)
        tiles[one], tiles[two] = 2, 1
    return tuple(tiles)


def walk(random, shape, goal, least, most):
    tiles, last = goal, None
    for _ in range(least + random.below(most - least + 1)):
        ways = [d for d in range(4) if after(shape, tiles, d) is not None and (last is None or d != 3 - last)]
        last = ways[random.below(len(ways))]
        tiles = after(shape, tiles, last)
    return tiles


def listed(random, levels, chances):
    number = random.next()
    level = next(level for level, chance in enumerate(chances) if number <= chance)
    return levels[level][random.below(len(levels[level]))]


def after(shape, tiles, direction):
    """The board after the blank has moved; None if it would leave the board."""
    return twins.neighbours(shape, tiles).get(twins.TILE_LETTERS[direction])


class Episode:
    """One board that is stepped. `draw(random)` gives the boards with which episodes begin."""

    def __init__(self, shape, goal, draw, seed, options, far=None):
        self.shape, self.goal, self.draw, self.random = shape, goal, draw, Random(seed)
        self.options, self.far = options, far  # the distances of all boards
        self.begin()

    def begin(self):
        self.tiles, self.steps, self.ended = self.draw(self.random), 0, False

    def step(self, action):
        """(reward, terminated, truncated)"""
        if self.ended:
            self.begin()
            return 0.0, False, False
        board = after(self.shape, self.tiles, action)
        self.steps += 1
        truncated = self.steps == self.options.max_episode_steps
        terminated = board == self.goal
        if board is None:
            reward = self.options.illegal_reward
        else:
            reward = {
                "sparse": lambda: float(terminated),
                "per-move": lambda: -1.0,
                "distance": lambda: float(self.far[self.tiles] - self.far[board]),
            }[self.options.reward]()
            self.tiles = board
        self.ended = terminated or truncated
        return reward, terminated, truncated

    def mask(self):
        return [int(after(self.shape, self.tiles, action) is not None) for action in range(4)]

    def optimal(self):
        boards = [after(self.shape, self.tiles, action) for action in range(4)]
        return [int(board is not None and self.far[board] < self.far[self.tiles]) for board in boards]


def not_the_goal(draw, goal):
    """What draws a board again that is the goal, seven times at most."""

    def drawn(random):
        for _ in range(8):
            board = draw(random)
            if board != goal:
                break
        return board

    return drawn


def rank(board):
    """The number of a board among those that reach a goal: the blank's cell, then tiles by smaller ones after them."""
    tiles = [tile for tile in board if tile]
    digits = [sum(other < tile for other in tiles[place + 1 :]) for place, tile in enumerate(tiles)]
    weights = [math.factorial(len(tiles) - 1 - place) // 2 for place in range(len(tiles) - 2)]
    return board.index(0) * (math.factorial(len(tiles)) // 2) + sum(map(math.prod, zip(digits, weights)))
