"""Functions of one's own as heuristics that return what is not a number of moves, that raise, or that take long."""

import itertools
import signal
import threading
import time
from functools import partial

import numpy as np
import own_heuristics
import pytest
from own_heuristics import HARDER, NEAR
from searching import INFORMED, MEETING
from timing import at_most, timed, within

from puzzle15 import Board, heuristic, search
from puzzle15._system.threads import Team, check_stop, result_of
from puzzle15.errors import HeuristicError
from puzzle15.heuristics import HeuristicFunction
from puzzle15.searches import SearchTree

MISTAKES = [
    (lambda boards: np.full(len(boards), np.nan), "nan for the board {}; expected a number from 0"),
    (lambda boards: np.full(len(boards), np.inf), "inf for the board {}"),
    (lambda boards: np.full(len(boards), -np.inf), "-inf for the board {}"),
    (
        lambda boards: np.zeros((len(boards), 1)),
        r"shape \(1, 1\) for the board {}; expected one integer or float per board, an array of shape \(1,\)",
    ),
    (lambda boards: np.int64(7 * boards.ndim), "14.* for the board {}"),
    (lambda boards: [], r"an array of float64 of shape \(0,\) for the board {}"),
    (lambda boards: boards[:, 0] == 1, r"an array of bool of shape \(1,\)"),
    (lambda boards: None, "None for the board {}"),
    (lambda boards: ["7"] * len(boards), "an array of <U1"),
    (lambda boards: [None] * len(boards), r"an array of object of shape \(1,\)"),
    (lambda boards: [[1], [1, 2]], r"(\[\[1\], \[1, 2\]\]|an array of object of shape \(2,\))"),  # with numpy 1.23
]


def test_values_that_are_no_numbers_of_moves():
    for function, message in MISTAKES:
        own = HeuristicFunction(function, name="mine")
        with pytest.raises(HeuristicError, match="^heuristic 'mine': it returned .*" + message.format(NEAR)):
            search(NEAR, heuristic=own)
        for call in (lambda own=own: heuristic(own)(NEAR), lambda own=own: heuristic(own).many([NEAR, HARDER])):
            with pytest.raises(HeuristicError, match="^heuristic 'mine': it returned "):
                call()


def test_what_numpy_cannot_read_says_why():
    class Tensor:
        def __array__(self, *_, **__):
            raise TypeError("Got unsupported ScalarType BFloat16")

        def __repr__(self):
            return "tensor([0.])"

    message = rf"it returned tensor\(\[0.\]\), which is not an array \(.* BFloat16\), for the board {NEAR}"
    with pytest.raises(HeuristicError, match=message):
        search(NEAR, heuristic=lambda boards: Tensor())


@pytest.mark.extra
def test_a_module_of_pytorch_and_its_numbers():
    torch = pytest.importorskip("torch", reason='PyTorch is missing: pip install ".[train]"')
    for dtype in (torch.uint8, torch.float16, torch.float32):
        search(NEAR, heuristic=lambda boards, dtype=dtype: torch.zeros(len(boards), dtype=dtype))
    with pytest.raises(HeuristicError, match="which is not an array .*BFloat16"):
        search(NEAR, heuristic=lambda boards: torch.zeros(len(boards), dtype=torch.bfloat16))
    with pytest.raises(TypeError) as caught:
        search(NEAR, heuristic=torch.nn.Linear(16, 1))
    assert "a PyTorch module takes tensors: wrap it, as OWN_HEURISTICS.md shows" in caught.value.__notes__[0]


def test_the_board_of_a_mistake_is_named():
    wrong = Board(HARDER)

    def mine(boards):
        return np.where((boards == wrong.tiles).all(axis=1), np.nan, 0)

    boards = [*(Board.random(seed) for seed in range(40)), HARDER]
    with pytest.raises(HeuristicError, match=f"'mine': it returned nan for the board {HARDER}; "):
        heuristic([mine, "tables:embedded"]).many(boards)
    with pytest.raises(HeuristicError, match=r"shape \(0,\) for 41 boards, the first of which is "):
        heuristic(lambda boards: boards[:0, 0]).many(boards)


