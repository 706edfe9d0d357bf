"""Board and the arrays of boards, against the twins and case by case."""

import math
import pickle
from collections import Counter

import numpy as np
import pytest
import twins
from timing import timed, within

from puzzle15 import Board, LocalValueIteration, Solver, heuristic
from puzzle15._core.base import board as _board
from puzzle15.board import (
    Orientation,
    apply_moves,
    boards_along,
    goal_of,
    mend,
    pack_boards,
    parse_board,
    random_walk,
    uniform,
    unpack_boards,
    unsolvable_reason,
)
from puzzle15.errors import BoardError
from puzzle15.local_vi import value_iteration

SMALL_SHAPES = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)]


def board_of(tiles, shape):
    return Board.from_tiles(tiles, shape)


# ------------------------------------------------- the C core and its twins ---


@pytest.mark.parametrize("shape", twins.SHAPES)
def test_neighbours(shape):
    for cell in range(math.prod(shape)):
        for direction in range(4):
            expected = twins.neighbour(shape, cell, direction)
            assert _board.neighbour(shape, cell, direction) == expected


@pytest.mark.parametrize("shape", twins.SHAPES)
def test_symmetries_are_all_and_in_the_documented_order(shape):
    rows, cols = shape
    maps = _board.symmetries(shape)
    assert len(maps) == len(set(maps))
    assert set(maps) == twins.symmetries(shape)
    assert maps[0] == tuple(range(rows * cols))
    if rows == cols:
        transpose = tuple(col * cols + row for row in range(rows) for col in range(cols))
        assert maps[1] == transpose
    half_turn = tuple(reversed(range(rows * cols)))
    assert maps[6 if rows == cols else 3] == half_turn


@pytest.mark.parametrize("shape", SMALL_SHAPES)
def test_every_small_board(shape):
    """Packing, blank, moves, parity and Manhattan distance of each board there is."""
    goal = Board.goal(shape)
    tiles_of_goal = twins.goal(shape, math.prod(shape) - 1)
    boards = twins.all_boards(shape)
    for tiles in boards[:: 1 if len(boards) < 10_000 else 7]:
        board = board_of(tiles, shape)
        assert board.tiles == tiles
        assert board.packed == sum(tile << 4 * cell for cell, tile in enumerate(tiles))
        assert board.blank == tiles.index(0)
        children = twins.neighbours(shape, tiles)
        assert set(board.legal_moves()) == set(children)
        assert {move: board.move(move).tiles for move in children} == children
        assert board.is_solvable() == twins.solvable(shape, tiles, tiles_of_goal)
        distance = _board.manhattan(board.packed, goal.packed, shape)
        assert distance == twins.manhattan(shape, tiles, tiles_of_goal)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)])
@pytest.mark.sweep(4)
def test_solvable_is_reachable(shape):
    """The parity rule against what a search from the goal really meets."""
    reached = twins.reachable(shape, twins.goal(shape, math.prod(shape) - 1))
    boards = np.array(twins.all_boards(shape), dtype=np.uint8)
    packed, _ = pack_boards(boards, shape)
    solvable = np.empty(len(packed), dtype=np.uint8)
    _board.solvable_many(packed, Board.goal(shape).packed, shape, solvable)
    assert set(map(tuple, boards[solvable == 1].tolist())) == reached
    assert solvable.sum() == math.factorial(math.prod(shape)) // 2


@pytest.mark.parametrize("shape", twins.SHAPES)
def test_goals(shape):
    for home in range(math.prod(shape)):
        goal = Board.goal(shape, home)
        assert goal.tiles == twins.goal(shape, home)
        assert goal.blank == home
    assert Board.goal(shape).blank == math.prod(shape) - 1


def test_transform_is_what_it_says():
    shape, tiles = (3, 4), Board.random(5, (3, 4)).tiles
    rng = np.random.default_rng(5)
    cell_to, tile_to = rng.permutation(12).tolist(), rng.permutation(12).tolist()
    expected = [None] * 12
    for cell, tile in enumerate(tiles):
        expected[cell_to[cell]] = tile_to[tile]
    packed = _board.transform(board_of(tiles, shape).packed, shape, cell_to, tile_to)
    assert list(_board.unpack(packed, shape)) == expected
    with pytest.raises(ValueError):
        _board.transform(packed, shape, cell_to, [0] * 12)


