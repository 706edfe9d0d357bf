"""How fast does A* expand nodes, and how much memory does a node take, compared with the plain loop of plain_astar.c?

It solves the 50 of Korf's boards for which IDA* needs the fewest nodes, with Manhattan distance, on one thread.
"""

import pytest

from puzzle15 import heuristic, search
from puzzle15._core.search.searches import best_first
from puzzle15.board import KORF_GOAL, korf100
from puzzle15.searches._algorithms import TIES

EASIEST = sorted(korf100(), key=lambda record: record.nodes)[:50]


def a_star(records, ties):
    """(length, expanded, nodes, bytes) of every board."""
    evaluator, turn, _ = heuristic("manhattan", goal=KORF_GOAL).prepare()
    for record in records:
        answer = best_first(
            evaluator,
            turn(record.board),
            bytes(range(4)),
            g_weight=1,
            h_weight=1,
            ties=TIES.index(ties),
            max_bytes=8 << 30,
        )
        yield len(answer["directions"]), answer["expanded"], answer["nodes"], answer["memory_bytes"]


def counts(rows, seconds):
    """The counts of all boards, and rates."""
    expanded, nodes = sum(row[1] for row in rows), sum(row[2] for row in rows)
    rates = {"expansions_per_s": expanded / seconds}
    if len(rows[0]) == 4:
        rates["bytes_per_node"] = sum(row[3] for row in rows) / nodes
    return {"boards": len(rows), "expanded": expanded, "nodes": nodes, **rates}


@pytest.mark.parametrize("ties", ["larger-g"])
def test_a_star(benchmark, noted, ties):
    rows = benchmark.pedantic(lambda: list(a_star(EASIEST, ties)), rounds=3)
    assert [row[0] for row in rows] == [record.length for record in EASIEST]
    assert sum(row[1] for row in rows) == 67_649_564
    noted(**counts(rows, benchmark.stats["median"]))


def test_plain_a_star(benchmark, noted, plain_program):
    """Solve the last 10 boards; the program measures its own seconds."""
    boards = EASIEST[40:]
    run = plain_program("plain_astar.c")
    lines = benchmark.pedantic(run, [[record.board for record in boards]], rounds=1)
    rows = [(int(length), int(expanded), int(nodes)) for length, expanded, nodes, _ in lines]
    assert [row[0] for row in rows] == [record.length for record in boards]
    noted(**counts(rows, sum(float(line[3]) for line in lines)))


def test_a_star_on_the_same_boards(benchmark, noted):
    boards = EASIEST[40:]
    rows = benchmark.pedantic(lambda: list(a_star(boards, "larger-g")), rounds=1)
    assert [row[0] for row in rows] == [record.length for record in boards]
    noted(**counts(rows, benchmark.stats["median"]))


def test_recorded_a_star(benchmark, noted):
    """Tell a callable of 10,000 expansions; what it does with them is not counted."""
    board = EASIEST[40].board
    told = []

    def tell():
        told.clear()
        search(
            board,
            goal=KORF_GOAL,
            on_expand=lambda expansion: told.append(expansion) or len(told) < 10_000,
            max_nodes=25_000,
        )

    benchmark.pedantic(tell, rounds=5)
    assert len(told) == 10_000
    noted(us_per_expansion=benchmark.stats["median"] * 1e6 / len(told))
