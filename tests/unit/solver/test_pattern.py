"""The fewest moves that bring some tiles home, against breadth-first searches that see all boards."""

import itertools
import math

import numpy as np
import pytest
import twins
from interrupting import interrupted_after

from puzzle15 import Board, Solver
from puzzle15.board import uniform
from puzzle15.errors import BoardError, UnsolvableError
from puzzle15.learning import value_iteration
from puzzle15.solver import solve_pattern


def drawn(shape, count, rng, goal=None):
    """Boards of both parities."""
    goal = goal or Board.goal(shape)
    for number, packed in enumerate(uniform(count, rng, goal=goal)):
        tiles = list(Board(int(packed), shape).tiles)
        if number % 2:
            first, second = (tiles.index(tile) for tile in (1, 2))
            tiles[first], tiles[second] = tiles[second], tiles[first]
        yield Board(tiles, shape)


def distances(goal, named):
    """{board: the fewest moves to one with these tiles at home}, where the tiles that are not named are -1."""
    shape, free = goal.shape, [cell for cell, tile in enumerate(goal.tiles) if tile not in named]
    home = [tile if tile in named else -1 for tile in goal.tiles]
    ends = [tuple(0 if cell == blank else tile for cell, tile in enumerate(home)) for blank in free]
    return twins.numbered(twins.breadth_first(ends, lambda board: twins.neighbours(shape, board).values()))


def check(board, named, goal, expected):
    """A solution of the expected length, replayed."""
    solution = solve_pattern(board, named, goal=goal)
    reached = board.apply(solution.moves)
    assert all(reached.tiles.index(tile) == goal.tiles.index(tile) for tile in named)
    assert (solution.length, solution.lower_bound, solution.status, solution.optimal) == (
        expected,
        expected,
        "solved",
        True,
    )
    assert (solution.board, solution.goal, list(solution.boards())[-1]) == (board, reached, reached)


@pytest.mark.parametrize(
    "goal, named",
    [
        ("1 2 3/4 5 0", [2]),
        ("1 2 3/4 5 0", [5, 1, 3]),
        ("1 2 3/4 5 6/7 8 0", [1, 2, 3]),
        ("8 1 2/3 0 5/6 7 4", [7, 1]),
        ("0 1 2/3 4 5/6 7 8", [8, 2, 5, 1]),
        ("1 2 3 4/5 6 7 8/9 10 0 11", [1, 5]),
    ],
)
def test_equals_its_twin(goal, named, rng):
    goal = Board(goal)
    expected = distances(goal, named)
    farthest = max(expected.values())
    boards = [*drawn(goal.shape, 40, rng, goal), goal]
    hard = next(board for board, distance in expected.items() if distance == farthest)
    others = iter(sorted(set(range(1, math.prod(goal.shape))) - set(named)))
    boards.append(Board([next(others) if tile < 0 else tile for tile in hard], goal.shape))
    for board in boards:
        check(board, named, goal, expected[tuple(tile if tile in (0, *named) else -1 for tile in board.tiles)])


@pytest.mark.parametrize("named", [[1, 2, 3, 4, 5, 6], [2, 3, 5, 6, 7, 8], range(1, 8), range(2, 9), range(1, 9)])
def test_nearly_all_tiles(named, rng):
    """The nearest of all boards that have the tiles at home. With at most one other tile, parity matters."""
    goal = Board.goal((3, 3))
    free = [cell for cell, tile in enumerate(goal.tiles) if tile not in named]
    goals = []
    for others in itertools.permutations(set(range(9)) - set(named)):
        tiles = dict(zip(free, others))
        goals.append([tiles.get(cell, tile) for cell, tile in enumerate(goal.tiles)])
    for board in drawn((3, 3), 12, rng):
        reached = Solver(goal=board).distance_many(goals, on_error="mark")
        if (reached >= 0).any():
            check(board, named, goal, reached[reached >= 0].min())
        else:
            assert len(named) > 6
            with pytest.raises(UnsolvableError, match="cannot reach the goal"):
                solve_pattern(board, named)


def test_on_4x4_value_iteration_finds_the_same_lengths(rng):
    learned = value_iteration([1, 2, 5])
    for board in drawn((4, 4), 40, rng):
        exact = round(math.log(learned.values[learned.state(board)] * 0.1, 0.9))
        check(board, [1, 2, 5], Board.goal(), exact)


