"""Lines read in blocks, against Python's own reading of text."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzle15._system.streams import read_blocks


class Pieces:
    """A file whose bytes come in pieces, as from a pipe."""

    def __init__(self, pieces):
        self.pieces = list(pieces)

    def read1(self, size):
        return self.pieces.pop(0) if self.pieces else b""


def lines_of(file, longest=100):
    return [line for block in read_blocks(file, longest) for line in block]


def expected(data):
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", errors="replace").read()
    return text.removesuffix("\n").split("\n") if text else []


@given(
    st.lists(
        st.binary(min_size=1, max_size=6)
        | st.sampled_from([b"a\r", b"\n", b"\r\nb", b"\xef\xbb\xbf", b"\xc3", b"\xa9"])
    )
)
def test_lines_do_not_depend_on_how_they_come(pieces):
    data = b"".join(pieces)
    lines = lines_of(io.BytesIO(data))
    assert lines_of(Pieces(pieces)) == lines
    if not data.startswith(b"\xef\xbb") or data.startswith(b"\xef\xbb\xbf"):  # Python waits for the whole mark
        assert lines == expected(data)


def test_each_line_is_there_as_soon_as_it_has_come():
    blocks = read_blocks(Pieces([b"one\ntw", b"o\n", b"thr", b"ee\r", b"\nfour"]), 100)
    assert list(blocks) == [["one"], ["two"], ["three"], ["four"]]


@pytest.mark.parametrize("piece", [3, 1000])
def test_long_lines_are_cut_and_stay_too_long(piece):
    data = b"short\n" + "é".encode() * 5_000 + b"\nlast"
    pieces = [data[begin : begin + piece] for begin in range(0, len(data), piece)]
    short, long, last = lines_of(Pieces(pieces), 10)
    assert (short, long, last) == ("short", "é" * 11, "last")


def test_text_in_memory():
    assert lines_of(io.StringIO("one\n\ntwo")) == ["one", "", "two"]
    assert lines_of(io.StringIO("")) == lines_of(io.BytesIO(b"")) == []
