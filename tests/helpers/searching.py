"""What tests of searches share: boards, heuristics from their definitions, expansions as the twins write them."""

import itertools
import math
from functools import cache

import numpy as np
import twins

from puzzle15 import ALGORITHMS, Board, search
from puzzle15._core.base.board import apply
from puzzle15.board._moves import order_of
from puzzle15.heuristics import heuristic
from puzzle15.searches import algorithm_of

INFORMED = [name for name, kind in ALGORITHMS.items() if kind.informed]
MEETING = [name for name, kind in ALGORITHMS.items() if kind.bidirectional and kind.informed]
ORDERS = ["ULRD", "DRLU", "LDUR", "RUDL"]
FAR = Board("8 6 7/2 5 4/3 0 1")  # 31 moves
HARD = Board("0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1")  # 70 moves

H = {
    "zero": lambda shape, board, goal: 0,
    "misplaced": twins.misplaced,
    "manhattan": twins.manhattan,
    "linear-conflict": lambda *args: twins.manhattan(*args) + 2 * twins.linear_conflicts(*args),
    "max(manhattan,misplaced)": twins.manhattan,
}


heuristic_of = cache(lambda name, goal: heuristic(name, goal=goal))


@cache
def definition(name, goal):
    """A heuristic by its definition, from tiles to moves."""
    return cache(lambda tiles: H[name](goal.shape, tiles, goal.tiles))


def answer(solution):
    """What two searches must agree in."""
    fields = "status moves optimal lower_bound expanded generated largest_open largest_closed iterations"
    return {field: getattr(solution, field) for field in fields.split()}


def some_boards(goal, count):
    """Random boards that reach a goal."""
    return [Board.random(seed, goal=goal) for seed in range(count)]


def near(goal, seed, steps):
    """A board some moves from the goal, at the end of a walk that never turns back."""
    rng, board, last = np.random.default_rng(seed), goal, None
    for _ in range(steps):
        choices = [child for _, child in board.neighbours() if child != last]
        last, board = board, choices[rng.integers(len(choices))]
    return board


def walk(rng, board, moves):
    """(the blank's directions, all boards on the way)"""
    boards, directions = [board], []
    for _ in range(moves):
        letter = str(rng.choice(list(boards[-1].legal_moves())))
        directions.append(twins.TILE_LETTERS.index(letter))
        boards.append(boards[-1].move(letter))
    return bytes(directions), boards


def values_along(evaluator, board, directions):
    """h of a packed board and after each of the blank's moves, each value from those of the board before."""
    parent, row = np.zeros(1, np.int64), np.zeros((1, evaluator.count), np.uint8)
    found = [evaluator.board(board)]
    evaluator.boards(np.array([board], np.uint64), row, np.zeros(1, np.uint8))
    for direction in directions:
        before, boards, step = row, np.array([board], np.uint64), np.array([direction], np.uint8)
        row = np.zeros_like(before)
        assert evaluator.children(boards, before, parent, step, row) == 1
        found.append(int(row.max(initial=0)))
        board = apply(board, evaluator.shape, step.tobytes())[0]
    return found


def check_children(h, rng, start, moves):
    """The values of children along a walk are those of their boards; returns the boards of the walk."""
    directions, boards = walk(rng, start, moves)
    evaluator, turn, back = h.prepare()
    turned = bytes(back.index(direction) for direction in directions)
    assert values_along(evaluator, turn(start), turned) == h.many(boards).tolist()
    return boards


def cases(name, count, steps, fewer=0, shapes=((2, 2), (2, 3), (3, 3), (2, 4), (4, 4))):
    """(board, goal, what a twin takes, move order); on each shape, `fewer` moves less; the last board is the goal."""
    for number, shape in enumerate(shapes):
        for seed in range(count):
            goal = Board.goal(shape, (seed * 3 + number) % math.prod(shape))
            moves = min(steps, 3 * math.prod(shape)) - fewer * number - seed if seed < count - 1 else 0
            board, order = near(goal, seed + number, moves), ORDERS[(seed + number) % 4]
            yield board, goal, (shape, board.tiles, goal.tiles, definition(name, goal), order_of(order)), order


def plain(expansion):
    """An expansion as the twins write it."""
    children = tuple((child.board.tiles, *child[1:]) for child in expansion.children)
    return (*expansion[:4], expansion.board.tiles, *expansion[5:-1], children)


def recorded(board, **options):
    """The solution and the expansions of a search, after checking that recording changes nothing else."""
    told = []
    solution = search(board, on_expand=told.append, **options)
    assert same(solution) == same(search(board, **options))
    fates = [expansion.fate for expansion in told]
    assert fates.count("expanded") == solution.expanded
    goes_on = ALGORITHMS[options["algorithm"]].takes("on_improvement") or options["algorithm"] == "branch-and-bound"
    assert (fates[-1:] == ["goal"]) == (solution.status == "solved") or goes_on
    assert [expansion.number for expansion in told] == list(range(1, len(told) + 1))
    if ALGORITHMS[options["algorithm"]].kernel != "deepening":
        assert sum(len(expansion.children) for expansion in told) == solution.generated
    return solution, told


#: Their memory depends on the steps: trees take some, walks do not; layers grow before a step.
UNEVEN_MEMORY = {"deepening", "breadth_first_heuristic", "beam_stack"}


def same(solution):
    """What two equal searches have in common."""
    record = {**solution.to_dict(), "seconds": None, "improvements": None}
    return {**record, "memory_bytes": None} if algorithm_of(solution.algorithm).kernel in UNEVEN_MEMORY else record


def check_twin(board, goal, twin, **options):
    """The expansions of a search are those of its twin; returns the solution and the expansions."""
    solution, told = recorded(board, goal=goal, **options)
    expected = list(twin)
    for one, other in itertools.zip_longest(map(plain, told), expected):
        assert one == other
    assert [type(one.f) for one in told] == [type(other[9]) for other in expected]
    return solution, told


def boards_of_all_distances():
    """A board of the 8-puzzle at each distance, 0 .. 31."""
    rng, levels = np.random.default_rng(15), list(twins.levels_of_arrays((3, 3), Board.goal((3, 3)).tiles, 31))
    assert len(levels) == 32
    return [Board(rng.permutation(level)[0].tolist(), (3, 3)) for level in levels]
