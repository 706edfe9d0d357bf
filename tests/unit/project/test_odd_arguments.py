"""Odd arguments end in the promised error and its sentence, not in what Python happens to say deep inside."""

import math
import re
from functools import partial

import numpy as np
import pytest
from readmes import ROOT, text_of

from puzzle15 import Board, LocalValueIteration, Solver, search, search_many, solve
from puzzle15.board import (
    Orientation,
    apply_moves,
    boards_along,
    count_moves,
    depth_counts,
    farthest,
    format_boards,
    invert_moves,
    pack_boards,
    parse_moves,
    simplify_moves,
    solvable,
    swap_to_solvable,
    unpack_boards,
)
from puzzle15.board._notation import format_board
from puzzle15.board._orientation import home_cell
from puzzle15.dataset import Distances, Walk, at_distances
from puzzle15.errors import BoardError
from puzzle15.nodes import BoardTable
from puzzle15.solver import solve_pattern

NEAR = "1 2 3/0 5 6/4 7 8"
BOARD, GOAL = Board(NEAR), Board.goal((3, 3))
EIGHT = Solver(shape=(3, 3))

# ---------------------------------------------------------------- missing boards among many

MANY = {
    "solve_many": lambda boards, **o: [each.error for each in EIGHT.solve_many(boards, **o)],
    "hint_many": lambda boards, **o: [each.error for each in EIGHT.hint_many(boards, **o)],
    "analyse_many": lambda boards, **o: [each.error for each in EIGHT.analyse_many(boards, ["U"] * 3, **o)],
    "search_many": lambda boards, **o: [each.error for each in search_many(boards, **o)],
    "pack_boards": lambda boards, **o: list(map(pack_boards(boards, **o)[2].get, range(3))),
    "local value iteration": lambda boards, **o: [
        each.error for each in LocalValueIteration(shape=(3, 3)).solve_many(boards, **o)
    ],
}


@pytest.mark.parametrize("name", MANY)
def test_a_missing_board_is_marked_or_named(name):
    """None and NaN stand for the empty cells of a table."""
    for missing in (None, math.nan, np.float32("nan"), 3.5, object()):
        for boards in ([NEAR, missing, NEAR], np.array([NEAR, missing, NEAR], dtype=object)):
            errors = MANY[name](boards, on_error="mark")
            assert errors[0] is errors[2] is None and isinstance(errors[1], BoardError), missing
            with pytest.raises(BoardError, match="^board 1: a board is text, a sequence or an array, not "):
                MANY[name](boards)
    assert EIGHT.hint_many([NEAR, missing], on_error="mark").to_dict()["moves"] == ["U", ""]


# ---------------------------------------------------------------- moves, goals and words that are none

NO_TEXT = [None, 5, ["U"], b"U", math.nan]
OF_MOVES = {
    "Board.apply": BOARD.apply,
    "Board.svg": lambda moves: BOARD.svg(hint=moves),
    "Solver.analyse": lambda moves: EIGHT.analyse(BOARD, moves),
    "count_moves": count_moves,
    "invert_moves": invert_moves,
    "parse_moves": parse_moves,
    "simplify_moves": simplify_moves,
    "analyse_many": lambda moves: EIGHT.analyse_many([BOARD], [moves]),
    "apply_moves": lambda moves: apply_moves([BOARD], [moves]),
    "boards_along": lambda moves: boards_along([BOARD], [moves]),
}
OF_GOALS = {
    "solvable": lambda goal: solvable([BOARD.packed], goal),
    "swap_to_solvable": lambda goal: swap_to_solvable([BOARD.packed], goal),
    "pack_boards": lambda goal: pack_boards([NEAR], goal=goal),
    "Orientation": Orientation,
    "Orientation to": lambda goal: Orientation(GOAL, goal),
}
STRANGE = [None, 5, "x", [None], [1.5], [-1], [2**70], [[1, 2], [3, 4]], ["1 2 3"], [BOARD], np.array([1.5])]
OF_WORDS = {
    "format_boards": lambda words: format_boards(words, (3, 3)),
    "swap_to_solvable": lambda words: swap_to_solvable(words, GOAL),
    "solvable": lambda words: solvable(words, GOAL),
    "unpack_boards": lambda words: unpack_boards(words, (3, 3)),
}
NONE = [
    (OF_MOVES, NO_TEXT, "moves .*: expected text, such as 'URDL2'"),
    (OF_GOALS, ["1 2 3"], "'1 2 3': 3 numbers"),
    (OF_WORDS, STRANGE, "^packed boards .*: expected whole numbers from 0 to 2..64 - 1, an array"),
]


