"""What holds for every board, goal, walk and kind of table."""

import math
from functools import lru_cache

import pytest
import twins
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import OPPOSITE, solver_of, tasks, walks

from puzzle15 import Board, Solver, build_tables
from puzzle15.board import parse_moves, symmetries
from puzzle15.published import KORF_GOAL

#: Shapes whose random boards are solved at once by the embedded tables.
small = st.sampled_from([(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 5), (5, 2)])
large = st.sampled_from([(3, 4), (4, 3), (2, 6), (3, 5), (2, 7), (4, 4)])


def check(solution, board, goal):
    letters = parse_moves(solution.moves)
    assert (solution.board, solution.goal) == (board, goal)
    assert twins.replay(board.shape, board.tiles, letters) == goal.tiles
    assert len(letters) == solution.length == solution.lower_bound


def parity(goal, board):
    """Of the length of every path from one to the other."""
    return twins.taxicab(goal.shape, goal.blank, board.blank) % 2


@given(tasks(small))
def test_every_path_replays_to_the_goal(task):
    goal, board = task
    solver = solver_of(goal)
    solution = solver.solve(board)
    check(solution, board, goal)
    assert solver.lower_bound(board) <= solution.length
    assert solver.lower_bound(board) % 2 == solution.length % 2 == parity(goal, board)
    assert twins.manhattan(board.shape, board.tiles, goal.tiles) <= solution.length


@given(walks(large, 30, undo=False))
@pytest.mark.slow
def test_no_answer_is_longer_than_a_known_path(walk):
    goal, letters, board = walk
    solution = solver_of(goal).solve(board)
    check(solution, board, goal)
    assert solution.length <= len(letters) and solution.length % 2 == len(letters) % 2
    assert solver_of(goal).lower_bound(board) <= solution.length


@given(walks(large, 30, undo=False))
def test_along_a_move_the_heuristic_changes_by_one(walk):
    goal, letters, board = walk
    solver = solver_of(goal)
    single = solver_of(goal, reflection=False)
    for letter in letters[::-1]:
        before = solver.lower_bound(board), single.lower_bound(board)
        assert before[1] <= before[0] and before[0] % 2 == before[1] % 2 == parity(goal, board)
        board = board.move(letter.translate(OPPOSITE))
        after = solver.lower_bound(board), single.lower_bound(board)
        assert abs(after[0] - before[0]) == abs(after[1] - before[1]) == 1
    assert board == goal and solver.lower_bound(goal) == single.lower_bound(goal) == 0


@given(walks(st.just((4, 4)), 60, undo=False))
@settings(max_examples=60)
def test_along_a_move_the_real_heuristic_changes_by_one(tables_7_8, walk):
    start, letters, _ = walk
    goal = Board.goal()
    assume(start.is_solvable(goal))
    solver = real(tables_7_8)
    boards = [start]
    for letter in letters:
        boards.append(boards[-1].move(letter))
    values = solver.lower_bound_many(boards).astype(int)
    assert all(abs(a - b) == 1 for a, b in zip(values, values[1:]))
    assert values[0] % 2 == parity(goal, start)
    embedded = solver_of(goal).lower_bound_many(boards)
    assert all(twins.manhattan((4, 4), board.tiles, goal.tiles) <= h for board, h in zip(boards, values))
    assert ((embedded - values) % 2 == 0).all()


@lru_cache(maxsize=4)
def real(folder, **options):
    return Solver("7-8", tables=folder, **options)


@given(tasks(small))
def test_there_and_back_are_equally_far(task):
    goal, board = task
    assert solver_of(goal).distance(board) == solver_of(board).distance(goal)


@given(tasks(small), st.data())
def test_symmetric_boards_are_equally_far(task, data):
    """Turn goal and board around, and rename the tiles."""
    goal, board = task
    symmetry = data.draw(st.sampled_from(symmetries(goal.shape)))
    names = [0, *data.draw(st.permutations(range(1, math.prod(goal.shape))))]

    def image(one):
        tiles = [0] * len(names)
        for cell, tile in enumerate(one.tiles):
            tiles[symmetry[cell]] = names[tile]
        return Board(tiles, one.shape)

    length = solver_of(goal).distance(board)
    solution = solver_of(image(goal)).solve(image(board))
    check(solution, image(board), image(goal))
    assert solution.length == length


