"""Files of arrays that are damaged or hostile: one error of the reader's own, and no memory taken for lies."""

import contextlib
import io
import json
import os
import re
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from puzzle15 import Solver
from puzzle15.dataset import load, write
from puzzle15.errors import DatasetCorruptError, NetworkError
from puzzle15.learning import AnnDistance
from puzzle15.learning._network_file import write_network

SEED = 11
BOARD = "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"


def network(path):
    rng = np.random.default_rng(SEED)
    arrays = {"w0": rng.normal(size=(256, 1)).astype(np.float32), "b0": np.ones(1, np.float32)}
    layers = [{"inputs": 256, "outputs": 1, "activation": "none"}]
    write_network(
        path, arrays, meta={"format": 1, "kind": "float", "target": "distance", "lowered": 0, "layers": layers}
    )
    return path


def shard(path):
    write(path.parent / "boards", 50, seed=1, solver=Solver(shape=(2, 3)))
    return path.parent / "boards" / "shard-00000.npz"


def read_shard(path):
    """With a manifest that says that so many bytes are right."""
    manifest = path.with_name("_manifest.json")
    content = json.loads(manifest.read_text())
    content["shards"][0]["bytes"] = path.stat().st_size
    manifest.write_text(json.dumps(content))
    for columns in load(path.parent).shards():
        columns["board"]


#: of what -> (how it is made, how it is read, what is raised, an array of it)
USERS = {
    "networks": (network, AnnDistance, NetworkError, "w0"),
    "shards": (shard, read_shard, DatasetCorruptError, "board"),
}


@pytest.fixture(params=USERS)
def user(request, tmp_path):
    """(path, read, error, name)"""
    make, read, error, name = USERS[request.param]
    path = make(tmp_path / "file.npz")
    read(path)
    return path, read, error, name


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def rewrite(path, contents, method=zipfile.ZIP_DEFLATED):
    """Write members of these contents, with right checksums."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


def npy(array, shape=None):
    """The bytes of an .npy file, whose header has another shape if that is given."""
    file = io.BytesIO()
    fields = {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape if shape is None else shape}
    np.lib.format.write_array_header_1_0(file, fields)
    return file.getvalue() + array.tobytes()


@contextlib.contextmanager
def refused_in_little_memory(error, match):
    tracemalloc.start()
    try:
        with pytest.raises(error, match=match):
            yield
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.sweep(2)
def test_damaged_bytes_are_one_error(user):
    """Anywhere in the file; and in an array's own header, with a checksum that fits."""
    path, read, error, name = user
    good, arrays = path.read_bytes(), members(path)
    rng = np.random.default_rng(SEED)
    refused = {"cut": 0, "changed": 0, "header": 0}
    for number in range(300):
        kind = list(refused)[number % 3]
        data = bytearray(arrays[f"{name}.npy"] if kind == "header" else good)
        if kind == "cut":
            del data[int(rng.integers(len(data))) :]
        for _ in range(0 if kind == "cut" else int(rng.integers(1, 4))):
            if kind == "header":
                data[int(rng.integers(70))] = int(rng.choice(bytearray(b"\0\n '\"{}()[],:-+*0199efOVLj#\xff")))
            else:
                data[int(rng.integers(len(data)))] = int(rng.integers(256))
        if kind == "header":
            rewrite(path, {**arrays, f"{name}.npy": bytes(data)})
        else:
            path.write_bytes(data)
        try:
            read(path)
        except error as caught:
            refused[kind] += 1
            assert str(path) in str(caught)
    assert refused["cut"] == 100 and refused["changed"] > 50 and refused["header"] > 50


def test_shapes_take_no_memory_before_they_are_checked(user):
    path, read, error, name = user
    contents = members(path)
    array = np.load(io.BytesIO(contents[f"{name}.npy"]))
    for shape in [(10**13,), (10**13, 6), (10**300,), (-1,), (2**62, 2**62), (True,), ()]:
        rewrite(path, {**contents, f"{name}.npy": npy(array, shape)})
        with refused_in_little_memory(error, name):
            read(path)


