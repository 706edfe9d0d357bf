"""How many nodes per second does IDA* with Manhattan distance generate on one thread?

The plain loop of plain_ida.c runs for comparison. Both must generate as many nodes as Korf's table says.
"""

import pytest

from puzzle15._core.search.evaluator import KINDS, Evaluator
from puzzle15._core.search.searches import deepening
from puzzle15.board import KORF_GOAL, korf100

ORDER = bytes([0, 1, 2, 3])

#: Korf's boards by what they need: (least, most) nodes.
SETS = {"1M to 20M": (1e6, 20e6), "200M to 400M": (200e6, 400e6)}


def records(name):
    least, most = SETS[name]
    return [record for record in korf100() if least <= record.nodes <= most]


def rate(chosen, seconds):
    total = sum(record.nodes for record in chosen)
    return {"boards": len(chosen), "generated": total, "million_per_s": round(total / seconds / 1e6)}


@pytest.mark.parametrize("name, rounds", [("1M to 20M", 9), ("200M to 400M", 3)])
def test_trees(benchmark, noted, name, rounds):
    chosen = records(name)
    manhattan = Evaluator(KORF_GOAL.shape, KORF_GOAL.packed)
    manhattan.add(KINDS.index("manhattan"))

    def run():
        return [deepening(manhattan, record.board.packed, ORDER) for record in chosen]

    results = benchmark.pedantic(run, rounds=rounds, warmup_rounds=1)
    assert [result["generated"] + 1 for result in results] == [record.nodes for record in chosen]
    assert [len(result["directions"]) for result in results] == [record.length for record in chosen]
    noted(**rate(chosen, benchmark.stats.stats.median))


def test_plain_loop(benchmark, noted, plain_program):
    chosen = records("1M to 20M")
    run = plain_program("plain_ida.c")
    lines = benchmark.pedantic(run, [[record.board for record in chosen]], rounds=3, warmup_rounds=1)
    assert lines[:-1] == [[str(record.length), str(record.nodes - 1)] for record in chosen]
    noted(**rate(chosen, benchmark.stats.stats.median))
