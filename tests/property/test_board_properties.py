"""What holds for every board, every shape and every walk."""

import math
import pickle

import numpy as np
import pytest
import twins
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import OPPOSITE, boards, shapes, walks

from puzzle15 import Board
from puzzle15._core.base import board as _board
from puzzle15.board import (
    Orientation,
    apply_moves,
    boards_along,
    format_boards,
    format_moves,
    invert_moves,
    pack_boards,
    parse_moves,
    simplify_moves,
    swap_to_solvable,
    symmetries,
)
from puzzle15.board._notation import BOARD_STYLES, format_board, parse_board
from puzzle15.board._packing import read_plain
from puzzle15.errors import BoardError


@given(boards(), st.sampled_from(BOARD_STYLES))
def test_every_form_of_a_board_gives_it_back(board, style):
    text = format(board, style)
    assert Board(text, board.shape) == board
    if style in ("slash", "grid", "rows", "json") or board.shape[0] == board.shape[1]:
        assert Board(text) == board
    assert Board(board.packed, board.shape) == board
    assert Board(board.tiles, board.shape) == board
    assert Board(board.to_array()) == eval(repr(board)) == pickle.loads(pickle.dumps(board)) == board


@given(walks())
def test_a_move_and_its_undo(walk):
    board, letters, _ = walk
    for letter in letters:
        after = board.move(letter)
        assert after.move(letter.translate(OPPOSITE)) == board
        assert twins.neighbours(board.shape, board.tiles)[letter] == after.tiles
        board = after


@given(walks(), st.integers(0, 40), st.sampled_from(["tile", "blank"]))
def test_a_walk_may_be_cut_anywhere(walk, cut, convention):
    start, letters, end = walk
    first, second = (format_moves(part, convention=convention) for part in (letters[:cut], letters[cut:]))
    assert start.apply(first, convention=convention).apply(second, convention=convention) == end
    assert start.apply(simplify_moves(letters)) == end
    assert end.apply(invert_moves(letters)) == end.apply(letters[::-1].translate(OPPOSITE)) == start


@given(st.data())
def test_solvable_and_manhattan_equal_their_twins(data):
    same_shape = boards(st.just(data.draw(shapes)))
    board, other = data.draw(same_shape), data.draw(same_shape)
    arguments = board.shape, board.tiles, other.tiles
    assert board.is_solvable(other) == twins.solvable(*arguments)
    distance = _board.manhattan(board.packed, other.packed, board.shape)
    assert distance == twins.manhattan(*arguments)


@st.composite
def texts(draw):
    """A board as text, often with damage of one or two characters; or any text of a board's characters."""
    characters = st.sampled_from("0123456789abcdef /_.-x,[]\n\tAF\u0661")
    if draw(st.booleans()) and draw(st.booleans()):
        return draw(st.text(characters, max_size=40))
    board = draw(boards())
    text = format_board(board.tiles, board.shape, draw(st.sampled_from(BOARD_STYLES)))
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(st.one_of(characters, st.just(""))) + text[place + draw(st.integers(0, 1)) :]
    return text


@given(boards(), st.sampled_from([style for style in BOARD_STYLES if style != "grid"]), st.sampled_from("0_.-x"))
def test_plain_forms_are_read_together(board, style, blank):
    cells, has_rows = math.prod(board.shape), style in ("slash", "rows", "json")
    assume(style != "rows" or board.shape[1] != 2)
    text = format_board(board.tiles, board.shape, style, "0" if style in ("list", "json") else blank)
    packed, shapes = read_plain([text, text], board.shape)
    assert packed.tolist() == [board.packed] * 2 and shapes.tolist() == [list(board.shape)] * 2
    assert bool(read_plain([text])[0][0]) == (has_rows or cells in (4, 9, 16))


@given(texts(), st.one_of(st.none(), shapes))
def test_a_text_is_read_as_in_python(text, shape):
    """In C, too, where it has a plain form."""
    try:
        tiles, expected = parse_board(text, shape)
        board = Board._of(_board.pack(bytes(tiles), expected), expected)
    except BoardError as error:
        with pytest.raises(BoardError) as found:
            Board(text, shape)
        assert str(found.value) == str(error)
    else:
        assert Board(text, shape) == board


@given(st.lists(texts(), max_size=5), st.one_of(st.none(), shapes))
def test_many_texts_are_packed_as_boards_one_by_one(lines, shape):
    packed, found, errors = pack_boards(lines, shape, on_error="mark")
    for index, text in enumerate(lines):
        try:
            board = Board(text, shape)
        except BoardError as error:
            assert packed[index] == 0 and str(errors[index]) == f"board {index}: {error}"
        else:
            shape = board.shape
            assert packed[index] == board.packed and index not in errors
    assert found == (shape or (4, 4))


@given(boards(), st.sampled_from(BOARD_STYLES), st.sampled_from(["0", "_", ".", "-", "x", "b", "cells"]))
def test_every_blank_is_read_back_or_refused(board, style, blank):
    blank = str(math.prod(board.shape)) if blank == "cells" else blank
    try:
        text = format_board(board.tiles, board.shape, style, blank)
    except ValueError:
        assert style in ("hex", "rows", "list", "json") and blank != "0"
    else:
        assert Board(text, board.shape) == board
        packed = np.array([board.packed, board.packed], dtype=np.uint64)
        assert format_boards(packed, board.shape, style, blank) == [text, text]


