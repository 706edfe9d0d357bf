"""The interface without sockets: its answers are those of the library, its sentences name the field."""

import json

import pytest

from puzzle15 import Board, Solver, search
from puzzle15.page._api import ENDPOINTS, Api, Refused
from puzzle15.searches import ALGORITHMS
from puzzle15.solver._solution import SEARCH_FIELDS

FAR = "8 6 7/2 5 4/3 0 1"
HARD = "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1"
UNSOLVABLE = "1 2 3/4 5 6/8 7 0"


@pytest.fixture(scope="module")
def api():
    return Api(10.0, 1 << 28)


@pytest.fixture(scope="module")
def ask(api):
    """The record of an endpoint, as JSON holds it."""

    def ask(name, **fields):
        record = api.answer(name, json.dumps(fields).encode())
        assert json.loads(json.dumps(record, allow_nan=False)) == record
        return record

    return ask


def timeless(record):
    improvements = [timeless(better) for better in record.get("improvements", ())]
    return {name: value for name, value in record.items() if name != "seconds"} | {"improvements": improvements}


@pytest.mark.parametrize("board", [FAR, "1 2 3/4 5 6/7 8 0", "13425786_", "1 2 3 4/5 0 6 7"])
def test_hints_and_solutions_are_those_of_the_library(ask, board):
    solver = Solver(shape=Board(board).shape)
    assert timeless(ask("hint", board=board)) == timeless(solver.hint(board).to_dict())
    solution = solver.solve(board).to_dict(convention="blank")
    answer = ask("solve", board=board, convention="blank")
    assert timeless(answer).items() <= timeless(solution).items()
    assert set(solution) - set(answer) == set(SEARCH_FIELDS)
    multi_tile = Solver(shape=solver.shape, metric="mtm")
    multi = ask("solve", board=board, metric="mtm")
    assert (multi["metric"], multi["length"]) == ("mtm", multi_tile.distance(board))
    assert timeless(ask("hint", board=board, metric="mtm")) == timeless(multi_tile.hint(board).to_dict())


def test_analyses_are_those_of_the_library(ask):
    board = "1 2 3/4 5 6/0 7 8"
    for moves in ("", "LRLL", "L R, L2", "LRLDUL"):
        for metric in ("stm", "mtm"):
            expected = Solver(shape=(3, 3), metric=metric).analyse(board, moves).to_dict()
            assert ask("analyse", board=board, moves=moves, metric=metric) == expected


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_searches_are_those_of_the_library(ask, algorithm):
    board = "1 2 3/0 5 6/4 7 8"
    heuristic = "linear-conflict" if ALGORITHMS[algorithm].informed else None
    fields = {} if heuristic is None else {"heuristic": heuristic}
    expected = search(board, algorithm=algorithm, **fields).to_dict()
    assert timeless(ask("search", board=board, algorithm=algorithm, **fields)) == timeless(expected)


def test_heuristics_and_goals(ask):
    near = str(Board.goal().apply("DRDRUL"))
    for heuristic in ("zero", "misplaced", "reversal", "walking-distance", "tables", "ann"):
        assert ask("search", board=near, algorithm="a*", heuristic=heuristic)["length"] == 6
    assert ask("hint", board="1 0 2/3 4 5/6 7 8", goal="blank-first")["moves"] == "R"
    assert ask("solve", board="0 1 2/3 4 5/6 7 8", goal="1 0 2/3 4 5/6 7 8")["moves"] == "L"
    assert ask("scramble", goal="0 1/2 3", distance=3)["goal"] == "0 1/2 3"


def test_scrambles(ask):
    for shape, distance in (("3x3", 20), ("2x4", 7), ("4x4", 0), ("4x4", 12)):
        record = ask("scramble", shape=shape, distance=distance, seed=7)
        assert ask("hint", board=record["board"])["distance"] == distance == record["distance"]
        assert ask("scramble", shape=shape, distance=distance, seed=7) == record
        assert record["distribution"] == f"distance:{distance}"
    record = ask("scramble")
    assert ask("scramble", seed=record["seed"]) == record and record["distance"] is None
    assert record["distribution"] == "uniform"
    assert Board(record["board"]).shape == (4, 4) and Board(record["board"]).is_solvable()


