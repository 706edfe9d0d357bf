"""What a signal does to a search: it ends within a third of a second, and leaves nothing behind."""

import os
import signal
import threading
from collections import deque

import own_heuristics
import pytest
from interrupting import interrupted_after
from timing import timed, within

from puzzle15 import search
from puzzle15._cli import main
from puzzle15._core.search import evaluator
from puzzle15.board import KORF_GOAL, korf100

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers that send signals")

HARD = korf100()[87].board  # 66 moves: each search takes minutes at least

ALGORITHMS = ["ida*", "mm", "nbs", "rbfs", "sma*", "ida*-tt", "anytime-a*", "ara*"]
ALGORITHMS += ["breadth-first-heuristic", "beam-stack"]

#: what a search may be interrupted in -> options; the callables in C let no signal act
OPTIONS = {
    "manhattan": {},  # for IDA*, trees
    "several values": {"heuristic": "max(walking-distance,linear-conflict)"},
    "a function": {"heuristic": own_heuristics.in_batches},
    "a trace": {"on_expand": deque(maxlen=1).append},
}


class Interruption(Exception):
    """What the handler of the signal raises."""


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("told", OPTIONS)
@timed
def test_an_exception_of_a_handler_ends_a_search(algorithm, told):
    with within(0.02 + 0.3), pytest.raises(Interruption), interrupted_after(0.02, Interruption):
        search(HARD, goal=KORF_GOAL, algorithm=algorithm, **OPTIONS[told])


def test_an_exception_just_before_a_function_is_called(monkeypatch):
    """It is raised in our own code, which C called, and it is not lost there."""

    def interrupt():
        raise Interruption

    monkeypatch.setattr(evaluator, "raises_later", interrupt)
    with pytest.raises(Interruption):
        search(HARD, goal=KORF_GOAL, heuristic=own_heuristics.in_batches, max_nodes=1000)


@pytest.mark.parametrize("algorithm", ["nbs", "beam-stack"])
@timed
def test_an_interrupted_command_leaves_no_file(algorithm, tmp_path, capsys):
    words = ["tree", str(HARD), "--goal", str(KORF_GOAL), "--algorithm", algorithm, "-o", str(tmp_path / "tree.svg")]
    timer = threading.Timer(0.08, os.kill, (os.getpid(), signal.SIGINT))
    with within(0.08 + 0.3):
        timer.start()
        assert main(words) == 130
    timer.join()
    assert not list(tmp_path.iterdir())
    assert capsys.readouterr().err.endswith("puzzle15: interrupted\n")
