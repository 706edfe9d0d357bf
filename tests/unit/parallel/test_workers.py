"""Spreading work: every kind of worker, in order, bounded, tried again, cancelled."""

import inspect
import json
import os
import pickle
import re
import sys
import threading
import time
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from importlib.util import find_spec
from itertools import count, islice
from types import SimpleNamespace

import chunks
import makers
import numpy as np
import pytest
from timing import timed, within

from puzzle15 import Board, LocalValueIteration, Solver, search_many
from puzzle15._cli import main, solve
from puzzle15._system import workers as spreading
from puzzle15._system.machine import processor_count
from puzzle15._system.workers import map_chunks
from puzzle15.board import pack_boards
from puzzle15.dataset import check, connect, write
from puzzle15.errors import ChunkError, ClusterError, TableCorruptError, UnsolvableError
from puzzle15.solver._labelling import label

NUMBERS = [[number, number + 1] for number in range(20)]
DOUBLED = [chunks.double(chunk) for chunk in NUMBERS]
NEAR = "1 2 3/4 5 6/7 0 8"


@pytest.fixture
def process_pool():
    with ProcessPoolExecutor(2) as pool:
        yield pool


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and a worker process with two threads, as a fresh user would start them."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=True, dashboard_address=None, silence_logs="CRITICAL"
    ) as cluster:
        yield cluster


@pytest.fixture
def dask(cluster):
    cluster.wait_for_workers(1, timeout=30)
    with connect(cluster.scheduler_address) as executor:
        yield executor


@pytest.fixture(params=[None, 1, np.int64(3), chunks.Foreign, ThreadPoolExecutor, "process_pool", "dask"], ids=str)
def workers(request):
    """Each kind of them."""
    if isinstance(request.param, str):
        yield request.getfixturevalue(request.param)
    elif request.param is ThreadPoolExecutor:
        with ThreadPoolExecutor(2) as pool:
            yield pool
    else:
        yield request.param() if callable(request.param) else request.param


@pytest.fixture(params=[chunks.Foreign, "process_pool", "dask"], ids=str)
def executor(request):
    """Each kind of executor."""
    return request.getfixturevalue(request.param) if isinstance(request.param, str) else request.param()


# ---------------------------------------------------------------- results


@pytest.mark.sweep(10)
def test_results_come_in_order(workers):
    assert list(map_chunks(chunks.double, NUMBERS, workers=workers)) == DOUBLED
    assert list(map_chunks(chunks.double, iter(NUMBERS[:1]), workers=workers)) == DOUBLED[:1]
    assert list(map_chunks(chunks.double, [], workers=workers)) == []


@pytest.mark.sweep(8)
def test_an_endless_iterable_is_taken_in_as_it_is_used(workers):
    taken = []

    def numbers():
        for number in count():
            taken.append(number)
            yield [number]

    results = map_chunks(chunks.double, numbers(), workers=workers)
    assert not taken
    assert list(islice(results, 50)) == [[2 * number] for number in range(50)]
    most = 3 * max(3, processor_count())
    assert len(taken) <= 50 + most
    results.close()
    time.sleep(0.05)
    assert len(taken) <= 50 + most


def test_chunks_that_fail_once_are_tried_again(executor, tmp_path):
    assert list(map_chunks(partial(chunks.fail_once, tmp_path), NUMBERS, workers=executor)) == DOUBLED
    assert len(list(tmp_path.iterdir())) == 7


@pytest.mark.parametrize("threads", [None, 1, 2])
def test_threads_of_this_process_fail_as_one_call_does(threads):
    results = map_chunks(chunks.fail_always, NUMBERS, workers=threads)
    assert list(islice(results, 4)) == DOUBLED[:4]
    with pytest.raises(ValueError, match=r"^no luck with \[4, 5\]$"):
        next(results)
    assert list(results) == []


