"""The compiled core of the page under node: what it answers and counts is what the package does."""

import json
import math
import runpy
from functools import cache

import pytest
from page_worker import ask, content, needs_node
from readmes import ROOT
from searching import near
from twins import distances, neighbours

from puzzle15 import Board, Solver
from puzzle15.page._recording import trace_of
from puzzle15.searches import ALGORITHMS, search

pytestmark = needs_node

GOAL = "1 2 3/4 5 6/7 8 0"
HEURISTICS = ("manhattan", "linear-conflict", "misplaced", "walking-distance")
FAR = "15 14 8 12/10 11 9 13/2 6 5 1/7 3 4 0"


def own_algorithms():
    return [name for name, kind in ALGORITHMS.items() if kind.function is None]


def some_boards():
    """(board, goal): twenty of four shapes, some of them with other goals."""
    for seed in range(12):
        goal = Board.goal((3, 3)) if seed % 4 else Board.random(seed, shape=(3, 3))
        yield Board.random(100 + seed, goal=goal), goal
    for seed, shape in enumerate([(2, 4), (4, 2), (2, 5), (3, 4), (4, 4), (4, 4), (4, 4), (2, 2)]):
        goal = Board.goal(shape, 0 if seed % 2 else None)
        yield near(goal, seed, 12), goal


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.sweep(1, 1)
def test_every_algorithm_counts_what_that_of_the_package_counts(first):
    """On half of the boards."""
    boards = [*some_boards()][first::2]
    questions = [
        {"kind": "search", "board": str(board), "goal": str(goal), "algorithm": name, "heuristics": [heuristic]}
        for number, (board, goal) in enumerate(boards, first)
        for heuristic in [HEURISTICS[number % len(HEURISTICS)]]
        for name in own_algorithms()
        if name != "depth-first" or math.prod(board.shape) <= 9  # on larger boards it takes too long
    ]
    large = sum(math.prod(board.shape) > 9 for board, _ in boards)
    assert len(questions) == 10 * 21 - large and large > 1
    for question, found in zip(questions, ask(questions)):
        board, goal, name, [heuristic] = (question[each] for each in ("board", "goal", "algorithm", "heuristics"))
        options = {"heuristic": heuristic} if ALGORITHMS[name].informed else {}
        solution, answer = search(board, algorithm=name, goal=goal, **options), found["answer"]
        assert (answer["state"], answer["optimal"]) == (solution.status, solution.optimal), question
        assert (answer["length"], answer["moves"]) == (solution.length, solution.moves), question
        assert answer["lower_bound"] == solution.lower_bound, question
        assert (answer["expanded"], answer["generated"]) == (solution.expanded, solution.generated), question
        assert [tuple(each) for each in answer["iterations"]] == list(solution.iterations), question


def distance_of(board):
    return distances((3, 3), Board(GOAL).tiles)[board]


@cache
def solutions_of(board):
    """All shortest solutions of a 3x3 board."""
    if not distance_of(board):
        return [""]
    closer = ((move, child) for move, child in neighbours((3, 3), board).items() if is_closer(child, board))
    return [move + rest for move, child in closer for rest in solutions_of(child)]


def is_closer(board, other):
    return distance_of(board) < distance_of(other)


@pytest.mark.parametrize("count", [300, pytest.param(13_000, marks=pytest.mark.nightly)])
def test_hints_and_all_shortest_solutions(count):
    """In one session, whose graph grows with each question, and which is forgotten now and then."""
    boards = [board.tiles for board in (Board.random(seed, shape=(3, 3)) for seed in range(count))]
    ask_of = {"goal": GOAL, "most": 10_000}
    questions = [
        {"kind": kind, "board": str(Board(board)), **ask_of, **({"cancel": 0} if number % 50 == 7 else {})}
        for number, board in enumerate(boards)
        for kind in ("hint", "solutions")
    ]
    answers = iter(ask(questions))
    for board in boards:
        hint, found = next(answers), next(answers)
        if "answer" in hint:  # cancelled ones may have none
            expected = {move for move, child in neighbours((3, 3), board).items() if is_closer(child, board)}
            assert (hint["answer"]["distance"], set(hint["answer"]["moves"])) == (distance_of(board), expected), board
        if "answer" in found:
            every = solutions_of(board)
            assert found["answer"]["count"] == len(every) == len(found["answer"]["solutions"]), board
            assert sorted(found["answer"]["solutions"]) == sorted(every), board