def test_a_limit_is_no_error(ask):
    assert ask("hint", board=FAR, max_nodes=1e9, time_limit_s=5)["status"] == "solved"  # whole, as in JSON Schema
    nodes = {"algorithm": "branch-and-bound", "max_nodes": 1000}
    for name, more in (("solve", {}), ("hint", {}), ("search", {"algorithm": "ida*"}), ("search", nodes)):
        record = ask(name, board=HARD, time_limit_s=0.05, **more)
        assert record["status"] == "limit" and record["lower_bound"] > 20 and record["error"] is None
    assert ask("analyse", board=HARD, moves="", time_limit_s=0)["distances"] == []
    assert ask("scramble", shape="3x5", distance=60, time_limit_s=0)["board"] is None
    assert ask("search", board=HARD, algorithm="hill-climbing")["status"] == "failed"
    record = Api(10.0, 1 << 20).answer("search", json.dumps({"board": HARD, "algorithm": "a*"}).encode())
    assert record["status"] == "limit" and record["memory_bytes"] <= 1 << 20


NOT_JSON, NO_OBJECT = "the body: it is not JSON in UTF-8: ", "the body: expected a JSON object"

#: Bodies of a hint that are no request, and how the sentence begins.
BODIES = [
    *((body, NOT_JSON) for body in (b"", b"\xff", b"\xef\xbb\xbf{}", '{"board": "1 2/3 0"}'.encode("utf-16"), b"[")),
    *((body, NOT_JSON) for body in (b"{} {}", b"[" * 16_000, b'{"board": ' + b"[" * 200_000 + b"]" * 200_000 + b"}")),
    *((body, NO_OBJECT) for body in (b"7", b"null", b'"board"', b"[]")),
    (b"{}", "board: it is missing"),
    (b'{"board": NaN}', "board: NaN; expected a text"),
    (b'{"board": 7}', "board: 7; expected a text"),
    (b'{"board": null}', "board: null; expected a text"),
    (b'{"board": ["1", 2]}', 'board: ["1", 2]; expected a text'),
    (b'{"board": {"a": 1}}', 'board: {"a": 1}; expected a text'),
    (b'{"board": true}', "board: true; expected a text"),
    (b'{"board": "", "\\ud800": 1}', '"\\ud800": no such field; expected board, goal, convention'),
]

#: A board, and what is wrong with it.
BOARDS = {
    "1" * 401: 'board: "111',
    "": "",
    "\ud800": "",
    "\x00\x1b[31m": "",
    "1 2 3/4 5 6/7 8 8": "'1 2 3/4 5 6/7 8 8': tile 8 occurs twice",
}

#: Fields of a hint beside a good board, and how the sentence begins.
FIELDS = [
    ({"goal": "1 2/0 3", "board": "1 2 3/4 5 6/7 8 0"}, "1 2 3/4 5 6/7 8 0"),
    ({"goal": "nowhere"}, "'nowhere'"),
    ({"bord": 1}, '"bord": no such field; expected board, goal, convention'),
    ({"x" * 1000: 1}, '"xxx'),
    ({"convention": "sideways"}, 'convention: "sideways"; expected one of tile, blank'),
    ({"convention": ["tile"]}, 'convention: ["tile"]; expected one of tile, blank'),
    ({"time_limit_s": "1"}, 'time_limit_s: "1"; expected a number from 0 to 10'),
    ({"time_limit_s": 10.1}, "time_limit_s: 10.1; expected"),
    ({"time_limit_s": True}, "time_limit_s: true; expected"),
    ({"time_limit_s": float("-inf")}, "time_limit_s: -Infinity; expected a number from 0"),
    ({"time_limit_s": float("inf")}, "time_limit_s: Infinity; expected a number from 0"),
    ({"max_nodes": float("nan")}, "max_nodes: NaN; expected a whole number"),
    ({"max_nodes": float("inf")}, "max_nodes: Infinity; expected a whole number"),
    ({"max_nodes": 1.5}, "max_nodes: 1.5; expected a whole number"),
    ({"max_nodes": -1}, "max_nodes: -1; expected a whole number"),
    ({"max_nodes": 10**20 - 1}, "max_nodes: 99999999999999999999; expected"),
]