def test_arguments_of_the_extension_are_checked():
    goal = Board.goal((3, 3)).packed
    for call in [
        lambda: _board.neighbour((3, 3), 9, 0),
        lambda: _board.neighbour((3, 3), 0, 4),
        lambda: _board.goal((3, 3), 9),
        lambda: _board.unpack_many(np.array([goal]), (3, 3), np.empty((2, 9), np.uint8)),
        lambda: _board.pack_many(np.zeros((2, 8), np.uint8), (3, 3), np.empty(2, np.uint64), np.empty(2, np.uint8)),
    ]:
        with pytest.raises(ValueError):
            call()
    for shape in [(1, 4), (4, 1), (4, 5), (2, 9), (-1, 4), (300, 2), (2**40, 2)]:
        with pytest.raises(BoardError, match="shape"):
            _board.check_shape(shape)
    for tiles in [[1, 2, 3], [1, 2, 3, 3], [1, 2, 3, 4], [1, 2, 3, 0, 0], []]:
        with pytest.raises(ValueError):
            _board.pack(bytes(tiles), (2, 2))


# ------------------------------------------------------------------- Board ---


def test_same_board_from_every_kind_of_input():
    board = Board("1 2 3/4 0 6/7 5 8")
    assert Board(board) is board
    for given in [
        (1, 2, 3, 4, 0, 6, 7, 5, 8),
        [[1, 2, 3], [4, 0, 6], [7, 5, 8]],
        np.array([[1, 2, 3], [4, 0, 6], [7, 5, 8]]),
        bytes([1, 2, 3, 4, 0, 6, 7, 5, 8]),
        "123 406 758",
    ]:
        assert Board(given) == board
    assert Board(board.packed, shape=(3, 3)) == board
    assert Board(np.uint64(board.packed), shape=[3, 3]) == board
    assert Board(0x0FEDCBA987654321) == Board.goal()


@pytest.mark.parametrize(
    "given, shape, message",
    [
        (-1, None, "bits 0 .. 63 only"),
        (1 << 64, None, "bits 0 .. 63 only"),
        (0x1_0321, (2, 2), "packed board 0x10321: a 2x2 board uses bits 0 .. 15 only"),
        (0x0322, (2, 2), "tile 2 occurs twice, tile 1 is missing"),
        (Board.goal((3, 3)), (4, 4), "a 3x3 board; expected a 4x4 one"),
        ("1 2 3 0", (2, 9), "shape 2x9: expected"),
        ("1 2 3 0", 4, "shape 4: expected"),
    ],
)
def test_what_is_no_board(given, shape, message):
    with pytest.raises(BoardError, match=message):
        Board(given, shape)


@pytest.mark.parametrize("given", [None, 1.5, object()])
def test_other_types_are_type_errors(given):
    with pytest.raises(TypeError):
        Board(given)


def test_equality_and_hash():
    board = Board("1 2 3/4 5 0")
    assert board == Board([1, 2, 3, 4, 5, 6], shape=(2, 3))
    assert hash(board) == hash(Board("1 2 3/4 5 0"))
    assert board != Board("1 2/3 4/5 0")
    assert board != "1 2 3/4 5 0"
    assert len({board, Board("1 2 3/4 5 0"), Board("1 2/3 4/5 0")}) == 2


def test_immutable():
    board = Board.goal()
    for name in ["packed", "shape", "tiles", "_packed", "new"]:
        with pytest.raises(AttributeError):
            setattr(board, name, 1)
    with pytest.raises(AttributeError):
        del board._packed
    array = board.to_array()
    array[:] = 0
    assert board == Board.goal()


@pytest.mark.parametrize("shape", twins.SHAPES)
def test_repr_and_pickle_give_the_board_back(shape):
    board = Board.random(7, shape)
    assert eval(repr(board)) == board
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(board, protocol)) == board


def test_to_array():
    array = Board("1 2 3/4 5 0").to_array()
    assert array.dtype == np.uint8
    assert array.tolist() == [[1, 2, 3], [4, 5, 0]]


def test_goal_outside_the_board():
    with pytest.raises(BoardError, match="home=9: a 3x3 board has the cells 0 .. 8"):
        Board.goal((3, 3), home=9)
    with pytest.raises(BoardError, match="home=-1"):
        Board.goal((3, 3), home=-1)