def test_other_goals_and_shapes():
    cases = [(board, goal) for board, goal in some_boards() if board.shape != (4, 4)]
    kinds = ("hint", "solve", "solutions")
    questions = [{"kind": kind, "board": str(b), "goal": str(g), "most": 5} for b, g in cases for kind in kinds]
    answers = iter(ask(questions))
    for board, goal in cases:
        hint, solved, found = (next(answers)["answer"] for _ in range(3))
        solver = Solver("embedded", goal=goal)
        expected = solver.hint(board)
        assert (hint["distance"], set(hint["moves"])) == (expected.distance, set(expected.best_moves))
        assert solved["distance"] == len(solved["moves"]) == expected.distance == solved["lower_bound"]
        assert board.apply(solved["moves"]) == goal
        assert found["count"] == solver.all_solutions(board).count()


def test_the_distances_along_moves():
    """Those of the boards after each move, some of which undo the one before."""
    goals = {str(goal): goal for _, goal in some_boards() if math.prod(goal.shape) < 16}.values()
    cases = [(Board.random(seed, goal=goal), goal, "") for seed, goal in enumerate(goals)]
    for number, (board, goal, moves) in enumerate(cases):
        for step in range(10):
            legal = board.apply(moves).legal_moves()
            moves += legal[(number + step) % len(legal)]
        cases[number] = board, goal, moves
    answers = ask({"kind": "analyse", "board": str(b), "goal": str(g), "moves": moves} for b, g, moves in cases)
    for (board, goal, moves), found in zip(cases, answers):
        expected = [Solver("embedded", goal=goal).distance(board.apply(moves[:at])) for at in range(11)]
        assert found["answer"]["distances"] == expected


def test_searches_with_tables_find_the_shortest_solutions():
    cases = [(board, goal) for board, goal in some_boards() if math.prod(board.shape) <= 12]
    questions = [
        {"kind": "search", "board": str(board), "goal": str(goal), "algorithm": "a*", "heuristics": [heuristic]}
        for board, goal in cases
        for heuristic in ("tables", "manhattan")
    ]
    answers = iter(ask([{**each, "watch": 3} if each["heuristics"] == ["tables"] else each for each in questions]))
    whole = iter(ask(questions))
    for board, goal in cases:
        first, _ = next(answers)["answer"], next(answers)
        with_tables, plain = next(whole)["answer"], next(whole)["answer"]
        distance = Solver("embedded", goal=goal).distance(board)
        assert with_tables["length"] == plain["length"] == distance and with_tables["optimal"]
        assert board.apply(with_tables["moves"]) == goal and with_tables["expanded"] <= plain["expanded"]
        root = first["expansions"][0]
        assert root["board"] == str(board) and board.manhattan(goal) <= root["h"] <= distance


