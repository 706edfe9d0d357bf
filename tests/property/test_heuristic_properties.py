"""What holds for every heuristic on every shape, goal, board and move."""

from hypothesis import given
from hypothesis import strategies as st
from searching import values_along
from strategies import boards, examples, shapes, small, solver_of, tasks, walks

from puzzle15 import heuristic
from puzzle15.board._moves import directions_from_moves
from puzzle15.heuristics import NAMES


@given(
    walks(shapes.filter(lambda shape: max(shape) < 7), most=30),
    st.data(),
    st.sampled_from(NAMES),
)
@examples(4 / 3)
def test_children_boards_and_consistency(walk, data, name):
    board, letters, _ = walk
    goal = data.draw(boards(st.just(board.shape)).filter(board.is_solvable))
    h = heuristic(name, goal=goal)
    evaluator, turn, _ = h.prepare()
    values = values_along(evaluator, turn(board), directions_from_moves(letters))
    way = [board.apply(letters[:steps]) for steps in range(len(letters) + 1)]
    assert values == h.many(way).tolist()
    assert all(abs(a - b) <= 1 for a, b in zip(values, values[1:]))
    assert h(goal) == 0 and (name == "zero" or min(values) > 0 or goal in way)


@given(tasks(shapes))
@examples(1 / 3)
def test_weaker_and_stronger(task):
    goal, board = task
    zero, misplaced, manhattan, reversal, conflict, walking = (heuristic(name, goal=goal)(board) for name in NAMES)
    assert zero <= misplaced <= manhattan <= reversal <= conflict and manhattan <= walking
    assert heuristic(NAMES, goal=goal)(board) == max(conflict, walking)


@given(tasks(small))
def test_no_heuristic_exceeds_the_distance(task):
    goal, board = task
    assert heuristic(NAMES, goal=goal)(board) <= solver_of(goal).distance(board)
