"""Someone's solutions: distances after every move, what was lost, and finishes; each against solving every board."""

from itertools import islice

import numpy as np
import pytest
from solving import HARD, walk

from puzzle15 import Board, Solver
from puzzle15.board import KORF_GOAL, count_moves
from puzzle15.board._moves import split_moves
from puzzle15.errors import BoardError, UnsolvableError
from puzzle15.solver import Analysis

FAR = "8 6 7/2 5 4/3 0 1"  # 31 moves


def check(solver, found, board, moves):
    """What an analysis says, against the distance of every board."""
    boards, parts = [board], split_moves(moves, solver.metric)
    for part in parts:
        boards.append(boards[-1].apply(part))
    distances = solver.distance_many(boards).tolist()
    least = {"stm": 2, "mtm": 1}[solver.metric]  # that a mistake loses
    assert found.board == board and found.goal == solver.goal and found.moves == moves
    assert found.status == "solved" and found.error is None and found.metric == solver.metric
    assert list(found.distances) == distances
    bad = [number for number in range(1, len(boards)) if distances[number] >= distances[number - 1]]
    assert [mistake.number for mistake in found.mistakes] == bad
    for mistake in found.mistakes:
        before, after = distances[mistake.number - 1], distances[mistake.number]
        assert least <= mistake.lost == 1 + after - before <= 2
        assert mistake.distance == before == count_moves(mistake.finish, solver.metric)
        assert mistake.board == boards[mistake.number - 1] and mistake.move == parts[mistake.number - 1]
        assert mistake.board.apply(mistake.finish) == solver.goal
    assert count_moves(found.finish, solver.metric) == distances[-1] and boards[-1].apply(found.finish) == solver.goal
    assert found.length == len(parts) and found.shortest == distances[0]
    assert found.lost == sum(1 + distances[number] - distances[number - 1] for number in bad)
    assert found.shortest + found.lost == found.length + distances[-1]
    assert found.first_loss == (bad[0] if bad else None)
    assert found.reaches_goal == (boards[-1] == solver.goal)