@pytest.mark.parametrize("calls, values, message", NONE)
def test_what_is_none(calls, values, message):
    for name, call in calls.items():
        for given in values:
            with pytest.raises(BoardError, match=message):
                print(name, repr(given))
                call(given)


def test_moves_that_are_no_text_among_many():
    for moves in NO_TEXT:
        found = EIGHT.analyse_many([BOARD] * 2, ["U", moves], on_error="mark")
        assert [each.status for each in found] == ["solved", "error"], moves
        packed, errors = apply_moves([BOARD] * 2, ["U", moves], on_error="mark")
        assert packed[0] == BOARD.apply("U").packed and list(errors) == [1], moves


def test_a_goal_as_text():
    words, text = [BOARD.packed, Board("1 2 3/4 5 6/8 7 0").packed], str(GOAL)
    assert solvable(words, text).tolist() == [True, False]
    assert [each.tolist() for each in swap_to_solvable(words[1:], text)] == [
        each.tolist() for each in swap_to_solvable(words[1:], GOAL)
    ]
    assert pack_boards([NEAR], goal=text)[1] == (3, 3)
    orientation = Orientation("0 1 2/3 4 5/6 7 8", text)
    assert orientation.turn_one(orientation.goal) == GOAL.packed


@pytest.mark.parametrize("name", OF_WORDS)
def test_words_that_are_no_boards(name):
    for word in (1, 2**64 - 1, Board.goal().packed):
        for words in ([BOARD.packed, word], np.array([BOARD.packed, word], dtype=np.uint64)):
            with pytest.raises(BoardError, match=f"^board 1: packed board {word:#x}: "):
                OF_WORDS[name](words)
    with pytest.raises(BoardError, match="^packed boards .*: expected whole numbers"):
        OF_WORDS[name](np.array([-1]))


def test_words_that_stand_for_bad_boards():
    assert solvable([0, BOARD.packed], GOAL).tolist() == [False, True]
    assert unpack_boards([0, BOARD.packed], (3, 3)).tolist() == [[0] * 9, list(BOARD)]
    assert format_boards([0, BOARD.packed], (3, 3)) == ["", NEAR]
    with pytest.raises(BoardError, match="^board 1: packed board 0x0: "):
        swap_to_solvable([BOARD.packed, 0], GOAL)


# ---------------------------------------------------------------- things without an order, and one in place of many

TWO = [BOARD, BOARD.apply("UD")]
OF_TEXTS = {
    "analyse_many": partial(EIGHT.analyse_many, TWO),
    "apply_moves": partial(apply_moves, TWO),
    "boards_along": partial(boards_along, TWO),
}


@pytest.mark.parametrize("name", OF_TEXTS)
def test_one_text_is_not_a_list_of_letters(name):
    for texts in ("UL", b"UL"):
        with pytest.raises(TypeError, match=r"^one (str|bytes): expected many texts; for one, give a list: \[text\]$"):
            OF_TEXTS[name](texts)
    with pytest.raises(TypeError, match="^a set has no order: expected many texts, in a list"):
        OF_TEXTS[name]({"U", "D"})
    for texts in (["U", "D"], ("U", "D"), np.array(["U", "D"]), dict.fromkeys("UD"), iter("UD")):
        assert len(OF_TEXTS[name](texts, on_error="mark")) == 2


