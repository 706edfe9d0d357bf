"""Stamps: which table files count as checked, and which never do."""

import os
import shutil
import time

import pytest
from damaging import NO_FILES, flip
from timing import timed, within

import puzzle15
from puzzle15.errors import TableCorruptError
from puzzle15.tables import TableFile
from puzzle15.tables import _stamps as stamps
from puzzle15.tables._file import HEADER_BYTES
from puzzle15.tables._stamps import checking, is_checked


@pytest.fixture
def table(tmp_path):
    (table,) = puzzle15.build_tables("1-5", shape=(2, 3), tables=tmp_path / "tables")
    return table


def checked(table):
    return is_checked(table, os.stat(table.path))


def stamp_of(table):
    return table.path.with_name(f".{table.path.name}.checked")


def check(table):
    with checking(table):
        table.check(table.mapped()[0])


def test_a_built_table_is_stamped_beside_it(table):
    assert checked(table)
    assert {path.name for path in table.path.parent.iterdir()} == {table.path.name, stamp_of(table).name}


@pytest.mark.slow
def test_a_change_within_a_tick_of_the_clock_counts(table):
    """As fast as can be: size and inode stay, and the file system's clock may have had no time to go on."""
    whole = table.path.read_bytes()
    for trial in range(200):
        table.path.write_bytes(whole)
        check(TableFile.read(table.path))
        assert checked(table)
        with open(table.path, "r+b", buffering=0) as file:
            file.seek(HEADER_BYTES)
            file.write(bytes([whole[HEADER_BYTES] ^ 1]))
        assert not checked(table), trial


def test_a_time_that_was_set_back_hides_no_change(table):
    status = os.stat(table.path)
    time.sleep(0.02)
    flip(table.path)
    os.utime(table.path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert not checked(table)


def test_a_copy_has_to_be_checked(table, tmp_path):
    copy = shutil.copytree(table.path.parent, tmp_path / "copy") / table.path.name
    assert stamp_of(TableFile.read(copy)).read_bytes() == stamp_of(table).read_bytes()
    assert not checked(TableFile.read(copy))
    check(TableFile.read(copy))
    assert checked(TableFile.read(copy))


def test_a_moved_table_takes_its_stamp_along(table, tmp_path):
    """Renaming a folder changes no file in it."""
    folder = table.path.parent.rename(tmp_path / "elsewhere")
    assert checked(TableFile.read(folder / table.path.name))


@pytest.mark.parametrize("content", [b"", b"\xff\n", b"0" * 10**6, "other", "link", *NO_FILES, None])
def test_stamps_that_are_none_mean_another_check(content, table, tmp_path):
    stamp = stamp_of(table)
    text = stamp.read_bytes()
    stamp.unlink()
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    if content in NO_FILES:
        NO_FILES[content](stamp)
    elif content == "link":
        stamp.symlink_to(precious)
    elif content is not None:
        stamp.write_bytes(text.replace(b" ", b" 1", 1) if content == "other" else content)
    assert not checked(table)
    check(table)
    assert checked(table) == (content != "folder")
    assert precious.read_bytes() == b"precious"


def refuse(path):
    raise PermissionError


@timed
def test_checks_that_do_not_count(table, monkeypatch):
    """The folder cannot be written; the clock does not go on; the file changes while it is checked."""
    stamp_of(table).unlink()
    for now in (refuse, lambda folder: os.stat(table.path).st_ctime_ns):
        with monkeypatch.context() as patch, within(1):
            patch.setattr(stamps, "_now", now)
            check(table)
        assert not checked(table) and not stamp_of(table).exists()
    with checking(table):
        os.utime(table.path)
    assert not checked(table) and not stamp_of(table).exists()


def test_what_is_unsound_loses_its_stamp(table):
    with pytest.raises(TableCorruptError), checking(table):
        raise table.corrupt("unsound")
    assert not checked(table) and not stamp_of(table).exists()
    with pytest.raises(KeyboardInterrupt), checking(table):
        raise KeyboardInterrupt
    assert not checked(table)
