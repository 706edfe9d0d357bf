"""Files of arrays that are damaged or hostile: one error of the reader's own, and no memory taken for lies."""

import io
import json
import os
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from puzzle15 import LocalValueIteration, Solver
from puzzle15.ann import AnnDistance, write_network
from puzzle15.dataset import load, write
from puzzle15.errors import DatasetCorruptError, NetworkError, TableCorruptError

SEED = 11


def network(path):
    rng = np.random.default_rng(SEED)
    arrays = {"w0": rng.normal(size=(256, 1)).astype(np.float32), "b0": np.ones(1, np.float32)}
    layers = [{"inputs": 256, "outputs": 1, "activation": "none"}]
    write_network(
        path, arrays, meta={"format": 1, "kind": "float", "target": "distance", "lowered": 0, "layers": layers}
    )
    return path


def policies(path):
    learner = LocalValueIteration(shape=(2, 3))
    learner.train()
    learner.save(path)
    return path


def shard(path):
    write(path.parent / "boards", 50, seed=1, solver=Solver(shape=(2, 3)))
    return path.parent / "boards" / "shard-00000.npz"


def read_shard(path):
    """With a manifest that says that so many bytes are right."""
    manifest = path.with_name("manifest.json")
    content = json.loads(manifest.read_text())
    content["shards"][0]["bytes"] = path.stat().st_size
    manifest.write_text(json.dumps(content))
    for columns in load(path.parent).shards():
        columns["board"]


