"""Many boards as arrays: packed, turned, moved and mended together."""

import math

import numpy as np
import pytest
import twins
from timing import timed, within

from puzzle15 import Board
from puzzle15._core.base import board as _board
from puzzle15.board import Orientation, apply_moves, boards_along, one_hot, pack_boards, swap_to_solvable, unpack_boards
from puzzle15.board._solvability import unsolvable_reason
from puzzle15.errors import BoardError


@pytest.mark.parametrize("shape", twins.SHAPES)
def test_pack_and_unpack_arrays(shape):
    rng = np.random.default_rng(1)
    boards = [Board.random(rng, shape) for _ in range(20)]
    expected = [board.packed for board in boards]
    for dtype in (np.uint8, np.int8, np.int64, np.uint64):
        cubes = np.array([board.to_array() for board in boards]).astype(dtype)
        packed, found, _ = pack_boards(cubes)
        assert packed.dtype == np.uint64 and (packed.tolist(), found) == (expected, shape)
        again, _, _ = pack_boards(packed, shape)
        assert again is not packed and again.tolist() == expected
        for given, of in ((cubes.reshape(20, -1), expected), (np.asfortranarray(cubes)[::-1], expected[::-1])):
            assert (pack_boards(given, shape)[0].tolist(), found) == (of, shape)
        tiles = unpack_boards(packed, shape)
        assert tiles.dtype == np.uint8 and tiles.tolist() == cubes.reshape(20, -1).tolist()


class Table:
    """A table as pandas has them: it iterates over the names of its columns."""

    def __init__(self, rows):
        self.rows, self.columns = np.asarray(rows), [*map(str, range(len(rows[0])))]

    def __iter__(self):
        return iter(self.columns)

    def __array__(self, dtype=None, copy=None):
        return self.rows


def test_a_table_has_a_column_for_each_cell():
    tiles = [[1, 2, 3, 0], [0, 1, 2, 3]]
    assert pack_boards(Table(tiles))[0].tolist() == [0x0321, 0x3210]
    with pytest.raises(TypeError, match=r"not <U7 \(2, 1\); of a table, give the column of boards, or"):
        pack_boards(Table([["1 2/3 0"], ["1 2/0 3"]]))
    with pytest.raises(BoardError, match="^an array of 5 columns; expected 4, one for each cell of a 2x2 board"):
        pack_boards(Table([[1, 2, 3, 0, 7]]), (2, 2))


@pytest.mark.extra
def test_a_data_frame_of_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.array([[1, 2, 3, 0], [0, 1, 2, 3]]), columns=["a", "b", "c", "d"])
    texts = pandas.DataFrame({"board": ["1 2/3 0", "0 1/2 3"]})
    assert pack_boards(frame)[0].tolist() == pack_boards(texts["board"])[0].tolist() == [0x0321, 0x3210]
    with pytest.raises(TypeError, match=r"\(2, 1\); of a table, give the column of boards, or"):
        pack_boards(texts)


def test_memoryviews_are_arrays():
    tiles = np.array([[1, 2, 3, 0], [0, 1, 2, 3]], dtype=np.uint8)
    packed = np.array([0x0321, 0x3210], dtype=np.uint64)
    for view in (tiles, tiles.reshape(2, 2, 2), tiles.astype(np.int32), tiles[::-1], np.asfortranarray(tiles)):
        expected = pack_boards(np.asarray(view), (2, 2))
        found = pack_boards(memoryview(view), (2, 2))
        assert found[0].tolist() == expected[0].tolist() and found[1] == expected[1]
    assert pack_boards(memoryview(packed), (2, 2))[0].tolist() == packed.tolist()
    with pytest.raises(TypeError, match=r"or uint64 \(N,\), not uint8 \(4,\)"):
        pack_boards(memoryview(bytes(4)), (2, 2))


def test_an_array_that_changes_meanwhile(monkeypatch):
    """Another thread may write to it: all is about what was there at first."""
    boards = np.array([[0, 1, 2, 3], [1, 1, 2, 3]], dtype=np.uint8)
    original = _board.pack_many

    def pack_many(tiles, *rest):
        failed = original(tiles, *rest)
        boards[:] = [[3, 3, 3, 3], [0, 1, 2, 3]]
        return failed

    monkeypatch.setattr(_board, "pack_many", pack_many)
    with pytest.raises(BoardError, match=r"board 1: \[1, 1, 2, 3\]: tile 1 occurs twice"):
        pack_boards(boards)


