"""The inputs that fuzzers begin with, and the words that they put together; made anew in each run, always the same."""

import random

#: Escaped as in files of libFuzzer.
DICTIONARY = [
    "0",
    "15",
    "16",
    "/",
    " ",
    ",",
    "[[",
    "]]",
    "], [",
    "_",
    "x",
    ".",
    "-",
    "\\x0a",
    "1 2 3/4 5 6/7 8 0",
    "a",
    "f",
]

_BOARDS = [
    "1 2 3/4 5 6/7 8 0",
    "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15",
    "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15,_",
    "[[1, 2, 3], [4, 0, 5]]",
    "[1,2,3,4,5,6,7,8,0]",
    "123456789abcdef0",
    "1348b5726",
    "12 3x",
    "134 8_5 726",
    "1 2\n3 0",
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
    "{1: 2}",
    "2 0/1 3",
    "1 2 3 4 5 6 7/8 9 10 11 12 13 0",
]


def seeds_of(target):
    """The first inputs of a target, as bytes."""
    if target == "board_text":
        return [b"\xc0" + text.encode() for text in [*_BOARDS, "\n".join(_BOARDS)]]
    if target == "board":
        return [bytes([place]) + text.encode() for text in _BOARDS for place in (0, 4, 6)]
    if target == "moves":
        return [b"URDL2U", b"u r, d\n l9", b"UDLR" * 20, b"L1R2", b"2U", b""]
    if target == "tables":  # one gave a board that is not the goal the value 0, and its search had no bound
        return [bytes.fromhex("27902b0100030206000e"), *_random()]
    if target == "request":
        known = [bytes([place, 0, *b'{"board": "1 2 3/4 5 6/7 8 0", "max_nodes": 9}']) for place in range(5)]
        return known + _random()
    return _random()


def _random():
    draw = random.Random(15)
    return [draw.randbytes(size) for size in (20, 60, 120, 250, 500) for _ in range(6)]