#: Requests that need another status or belong to another endpoint.
OTHERS = [
    *((name, {"board": UNSOLVABLE}, 422, f"{UNSOLVABLE} cannot reach") for name in ("solve", "hint")),
    ("analyse", {"board": UNSOLVABLE, "moves": ""}, 422, f"{UNSOLVABLE} cannot reach"),
    ("search", {"board": UNSOLVABLE, "algorithm": "a*"}, 422, f"{UNSOLVABLE} cannot reach"),
    ("solve", {"board": FAR, "metric": "steps"}, 400, 'metric: "steps"; expected one of stm, mtm'),
    ("analyse", {"board": FAR}, 400, "moves: it is missing"),
    ("analyse", {"board": FAR, "moves": "X"}, 400, "moves 'X'"),
    ("analyse", {"board": FAR, "moves": "U"}, 400, ""),
    ("analyse", {"board": FAR, "moves": "U" * 10_001}, 400, 'moves: "UUU'),
    ("search", {"board": FAR}, 400, "algorithm: it is missing"),
    ("search", {"board": FAR, "algorithm": "magic"}, 400, 'algorithm: "magic"; expected one of breadth-first'),
    ("search", {"board": FAR, "algorithm": "a*", "heuristic": "ann:/etc/passwd"}, 400, 'heuristic: "ann:/etc'),
    ("search", {"board": FAR, "algorithm": "a*", "heuristic": "ann"}, 400, "heuristic 'ann': "),
    ("search", {"board": FAR, "algorithm": "breadth-first", "heuristic": "zero"}, 400, "heuristic: breadth-first"),
    ("search", {"board": HARD, "algorithm": "depth-first"}, 400, "max_length: depth-first needs one"),
    ("search", {"board": FAR, "algorithm": "a*", "tree": 1}, 400, '"tree": no such field'),
    ("scramble", {"shape": "9x9"}, 400, 'shape: "9x9"; expected one of 2x2'),
    ("scramble", {"shape": "3x3", "distance": 32}, 400, "distance 32: expected 0 .. 31"),
    ("scramble", {"shape": "3x3", "goal": "1 2/3 0"}, 400, "'1 2/3 0'"),
    ("scramble", {"seed": 2**53}, 400, "seed: 9007199254740992; expected"),
]


def test_what_is_refused(api):
    requests = [("hint", body, 400, sentence) for body, sentence in BODIES]
    requests += [("hint", {"board": board}, 400, sentence) for board, sentence in BOARDS.items()]
    requests += [("hint", {"board": "1 2/3 0", **fields}, 400, sentence) for fields, sentence in FIELDS]
    requests.append(("hint", b'{"board": "1 2/3 0", "max_nodes": ' + b"9" * 15_000 + b"}", 400, ""))
    for name, body, status, beginning in [*requests, *OTHERS]:
        with pytest.raises(Refused) as raised:
            api.answer(name, body if isinstance(body, bytes) else json.dumps(body).encode())
        found, sentence = raised.value.args
        assert found == status and sentence.startswith(beginning), (body, sentence)
        assert "\n" not in sentence and len(sentence) < 400
        json.dumps(sentence).encode("ascii")


#: A question for each endpoint.
QUESTIONS = {
    **dict.fromkeys(("solve", "hint"), {"board": FAR}),
    "analyse": {"board": "1 2 3/4 5 6/0 7 8", "moves": "LRLL"},
    "search": {"board": FAR, "algorithm": "a*", "heuristic": "manhattan"},
    "scramble": {"shape": "3x3", "distance": 20, "seed": 1},
}


def test_the_description(api, ask):
    """Its schemas say what is answered and what is refused: of each field a few values."""
    description = api.describe()
    assert json.loads(json.dumps(description, allow_nan=False))["openapi"].startswith("3.1")
    assert set(description["paths"]) == {f"/api/{name}" for name in ENDPOINTS} == {f"/api/{name}" for name in QUESTIONS}
    for name, question in QUESTIONS.items():
        content = description["paths"][f"/api/{name}"]["post"]["requestBody"]["content"]
        schema = content["application/json"]["schema"]
        assert ask(name, **question)["status"] == "solved" and set(schema["required"]) <= set(question)
        for field, kind in schema["properties"].items():
            assert kind["description"].endswith(".")
            if kind["type"] == "string":
                assert ("enum" in kind) != ("maxLength" in kind)
                bad = [7, None, "x" * 10_001] + ["x"] * ("enum" in kind)
            else:
                assert kind["minimum"] == 0 and kind["type"] in ("number", "integer")
                bad = ["1", True, -1, kind["maximum"] * 2] + [0.5] * (kind["type"] == "integer")
            for value in bad:
                with pytest.raises(Refused, match=f"{field}: "):
                    ask(name, **{**question, field: value})
        for field in schema["required"]:
            with pytest.raises(Refused, match=f"{field}: it is missing"):
                ask(name, **{each: value for each, value in question.items() if each != field})
    limited = Api(3, 0).describe()["paths"]["/api/hint"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert limited["properties"]["time_limit_s"]["maximum"] == limited["properties"]["time_limit_s"]["default"] == 3
