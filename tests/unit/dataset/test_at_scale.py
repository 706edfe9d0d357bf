"""The simulated cluster of bench, in its smallest form, and the tables that are made of its figures."""

import importlib.util
import sys

import numpy as np
import pytest
from readmes import ROOT

BENCH = ROOT / "bench/at_scale"


@pytest.fixture(scope="module")
def program():
    spec = importlib.util.spec_from_file_location("at_scale", BENCH / "at_scale.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(BENCH))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def test_a_balancer_that_counts_open_requests_lets_fewer_wait(program, rng):
    times = rng.exponential(0.01, 1000)
    waits = {
        name: np.quantile(program.balance(times, 4, 280, pick, np.random.default_rng(1)), 0.99)
        for name, pick in program.BALANCERS.items()
    }
    assert 0.03 < waits["fewest open"] < 0.8 * waits["in turn"]
    alone = program.balance(times, 1, 1, program.BALANCERS["in turn"], rng, requests=2000)
    assert alone.mean() == pytest.approx(times.mean(), rel=0.2)  # hardly anybody waits


@pytest.mark.extra
@pytest.mark.slow
def test_simulated_workers_label_for_a_real_scheduler(program, tables_7_8, tmp_path):
    pytest.importorskip("distributed")
    results = {"labels": program.make_pool(tmp_path, tables_7_8, count=1)}
    row = program.cluster(tmp_path, 4, 2, chunk_seconds=0.1, seconds=1, warm_up=0.1)
    assert 0 < row["chunks_per_second"] < 60 and row["scheduler_ms"] > 0 and row["writer_ms"] > 0
    assert row["bytes"] > 2_000 * 57  # the labels of a chunk come through the scheduler
    results["cluster"] = [row]
    assert "| 4 | 2 |" in program.at_scale_tables.cluster_table(results)
    assert "a billion labels with 1,000 workers" in program.at_scale_tables.limits_table(results)
