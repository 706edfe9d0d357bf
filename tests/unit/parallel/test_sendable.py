"""Solvers and callables that are sent to other processes, and the errors of those that cannot be sent."""

import copy
import pickle
import re
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import chunks
import pytest
from solving import walk

import puzzle15
from puzzle15 import Board, Solver, heuristic
from puzzle15._system.sendable import PicklableCallable
from puzzle15._system.threads import Team
from puzzle15._system.workers import map_chunks
from puzzle15.board import KORF_GOAL
from puzzle15.errors import ChunkError, TableMissingError
from puzzle15.heuristics import HeuristicFunction

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
def process_pool():
    with ProcessPoolExecutor(2) as pool:
        yield pool


@pytest.mark.parametrize("function", [chunks.double, partial(chunks.double), len, [1, 2].count, chunks.Foreign])
def test_what_pickle_sends_arrives(function):
    arrived = sent(sent(PicklableCallable(function)))
    assert not arrived.is_open
    assert arrived([3]) is not None and arrived.is_open
    assert arrived.__name__ == PicklableCallable(function).__name__


def test_it_is_opened_once_by_several_threads():
    arrived, together = sent(PicklableCallable(Marked(1))), threading.Barrier(4)

    def opened(_):
        together.wait(30)
        return arrived.function

    with ThreadPoolExecutor(4) as pool:
        assert len(set(map(id, pool.map(opened, range(4))))) == 1


def test_a_copy_needs_no_other_process():
    parcel = PicklableCallable(lambda chunk: chunk)
    assert copy.copy(parcel)(7) == copy.deepcopy(parcel)(7) == 7
    marked = PicklableCallable(Marked([1]), "mine")
    assert copy.copy(marked).function is marked.function
    assert copy.deepcopy(marked).function.mark is not marked.function.mark
    h = heuristic(lambda boards: boards[:, 0], shape=(3, 3))
    for copied in (copy.copy(h), copy.deepcopy(h)):
        assert copied(h.goal) == h(h.goal) == 1


def test_what_cannot_change_is_its_own_copy():
    """A copy is never another user's object: those that arrive in a process are shared."""
    solver = Solver(shape=(3, 3))
    for given in (solver, sent(solver), heuristic("manhattan", shape=(3, 3)), heuristic(Marked([]), shape=(3, 3))):
        assert copy.copy(given) is copy.deepcopy(given) is given


def test_what_pickle_does_not_send(no_cloudpickle):
    def local(chunk):
        return chunk

    for function in (local, lambda chunk: chunk):
        message = f"^other processes cannot find the function {re.escape(function.__qualname__)}; {ADVICE}$"
        with pytest.raises(pickle.PicklingError, match=message):
            pickle.dumps(PicklableCallable(function))
    with pytest.raises(
        pickle.PicklingError, match=f"^heuristic 'mine': other processes cannot receive it .*; {ADVICE}$"
    ):
        pickle.dumps(HeuristicFunction(Marked(lambda: 0), name="mine"))
    with Team(1) as team, pytest.raises(TypeError, match="^a Team cannot be pickled or copied"):
        pickle.dumps(PicklableCallable(team.submit))


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


def test_a_function_that_a_pool_does_not_find(no_cloudpickle, process_pool):
    message = f"^chunk 0 .*PicklingError: other processes cannot find .*lambda>; {ADVICE}$"
    with pytest.raises(ChunkError, match=message):
        list(map_chunks(lambda chunk: chunk, [[1]], workers=process_pool))
    assert list(map_chunks(Marked(0), [[1], [2]], workers=process_pool)) == [[0, 1], [0, 2]]


#: Processes that are started anew do not have the functions of ``python -c`` or of a notebook.
TYPED = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from puzzle15 import heuristic
from puzzle15._system.workers import map_chunks

def first(boards):
    return boards[:, 0]

context = multiprocessing.get_context("spawn")
h = heuristic(first, shape=(3, 3))
with ProcessPoolExecutor(1, context) as pool:
    try:
        print([values.tolist() for values in map_chunks(h.many, [[h.goal]], workers=pool)])
    except Exception as error:
        print(error)