def test_a_chunk_that_fails_twice_is_named(executor):
    results = map_chunks(chunks.fail_always, NUMBERS, workers=executor)
    assert list(islice(results, 4)) == DOUBLED[:4]
    message = r"chunk 4 \(2 boards, the first 4\).*ValueError: no luck with \[4, 5\]"
    with pytest.raises(ChunkError, match=message) as caught:
        next(results)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (error.index, error.boards, str(error)) == (4, [4, 5], str(caught.value))
    assert isinstance(caught.value.__cause__, ValueError)
    assert list(results) == []


def test_the_work_is_done_by_other_processes(process_pool, dask):
    for workers in (process_pool, dask):
        assert os.getpid() not in set(map_chunks(chunks.process, NUMBERS, workers=workers))


def test_threads_work_at_the_same_time():
    together = threading.Barrier(3, timeout=30)
    assert len(list(map_chunks(lambda chunk: together.wait(), range(9), workers=3))) == 9


@pytest.mark.parametrize("known", [None, 4])
def test_few_futures_wait(known):
    executor = chunks.Foreign()
    if known:
        executor._max_workers = known
    assert list(map_chunks(chunks.double, NUMBERS * 10, workers=executor)) == DOUBLED * 10
    assert executor.most == 3 * (known or processor_count())


# ---------------------------------------------------------------- errors


def test_an_error_names_the_boards_of_a_chunk():
    def fail(chunk):
        raise ArithmeticError

    for boards_of, boards, message in (
        (lambda chunk: [chunk] * 3, [7] * 3, "3 boards"),
        (fail, None, "chunk 0 failed"),
    ):
        with pytest.raises(ChunkError, match=message) as caught:
            list(map_chunks(fail, [7], workers=chunks.Foreign(), boards_of=boards_of))
        assert caught.value.boards == boards and isinstance(caught.value.__cause__, ArithmeticError)


@pytest.mark.parametrize("workers", [0, -1, "tcp://host:1", 1.5, object(), map, True])
def test_workers_that_are_none(workers):
    with pytest.raises((ValueError, TypeError), match="workers"):
        map_chunks(chunks.double, NUMBERS, workers=workers)  # at once, not when the first result is asked for


def test_none_is_one_thread_per_processor_everywhere(monkeypatch):
    """And 1 is the thread that asks."""
    monkeypatch.setattr("puzzle15._system.threads.processor_count", lambda: 3)
    together = threading.Barrier(3, timeout=10)
    assert len(list(map_chunks(lambda chunk: together.wait(), range(9), workers=None))) == 9
    assert set(map_chunks(lambda chunk: threading.get_ident(), range(3))) == {threading.get_ident()}
    begun = {}

    def nothing(boards):
        if threading.get_ident() not in begun:  # the first node of each search waits for the other two
            begun[threading.get_ident()] = together.wait()
        return np.zeros(len(boards))

    assert search_many([NEAR] * 3, algorithm="ida*", heuristic=nothing, workers=None).lengths.tolist() == [1] * 3
    solver = Solver(shape=(3, 3))
    assert solver.solve(NEAR, workers=None).length == 1
    assert solver.solve_many([NEAR], workers=None).lengths.tolist() == [1]
    assert label(solver, pack_boards([NEAR])[0], workers=None)["distance"].tolist() == [1]


@pytest.mark.parametrize("error, message", [(RuntimeError("closed"), "closed"), (CancelledError(), "somebody else")])
def test_an_executor_that_takes_no_work_or_gives_it_up(error, message):
    def fail(chunk=None):
        raise error

    for executor, function in ((chunks.Foreign(begin=fail), chunks.double), (chunks.Foreign(), fail)):
        with pytest.raises(ChunkError, match=f"chunk 0.*{type(error).__name__}: {message}"):
            list(map_chunks(function, NUMBERS, workers=executor))