@pytest.mark.parametrize(
    "goal, sizes",
    [("1 2 3/4 5 6/7 8 0", range(2, 9)), ("8 1 2/3 0 5/6 7 4", [3, 6]), ("4 1 2 3/5 0 7 6/8 9 10 11", [5, 9])],
)
def test_many_tiles_find_the_lengths_of_breadth_first_search(goal, sizes, rng, monkeypatch):
    goal = Board(goal)
    monkeypatch.setattr("puzzle15.solver._pattern._FEW_BOARDS", 0)
    for named in (rng.permutation(np.arange(1, len(goal.tiles)))[:size].tolist() for size in sizes):
        for start in uniform(1, rng, goal=goal):
            start, found = Board(int(start), goal.shape), []
            for most_free in (0, 7):
                monkeypatch.setattr("puzzle15.solver._pattern._MOST_FREE", most_free)
                found.append(solve_pattern(start, named, goal=goal))
            assert [each.algorithm for each in found] == ["bidirectional", "ida*"]
            check(start, named, goal, found[0].length)


BOARD = "15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0"


@pytest.mark.parametrize("tiles, length, algorithm", [("1-4", 42, "bidirectional"), ("1-10", 58, "ida*")])
def test_limits(tiles, length, algorithm):
    whole = solve_pattern(BOARD, tiles)
    assert (whole.algorithm, whole.length, whole.optimal) == (algorithm, length, True)
    limits = [{"max_length": length - 1}, {"max_nodes": 1000}, {"time_limit_s": 0}, {"max_length": 0}]
    for limit in (*limits, *([{"max_memory": 100_000}] if algorithm == "bidirectional" else [])):
        found = solve_pattern(BOARD, tiles, **limit)
        assert (found.status, found.moves, found.optimal, found.goal) == ("limit", None, False, Board.goal())
        assert 0 < found.lower_bound <= whole.length and found.generated < whole.generated
    assert solve_pattern(BOARD, tiles, max_length=length - 1).lower_bound == length
    assert solve_pattern(BOARD, tiles, max_length=length, max_nodes=whole.generated + 100) == whole
    assert algorithm == "ida*" or solve_pattern(BOARD, tiles, max_length=0).lower_bound == 1


@pytest.mark.parametrize("bytes_", [0, 1, 1000, 3000, 10_000])
def test_too_little_memory_is_a_limit(bytes_):
    found = solve_pattern(BOARD, "1-4", max_memory=bytes_)
    assert (found.status, found.moves, found.optimal, found.goal) == ("limit", None, False, Board.goal())
    assert found.lower_bound >= 1
    home = solve_pattern("1 2 3 4/5 6 7 8/9 10 15 11/13 14 0 12", "1-4", max_memory=bytes_)
    assert home.lower_bound == 0  # even if there was no memory to see that nothing is to be done


def test_the_smaller_side_goes_first_and_both_count():
    whole = solve_pattern(BOARD, "1-4")
    assert (whole.expanded, whole.generated) == (97_701, 201_471)
    assert solve_pattern(BOARD, "1-4", max_nodes=whole.generated).optimal
    assert solve_pattern(BOARD, "1-4", max_nodes=whole.generated - 1).status == "limit"


def test_interruption():
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.3, KeyboardInterrupt):
        solve_pattern(BOARD, "1-8")


@pytest.mark.parametrize(
    "tiles, options, error, message",
    [
        ("9", {}, ValueError, "'9' names no tiles of 1 .. 8"),
        ("1/2", {}, ValueError, "'1/2': expected one pattern, such as '1-4'"),
        ([1, 1], {}, ValueError, "names a tile twice"),
        ([], {}, ValueError, "expected tiles such as"),
        ("1", {"max_nodes": -1}, ValueError, "max_nodes -1"),
        ("1", {"goal": "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"}, BoardError, "3x3"),
    ],
)
def test_what_is_refused(tiles, options, error, message):
    with pytest.raises(error, match=message):
        solve_pattern("8 6 7/2 5 4/3 0 1", tiles, **options)


def test_sequences_of_numpy(rng):
    assert solve_pattern("8 6 7/2 5 4/3 0 1", np.arange(1, 4)).length == 21
