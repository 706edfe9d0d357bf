"""Optimal moves, all shortest solutions and their number, against breadth-first distances."""

import itertools
import threading
from functools import cache

import numpy as np
import pytest
import twins
from solving import HARD
from solving import near as near_goal

from puzzle15 import Board, Solver
from puzzle15._core.optimal.graph import Graph
from puzzle15.board import KORF_GOAL, pack_boards
from puzzle15.board._moves import split_moves
from puzzle15.errors import InternalError, TableCorruptError
from puzzle15.solver import AllSolutions, Hint
from puzzle15.solver._opened import OpenTables

TWO = "15 14 1 6/9 11 4 12/0 10 7 3/13 8 5 2"  # 52 moves, 2 shortest solutions
FAR = "8 6 7/2 5 4/3 0 1"  # 31 moves
LETTERS = "UDLR"
HARD = {metric: board for metric, (board, _) in HARD.items()}  # minutes without stored tables


class Near:
    """The boards up to a distance from a goal, and what follows from their distances alone."""

    def __init__(self, goal, depth, metric="stm"):
        self.goal, self.shape, self.cells, self.metric = goal, goal.shape, len(goal.tiles), metric
        levels = list(twins.levels_of_arrays(self.shape, goal.tiles, depth, metric))
        packed = [pack_boards(level, self.shape)[0] for level in levels if len(level)]
        keys = np.concatenate(packed)
        order = np.argsort(keys)
        self.keys = keys[order]
        self.distances = np.repeat(np.arange(len(packed)), list(map(len, packed)))[order]
        self.first_moves, self.count = cache(self._first_moves), cache(self._count)

    def distance(self, packed):
        index = np.searchsorted(self.keys, np.uint64(packed))  # an int would make both to floats
        there = index < len(self.keys) and self.keys[index] == packed
        return int(self.distances[index]) if there else len(self.keys)

    def _first_moves(self, packed):
        """{letters: board} of the moves that lead closer; boards are packed."""
        home = next(cell for cell in range(self.cells) if not packed >> 4 * cell & 15)
        distance, closer = self.distance(packed), {}
        for letter in LETTERS:
            child, blank, letters = packed, home, letter
            while (cell := twins.neighbour(self.shape, blank, twins.TILE_LETTERS.index(letter))) >= 0:
                tile = child >> 4 * cell & 15
                child ^= tile << 4 * cell ^ tile << 4 * blank
                if self.distance(child) < distance:
                    closer[letters] = child
                if self.metric == "stm":
                    break
                blank, letters = cell, letters + letter
        return closer

    def solutions(self, board):
        """All shortest solutions, in order."""
        if board == self.goal.packed:
            yield ""
        for letters, child in self.first_moves(board).items():
            for rest in self.solutions(child):
                yield letters + rest

    def _count(self, board):
        return (board == self.goal.packed) + sum(map(self.count, self.first_moves(board).values()))

    def draw(self, rng, count):
        packed = rng.choice(self.keys, count, replace=False)
        return [Board(int(board), self.shape) for board in packed]


@pytest.fixture(scope="module")
def eight():
    return Near(Board.goal((3, 3)), 31)


OTHERS = {
    "3x4": (Board.goal((3, 4)), 17),
    "2x5": (Board.goal((2, 5), 0), 34),
    "3x3, another goal": (Board("3 0 1/2 5 4/8 6 7"), 31),
    "2x2, multi-tile": (Board.goal((2, 2)), 6, "mtm"),
    "2x4, multi-tile": (Board("5 0 7 2/1 3 6 4"), 26, "mtm"),
    "3x3, multi-tile": (Board.goal((3, 3)), 24, "mtm"),
    "3x3, another goal, multi-tile": (Board("3 0 1/2 5 4/8 6 7"), 25, "mtm"),
    "3x4, multi-tile": (Board("3 0 1 11/2 5 4 10/8 6 7 9"), 9, "mtm"),
    "2x8, multi-tile": (Board.goal((2, 8)), 7, "mtm"),
    "4x4, multi-tile": (KORF_GOAL, 7, "mtm"),
}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=[pytest.mark.slow] * (name == "2x5")) for name in OTHERS]
)
def other(request):
    """Boards near the goal of a larger shape, or all of a goal that is turned and renamed."""
    return Near(*OTHERS[request.param])