def test_a_network_whose_layers_are_larger_than_the_file(tmp_path):
    """Its layers and its header agree on 16 MB, of which some bytes are there."""
    path = network(tmp_path / "file.npz")
    contents = members(path)
    meta = json.loads(contents["meta.npy"].partition(b"\n")[2])
    meta["layers"] = [{"inputs": inputs, "outputs": 2048, "activation": "none"} for inputs in (256, 2048)]
    contents["meta.npy"] = npy(np.frombuffer(json.dumps(meta).encode(), np.uint8))
    contents["w0.npy"] = contents["w1.npy"] = npy(np.zeros(25, np.float32), (256, 2048))
    contents["b1.npy"] = contents["b0.npy"]
    rewrite(path, contents)
    with refused_in_little_memory(NetworkError, "w0 .* and .* bytes long"):
        AnnDistance(path)


def test_entries_of_the_directory_that_cannot_be_right(user):
    """An array is encrypted, or has gigabytes, or another checksum."""
    path, read, error, name = user
    contents = members(path)
    rewrite(path, contents)
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        for found in re.finditer(re.escape(signature), bytes(data)):
            data[found.start() + offset] |= 1
    path.write_bytes(data)
    with pytest.raises(error, match="encrypted"):
        read(path)
    rewrite(path, contents, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    content = contents[f"{name}.npy"]
    data[data.find(content) + len(content) - 1] ^= 1
    path.write_bytes(data)
    with pytest.raises(error, match="CRC|damaged"):
        read(path)
    rewrite(path, contents)
    data = bytearray(path.read_bytes())
    at = data.rindex(f"{name}.npy".encode()) - 46  # of its entry in the directory
    data[at + 24 : at + 28] = struct.pack("<I", 3 << 30)
    path.write_bytes(data)
    with refused_in_little_memory(error, "so many cannot be in this file|take .* bytes, expected at most"):
        read(path)


def test_other_arrays(user):
    path, read, error, name = user
    contents = members(path)
    content = contents.pop(f"{name}.npy")
    for array in (np.array([{}], dtype=object), np.zeros(3, dtype=[("a", "u1")]), np.array(["text"] * 9)):
        file = io.BytesIO()
        np.save(file, array, allow_pickle=True)
        rewrite(path, {**contents, f"{name}.npy": file.getvalue()})
        with pytest.raises(error, match=f"{name} is "):
            read(path)
    for wrong in (content + b"\0", content[:-1]):
        rewrite(path, {**contents, f"{name}.npy": wrong})
        with pytest.raises(error, match=rf"{name} is .* and [\d,]+ bytes long"):
            read(path)
    rewrite(path, contents)
    with pytest.raises(error, match=name):
        read(path)
    if hasattr(os, "mkfifo"):  # a file that never ends
        path.unlink()
        os.mkfifo(path)
        with pytest.raises(error):
            read(path)


def test_wrong_values_in_the_meta_data_of_a_network(tmp_path):
    path = network(tmp_path / "file.npz")
    contents = members(path)
    good = json.loads(contents["meta.npy"].partition(b"\n")[2])
    deep = json.loads("[" * 300 + '"x"' + "]" * 300)
    wrong = (None, -1, 10**400, float("nan"), float("inf"), "x", [], {}, [[]], [{}], deep)
    texts = [json.dumps({**good, name: value}) for name in good for value in wrong]
    texts += [json.dumps({other: good[other] for other in good if other != name}) for name in good]
    assert len(texts) == 72
    for text in [*texts, "[" * 200_000]:
        rewrite(path, {**contents, "meta.npy": npy(np.frombuffer(text.encode(), np.uint8))})
        with pytest.raises(NetworkError, match="train the network again"):
            AnnDistance(path)


def test_files_are_read_in_any_byte_order_and_layout(tmp_path):
    path = network(tmp_path / "file.npz")
    expected = AnnDistance(path).many([BOARD])
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    arrays["w0"] = np.asfortranarray(arrays["w0"].astype(">f4"))
    arrays["b0"] = arrays["b0"].astype(">f4")
    np.savez(path, **arrays)
    assert AnnDistance(path).many([BOARD]) == expected
