"""Questions that are answered in a thread: one at a time, given up at once, with their errors."""

import threading
import time

import pytest
from timing import timed, within

from puzzle15 import Board, Solver
from puzzle15._cli.play.thinking import Thinker
from puzzle15._system.threads import check_stop
from puzzle15.errors import UnsolvableError

HARD = Board("0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1")  # 70 moves; minutes without stored tables


class Slow:
    """A solver that answers at once, but never finds a hint."""

    def __init__(self):
        self.begun = threading.Event()

    def hint(self, board):
        self.begun.set()
        while True:
            check_stop()
            time.sleep(0.001)

    def solve(self, board):
        return board


def test_an_answer_is_kept_and_another_question_ends_the_one_before():
    slow = Slow()
    with Thinker(lambda: slow) as thinker:
        thinker.ask(("hint", 1))
        assert slow.begun.wait(10) and thinker.look() is None
        thinker.ask(("hint", 1))  # the same one goes on
        thinker.ask(("solution", 3))
        thinker.wait()
        assert thinker.look() == ("solution", 3) and thinker.answers == {("solution", 3): 3}
        assert thinker.question is thinker.look() is None
        thinker.ask(("hint", 1))
    assert thinker.question is None


@timed
def test_a_hard_board_is_given_up_at_once():
    with Thinker(lambda: Solver("embedded")) as thinker:
        thinker.ask(("hint", HARD))
        time.sleep(0.3)
        assert thinker.look() is None and thinker.text == "thinking ..."
        with within(0.5):
            thinker.ask(None)


def test_an_error_of_an_answer_is_raised():
    with Thinker(lambda: Solver(shape=(3, 3))) as thinker:
        thinker.ask(("solution", Board("1 2 3/4 5 6/8 7 0")))
        for act in (thinker.wait, thinker.look):
            with pytest.raises(UnsolvableError):
                act()
