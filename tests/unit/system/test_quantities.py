"""Numbers that users give: what is one, and that every function that takes one refuses the others."""

import fractions
import re
from functools import partial

import numpy as np
import pytest
from timing import timed, within

from puzzle15 import LocalValueIteration, Solver
from puzzle15._system.quantities import (
    flag,
    number,
    parse_count,
    parse_number,
    parse_whole,
    ratio,
    seconds,
    size,
    whole,
)
from puzzle15.dataset import write
from puzzle15.learning import gather, value_iteration
from puzzle15.learning.train import __main__ as command

NAN, INF = float("nan"), float("inf")
NEAR = "1 2 3/0 5 6/4 7 8"
EIGHT = Solver(shape=(3, 3))
NO_WHOLE_NUMBERS = [-1, 1.5, 2.0, NAN, INF, True, np.True_, "5", b"5", [5], np.float64(5), 5j]
NO_SECONDS = [10**400, -1, -0.5, NAN, -INF, True, np.True_, "5", b"5", [5], 5j, np.float32(NAN), -(10**400)]


def refuses(call, given, message):
    """Whether a function raises ValueError with a message for each of some values."""
    for value in given:
        with pytest.raises(ValueError, match=message):
            call(value)


def test_whole_numbers():
    for value in (0, 7, np.int8(7), np.uint64(7), np.array(7), 10**30):
        assert whole("limit", value) == value and type(whole("limit", value)) is int
    refuses(partial(whole, "limit"), [*NO_WHOLE_NUMBERS, None], r"^limit .*: expected a whole number of at least 0$")
    assert whole("width", 1, 1, 5) == 1 and whole("width", 5, 1, 5) == 5
    refuses(lambda value: whole("width", value, 1, 5), (0, 6), "^width [06]: expected a whole number from 1 to 5$")


def test_numbers_and_seconds():
    assert number("gamma", fractions.Fraction(1, 2), 0.01, 0.999) == 0.5
    wrong = (0, 1, NAN, "0.5", True, None)
    refuses(
        lambda value: number("gamma", value, 0.01, 0.999), wrong, "^gamma .*: expected a number from 0.01 to 0.999$"
    )
    given = [0, 0.5, np.float32(0.5), fractions.Fraction(1, 2), None, INF]
    assert [seconds("time", value) for value in given] == [0, 0.5, 0.5, 0.5, None, None]
    refuses(partial(seconds, "time"), NO_SECONDS, "^time .*: expected a number of seconds of at least 0")


def test_ratios():
    assert ratio(np.float32(4 / 3), 64) == ratio("4/3", 64) == fractions.Fraction(4, 3)
    assert [ratio(value, 64) for value in (1.0001, np.float32(1.2001), "x", "1/0", NAN, None)] == [None] * 6
    assert [ratio(value, 64) for value in ("1e9999999", "1e-9_999_999", "1E+0009999999", "9" * 10**6)] == [None] * 4


def test_flags():
    assert [flag("prove", value) for value in (True, False, np.True_, np.False_)] == [True, False, True, False]
    refuses(partial(flag, "prove"), [None, 0, 1, "no", "True", [], np.int64(1)], "^prove .*: expected True or False")


SIZES = {
    "300000000": 300_000_000,
    "256M": 256 << 20,
    "1.5G": 3 << 29,
    "2 kb": 2000,
    "1MiB": 1 << 20,
    "1e6": 10**6,
    "0.3k": 307,
}
NO_SIZES = ["", "M", "-1", "256 X", "1.5.5", "nan", "inf", "1e999", "0x10", "9" * 5000, "\u00b2", "\u0663", "many"]


def test_sizes():
    assert [size("memory", text) for text in SIZES] == list(SIZES.values())
    assert [size("memory", value) for value in (300, np.uint64(300))] == [300, 300]
    wrong = [*NO_SIZES, -1, 1.5, NAN, True, None]
    refuses(partial(size, "memory"), wrong, "^memory .*: expected a.* size such as 256M")


def test_numbers_as_text():
    assert [parse_count(text) for text in ("5000", "10M", "2k", "1e6", "1.9k")] == [5000, 10**7, 2000, 10**6, 1900]
    assert parse_count("9007199254740993") == 2**53 + 1  # no float on the way
    wrong = ("many", "1.9", "1.0005k", "-1", "nan", "inf", "")
    refuses(parse_count, wrong, "expected a whole number such as")
    assert (parse_whole("12"), parse_number("0.5", 0, 80)) == (12, 0.5)
    wrong = ("-1", "1.0", "", "\u00b2", "\u0663", "9" * 5000, " 1", "0")
    refuses(lambda text: parse_whole(text, 1), wrong, "expected a whole number of at least 1")
    wrong = ("nan", "-1", "81", "inf", "", "much")
    refuses(lambda text: parse_number(text, 0, 80), wrong, "expected a number from 0 to 80")


# ---------------------------------------------------------------- everywhere ---


@pytest.mark.parametrize("call", [LocalValueIteration, partial(value_iteration, [1])])
def test_gammas(call):
    wrong = [-1, 0, 1, NAN, INF, True, "0.9", [0.9], None]
    refuses(lambda value: call(gamma=value), wrong, "^gamma .*: expected a number from")


@timed
def test_more_boards_than_a_folder_holds(tmp_path):
    for count, shard, message in (
        (
            10**13,
            100_000,
            "count 10,000,000,000,000: expected at most 2,000,000,000, .* 1,000,000 chunks of 2,000 boards",
        ),
        (10**7, 1, "count 10,000,000: expected at most 1,000,000, .* 1,000,000 files of 1 boards"),
        (10**30, 10**30, "expected at most 2,000,000,000"),
    ):
        with within(1), pytest.raises(ValueError, match=message):
            write(tmp_path / "new", count, seed=1, shard=shard, solver=EIGHT)
    assert not (tmp_path / "new").exists()


TRAINING = """--minutes nan, --steps 0, --seed -1, --held-out -5, --expectile 2, --lowered 81, --batch 0, --rate nan,
    --workers 0, --shares inf"""
GATHERING = "--count 1.9, --seed -1, --width 0, --workers -1"


@pytest.mark.parametrize(
    "main, given, options",
    [
        (command.main, "data --output network.npz", TRAINING),
        (gather.main, "boards --network paper --count 5 --seed 1", GATHERING),
    ],
)
def test_training_and_gathering(capsys, main, given, options):
    for name, value in map(str.split, options.split(",")):
        with pytest.raises(SystemExit) as end:
            main([*given.split(), name, value])
        assert end.value.code == 2
        assert re.search(f"argument {name}: '{value}': expected a", capsys.readouterr().err)
