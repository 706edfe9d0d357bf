"""Objects with a state, in any order of calls, beside models of plain Python; a solver that threads share."""

import copy
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest
import truth
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from problems import Check, draw
from sharing import share
from strategies import examples
from ways import LEFT_OUT, WAYS

from puzzle15 import Board, Solver
from puzzle15.nodes import BoardTable, BucketQueue

SHAPE = (2, 3)
KEYS = [int(key) for key in truth.canonical(SHAPE, 5, False).keys[:40]]  # so few that they come again
boards = st.lists(st.sampled_from(KEYS), max_size=12)
rows = st.lists(st.tuples(st.sampled_from(KEYS), st.integers(0, 255)), max_size=12)


def words(keys):
    return np.array(keys, np.uint64)


class Queue(RuleBasedStateMachine):
    """A `BucketQueue` beside a list of nodes for each key."""

    def __init__(self):
        super().__init__()
        self.queue, self.nodes, self.pushed = BucketQueue(), {}, 0

    @rule(keys=st.lists(st.integers(-3, 9), max_size=8))
    def push(self, keys):
        numbers = np.arange(self.pushed, self.pushed + len(keys))
        self.queue.push(np.array(keys, int), numbers, numbers.astype(np.uint64) * 3)
        for key, number in zip(keys, numbers.tolist()):
            self.nodes.setdefault(key, []).append(number)
        self.pushed += len(keys)

    @rule()
    def push_what_does_not_fit(self):
        if self.pushed:
            with pytest.raises(ValueError):
                self.queue.push([0], np.array([0]), np.array([0.5]))

    @precondition(lambda self: self.nodes)
    @rule(count=st.integers(1, 6), across=st.booleans())
    def pop(self, count, across):
        found, tripled = self.queue.pop(count, across=across)
        expected = []
        while self.nodes and (not expected or across) and len(expected) < count:
            least = min(self.nodes)
            bucket = self.nodes[least]
            taken = bucket[-(count - len(expected)) :]
            del bucket[len(bucket) - len(taken) :]
            expected += taken
            if not bucket:
                del self.nodes[least]
        assert sorted(found.tolist()) == sorted(expected)
        assert (tripled == found.astype(np.uint64) * 3).all()

    @precondition(lambda self: not self.nodes)
    @rule()
    def pop_nothing(self):
        for ask in (lambda: self.queue.pop(1), lambda: self.queue.least):
            with pytest.raises(IndexError):
                ask()

    @invariant()
    def agrees(self):
        assert len(self.queue) == sum(map(len, self.nodes.values()))
        if self.nodes:
            assert self.queue.least == min(self.nodes)


class Table(RuleBasedStateMachine):
    """A `BoardTable` beside a dictionary."""

    def __init__(self):
        super().__init__()
        self.model = {}

    @initialize(memory=st.sampled_from(["1M", None]), expected=st.sampled_from([0, 1000]))
    def make(self, memory, expected):
        self.table = BoardTable(values=np.uint8, max_memory=memory, expected=expected)

    def values(self, rows):
        return words([key for key, _ in rows]), np.array([value for _, value in rows], np.uint8)

    @rule(rows=rows)
    def insert(self, rows):
        is_new = []
        for key, value in rows:
            is_new.append(key not in self.model)
            self.model.setdefault(key, value)
        assert self.table.insert(*self.values(rows)).tolist() == is_new

    @rule(rows=rows)
    def update(self, rows):
        before = set(self.model)
        found = self.table.update(*self.values(rows)).tolist()
        self.model.update(rows)
        assert {key for (key, _), is_new in zip(rows, found) if is_new} == set(self.model) - before
        assert sum(found) == len(set(self.model) - before)

    @rule(rows=rows)
    def lower(self, rows):
        before = dict(self.model)
        written = self.table.lower(*self.values(rows)).tolist()
        for key, value in rows:
            self.model[key] = min(value, self.model.get(key, 256))
        changed = {key for key in self.model if self.model[key] != before.get(key)}
        assert {key for (key, _), is_written in zip(rows, written) if is_written} == changed

    @rule(keys=boards)
    def get(self, keys):
        values, found = self.table.get(words(keys))
        assert found.tolist() == [key in self.model for key in keys]
        assert values.tolist() == [self.model.get(key, 0) for key in keys]

    @rule()
    def clear(self):
        self.table.clear()
        self.model.clear()

    @rule(way=st.sampled_from(["pickle", "copy"]))
    def go_on_with_a_copy(self, way):
        self.table = pickle.loads(pickle.dumps(self.table)) if way == "pickle" else copy.deepcopy(self.table)

    @invariant()
    def agrees(self):
        if hasattr(self, "table"):
            assert len(self.table) == len(self.model)
            assert sorted(self.table.keys().tolist()) == sorted(self.model)