def test_pack_nothing_and_anything():
    for nothing in ([], np.empty((0, 16), np.uint8), np.empty((0, 4, 4), int), np.empty(0, np.uint64)):
        packed, shape, errors = pack_boards(nothing)
        assert (len(packed), packed.dtype, shape, errors) == (0, np.uint64, (4, 4), {})
        assert unpack_boards(packed).shape == (0, 16)
    packed, shape, _ = pack_boards(iter(["1 2 3/4 5 6/7 8 0", [1, 2, 3, 4, 5, 6, 7, 8, 9]]))
    assert packed.tolist() == [Board.goal((3, 3)).packed] * 2 and shape == (3, 3)


def test_the_number_of_cells_is_the_blank_where_there_is_no_other():
    boards = np.array([[1, 2, 3, 4], [1, 2, 3, 0], [1, 4, 3, 0]])
    packed, _, errors = pack_boards(boards, on_error="mark")
    assert packed.tolist() == [0x0321, 0x0321, 0]
    assert list(errors) == [2] and "board 2" in str(errors[2]) and "4 is not a tile" in str(errors[2])


def test_a_bad_board_is_named_by_its_index():
    for third, bad in [
        *((0, bad) for bad in (-1, 4, 257)),
        *((0, 3 + more) for more in (-256, 256, 2**32)),  # the missing tile, if only the last byte counts
        *((3, more) for more in (-256, 256, 10**9)),  # the same for the blank,
        *((3, 4 + more) for more in (-256, 256)),  # and for 4, which stands for it
    ]:
        listed = [[1, 2, 3, 0], [1, 2, third, bad], [3, 3, 1, 0], [0, 1, 2, 3]]
        for boards in (listed, np.array(listed)):
            with pytest.raises(BoardError, match=f"^board 1: .* {bad} is not a tile"):
                pack_boards(boards)
            packed, shape, errors = pack_boards(boards, on_error="mark")
            assert packed.tolist() == [0x0321, 0, 0, 0x3210] and shape == (2, 2)
            assert sorted(errors) == [1, 2] and str(errors[2]).startswith("board 2: [3, 3, 1, 0]: tile 3 occurs twice")


def test_bad_words_and_mixed_shapes():
    words = np.array([Board.goal().packed, 5], dtype=np.uint64)
    with pytest.raises(BoardError, match="^board 1: packed board 0x5"):
        pack_boards(words)
    assert words[1] == 5
    packed, _, errors = pack_boards(words, on_error="mark")
    assert packed.tolist() == [Board.goal().packed, 0] and list(errors) == [1]
    with pytest.raises(BoardError, match="^board 1: "):
        pack_boards([Board.goal(), Board.goal((3, 3))])


def test_arrays_that_cannot_be_boards():
    for boards in [np.full((2, 16), 0.5), np.zeros((2, 16), bool), np.zeros(16, int), np.int64(3)]:
        with pytest.raises(TypeError):
            pack_boards(np.asarray(boards))
    with pytest.raises(TypeError, match="give a list"):
        pack_boards("1 2 3 0")
    with pytest.raises(ValueError, match="on_error"):
        pack_boards([], on_error="ignore")
    for boards, shape in [
        (np.zeros((2, 12), int), None),
        (np.zeros((2, 25), int), None),
        (np.zeros((2, 12), int), (4, 4)),
        (np.zeros((2, 3, 4), int), (4, 3)),
        (np.zeros((2, 1, 4), int), None),
    ]:
        with pytest.raises(BoardError):
            pack_boards(boards, shape)


@timed
def test_a_million_boards_take_well_under_a_second():
    tiles = np.random.default_rng(2).permuted(np.tile(np.arange(16, dtype=np.uint8), (1_000_000, 1)), axis=1)
    with within(3):  # all three; each takes some hundredths on an idle machine
        packed, shape, _ = pack_boards(tiles)
        again, _, _ = pack_boards(packed)
        unpacked = unpack_boards(packed, shape)
    assert np.array_equal(unpacked, tiles)
    assert np.array_equal(again, packed)


# ------------------------------------------------- moves of many boards ---


def test_many_boards_with_moves_of_their_own(monkeypatch):
    monkeypatch.setattr("puzzle15.board._following._ROWS", 7)
    goal = Board.goal()
    texts = ["D" * (index % 4) + "R" * (index % 3) for index in range(50)]
    packed, errors = apply_moves([goal] * 50, texts)
    assert packed.tolist() == [goal.apply(text).packed for text in texts] and errors == {}
    along, errors = boards_along([goal] * 50, texts)
    assert [len(each) for each in along] == [len(text) + 1 for text in texts] and errors == {}
    assert all(each[0] == goal.packed and each[-1] == end for each, end in zip(along, packed.tolist()))
    with pytest.raises(BoardError, match="^board 1: '1 2/3 3'"):
        apply_moves(["1 2/3 0", "1 2/3 3", "1 2/3 0"], ["D", "D", "U"])
    assert apply_moves([], [])[0].tolist() == [] and boards_along([], [])[0] == []
    with pytest.raises(ValueError, match="1 boards and 2 strings of moves: expected one for each board"):
        apply_moves([goal], ["D", "D"])
    with pytest.raises(ValueError, match="expected one of raise, mark"):
        apply_moves([goal], ["D"], on_error="ignore")