"""


def test_functions_that_were_typed_in_are_an_error_and_no_waiting(python):
    (line,) = python("-c", TYPED).stdout.splitlines()
    assert re.search(f"UnpicklingError: heuristic 'first': this process cannot find first .*; {ADVICE}$", line)


@pytest.mark.extra
def test_cloudpickle_sends_functions_that_were_typed_in(python):
    pytest.importorskip("cloudpickle")
    assert python("-c", f"import cloudpickle\n{TYPED}").stdout == "[[1]]\n"
    assert sent(PicklableCallable(lambda chunk: [chunk, 7]))(3) == [3, 7]


# ---------------------------------------------------------------- solvers that travel


@pytest.mark.parametrize("goal", [None, KORF_GOAL, "4 3 2 1/8 7 0 6/5 12 11 10/9 15 14 13"], ids=str)
def test_a_solver_is_sent_as_its_settings(goal, small_tables, rng):
    solver = Solver("5-5-5" if goal is None else "embedded", goal=goal, tables=small_tables)
    text = pickle.dumps(solver)
    assert len(text) < 600
    copies = [pickle.loads(text) for _ in range(3)]
    assert all(copy is copies[0] for copy in copies)
    assert "not opened" in repr(copies[0])
    _, board = walk(rng, solver.goal, 12)
    assert isinstance(copies[0], Solver)
    one, other = (s.solve(board, time_limit_s=60) for s in (solver, copies[0]))
    assert (one.moves, one.expanded, one.generated) == (other.moves, other.expanded, other.generated)
    assert repr(copies[0]) == repr(solver)
    assert pickle.dumps(copies[0]) == text
    assert (copies[0].goal, copies[0].shape) == (solver.goal, solver.shape)
    assert copies[0].open_tables.bytes == solver.open_tables.bytes and not hasattr(copies[0], "nothing")


def test_the_same_tables_are_opened_whatever_else_is_there(small_tables, tmp_path, monkeypatch):
    """The best tables there are: that is decided once, not by each worker."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    puzzle15.build_tables("5-5-5", tables=tmp_path / "a")
    monkeypatch.setenv("PUZZLE15_TABLES", str(tmp_path / "a"))
    solver = Solver(format="zero-aware")
    assert solver.open_tables.partitions == Solver("5-5-5").open_tables.partitions and not solver.open_tables.embedded
    text = pickle.dumps(solver)
    monkeypatch.setenv("PUZZLE15_TABLES", str(small_tables))
    assert Solver(format="zero-aware").open_tables.partitions != solver.open_tables.partitions
    assert pickle.loads(text).open_tables.partitions == solver.open_tables.partitions
    monkeypatch.chdir(small_tables.parent)
    text = pickle.dumps(Solver("5-5-5", tables=small_tables.name))
    monkeypatch.chdir(tmp_path)
    assert pickle.loads(text).distance(Board.goal().apply("DR")) == 2  # a relative folder is found from elsewhere
    plain = Solver("5-5-5", reflection=False, plain=True)
    arrived, board = pickle.loads(pickle.dumps(plain)), Board.goal().apply("DRDRUL")
    assert arrived.open_tables.lookups == 1 and arrived.solve(board).generated == plain.solve(board).generated
    monkeypatch.setenv("PUZZLE15_TABLES", str(tmp_path / "b"))
    monkeypatch.setattr("platform.node", lambda: "some-host")
    missing = pickle.loads(pickle.dumps(_elsewhere(solver, "/none/here")))
    for _ in range(2):
        with pytest.raises(TableMissingError, match="host some-host.*/none/here; .*: puzzle15 build 1-2,5,9,13/"):
            missing.distance(Board.goal())


def _elsewhere(solver, folder):
    """A solver of the same tables in another folder, not opened."""
    receive, (kind, (goal, shape, _, *rest)) = solver.__reduce__()
    return receive(kind, (goal, shape, folder, *rest))


def test_workers_without_tables_say_so(process_pool, small_tables, tmp_path):
    """At once: no hanging, no broken pool, no second try."""
    solver = _elsewhere(Solver("5-5-5", tables=small_tables), str(tmp_path))
    for workers in (process_pool, 2, chunks.Foreign()):
        with pytest.raises(TableMissingError, match=f"on host .*{tmp_path}; build them: puzzle15 build"):
            list(map_chunks(solver.distance_many, [[str(Board.goal())]], workers=workers))


@pytest.mark.parametrize("partition, metric, count", [("5-5-5", "stm", 3), ("1-2/3,4", "mtm", 2)])
def test_missing_tables_are_built_when_asked_for(partition, metric, count, tmp_path):
    options = {"metric": metric, "tables": tmp_path}
    with pytest.raises(TableMissingError):
        Solver(partition, **options)
    solver = Solver(partition, build=True, **options)
    assert not solver.open_tables.embedded and len(list(tmp_path.glob("*.p15"))) == count
    there = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.p15")}
    Solver(partition, build=True, **options)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.p15")} == there
    for path in there:
        path.unlink()
    copy = pickle.loads(pickle.dumps(solver))
    assert copy.distance(Board.goal().apply("DRU")) == 3
    assert sorted(tmp_path.glob("*.p15")) == sorted(there)
    small = Solver(shape=(2, 4), tables=tmp_path / "none", build=True)
    assert small.open_tables.embedded and not (tmp_path / "none").exists()