def check_all(near, solver, boards):
    """Every answer about boards, by itself and together."""
    space = " " if near.metric == "mtm" else ""
    expected = [space.join(near.first_moves(board.packed)) for board in boards]
    assert [hint.best_moves for hint in solver.hint_many(boards, workers=2)] == expected
    for board, first in zip(boards, expected):
        hint = solver.hint(board)
        assert (hint.status, hint.distance, hint.best_moves) == ("solved", near.distance(board.packed), first)
        assert hint.metric == near.metric and hint == solver.hint(board, workers=2)
        check_solutions(near, solver, board)


def check_solutions(near, solver, board):
    expected = list(itertools.islice(near.solutions(board.packed), 300))
    given = solver.all_solutions(board)
    assert list(itertools.islice(given, 300)) == expected
    number = solver.all_solutions(board).count()
    assert number == near.count(board.packed)
    if number < 300:
        assert list(given) == [] and solver.all_solutions(board).complete is False
        assert given.complete


def test_every_board_of_the_8_puzzle_within_20_moves(eight):
    """All first moves of every thirtieth; the rest of some."""
    solver = Solver(shape=(3, 3))
    near = dict(zip(eight.keys.tolist(), eight.distances.tolist()))
    boards = eight.keys[eight.distances <= 20][::30]
    hints = solver.hint_many(boards)
    for packed, hint in zip(boards.tolist(), hints):
        closer = [move for move in hint.board.legal_moves() if near[hint.board.move(move).packed] < near[packed]]
        assert (hint.distance, hint.best_moves) == (near[packed], "".join(closer))
    check_all(eight, solver, [hint.board for hint in hints[::15]])


@pytest.mark.slow
def test_all_solutions_of_boards_of_the_8_puzzle_within_20_moves(eight):
    solver = Solver(shape=(3, 3))
    for packed in eight.keys[eight.distances <= 20][::40].tolist():  # all of them take minutes, and pass
        check_solutions(eight, solver, Board(packed, (3, 3)))


def test_random_boards_of_the_8_puzzle(eight, rng):
    check_all(eight, Solver(shape=(3, 3)), [*eight.draw(rng, 50), eight.goal])


def test_other_shapes_goals_and_solvers(other, rng):
    boards = [*other.draw(rng, min(20, len(other.keys))), other.goal]
    single = [{"plain": True}, {"format": "classic", "partition": "embedded"}] if other.metric == "stm" else []
    for options in ({}, {"reflection": False}, {"tables": None, "partition": "embedded"}, *single):
        solver = Solver(goal=other.goal, metric=other.metric, **options)
        check_all(other, solver, boards if not options else boards[:7])


def in_order(moves, metric="stm"):
    return [(LETTERS.index(move[0]), len(move)) for move in split_moves(moves, metric)]


def test_the_board_with_two_solutions(tables_7_8):
    solver = Solver(tables=tables_7_8)
    both = list(solver.all_solutions(TWO))
    assert len(set(both)) == 2 == solver.all_solutions(TWO).count() and both == sorted(both, key=in_order)
    assert all(Board(TWO).apply(moves) == Board.goal() and len(moves) == 52 for moves in both)
    assert list(solver.all_solutions(TWO, workers=2)) == both
    assert str(solver.hint(TWO)) == "52 moves; optimal: L" and solver.hint(TWO, workers=2) == solver.hint(TWO)


@pytest.mark.parametrize("goal", [Board.goal(), KORF_GOAL])
def test_random_boards_of_the_15_puzzle(tables_7_8, rng, goal):
    """Each answer against the others."""
    solver = Solver(goal=goal, tables=tables_7_8)
    boards = [Board.random(rng, goal=goal) for _ in range(12)]
    for board, hint in zip(boards, solver.hint_many(boards)):
        assert hint.distance == solver.distance(board)
        children = [(letter, solver.distance(board.move(letter))) for letter in board.legal_moves()]
        assert hint.best_moves == "".join(letter for letter, distance in children if distance < hint.distance)
        some = list(itertools.islice(solver.all_solutions(board), 2000))
        assert some == sorted(set(some), key=in_order)
        assert all(len(moves) == hint.distance and board.apply(moves) == goal for moves in some)
        number = solver.all_solutions(board).count()
        assert min(number, 2000) == len(some)
        if number <= 2000:
            assert "".join(sorted({moves[0] for moves in some}, key=in_order)) == hint.best_moves


