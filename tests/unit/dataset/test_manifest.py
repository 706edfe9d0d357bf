"""Manifests that are damaged, and folders that are none."""

import contextlib
import json
import re
from collections import Counter

import pytest
from labels import EIGHT, contents, made

from puzzle15.dataset import check, load
from puzzle15.errors import DatasetCorruptError, DatasetError

_OTHERS = [
    *("gone", None, True, False, -1, 0, 1.5, 10**22, 10**400, float("nan"), float("inf")),
    *("x", "../../../../etc/passwd", "\x1b[2J", [], [[]], {}, {"x": 1}, [1, 2, 3, "x"], "deep"),
]


def fields(value, path=()):
    """The paths of all values in a manifest; of lists the first and the last."""
    yield path
    keys = value if isinstance(value, dict) else {0, len(value) - 1} - {-1} if isinstance(value, list) else ()
    for key in keys:
        yield from fields(value[key], (*path, key))


def changed(manifest, path, value):
    manifest = json.loads(json.dumps(manifest))
    place = manifest
    for key in path[:-1]:
        place = place[key]
    if value == "gone":
        del place[path[-1]]
    else:
        for _ in range(400 if value == "deep" else 0):
            value = [value]
        place[path[-1]] = value
    return manifest


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"along_path": True, "first_moves": True, "table_values": True},
        pytest.param({"format": "parquet", "first_moves": True, "table_values": True}, marks=pytest.mark.extra),
    ],
)
@pytest.mark.slow
def test_no_manifest_leads_to_another_error(options, tmp_path):
    """Each value removed, and replaced by values of other types and sizes: that is damage, or it does not matter."""
    if "format" in options:
        pytest.importorskip("pyarrow")
    made(tmp_path, 30, shard=20, **options)
    path = tmp_path / "_manifest.json"
    text = path.read_text()
    shards = {name: text for name, text in contents(tmp_path).items() if name != path.name}
    outcomes = Counter()
    for place in fields(json.loads(text)):
        for value in _OTHERS if place else ():
            path.write_text(json.dumps(changed(json.loads(text), place, value)))
            try:
                dataset = load(tmp_path)
            except DatasetCorruptError as error:
                assert str(path) in str(error) and "expected" in str(error) and "label again" in str(error)
                with pytest.raises(DatasetCorruptError):
                    made(tmp_path, 30, shard=20, resume=True, **options)
                outcomes["corrupt"] += 1
            except DatasetError as error:
                assert place == ("format_version",), error
            else:
                outcomes["sound"] += 1
                with contextlib.suppress(DatasetCorruptError):
                    list(dataset.shards())
                    dataset.array("board")
                    repr(dataset), dataset.histogram
                check(tmp_path, sample=2, solver=EIGHT)
                with contextlib.suppress(DatasetError):
                    made(tmp_path, 30, shard=20, resume=True, **options)
    assert outcomes["corrupt"] > 500 and outcomes["sound"] > 0
    assert {name: text for name, text in contents(tmp_path).items() if name != path.name} == shards


@pytest.mark.parametrize(
    "path, value, expected",
    [
        ("columns", "gone", "'columns' is missing"),
        ("rows", "x", "rows is 'x', expected 30"),
        ("rows", 10**22, "rows is 10000000000000000000000, expected 30"),
        ("count", 10**22, "count 10000000000000000000000: expected a whole number from 1 to "),
        ("goal", "1 2 3", "'1 2 3': 3 numbers, but a 3x3 board has 9"),
        ("format_version", 2, "format is missing, expected 'parquet'"),
        (("columns", 0, "dtype"), "foo", r"columns is \[\{'dtype': 'foo', .*, expected \[\{'dtype': 'uint8'"),
        (("shards", 0, "name"), "gone", r"shards\[0\].name is missing, expected 'shard-00000.npz'"),
        (("shards", 0, "name"), "../../../../etc/passwd", r"shards\[0\].name is '../../../../etc/passwd', expected"),
        (("shards", 0, "rows"), 10**13, r"shards\[0\].rows is 10000000000000, expected 30"),
        (("shards", 0, "sha256"), "0", r"shards\[0\].sha256 is '0', expected 64 hexadecimal"),
        (("shards", 0, "distances"), [0, 29], r"shards\[0\].distances sum up to 29, expected 30 .. 30 rows"),
        (("shards", 0, "distances"), [0, 31], r"shards\[0\].distances sum up to 31, expected 30 .. 30 rows"),
    ],
)
def test_a_damaged_value_is_named(run, path, value, expected, tmp_path):
    manifest = changed(made(tmp_path, 30).manifest, (path,) if isinstance(path, str) else path, value)
    (tmp_path / "_manifest.json").write_text(json.dumps(manifest))
    expected = f"_manifest.json: damaged: {expected}.*; restore it from a copy, or"
    with pytest.raises(DatasetCorruptError, match=expected):
        load(tmp_path)
    code, out, err = run("label", "--check", tmp_path)
    assert code not in (0, None) and out == "" and re.search(expected, err)


def test_manifests_that_are_no_json(tmp_path):
    made(tmp_path, 30)
    for text in ["", "[" * 200_000, "{", "null", "3", "\xff", '"' + "x" * 10**6, '{"kind": "other"}']:
        (tmp_path / "_manifest.json").write_bytes(text.encode("latin-1"))
        for call in (load, check, lambda folder: made(folder, 30, resume=True)):
            with pytest.raises(DatasetCorruptError, match="restore it from a copy"):
                call(tmp_path)


def test_a_shard_that_is_smaller_than_its_rows(tmp_path):
    """No memory is taken for rows that cannot be in the file, whatever manifest and file say."""
    manifest = made(tmp_path, 30).manifest
    entry = manifest["shards"][0]
    entry.update(boards=10**12, rows=10**12, distances=[10**12], bytes=10**11)
    manifest.update(count=10**12, shard=10**12, boards=10**12, rows=10**12, distances=[10**12])
    (tmp_path / "_manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DatasetCorruptError, match="shard-00000.npz: damaged .*expected 100,000,000,000"):
        load(tmp_path).array("board")
    entry["bytes"] = (tmp_path / "shard-00000.npz").stat().st_size
    (tmp_path / "_manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DatasetCorruptError, match=r"shards\[0\].bytes "):
        load(tmp_path)


def test_how_many_rows_boards_may_have(tmp_path):
    """Along a path, a board has at most as many as there are distances."""
    manifest, most = made(tmp_path, 30, along_path=True).manifest, 30 * 256
    for rows in (29, 30, most, most + 1):
        for entry in (manifest, manifest["shards"][0]):
            entry.update(rows=rows, distances=[0, rows])
        (tmp_path / "_manifest.json").write_text(json.dumps(manifest))
        if 30 <= rows <= most:
            assert len(load(tmp_path)) == rows
            continue
        with pytest.raises(DatasetCorruptError, match=rf"shards\[0\].distances sum up to {rows}, expected 30 \.\. "):
            load(tmp_path)


def test_formats_that_are_not_known(tmp_path):
    manifest = made(tmp_path, count=10).manifest
    (tmp_path / "_manifest.json").write_text(json.dumps({**manifest, "format_version": 3}))
    with pytest.raises(DatasetError, match="version 3 of the format, expected at most 2; install a newer puzzle15"):
        load(tmp_path)