def test_a_board_has_an_order():
    tiles = {1: 1, 2: 2, 3: 3, 0: 0}
    for given in (set(tiles), frozenset(tiles), tiles, tiles.keys(), [{1, 2}, {3, 0}]):
        with pytest.raises(TypeError, match="^a board is text, a sequence or an array, not (set|frozenset|dict)"):
            Board(given)
    assert Board(tiles.values()) == Board(iter(tiles)) == Board("1 2/3 0")
    with pytest.raises(TypeError, match="^a set has no order: expected many boards"):
        pack_boards({BOARD, GOAL})
    assert pack_boards(dict.fromkeys([GOAL, BOARD]))[0].tolist() == [GOAL.packed, BOARD.packed]


def test_bytes_and_digits_that_would_be_a_board_as_text():
    for text in (b"1230", bytearray(b"1 2/3 0"), [b"12", b"30"]):
        with pytest.raises(TypeError, match="not byte.*; decode the text first$"):
            Board(text)
    assert Board(bytes([1, 2, 3, 0])) == Board(bytearray([1, 2, 3, 4])) == Board("1 2/3 0")
    for call in (Board, EIGHT.solve, lambda number: pack_boards([number])):
        with pytest.raises(
            BoardError, match="; a whole number is a packed board, so write the digits as text: '123456780'$"
        ):
            call(123456780)
    with pytest.raises(BoardError, match="exactly once$"):
        Board(7)


def test_distances_and_cells_are_whole_numbers():
    for given in ([2.9], "123", [True], {2.5: 1}, [None], [-1]):
        with pytest.raises(ValueError, match="^distance .*: expected a whole number of at least 0$"):
            Distances(given)
    with pytest.raises(ValueError, match="^weight 'x': expected a number"):
        Distances({1: "x"})
    for given in ((2.5,), (1, 2.5), (2, 1), (True,)):
        with pytest.raises(ValueError, match="^(least|most) .*: expected a whole number of at least"):
            Walk(*given)
    for given in ([2.9], ["2"], [True], [-1]):
        with pytest.raises(ValueError, match="^distance .*: expected a whole number of at least 0$"):
            at_distances(given, 1, EIGHT)
    assert Distances(np.array([3, 1])) == Distances({1: np.float32(1), 3: 1}) and Walk(np.int64(2)) == Walk(2, 2)
    for home in (1.7, True, -1, 9, None, "1.7", " 1"):
        for call in (home_cell, depth_counts):
            with pytest.raises(
                ValueError, match=r"^home .*: a 3x3 board has center, corner, edge, and the cells 0 \.\. 8$"
            ):
                call(*((home, (3, 3)) if call is home_cell else ((3, 3), home)))
    for cell, kind in ((8, "corner"), ("0", "corner"), (np.int8(1), "edge"), (4, "center")):
        assert depth_counts((3, 3), cell) == depth_counts((3, 3), kind) is not None


# ---------------------------------------------------------------- shapes, cells, limits


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: farthest((9, 9), 0), BoardError, "shape 9x9: expected"),
        (lambda: farthest("x", 0), BoardError, "shape 'x': expected"),
        (lambda: farthest((3, 3), 99), BoardError, "home=99: a 3x3 board has the cells 0 .. 8"),
        (lambda: farthest((3, 3), -1), BoardError, "home=-1: a 3x3"),
        (lambda: farthest((3, 3), 1.5), BoardError, "home=1.5: a 3x3"),
        (lambda: format_board([1, 2, 3, 0], (2**40, 2)), BoardError, "shape 1099511627776x2: expected"),
        (lambda: format_board([1, 2, 3, 0], (3, 3)), BoardError, r"\[1, 2, 3, 0\]: 4 numbers, but a 3x3 board has 9"),
        (lambda: format_board([1, 2, 3, -1], (2, 2)), BoardError, "-1 is not a tile"),
        (lambda: format_board([1.5, 2.0, 3.0, 0.0], (2, 2)), BoardError, "cannot read 1.5"),
        (lambda: format_board([np.True_, 2, 3, 0], (2, 2)), BoardError, "cannot read .*True"),
        (lambda: format_board(None, (2, 2)), TypeError, "a board is text, a sequence or an array, not NoneType"),
        (lambda: f"{BOARD:gird}", ValueError, "format 'gird' of a board: expected one of slash, .*, or a width such"),
    ],
)
def test_odd_numbers(call, error, message):
    with pytest.raises(error, match=message):
        call()