def test_a_process_that_dies_in_a_pool(process_pool):
    with pytest.raises(ChunkError, match="BrokenProcessPool.*terminated abruptly.*make a new one") as caught:
        list(map_chunks(chunks.die, NUMBERS, workers=process_pool))
    assert caught.value.index <= 4 and caught.value.boards == NUMBERS[caught.value.index]


def test_the_boards_of_an_error_are_written_as_boards(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise ArithmeticError

    board = Board.random(1, (3, 3))
    with pytest.raises(ChunkError, match=rf"chunk 0 \(1 boards, the first packed board {board.packed:#x}\) failed"):
        list(map_chunks(fail, [np.array([board.packed], np.uint64)], workers=chunks.Foreign()))
    monkeypatch.setattr("puzzle15.dataset._writing.label", fail)
    with pytest.raises(ChunkError, match=r"\(30 boards, the first \d \d \d/\d \d \d/\d \d \d\) failed"):
        write(tmp_path / "new", 30, seed=1, solver=Solver(shape=(3, 3)), workers=chunks.Foreign())


# ---------------------------------------------------------------- an early end


@pytest.mark.parametrize("ending", [None, KeyboardInterrupt, KeyError])
def test_an_early_end_cancels_what_has_not_begun(ending):
    """The iterator is closed, the work is interrupted, or the chunks end with an error."""
    executor = chunks.CancellableForeign()

    def numbers():
        yield from NUMBERS[:2]
        if ending is KeyError:
            raise KeyError
        yield from NUMBERS[2:]

    def work(chunk):
        if chunk == [1, 2] and ending is KeyboardInterrupt:
            raise KeyboardInterrupt
        return chunk

    results = map_chunks(work, numbers(), workers=executor)
    if ending is not KeyError:
        assert next(results) == NUMBERS[0]
    with pytest.raises(ending) if ending else nullcontext():
        results.close() if ending is None else next(results)
    assert executor.cancelled == NUMBERS[ending is not KeyError : executor.submitted][::-1]


# ---------------------------------------------------------------- many boards


@pytest.fixture(scope="module")
def some_boards():
    rng = np.random.default_rng(3)
    return [str(Board(rng.permutation(9).tolist(), (3, 3))) for _ in range(700)]  # half of them unsolvable


@pytest.fixture(scope="module")
def expected(some_boards):
    return Solver(shape=(3, 3)).solve_many(some_boards, on_error="mark")


@pytest.mark.sweep(5)
def test_solve_many_takes_all_kinds_of_workers(workers, some_boards, expected):
    calls = []
    batch = Solver(shape=(3, 3)).solve_many(
        some_boards, workers=workers, on_error="mark", progress=lambda *call: calls.append(call)
    )
    for name in ("lengths", "expanded", "generated", "status", "_packed"):
        assert np.array_equal(getattr(batch, name), getattr(expected, name)), name
    assert batch.errors.keys() == expected.errors.keys() and 100 < len(batch.errors) < 600
    assert [s.moves for s in batch] == [s.moves for s in expected]
    assert calls[-1] == (700, 700) and calls == sorted(calls)
    with pytest.raises(UnsolvableError):
        Solver(shape=(3, 3)).solve_many(some_boards, workers=workers)


@pytest.mark.sweep(5)
def test_local_value_iteration_takes_all_kinds_of_workers(workers, some_boards, expected):
    good = [board for board, length in zip(some_boards, expected.lengths) if length >= 0]
    boards, calls = [*good * 60, some_boards[expected.lengths.argmin()]], []
    learner = LocalValueIteration(shape=(3, 3))
    batch = learner.solve_many(boards, workers=workers, on_error="mark", progress=lambda *call: calls.append(call))
    alone = LocalValueIteration(shape=(3, 3)).solve_many(good)
    assert batch.lengths.tolist() == [*alone.lengths.tolist() * 60, -1] and list(batch.errors) == [len(boards) - 1]
    assert batch.largest.tolist()[:-1] == alone.largest.tolist() * 60 and batch[0].moves == alone[0].moves
    assert calls[-1] == (len(boards), len(boards)) and calls == sorted(calls) and len(calls) == len(set(calls)) > 1


@pytest.mark.sweep(5)
def test_shards_are_checked_by_all_kinds_of_workers(workers, tmp_path):
    write(tmp_path, 300, seed=1, solver=Solver(shape=(3, 3)), shard=100)
    (tmp_path / "shard-00001.npz").unlink()
    calls = []
    reports = check(tmp_path, workers=workers, sample=60, progress=lambda *call: calls.append(call))
    assert [(report.rows, report.problems) for report in reports] == [(100, []), (0, ["missing"]), (100, [])]
    assert [report.path.name for report in reports] == [f"shard-0000{number}.npz" for number in range(3)]
    assert 0 < reports[0].sample + reports[2].sample < 60 and calls == [(done, 3) for done in range(4)]


def test_a_check_that_fails_itself(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise TableCorruptError("a table went bad meanwhile")

    write(tmp_path, 30, seed=1, solver=Solver(shape=(3, 3)))
    monkeypatch.setattr("puzzle15.dataset._checking.label", fail)
    with pytest.raises(TableCorruptError, match="a table went bad meanwhile"):
        check(tmp_path, workers=2)


def test_a_chunk_that_is_tried_again_is_another_task():
    """Dask takes equal tasks for one."""
    futures, calls = {}, []

    def submit(*task):
        if repr(task) not in futures:
            futures[repr(task)] = future = Future()
            try:
                future.set_result(task[0](*task[1:]))
            except OSError as error:
                future.set_exception(error)
        return futures[repr(task)]

    def fail_once(chunk):
        calls.append(chunk)
        if len(calls) == 1:
            raise OSError("for once")
        return chunk

    assert list(map_chunks(fail_once, [1, 2], workers=SimpleNamespace(submit=submit))) == [1, 2]
    assert sorted(calls) == [1, 1, 2]


def test_workers_are_counted_again_every_five_seconds(monkeypatch):
    clock, pool = SimpleNamespace(now=0.0), SimpleNamespace(num_workers=0)
    monkeypatch.setattr(spreading, "time", SimpleNamespace(monotonic=lambda: clock.now))
    window = spreading._window(pool)
    counts = ((0.0, 2, 6), (4.9, 5, 6), (5.0, 5, 15), (9.9, 1, 15), (10.0, 1, 3), (15.0, 0, 3))
    for clock.now, pool.num_workers, waiting in counts:
        assert window() == waiting


# ---------------------------------------------------------------- Dask


def test_a_killed_worker_process_does_not_matter(dask, tmp_path):
    """Dask starts a new one, which gets its chunks."""
    solver, boards = Solver(shape=(3, 3)), ["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/0 7 8"] * 100
    parts = [boards[start : start + 5] for start in range(0, 200, 5)]
    work = partial(chunks.distances_with_death, tmp_path, solver)
    results = [part.tolist() for part in map_chunks(work, parts, workers=dask)]
    assert (tmp_path / "killed").exists()
    assert results == [solver.distance_many(part).tolist() for part in parts]


@pytest.mark.extra
def test_everything_public_is_sent(dask, tmp_path):
    place, results = makers.Place(tmp_path), []
    for kind in makers.MAKERS:
        needed = makers.EXTRAS.get(kind)
        if needed is None or needed == "gymnasium" and find_spec(needed):
            for instance, expected in makers.made(kind, place):
                results.append((kind, type(instance), expected, dask.submit(makers.there, kind, instance)))
    for kind, of, expected, there in results:
        arrived, works = there.result(60)
        assert works == expected and type(arrived) is of, kind


@timed
def test_an_address_where_nobody_answers(capsys):
    pytest.importorskip("distributed")
    with within(25):  # by itself, Dask would try for longer
        message = "no Dask scheduler answers at {}.*tcp://host:port"
        with pytest.raises(ClusterError, match=message.format("tcp://127.0.0.1:1")), connect("tcp://127.0.0.1:1"):
            pass
        assert main(["solve", "--set", "korf100", "--quiet", "--dask", "nonsense"]) == 2
        assert re.search(message.format("nonsense"), capsys.readouterr().err)


@pytest.mark.parametrize("address", [None, 5, b"tcp://127.0.0.1:1", ["tcp://127.0.0.1:1"]])
def test_an_address_that_is_not_text(address):
    """Given None, Dask would start a cluster on this machine."""
    pytest.importorskip("distributed")
    with pytest.raises(TypeError, match="^address .*: expected tcp://host:port"), connect(address):
        pass


def test_a_client_that_has_lost_its_scheduler():
    """Some of its futures never end."""
    client = SimpleNamespace(status="running", nthreads=lambda: {"worker": 1})

    def submit(*_):
        threading.Timer(0.1, lambda: setattr(client, "status", "closed")).start()
        return Future()

    with pytest.raises(ClusterError, match="^the Dask scheduler is gone"):
        list(map_chunks(chunks.double, NUMBERS, workers=SimpleNamespace(submit=submit, _client=client)))


def test_a_scheduler_that_is_gone():
    distributed = pytest.importorskip("distributed")
    solver, boards = Solver(shape=(3, 3)), ["8 6 7/2 5 4/3 0 1"]
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": "CRITICAL"}
    with distributed.LocalCluster(**options, processes=False) as cluster, connect(cluster.scheduler_address) as dask:
        results = map_chunks(solver.distance_many, [boards] * 1000, workers=dask)
        assert next(results).tolist() == [31]
        cluster.close()
        for _ in range(2):
            with pytest.raises(ClusterError, match="^the Dask scheduler is gone; start one, and connect to it again$"):
                list(results) or solver.distance_many(boards, workers=dask)
    with pytest.raises(ClusterError, match="^the Dask scheduler is gone"):
        solver.distance_many(boards, workers=dask)


def test_the_command_on_a_cluster(cluster, some_boards, expected, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(solve._CLUSTER, "largest", 300)
    file = tmp_path / "boards.txt"
    file.write_text("".join(f"{board}\n" for board in some_boards))
    assert main(["solve", "-i", str(file), "--json", "--workers", "1"]) == 1
    alone = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert main(["solve", "-i", str(file), "--json", "--dask", cluster.scheduler_address]) == 1
    out, err = capsys.readouterr()
    together = [json.loads(line) for line in out.splitlines()]
    assert "700 boards" in err
    for one, other in zip(alone, together):
        one.pop("seconds"), other.pop("seconds")
    assert alone == together


def test_the_command_builds_tables_where_they_are_missing(cluster, tmp_path, capsys):
    file = tmp_path / "boards.txt"
    file.write_text("1 2 3/4 5 6/7 0 8\n8 6 7/2 5 4/3 0 1\n")
    options = ["--partition", "1-4/5-8", "--tables", str(tmp_path / "tables"), "--dask", cluster.scheduler_address]
    words = ["solve", "-i", str(file), "--quiet", *options]
    assert main(words) == 3
    assert "no tables of partition 1-4/5-8" in capsys.readouterr().err
    assert main([*words, "--build"]) == 0
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()] == ["1", "31"]
    assert len(list((tmp_path / "tables").glob("*.p15"))) == 2


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"^a cluster needs Dask: pip install distributed$"), connect("tcp://h:1"):
        pass


@pytest.mark.parametrize("name", [name for name, each in vars(Solver).items() if name[0] != "_" and callable(each)])
def test_one_thread_unless_more_are_asked_for(name):
    parameters = inspect.signature(getattr(Solver, name)).parameters
    assert "workers" not in parameters or parameters["workers"].default == 1
