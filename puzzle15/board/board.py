"""Boards: one as an object, many as an array.

A board is one 64-bit word: cell i (row-major) in bits 4i .. 4i+3, 0 for the
blank.  `Board` holds one together with its shape; `pack_boards` and
`unpack_boards` convert whole arrays in C.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._core.base import board as _board
from ..errors import BoardError
from ..system.quantities import whole
from . import notation
from .notation import Shape
from .shuffling import shuffled

__all__ = ["Board", "pack_boards", "unpack_boards"]

#: Anything that tells a board.
BoardLike = Union["Board", str, int, Sequence[Any], NDArray[Any]]

#: Anything that tells many boards: an array, or an iterable of what `Board` takes. Not of `BoardLike`, because checkers
#: take a list of texts and lists for one of plain objects.
BoardsLike = Union[NDArray[Any], Iterable[object]]

_DEFAULT_SHAPE = (4, 4)
_LETTERS = "UDLR"


class Board:
    """A sliding-tile board: immutable, hashable, equal by shape and tiles.

    Parameters
    ----------
    board : str, sequence, array, int or Board
        Text in any format of `puzzle15.board.notation`; tiles, flat or by rows; or
        the packed word.
    shape : (int, int), optional
        Rows and columns; needed where `board` does not tell.  A packed word
        is taken to be 4x4.

    Raises
    ------
    BoardError
        If it is no board; the message says what is wrong with it.

    Examples
    --------
    >>> board = Board("1 2 3/4 0 6/7 5 8")
    >>> board.legal_moves()
    'UDLR'
    >>> board.apply("UL")
    Board('1 2 3/4 5 6/7 8 0')
    >>> Board("12345678_") == Board([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    True
    >>> print(f"{Board.goal():grid}")
     1  2  3  4
     5  6  7  8
     9 10 11 12
    13 14 15  0
    """

    __slots__ = ("_packed", "_shape")
    _packed: int
    _shape: Shape

    def __new__(cls, board: BoardLike, shape: Optional[Sequence[int]] = None) -> Board:
        if isinstance(board, Board):
            if shape is not None and (expected := notation.check_shape(shape)) != board.shape:
                raise BoardError(f"{board!r}: a {_by(board.shape)} board; expected a {_by(expected)} one")
            return board
        if isinstance(board, (int, np.integer)):
            shape = _DEFAULT_SHAPE if shape is None else notation.check_shape(shape)
            return cls._of(_check_packed(int(board), shape), shape)
        return cls.from_tiles(board, shape)

    @classmethod
    def _of(cls, packed: int, shape: Shape) -> Board:
        """A board from what is known to be one."""
        self = object.__new__(cls)
        object.__setattr__(self, "_packed", packed)
        object.__setattr__(self, "_shape", shape)
        return self

    @classmethod
    def from_tiles(cls, tiles: Union[str, Iterable[Any]], shape: Optional[Sequence[int]] = None) -> Board:
        """The board with these tiles, flat or by rows.

        Examples
        --------
        >>> Board.from_tiles([3, 1, 2, 0, 5, 4], shape=(2, 3))
        Board('3 1 2/0 5 4')
        """
        tiles, shape = notation.parse_board(tiles, shape)
        return cls._of(_board.pack(bytes(tiles), shape), shape)

    @classmethod
    def goal(cls, shape: Sequence[int] = _DEFAULT_SHAPE, home: Optional[int] = None) -> Board:
        """The board with the tiles in order and the blank at cell `home`, by default the last.

        Examples
        --------
        >>> Board.goal((3, 3))
        Board('1 2 3/4 5 6/7 8 0')
        >>> Board.goal((3, 3), home=0)
        Board('0 1 2/3 4 5/6 7 8')
        """
        shape = notation.check_shape(shape)
        cells = shape[0] * shape[1]
        home = cells - 1 if home is None else operator.index(home)
        if not 0 <= home < cells:
            raise BoardError(f"home={home}: a {_by(shape)} board has the cells 0 .. {cells - 1}")
        return cls._of(_board.goal(shape, home), shape)

    @classmethod
    def random(
        cls,
        seed: Union[int, np.random.Generator, None] = None,
        shape: Optional[Sequence[int]] = None,
        *,
        goal: Optional[BoardLike] = None,
    ) -> Board:
        """A board drawn uniformly from those that reach the goal.

        Parameters
        ----------
        seed : int or numpy.random.Generator, optional
            An int always gives the same board; a generator is drawn from;
            None draws a fresh one.
        shape : (int, int), optional
            Rows and columns; by default those of the goal, else 4x4.
        goal : board, optional
            By default the tiles in order, the blank last.

        Returns
        -------
        Board

        Notes
        -----
        A seed gives the same board with every version of numpy.  A generator
        gives the boards of `puzzle15.board.uniform`.

        Examples
        --------
        >>> Board.random(1)
        Board('9 1 14 4/12 7 5 15/0 11 8 10/13 6 3 2')
        >>> Board.random(shape=(3, 3)).is_solvable()
        True
        >>> Board.random(goal="1 2 3/4 0 5/6 7 8").is_solvable("1 2 3/4 0 5/6 7 8")
        True
        """
        target = goal_of(goal, shape)
        if isinstance(seed, np.random.Generator):
            rng = seed
        else:
            rng = np.random.Generator(np.random.PCG64(None if seed is None else whole("seed", seed)))
        return cls._of(int(shuffled(1, rng, target.packed, target.shape)[0]), target.shape)

    @property
    def packed(self) -> int:
        """int: the board as one word, cell i in bits 4i .. 4i+3."""
        return self._packed

    @property
    def shape(self) -> Shape:
        """(int, int): rows and columns."""
        return self._shape

    @property
    def tiles(self) -> tuple[int, ...]:
        """tuple of int: row-major, 0 for the blank."""
        return tuple(_board.unpack(self._packed, self._shape))

    @property
    def blank(self) -> int:
        """int: the blank's cell."""
        return _board.blank(self._packed, self._shape)

    def to_array(self) -> NDArray[np.uint8]:
        """The tiles as a (rows, cols) array of uint8."""
        tiles = _board.unpack(self._packed, self._shape)
        return np.frombuffer(tiles, dtype=np.uint8).reshape(self._shape).copy()

    def is_solvable(self, goal: Optional[BoardLike] = None) -> bool:
        """Whether moves lead from here to `goal`, by default ``Board.goal(shape)``.

        Examples
        --------
        >>> Board("1 2 3/4 5 6/8 7 0").is_solvable()
        False
        >>> Board("1 2 3/4 5 6/8 7 0").is_solvable("2 1 3/4 5 6/7 8 0")
        True
        """
        goal = Board.goal(self._shape) if goal is None else board_beside(self, goal, "board")
        return _board.solvable(self._packed, goal.packed, self._shape)

    def legal_moves(self) -> str:
        """The letters of the tiles that can move, always in the order ``UDLR``.

        Examples
        --------
        >>> Board.goal().legal_moves()
        'DR'
        """
        return "".join(letter for letter in _LETTERS if self._slide(letter)[1])

    def move(self, letter: str) -> Board:
        """The board after one move, the letter being the tile's direction.

        Examples
        --------
        >>> Board.goal((2, 2)).move("D")
        Board('1 0/3 2')
        """
        if not isinstance(letter, str) or len(letter) != 1:
            raise BoardError(f"move {letter!r}: expected one of the letters U D L R")
        return self.apply(letter)

    def apply(self, text: str, moves: str = "tile") -> Board:
        """The board after a string of moves.

        Parameters
        ----------
        text : str
            Such as ``URDL2``; see `puzzle15.board.notation`.
        moves : {"tile", "blank"}
            Whether a letter names the direction of the tile or that of the blank.

        Returns
        -------
        Board

        Raises
        ------
        BoardError
            If the text is unreadable, or a move illegal; the message says which.

        Examples
        --------
        >>> Board.goal((3, 3)).apply("D2R")
        Board('1 0 2/4 5 3/7 8 6')
        >>> Board.goal((3, 3)).apply("D2R", moves="blank")
        Traceback (most recent call last):
            ...
        puzzle15.errors.BoardError: moves 'D2R': move 1 (D) is illegal on 1 2 3/4 5 6/7 8 0, \
where U L are legal
        """
        letters = notation.parse_moves(text, moves)
        packed, made = self._slide(letters)
        board = Board._of(packed, self._shape)
        if made == len(letters):
            return board
        bad, legal = (notation.format_moves(some, moves) for some in (letters[made], board.legal_moves()))
        raise BoardError(
            f"moves {text!r}: move {made + 1} ({bad}) is illegal on {board}, where {' '.join(legal)} are legal"
        )

    def _slide(self, letters: str) -> tuple[int, int]:
        """(the packed board after the legal moves, how many there were)"""
        directions = notation.directions_from_moves(letters)
        return _board.apply(self._packed, self._shape, directions)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._packed == other._packed and self._shape == other._shape

    def __hash__(self) -> int:
        return hash((self._packed, self._shape))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Board cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Board cannot be changed: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._packed, self._shape)

    def __str__(self) -> str:
        return notation.format_board(self.tiles, self._shape)

    def __format__(self, style: str) -> str:
        return notation.format_board(self.tiles, self._shape, style or "slash")

    def __repr__(self) -> str:
        return f"Board('{self}')"


def board_beside(other: Board, given: BoardLike, role: str = "goal") -> Board:
    """The board that is given, whose shape is that of another one: of the goal, or of the board if this is the goal.

    >>> board_beside(Board.goal((2, 2)), [1, 2, 3, 4, 5, 6, 7, 0, 8])
    Traceback (most recent call last):
        ...
    puzzle15.errors.BoardError: 1 2 3/4 5 6/7 0 8: a 3x3 board; expected a 2x2 one, the shape of the goal 1 2/3 0
    """
    try:
        return Board(given, other.shape)
    except BoardError as error:
        try:
            board = Board(given)
        except BoardError:
            raise error from None
        if board.shape == other.shape:
            raise
    raise BoardError(
        f"{board}: a {_by(board.shape)} board; expected a {_by(other.shape)} one, the shape of the {role} {other}"
    )


def goal_of(goal: Optional[BoardLike], shape: Optional[Sequence[int]]) -> Board:
    """The goal that is meant by a goal and a shape, each of which may be left out: 4x4, the blank last.

    >>> goal_of(None, (2, 3)), goal_of("0 1 2/3 4 5/6 7 8", None)
    (Board('1 2 3/4 5 0'), Board('0 1 2/3 4 5/6 7 8'))
    """
    if goal is None:
        return Board.goal(_DEFAULT_SHAPE if shape is None else shape)
    return Board(goal, shape)


def pack_boards(
    boards: BoardsLike,
    shape: Optional[Sequence[int]] = None,
    on_error: str = "raise",
    goal: Optional[Board] = None,
) -> tuple[Any, ...]:
    """Check many boards and pack each into one word.

    Parameters
    ----------
    boards : array or iterable
        An integer array or memoryview (N, cells) or (N, rows, cols); one of
        uint64 (N,) of packed boards; or an iterable of anything that `Board` takes.  The
        arrays are converted in C.
    shape : (int, int), optional
        Rows and columns of every board.  By default: what an (N, rows, cols)
        array or the first readable board of an iterable tells, the square of
        that many cells, or 4x4 for packed boards.
    on_error : {"raise", "mark"}
        Whether the first bad board raises, or each is marked.
    goal : Board, optional
        In place of `shape`: what the boards are to reach, and so what their shape is.

    Returns
    -------
    packed : ndarray of uint64, shape (N,)
        0, which is no board, where a board is bad.
    shape : (int, int)
    errors : list of (BoardError or None), length N
        Only with ``on_error="mark"``.

    Raises
    ------
    BoardError
        Named by its index, the first bad board; or, whatever `on_error` is,
        a shape that the boards cannot have.

    Examples
    --------
    >>> packed, shape = pack_boards(["1 2 3/4 5 6/7 8 0", "867254301"])
    >>> [hex(board) for board in packed.tolist()], shape
    (['0x87654321', '0x103452768'], (3, 3))
    >>> packed, shape, errors = pack_boards([[0, 1, 2, 3], [1, 1, 2, 3]], on_error="mark")
    >>> packed.tolist(), shape
    ([12816, 0], (2, 2))
    >>> print(errors[1])
    board 1: [1, 1, 2, 3]: tile 1 is there 2 times, the blank is missing; \
a 2x2 board holds the blank (0) and each of 1 .. 3 exactly once
    """
    if on_error not in ("raise", "mark"):
        raise ValueError(f"on_error={on_error!r}: expected 'raise' or 'mark'")
    packed, shape, errors = pack_readable(boards, shape, goal)
    if on_error == "mark":
        return packed, shape, [errors.get(index) for index in range(len(packed))]
    if errors:
        raise errors[min(errors)]
    return packed, shape


def pack_readable(
    boards: Any, shape: Optional[Sequence[int]] = None, goal: Optional[Board] = None
) -> tuple[NDArray[np.uint64], Shape, dict[int, BoardError]]:
    """What `pack_boards` finds: the packed boards, 0 for those that are none, their shape, and the errors by index."""
    if isinstance(boards, str):
        raise TypeError("pack_boards takes many boards; for one, give a list: [text]")
    if goal is not None:
        shape = goal.shape
    elif shape is not None:
        shape = notation.check_shape(shape)
    if isinstance(boards, memoryview):
        boards = np.asarray(boards)

    if not isinstance(boards, np.ndarray):
        return _pack_each(boards, shape, goal)
    if boards.ndim == 1 and boards.dtype == np.uint64:
        return _pack_words(boards, shape or _DEFAULT_SHAPE)
    if boards.ndim in (2, 3) and boards.dtype.kind in "iu":
        return _pack_tiles(boards, shape, goal)
    raise TypeError(
        f"an array of boards is integer (N, cells) or (N, rows, cols), or uint64 (N,), "
        f"not {boards.dtype} {boards.shape}"
    )


def unpack_boards(packed: ArrayLike, shape: Sequence[int] = _DEFAULT_SHAPE) -> NDArray[np.uint8]:
    """The tiles of many packed boards.

    Parameters
    ----------
    packed : array of uint64, shape (N,)
        Boards, as `pack_boards` returns them; they are not checked.
    shape : (int, int)
        Rows and columns of every board.

    Returns
    -------
    ndarray of uint8, shape (N, cells)
        Row-major, 0 for the blank.

    Examples
    --------
    >>> unpack_boards([0x0321, 0x1302], (2, 2)).tolist()
    [[1, 2, 3, 0], [2, 0, 3, 1]]
    """
    shape = notation.check_shape(shape)
    packed = np.ascontiguousarray(packed, dtype=np.uint64)
    tiles = np.empty((len(packed), shape[0] * shape[1]), dtype=np.uint8)
    _board.unpack_many(packed, shape, tiles)
    return tiles


def _by(shape):
    return f"{shape[0]}x{shape[1]}"


def _check_packed(packed, shape):
    if 0 <= packed < 1 << 64 and _board.check(packed, shape):
        return packed
    cells = shape[0] * shape[1]
    name = f"packed board {packed:#x}"
    if packed < 0 or packed >> 4 * cells:
        raise BoardError(f"{name}: a {_by(shape)} board uses bits 0 .. {4 * cells - 1} only")
    notation.check_tiles(tuple(packed >> 4 * cell & 15 for cell in range(cells)), shape, name)


def _named(index, error):
    return BoardError(f"board {index}: {error}")


# The three below return (packed, shape, {index: BoardError}).


def _pack_each(boards, shape, goal):
    words, errors = [], {}
    for index, given in enumerate(boards):
        try:
            board = Board(given, shape) if goal is None else board_beside(goal, given)
        except BoardError as error:
            errors[index] = _named(index, error)
            words.append(0)
        else:
            shape = board.shape
            words.append(board.packed)
    return np.array(words, dtype=np.uint64), shape or _DEFAULT_SHAPE, errors


def _pack_words(words, shape):
    packed = words.copy()  # contiguous, and the caller's own
    status = np.empty(len(packed), dtype=np.uint8)
    errors = {}
    if _board.check_many(packed, shape, status):
        for index in np.flatnonzero(status).tolist():
            errors[index] = _error_of(index, int(packed[index]), shape)
        packed[status != 0] = 0
    return packed, shape, errors


def _pack_tiles(boards, shape, goal):
    shape = _shape_of_array(boards, shape, "" if goal is None else f", the shape of the goal {goal}")
    cells = shape[0] * shape[1]
    numbers = boards.reshape(len(boards), cells).copy()  # what is checked is what is packed
    tiles = _to_bytes(numbers)
    packed = np.empty(len(tiles), dtype=np.uint64)
    status = np.empty(len(tiles), dtype=np.uint8)
    errors = {}
    if _board.pack_many(tiles, shape, packed, status):
        # The blank may be written as the number of cells, where there is no 0.
        bad = np.flatnonzero(status)
        again = tiles[bad]
        again[(again == cells) & ~(again == 0).any(axis=1, keepdims=True)] = 0
        packed_again = np.empty(len(bad), dtype=np.uint64)
        status = np.empty(len(bad), dtype=np.uint8)
        if _board.pack_many(again, shape, packed_again, status):
            for index in bad[status != 0].tolist():
                errors[index] = _error_of(index, numbers[index].tolist(), shape)
        packed[bad] = packed_again
    return packed, shape, errors


def _error_of(index, given, shape):
    try:
        Board(given, shape)
    except BoardError as error:
        return _named(index, error)
    raise AssertionError(f"C and Python disagree about {given}")


def _to_bytes(numbers):
    """The numbers as contiguous uint8, with 255, which is no tile, for those that do not fit."""
    if numbers.dtype == np.uint8:
        return np.ascontiguousarray(numbers)
    tiles = numbers.astype(np.uint8, order="C")
    tiles[tiles != numbers] = 255
    return tiles


def _shape_of_array(boards, shape, why):
    if boards.ndim == 3:
        told = notation.check_shape(boards.shape[1:])
        if shape not in (None, told):
            raise BoardError(f"an array of {_by(told)} boards; expected {_by(shape)} ones{why}")
        return told
    cells = boards.shape[1]
    if shape is None:
        side = round(cells**0.5)
        if side * side != cells:
            raise BoardError(f"{cells} columns are not square: give shape=(rows, cols)")
        return notation.check_shape((side, side))
    if cells != shape[0] * shape[1]:
        raise BoardError(
            f"an array of {cells} columns; expected {shape[0] * shape[1]}, one for each cell of a "
            f"{_by(shape)} board{why}"
        )
    return shape
