"""The workers of the page in a browser, from the file and from the server; what they answer is tested under node."""

import pytest

from puzzle15 import Board, Solver
from puzzle15.page import Server
from puzzle15.searches import search

GOAL = "1 2 3/4 5 6/7 8 0"
ASK = """async questions => {
    const answers = [];
    for (const question of questions)
        answers.push(await window.puzzle15.exact.ask(question).catch(({ name, message }) => ({ name, message })));
    return answers; }"""
CANCEL = """question => {
    const stop = new AbortController();
    const asked = window.puzzle15.searcher.ask(question, { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    return asked.then(() => "answer", ({ name }) => name); }"""


@pytest.fixture(params=["file", "server"])
def address(address, request):
    """The address of the page in both places. The server's header of the policy allows what the page does."""
    if request.param == "file":
        yield address
    else:
        with Server() as server:
            yield server.address


def check_answers(page):
    """Hints, solutions and searches are those of the package."""
    boards = [Board.random(seed, goal=Board.goal(shape)) for seed, shape in enumerate([(3, 3), (2, 5), (4, 4)])]
    for board in boards:
        question = {"board": str(board), "goal": str(Board.goal(board.shape))}
        hint, found = page.evaluate(ASK, [{**question, "kind": "hint"}, {**question, "kind": "solve"}])
        expected = Solver("embedded", goal=Board.goal(board.shape)).hint(board)
        assert (hint["distance"], set(hint["moves"])) == (expected.distance, set(expected.best_moves))
        assert len(found["moves"]) == expected.distance and board.apply(found["moves"]).is_goal()
    search_of = {"kind": "search", "board": "1 2 0/8 7 3/5 4 6", "goal": GOAL, "algorithm": "a*"}
    [found] = page.evaluate(ASK, [{**search_of, "heuristics": ["manhattan"]}])
    solution = search(search_of["board"], algorithm="a*", heuristic="manhattan")
    assert (found["expanded"], found["generated"]) == (solution.expanded, solution.generated)


def test_workers_answer_and_are_started_again(open_page):
    page = open_page().page
    check_answers(page)
    [bad] = page.evaluate(ASK, [{"kind": "hint", "board": "2 1 3/4 5 6/7 8 0", "goal": GOAL}])
    assert "cannot reach" in bad["message"]
    page.evaluate("() => window.puzzle15.exact.restart()")
    check_answers(page)


def test_what_takes_long_is_bounded_and_cancelled(open_page):
    page = open_page().page
    question = {"kind": "search", "board": "15 14 8 12/10 11 9 13/2 6 5 1/7 3 4 0", "goal": str(Board.goal())}
    question |= {"algorithm": "ida*", "heuristics": ["manhattan"]}
    assert page.evaluate(ASK, [{**question, "seconds": 0.2}])[0]["name"] == "time"
    assert page.evaluate(CANCEL, {**question, "seconds": 60}) == "cancelled"
