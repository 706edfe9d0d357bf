"""Files that are replaced: all or nothing; and the removal of what killed processes leave."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

import puzzle15
from puzzle15 import LocalValueIteration
from puzzle15.ann import write_network
from puzzle15.dataset import write
from puzzle15.system import files
from puzzle15.system.files import remove_leftovers, write_atomically


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_old_file_is_there_until_the_new_one_is_complete(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with write_atomically(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old" and len(names(tmp_path)) == 2
    assert path.read_bytes() == b"new" and names(tmp_path) == ["file"]


def test_who_waits_for_the_disk(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)
    for sync, times in ((False, 0), (True, 1 if os.name == "nt" else 2)):  # the file, and its folder
        with write_atomically(tmp_path / "file", sync=sync) as file:
            file.write(b"new")
        assert len(synced) == times and (tmp_path / "file").read_bytes() == b"new"


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, SystemExit])
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


def save_learned(path):
    learner = LocalValueIteration(initial_size=3)
    learner.solve("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15")
    learner.save(path)


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
@pytest.mark.parametrize(
    "save",
    [
        lambda path: puzzle15.build_tables("5-5-5", tables=path.parent),
        save_learned,
        lambda path: write_network(path, {"w0": np.zeros(20_000)}, meta={"noise": os.urandom(20_000).hex()}),
    ],
)
def test_a_file_that_becomes_too_large_is_named(save, tmp_path):
    """As when the disk is full: a part of a block is written, then nothing."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, before[1]))
    try:
        with pytest.raises(OSError) as caught:
            save(tmp_path / "file.npz")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert os.path.dirname(caught.value.filename) == str(tmp_path) and ".tmp" not in str(caught.value)
    assert names(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="no modes here")
def test_modes_are_those_that_the_user_asks_for(tmp_path):
    before = os.umask(0o027)
    try:
        LocalValueIteration(shape=(2, 2)).save(tmp_path / "learned.npz")
        puzzle15.build_tables("1-3", shape=(2, 2), tables=tmp_path)
        write(tmp_path / "boards", 1, seed=1, solver=puzzle15.Solver(shape=(2, 2)))
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()}
    assert modes == {0o640}


# ---------------------------------------------------------------- what killed processes leave


def ended_process():
    """The number of a process that is no more."""
    return int(subprocess.check_output([sys.executable, "-c", "import os; print(os.getpid())"]))


def leave(folder, host, process, days=0.0):
    path = folder / f".p15-{host}-{process}-0123abcd.tmp"
    path.write_bytes(b"begun")
    then = time.time() - 86_400 * days
    os.utime(path, (then, then))
    return path


@pytest.mark.skipif(os.name != "posix", reason="processes cannot be asked here")
def test_leftovers_are_those_of_ended_processes_and_old_ones_of_other_machines(tmp_path):
    ended, host = ended_process(), files._host()
    gone = [
        leave(tmp_path, host, ended),
        leave(tmp_path, host, 10**22),
        leave(tmp_path, host, 2**40),
        leave(tmp_path, host, "x"),
        leave(tmp_path, host, 0),
        leave(tmp_path, "an-other", ended, days=1.1),
    ]
    kept = [
        leave(tmp_path, host, os.getpid(), days=9),
        leave(tmp_path, host, 1),
        leave(tmp_path, f"an-{host}", ended),
        leave(tmp_path, "other", 10**22),
        tmp_path / "letter.tmp",
    ]
    kept[-1].write_text("dear")
    remove_leftovers(tmp_path)
    assert [path for path in gone if path.exists()] == []
    assert sorted(tmp_path.iterdir()) == sorted(kept)


def test_building_removes_leftovers_of_any_name(tmp_path):
    (tmp_path / ".p15-build-99999999999999999999-x.tmp").write_bytes(b"begun")  # no system gives such a number
    path = leave(tmp_path, files._host(), 10**22)
    puzzle15.build_tables("1-3", shape=(2, 2), tables=tmp_path)
    assert not path.exists()


def test_labelling_removes_leftovers(tmp_path):
    solver = puzzle15.Solver(shape=(2, 2))
    mine, other = (leave(tmp_path, host, 10**22) for host in (files._host(), "other"))
    assert write(tmp_path, 1, seed=1, solver=solver, resume=True).complete
    assert not mine.exists() and other.exists()  # the other machine may be at work where locks do not reach


# ---------------------------------------------------------------- what a power failure leaves


@pytest.mark.parametrize(
    "save",
    [
        lambda path: puzzle15.build_tables("1-3", shape=(2, 2), tables=path.parent),
        save_learned,
        lambda path: write_network(path, {"w0": np.zeros(2)}, meta={}),
        lambda path: write(path.parent / "boards", 1, seed=1, solver=puzzle15.Solver(shape=(2, 2))),
    ],
)
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
    if os.name == "posix":
        assert calls and calls == ["sync", "replace", "sync"] * (len(calls) // 3)
    else:
        assert calls and calls == ["sync", "replace"] * (len(calls) // 2)  # folders cannot be opened there
