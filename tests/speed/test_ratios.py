"""Holds what was reached in speed, as ratios of times that are measured in one run.

Absolute times do not repeat, and how many times as fast one thing is as another differs between processors. So each
kernel is compared with that of the parent commit (parent.py), and its levels of instructions with each other, for their
order alone. Times are processor times, of pairs that run one after the other; the median of the pairs' ratios counts.
"""

import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import timing
import twins
from compiling import ROOT, compiler, run, sources_of
from parent import NoParent, parent_folder
from solving import near
from timing import check_pairs

from puzzle15 import Solver, heuristic, search
from puzzle15._core.search.evaluator import KINDS, Evaluator
from puzzle15._core.search.searches import best_first, deepening
from puzzle15.board import KORF_GOAL, blank_cells, korf100, neighbours, slide, uniform
from puzzle15.board._notation import parse_board
from puzzle15.environments import Options
from puzzle15.environments._simulation import Simulation
from puzzle15.nodes import children
from puzzle15.searches._algorithms import TIES

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent

#: How much more time a kernel may take than its parent, a level than the one below, and a search with counts by layer
#: than one without: more is no noise.
THAN_PARENT, THAN_LEVEL_BELOW, THAN_WITHOUT_COUNTS = 1.25, 1.2, 1.15

KERNELS = [
    *(f"tables/build-{step}-{tiles}" for step in ("level", "transpose") for tiles in (6, 7)),
    "tables/walk",
    "optimal/one-lookup",
    "optimal/two-lookups",
    "optimal/classic",
    "multitile/four-lookups",
    "search/trees",
    "search/best-first",
    *(f"dense/{name}-{kind}" for kind in ("floats", "bytes") for name in ("add", "run")),
]


# ------------------------------------------------------------------------------------------------ kernels


def compiled(folder, sources, *flags):
    """The path of a program of these sources, compiled as the package is."""

    def object_of(source):
        path = folder / f"{'-'.join(source.parts[-3:])}.o"
        run([*compiler(), "-std=c11", "-O3", "-DNDEBUG", *flags, "-c", source, "-o", path])
        return path

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(object_of, sources))
    program = folder / sources[0].stem
    run([*compiler(), *objects, "-lm", "-o", program])
    return program


def compiled_kernels(folder, root):
    """The program of a commit's kernels.c, which calls the functions by the names that they have there."""
    source, flags = root / "tests/speed/kernels.c", [f"-I{root / 'csrc'}", f"-I{root / 'tests' / 'c'}"]
    return compiled(folder, [source, *sources_of(source, root)], *flags)


def seconds_of(program, kernel):
    """By level."""
    lines = [line.split() for line in run([program, kernel, "0.2"]).splitlines()]
    return {int(level): float(seconds) for level, seconds in lines}


#: A kernel -> seconds by level, which were measured beside the parent's and wait for the comparison of levels.
measured = defaultdict(list)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return compiled_kernels(tmp_path_factory.mktemp("kernels"), ROOT)


@pytest.fixture(scope="module")
def parents_kernels(tmp_path_factory):
    try:
        root = parent_folder(tmp_path_factory.mktemp("parent"))
        return compiled_kernels(tmp_path_factory.mktemp("parents-kernels"), root)
    except NoParent as error:
        reason = str(error)
    except AssertionError as error:
        reason = next((line for line in str(error).splitlines() if "error" in line), str(error))
        reason = f"the parent's kernels.c does not compile: {reason}"
    timing.notes.append((timing.NOT_MEASURED, f"comparison with the parent commit: {reason}"))
    pytest.skip(reason)


def test_every_kernel_is_timed(kernels):
    assert sorted(run([kernels]).split()) == sorted(KERNELS)


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_kernel_is_slower_than_the_parents(kernels, parents_kernels, kernel):
    if kernel not in run([parents_kernels]).split():
        timing.notes.append((timing.NOT_MEASURED, "the parent has no such kernel"))
        pytest.skip("the parent has no such kernel")

    def pair():
        here, there = seconds_of(kernels, kernel), seconds_of(parents_kernels, kernel)
        measured[kernel].append(here)
        return {f"{kernel} at level {level}": here[level] / there[level] for level in here}

    check_pairs(pair, THAN_PARENT)