#: of what -> (how it is made, how it is read, what is raised, an array of it)
USERS = {
    "networks": (network, AnnDistance, NetworkError, "w0"),
    "policies": (policies, LocalValueIteration.load, TableCorruptError, "policy-0-0"),
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
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


def header(array, shape):
    """The bytes of an .npy file's beginning."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": array.dtype.str, "fortran_order": False, "shape": shape})
    return file.getvalue()


@pytest.mark.sweep(1)
def test_damaged_bytes_are_one_error(user):
    path, read, error, _ = user
    good = path.read_bytes()
    rng = np.random.default_rng(SEED)
    refused = 0
    for number in range(600):
        bad = bytearray(good)
        if number % 3 == 0:
            del bad[int(rng.integers(len(bad))) :]
        for _ in range(int(rng.integers(1, 4)) if number % 3 else 0):
            bad[int(rng.integers(len(bad)))] = int(rng.integers(256))
        path.write_bytes(bad)
        try:
            read(path)
        except error as caught:
            refused += 1
            assert str(path) in str(caught)
    assert refused > 450


@pytest.mark.sweep(1)
def test_damaged_headers_are_one_error(user):
    """Checksums are made to fit, so that it is the arrays' own headers that are read."""
    path, read, error, name = user
    good = members(path)
    rng = np.random.default_rng(SEED)
    refused = 0
    for _ in range(200):
        bad = bytearray(good[f"{name}.npy"])
        for _ in range(int(rng.integers(1, 4))):
            bad[int(rng.integers(70))] = int(rng.choice(bytearray(b"\0\n '\"{}()[],:-+*0199efOVLj#\xff")))
        rewrite(path, {**good, f"{name}.npy": bytes(bad)})
        try:
            read(path)
        except error:
            refused += 1
    assert refused > 100


@pytest.mark.parametrize("shape", [(10**13,), (10**13, 6), (10**300,), (-1,), (2**62, 2**62), (True,), ()])
def test_shapes_take_no_memory_before_they_are_checked(user, shape):
    path, read, error, name = user
    contents = members(path)
    content = contents[f"{name}.npy"]
    array = np.load(io.BytesIO(content))
    contents[f"{name}.npy"] = header(array, shape) + content[-array.nbytes :]
    rewrite(path, contents)
    tracemalloc.start()
    try:
        with pytest.raises(error, match=name):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


def test_a_network_that_tells_of_more_than_the_file_holds(tmp_path):
    """Its layers and its header agree on 16 MB, of which some bytes are there."""
    path = network(tmp_path / "file.npz")
    contents = members(path)
    meta = json.loads(contents["meta.npy"].partition(b"\n")[2])
    meta["layers"] = [
        {"inputs": 256, "outputs": 2048, "activation": "none"},
        {"inputs": 2048, "outputs": 2048, "activation": "none"},
    ]
    meta = np.frombuffer(json.dumps(meta).encode(), np.uint8)
    contents["meta.npy"] = header(meta, meta.shape) + meta.tobytes()
    contents["w0.npy"] = header(np.zeros(1, np.float32), (256, 2048)) + bytes(100)
    contents["w1.npy"], contents["b1.npy"] = contents["w0.npy"], contents["b0.npy"]
    rewrite(path, contents)
    tracemalloc.start()
    with pytest.raises(NetworkError, match="w0 .* and .* bytes long"):
        AnnDistance(path)
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_encrypted_arrays(user):
    path, read, error, name = user
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(signature)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(signature, at + 1)
    path.write_bytes(data)
    with pytest.raises(error, match="encrypted"):
        read(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions(user, method):
    path, read, error, _ = user
    rewrite(path, members(path), method)
    with pytest.raises(error, match="compressed by another method"):
        read(path)
    data = path.read_bytes().replace(struct.pack("<H", method) + b"\0\0", b"\x63\0\0\0")
    path.write_bytes(data)
    with pytest.raises(error):
        read(path)


def test_sizes_that_cannot_be_in_the_file(user):
    """The directory says that an array takes gigabytes, as its header does."""
    path, read, error, name = user
    path.write_bytes(path.read_bytes())
    contents = members(path)
    array = np.load(io.BytesIO(contents[f"{name}.npy"]))
    rewrite(path, contents)
    data = bytearray(path.read_bytes())
    at = data.find(b"PK\x01\x02")
    while data[at + 46 :][: len(name)] != name.encode():
        at = data.find(b"PK\x01\x02", at + 1)
    data[at + 24 : at + 28] = struct.pack("<I", 3 << 30)
    path.write_bytes(data)
    tracemalloc.start()
    with pytest.raises(error, match="so many cannot be in this file|take .* bytes, expected at most"):
        read(path)
    assert tracemalloc.get_traced_memory()[1] < array.nbytes + (10 << 20)
    tracemalloc.stop()


def test_wrong_checksums(user):
    path, read, error, name = user
    contents = members(path)
    rewrite(path, contents, zipfile.ZIP_STORED)
    read(path)
    data = bytearray(path.read_bytes())
    begin = data.find(contents[f"{name}.npy"])
    data[begin + len(contents[f"{name}.npy"]) - 1] ^= 1
    path.write_bytes(data)
    with pytest.raises(error, match="CRC|damaged"):
        read(path)


def test_arrays_that_are_no_plain_ones(user):
    path, read, error, name = user
    contents = members(path)
    for array in (np.array([{}], dtype=object), np.zeros(3, dtype=[("a", "u1")]), np.array(["text"] * 9)):
        file = io.BytesIO()
        np.save(file, array, allow_pickle=True)
        rewrite(path, {**contents, f"{name}.npy": file.getvalue()})
        with pytest.raises(error, match=f"{name} is "):
            read(path)
    for content in (contents[f"{name}.npy"] + b"\0", contents[f"{name}.npy"][:-1]):
        rewrite(path, {**contents, f"{name}.npy": content})
        with pytest.raises(error, match=rf"{name} is .* and [\d,]+ bytes long"):
            read(path)
    del contents[f"{name}.npy"]
    rewrite(path, contents)
    with pytest.raises(error, match=name):
        read(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files here")
def test_files_that_never_end(user):
    path, read, error, _ = user
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(error):
        read(path)


def test_what_is_said_of_a_network(tmp_path):
    """Each entry of `meta` replaced by what it should not be."""
    path = network(tmp_path / "file.npz")
    contents = members(path)
    good = json.loads(contents["meta.npy"].partition(b"\n")[2])
    deep = "x"
    for _ in range(300):
        deep = [deep]
    refused = 0
    for name in ("format", "kind", "target", "lowered", "layers", "checksum"):
        for value in (None, False, -1, 10**400, float("nan"), float("inf"), "x", [], {}, [[]], [{}], deep, "remove"):
            bad = dict(good)
            if value == "remove":
                del bad[name]
            else:
                bad[name] = value
            meta = np.frombuffer(json.dumps(bad).encode(), np.uint8)
            rewrite(path, {**contents, "meta.npy": header(meta, meta.shape) + meta.tobytes()})
            with pytest.raises(NetworkError, match="train the network again"):
                AnnDistance(path)
            refused += 1
    assert refused == 78
    meta = np.frombuffer(b"[" * 200_000, np.uint8)
    rewrite(path, {**contents, "meta.npy": header(meta, meta.shape) + meta.tobytes()})
    with pytest.raises(NetworkError, match="no readable `meta`"):
        AnnDistance(path)


def test_old_files_are_read_in_any_byte_order_and_layout(tmp_path):
    path = network(tmp_path / "file.npz")
    expected = AnnDistance(path).many(["5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"], rounded=False)
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    arrays["w0"] = np.asfortranarray(np.repeat(arrays["w0"], 1, axis=1).astype(">f4"))
    arrays["b0"] = arrays["b0"].astype(">f4")
    np.savez(path, **arrays)
    assert AnnDistance(path).many(["5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"], rounded=False) == expected
