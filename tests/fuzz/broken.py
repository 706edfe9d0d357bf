"""Broken files of every kind, made of sound ones (goods.py), each with what its error must say.

Of tables: each field of the header wrong in turn, with the old and with a new checksum; cuts at each boundary; wrong
payloads under right checksums; files that are swapped, longer or empty. Of networks, manifests and shards likewise.
"""

import io
import json
import struct
import zipfile
import zlib

import numpy as np

HEADER, CHUNK, CHECKSUM = 4096, 52, 56
TABLES = {
    "zero-aware": "2x3-zero-aware-0007-0038.p15",
    "classic": "2x3-classic-0007-0038.p15",
    "multi-tile": "2x3-multi-tile-0007-0020.p15",
}

#: Offset, code, and a value that no table of 2x3 has there.
_FIELDS = {
    "magic": (0, "<B", 0x51),
    "version": (8, "<I", 2),
    "header bytes": (12, "<I", 8192),
    "format": (16, "<B", 4),
    "another format": (16, "<B", 0),
    "rows": (17, "<B", 3),
    "columns": (18, "<B", 17),
    "tiles": (19, "<B", 9),
    "cells": (20, "<H", 0x8007),
    "fewer cells": (20, "<H", 3),
    "region": (22, "<H", 0x0040),
    "no region": (22, "<H", 0),
    "maps": (24, "<I", 2**32 - 1),
    "blocks": (28, "<I", 0),
    "rows of the payload": (32, "<I", 2**31),
    "bytes of a row": (36, "<I", 1),
    "bytes of the payload": (40, "<Q", 2**64 - 1),
    "largest value": (48, "<I", 255),
    "no value": (48, "<I", 0),
    "no chunk": (52, "<I", 0),
    "chunk beyond the payload": (52, "<I", 2**32 - 1),
    "count beyond the largest value": (64 + 8 * 255, "<Q", 1),
    "padding": (3000, "<B", 1),
}
_CUTS = (0, 1, 7, 8, 12, 16, 24, 64, 64 + 2048, 4092, 4095, HEADER, HEADER + 1, -1)


def signed(page):
    """The bytes of a file with a right checksum of its header."""
    return page[: HEADER - 4] + struct.pack("<I", zlib.crc32(page[: HEADER - 4])) + page[HEADER:]


def with_payload(whole, payload):
    """A file with another payload, and right checksums."""
    chunk = struct.unpack_from("<I", whole, CHUNK)[0]
    sums = [zlib.crc32(payload[at : at + chunk]) for at in range(0, len(payload), chunk)]
    page = bytearray(whole[:HEADER])
    struct.pack_into("<I", page, CHECKSUM, zlib.crc32(struct.pack(f"<{len(sums)}I", *sums)))
    return signed(bytes(page) + payload)


