"""How long does building take, including the files?"""

from puzzle15 import build_tables
from puzzle15.tables._construction import construct_in_memory


def test_six_tiles_in_memory(benchmark):
    table, _ = benchmark(construct_in_memory, (4, 4), 0x0333, 15, "zero-aware")
    assert table.max_value == 27


def test_7_8(benchmark, tmp_path):
    tables = benchmark.pedantic(build_tables, ["7-8"], {"tables": tmp_path, "force": True}, rounds=3)
    assert [sum(table.counts) for table in tables] == [1_425_191_040, 139_849_920]
    benchmark.extra_info["bytes"] = sum(table.path.stat().st_size for table in tables)