@pytest.mark.parametrize("kernel", sorted({*KERNELS} - {"search/trees"}))  # of one level
def test_no_level_is_slower_than_the_one_below(kernels, kernel):
    def pair():
        seconds = measured[kernel].pop() if measured[kernel] else seconds_of(kernels, kernel)
        return {f"{kernel} at level {level}": seconds[level] / seconds[level - 1] for level in list(seconds)[1:]}

    check_pairs(pair, THAN_LEVEL_BELOW)


@pytest.mark.parametrize("kernel", ["optimal/one-lookup", "optimal/two-lookups", "multitile/four-lookups"])
def test_vectors_pay(kernels, kernel):
    """AVX2 takes half to two thirds of the plain kernels' time."""

    def pair():
        plain, *vectors = seconds_of(kernels, kernel).values()
        return {kernel: vectors[0] / plain} if vectors else {}

    check_pairs(pair, 0.8)


# ------------------------------------------------------------------------------- beside the plain loops of bench/


def seconds(function):
    """The processor time of a function, which may return its own, that of another process."""
    began = time.process_time()
    own = function()
    return time.process_time() - began if own is None else own


def check_order(faster, slower):
    """Of two functions the first one takes no longer."""
    check_pairs(lambda: {"seconds": seconds(faster) / seconds(slower)}, 1)


@pytest.fixture
def plain(tmp_path):
    """Compiles a plain loop; gives a function from records to its lines of output, each split."""

    def program(name):
        binary = compiled(tmp_path, [ROOT / "bench/benchmarks" / name])
        return lambda records: [
            line.split()
            for line in run(
                [binary], "".join(" ".join(map(str, record.board.tiles)) + "\n" for record in records)
            ).splitlines()
        ]

    return program


def test_trees_beat_the_plain_loop(plain):
    records = [record for record in korf100() if 8e6 <= record.nodes <= 11e6]
    manhattan, turn, _ = heuristic("manhattan", goal=KORF_GOAL).prepare()
    loop = plain("plain_ida.c")

    def of_trees():
        for record in records:
            result = deepening(manhattan, turn(record.board), bytes(range(4)))
            assert result["generated"] + 1 == record.nodes

    def of_loop():
        *lines, (spent,) = loop(records)
        assert [int(generated) + 1 for _, generated in lines] == [record.nodes for record in records]
        return float(spent)

    check_order(of_trees, of_loop)


def test_trees_beat_a_walk():
    """Misplaced tiles beside Manhattan distance change no count, but they have no trees."""
    board = sorted(korf100(), key=lambda record: record.nodes)[20].board
    trees, walk = Evaluator((4, 4), KORF_GOAL.packed), Evaluator((4, 4), KORF_GOAL.packed)
    for evaluator, kind in ((trees, "manhattan"), (walk, "manhattan"), (walk, "misplaced")):
        evaluator.add(KINDS.index(kind))

    def of(evaluator):
        def search():
            deepening(evaluator, board.packed, bytes(range(4)))

        return search

    check_order(of(trees), of(walk))


@pytest.mark.parametrize("algorithm", ["a*", "ida*", "mm", "nbs"])
def test_counts_by_layer_take_hardly_any_time(algorithm):
    record = next(record for record in korf100() if record.number == 28)

    def spent(counts):
        def run_search():
            assert search(record.board, goal=KORF_GOAL, algorithm=algorithm, counts=counts).length == record.length

        return seconds(run_search)

    spent(False)
    check_pairs(lambda: {algorithm: spent(True) / spent(False)}, THAN_WITHOUT_COUNTS)