CHOICES = {
    "metric": lambda given: solve(BOARD, metric=given),
    "format": lambda given: Solver(shape=(3, 3), format=given),
    "check": lambda given: Solver(shape=(3, 3), check=given),
    "on_error": lambda given: EIGHT.solve_many([BOARD], on_error=given),
    "convention": lambda given: parse_moves("U", convention=given),
    "style": lambda given: format_boards([BOARD.packed], (3, 3), given),
    "blank": lambda given: format_boards([BOARD.packed], (3, 3), blank=given),
    "ties": lambda given: search(BOARD, ties=given),
    "priority": lambda given: search(BOARD, "weighted-a*", weight=2, priority=given),
    "colours": lambda given: BOARD.svg(colours=given),
}


@pytest.mark.parametrize("name", CHOICES)
def test_what_is_not_a_choice(name):
    for given in ([], {}, {"stm"}, 5, "x" * 10_000, [1] * 10_000, np.arange(4), np.array(["stm", "mtm"]), b"stm", GOAL):
        with pytest.raises(ValueError, match=f"^{name} .*: expected one of [0a-z]") as refused:
            CHOICES[name](given)
        assert len(str(refused.value)) < 250, given


def test_unusual_but_fine():
    boards = np.array([NEAR, str(GOAL)])
    assert boards.dtype.kind == "U" and EIGHT.distance_many(boards).tolist() == [3, 0]
    assert format_board(np.array([[1, 2], [3, 0]]), (2, 2)) == format_board("1230", [2, 2]) == "1 2/3 0"
    assert f"{BOARD:>20}|{BOARD:^19}|{BOARD:.5}|{BOARD:flat}" == f"   {NEAR}| {NEAR} |1 2 3|1 2 3 0 5 6 4 7 8"


def test_every_refusal_is_an_error_of_the_package():
    """A bare ValueError is a fault, of which the shell shows where it is."""
    raised = re.compile(r"\b(raise|return) ValueError\(")
    files = [path for suffix in ("py", "pyx") for path in (ROOT / "puzzle15").rglob(f"*.{suffix}")]
    found = [path.name for path in files if raised.search(text_of(path))]
    assert len(files) > 180 and found == ["check_certificate.py"]  # which needs nothing of the package


def test_one_thing_in_place_of_many():
    """What cannot be gone through is not a list."""
    calls = [EIGHT.solve_many, lambda each: EIGHT.analyse_many([NEAR], each), lambda each: apply_moves([NEAR], each)]
    for call, what in zip(calls, ("boards", "texts", "texts")):
        for one in (5, None, True, 1.5, object(), np.uint8(3)):
            with pytest.raises(TypeError, match=f"^{re.escape(repr(one))}: expected many {what}, in a list$"):
                call(one)


@pytest.mark.parametrize("tiles", [[1.5, 2], ["a"], [None], [1, None], 5, None, math.nan, True])
def test_tiles_of_a_pattern_are_whole_numbers(tiles):
    with pytest.raises((ValueError, TypeError), match=r"^tiles? .*: expected "):
        solve_pattern(NEAR, tiles)


def test_any_amount_of_memory_is_a_limit():
    for most in (2**64, 10**30):
        assert BoardTable(max_memory=most).max_memory == most
        assert solve_pattern(NEAR, [1, 2], max_memory=most).status == "solved"