def test_numbers_beyond_those_of_a_search_are_clamped_with_a_warning():
    numbers, boards = np.array([-1.5, -0.4, 3.4, 256.6]), [NEAR, HARDER, Board.goal(), Board.random(1)]
    expected = [(False, 4, [0, 0, 3, 255]), (True, 3, [0, 0, 3])]
    for admissible, count, values in expected:
        own = heuristic(HeuristicFunction(lambda boards: numbers[: len(boards)], name="mine", admissible=admissible))
        with pytest.warns(UserWarning, match=f"'mine': it returned -1.5 for the board {NEAR}; numbers below 0 count"):
            assert own.many(boards[:count]).tolist() == values
        assert own.many(boards[:count]).tolist() == values  # warnings are errors here: it was told once
    with pytest.raises(HeuristicError, match="it returned 256.6 for the board .*; expected a number from 0 to 255"):
        own.many(boards)  # no lower bound
    quiet = heuristic(lambda boards: np.full(len(boards), -0.4))
    assert quiet(NEAR) == 0  # the nearest integer
    with pytest.warns(UserWarning, match="1e.15"):
        assert heuristic(lambda boards: [10**15] * len(boards))(NEAR) == 255


class Failing:
    """A heuristic that fails at a call."""

    def __init__(self, at, error):
        self.at, self.error, self.count = at, error, 0

    def __call__(self, boards):
        self.count += 1
        if self.count == self.at:
            raise self.error
        return own_heuristics.home_last(boards)


@pytest.mark.parametrize("algorithm", INFORMED)
def test_exceptions_end_a_search(algorithm):
    """As they are, and at once: the function is not called again."""
    for error, at in itertools.product((ZeroDivisionError("mine"), KeyboardInterrupt()), (1, 2, 5)):
        failing = Failing(at, error)
        given = HeuristicFunction(lambda boards, goal, one=failing: one(boards), goal="any")
        with pytest.raises(type(error)) as caught:
            search(HARDER, algorithm=algorithm, heuristic=given if algorithm in MEETING else failing)
        assert caught.value is error and failing.count == at
        check_stop()  # nothing is left
        assert any(entry.name == "__call__" for entry in caught.traceback)  # it shows where


def test_exceptions_end_traces_and_many():
    tree = SearchTree()
    with pytest.raises(ZeroDivisionError):
        search(HARDER, heuristic=Failing(9, ZeroDivisionError()), on_expand=tree.add)
    assert 0 < len(tree.expansions) < 9
    with pytest.raises(ZeroDivisionError):
        heuristic(Failing(2, ZeroDivisionError())).many(np.tile(np.array(Board(HARDER).tiles), (10_000, 1)))


@timed
def test_a_signal_ends_a_search_in_a_function():
    def wait(boards):
        time.sleep(0.01)
        return np.zeros(len(boards), dtype=int)

    main = threading.main_thread().ident
    timer = threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with within(5), pytest.raises(KeyboardInterrupt):
        search(HARDER, heuristic=wait, time_limit_s=30)
    timer.join()


@pytest.mark.parametrize("algorithm", ["a*", "ida*", "beam"])
@timed
def test_limits_of_time_hold_for_slow_functions(algorithm):
    def wait(boards):
        time.sleep(0.02)
        return np.zeros(len(boards), dtype=int)

    solution = search(HARDER, algorithm=algorithm, heuristic=wait, time_limit_s=0.1)
    assert solution.status == "limit"
    at_most(solution.seconds, 2)


def test_threads_have_their_own_exceptions():
    """One heuristic, many searches at once: an exception ends the search of its own thread."""
    bad = Board("5 1 2 4/9 6 3 8/13 10 7 11/14 0 15 12")
    good = Board("1 2 3 4/5 0 6 8/9 10 7 11/13 14 15 12")

    def mine(boards):
        if (boards == bad.tiles).all(axis=1).any():
            raise ZeroDivisionError
        return own_heuristics.home_last(boards)

    h = heuristic(mine)
    starts = [NEAR, good] * 6
    with Team(4) as team:
        futures = [team.submit(partial(search, start, heuristic=h)) for start in starts]
        for start, future in zip(starts, futures):
            if start == NEAR:
                with pytest.raises(ZeroDivisionError):
                    result_of(future)
            else:
                assert result_of(future).length == 4
