"""Every public way to ask gives the oracle's answers; run.py asks for as long as you like."""

import ast
from pathlib import Path

import pytest
from problems import SHAPES, Check, Wrong
from run import compare
from truth import Known, goal_of
from ways import LEFT_OUT, WAYS

from puzzle15.board import depth_counts

SEED = 47
LACKING = {name: [pytest.mark.skipif(True, reason="gymnasium or node is not installed")] for name in LEFT_OUT}
EXTRA = {"environments": [pytest.mark.extra]}
NAMES = [pytest.param(name, marks=[*LACKING.get(name, []), *EXTRA.get(name, [])]) for name in WAYS]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("oracle")


@pytest.mark.parametrize("name", NAMES)
def test_a_way_to_ask(name, folder):
    check = Check()
    for number in range(2):
        compare(name, SEED, number, folder, check)
    assert check.count > 0


@pytest.mark.parametrize("count", [3, pytest.param(40, marks=pytest.mark.nightly)])
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_way_to_ask_often(name, folder, count):
    check = Check()
    for number in range(count):
        compare(name, SEED + 1, number, folder, check)
    assert check.count >= count


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_oracle_knows_as_many_boards_at_each_distance_as_are_published(shape):
    known = Known(shape, [goal_of(shape, shape[0] * shape[1] - 1)])
    counts = [int((known.distances == distance).sum()) for distance in range(known.distances.max() + 1)]
    assert counts == list(depth_counts(shape))


def test_the_oracle_calls_nothing_of_the_package():
    tree = ast.parse(Path(__file__).with_name("truth.py").read_text())
    imported = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert imported and all("puzzle15" not in ast.dump(node) for node in imported)


def test_a_wrong_answer_is_noticed():
    check = Check()
    with pytest.raises(Wrong, match="3, and not 4: 'a board'"):
        check.equal(3, 4, "a board")
