"""Files that are replaced: all or nothing; and the removal of what killed processes leave."""

import os
import stat
import time
from pathlib import Path

import numpy as np
import pytest

import puzzle15
from puzzle15._system.files import remove_leftovers, write_atomically, write_output
from puzzle15.dataset import write
from puzzle15.learning._network_file import write_network


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("sync, times", [(False, 0), (True, 1 if os.name == "nt" else 2)])
def test_the_old_file_is_there_until_the_new_one_is_complete(sync, times, tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)  # of the file, and of its folder
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with write_atomically(path, sync=sync) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old" and len(names(tmp_path)) == 2
    assert path.read_bytes() == b"new" and names(tmp_path) == ["file"] and len(synced) == times


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_nothing_is_left_after_an_exception(error, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(error, match="stop"), write_atomically(path) as file:
        file.write(b"new")
        raise error("stop")
    assert path.read_bytes() == b"old" and names(tmp_path) == ["file"]


def test_errors_name_the_file_and_not_the_temporary_one(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, write_atomically(tmp_path / "none" / "file"):
        pass
    assert caught.value.filename == str(tmp_path / "none" / "file")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError) as caught, write_atomically(tmp_path / "folder"):
        pass
    assert (caught.value.filename, caught.value.filename2) == (str(tmp_path / "folder"), None)
    assert names(tmp_path) == ["folder"]


@pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices")
@pytest.mark.parametrize("target", ["there", "not yet"])
def test_links_are_followed(target, tmp_path):
    (tmp_path / "there").write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link").symlink_to(tmp_path / target)
    with write_output(tmp_path / "folder" / "link") as file:
        file.write(b"new")
    assert (tmp_path / target).read_bytes() == b"new" and (tmp_path / "folder" / "link").is_symlink()
    assert names(tmp_path / "folder") == ["link"] and names(tmp_path) == sorted({"folder", "there", target})


@pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices")
@pytest.mark.parametrize("is_link", [False, True])
def test_pipes_and_devices_are_written_directly(is_link, tmp_path):
    pipe = given = tmp_path / "pipe"
    os.mkfifo(pipe)
    if is_link:
        given = tmp_path / "link"
        given.symlink_to(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with write_output(given) as file:
            file.write(b"new")
        assert os.read(reader, 10) == b"new" and stat.S_ISFIFO(os.stat(given).st_mode)
    finally:
        os.close(reader)
    with write_output(Path(os.devnull)) as file:
        file.write(b"new")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


SAVES = {
    "tables": lambda path: puzzle15.build_tables("5-5-5", tables=path.parent),
    "networks": lambda path: write_network(path, {"w0": np.zeros(20_000)}, meta={"noise": os.urandom(20_000).hex()}),
    "labels": lambda path: write(path.parent / "boards", 1, seed=1, solver=puzzle15.Solver(shape=(2, 2))),
}


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
@pytest.mark.parametrize("kind", ["tables", "networks"])
def test_a_file_that_becomes_too_large_is_named(kind, tmp_path):
    """As when the disk is full: a part of a block is written, then nothing."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, before[1]))
    try:
        with pytest.raises(OSError) as caught:
            SAVES[kind](tmp_path / "file.npz")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert os.path.dirname(caught.value.filename) == str(tmp_path) and ".tmp" not in str(caught.value)
    assert names(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="no modes here")
def test_modes_are_those_that_the_user_asks_for(tmp_path):
    before = os.umask(0o027)
    try:
        SAVES["networks"](tmp_path / "network.npz")
        puzzle15.build_tables("1-3", shape=(2, 2), tables=tmp_path)
        write(tmp_path / "boards", 1, seed=1, solver=puzzle15.Solver(shape=(2, 2)))
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()}
    assert modes == {0o640}


# ---------------------------------------------------------------- what killed processes leave


@pytest.mark.parametrize(
    "work, recent",
    [
        (remove_leftovers, True),
        (lambda folder: puzzle15.build_tables("1-3", shape=(2, 2), tables=folder), True),
        (lambda folder: remove_leftovers(folder, alone=True), False),
        (lambda folder: write(folder, 1, seed=1, solver=puzzle15.Solver(shape=(2, 2)), resume=True), False),
    ],
)
def test_leftovers_are_those_without_a_change_for_a_day_or_behind_a_lock(work, recent, tmp_path):
    def leave(name, days):
        (tmp_path / name).write_bytes(b"begun")
        os.utime(tmp_path / name, (time.time() - 86_400 * days,) * 2)
        return tmp_path / name

    old, new, other = leave(".p15-1.tmp", 1.1), leave(".p15-2.tmp", -0.9), leave(".letter.tmp", 9)
    work(tmp_path)
    assert [path.exists() for path in (old, new, other)] == [False, recent, True]


# ---------------------------------------------------------------- what a power failure leaves


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
def test_every_file_is_synced_and_its_folder_too(save, tmp_path, monkeypatch):
    calls = []
    sync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: (calls.append("sync"), sync(descriptor)))

    def replace_and_note(temporary, path):
        if path.parent.name != "parts":  # what is checked instead, and made again
            calls.append("replace")
        replace(temporary, path)

    monkeypatch.setattr(os, "replace", replace_and_note)
    save(tmp_path / "file.npz")
    each = ["sync", "replace", "sync"] if os.name == "posix" else ["sync", "replace"]  # folders cannot be opened there
    assert calls and calls == each * (len(calls) // len(each))