def test_solvable_towards_another_goal():
    korf_goal = Board.goal(home=0)
    assert Board.goal().is_solvable(korf_goal) == twins.solvable((4, 4), Board.goal().tiles, korf_goal.tiles)
    assert korf_goal.is_solvable(korf_goal)
    with pytest.raises(BoardError):
        Board.goal((3, 3)).is_solvable(korf_goal)


# ------------------------------------------------------------- as a sequence ---


@pytest.mark.parametrize("shape", twins.SHAPES)
def test_a_board_holds_its_tiles(shape):
    rows, cols = shape
    board = Board.random(3, shape)
    tiles = board.tiles
    assert len(board) == rows * cols and list(board) == list(tiles)
    assert all(board[cell] == tiles[cell] and board[cell - len(board)] == tiles[cell] for cell in range(len(board)))
    assert [[board[row, col] for col in range(cols)] for row in range(rows)] == board.to_array().tolist()
    assert [[board[row - rows, col - cols] for col in range(cols)] for row in range(rows)] == board.to_array().tolist()
    assert board[np.int64(1), np.uint8(0)] == tiles[cols]
    assert board[2:] == tiles[2:] and board[::-2] == tiles[::-2] and board[5:1] == ()
    assert list(reversed(board)) == list(reversed(tiles))
    assert all(tile in board for tile in range(len(board)))
    assert not any(strange in board for strange in (-1, len(board), "1", None))
    assert board.to_array().tolist() == np.asarray(board).tolist()


@pytest.mark.parametrize(
    "index, error, message",
    [
        (16, IndexError, "cell 16 of a board: expected -16 .. 15"),
        (-17, IndexError, "cell -17"),
        ((4, 0), IndexError, "row 4 of a board: expected -4 .. 3"),
        ((0, -5), IndexError, "column -5"),
        ((0, 0, 0), IndexError, r"expected board\[row, col\] or board\[cell\]"),
        ((), IndexError, r"expected board\[row, col\]"),
        (1.0, TypeError, "cell 1.0 of a board: expected a whole number"),
        ("a", TypeError, "cell 'a'"),
        ((0, slice(None)), TypeError, r"column slice\(None, None, None\) .* numpy.asarray\(board\) has slices"),
    ],
)
def test_what_is_no_cell(index, error, message):
    with pytest.raises(error, match=message):
        Board.goal()[index]


def test_numpy_takes_a_board_for_an_array():
    board, other = Board("1 2 3/4 5 0"), Board("1 2 3/4 0 5")
    array = np.asarray(board)
    assert array.dtype == np.uint8 and array.tolist() == [[1, 2, 3], [4, 5, 0]]
    assert np.asarray(board, dtype=np.int64).dtype == np.int64 and np.array(board, dtype=float)[1, 1] == 5.0
    array[:] = 0  # the caller's own
    assert board.tiles == (1, 2, 3, 4, 5, 0)
    pair = np.array([board, other])
    assert pair.shape == (2, 2, 3) and pair.dtype == np.uint8
    assert pack_boards(pair)[0].tolist() == [board.packed, other.packed]
    assert np.stack([board, other]).tolist() == pair.tolist()
    with pytest.raises(ValueError, match="copy=False is impossible"):
        board.__array__(copy=False)
    with pytest.raises(ValueError):  # numpy's own words
        np.array([board, Board.goal()], dtype=np.uint8)


def test_a_board_is_still_one_thing():
    """What has a length and tiles must not be taken for a list of numbers or of boards."""
    board = Board("1 2 3 4 5 6 7 8/9 10 11 12 13 14 15 0")
    assert bool(board) and Board(board) is board
    assert board != board.tiles and board != list(board) and board not in [board.tiles]
    assert pack_boards([board, board])[1] == (2, 8)
    for call in (pack_boards, Solver("embedded", goal=board).solve_many, heuristic("zero", goal=board).many):
        with pytest.raises(TypeError, match=r"^one Board: expected many boards; for one, give a list: \[board\]"):
            call(board)
    for call in (Board.from_tiles, parse_board):
        with pytest.raises(TypeError, match="a board is text, a sequence or an array, not Board"):
            call(board)
    for given in ([board], [Board.goal((2, 2))], [Board.goal((2, 2)), Board.goal((2, 2))], [[board]]):
        with pytest.raises(BoardError, match="cannot read"):
            Board(given)
    with pytest.raises(BoardError, match="^board 1: 1 2 3/4 5 6/7 8 0: a 3x3 board; expected a 2x8 one"):
        pack_boards([board, Board.goal((3, 3))], goal=board)
    with pytest.raises(BoardError, match="^board 1: .*a 3x3 board; expected a 2x8 one"):
        pack_boards([board, Board.goal((3, 3))])


