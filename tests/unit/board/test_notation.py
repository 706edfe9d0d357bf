"""Every format that is read, every way to get one wrong, and move strings."""

import json
from itertools import groupby

import numpy as np
import pytest
from timing import timed, within

from puzzle15.board import count_moves, format_moves, invert_moves, parse_moves, simplify_moves
from puzzle15.board._moves import METRICS, split_moves
from puzzle15.board._notation import check_shape, format_board, parse_board
from puzzle15.errors import BoardError

EIGHT = ((1, 3, 4, 8, 0, 5, 7, 2, 6), (3, 3))
FIFTEEN = ((5, 3, 8, 9, 0, 2, 4, 1, 7, 10, 14, 13, 12, 11, 6, 15), (4, 4))


def test_eight_puzzle_texts():
    texts = [
        *("1 3 4/8 0 5/7 2 6", " 1  3 4 / 8 0 5 /\t7 2 6 ", "1 3 4 8 0 5 7 2 6", "1 3 4 8 b 5 7 2 6"),
        *("1,3,4,8,0,5,7,2,6", "1, 3, 4, 8, 0, 5, 7, 2, 6,", "1\n3\n4\n8\n0\n5\n7\n2\n6\n", "1 3 4\n8 0 5\n7 2 6"),
        "\n  1 3 4\r\n\n  8   5\r\n  7 2 6\n".replace("   5", " . 5"),
        *("134805726", "1348b5726", "1348B5726", "1348_5726", "1348.5726", "1348-5726", "1348x5726", "134895726"),
        *("134 8b5 726", "134/8b5/726", "134\n8b5\n726", "134,8b5,726", "01 03 04 08 00 05 07 02 06"),
        *("1 3 4/8 _ 5/7 2 6", "1 3 4/8 X 5/7 2 6", "1 3 4/8 9 5/7 2 6", "(1, 3, 4, 8, 0, 5, 7, 2, 6)"),
        *("[1, 3, 4, 8, 0, 5, 7, 2, 6]", "[[1, 3, 4], [8, 0, 5], [7, 2, 6]]", '[[1, 3, 4], [8, "_", 5], [7, 2, 6]]'),
        *(str(np.array(EIGHT[0])), str(np.array(EIGHT[0]).reshape(3, 3))),
    ]
    for text in texts:
        assert parse_board(text) == parse_board(text, shape=(3, 3)) == EIGHT, text


def test_fifteen_puzzle_texts():
    for text in [
        *("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15", "5 3 8 9/16 2 4 1/7 10 14 13/12 11 6 15"),
        *("5 3 8 9 0 2 4 1 7 10 14 13 12 11 6 15", "538902417aedcb6f", "5389_2417AEDCB6F"),
        *("5389 0241 7aed cb6f", "5389/x241/7aed/cb6f", json.dumps(np.array(FIFTEEN[0]).reshape(4, 4).tolist())),
        " 5  3  8  9\n    2  4  1\n 7 10 14 13\n12 11  6 15".replace("\n   ", "\n b "),
    ]:
        assert parse_board(text) == FIFTEEN, text


def test_other_shapes():
    for given, shape, tiles, found in [
        ("1 2 3 4 5 0", (2, 3), (*range(1, 6), 0), (2, 3)),
        ("123450", (3, 2), (*range(1, 6), 0), (3, 2)),
        ("123/45b", None, (*range(1, 6), 0), (2, 3)),
        ("12 34 50", None, (*range(1, 6), 0), (3, 2)),
        ("12 30", None, (1, 2, 3, 0), (2, 2)),
        ("01 23 45 67", None, tuple(range(8)), (4, 2)),
        ("0123 4567", None, tuple(range(8)), (2, 4)),
        ("12345 6789b", None, (*range(1, 10), 0), (2, 5)),
        ("12345 6789a", None, (*range(1, 10), 0), (2, 5)),
        ("123456 789ab0", None, (*range(1, 12), 0), (2, 6)),
        ("123456 789abc", None, (*range(1, 12), 0), (2, 6)),
    ]:
        assert parse_board(given, shape) == (tiles, found), given


