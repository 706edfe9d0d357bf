"""Values of children from those of their parents, against values of the children themselves."""

import numpy as np
import own_heuristics
import pytest

from puzzle15 import Board, heuristic
from puzzle15.board import KORF_GOAL, random_walk
from puzzle15.errors import BoardError
from puzzle15.nodes import Children, children, unique

NAMES = ["zero", "misplaced", "manhattan", "reversal", "linear-conflict", "walking-distance", "max(manhattan,zero)"]


def some_boards(goal, count=60):
    """Different boards from the goal on, near and far."""
    return unique(random_walk(count, 3 * np.arange(count), seed=1, goal=goal))


def check(h, boards):
    made = children(boards, h.shape)
    values = h.of_children(made, boards, h.components(boards))
    assert values.tolist() == h.components(made.packed).tolist()
    assert values.max(axis=1).tolist() == h.many(made.packed).tolist()
    assert h.of_children(made, boards, h.many(boards)).tolist() == h.many(made.packed).tolist()


@pytest.mark.parametrize("goal", ["1 2 3/4 5 6/7 8 0", "3 1 2/0 5 4", KORF_GOAL], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_the_children(name, goal):
    h = heuristic(name, goal=goal)
    check(h, some_boards(h.goal))


@pytest.mark.parametrize("goal", ["1 2 3/4 5 6/7 8 0", "0 1 2/3 4 5/6 7 8"])
def test_values_of_tables_of_a_turned_goal(goal):
    check(heuristic("max(manhattan,tables:embedded)", goal=goal), some_boards(Board(goal)))


def test_values_of_functions_and_networks():
    check(heuristic([own_heuristics.in_batches, "manhattan"], shape=(3, 3)), some_boards(Board.goal((3, 3))))
    check(heuristic(["ann", "linear-conflict"]), some_boards(Board.goal()))


def test_parents_in_any_order_and_none():
    h, boards = heuristic("linear-conflict", shape=(3, 3)), some_boards(Board.goal((3, 3)))
    made, order = children(boards, (3, 3)), np.random.default_rng(1).permutation(100)
    some = Children(*(column[order] for column in made))
    assert h.of_children(some, boards, h.many(boards)).tolist() == h.many(some.packed).tolist()
    assert h.of_children(children([], (3, 3)), boards[:0], h.many(boards[:0])).shape == (0,)


def test_what_does_not_belong_together():
    h, boards = heuristic("manhattan", shape=(3, 3)), some_boards(Board.goal((3, 3)))
    values, made = h.many(boards), children(boards, (3, 3))
    with pytest.raises(ValueError, match=r"values: uint8 of shape \(2,\); expected"):
        h.of_children(made, boards, values[:2])
    with pytest.raises(ValueError, match="values: int64"):
        h.of_children(made, boards, values.astype(int))
    wrong = [
        made._replace(parent=made.parent + len(boards)),
        made._replace(parent=made.parent - 1),
        made._replace(direction=np.full_like(made.direction, 4)),
        made._replace(direction=3 - made.direction[::-1]),
    ]
    for each in wrong:
        with pytest.raises(BoardError, match=r"child \d+: direction \d from row -?\d+ of \d+ parents; expected"):
            h.of_children(each, boards, values)
    with pytest.raises(BoardError, match="child 0"):
        h.of_children(made, np.full_like(boards, 0x1111111111), values)