# ---------------------------------------------------------- beside the goal ---


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (2, 8)])
def test_beside_a_goal(shape):
    goal, other = Board.goal(shape), Board.goal(shape, home=0)
    for seed in range(5):
        board = Board.random(seed, shape)
        assert board.manhattan() == twins.manhattan(shape, board.tiles, goal.tiles)
        assert board.manhattan(str(other)) == twins.manhattan(shape, board.tiles, other.tiles)
        assert board.is_goal() == (board == goal) and board.is_goal(other) == (board == other)
    assert goal.is_goal() and not goal.is_goal(other) and goal.is_goal(str(goal))
    for call in (Board.is_goal, Board.manhattan):
        with pytest.raises(BoardError, match="a 4x3 board; expected a .* one, the shape of the board"):
            call(goal, Board.goal((4, 3)))


@pytest.mark.parametrize("shape", SMALL_SHAPES)
def test_neighbouring_boards(shape):
    for tiles in twins.all_boards(shape)[::97]:
        pairs = board_of(tiles, shape).neighbours()
        assert {letter: board.tiles for letter, board in pairs} == twins.neighbours(shape, tiles)
        assert "".join(letter for letter, _ in pairs) == board_of(tiles, shape).legal_moves()


# ------------------------------------------------------------ random boards ---


def test_random_is_uniform_over_the_solvable_boards():
    rng = np.random.default_rng(20240611)
    counts = Counter(Board.random(rng, (2, 2)) for _ in range(6000))
    assert len(counts) == 12
    assert all(board.is_solvable() for board in counts)
    # 500 each, standard deviation 21.4: five of them.
    assert all(390 < count < 610 for count in counts.values())


@pytest.mark.parametrize("home", range(4))
def test_random_is_uniform_over_the_boards_that_reach_the_goal(home):
    goal = Board.goal((2, 2), home)
    rng = np.random.default_rng(20240611)
    counts = Counter(Board.random(rng, goal=goal) for _ in range(6000))
    assert len(counts) == 12
    assert all(board.is_solvable(goal) for board in counts)
    assert all(390 < count < 610 for count in counts.values())


def test_random_reaches_every_home():
    for home in range(16):
        goal = Board.goal(home=home)
        assert all(Board.random(seed, goal=goal).is_solvable(goal) for seed in range(20))
    assert Board.random(1, goal="3 1 2/5 0 4").is_solvable("3 1 2/5 0 4")
    for goal, shape in (("3 1 2/5 0 4", (3, 3)), ("1 2 3/4 5 6/8 8 0", None)):
        with pytest.raises(BoardError):
            Board.random(1, shape, goal=goal)


def test_random_seeds():
    assert Board.random(3) == Board.random(3) != Board.random(4)
    rng = np.random.default_rng(3)
    assert Board.random(rng) == Board.random(3) != Board.random(rng)
    assert Board.random(shape=(3, 5)).shape == (3, 5)
    assert Board.random(np.int64(3)) == Board.random(3)


def test_random_does_not_depend_on_numpys_shuffling():
    """The boards that a program of one's own draws from the same raw bits."""
    for seed, shape in [(seed, (4, 4)) for seed in range(20)] + [(1, (3, 3)), (2, (2, 8)), (3, (5, 2))]:
        draws = np.random.PCG64(seed).random_raw(shape[0] * shape[1]).tolist()
        tiles = sorted(range(len(draws)), key=lambda tile: draws[tile] >> 11)
        if not twins.solvable(shape, tiles, Board.goal(shape).tiles):
            one, two = tiles.index(1), tiles.index(2)
            tiles[one], tiles[two] = 2, 1
        assert Board.random(seed, shape).tiles == tuple(tiles)