def test_sequences_and_arrays():
    for given in [
        *(list(EIGHT[0]), EIGHT[0], bytes(EIGHT[0]), iter(EIGHT[0]), np.array(EIGHT[0], dtype=np.int64)),
        np.array(EIGHT[0], dtype=np.uint8).reshape(3, 3),
        [[1, 3, 4], [8, 9, 5], [7, 2, 6]],
        [(1, 3, 4), np.array([8, 0, 5]), ["7", "2", "6"]],
        ["1", "3", "4", "8", "b", "5", "7", "2", "6"],
    ]:
        assert parse_board(given) == EIGHT


@pytest.mark.parametrize(
    "given, shape, message",
    [
        ("", None, "no numbers"),
        (" / ", None, "no numbers"),
        ([], None, "no numbers"),
        ("[" * 4_000, None, "no numbers"),
        ("1 2 3/4 q 5/6 7 8", None, "cannot read 'q'; write tiles as whole numbers"),
        ("1 2 3 -4", None, "cannot read '-4'"),
        ("1 2 3 1e3", None, "cannot read '1e3'"),
        ("1 2 3 " + "9" * 4000, None, "cannot read '999"),
        ([1, 2, 3, 1.5], None, "cannot read 1.5"),
        ([1, 2, 3, True], None, "cannot read True"),
        ([1, 2, 3, None], None, "cannot read None"),
        ([[1, 2], [3, [0]]], None, r"cannot read \[0\]"),
        ("[{}]", None, "expected numbers, or lists of numbers"),
        ('[[1, 2], {"3": 0}]', None, "expected numbers, or lists of numbers"),
        ("12345678z", None, "cannot read 'z'; written without spaces"),
        ("1 2 3/4 5/7 8 0", None, "its rows have 3, 2 and 3 numbers"),
        ("1 2 3/4 5 6/7 8 0/", None, "its rows have 3, 3, 3 and 0 numbers"),
        ("1 2 3 4 5\n6 7 8 0", None, "its rows have 5 and 4 numbers"),
        ([[1, 2], [3]], None, "its rows have 2 and 1 numbers"),
        ([1, 2, [3, 0]], None, "numbers beside rows"),
        ("1 2 3 4 5", None, "5 numbers, but a flat list has 4, 9 or 16"),
        ("1", None, "1 number, but"),
        (range(12), None, "or give the shape: 2x6 or 3x4 or 4x3 or 6x2"),
        ("1 2 3 0", (3, 3), "4 numbers, but a 3x3 board has 9 cells"),
        ("1 2/3 4/5 0", (2, 3), "3 rows of 2; expected a 2x3 board"),
        ("1/2/3/0", None, "shape 4x1: expected 2 .. 8 rows and columns, and at most 16 cells"),
        ("1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 0", None, "at most 16 cells"),
        ("1 2 3 3", None, "tile 3 occurs twice, the blank is missing; a 2x2 board holds"),
        ("1 2 0 _", None, "the blank occurs twice, tile 3 is missing"),
        ("1 2 0 4", None, "4 is not a tile, tile 3 is missing"),
        ([-1, 0, 1, 2], None, "-1 is not a tile, tile 3 is missing"),
        ("0 " * 9, None, "blank occurs 9 times, tile 1, tile 2, tile 3 and 5 more are missing"),
        (range(100, 116), None, "100, 101, 102 and 13 more are not tiles"),
    ],
)
def test_what_is_wrong_is_said(given, shape, message):
    with pytest.raises(BoardError, match=message) as caught:
        parse_board(given, shape)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


def test_bad_shapes():
    for shape in [(1, 4), (2, 9), (4, 5), (4,), (4, 4, 1), 4, "44x", (2.0, 2), None]:
        with pytest.raises(BoardError, match=r"expected \(rows, cols\)|expected 2 .. 8 rows and columns"):
            check_shape(shape)