def runs(letters):
    """The plainest way to write runs short."""
    text = ""
    while letters:
        count = 1
        while count < 9 and letters[: count + 1] == letters[0] * (count + 1):
            count += 1
        text += letters[0] + (str(count) if count > 1 else "")
        letters = letters[count:]
    return text


def without_undone(letters):
    """The plainest way to simplify: the first move and its undo go, again and again."""
    while True:
        place = next((i for i in range(len(letters) - 1) if letters[i + 1] == letters[i].translate(OPPOSITE)), None)
        if place is None:
            return letters
        letters = letters[:place] + letters[place + 2 :]


@given(st.lists(st.text("UDLR", max_size=12), max_size=6))
def test_many_lines_are_written_as_one_by_one(lines):
    joined = format_moves("\n".join(lines), compress=True)
    assert joined == "\n".join(format_moves(each, compress=True) for each in lines)


@given(st.text("UDLR", max_size=40))
def test_moves_are_read_back_and_equal_their_twins(letters):
    for options in ({"convention": each} for each in ("tile", "blank")):
        for compress in (False, True):
            assert parse_moves(format_moves(letters, compress=compress, **options), **options) == letters
    assert format_moves(letters, compress=True) == runs(letters)
    assert simplify_moves(letters) == without_undone(letters)
    assert simplify_moves(letters + invert_moves(letters)) == ""
    assert invert_moves(invert_moves(letters)) == letters
    blank = letters.translate(OPPOSITE)  # the same moves in the other convention
    assert simplify_moves(blank) == simplify_moves(letters).translate(OPPOSITE)
    assert invert_moves(blank) == invert_moves(letters).translate(OPPOSITE)


@given(st.data())
def test_boards_that_move_together_move_alone_likewise(data):
    shape = data.draw(shapes)
    moves = data.draw(st.sampled_from(["tile", "blank"]))
    many = data.draw(st.lists(boards(st.just(shape)), max_size=5))
    if data.draw(st.booleans()):
        many.append("no board")
    text = st.text("UDLRudlr129 ,\n\tX\ufb02", max_size=5)
    texts = [data.draw(text) for _ in many]
    after, errors = apply_moves(many, texts, convention=moves, shape=shape, on_error="mark")
    along, same = boards_along(many, texts, convention=moves, shape=shape, on_error="mark")
    assert list(map(str, errors.values())) == list(map(str, same.values()))
    for index, (board, moved) in enumerate(zip(many, texts)):
        try:
            end = Board(board, shape).apply(moved, convention=moves)
        except BoardError as error:
            assert str(errors[index]) == f"board {index}: {error}" and after[index] == 0 and len(along[index]) == 0
            continue
        assert after[index] == end.packed and index not in errors
        letters = parse_moves(moved, convention=moves)
        expected = [board.apply(letters[:steps]).packed for steps in range(len(letters) + 1)]
        assert along[index].tolist() == expected


@given(st.data())
def test_moves_between_turned_boards_are_the_turned_moves(data):
    """Also of the blank's letters; and turning back gives the board again."""
    start, letters, end = data.draw(walks())
    shape = start.shape
    goal = data.draw(boards(st.just(shape)))
    home = data.draw(st.sampled_from(sorted({cells[goal.blank] for cells in symmetries(shape)})))
    tiles = [tile for tile in data.draw(boards(st.just(shape))).tiles if tile]
    target = Board([*tiles[:home], 0, *tiles[home:]], shape)
    there, back = Orientation(goal, target), Orientation(target, goal)
    turned = Board(there.turn_one(start), shape)
    assert there.turn_one(goal) == target.packed
    assert turned.apply(there.turn_moves(letters)).packed == there.turn_one(end)
    blank = letters.translate(OPPOSITE)
    assert there.turn_moves(blank) == there.turn_moves(letters).translate(OPPOSITE)
    assert turned.is_solvable(target) == start.is_solvable(goal)
    assert turned.manhattan(target) == start.manhattan(goal)
    if shape[0] != shape[1] or home == goal.blank:  # a symmetry of a square need not undo itself
        assert back.turn_one(turned) == start.packed


@given(st.data())
def test_the_exchange_that_mends_a_board_is_the_best_one(data):
    shape = data.draw(shapes)
    board, goal = data.draw(boards(st.just(shape))), data.draw(boards(st.just(shape)))
    exchanges, mended = swap_to_solvable([board.packed, board.packed], goal)
    assert mended[0] == mended[1] and exchanges[0].tolist() == exchanges[1].tolist()
    assert Board(int(mended[0]), shape).is_solvable(goal) != board.is_solvable(goal)

    def exchanged(a, b):
        return [{a: b, b: a}.get(tile, tile) for tile in board.tiles]

    pairs = [(a, b) for a in range(1, len(board.tiles)) for b in range(a + 1, len(board.tiles))]
    best = min(pairs, key=lambda pair: (twins.manhattan(shape, exchanged(*pair), goal.tiles), pair))
    assert tuple(exchanges[0].tolist()) == best
    assert mended[0] == Board(exchanged(*best), shape).packed