def check_walks(solver, rng, goals, boards, most):
    """Walks from the goal and from random boards, followed together."""
    starts = [solver.goal] * goals + [Board.random(rng, goal=solver.goal) for _ in range(boards)]
    walks = [walk(rng, board, int(rng.integers(most // 2, most)))[0] for board in starts]
    for board, moves, found in zip(starts, walks, solver.analyse_many(starts, walks, workers=2)):
        check(solver, found, board, moves)
    return zip(starts, walks)


@pytest.mark.parametrize("metric", ["stm", "mtm"])
@pytest.mark.parametrize("goal", [Board.goal((3, 3)), Board("3 0 1/2 5 4/8 6 7"), Board.goal((2, 4))])
def test_random_walks(rng, goal, metric):
    solver = Solver(goal=goal, metric=metric)
    for board, moves in check_walks(solver, rng, 10, 20, 60):
        check(solver, solver.analyse(board, moves), board, moves)


@pytest.mark.parametrize(
    "goal, goals, boards",
    [(Board.goal(), 10, 4), (KORF_GOAL, 10, 4), pytest.param(Board.goal(), 300, 40, marks=pytest.mark.slow)],
)
def test_random_walks_of_the_15_puzzle(rng, tables_7_8, goal, goals, boards):
    check_walks(Solver(goal=goal, tables=tables_7_8), rng, goals, boards, 80)


@pytest.mark.parametrize("goal", [Board.goal(), Board("7 2 1 5/3 0 15 4/9 8 10 11/12 14 13 6"), Board.goal((2, 7))])
def test_random_walks_in_multi_tile_moves(rng, goal):
    check_walks(Solver("embedded", goal=goal, metric="mtm"), rng, 6, 0, 50)


@pytest.mark.parametrize("metric", ["stm", "mtm"])
def test_shortest_solutions_lose_nothing(rng, metric):
    solver = Solver(shape=(3, 3), metric=metric)
    for board in [Board.random(rng, shape=(3, 3)) for _ in range(20)]:
        for moves in islice(solver.all_solutions(board), 5):
            found = solver.analyse(board, moves)
            check(solver, found, board, moves)
            assert found.lost == 0 and found.reaches_goal and found.finish == ""


def test_words():
    solver = Solver(shape=(3, 3))
    found = solver.analyse("1 2 3/4 5 6/0 7 8", "LRLDUL")
    assert str(found) == "6 moves, shortest 2, lost 4, first at move 2"
    assert str(solver.analyse("1 2 3/4 5 6/0 7 8", "L")) == "1 move, shortest 2, lost 0, 1 to go: L"
    assert str(solver.analyse("1 2 3/4 5 6/7 8 0", "")) == "0 moves, shortest 0, lost 0"
    assert repr(found) == (
        "Analysis(board=Board('1 2 3/4 5 6/0 7 8'), goal=Board('1 2 3/4 5 6/7 8 0'), moves='LRLDUL', status='solved', "
        "error=None, metric='stm')"
    )
    lines = found.table(convention="blank").splitlines()
    assert lines[3] == "   2  L              2  lost 2; better: R"
    assert lines[-1] == found.summary(convention="blank") == str(found) and len(lines) == 9
    blank = solver.analyse("1 2 3/4 5 6/0 7 8", "R L R U D R", convention="blank")
    assert blank == found and found.to_dict(convention="blank")["moves"] == "RLRUDR"
    mistake = {"number": 2, "move": "L", "lost": 2, "distance": 1, "finish": "R"}
    assert found.to_dict(convention="blank")["mistakes"][0] == mistake


def test_a_notebook_plays_the_moves_as_far_as_distances_are_known():
    solver = Solver(shape=(3, 3))
    whole = solver.analyse("1 2 3/4 5 6/0 7 8", "LRLDUL")
    assert "6 moves, shortest 2, lost 4, first at move 2" in whole._repr_html_()
    assert "&quot;distances&quot;:[2,1,2,1,2,1,0]" in whole._repr_html_()
    (bad,) = solver.analyse_many(["no board"], [""], on_error="mark")
    assert "&quot;distances" not in bad._repr_html_() and "no board" in bad._repr_html_()


def test_words_in_multi_tile_moves():
    solver = Solver(shape=(3, 3), metric="mtm")
    found = solver.analyse("1 2 3/4 5 6/0 7 8", "R2 L U D R", convention="blank")
    assert str(found) == "5 multi-tile moves, shortest 1, lost 4, first at move 2" and found.reaches_goal
    assert found.moves == "LLRDUL" and found.distances == (1, 0, 1, 2, 1, 0)
    assert found.table(convention="blank").splitlines()[:5] == [
        "move  letter  distance",
        "   0                 1",
        "   1  R2             0",
        "   2  L              1  lost 2; better: ",
        "   3  U              2  lost 2; better: R",
    ]


def test_bad_input():
    solver = Solver(shape=(3, 3))
    with pytest.raises(BoardError, match=r"move 2 \(U\) is illegal"):
        solver.analyse(FAR, "LU")
    with pytest.raises(BoardError, match="cannot read 'X'"):
        solver.analyse(FAR, "LX")
    with pytest.raises(UnsolvableError):
        solver.analyse("1 2 3/4 5 6/8 7 0", "D")
    with pytest.raises(BoardError, match="board 1: moves 'LU': move 2"):
        solver.analyse_many([FAR, FAR], ["L", "LU"])
    with pytest.raises(ValueError, match="1 moves: expected one text for each of 2 boards"):
        solver.analyse_many([FAR, FAR], ["L"])
    found = solver.analyse_many(["xx", FAR, FAR, "1 2 3/4 5 6/8 7 0"], ["", "LX", "D", "D"], on_error="mark")
    assert [each.status for each in found] == ["error", "error", "solved", "error"]
    assert found[0].board is None and found[0].shortest is None and str(found[0]).startswith("error: board 0: 'xx'")
    assert found[1].to_dict()["error"].startswith("board 1: moves 'LX': cannot read 'X'")
    assert found[2].distances == (31, 30) and isinstance(found[2], Analysis)


def test_limits_are_answers(small_tables):
    solver, (hard, _) = Solver("5-5-5", tables=small_tables), HARD["stm"]
    moves, _ = walk(np.random.default_rng(1), hard, 10)
    for limit in ({"max_nodes": 1000}, {"time_limit_s": 0.05}):
        found = solver.analyse(hard, moves, **limit)
        assert (found.status, found.distances, found.mistakes, found.shortest) == ("limit", (), (), None)
        assert str(found) == found.table() == "limit: the distance is not known"
    solver = Solver("6-6-3", tables=small_tables)
    board = Board("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15")
    solution = solver.solve(board)
    wrong = next(letter for letter in board.legal_moves() if letter not in solver.hint(board).best_moves)
    back = "UDLR"["DURL".index(solution.moves[0])]
    found = solver.analyse(board, solution.moves[0] + back + wrong, max_nodes=1 << 60)
    assert found.distances == (53, 52, 53, 54)
    found = solver.analyse(board, wrong, max_nodes=solution.generated)
    assert (found.status, found.distances, found.finish) == ("limit", (53,), solution.moves)
    assert str(found) == "1 move, shortest 53, lost 0, limit: known up to move 0"