def test_following_checks_its_arrays():
    words, ends = np.array([Board.goal().packed], dtype=np.uint64), np.array([2], dtype=np.uint64)
    out, made = np.empty(3, dtype=np.uint64), np.empty(1, dtype=np.uint64)
    _board.follow_many(words, (4, 4), b"\0\1", ends, out, made)
    assert made[0] == 2 and out[2] == Board.goal().apply("DR").packed
    for directions, wrong in [(b"\0", ends), (b"\0\1", ends[:0]), (b"\0\1\2", ends)]:
        with pytest.raises(ValueError, match="array length"):
            _board.follow_many(words, (4, 4), directions, wrong, out, made)


def test_orientations_between_goals():
    korf, ours = Board.goal(home=0), Board.goal()
    board = Board.random(1)
    mirrored = [0 if tile == 0 else 16 - tile for tile in board.tiles[::-1]]  # half a turn, and each tile renamed
    assert Orientation(korf, ours).turn_one(board) == Board(mirrored).packed
    assert Orientation(korf, ours).turn_moves("UDLR\nU") == "DURL\nD"
    for other in (Board.goal(home=5), Board.goal((3, 3))):
        with pytest.raises(ValueError, match="expected goals of one shape whose blanks lie alike"):
            Orientation(korf, other)


# ------------------------------------------------- boards that cannot reach the goal ---


def test_two_tiles_in_each_others_place_are_found():
    goal = Board.goal()
    swapped = [Board([{a: b, b: a}.get(t, t) for t in goal.tiles], (4, 4)) for a, b in ((14, 15), (1, 15))]
    exchanges, mended = swap_to_solvable(np.array([board.packed for board in swapped], dtype=np.uint64), goal)
    assert exchanges.tolist() == [[14, 15], [1, 15]] and mended.tolist() == [goal.packed, goal.packed]
    exchanges, mended = swap_to_solvable(np.empty(0, dtype=np.uint64), goal)
    assert exchanges.shape == (0, 2) and mended.shape == (0,)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (4, 4)])
def test_why_a_board_is_unsolvable(shape, rng):
    """The number of exchanges in the message is that of the permutation; so it differs from the moves'."""
    goal = Board.goal(shape)
    boards = [Board(rng.permutation(math.prod(shape)).tolist(), shape) for _ in range(50)]
    for board in boards:
        odd = twins.inversions([goal.tiles.index(tile) for tile in board.tiles]) % 2
        steps = twins.taxicab(shape, board.blank, goal.blank) % 2
        words = [word for word in unsolvable_reason(board.blank, goal).split() if word in ("odd", "even")]
        assert board.is_solvable() or words == ["odd" if odd else "even", "odd" if steps else "even"] and odd != steps


# ---------------------------------------------------------------- what tables and networks have


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_that_are_whole_numbers_are_tiles(dtype):
    """As a table makes of integers where a value is missing."""
    tiles = np.array([[1, 2, 3, 0], [3, 1, 0, 2]])
    assert pack_boards(tiles.astype(dtype))[0].tolist() == pack_boards(tiles)[0].tolist()
    assert Board(tiles[0].astype(dtype)) == Board(tiles[0])
    for wrong in (1.5, np.nan, np.inf, -np.inf):
        bad = tiles.astype(dtype)
        bad[1, 1] = wrong
        with pytest.raises(TypeError, match="whole numbers"):
            pack_boards(bad)
        with pytest.raises(BoardError, match="cannot read"):
            Board(bad[1])


def test_planes_have_one_tile_each(rng):
    boards = np.array([rng.permutation(16) for _ in range(20)])
    planes = one_hot(boards)
    assert planes.shape == (20, 16, 16) and planes.dtype == np.uint8 and (planes.sum(axis=(1, 2)) == 16).all()
    for board, plane in zip(boards, planes):
        assert all(plane[tile, cell] for cell, tile in enumerate(board))
    for wrong in ([1, 2], [[1, 2, 4]], [[-1, 0]], [[0.0, 1.0]], "abc"):
        with pytest.raises(BoardError, match="expected numbers of tiles"):
            one_hot(wrong)