def multi_tile_children(board):
    """{letters: board} of all multi-tile moves, in order."""
    children = {}
    for letter in LETTERS:
        child, letters = board, ""
        while letter in child.legal_moves():
            child, letters = child.move(letter), letters + letter
            children[letters] = child
    return children


@pytest.mark.parametrize("goal", [Board.goal(), Board("7 2 1 5/3 0 15 4/9 8 10 11/12 14 13 6")])
def test_multi_tile_moves_of_the_15_puzzle(rng, goal):
    """Each answer against the others."""
    solver = Solver("embedded", goal=goal, metric="mtm")
    boards = [*(near_goal(rng, goal, 18) for _ in range(8)), Board.random(rng, goal=goal)]
    for board, hint in zip(boards, solver.hint_many(boards, workers=2)):
        assert hint == solver.hint(board) and hint.distance == solver.distance(board)
        children = multi_tile_children(board)
        assert hint.best_moves.split() == [
            move for move, child in children.items() if solver.distance(child) < hint.distance
        ]
        some = list(itertools.islice(solver.all_solutions(board), 500))
        assert some == sorted(set(some), key=lambda moves: in_order(moves, "mtm"))
        assert all(len(split_moves(moves, "mtm")) == hint.distance and board.apply(moves) == goal for moves in some)
        number = solver.all_solutions(board).count()
        assert (
            min(number, 500) == len(some)
            and list(itertools.islice(solver.all_solutions(board, workers=2), 9)) == some[:9]
        )
        if number <= 500:
            assert list(dict.fromkeys(split_moves(moves, "mtm")[0] for moves in some)) == hint.best_moves.split()


@pytest.mark.parametrize("metric, text", [("stm", "0 moves"), ("mtm", "0 multi-tile moves")])
def test_the_goal(metric, text):
    solver = Solver(shape=(2, 3), metric=metric)
    goal = Board.goal((2, 3))
    assert solver.hint(goal).best_moves == "" and list(solver.all_solutions(goal)) == [""]
    assert solver.all_solutions(goal).count() == 1
    assert str(solver.hint(goal)) == text and list(solver.hint_many([])) == []


def test_an_iterator_is_lazy():
    solutions = Solver(shape=(3, 3)).all_solutions(FAR)
    assert isinstance(solutions, AllSolutions) and iter(solutions) is solutions and not solutions.complete
    first = next(solutions)
    assert solutions.solution.length == 31 == len(first) and not solutions.complete
    assert len(list(solutions)) == 39 and solutions.complete and next(solutions, None) is None