def test_a_star_beats_the_plain_loop(plain):
    records = sorted(korf100(), key=lambda record: record.nodes)[20:22]
    manhattan, turn, _ = heuristic("manhattan", goal=KORF_GOAL).prepare()
    loop = plain("plain_astar.c")

    def of_a_star():
        """The seconds of an expansion: their numbers differ."""
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
        return (time.process_time() - began) / expanded

    def of_loop():
        lines = loop(records)
        assert [int(length) for length, *_ in lines] == [record.length for record in records]
        return sum(float(line[3]) for line in lines) / sum(int(line[1]) for line in lines)

    check_order(of_a_star, of_loop)


# --------------------------------------------------------------------------------------- beside what was done before


def test_questions_about_neighbours_beat_limited_searches(tables_7_8):
    """A limited search from a neighbour also goes back to the board itself."""
    solver = Solver(tables=tables_7_8)
    boards = uniform(300, np.random.default_rng(1))
    results = solver.engine.solve(boards)
    distance, path = results["length"], results["path"]
    known = np.uint8(1) << (path[:, 0] & 3)
    made = children(boards, solver.shape)
    asked = known[made.parent] >> made.direction & 1 == 0
    parent, bit = made.parent[asked], np.uint8(1) << made.direction[asked]
    found = []

    def of_questions():
        found.append(solver.engine.first_moves(boards, distance, path)[0])

    def of_searches():
        first = known.copy()
        solved = solver.solve_many(made.packed[asked], max_length=distance[parent] - 1).lengths >= 0
        np.bitwise_or.at(first, parent[solved], bit[solved])
        found.append(first)

    check_order(of_questions, of_searches)
    assert all((each == found[0]).all() for each in found)


def test_a_board_is_solved_before_python_has_read_its_text(tables_7_8):
    """One move from home: what a call takes, with its text and its solution. It once took 1.5 times as long."""
    solver, text = Solver(tables=tables_7_8), "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"

    def of_calls():
        for _ in range(2000):
            solver.solve(text)

    def of_reading():
        for _ in range(2000):
            parse_board(text)

    of_calls()
    check_order(of_calls, of_reading)


def test_multi_tile_hints_beat_limited_searches():
    """A search after a move has one iteration, along one axis."""
    solver, rng = Solver("embedded", metric="mtm"), np.random.default_rng(1)
    boards = [near(rng, solver.goal, 26) for _ in range(40)]
    slides = [letter * tiles for letter in "UDLR" for tiles in (1, 2, 3)]
    found = []

    def of_hints():
        found.append([solver.hint(board).best_moves.split() for board in boards])

    def of_searches():
        first = []
        for board in boards:
            children = {moves: board.apply(moves) for moves in slides if twins.replay((4, 4), board.tiles, moves)}
            length = solver.distance(board)
            nearer = [solver.solve(child, max_length=max(length - 1, 0)).solved for child in children.values()]
            first.append([moves for moves, is_nearer in zip(children, nearer) if is_nearer])
        found.append(first)

    check_pairs(lambda: {"seconds": seconds(of_hints) / seconds(of_searches)}, 0.7)
    assert all(each == found[0] for each in found)


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

    check_order(in_c, in_numpy)


# ------------------------------------------------------------------------------- whole processes

SHELL = "from puzzle15._cli import run; run()"  # as the installed command begins
BOARD = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"


def test_commands_begin_and_end_soon(tmp_path, tables_7_8, monkeypatch):
    """Beside bare Python and the import of numpy. A command imports some modules more, on any processor."""
    monkeypatch.setenv("PUZZLE15_TABLES", str(tables_7_8))

    def process(code, *words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code, *words], cwd=tmp_path, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def pair():
        bare, numpy = process("pass"), process("import numpy")
        return {
            "--version, beside bare Python": process(SHELL, "--version") / bare / 4,
            "solve, beside numpy": process(SHELL, "solve", BOARD) / numpy / 1.5,
            "hint, beside numpy": process(SHELL, "hint", BOARD) / numpy / 1.5,
        }

    check_pairs(pair, 1)