def test_random_boards_are_those_of_datasets():
    for goal in (Board.goal(), Board.goal(home=10), Board.goal((3, 4), home=1)):
        rng = np.random.default_rng(1)
        boards = [Board.random(rng, goal=goal).packed for _ in range(100)]
        assert uniform(100, np.random.default_rng(1), goal=goal).tolist() == boards


# ------------------------------------------------------------------- moves ---


def test_the_tile_moves_in_the_direction_of_its_letter():
    board = Board("1 2 3/4 0 5/6 7 8")
    assert str(board.move("U")) == "1 2 3/4 7 5/6 0 8"
    assert str(board.move("D")) == "1 0 3/4 2 5/6 7 8"
    assert str(board.move("L")) == "1 2 3/4 5 0/6 7 8"
    assert str(board.move("r")) == "1 2 3/0 4 5/6 7 8"
    assert board.apply("L", convention="blank") == board.move("R")
    assert board.apply("") == board


def test_an_illegal_move_is_named():
    with pytest.raises(BoardError) as caught:
        Board.goal((3, 3)).apply("R2DL3U")
    assert str(caught.value) == ("moves 'R2DL3U': move 6 (L) is illegal on 1 2 3/5 6 0/4 7 8, where U D R are legal")
    with pytest.raises(BoardError, match=r"move 1 \(R\) .*, where U L are legal"):
        Board.goal((3, 3)).apply("RD", convention="blank")
    with pytest.raises(BoardError, match="move 'UU'"):
        Board.goal().move("UU")
    with pytest.raises(BoardError, match="cannot read 'X'"):
        Board.goal().move("X")


# ------------------------------------------------------------------ arrays ---


@pytest.mark.parametrize("shape", twins.SHAPES)
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int64, np.uint64])
def test_pack_and_unpack_arrays(shape, dtype):
    rng = np.random.default_rng(1)
    boards = [Board.random(rng, shape) for _ in range(20)]
    cubes = np.array([board.to_array() for board in boards]).astype(dtype)
    expected = [board.packed for board in boards]

    packed, found = pack_boards(cubes)
    assert packed.dtype == np.uint64
    assert (packed.tolist(), found) == (expected, shape)
    packed, found = pack_boards(cubes.reshape(20, -1), shape)
    assert (packed.tolist(), found) == (expected, shape)
    packed, found = pack_boards(np.asfortranarray(cubes)[::-1], shape)
    assert (packed.tolist(), found) == (expected[::-1], shape)

    again, found = pack_boards(packed, shape)
    assert again is not packed
    assert (again.tolist(), found) == (packed.tolist(), shape)
    tiles = unpack_boards(packed, shape)
    assert tiles.dtype == np.uint8
    assert tiles.tolist() == cubes.reshape(20, -1)[::-1].tolist()


def test_pack_an_iterable_of_anything():
    packed, shape = pack_boards(iter(["1 2 3/4 5 6/7 8 0", [1, 2, 3, 4, 5, 6, 7, 8, 9]]))
    assert packed.tolist() == [Board.goal((3, 3)).packed] * 2
    assert shape == (3, 3)


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


def test_pack_nothing():
    arrays = [np.empty((0, 16), np.uint8), np.empty((0, 4, 4), int), np.empty(0, np.uint64)]
    for nothing in [[], *arrays]:
        packed, shape = pack_boards(nothing)
        assert (len(packed), packed.dtype, shape) == (0, np.uint64, (4, 4))
        assert unpack_boards(packed).shape == (0, 16)


def test_the_number_of_cells_is_the_blank_where_there_is_no_other():
    boards = np.array([[1, 2, 3, 4], [1, 2, 3, 0], [1, 4, 3, 0]])
    packed, _, errors = pack_boards(boards, on_error="mark")
    assert packed.tolist() == [0x0321, 0x0321, 0]
    assert errors[:2] == [None, None]
    assert "board 2" in str(errors[2])
    assert "4 is not a tile" in str(errors[2])