def test_the_search_is_that_of_the_signature(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bench")
    random_board = runpy.run_path(str(ROOT / "bench" / "shared.py"))["random_board"]
    lines = (ROOT / "tests" / "golden" / "signature.txt").read_text().splitlines()
    for name, shape, count in (("3x4", (3, 4), 1), ("4x4 embedded", (4, 4), 10)):
        [expected] = (line.removeprefix(name).split() for line in lines if line.startswith(name))
        goal = str(Board.goal(shape))
        boards = [random_board(seed, shape) for seed in range(count)]
        answers = [each["answer"] for each in ask({"kind": "solve", "board": str(b), "goal": goal} for b in boards)]
        found = [sum(each[figure] for each in answers) for figure in ("distance", "expanded", "generated")]
        assert found == [int(figure) for figure in expected], name


# ------------------------------------------------------------------------------------------ limits and accidents


def searching(algorithm, board=FAR, **options):
    goal = str(Board.goal(Board(board).shape))
    question = {"kind": "search", "board": board, "goal": goal, "algorithm": algorithm, "heuristics": ["manhattan"]}
    return {**question, **options}


HINT = {"kind": "hint", "board": "1 2 3/4 5 6/0 7 8", "goal": GOAL}


def test_a_search_out_of_time_or_cancelled_tells_what_is_proved():
    timed, stopped, hint = ask([searching("ida*", seconds=0.1), searching("greedy", cancel=30), HINT])
    assert timed["error"]["name"] == "time"
    bounds = [each["lower_bound"] for each in timed["progress"]] + [timed["error"]["progress"]["lower_bound"]]
    assert bounds == sorted(bounds) and bounds[0] >= Board(FAR).manhattan() and bounds[-1] % 2 == 0
    assert "answer" in stopped or stopped["error"]["name"] == "cancelled"
    assert hint["answer"] == {"distance": 2, "moves": "L"}


def test_an_exact_answer_out_of_time_tells_its_own_bound():
    """Not that of the board before. This board takes more than 25 seconds, and 0.3 seconds give a few reports."""
    hard = "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"
    ask_far = {"kind": "hint", "board": hard, "goal": str(Board.goal()), "seconds": 0.3}
    near_one, far, after = ask([{**ask_far, "board": str(near(Board.goal(), 3, 12)), "seconds": 60}, ask_far, HINT])
    assert far["error"]["name"] == "time" and "answer" in near_one and after["answer"]["distance"] == 2
    assert far["progress"] and all(each["lower_bound"] > 40 for each in [far["error"]["progress"], *far["progress"]])


def test_a_cancelled_question_leaves_nothing_to_those_that_follow():
    """The list of all solutions of a far board asks for thousands of searches, which end with it."""
    goal = str(Board.goal())
    far = str(Board.random(5))
    long = {"kind": "solutions", "board": far, "goal": goal, "most": 10, "seconds": 0.05}
    answers = ask([long, {"kind": "hint", "board": far, "goal": goal}, {**long, "seconds": 60}])
    assert answers[1]["answer"]["distance"] == Solver("embedded").distance(far)
    assert answers[2]["answer"]["count"] == Solver("embedded").all_solutions(far).count()


def test_a_search_without_room_says_so():
    [few] = ask([searching("breadth-first", board=str(Board.random(1)))], max_bytes=8 << 20)
    assert few["answer"]["state"] == "no room" and few["answer"]["moves"] is None and few["answer"]["lower_bound"] > 5


def test_no_memory_is_an_error_and_the_core_is_used_again():
    big = searching("a*", "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15", starve=True)
    first, refused, again = ask([HINT, big, HINT])
    assert first["answer"] == again["answer"]
    assert "memory" in refused["error"]["message"] if "error" in refused else refused["answer"]["state"] == "no room"


def test_a_core_that_ends_is_made_anew():
    trapped, hint, ended, found = ask([{**HINT, "trap": True}, HINT, searching("a*", trap=True), searching("greedy")])
    assert "unreachable" in trapped["error"]["message"] and hint["answer"] == {"distance": 2, "moves": "L"}
    assert "unreachable" in ended["error"]["message"] and found["answer"]["state"] == "solved"


def test_a_question_that_is_cancelled_before_its_turn():
    waiting = {**HINT, "cancel": 0}
    long, cancelled, hint = ask([searching("ida*", seconds=0.2, beside=[waiting, HINT])])
    assert long["error"]["name"] == "time" and hint["answer"] == {"distance": 2, "moves": "L"}
    assert cancelled == {"error": {"name": "cancelled", "message": "cancelled"}, "progress": []}


def test_more_goals_than_the_core_remembers():
    """The oldest session ends; that of the first goal is made anew."""
    shapes = [(3, 3), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)]
    boards = [near(Board.goal(shape), seed, 9) for seed, shape in enumerate(shapes)]
    answers = ask({"kind": "hint", "board": str(b), "goal": str(Board.goal(b.shape))} for b in boards)
    for board, found in zip(boards, answers):
        assert found["answer"]["distance"] == Solver("embedded", goal=Board.goal(board.shape)).distance(board)


