"""Callables in parcels: what other processes can find reaches them, and the rest is an error in one line."""

import copy
import pickle
import re
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import chunks
import pytest

from puzzle15 import heuristic
from puzzle15.errors import ChunkError
from puzzle15.heuristics import HeuristicFunction
from puzzle15.parallel import Parcel, Team, spread

ADVICE = "define it with def or class, at the top level of a module that the other process can import"


class Marked:
    """A callable that can be pickled if what it holds can."""

    def __init__(self, mark):
        self.mark = mark

    def __call__(self, chunk):
        return [self.mark, *chunk]


def sent(given):
    return pickle.loads(pickle.dumps(given))


@pytest.fixture
def no_cloudpickle(monkeypatch):
    monkeypatch.delitem(sys.modules, "cloudpickle", raising=False)


@pytest.mark.parametrize(
    "function", [chunks.double, partial(chunks.double), len, [1, 2].count, chunks.Foreign], ids=repr
)
def test_what_pickle_sends_arrives(function):
    arrived = sent(sent(Parcel(function)))
    assert "function" not in vars(arrived)
    assert arrived.__name__ == Parcel(function).__name__
    assert arrived([3]) is not None and "_content" not in vars(arrived)
    assert sent(arrived).__name__ == arrived.__name__


def test_it_is_opened_once_by_several_threads(monkeypatch):
    arrived = sent(Parcel(Marked(1)))
    together = threading.Barrier(4)

    def opened(_):
        together.wait(30)
        return arrived.function

    with ThreadPoolExecutor(4) as pool:
        assert len(set(map(id, pool.map(opened, range(4))))) == 1


def test_a_copy_needs_no_other_process():
    parcel = Parcel(lambda chunk: chunk)
    assert copy.copy(parcel)(7) == copy.deepcopy(parcel)(7) == 7
    marked = Parcel(Marked([1]), "mine")
    assert copy.copy(marked).function is marked.function
    assert copy.deepcopy(marked).function.mark is not marked.function.mark
    h = heuristic(lambda boards: boards[:, 0], shape=(3, 3))
    for copied in (copy.copy(h), copy.deepcopy(h)):
        assert copied(h.goal) == h(h.goal) == 1


def test_what_pickle_does_not_send(no_cloudpickle):
    def local(chunk):
        return chunk

    for function in (local, lambda chunk: chunk):
        message = f"^other processes cannot find the function {re.escape(function.__qualname__)}; {ADVICE}$"
        with pytest.raises(pickle.PicklingError, match=message):
            pickle.dumps(Parcel(function))
    with pytest.raises(
        pickle.PicklingError, match=f"^heuristic 'mine': other processes cannot receive it .*; {ADVICE}$"
    ):
        pickle.dumps(HeuristicFunction(Marked(lambda: 0), name="mine"))
    with Team(1) as team, pytest.raises(TypeError, match="^a Team cannot be pickled or copied"):
        pickle.dumps(Parcel(team.submit))


def test_what_this_process_cannot_find(monkeypatch):
    monkeypatch.setattr(chunks, "gone", chunks.double, raising=False)
    monkeypatch.setattr(chunks.gone, "__qualname__", "gone")
    text = pickle.dumps(HeuristicFunction(chunks.gone, name="mine"))
    monkeypatch.delattr(chunks, "gone")
    arrived = pickle.loads(text)  # no error: pools break, or wait for ever
    assert pickle.dumps(arrived) == text and arrived.name == "mine"
    message = f"^heuristic 'mine': this process cannot find double .*no attribute 'gone'.*; {ADVICE}$"
    for _ in range(2):
        with pytest.raises(pickle.UnpicklingError, match=message.replace("no attribute 'gone'", "gone")):
            arrived([7])


def test_a_function_that_a_pool_does_not_find(no_cloudpickle):
    with ProcessPoolExecutor(1) as pool:
        with pytest.raises(
            ChunkError, match=f"^chunk 0 .*PicklingError: other processes cannot find .*lambda>; {ADVICE}$"
        ):
            list(spread(lambda chunk: chunk, [[1]], workers=pool))
        assert list(spread(Marked(0), [[1], [2]], workers=pool)) == [[0, 1], [0, 2]]


#: Processes that are started anew do not have the functions of ``python -c`` or of a notebook.
TYPED = """
import multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
from puzzle15 import heuristic
from puzzle15.parallel import spread

def first(boards):
    return boards[:, 0]

context = multiprocessing.get_context("spawn")
h = heuristic(first, shape=(3, 3))
with ProcessPoolExecutor(1, context) as pool, context.Pool(1) as other:
    for workers in (pool, other):
        try:
            print([values.tolist() for values in spread(h.many, [[h.goal]], workers=workers)])
        except Exception as error:
            print(error)
"""


def typed(code, folder):
    """The lines that Python prints when somebody types this."""
    words = [sys.executable, "-c", code]
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, timeout=60).stdout.splitlines()


def test_functions_that_were_typed_in_are_an_error_and_no_waiting(tmp_path):
    lines = typed(TYPED, tmp_path)
    assert len(lines) == 2
    for line in lines:
        assert re.search(f"UnpicklingError: heuristic 'first': this process cannot find first .*; {ADVICE}$", line)


@pytest.mark.extra
def test_cloudpickle_sends_functions_that_were_typed_in(tmp_path):
    pytest.importorskip("cloudpickle")
    assert typed(f"import cloudpickle\n{TYPED}", tmp_path) == ["[[1]]", "[[1]]"]
    assert sent(Parcel(lambda chunk: [chunk, 7]))(3) == [3, 7]
