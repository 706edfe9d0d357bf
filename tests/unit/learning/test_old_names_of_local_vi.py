"""Arguments of local value iteration that could be given by place."""

import pytest

from puzzle15 import LocalValueIteration

BOARDS = ["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 8 0"]


def test_arguments_by_place():
    learner = LocalValueIteration(initial_size=2, gamma=0.8, shape=(3, 3))
    calls = []
    for old, new in [
        (lambda: repr(LocalValueIteration(2, 0.8, (3, 3))), repr(learner)),
        (
            lambda: learner.solve_many(BOARDS, 2).lengths.tolist(),
            learner.solve_many(BOARDS, workers=2).lengths.tolist(),
        ),
        (lambda: learner.train(lambda *call: calls.append(call)), learner.train()),
        (lambda: learner.analyse(lambda *call: calls.append(call)).bounds, learner.analyse().bounds),
    ]:
        with pytest.warns(DeprecationWarning, match="; the next release "):
            assert old() == new
    assert calls