def broken_tables(folder, format):
    """(what is wrong, the file's bytes, what TableFile says; None: it opens, and `verify` says that it differs)."""
    wholes = {each: (folder / name).read_bytes() for each, name in TABLES.items()}
    whole = wholes[format]
    for name, (offset, code, value) in _FIELDS.items():
        page = bytearray(whole)
        struct.pack_into(code, page, offset, value)
        first = "not a table file" if name == "magic" else f"version {value}" if name == "version" else None
        yield f"{name}, the old checksum", bytes(page), first or "its checksum is wrong"
        yield f"{name}, a new checksum", signed(bytes(page)), first or "describes no table|bytes instead of"
    for size in _CUTS:
        said = "not a table file" if 0 <= size < 8 else "bytes instead of" if not 0 <= size < HEADER else "cut off"
        yield f"cut after {size}", whole[:size], said
    yield "a byte more", whole + b"\0", "bytes instead of"
    yield "twice", whole + whole, "bytes instead of"
    yield "zeros", bytes(len(whole)), "not a table file"
    yield "an archive", b"PK\3\4" + whole[4:], "not a table file"
    payload = whole[HEADER:]
    for at in (0, len(payload) // 2, -1):
        wrong = bytearray(payload)
        wrong[at] ^= 1
        yield f"a bit of the payload at {at}", whole[:HEADER] + wrong, "payload is damaged"
    yield "a payload of zeros", whole[:HEADER] + bytes(len(payload)), "payload is damaged"
    yield "a checksum of the payload", signed(whole[:CHECKSUM] + b"\1\2\3\4" + whole[CHECKSUM + 4 :]), "payload is dam"
    other = wholes["classic" if format == "zero-aware" else "zero-aware"]
    yield "the payload of another format", whole[:HEADER] + other[HEADER:], "bytes instead of|payload is damaged"
    yield "the header of another format", other[:HEADER] + payload, "bytes instead of|payload is damaged"
    for name, wrong in {"zeros": bytes(len(payload)), "ones": b"\xff" * len(payload), "turned": payload[::-1]}.items():
        yield f"a payload of {name}, right checksums", with_payload(whole, wrong), None
    counts = bytearray(whole)
    struct.pack_into("<Q", counts, 64, 7)
    yield "a count, a new checksum", signed(bytes(counts)), None


# ---------------------------------------------------------------- archives


def members(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def archive(contents):
    """An archive of members, always the same bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, content in contents.items():
            made.writestr(zipfile.ZipInfo(name), content)
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=array.dtype == object)
    return file.getvalue()


def broken_archives(good, arrays):
    """(what is wrong, bytes) of an .npz file with arrays of these names, whose readers need each of them."""
    parts = members(good)
    for share in (0, 1, 4, 30, 0.25, 0.5, 0.75, 0.99):
        yield f"cut after {share}", good[: share if isinstance(share, int) else int(share * len(good))]
    yield "cut in front", good[30:]
    yield "text", b"no archive at all"
    for name in arrays:
        content, array = parts[name], np.load(io.BytesIO(parts[name]))
        header = bytearray(content)
        header[6] = 3
        for what, wrong in {
            "missing": None,
            "empty": b"",
            "cut": content[:-1],
            "longer": content + b"\0",
            "no header": content[128:],
            "another version": bytes(header),
            "another type": npy(array.astype(np.complex64)),
            "another shape": npy(np.zeros((*array.shape, 1), array.dtype)),
            "objects": npy(np.array([{}], dtype=object)),
            "text": npy(np.array(["x"] * 3)),
        }.items():
            others = {each: part for each, part in parts.items() if each != name}
            yield f"{name}: {what}", archive(others if wrong is None else {**others, name: wrong})
    at = good.rindex(arrays[0].encode()) - 46  # of its entry in the directory
    yield "a size of gigabytes", good[: at + 24] + struct.pack("<I", 3 << 30) + good[at + 28 :]
    stored = archive(parts)
    place = stored.find(parts[arrays[-1]]) + len(parts[arrays[-1]]) - 1
    yield "a wrong CRC", stored[:place] + bytes([stored[place] ^ 1]) + stored[place + 1 :]


def broken_networks(folder):
    """(what is wrong, bytes) of networks."""
    good = (folder / "network.npz").read_bytes()
    yield from broken_archives(good, ["meta.npy", "w0.npy", "b0.npy", "w1.npy", "b1.npy"])
    parts = members(good)
    meta = json.loads(np.load(io.BytesIO(parts["meta.npy"])).tobytes())
    others = {"format": 2, "kind": "x", "target": "x", "lowered": -1, "layers": [], "checksum": "0" * 64}
    for name, value in others.items():
        for what, change in {"missing": None, "another": {name: value}, "null": {name: None}}.items():
            text = {each: meta[each] for each in meta if each != name} | (change or {})
            content = npy(np.frombuffer(json.dumps(text).encode(), np.uint8))
            yield f"{name}: {what}", archive({**parts, "meta.npy": content})
    for number, layer in enumerate(meta["layers"]):
        for name in layer:
            for value in ("x", 10**9, -1, None):
                layers = [dict(each) for each in meta["layers"]]
                layers[number][name] = value
                content = npy(np.frombuffer(json.dumps({**meta, "layers": layers}).encode(), np.uint8))
                yield f"layer {number}: {name} {value}", archive({**parts, "meta.npy": content})
    yield "swapped arrays", archive({**parts, "b0.npy": parts["b1.npy"], "b1.npy": parts["b0.npy"]})
    yield "labels", (folder / "labels-2" / "shard-00000.npz").read_bytes()
    yield "a table", (folder / TABLES["classic"]).read_bytes()


def broken_shards(folder):
    good = (folder / "labels-2" / "shard-00000.npz").read_bytes()
    yield from broken_archives(good, ["board.npy", "distance.npy", "solution.npy"])
    yield "a network", (folder / "network.npz").read_bytes()
    yield "the shard of other labels", (folder / "labels" / "shard-00000.npz").read_bytes()


def broken_manifests(folder):
    """(what is wrong, bytes) of manifests: each value removed, and of another type."""
    text = (folder / "labels-2" / "_manifest.json").read_bytes()
    for size in (0, 1, len(text) // 2, len(text) - 3):
        yield f"cut after {size}", text[:size]
    for name, wrong in {"null": b"null", "list": b"[]", "deep": b"[" * 99_999, "no text": b"\xff\xfe{}"}.items():
        yield name, wrong
    manifest = json.loads(text)
    for name in manifest:
        if name != "format_version":  # a newer one is a DatasetError
            for what, value in {"missing": None, "of another type": [["x"]], "infinite": float("inf")}.items():
                other = {each: manifest[each] for each in manifest if each != name}
                yield f"{name} {what}", json.dumps(other if what == "missing" else {**other, name: value}).encode()
    for name in manifest["shards"][0]:
        for value in ("../x", -1, 10**22):
            entry = {**manifest["shards"][0], name: value}
            yield f"shards: {name} {value}", json.dumps({**manifest, "shards": [entry]}).encode()
    yield "more shards", json.dumps({**manifest, "shards": manifest["shards"] * 2}).encode()
    yield "the manifest of other labels", (folder / "labels" / "_manifest.json").read_bytes().replace(b"20", b"21")