@given(tasks(st.just((4, 4))))
@settings(max_examples=40)
def test_reflections_are_equally_far(tables_7_8, task):
    """The real tables: a board, its transpose with the tiles renamed, and the way back."""
    _, board = task
    goal = Board.goal()
    assume(board.is_solvable(goal))
    transpose = symmetries((4, 4))[1]
    assert transpose[15] == 15
    reflected = [0] * 16
    for cell, tile in enumerate(board.tiles):
        home = goal.tiles.index(tile)
        reflected[transpose[cell]] = goal.tiles[transpose[home]]
    reflection = Board(reflected, (4, 4))
    solver = real(tables_7_8)
    one, two = solver.solve(board), solver.solve(reflection)
    check(one, board, goal)
    check(two, reflection, goal)
    assert one.length == two.length
    assert solver.lower_bound(board) == solver.lower_bound(reflection)


@given(tasks(st.just((4, 4))))
@settings(max_examples=25)
def test_partitions_and_searches_agree(tables_7_8, classic_7_8, small_tables, task):
    _, board = task
    goal = Board.goal()
    assume(board.is_solvable(goal))
    length = real(tables_7_8).distance(board)
    for folder, partition, options in [
        (tables_7_8, "7-8", {"plain": True}),
        (tables_7_8, "7-8", {"reflection": False}),
        (classic_7_8, "7-8", {"format": "classic"}),
    ]:
        check(Solver(partition, tables=folder, **options).solve(board), board, goal)
        assert Solver(partition, tables=folder, **options).distance(board) == length
    six = Solver("6-6-3", tables=small_tables)
    assert six.lower_bound(board) <= length
    limited = six.solve(board, max_nodes=100_000)
    assert six.lower_bound(board) <= limited.lower_bound <= length
    assert limited.status == "limit" or limited.length == length
    assert (length - limited.lower_bound) % 2 == 0


@given(tasks(st.sampled_from([(2, 4), (3, 3), (2, 5)])), st.data())
@settings(max_examples=60)
def test_any_partition_gives_the_same_length(folder_of_partitions, task, data):
    goal, board = task
    expected = solver_of(goal).distance(board)
    count = math.prod(goal.shape) - 1
    cut = data.draw(st.integers(max(1, count - 8), min(8, count - 1)))
    partition = f"1-{cut}/{cut + 1}-{count}"
    format = data.draw(st.sampled_from(["zero-aware", "classic"]))
    plain = data.draw(st.booleans())
    where = {"shape": goal.shape, "home": goal.blank, "tables": folder_of_partitions}
    build_tables(partition, format=format, workers=1, **where)
    solver = Solver(partition, goal=goal, format=format, tables=folder_of_partitions, plain=plain)
    solution = solver.solve(board)
    check(solution, board, goal)
    assert solution.length == expected
    assert solver.solve_many([board])[0].moves == solution.moves


@pytest.fixture(scope="session")
def folder_of_partitions(tmp_path_factory):
    return tmp_path_factory.mktemp("partitions")


@given(tasks(st.just((4, 4))), st.integers(1, 50_000))
@settings(max_examples=60)
def test_limits_never_lie(tables_7_8, task, max_nodes):
    _, board = task
    assume(board.is_solvable(KORF_GOAL))
    solver = real(tables_7_8, goal=KORF_GOAL)
    free, limited = solver.solve(board), solver.solve(board, max_nodes=max_nodes)
    if limited.status == "solved":
        assert (limited.moves, limited.generated) == (free.moves, free.generated)
    else:
        assert solver.lower_bound(board) <= limited.lower_bound <= free.length
        assert limited.generated >= max_nodes
