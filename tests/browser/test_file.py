"""The page answers as the package does."""

import pytest

from puzzle15 import Board, Solver
from puzzle15.searches import search

#: Algorithms, and the options of the package for what the page does.
SEARCHES = ("breadth-first", "bidirectional", "iterative-deepening", "ida*", "a*", "greedy", "branch-and-bound", "beam")
MORE = ("hill-climbing", "mm", "mme", "nbs", "rbfs", "breadth-first-heuristic")

ASK = """async questions => {
    const answers = [];
    for (const question of questions)
        answers.push(await window.puzzle15.exact.ask(question).catch(({ name, message }) => ({ name, message })));
    return answers; }"""


@pytest.fixture
def opened(open_page):
    return open_page().page


def test_hints_and_solutions_are_those_of_the_package(opened):
    boards = [Board.random(seed, goal=Board.goal(shape)) for shape in ((3, 3), (2, 5), (4, 4)) for seed in range(5)]
    boards += [Board.random(seed, goal="0 1 2/3 4 5/6 7 8") for seed in range(3)]
    goals = [Board.goal(board.shape) for board in boards[:15]] + [Board("0 1 2/3 4 5/6 7 8")] * 3
    ask = [{"board": str(board), "goal": str(goal)} for board, goal in zip(boards, goals)]
    hints = opened.evaluate(ASK, [{"kind": "hint", **each} for each in ask])
    solutions = opened.evaluate(ASK, [{"kind": "solve", **each} for each in ask])
    for board, goal, hint, found in zip(boards, goals, hints, solutions):
        solver = Solver("embedded", goal=goal)
        assert hint["distance"] == solver.distance(board) and set(hint["moves"]) == set(solver.hint(board).moves)
        assert found["distance"] == len(found["moves"]) == hint["distance"]
        assert board.apply(found["moves"]) == goal


@pytest.mark.parametrize("text", ["1 2 0/8 7 3/5 4 6", "4 1 3/0 2 6/7 5 8"])
def test_searches_count_what_those_of_the_package_count(opened, text):
    ask = {"kind": "search", "board": text, "goal": "1 2 3/4 5 6/7 8 0", "heuristics": ["manhattan"]}
    answers = opened.evaluate(ASK, [{**ask, "algorithm": name} for name in SEARCHES + MORE])
    for name, found in zip(SEARCHES + MORE, answers):
        solution = search(text, algorithm=name)
        counts = found["state"] == "solved", found["expanded"], found["generated"]
        assert counts == (solution.status == "solved", solution.expanded, solution.generated), name
        assert len(found["iterations"]) == len(solution.iterations), name


def test_bad_boards_and_a_worker_that_is_ended(opened):
    goal = "1 2 3/4 5 6/7 8 0"
    [bad, good] = opened.evaluate(
        ASK,
        [
            {"kind": "hint", "board": "2 1 3/4 5 6/7 8 0", "goal": goal},
            {"kind": "hint", "board": "1 2 3/4 5 6/7 0 8", "goal": goal},
        ],
    )
    assert "cannot reach" in bad["message"] and (good["distance"], good["moves"]) == (1, "L")
    opened.evaluate("() => window.puzzle15.exact.restart()")
    [good] = opened.evaluate(ASK, [{"kind": "hint", "board": "1 2 3/4 5 6/0 7 8", "goal": goal}])
    assert (good["distance"], good["moves"]) == (2, "L")


def test_what_takes_long_is_bounded_and_cancelled(opened):
    far = Board("15 14 8 12/10 11 9 13/2 6 5 1/7 3 4 0")
    question = {
        "kind": "search",
        "board": str(far),
        "goal": str(Board.goal((4, 4))),
        "heuristics": ["manhattan"],
        "seconds": 0.2,
    }
    [found] = opened.evaluate(ASK, [{**question, "algorithm": "ida*"}])
    assert found["name"] == "time"
    name = opened.evaluate(
        """async question => {
            const stop = new AbortController();
            const whole = { ...question, seconds: 60, algorithm: "ida*" };
            const asked = window.puzzle15.exact.ask(whole, { signal: stop.signal });
            setTimeout(() => stop.abort(), 100);
            return asked.then(() => "answer", ({ name }) => name); }""",
        question,
    )
    assert name == "cancelled"
