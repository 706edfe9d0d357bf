"""The fuzzers of the Python surface: ``python python_targets.py TARGET`` with libFuzzer's options; run.py starts it.

Each is a function of bytes. What it may not do is raise anything but the documented error, or answer wrongly.
"""

import atexit
import copy
import io
import json
import random
import shutil
import struct
import sys
import tempfile
import time
import zipfile
import zlib
from contextlib import nullcontext, suppress
from functools import cache
from pathlib import Path

try:
    import atheris
except ImportError:
    atheris = None

with atheris.instrument_imports(include=["puzzle15"]) if atheris else nullcontext():
    from puzzle15 import Board, Solver, dataset
    from puzzle15.board import (
        format_moves,
        invert_moves,
        pack_boards,
        parse_moves,
        simplify_moves,
        unpack_boards,
    )
    from puzzle15.board._notation import BOARD_STYLES, format_board
    from puzzle15.errors import (
        BoardError,
        DatasetCorruptError,
        DatasetError,
        NetworkError,
        TableCorruptError,
    )
    from puzzle15.learning import AnnDistance
    from puzzle15.learning._network_file import read_network
    from puzzle15.page._api import ENDPOINTS, Api, Refused
    from puzzle15.tables import TableFile, _stamps, verify
    from puzzle15.tables._file import HEADER_BYTES, combine_checksums

sys.path.append(str(Path(__file__).parent))
from goods import make_goods

_SHAPES = [None, (2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 4), (2, 8), (3, 5), (9, 9)]


