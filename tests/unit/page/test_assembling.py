"""The page in one file: nothing is left out of it, and it loads nothing."""

import base64
import gzip
import json
import math
import re
from importlib.resources import files

from page_worker import content

from puzzle15.board import farthest
from puzzle15.page import _assembling as assembling
from puzzle15.page import page
from puzzle15.searches import ALGORITHMS
from puzzle15.tables._partitions import transform_cells


def test_it_is_one_file_that_loads_nothing():
    text = page()
    assert len(text) < 500_000 and text == page()
    assert not re.findall(r'(?:src|href)="(?!#|data:)', text) and "import {" not in text and "\nexport " not in text
    assert "default-src 'none'" in text
    assert set(re.findall(r"https?://[^\"' ]*", text)) == {"http://www.w3.org/2000/svg"}


def test_data_does_not_end_its_element(monkeypatch):
    monkeypatch.setattr(assembling, "_HEURISTICS", ["</script>", "<!--"])
    assert json.loads(content("data", page))["heuristics"] == ["</script>", "<!--"]


def test_depth_first_may_go_as_far_as_the_farthest_board_of_each_goal():
    """The blank of a goal in the middle is up to three moves from a corner's."""
    [kind] = [each for each in json.loads(content("data", page))["algorithms"] if each["name"] == "depth-first"]
    for name, bounds in kind["by_goal"].items():
        shape = tuple(map(int, name.split("x")))
        assert [each["last_bound"] for each in bounds] == [farthest(shape, home) for home in range(math.prod(shape))]
    assert kind["by_goal"]["4x4"][5]["last_bound"] == 82


def test_the_core_is_in_it():
    core = files("puzzle15.page").joinpath("core.wasm").read_bytes()
    assert gzip.decompress(base64.b64decode(content("core"))) == core and core[:4] == b"\0asm"


def test_the_tables_of_each_goal_cover_its_tiles_once():
    data = json.loads(content("data"))
    assert len(data["tables"]) == 19 and data["shapes"]["4x4"] == 80
    for name, homes in data["tables"].items():
        rows, cols = map(int, name.split("x"))
        assert len(homes) == rows * cols
        for home, lookups in enumerate(homes):
            tiles = (1 << rows * cols) - 1 - (1 << home)
            for patterns, symmetry in lookups:
                assert sum(patterns) == tiles and all(pattern & ~tiles == 0 for pattern in patterns)
                cells = [int(digit, 16) for digit in symmetry]
                assert cells[home] == home and transform_cells(cells, tiles) == tiles


def test_every_algorithm_has_its_kernel():
    data = json.loads(content("data"))
    own = [algorithm for algorithm in ALGORITHMS.values() if algorithm.function is None]
    assert [row["name"] for row in data["algorithms"]] == [algorithm.name for algorithm in own]
    assert {row["numbers"]["kernel"] for row in data["algorithms"]} == set(range(len(assembling.KERNELS)))