def test_an_iterator_goes_on_after_an_interruption(monkeypatch):
    def interrupted(tables, board):
        raise KeyboardInterrupt

    solver = Solver(shape=(3, 3))
    solutions = solver.all_solutions(FAR)
    some = [next(solutions), next(solutions)]
    with monkeypatch.context() as patch:
        patch.setattr(OpenTables, "explain_table_errors", interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(solutions)
    assert not solutions.complete
    assert [*some, *solutions] == list(solver.all_solutions(FAR)) and solutions.complete


@pytest.fixture(scope="module", params=["stm", "mtm"])
def slow_solver(request, small_tables):
    """A solver that takes minutes for hard boards."""
    return Solver(*{"stm": ("5-5-5",), "mtm": ("embedded",)}[request.param], tables=small_tables, metric=request.param)


@pytest.mark.parametrize("limit", [{"max_nodes": 100_000}, {"time_limit_s": 0.05}])
def test_limits_are_answers(limit, slow_solver):
    hard, least = HARD[slow_solver.metric], {"stm": 48, "mtm": 28}[slow_solver.metric]
    hint, solutions = slow_solver.hint(hard, **limit), slow_solver.all_solutions(hard, **limit)
    assert (hint.status, hint.distance, hint.best_moves) == ("limit", None, "") and hint.lower_bound >= least
    assert str(hint).startswith("limit: at least ") and solutions.count() is None
    assert list(solutions) == [] and not solutions.complete and solutions.solution.status == "limit"
    first, second = slow_solver.hint_many([hard, hard], **limit)
    assert first.status == second.status == "limit" and first.metric == second.metric == slow_solver.metric
    assert second.lower_bound > 0 and second.to_dict()["metric"] == slow_solver.metric


@pytest.mark.parametrize(
    "partition, metric, text",
    [
        ("6-6-3", "stm", "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"),
        ("embedded", "mtm", "7 8 4 11/3 5 6 12/2 10 0 1/15 14 13 9"),
    ],
)
def test_a_limit_between_the_solution_and_the_rest(small_tables, partition, metric, text):
    """What was found until then is given."""
    solver, board = Solver(partition, tables=small_tables, metric=metric), text
    solution, whole = solver.solve(board), solver.hint(board)
    limit = solution.generated + 1
    assert whole.generated > solution.generated
    hint, some = solver.hint(board, max_nodes=limit), solver.all_solutions(board, max_nodes=limit)
    assert (hint.status, hint.distance) == ("limit", whole.distance) and set(hint.best_moves) < set(whole.best_moves)
    assert str(hint).endswith(", and perhaps others") and some.count() is None
    assert list(some) == [] and not some.complete


def test_hints_of_bad_boards():
    bad = ["xx", FAR, "1 2 3/4 5 6/8 7 0"]
    hints = Solver(shape=(3, 3)).hint_many(bad, on_error="mark")
    multi_tile = Solver(shape=(3, 3), metric="mtm").hint_many(bad, on_error="mark")
    assert multi_tile.to_dict()["moves"] == ["", "D DD", ""] and multi_tile.to_dict()["metric"] == ["mtm"] * 3
    assert [hint.status for hint in hints] == ["error", "solved", "error"]
    assert hints[0].board is None and hints[0].distance is None and str(hints[0]).startswith("error: board 0: 'xx'")
    assert hints[2].to_dict()["error"].startswith("board 2: 1 2 3/4 5 6/8 7 0 cannot reach")


@pytest.mark.parametrize("metric", ["stm", "mtm"])
def test_all_solutions_in_several_threads(metric):
    """One graph at a time changes: each solution comes to one thread, and counts are right meanwhile."""
    solver = Solver(shape=(3, 4), metric=metric)
    board = Board.random(0, shape=(3, 4))
    expected = list(solver.all_solutions(board))
    for _ in range(30):
        solutions, given, counts = solver.all_solutions(board), [], []
        threads = [threading.Thread(target=given.extend, args=[solutions]) for _ in range(2)]
        threads += [threading.Thread(target=lambda: counts.append(solutions.count())) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(given) == sorted(expected) and counts == [len(expected)] * 3 and solutions.complete


def test_records():
    hint = Solver(shape=(3, 3)).hint(FAR)
    assert isinstance(hint, Hint) and hint == Solver(shape=(3, 3)).hint(FAR)
    record = hint.to_dict(convention="blank")
    assert record["moves"] == "URL" and record["convention"] == "blank" and record["distance"] == 31
    assert hint.to_dict() == {**record, "moves": "DLR", "convention": "tile"}
    assert hint.text(convention="blank") == "31 moves; optimal: U R L"
    multi_tile = Solver(shape=(3, 3), metric="mtm").hint(FAR)
    assert (
        multi_tile.text(convention="blank") == "20 multi-tile moves; optimal: U U2" and multi_tile.best_moves == "D DD"
    )
    changed = {"distance": 20, "lower_bound": 20, "metric": "mtm", "moves": "U UU"}
    counts = {name: getattr(multi_tile, name) for name in ("expanded", "generated", "seconds")}
    assert multi_tile.to_dict(convention="blank") == record | changed | counts | {
        "seconds": round(multi_tile.seconds, 6)
    }


def test_a_graph_is_not_contradicted():
    solver = Solver(shape=(3, 3))
    graph = Graph(solver.open_tables.problem)
    goal = Board.goal((3, 3))
    with pytest.raises(InternalError):
        Graph(Solver(shape=(3, 3), metric="mtm").open_tables.problem).add(goal.packed, bytes([0, 3, 2]))
    with pytest.raises(ValueError, match="a path of 80 moves"):
        Graph(Solver(shape=(3, 3), metric="mtm").open_tables.problem).add(goal.packed, bytes([0, 3] * 40))
    graph.add(goal.packed, b"")
    with pytest.raises(TableCorruptError):
        graph.add(goal.packed, bytes([0, 3]))
    with pytest.raises(KeyError):
        graph.known(Board(FAR).packed)
    with pytest.raises(ValueError):
        graph.add(goal.packed, bytes([4]))
