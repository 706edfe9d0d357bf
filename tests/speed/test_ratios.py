"""Holds what was reached in speed, as ratios of times that are measured in one run, in turn.

Absolute times do not repeat, ratios do. The least of several processor times counts: what else runs on the machine
can only add to it. A test whose bound is broken measures again, a few times. Every kernel's compilations are compared
with each other, and searches with plain loops that do the same work; both generate the same nodes, or the test fails.
"""

import os
import subprocess
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from compiling import CSRC, ROOT, compiler, run
from timing import timed

from puzzle15 import Solver, heuristic
from puzzle15._core.optimal.idastar import children_beside
from puzzle15._core.search.best_first import best_first
from puzzle15._core.search.deepening import deepening
from puzzle15.board import blank_cells, neighbours, slide, uniform
from puzzle15.environments import Options
from puzzle15.environments.simulation import Simulation
from puzzle15.published import KORF_GOAL, korf100
from puzzle15.searches import TIES

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ROUNDS = 7

#: How much more time a level may take than any below it. Measurements on a busy machine differ by a third.
NOISE = 1.5

KERNELS = [
    *(f"tables/build-{step}-{tiles}" for step in ("level", "transpose") for tiles in (6, 7)),
    "tables/walk",
    "optimal/one-view",
    "optimal/two-views",
    "optimal/classic",
    "search/bundles",
    "search/best-first",
    *(f"dense/{name}-{kind}" for kind in ("floats", "halves", "bytes") for name in ("add", "run")),
]

#: Kernels for which vectors are the point, and how many times as fast as the plain one the highest level is at least,
#: where the processor has the level by this number.
GAINS = {
    "tables/build-level-7": (2, 1.8),
    "search/bundles": (2, 1.5),
    "optimal/one-view": (2, 1.8),
    "optimal/two-views": (2, 1.8),
    "dense/run-floats": (1, 1.5),
    "dense/run-bytes": (1, 1.5),
}

#: How many times as fast as the plain loop a search is at least: without AVX-512, and with it. Without it, one view
#: gains little, since these tables fit the cache. Medians were 1.1 and 3.1, and with AVX-512 2.9 and 7.5, so a search
#: that lost a quarter of its speed is noticed.
BESIDE_PLAIN = {"beside-plain/one-view": (0.9, 2.2), "beside-plain/two-views": (2.4, 5.6)}


def compiled(folder, sources, *flags):
    """The path of a program of these sources, compiled as the package is."""

    def object_of(source):
        path = folder / f"{'-'.join(source.relative_to(ROOT).parts)}.o"
        run([*compiler(), "-std=c11", "-O3", "-DNDEBUG", *flags, "-c", source, "-o", path])
        return path

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(object_of, sources))
    program = folder / sources[0].stem
    run([*compiler(), *objects, "-lm", "-o", program])
    return program


class Kernels:
    """The times of all kernels. Each measurement adds to the ones before, so noise goes out of them."""

    def __init__(self, program):
        self._program = program
        self._asked = set()
        self.seconds = defaultdict(list)  # of a kernel, the least by level; of a search, the best median of its ratios
        self.measure()

    def measure(self):
        found = defaultdict(list)
        for line in run([self._program, str(ROUNDS)]).splitlines():
            kernel, level, value = line.split()
            assert int(level) == len(found[kernel])
            found[kernel].append(float(value))
        for kernel, values in found.items():
            better = max if kernel in BESIDE_PLAIN else min
            self.seconds[kernel] = [better(pair) for pair in zip(values, self.seconds[kernel] or values)]
        print(dict(self.seconds))

    def of(self, kernel, test):
        """Its times; measured anew if the test asks again, since then they broke its bound."""
        if (kernel, test) in self._asked:
            self.measure()
        self._asked.add((kernel, test))
        return self.seconds[kernel]


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    sources = [HERE / "kernels.c", *sorted(CSRC.rglob("*.c"))]
    return Kernels(compiled(tmp_path_factory.mktemp("kernels"), sources, f"-I{CSRC}", f"-I{ROOT / 'tests' / 'c'}"))


