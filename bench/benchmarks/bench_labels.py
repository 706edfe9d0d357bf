"""How many boards per second does a machine label, and how much longer do all first moves take?"""

import pytest

from puzzle15 import Solver
from puzzle15.solver import label

ASKED = {
    "plain": {},
    "first moves": {"first_moves": True},
    "along the path": {"along_path": True},
    "along the path, first moves": {"along_path": True, "first_moves": True},
    "along the path, table values": {"along_path": True, "table_values": True},
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("asked", ASKED.values(), ids=list(ASKED))
def test_label(benchmark, noted, tables, random_boards, asked, threads):
    solver = Solver(tables=tables)
    columns = benchmark.pedantic(
        label, [solver, random_boards], {**asked, "workers": threads}, rounds=3, warmup_rounds=1
    )
    distance = columns["distance"]
    assert len(distance) == (52_445 if "along_path" in asked else 1000)
    if "along_path" not in asked:
        assert distance.sum() == 52_445
    if "first_moves" in asked:  # 1 + the other children found closer
        assert sum(bin(mask).count("1") for mask in columns["first_moves"].tolist()) == (
            len(distance) + (3254 if "along_path" in asked else 505)
        )
    noted(rows=len(distance), boards_per_s=len(random_boards) / benchmark.stats["min"])