def test_tables_that_the_core_refuses():
    tables = json.loads(content("data"))["tables"]
    wrong = {**tables, "3x3": [[[[255, 255], "012345678"]]] * 9}
    other = {"kind": "hint", "board": "1 2/0 3", "goal": "1 2/3 0"}
    refused, again, found = ask([HINT, HINT, other], tables=wrong)
    assert refused["error"] == again["error"] and refused["error"]["message"].startswith("The core reports: ")
    assert found["answer"] == {"distance": 1, "moves": "L"}


def test_questions_that_cannot_be_answered():
    unsolvable, toward, unknown = ask(
        [{**HINT, "board": "2 1 3/4 5 6/7 8 0"}, searching("mm", heuristics=["tables"]), {**HINT, "kind": "else"}]
    )
    assert "cannot reach" in unsolvable["error"]["message"] and "toward the board" in toward["error"]["message"]
    assert "error" in unknown


def test_the_ties_and_the_expansions_of_a_search():
    board = "1 2 0/8 7 3/5 4 6"
    every = ("fifo", "lifo", "larger-g")
    *answers, few = ask(
        [
            *(searching("a*", board, options={"ties": ties}, watch=1000) for ties in every),
            searching("a*", board, watch=5),
        ]
    )
    for ties, found in zip(every, answers):
        seen = []
        solution = search(board, algorithm="a*", ties=ties, on_expand=seen.append)
        assert found["answer"]["expanded"] == solution.expanded
        expansions = found["answer"]["expansions"]
        assert [(each["board"], each["g"], each["h"]) for each in expansions] == [
            (str(each.board), each.g, each.h) for each in seen
        ]
        for mine, own in zip(expansions, seen):
            children = [(child["board"], child["move"], child["fate"]) for child in mine["children"]]
            assert children == [(str(child.board), child.move, child.fate) for child in own.children]
    assert len(few["answer"]["expansions"]) == 5 and few["answer"]["truncated"]


def without(record, *names):
    return {name: value for name, value in record.items() if name not in names}


@pytest.mark.parametrize("board", ["1 2 0/8 7 3/5 4 6", "3 1 2/0 4 5/6 7 8"])
def test_the_first_expansions_of_every_algorithm(board):
    """With their bounds, iterations and sides."""
    goal = GOAL if board.startswith("1") else "0 1 2/3 4 5/6 7 8"
    names = own_algorithms()
    for name, found in zip(names, ask({**searching(name, board), "goal": goal, "watch": 100} for name in names)):
        seen = []
        search(board, algorithm=name, goal=goal, on_expand=seen.append, max_nodes=10_000)
        expected = [without(each, "id", "f") for each in trace_of(seen[:100])]
        expansions = [without(each, "id") for each in found["answer"]["expansions"]]
        for each in (*expected, *expansions):
            each["children"] = [without(child, "id", "f") for child in each["children"]]
            each["iteration"] = 0 if name == "depth-first" else each["iteration"]  # the core calls the only one 1
        assert expansions == expected, name


def test_scrambles_are_at_their_distance():
    cases = [("3x3", 27), ("3x3", 4), ("4x4", 40), ("2x5", None)]
    questions = [
        {"kind": "scramble", "goal": str(Board.goal(tuple(map(int, shape.split("x"))))), "distance": far, "seed": 1}
        for shape, far in cases
    ]
    for (_, far), question, found in zip(cases, questions, ask(questions)):
        board, distance = found["answer"]["board"], found["answer"]["distance"]
        assert Solver("embedded", goal=question["goal"]).distance(board) == distance and far in (None, distance)


def test_no_board_at_a_distance_that_is_too_far():
    [found] = ask([{"kind": "scramble", "goal": GOAL, "distance": 32, "seed": 1}])
    assert found["answer"] == {"board": None, "distance": 32}