def test_every_kernel_is_timed(kernels):
    assert sorted(kernels.seconds) == sorted([*KERNELS, *BESIDE_PLAIN])


@pytest.mark.parametrize("kernel", KERNELS)
@timed
def test_a_higher_level_is_never_slower(kernels, kernel):
    times = kernels.of(kernel, "levels")
    for level, least in enumerate(times[1:], 1):
        assert least <= NOISE * min(times[:level]), f"{kernel}: seconds by level {times}"


@pytest.mark.parametrize("kernel", GAINS)
@timed
def test_vectors_pay(kernels, kernel):
    level, gain = GAINS[kernel]
    times = kernels.of(kernel, "gain")
    if len(times) > level:
        assert times[-1] * gain <= times[0], f"{kernel}: seconds by level {times}"


@pytest.mark.parametrize("search", BESIDE_PLAIN)
@timed
def test_the_optimal_search_beside_its_plain_twin(kernels, search):
    """Both with the same tables, which are small; the twin generates the nodes of the textbook search."""
    (ratio,) = kernels.of(search, "beside-plain")
    with_avx512 = len(kernels.seconds["optimal/two-views"]) > 2
    assert ratio >= BESIDE_PLAIN[search][with_avx512], f"only {ratio:.2f} times as fast"


# ------------------------------------------------------------------------------- beside the plain loops of bench/


def least_seconds(*runs):
    """The least processor time of each of several functions, which run in turn; each returns its own, or None."""
    least = [float("inf")] * len(runs)
    for _ in range(ROUNDS):
        for number, each in enumerate(runs):
            began = time.process_time()
            own = each()
            spent = time.process_time() - began
            least[number] = min(least[number], spent if own is None else own)
    return least


@pytest.fixture
def plain(tmp_path):
    """Compiles a plain loop; gives a function from records to its lines of output, each split."""

    def program(name):
        binary = compiled(tmp_path, [ROOT / "bench" / name])
        return lambda records: [
            line.split()
            for line in run(
                [binary], "".join(" ".join(map(str, record.board.tiles)) + "\n" for record in records)
            ).splitlines()
        ]

    return program


@timed
def test_bundles_beat_the_plain_loop_three_times(plain):
    records = [record for record in korf100() if 8e6 <= record.nodes <= 20e6]
    manhattan, turn, _ = heuristic("manhattan", goal=KORF_GOAL).prepare()
    loop = plain("plain_ida.c")

    def of_bundles():
        for record in records:
            result = deepening(manhattan, turn(record.board), bytes(range(4)))
            assert result["generated"] + 1 == record.nodes

    def of_loop():
        *lines, (spent,) = loop(records)
        assert [int(generated) + 1 for _, generated in lines] == [record.nodes for record in records]
        return float(spent)

    fast, slow = least_seconds(of_bundles, of_loop)
    assert slow >= 3 * fast, f"only {slow / fast:.2f} times as fast"


@timed
def test_a_star_beats_the_plain_loop_three_times(plain):
    records = sorted(korf100(), key=lambda record: record.nodes)[20:23]
    manhattan, turn, _ = heuristic("manhattan", goal=KORF_GOAL).prepare()
    loop = plain("plain_astar.c")
    rates = [], []
    for _ in range(3):
        began, expanded = time.process_time(), 0
        for record in records:
            answer = best_first(
                manhattan,
                turn(record.board),
                bytes(range(4)),
                g_weight=1,
                h_weight=1,
                ties=TIES.index("larger-g"),
                max_bytes=8 << 30,
            )
            assert len(answer["directions"]) == record.length
            expanded += answer["expanded"]
        rates[0].append(expanded / (time.process_time() - began))
        lines = loop(records)
        assert [int(length) for length, *_ in lines] == [record.length for record in records]
        rates[1].append(sum(int(line[1]) for line in lines) / sum(float(line[3]) for line in lines))
    ratio = max(rates[0]) / max(rates[1])
    assert ratio >= 3, f"only {ratio:.2f} times as many expansions per second"


# --------------------------------------------------------------------------------------- beside what was done before