@pytest.mark.parametrize(
    "third, bad",
    [
        *((0, bad) for bad in (-1, 4, 257)),
        *((0, 3 + more) for more in (-256, 256, 2**32)),  # the missing tile, if only the last byte counts
        *((3, more) for more in (-256, 256, 10**9)),  # the same for the blank,
        *((3, 4 + more) for more in (-256, 256)),  # and for 4, which stands for it
    ],
)
@pytest.mark.parametrize("kind", ["array", "list"])
def test_a_bad_board_is_named_by_its_index(third, bad, kind):
    boards = [[1, 2, 3, 0], [1, 2, third, bad], [3, 3, 1, 0], [0, 1, 2, 3]]
    boards = np.array(boards) if kind == "array" else boards
    with pytest.raises(BoardError, match=f"^board 1: .* {bad} is not a tile"):
        pack_boards(boards)
    packed, shape, errors = pack_boards(boards, on_error="mark")
    assert packed.tolist() == [0x0321, 0, 0, 0x3210]
    assert shape == (2, 2)
    assert [type(error) for error in errors] == [type(None), BoardError, BoardError, type(None)]
    assert str(errors[2]).startswith("board 2: [3, 3, 1, 0]: tile 3 occurs twice")


def test_bad_words_and_mixed_shapes():
    words = np.array([Board.goal().packed, 5], dtype=np.uint64)
    with pytest.raises(BoardError, match="^board 1: packed board 0x5"):
        pack_boards(words)
    assert words[1] == 5
    packed, _, errors = pack_boards(words, on_error="mark")
    assert packed.tolist() == [Board.goal().packed, 0]
    assert errors[0] is None
    with pytest.raises(BoardError, match="^board 1: "):
        pack_boards([Board.goal(), Board.goal((3, 3))])


def test_arrays_that_cannot_be_boards():
    for boards in [np.zeros((2, 16)), np.zeros((2, 16), bool), np.zeros(16, int), np.int64(3)]:
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
        packed, shape = pack_boards(tiles)
        again, _ = pack_boards(packed)
        unpacked = unpack_boards(packed, shape)
    assert np.array_equal(unpacked, tiles)
    assert np.array_equal(again, packed)


# ------------------------------------------------------------------ goals ---


def test_the_goal_that_is_meant():
    eight = Board("0 1 2/3 4 5/6 7 8")
    assert goal_of(None, None) == Board.goal()
    assert goal_of(None, (2, 3)) == Board.goal((2, 3))
    assert goal_of("012345678", None) == goal_of(eight, (3, 3)) == goal_of(eight.packed, (3, 3)) == eight


@pytest.mark.parametrize(
    "make",
    [
        Solver,
        heuristic,
        LocalValueIteration,
        lambda **options: value_iteration([1], **options),
        lambda **options: uniform(1, np.random.default_rng(1), **options),
        lambda **options: random_walk(1, 5, np.random.default_rng(1), **options),
    ],
    ids=["Solver", "heuristic", "LocalValueIteration", "value_iteration", "uniform", "random_walk"],
)
def test_a_shape_beside_a_goal_counts(make):
    """4x4 too, which is the default."""
    options = {} if make is not heuristic else {"name": "manhattan"}
    make(goal="0 1 2/3 4 5/6 7 8", **options)
    make(goal="0 1 2/3 4 5/6 7 8", shape=(3, 3), **options)
    for shape in ((4, 4), (2, 3)):
        with pytest.raises(BoardError):
            make(goal="0 1 2/3 4 5/6 7 8", shape=shape, **options)


# ------------------------------------------------- moves of many boards ---


def test_many_boards_with_moves_of_their_own(monkeypatch):
    monkeypatch.setattr("puzzle15.board.following._ROWS", 7)
    goal = Board.goal()
    texts = ["D" * (index % 4) + "R" * (index % 3) for index in range(50)]
    packed, errors = apply_moves([goal] * 50, texts)
    assert packed.tolist() == [goal.apply(text).packed for text in texts] and errors == {}
    along, errors = boards_along([goal] * 50, texts)
    assert [len(each) for each in along] == [len(text) + 1 for text in texts] and errors == {}
    assert all(each[0] == goal.packed and each[-1] == end for each, end in zip(along, packed.tolist()))
    boards = ["1 2/3 0", "1 2/3 3", "1 2/3 0", "1 2/3 0"]
    packed, errors = apply_moves(boards, ["D", "D", "U", "q"], on_error="mark")
    assert packed.tolist() == [0x2301, 0, 0, 0] and sorted(errors) == [1, 2, 3]
    assert str(errors[1]).startswith("board 1: '1 2/3 3': tile 3 occurs twice")
    assert str(errors[2]) == "board 2: moves 'U': move 1 (U) is illegal on 1 2/3 0, where D R are legal"
    assert str(errors[3]).startswith("board 3: moves 'q': cannot read 'Q'")
    with pytest.raises(BoardError, match="^board 1: '1 2/3 3'"):
        apply_moves(boards, ["D", "D", "U", "q"])
    assert apply_moves([], [])[0].tolist() == [] and boards_along([], [])[0] == []
    with pytest.raises(ValueError, match="1 boards and 2 strings of moves: expected one for each board"):
        apply_moves([goal], ["D", "D"])
    with pytest.raises(ValueError, match="expected 'raise' or 'mark'"):
        apply_moves([goal], ["D"], on_error="ignore")


