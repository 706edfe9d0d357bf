"""Children and numbers of boards, against boards that are moved one by one."""

import math

import environment_twins as plain
import numpy as np
import pytest
import twins

from puzzle15 import Board
from puzzle15.board import pack_boards, random_walk
from puzzle15.board._moves import directions_from_moves
from puzzle15.board._notation import check_shape
from puzzle15.errors import BoardError
from puzzle15.nodes import NO_MOVE, children, ranks, unranks

SHAPES = [(2, 2), (3, 3), (2, 5), (5, 2), (2, 8), (4, 4)]


def children_of(board, last):
    """(packed, direction) of the children of a board, by direction."""
    moved = [(directions_from_moves(letter)[0], child.packed) for letter, child in board.neighbours()]
    return [(child, direction) for direction, child in sorted(moved) if direction + last != 3]


@pytest.mark.parametrize("shape", SHAPES)
def test_children_are_the_neighbours_in_order(shape, rng):
    packed = random_walk(300, rng.integers(0, 60, 300), seed=1, shape=shape)
    last = rng.choice(np.array([0, 1, 2, 3, NO_MOVE], np.uint8), 300)
    for given in (None, last):
        made = children(packed, shape, given)
        expected = [
            (child, row, direction)
            for row, board in enumerate(packed.tolist())
            for child, direction in children_of(Board(board, shape), NO_MOVE if given is None else int(last[row]))
        ]
        assert [*zip(*(column.tolist() for column in made))] == expected
        assert [column.dtype.name for column in made] == ["uint64", "int64", "uint8"]


def test_many_boards_in_any_form():
    packed = np.tile(random_walk(1000, 50, seed=1), 50)
    made = children(packed, (4, 4))
    assert len(made.packed) == 50 * len(children(packed[:1000], (4, 4)).packed)
    assert (np.diff(made.parent) >= 0).all()
    again = children(made.packed, (4, 4), made.direction)
    assert (again.packed != packed[made.parent][again.parent]).all()
    assert children(packed[::2], (4, 4)).packed.tolist() == children(packed[::2].copy(), (4, 4)).packed.tolist()
    assert children(["1 2/3 0"], (2, 2), [NO_MOVE]).direction.tolist() == [0, 1]
    assert [len(column) for column in children([], (3, 3))] == [0, 0, 0]


@pytest.mark.parametrize(
    ("packed", "last", "error", "text"),
    [
        ([0x87654321], [4], ValueError, r"last direction 4 of board 0: expected 0 .. 3, or NO_MOVE \(255\)"),
        ([0x87654321], [-1], ValueError, "last direction 254 of board 0"),
        ([0x87654321], [257], ValueError, "last direction 254 of board 0"),
        ([0x87654321], [1, 2], ValueError, r"last: int64 of shape \(2,\); expected uint8 directions of shape \(1,\)"),
        ([0x87654321], [1.0], ValueError, "last: float64"),
        (np.array([0x87654321, 0x87654322], np.uint64), None, BoardError, "board 1: packed board 0x87654322: "),
        (np.array([1 << 40 | 0x87654321], np.uint64), None, BoardError, "board 0: .* uses bits 0 .. 35 only"),
        (np.array([0], np.uint64), None, BoardError, "board 0"),
        ([1.5], None, BoardError, "1.5"),
    ],
)  # fmt: skip
def test_bad_boards_and_directions(packed, last, error, text):
    with pytest.raises(error, match=text):
        children(packed, (3, 3), last)
    with pytest.raises(BoardError, match="1x9"):
        children(packed, (1, 9), last)


@pytest.mark.parametrize("shape", SHAPES)
def test_one_bad_board_among_many(shape, rng):
    """Boards are checked by eights; every kind of bad board, at every place."""
    packed, cells = random_walk(21, 40, seed=1, shape=shape), shape[0] * shape[1]
    wrong = [0, int(packed[0]) ^ 1 << 63, int(packed[0]) ^ 1 << 4 * int(rng.integers(cells)), 0x1111111111111111]
    wrong += [int(packed[0]) | 15 << 4 * cells] if cells < 16 else []
    for place in range(21):
        for number in wrong:
            some = packed.copy()
            some[place] = number
            if some[place] != packed[place]:
                with pytest.raises(BoardError, match=f"^board {place}: packed board {number:#x}"):
                    children(some, shape)
                assert list(pack_boards(some, shape, on_error="mark")[2]) == [place]


@pytest.mark.parametrize("goal", [Board.goal((2, 3)), Board("3 1 2/0 5 4"), Board("0 1/3 2")], ids=str)
def test_numbers_of_all_boards_and_back(goal):
    every = twins.distances(goal.shape, goal.tiles)
    packed = pack_boards(np.array(list(every)), goal.shape)[0]
    numbers = ranks(packed, goal.shape)
    assert numbers.tolist() == [plain.rank(board) for board in every]
    assert (unranks(numbers, goal) == packed).all()
    end = math.factorial(len(goal)) // 2
    assert (ranks(unranks(np.arange(end), goal), goal.shape) == np.arange(end)).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_numbers_of_large_boards(shape, rng):
    goal, end = Board.random(1, shape), math.factorial(math.prod(check_shape(shape))) // 2
    numbers = np.append(rng.integers(0, end, 500), [0, end - 1])
    packed = unranks(numbers, goal)
    assert ranks(packed, shape).tolist() == numbers.tolist()
    assert all(Board(board, shape).is_solvable(goal) for board in packed[-50:].tolist())
    walked = random_walk(200, 70, seed=2, goal=goal)
    assert (unranks(ranks(walked, shape), goal) == walked).all()


@pytest.mark.parametrize("numbers", [[-1], [12], [0.5], [[1]]])
def test_numbers_that_are_none(numbers):
    with pytest.raises(ValueError, match="expected whole numbers from 0 to 11"):
        unranks(numbers, shape=(2, 2))