@timed
def test_questions_about_neighbours_beat_limited_searches(tables_7_8):
    """A limited search from a neighbour also goes back to the board itself."""
    solver = Solver(tables=tables_7_8)
    boards = uniform(300, np.random.default_rng(1))
    results = solver.solve_packed(boards)
    distance, known = results["length"], np.uint8(1) << (results["path"][:, 0] & 3)
    children, limits, skip = children_beside(boards, distance, known, solver.shape)
    found = []

    def of_questions():
        found.append(solver.other_first_moves(boards, distance, known))

    def of_searches():
        solved = solver.solve_packed(children, skip=skip, max_length=limits)["solved"]
        found.append((solved.reshape(-1, 4) << np.arange(4, dtype=np.uint8)).sum(axis=1, dtype=np.uint8))

    fast, slow = least_seconds(of_questions, of_searches)
    assert all((each == found[0]).all() for each in found)
    assert slow >= 1.3 * fast, f"only {slow / fast:.2f} times as fast"


@timed
def test_a_multi_tile_node_costs_little_more_than_a_single_tile_one():
    """One look-up for each view gives the values of all children; both with embedded tables, of 6 and 15 MB.

    The ratio was 0.55 until single-tile nodes were expanded by vectors; since then it is 1.05.
    """
    many = uniform(100, np.random.default_rng(1))
    work = [(Solver("embedded", metric="mtm"), many[:4]), (Solver("embedded"), many)]
    expanded = [int(solver.solve_packed(boards)["expanded"].sum()) for solver, boards in work]
    assert min(expanded) > 1_000_000

    def of(solver, boards):
        def run():
            solver.solve_packed(boards)

        return run

    seconds = least_seconds(*(of(solver, boards) for solver, boards in work))
    ratio = seconds[0] / expanded[0] * expanded[1] / seconds[1]
    assert ratio <= 1.4, f"a multi-tile node takes {ratio:.2f} times as long as a single-tile one"


@timed
def test_a_whole_step_costs_less_than_its_moves_in_numpy():
    """Random moves of 10,000 boards; a step has rewards, masks, observations and new episodes beside them."""
    count, rng = 10_000, np.random.default_rng(1)
    simulation = Simulation(count, Options(max_episode_steps=200))
    simulation.seed(np.arange(count))
    simulation.begin()
    actions = rng.integers(0, 4, (50, count), dtype=np.uint8)
    start, beside = simulation.boards.copy(), neighbours((4, 4))

    def in_c():
        for some in actions:
            simulation.step(simulation.check_actions(some))

    def in_numpy():
        boards = start
        for some in actions:
            blank = blank_cells(boards, (4, 4))
            to = beside[blank, some].astype(np.int64)
            boards = slide(boards, blank, np.where(to < 0, blank, to))

    fast, slow = least_seconds(in_c, in_numpy)
    assert slow >= 1.1 * fast, f"only {slow / fast:.2f} times as fast"


# ------------------------------------------------------------------------------- whole processes

SHELL = "from puzzle15.cli import run; run()"  # as the installed command begins
BOARD = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"


@timed
def test_commands_begin_and_end_soon(tmp_path, tables_7_8, monkeypatch):
    """Wall times: of a process's own, and of what it waits for."""
    monkeypatch.setenv("PUZZLE15_TABLES", str(tables_7_8))

    def process(code, *words):
        def seconds():
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", code, *words], cwd=tmp_path, check=True, capture_output=True)
            return time.perf_counter() - began

        return seconds

    bare, version, numpy, solve, hint = least_seconds(
        process("pass"),
        process(SHELL, "--version"),
        process("import numpy"),
        process(SHELL, "solve", BOARD),
        process(SHELL, "hint", BOARD),
    )
    assert version <= 4 * bare, f"--version takes {version / bare:.2f} times as long as bare Python"
    assert solve <= 1.5 * numpy, f"solving a board takes {solve / numpy:.2f} times as long as importing numpy"
    assert hint <= 1.5 * numpy, f"a hint takes {hint / numpy:.2f} times as long as importing numpy"