def test_a_long_string_of_moves_makes_no_long_message():
    with pytest.raises(BoardError, match=r"move 1 \(U\) is illegal") as caught:
        Board.goal().apply("U" * 10_000)
    assert len(str(caught.value)) < 300


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
    there, back = Orientation(korf, ours), Orientation(ours, korf)
    board = Board.random(1)
    mirrored = [0 if tile == 0 else 16 - tile for tile in board.tiles[::-1]]  # half a turn, and each tile renamed
    assert there.turn_one(board) == back.turn_one(board) == Board(mirrored).packed
    assert there.turn_moves("UDLR\nU") == "DURL\nD"
    assert Orientation(ours, ours).turn_one(board) == board.packed
    with pytest.raises(ValueError, match="expected goals of one shape whose blanks lie alike"):
        Orientation(korf, Board.goal(home=5))
    with pytest.raises(ValueError, match="expected goals of one shape whose blanks lie alike"):
        Orientation(korf, Board.goal((3, 3)))


# ------------------------------------------------- boards that cannot reach the goal ---


def test_two_tiles_in_each_others_place_are_found():
    goal = Board.goal()
    swapped = [Board.from_tiles([{a: b, b: a}.get(t, t) for t in goal.tiles], (4, 4)) for a, b in ((14, 15), (1, 15))]
    exchanges, mended = mend(np.array([board.packed for board in swapped], dtype=np.uint64), goal)
    assert exchanges.tolist() == [[14, 15], [1, 15]] and mended.tolist() == [goal.packed, goal.packed]
    exchanges, mended = mend(np.empty(0, dtype=np.uint64), goal)
    assert exchanges.shape == (0, 2) and mended.shape == (0,)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (4, 4)])
def test_why_a_board_is_unsolvable(shape, rng):
    """The number of exchanges that the message tells is that of the permutation; so it differs from the moves'."""
    goal = Board.goal(shape)
    for _ in range(50):
        board = Board.from_tiles(rng.permutation(math.prod(shape)).tolist(), shape)
        if board.is_solvable():
            continue
        odd = twins.inversions([goal.tiles.index(tile) for tile in board.tiles]) % 2
        steps = twins.taxicab(shape, board.blank, goal.blank) % 2
        words = [word for word in unsolvable_reason(board.blank, goal).split() if word in ("odd", "even")]
        assert words == ["odd" if odd else "even", "odd" if steps else "even"] and odd != steps


def test_pictures():
    board = Board("1 2 3/4 0 6/7 5 8")
    assert board._repr_svg_() == board.svg() == board.svg(goal=Board.goal((3, 3)))
    assert board.svg(hint="ULRD").count('class="a"') == 4 and board.svg(hint="u2").count('class="a"') == 1
    assert 'width="100"' in board.svg(size=100) and "<text" not in board.svg(numbers=False)
    assert board.svg(goal="0 1 2/3 4 5/6 7 8") != board.svg() != board.svg(colours="plain")


def test_pictures_that_cannot_be_drawn():
    board = Board("1 2 3/4 5 6/7 0 8")
    with pytest.raises(BoardError, match="hint 'LU': U is illegal on 1 2 3/4 5 6/7 0 8, where D L R are legal"):
        board.svg(hint="LU")
    with pytest.raises(BoardError, match="cannot read 'X'"):
        board.svg(hint="X")
    for size in (0, -3, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="expected a number of pixels, more than 0"):
            board.svg(size=size)
    with pytest.raises(ValueError, match="expected one of rows, rings, plain"):
        board.svg(colours="red")
    with pytest.raises(BoardError, match="a 2x2 board; expected a 3x3 one, the shape of the board"):
        board.svg(goal="1 2/3 0")
