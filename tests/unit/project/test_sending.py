"""Everything public, pickled, copied, and sent to other processes and back: tests/helpers/makers.py has the makers."""

import copy
import multiprocessing
import pickle
import sys
import threading
import typing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from inspect import isclass, isfunction
from itertools import islice

import makers
import pytest

from puzzle15._system.workers import map_chunks

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return makers.Place(tmp_path_factory.mktemp("sending"))


@pytest.fixture(scope="module")
def pools():
    """A process that is started anew, and one that is forked, where that is usual."""
    methods = ["spawn", *["fork"] * (sys.platform == "linux")]
    made = [ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) for method in methods]
    for pool in made:
        pool.submit(int).result(60)
    yield made
    for pool in made:
        pool.shutdown()


def kinds(table):
    """The classes of a table as parameters of a test."""
    marks = {
        "torch": [pytest.mark.extra, pytest.mark.slow],  # each process imports it, which takes seconds
        "gymnasium": [pytest.mark.extra],
    }
    return [pytest.param(kind, marks=marks.get(makers.EXTRAS.get(kind), [])) for kind in sorted(table)]


def test_everything_public_is_tried():
    known = {*makers.MAKERS, *makers.STAY, *makers.BASES}
    assert not {kind for kind in makers.public_classes() if kind not in known}, (
        "new public classes: give each a maker in MAKERS of tests/helpers/makers.py; or, if it cannot be sent, "
        "derive it from puzzle15._system.sendable.Unsendable, and give it a row in STAY"
    )


def test_names_are_sent_by_reference():
    for package, name, value in makers.public():
        if typing.get_origin(value) is not None:
            continue  # the name of a type
        for protocol in PROTOCOLS:
            arrived = pickle.loads(pickle.dumps(value, protocol))
            assert arrived is value if isclass(value) or isfunction(value) else arrived == value, (package, name)


@pytest.mark.parametrize("kind", kinds(makers.MAKERS))
def test_instances_are_sent(kind, place, pools):
    for instance, expected in makers.made(kind, place):
        texts = [pickle.dumps(instance, protocol) for protocol in PROTOCOLS]
        assert max(map(len, texts)) <= makers.BYTES.get(kind, 1 << 20)
        copies = [copy.deepcopy(instance), *map(pickle.loads, texts)]
        shallow = copy.copy(instance)
        for each in copies:
            assert type(each) is type(instance) and makers.used(kind, each) == expected
        for pool in pools:
            arrived, works = pool.submit(makers.there, kind, instance).result(60)
            assert works == expected and type(arrived) is type(instance)
        assert makers.used(kind, shallow) == expected  # last, as it may share what changes


@pytest.mark.parametrize("kind", kinds(makers.SHARED))
def test_threads_share_instances(kind, place):
    """Also one that is not open yet."""
    makers.forget()
    for instance, expected in makers.made(kind, place):
        for shared in (pickle.loads(pickle.dumps(instance)), instance):
            together = threading.Barrier(4)

            def use(_):
                together.wait(30)
                return makers.used(kind, shared)

            with ThreadPoolExecutor(4) as pool:
                assert list(pool.map(use, range(4))) == [expected] * 4


def test_methods_are_spread_over_processes(place, pools):
    for kind, method in {
        "learning.AnnDistance": "many",
        "heuristics.Heuristic": "many",
        "learning.LocalValueIteration": "solve_many",
        "solver.Solver": "solve_many",
    }.items():
        for instance in islice(makers.MAKERS[kind](place), 3):
            goal = getattr(instance, "goal", makers.Board.goal())
            boards = [makers.some_boards(goal)] * 2
            for pool in pools:
                for values in map_chunks(getattr(instance, method), boards, workers=pool):
                    assert makers.plain(values) == makers.plain(getattr(instance, method)(boards[0]))


@pytest.mark.parametrize("kind", kinds(makers.STAY))
def test_what_stays_says_so_in_one_line(kind, place):
    make, words = makers.STAY[kind]
    instance = make(place)
    try:
        for send in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=r"^an? \w+ cannot be pickled or copied: .*" + words) as caught:
                send(instance)
            assert "\n" not in str(caught.value)
    finally:
        if hasattr(instance, "close"):
            instance.close()