class Bytes:
    """Numbers from the bytes of an input; zeros once they are used up."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, bytes=1):
        part = self.data[self.at : self.at + bytes]
        self.at += bytes
        return int.from_bytes(part, "little")

    def pick(self, things):
        return things[self.take() % len(things)]

    def rest(self):
        return self.data[self.at :]


@cache
def folder():
    """A folder of this process in memory, where there is one, with files that are sound."""
    memory = Path("/dev/shm")
    path = Path(tempfile.mkdtemp(prefix="puzzle15-fuzz-", dir=memory if memory.is_dir() else None))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    make_goods(path)
    return path


@cache
def content(name):
    return (folder() / name).read_bytes()


def changed(given, whole):
    """A file with some bytes changed, put in or taken out, or cut; many inputs change one byte."""
    whole = bytearray(whole)
    for _ in range(1 + given.take() % 4):
        kind, at = given.take() % 8, given.take(3) % (len(whole) + 1)
        if kind < 4:
            whole[at : at + 1] = bytes([given.take()])
        elif kind == 4:
            whole[at : at + 4] = given.take(4).to_bytes(4, "little")
        elif kind == 5:
            del whole[at : at + given.take()]
        elif kind == 6:
            whole[at:at] = given.data[: given.take()]
        elif given.take() % 4 == 0:
            del whole[at:]
    return whole


# ---------------------------------------------------------------- texts


def fuzz_board(data):
    """A text is refused, or a board that is the same in each form; many texts are read as one text is."""
    given = Bytes(data)
    shape, text = given.pick(_SHAPES), given.rest().decode("utf-8", "surrogateescape")
    try:
        board = Board(text, shape)
    except BoardError:
        board = None
    try:
        packed, found, errors = pack_boards([text], shape, on_error="mark")
    except BoardError:  # a shape that no board has, or no readable board
        assert board is None or shape == (9, 9)
        return
    if board is None:
        assert list(errors) == [0]
        return
    assert not errors and found == board.shape and unpack_boards(packed, found)[0].ravel().tolist() == list(board.tiles)
    assert eval(repr(board), {"Board": Board}) == board and Board(str(board)) == board
    for style in BOARD_STYLES:
        assert Board(format_board(board.tiles, board.shape, style), board.shape) == board


def fuzz_moves(data):
    text = data.decode("utf-8", "surrogateescape")
    try:
        letters = parse_moves(text)
    except BoardError:
        return
    assert not letters.strip("UDLR")
    assert parse_moves(format_moves(letters, compress=True)) == letters
    for convention in ("tile", "blank"):
        assert parse_moves(format_moves(letters, convention=convention), convention=convention) == letters
    assert invert_moves(invert_moves(letters)) == letters
    short = simplify_moves(letters)
    assert len(short) <= len(letters) and simplify_moves(short) == short and (len(letters) - len(short)) % 2 == 0
    goal = Board.goal((4, 4))
    with suppress(BoardError):
        end = goal.apply(letters)
        assert end.apply(invert_moves(letters)) == goal and goal.apply(short) == end


# ---------------------------------------------------------------- tables

_TABLES = ["2x3-zero-aware-0007-0038.p15", "2x3-classic-0007-0038.p15", "2x3-multi-tile-0007-0020.p15"]


def sign(page):
    """Make the checksum of a header fit."""
    if len(page) >= HEADER_BYTES:
        page[HEADER_BYTES - 4 : HEADER_BYTES] = struct.pack("<I", zlib.crc32(bytes(page[: HEADER_BYTES - 4])))


def fuzz_header(data):
    """A header, mostly with a checksum that fits: it is refused, or it is that of the table, byte for byte."""
    given = Bytes(data)
    name = given.pick(_TABLES)
    whole = content(name)
    page = changed(given, whole[:HEADER_BYTES])
    if given.take() % 8:
        sign(page)
    path = folder() / "changed.p15"
    path.write_bytes(bytes(page) + whole[HEADER_BYTES:])
    try:
        table = TableFile.read(path)
    except TableCorruptError as error:
        assert str(path) in str(error)
        return
    assert table.header() == bytes(page)


def fuzz_table(data):
    """A whole file; where its checksums fit, what opens is verified, looked up and searched with."""
    given = Bytes(data)
    name = given.pick(_TABLES)
    whole = changed(given, content(name))
    fits = given.take() % 8
    if fits and len(whole) > HEADER_BYTES:
        payload = bytes(whole[HEADER_BYTES:])
        size = struct.unpack_from("<I", whole, 52)[0] or 1
        if len(payload) // size < 1000:
            chunks = [zlib.crc32(payload[at : at + size]) for at in range(0, len(payload), size)]
            struct.pack_into("<I", whole, 56, combine_checksums(chunks))
        sign(whole)
    tables = folder() / f"tables-{name[4]}"
    path = tables / name
    path.write_bytes(whole)
    (tables / f".{name}.checked").unlink(missing_ok=True)
    same = bytes(whole) == content(name)
    try:
        table = TableFile.read(path)
        table.load()
        opened = table.open()
    except TableCorruptError as error:
        assert not same and str(path) in str(error)
        return
    try:
        opened.value((0, 1, 2), 5)
    except TableCorruptError:  # its callers know the file
        assert not same
    options = {"metric": "mtm"} if "multi" in name else {"format": table.format}
    board = Board.random(given.take(), goal=Board.goal((2, 3)))
    try:
        solver = Solver("1-3" if "multi" in name else "1-3/4-5", shape=(2, 3), tables=tables, check="always", **options)
        solution = solver.solve(board, max_nodes=2000, workers=1)
        assert solution.status in ("solved", "limit")
        assert solution.status != "solved" or board.apply(solution.moves) == solver.goal
        assert not same or solution.status == "solved"
    except TableCorruptError as error:
        assert not same and ("puzzle15 verify" in str(error) or str(path) in str(error))
    if given.take() % 16 == 15:  # not where an input is used up
        [report] = [each for each in verify(tables, workers=1) if each.path == path]
        assert report.sound == same


# ---------------------------------------------------------------- arrays and manifests


@cache
def arrays_of_the_network():
    with zipfile.ZipFile(folder() / "network.npz") as file:
        return {each: file.read(each) for each in file.namelist()}


def fuzz_network(data):
    """The file as such; or its description, or an array, in a file that is sound."""
    given = Bytes(data)
    path = folder() / "changed.npz"
    kind = given.take() % 4
    if kind == 0:
        path.write_bytes(changed(given, content("network.npz")))
    else:
        name = "meta.npy" if kind < 3 else given.pick(["w0.npy", "b0.npy", "w1.npy", "b1.npy"])
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w") as bad:
            for each, good in arrays_of_the_network().items():
                bad.writestr(each, bytes(changed(given, good)) if each == name else good)
        path.write_bytes(whole.getvalue())
    read_network.cache_clear()
    try:
        network = AnnDistance(path)
    except NetworkError as error:
        assert str(path) in str(error)
        return
    network.many(["1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0", "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"])


_VALUES = [None, True, -1, 0, 1, 2, 1.5, 10**22, float("nan"), "x", "", [], {}, [[]], [1], "../x", "npz", 255]


def fuzz_manifest(data):
    """Text that is changed, or values that are: labels are refused, or as they were where it matters."""
    given = Bytes(data)
    path = folder() / "labels" / "_manifest.json"
    text = content("labels/_manifest.json")
    if given.take() % 4 == 0:
        text = bytes(changed(given, text))
    else:
        manifest = json.loads(text)
        for _ in range(1 + given.take() % 3):
            place = manifest
            while True:
                keys = list(place if isinstance(place, dict) else range(len(place)))
                if not keys:
                    break
                key = given.pick(keys)
                if isinstance(place[key], (dict, list)) and given.take() % 4:
                    place = place[key]
                    continue
                if given.take() % 8 == 0:
                    del place[key]
                else:
                    place[key] = copy.deepcopy(given.pick([*_VALUES, given.take(2)]))  # changed alone
                break
        text = json.dumps(manifest).encode()
    path.write_bytes(text)
    try:
        labels = dataset.load(path.parent)
    except DatasetError:
        return
    except DatasetCorruptError as error:
        assert str(path) in str(error)
        return
    with suppress(DatasetCorruptError):
        for shard in labels.shards():
            assert {len(column) for column in shard.values()} == {len(shard["distance"])}


def fuzz_shard(data):
    """A shard, whose size and checksum the manifest may state as they are."""
    given = Bytes(data)
    labels = folder() / "labels-2"
    path = labels / "shard-00000.npz"
    path.write_bytes(changed(given, content("labels-2/shard-00000.npz")))
    if given.take() % 8:
        manifest = json.loads(content("labels-2/_manifest.json"))
        manifest["shards"][0]["bytes"] = path.stat().st_size
        (labels / "_manifest.json").write_text(json.dumps(manifest))
    try:
        rows = list(dataset.load(labels).shards())
    except (DatasetCorruptError, DatasetError) as error:
        assert str(labels) in str(error)
        return
    assert len(rows) == 1 and set(rows[0]) == {"board", "distance", "solution"}


# ---------------------------------------------------------------- requests

_MOST_S = 0.002  # of an answer

_GIVEN = {
    "board": [
        "1 2 3/4 5 6/7 8 0",
        "8 6 7/2 5 4/3 0 1",
        "3 1/2 0",
        "2 1/3 0",
        "1 2 3/0 4 5",
        "x",
        "",
        "1 2 3/4 5 6/7 8",
    ],
    "goal": ["blank-last", "blank-first", "korf", "0 1 2/3 4 5/6 7 8", "1 2/3 0"],
    "moves": ["URDL2", "", "L", "DDDD", "U R", "x"],
    "convention": ["tile", "blank"],
    "metric": ["stm"],
    "algorithm": ["a*", "ida*", "greedy", "rbfs", "mm", "beam", "breadth-first", "depth-first", "sma*"],
    "heuristic": ["manhattan", "misplaced", "linear-conflict"],
    "max_length": [0, 5, 31, 255, -1],
    "shape": ["3x3", "2x2", "2x3", "9x9"],
    "distance": [None, 0, 3, 31, 160],
    "seed": [0, 7, 2**53 - 1, -1, 1.5],
    "max_nodes": [0, 1, 50, 1000],
    "time_limit_s": [0, 0.0001, _MOST_S, 0.05],
}


@cache
def api():
    return Api(_MOST_S, 1 << 22)


def fuzz_request(data):
    """Any body of a question is refused with a sentence, or answered with a record that is JSON."""
    given = Bytes(data)
    name = given.pick(list(ENDPOINTS))
    kind = given.take() % 4
    if kind == 0:
        body = given.rest()
    else:
        fields = {
            "board": _GIVEN["board"][0],
            "max_nodes": 1000,
            "algorithm": "a*",
            "moves": "",
            "time_limit_s": _MOST_S,
        }
        fields |= {"shape": "3x3", "heuristic": "manhattan"}
        fields = {each: fields[each] for each in fields if each in ENDPOINTS[name][1].split()}
        for _ in range(given.take() % 5):
            field = given.pick([*_GIVEN, "other"])
            fields[field] = given.pick([*_GIVEN.get(field, _VALUES), given.pick(_VALUES)])
        if sum(data) % 16:  # such boards are drawn until one is found: soon these inputs would be all that is tried
            fields.pop("distance", None)
        body = json.dumps(fields).encode()
        if kind == 3:
            body = bytes(changed(given, body))
    try:
        record = api().answer(name, body)
    except Refused as refused:
        status, sentence = refused.args
        assert status in (400, 422, 503) and sentence and "\n" not in sentence
        return
    json.dumps(record, allow_nan=False)
    assert record.get("status", "solved") in ("solved", "limit", "failed", "no solution", "unsolved"), record


# ---------------------------------------------------------------- running


def mutate_and_run(target, options):
    """What libFuzzer does with these options, without coverage: inputs are mutations of the seeds."""
    flags = dict(each[1:].split("=", 1) for each in options if each.startswith("-"))
    seeds = [path.read_bytes() for each in options if not each.startswith("-") for path in sorted(Path(each).iterdir())]
    seeds = seeds or [b""]
    draw = random.Random(int(flags.get("seed", 0)))
    end = time.monotonic() + float(flags.get("max_total_time", "inf"))
    runs, most, done, start = int(flags.get("runs", -1)), int(flags.get("max_len", 600)), 0, time.monotonic()
    while done != runs and time.monotonic() < end:
        data = bytearray(draw.choice(seeds)[:most])
        for _ in range(draw.randrange(8) if done >= len(seeds) else 0):
            at = draw.randrange(len(data) + 1)
            data[at : at + draw.randrange(3)] = draw.randbytes(draw.randrange(3))
        if done < len(seeds):
            data = seeds[done]
        try:
            target(bytes(data))
        except BaseException:
            (Path(flags.get("artifact_prefix", "./")) / f"crash-{zlib.crc32(bytes(data)):08x}").write_bytes(data)
            print(f"failed after {done} executions, with {bytes(data)!r}")
            raise
        done += 1
    print(f"stat::number_of_executed_units: {done}")
    print(f"stat::average_exec_per_sec: {done / max(time.monotonic() - start, 0.001):.0f}")


def main():
    target = globals()[f"fuzz_{sys.argv.pop(1)}"]
    _stamps._PATIENCE_S = 0.0  # of this process: a file that was just written is checked, but waits for no stamp
    files = [Path(each) for each in sys.argv[1:] if not each.startswith("-") and Path(each).is_file()]
    if files:  # inputs that failed before
        for path in files:
            target(path.read_bytes())
    elif atheris:
        atheris.Setup(sys.argv, target)
        atheris.Fuzz()
    else:
        mutate_and_run(target, sys.argv[1:])


if __name__ == "__main__":
    main()