SOLVERS = [Solver("embedded", shape=(2, 4), metric=metric) for metric in ("stm", "mtm")]


class Solutions(RuleBasedStateMachine):
    """`AllSolutions`, taken one by one, counted meanwhile, cut short by a limit, from two iterators of one solver."""

    @initialize(number=st.integers(0, 20159), solver=st.sampled_from(SOLVERS))
    def ask(self, number, solver):
        known = truth.canonical((2, 4), 7, solver.metric == "mtm")
        self.board = tuple(truth.boards_of(known.keys[number : number + 1], 8)[0].tolist())
        self.expected, self.length = known.count_solutions(self.board), known(self.board)
        self.multi_tile, self.solver = known.multi_tile, solver
        self.lists = [solver.all_solutions(Board(self.board, (2, 4))) for _ in range(2)]
        self.seen = [[], []]

    @rule(which=st.integers(0, 1), count=st.integers(1, 30))
    def take(self, which, count):
        for _ in range(count):
            letters = next(self.lists[which], None)
            if letters is None:
                assert self.lists[which].complete and len(self.seen[which]) == self.expected
                return
            end = truth.replay((2, 4), self.board, letters)
            count = truth.count_multi_tile(letters) if self.multi_tile else len(letters)
            assert (end, count) == (truth.goal_of((2, 4), 7), self.length)
            self.seen[which].append(letters)

    @rule(which=st.integers(0, 1))
    def count(self, which):
        assert self.lists[which].count() == self.expected

    @rule(nodes=st.integers(0, 50))
    def ask_with_a_limit(self, nodes):
        limited = self.solver.all_solutions(Board(self.board, (2, 4)), max_nodes=nodes)
        listed = list(limited)
        assert len(set(listed)) == len(listed) <= self.expected
        assert limited.complete == (limited.solution.moves is not None and len(listed) == self.expected)

    @invariant()
    def agrees(self):
        for seen in getattr(self, "seen", ()):
            assert len(set(seen)) == len(seen) <= self.expected
        if hasattr(self, "seen"):
            first, second = sorted(self.seen, key=len)
            assert second[: len(first)] == first


for machine in (Queue, Table, Solutions):
    machine.TestCase.settings = examples(1 / 2, stateful_step_count=25)
TestQueue, TestTable, TestSolutions = Queue.TestCase, Table.TestCase, Solutions.TestCase


@pytest.mark.parametrize("count", [4, pytest.param(40, marks=pytest.mark.nightly)])
def test_threads_that_share_solvers(count, tmp_path):
    """Eight threads ask in every way at once; solvers, tables and the caches below them are shared."""
    names = [name for name in WAYS if name not in ("page", "arrays", *LEFT_OUT)]
    checks, failures = [Check() for _ in range(8)], []

    def work(check, thread):
        for number in range(count):
            name = names[(7 * number + 3 * thread) % len(names)]
            function, options = WAYS[name]
            try:
                # Two threads have the same problems, and so the same solvers.
                function(draw(90 + thread // 2, name, number, Path(tmp_path), **{**options, "large": False}), check)
            except BaseException as error:
                failures.append((thread, name, number, error))

    threads = [threading.Thread(target=work, args=(check, thread)) for thread, check in enumerate(checks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    assert all(check.count > 0 for check in checks)


@pytest.mark.nightly
def test_objects_that_threads_of_several_processes_ask():
    for name, process, outcome in share(2, 2):
        assert not isinstance(outcome, BaseException), (name, process, outcome)
        count, before, after = outcome
        assert count > 20 and after < 1.1 * before + 8, (name, process, outcome)
