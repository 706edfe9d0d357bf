"""Board and the arrays of boards, against the twins and case by case."""

import math

import numpy as np
import pytest
import twins

from puzzle15 import Board, LocalValueIteration, Solver, heuristic
from puzzle15._core.base import board as _board
from puzzle15.board import pack_boards, random_walk, uniform
from puzzle15.board._notation import parse_board
from puzzle15.board._orientation import home_kind
from puzzle15.errors import BoardError
from puzzle15.learning import value_iteration

SMALL_SHAPES = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)]


# ------------------------------------------------- the C core and its twins ---


@pytest.mark.parametrize("shape", twins.SHAPES)
def test_neighbours_goals_and_symmetries(shape):
    """All symmetries, in the documented order."""
    rows, cols = shape
    for cell in range(rows * cols):
        assert Board.goal(shape, cell).tiles == twins.goal(shape, cell) and Board.goal(shape, cell).blank == cell
        for direction in range(4):
            assert _board.neighbour(shape, cell, direction) == twins.neighbour(shape, cell, direction)
    assert Board.goal(shape).blank == rows * cols - 1
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
    for tiles in boards[:: 1 if len(boards) < 10_000 else 37]:
        board = Board(tiles, shape)
        assert board.tiles == tiles
        assert board.packed == sum(tile << 4 * cell for cell, tile in enumerate(tiles))
        assert board.blank == tiles.index(0)
        children = twins.neighbours(shape, tiles)
        assert [move for move, _ in board.neighbours()] == list(board.legal_moves())
        assert {move: after.tiles for move, after in board.neighbours()} == children
        assert board.is_solvable() == twins.solvable(shape, tiles, tiles_of_goal)
        distance = _board.manhattan(board.packed, goal.packed, shape)
        assert distance == twins.manhattan(shape, tiles, tiles_of_goal)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)])
@pytest.mark.sweep(4)
def test_solvable_is_reachable(shape):
    """The parity rule against what a search from the goal really meets."""
    reached = twins.distances(shape, twins.goal(shape, math.prod(shape) - 1))
    boards = np.array(twins.all_boards(shape), dtype=np.uint8)
    packed, _, _ = pack_boards(boards, shape)
    solvable = np.empty(len(packed), dtype=np.uint8)
    _board.solvable_many(packed, Board.goal(shape).packed, shape, solvable)
    assert set(map(tuple, boards[solvable == 1].tolist())) == reached.keys()
    assert solvable.sum() == math.factorial(math.prod(shape)) // 2


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
            _board.symmetries(shape)
    with pytest.raises(ValueError):
        _board.transform(goal, (3, 3), range(9), [0] * 9)
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


def test_equality_and_other_types():
    board, same, other = Board("1 2 3/4 5 0"), Board([1, 2, 3, 4, 5, 6], shape=(2, 3)), Board("1 2/3 4/5 0")
    assert board == same != other and board != "1 2 3/4 5 0" and len({board, same, other}) == 2
    for given in (None, 1.5, object()):
        with pytest.raises(TypeError):
            Board(given)


def test_immutable():
    board = Board.goal()
    for name in ["packed", "shape", "tiles", "new"]:
        with pytest.raises(AttributeError):
            setattr(board, name, 1)
    board.to_array()[:] = 0
    assert board == Board.goal()


# ------------------------------------------------------------- as a sequence ---


@pytest.mark.parametrize("shape", [(2, 2), (3, 5), (4, 4)])
def test_a_board_holds_its_tiles(shape):
    cols = shape[1]
    board = Board.random(3, shape)
    tiles, cells = board.tiles, range(len(board))
    assert len(board) == len(tiles) and list(board) == list(tiles)
    assert all(board[cell] == board[cell - len(board)] == board[divmod(cell, cols)] == tiles[cell] for cell in cells)
    assert board[-1, -1] == tiles[-1] and board[np.int64(1), np.uint8(0)] == tiles[cols]
    assert board[2:] == tiles[2:] and board[::-2] == tiles[::-2] and board[5:1] == ()
    assert all(tile in board for tile in cells)
    assert not any(strange in board for strange in (-1, len(board), "1", None))


@pytest.mark.parametrize("index", [16, -17, (4, 0), (0, -5), (0, 0, 0), 1.0, "a", (0, "a")])
def test_what_is_no_cell(index):
    with pytest.raises((IndexError, TypeError)):
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
    for call in (pack_boards, Solver(shape=(2, 2)).solve_many, heuristic("zero", shape=(2, 2)).many):
        with pytest.raises(TypeError, match=r"^one Board: expected many boards; for one, give a list: \[board\]"):
            call(board)
    with pytest.raises(TypeError, match="a board is text, a sequence or an array, not Board"):
        parse_board(board)
    for given in ([board], [Board.goal((2, 2))], [Board.goal((2, 2)), Board.goal((2, 2))], [[board]]):
        with pytest.raises(BoardError, match="cannot read"):
            Board(given)
    with pytest.raises(BoardError, match="^board 1: 1 2 3/4 5 6/7 8 0: a 3x3 board; expected a 2x8 one"):
        pack_boards([board, Board.goal((3, 3))], goal=board)
    with pytest.raises(BoardError, match="^board 1: .*a 3x3 board; expected a 2x8 one"):
        pack_boards([board, Board.goal((3, 3))])


# ---------------------------------------------------------- beside the goal ---


