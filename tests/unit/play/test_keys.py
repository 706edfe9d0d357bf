"""Keys and clicks in the bytes of a terminal, whole and in pieces, and what they mean."""

from itertools import product

import pytest

from puzzle15._cli.play.keys import Click, KeyReader
from puzzle15._cli.play.session import _ACTIONS

BYTES = {
    b"\x1b[A": ["up"],
    b"\x1bOB": ["down"],
    b"\x1b[1;5C": ["right"],
    b"\x1b[D\x1b[D": ["left", "left"],
    b"\x1bOP\x1b[11~\x1b[[A": ["f1", "f1", "f1"],
    b"\x1b[3~\x1b[15~\x1b[H\x1b[4~": [],  # delete, F5, home, end
    b"kq?": ["k", "q", "?"],
    b"\r\n\x7f\x08 \x12": ["enter", "enter", "backspace", "backspace", "space", "ctrl-r"],
    b"\x1b[<0;1;1M\x1b[<0;1;1m": [Click(0, 0)],  # pressed, released
    b"\x1b[<0;80;24M": [Click(23, 79)],
    b"\x1b[<2;1;1M\x1b[<64;1;1M": [],  # another button, the wheel
    b"\x1b\x1b[A": ["escape", "up"],
}


@pytest.mark.parametrize("data", BYTES, ids=repr)
def test_keys_at_once_and_in_pieces(data):
    assert KeyReader().feed(data) == BYTES[data]
    for end in range(1, len(data)):
        reader = KeyReader()
        if not (data[:end] == b"\x1b" and data[end : end + 1] == b"\x1b"):
            assert reader.feed(data[:end]) + reader.feed(data[end:]) == BYTES[data]


def test_any_bytes_are_read():
    reader = KeyReader()
    assert reader.feed(b"\x1b") == [] and reader.is_waiting
    assert reader.feed(b"") == ["escape"] and not reader.is_waiting
    for first, second in product(range(256), repeat=2):
        reader.feed(bytes([first, second]))
    reader.feed(b"")
    assert not reader.is_waiting


def test_the_keys_of_each_mode_differ():
    for mode, actions in _ACTIONS.items():
        keys = " ".join(keys for keys, _ in actions.values()).split()
        assert len(keys) == len(set(keys)), mode
        assert {"quit", "back", "yes"} & actions.keys()