def test_written_styles():
    for board, style, text in [
        (FIFTEEN, "grid", " 5  3  8  9\n 0  2  4  1\n 7 10 14 13\n12 11  6 15"),
        (EIGHT, "grid", "1 3 4\n8 0 5\n7 2 6"),
        (EIGHT, "rows", "134 805 726"),
        (EIGHT, "list", "[1, 3, 4, 8, 0, 5, 7, 2, 6]"),
        (EIGHT, "json", "[[1, 3, 4], [8, 0, 5], [7, 2, 6]]"),
    ]:
        assert format_board(*board, style) == text
    with pytest.raises(ValueError, match="slash, flat, grid, hex"):
        format_board(*EIGHT, "roman")


def test_written_blanks():
    tiles, shape = FIFTEEN
    assert format_board(*EIGHT, "hex", "b") == "1348b5726"
    assert format_board(tiles, shape, "grid", "_") == (" 5  3  8  9\n _  2  4  1\n 7 10 14 13\n12 11  6 15")
    assert format_board((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0), (3, 4), "hex", "12") == "123456789abc"
    for style, blank in [("hex", "16"), ("hex", "b"), ("rows", "b"), ("json", "_"), ("list", "x"), ("slash", "9")]:
        with pytest.raises(ValueError, match=f"blank '{blank}': expected one of 0 .*in style {style} on a 4x4 board"):
            format_board(tiles, shape, style, blank)


@timed
def test_text_that_is_too_long_is_refused_at_once():
    with within(2):  # 0.1 s on a machine at rest; reading took 20 s
        for text in ("1 " * 50_000_000, "[" + "1," * 5_000_000, "1 2/3 0" + " " * 5_000):
            with pytest.raises(BoardError, match="^'.{1,100}: more than 4096 characters") as caught:
                parse_board(text)
            assert len(str(caught.value)) < 300
    assert parse_board("1 2/3 0" + " " * 4_000) == ((1, 2, 3, 0), (2, 2))


def test_parse_moves():
    for text, letters in [("urdl2u", "URDLLU"), ("U R, D\nL2  U", "URDLLU"), ("U1R9", "U" + "R" * 9)]:
        assert parse_moves(text) == letters
    for text, bad, where in [
        ("2U", "2", "at the beginning"),
        ("U12", "2", "after 'U1'"),
        ("UXD", "X", "after 'U'"),
        ("U0", "0", "after 'U'"),
        ("U_", "_", "after 'U'"),
        ("UR" * 5_000 + "DLQ", "Q", "after '...URURURURURURURURURDL'"),
    ]:
        with pytest.raises(BoardError, match=f"^.{{,100}}: cannot read {bad!r} {where}; write"):
            parse_moves(text)


def test_inverses_and_simple_forms():
    assert invert_moves("urd L2,U") == "DRRULD" and simplify_moves("r U2D2LD") == "D"
    assert simplify_moves("U9" * 2_000 + "D9" * 1_999) == "U" * 9  # in no more than a linear time
    for call in (invert_moves, simplify_moves):
        with pytest.raises(BoardError, match="cannot read 'X' after 'U'"):
            call("UX")


def test_unknown_convention():
    for call in [parse_moves, format_moves]:
        with pytest.raises(ValueError, match="convention 'stm': expected one of tile, blank"):
            call("U", convention="stm")


# ------------------------------------------------- moves in both metrics ---


@pytest.mark.parametrize(
    "text, single, multi",
    [("", 0, 0), ("UU", 2, 1), ("U2", 2, 1), ("u d", 2, 2), ("URDL2U", 6, 5), ("L3, L3 R", 7, 2)],
)
def test_counts(text, single, multi):
    assert (count_moves(text), count_moves(text, "stm"), count_moves(text, "mtm")) == (single, single, multi)


def test_runs_of_letters(rng):
    for length in range(60):
        letters = "".join(rng.choice(list("UDLR"), length))
        runs = ["".join(run) for _, run in groupby(letters)]
        assert split_moves(letters, "mtm") == runs and split_moves(letters) == list(letters)
        for text in (format_moves(letters, compress=True), format_moves(letters, convention="blank")):
            assert [count_moves(text, metric) for metric in METRICS] == [length, len(runs)]
    with pytest.raises(ValueError, match="metric 'htm': expected one of stm, mtm"):
        count_moves("U", "htm")