def test_beside_a_goal():
    goal, other = Board.goal((2, 8)), Board.goal((2, 8), home=0)
    assert goal.is_goal() and goal.is_goal(str(goal)) and not goal.is_goal(other) and other.is_goal(other)
    assert other.manhattan(str(other)) == 0 < other.manhattan() == other.manhattan(goal)
    assert other.is_solvable(str(other)) and other.is_solvable() == other.is_solvable(goal)
    for call in (Board.is_goal, Board.manhattan, Board.is_solvable):
        with pytest.raises(BoardError, match="a 4x3 board; expected a .* one, the shape of the board"):
            call(goal, Board.goal((4, 3)))


# ------------------------------------------------------------ random boards ---


def test_random_boards_of_seeds_and_goals():
    for home in range(16):
        assert Board.random(home, goal=Board.goal(home=home)).is_solvable(Board.goal(home=home))
    for goal, shape in (("3 1 2/5 0 4", (3, 3)), ("1 2 3/4 5 6/8 8 0", None)):
        with pytest.raises(BoardError):
            Board.random(1, shape, goal=goal)
    for home in (9, -1):
        with pytest.raises(BoardError, match=f"home={home}: a 3x3 board has the cells 0 .. 8"):
            Board.goal((3, 3), home=home)
    rng = np.random.default_rng(3)
    assert Board.random(rng) == Board.random(3) == Board.random(np.int64(3)) != Board.random(rng)
    assert Board.random(3) != Board.random(4) and Board.random(shape=(3, 5)).shape == (3, 5)


@pytest.mark.parametrize("shape", [(4, 4), (3, 3), (2, 8), (5, 2)])
def test_random_does_not_depend_on_numpys_shuffling(shape):
    """The boards that a program of one's own draws from the same raw bits."""
    cells = math.prod(shape)
    raw, boards = np.random.PCG64(7), uniform(20, 7, shape=shape)
    for packed in boards.tolist():
        draws = raw.random_raw(cells).tolist()
        tiles = sorted(range(cells), key=lambda tile: draws[tile] >> 11)
        if not twins.solvable(shape, tiles, Board.goal(shape).tiles):
            one, two = tiles.index(1), tiles.index(2)
            tiles[one], tiles[two] = 2, 1
        assert Board(packed, shape).tiles == tuple(tiles)
    assert Board.random(7, shape).packed == boards[0]


# ------------------------------------------------------------------- moves ---


def test_moves_and_illegal_ones():
    board = Board("1 2 3/4 0 5/6 7 8")
    after = {"U": "1 2 3/4 7 5/6 0 8", "D": "1 0 3/4 2 5/6 7 8", "L": "1 2 3/4 5 0/6 7 8", "r": "1 2 3/0 4 5/6 7 8"}
    assert {letter: str(board.move(letter)) for letter in after} == after
    assert board.apply("L", convention="blank") == board.move("R") and board.apply("") == board
    for moves, convention, message in [
        ("U" * 10_000, "tile", r"^.{,100}: move 1 \(U\) is illegal on 1 2 3/4 5 6/7 8 0, where D R are legal$"),
        ("R2DL3U", "tile", r"moves 'R2DL3U': move 6 \(L\) is illegal on 1 2 3/5 6 0/4 7 8, where U D R are legal$"),
        ("RD", "blank", r"move 1 \(R\) .*, where U L are legal"),
    ]:
        with pytest.raises(BoardError, match=message):
            Board.goal((3, 3)).apply(moves, convention=convention)
    for move, message in (("UU", "move 'UU'"), ("X", "cannot read 'X'")):
        with pytest.raises(BoardError, match=message):
            board.move(move)


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


def test_pictures():
    board = Board("1 2 3/4 0 6/7 5 8")
    assert board._repr_svg_() == board.svg() == board.svg(goal=Board.goal((3, 3)))
    assert board.svg(hint="ULRD").count('class="a"') == 4 and board.svg(hint="u2").count('class="a"') == 1
    assert 'width="100"' in board.svg(size=100) and "<text" not in board.svg(numbers=False)
    assert board.svg(goal="0 1 2/3 4 5/6 7 8") != board.svg() != board.svg(colours="plain")


@pytest.mark.parametrize(
    "options, message",
    [
        ({"hint": "LU"}, "hint 'LU': U is illegal on 1 2 3/4 5 6/7 0 8, where D L R are legal"),
        ({"hint": "X"}, "cannot read 'X'"),
        *(({"size": size}, "expected a number of pixels, more than 0") for size in (0, -3, math.nan, math.inf)),
        ({"colours": "red"}, "expected one of rows, rings, plain"),
        ({"goal": "1 2/3 0"}, "a 2x2 board; expected a 3x3 one, the shape of the board"),
    ],
)
def test_pictures_that_cannot_be_drawn(options, message):
    with pytest.raises(ValueError, match=message):
        Board("1 2 3/4 5 6/7 0 8").svg(**options)


def test_the_kind_of_a_cell():
    kinds = [home_kind(cell, (3, 4)) for cell in range(12)]
    edges = ["corner", "edge", "edge", "corner"]
    assert kinds == [*edges, "edge", "center", "center", "edge", *edges]


def test_boards_are_ordered_by_shape_and_packed_board():
    boards = [Board.random(seed, shape=shape) for seed in range(3) for shape in ((3, 3), (2, 4), (2, 3))]
    assert sorted(boards) == sorted(boards, key=lambda board: (board.shape, board.packed)) != boards
    with pytest.raises(TypeError, match="not supported between"):
        boards[0] < 3  # noqa: B015
