"""A board as an object: `Board`, which holds one packed board and its shape; and goals.

A packed board is a 64-bit number: cell i (row-major) in bits 4i .. 4i+3, 0 for the blank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import total_ordering
from numbers import Integral
from typing import TYPE_CHECKING, Any, Optional, Union

from .. import _pictures
from .._core.base import board as _board
from .._pictures.palette import Colours
from .._system.lazy import np
from .._system.quantities import Seed, abbreviated, random_generator, whole
from ..errors import BoardError, OptionError
from ._moves import Convention, directions_from_moves, format_moves, parse_moves
from ._notation import (
    BOARD_STYLES,
    DEFAULT_SHAPE,
    Shape,
    check_shape,
    format_shape,
    parse_board,
    write_tiles,
)
from ._packed import check_packed, shuffled

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

#: Anything that `Board` reads.
BoardLike = Union["Board", str, int, Sequence[Any], "NDArray[Any]"]

#: Many boards: an array, or an iterable of what `Board` takes. Not of `BoardLike`, because to type checkers a list of
#: texts and lists is a list of plain objects.
BoardsLike = Union["NDArray[Any]", Iterable[object]]

#: The moves in the order in which they are listed, and the blank's direction of each.
_STEPS = {letter: directions_from_moves(letter) for letter in "UDLR"}


@total_ordering
class Board:
    """A sliding-tile board: immutable, hashable, equal by shape and tiles, ordered by shape and packed board.

    Like a tuple, a board can be counted, looped over and indexed by cell; like an array, by row and column. numpy
    converts it to an array of its rows.

    Parameters
    ----------
    board : str, sequence, array, int or Board
        Text in any format of `puzzle15.board._notation`; tiles, flat or by rows; or the packed board.
    shape : (int, int), optional
        Rows and columns; needed if `board` does not determine them. A packed board is 4x4 by default.

    Raises
    ------
    BoardError
        If `board` is not a board.

    Examples
    --------
    >>> board = Board("1 2 3/4 0 6/7 5 8")
    >>> board.legal_moves()
    'UDLR'
    >>> board.apply("UL")
    Board('1 2 3/4 5 6/7 8 0')
    >>> board[0], board[2, 1], board[3:6], board[:, 1], len(board), 8 in board
    (1, 5, (4, 0, 6), [2, 0, 5], 9, True)
    >>> np.asarray(board).sum(axis=0).tolist()
    [12, 7, 17]
    >>> Board("12345678_") == Board([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    True
    >>> print(f"{board:grid}")
    1 2 3
    4 0 6
    7 5 8
    """

    __slots__ = ("_packed", "_shape")
    _packed: int
    _shape: Shape

    def __new__(cls, board: BoardLike, shape: Optional[Sequence[int]] = None) -> Board:
        if isinstance(board, Board):
            if shape is not None and (expected := check_shape(shape)) != board.shape:
                raise BoardError(
                    f"{board!r}: a {format_shape(board.shape)} board; expected a {format_shape(expected)} one"
                )
            return board
        if isinstance(board, str):
            plain = _board.read_text(board, None if shape is None else check_shape(shape))
            if plain is not None:
                return cls._of(*plain)
        elif isinstance(board, (int, Integral)):
            fixed = DEFAULT_SHAPE if shape is None else check_shape(shape)
            try:
                return cls._of(check_packed(int(board), fixed), fixed)
            except BoardError as error:
                raise BoardError(f"{error}{_advice_on_digits(int(board), shape)}") from None
        tiles, shape = parse_board(board, shape)
        return cls._of(_board.pack(bytes(tiles), shape), shape)

    @classmethod
    def _of(cls, packed: int, shape: Shape) -> Board:
        """Return a board from a packed one that is known to be valid."""
        self = object.__new__(cls)
        self._packed = packed
        self._shape = shape
        return self

    @classmethod
    def goal(cls, shape: Sequence[int] = DEFAULT_SHAPE, home: Optional[int] = None) -> Board:
        """Return the board with the tiles in order and the blank at cell `home`, by default the last.

        >>> Board.goal((3, 3))
        Board('1 2 3/4 5 6/7 8 0')
        >>> Board.goal((3, 3), home=0)
        Board('0 1 2/3 4 5/6 7 8')
        """
        shape = check_shape(shape)
        cells = shape[0] * shape[1]
        try:
            cell = cells - 1 if home is None else whole("home", home, 0, cells - 1)
        except ValueError:
            raise BoardError(f"home={home!r}: a {format_shape(shape)} board has the cells 0 .. {cells - 1}") from None
        return cls._of(_board.goal(shape, cell), shape)

    @classmethod
    def random(
        cls,
        seed: Optional[Seed] = None,
        shape: Optional[Sequence[int]] = None,
        *,
        goal: Optional[BoardLike] = None,
    ) -> Board:
        """Return a board drawn uniformly from those that reach the goal, by default ``Board.goal(shape)``.

        With an int as `seed`, the board is always the same, with every version of numpy; a generator is drawn from;
        None gives another board each time. `shape` is by default that of the goal, else 4x4.

        >>> Board.random(1)
        Board('9 1 14 4/12 7 5 15/0 11 8 10/13 6 3 2')
        >>> Board.random(goal="1 2 3/4 0 5/6 7 8").is_solvable("1 2 3/4 0 5/6 7 8")
        True
        """
        target = goal_of(goal, shape)
        return cls._of(int(shuffled(1, random_generator(seed), target.packed, target.shape)[0]), target.shape)

    @property
    def packed(self) -> int:
        """int: the board in 64 bits, cell i in bits 4i .. 4i+3."""
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
        """Return the tiles as a (rows, cols) array of uint8."""
        tiles = _board.unpack(self._packed, self._shape)
        return np.frombuffer(tiles, dtype=np.uint8).reshape(self._shape).copy()

    def is_goal(self, goal: Optional[BoardLike] = None) -> bool:
        """Return whether this board is `goal`, by default ``Board.goal(shape)``.

        >>> Board("1 2 3/4 5 6/7 8 0").is_goal(), Board("1 2 3/4 5 6/7 0 8").is_goal()
        (True, False)
        """
        return self._packed == self._goal(goal)._packed

    def manhattan(self, goal: Optional[BoardLike] = None) -> int:
        """Return the sum of the tiles' distances to their cells in `goal`, by default ``Board.goal(shape)``.

        Each distance is the number of rows and columns between the two cells. No solution has fewer moves.

        >>> Board("8 6 7/2 5 4/3 0 1").manhattan()
        21
        """
        return _board.manhattan(self._packed, self._goal(goal)._packed, self._shape)

    def is_solvable(self, goal: Optional[BoardLike] = None) -> bool:
        """Return whether moves lead from here to `goal`, by default ``Board.goal(shape)``.

        >>> Board("1 2 3/4 5 6/8 7 0").is_solvable()
        False
        >>> Board("1 2 3/4 5 6/8 7 0").is_solvable("2 1 3/4 5 6/7 8 0")
        True
        """
        return _board.solvable(self._packed, self._goal(goal)._packed, self._shape)

    def _goal(self, goal: Optional[BoardLike]) -> Board:
        return Board.goal(self._shape) if goal is None else read_board_like(self, goal, "board")

    def legal_moves(self) -> str:
        """Return the letters of the tiles that can move, always in the order ``UDLR``.

        >>> Board.goal().legal_moves()
        'DR'
        """
        return "".join([letter for letter, step in _STEPS.items() if _board.apply(self._packed, self._shape, step)[1]])

    def neighbours(self) -> list[tuple[str, Board]]:
        """Return the boards one move away, each with the letter of that move, always in the order ``UDLR``.

        >>> Board("1 2/3 0").neighbours()
        [('D', Board('1 0/3 2')), ('R', Board('1 2/0 3'))]
        """
        slides = [(letter, *_board.apply(self._packed, self._shape, step)) for letter, step in _STEPS.items()]
        return [(letter, Board._of(packed, self._shape)) for letter, packed, made in slides if made]

    def move(self, letter: str) -> Board:
        """Return the board after one move, the letter being the tile's direction.

        >>> Board.goal((2, 2)).move("D")
        Board('1 0/3 2')
        """
        if not isinstance(letter, str) or len(letter) != 1:
            raise BoardError(f"move {letter!r}: expected one of the letters U D L R")
        return self.apply(letter)

    def apply(self, text: str, *, convention: Convention = "tile") -> Board:
        """Return the board after a string of moves such as ``URDL2``, read as by `parse_moves`.

        It raises BoardError if the text is unreadable, or a move illegal; the message names the move.

        >>> Board.goal((3, 3)).apply("D2R")
        Board('1 0 2/4 5 3/7 8 6')
        """
        letters = parse_moves(text, convention=convention)
        packed, made = _board.apply(self._packed, self._shape, directions_from_moves(letters))
        board = Board._of(packed, self._shape)
        if made == len(letters):
            return board
        bad, legal = (format_moves(some, convention=convention) for some in (letters[made], board.legal_moves()))
        raise BoardError(
            f"moves {abbreviated(text)}: move {made + 1} ({bad}) is illegal on {board}, "
            f"where {' '.join(legal)} are legal"
        )

    def svg(
        self,
        *,
        colours: Colours = "rows",
        numbers: bool = True,
        hint: str = "",
        goal: Optional[BoardLike] = None,
        size: float = 240,
    ) -> _pictures.Svg:
        """Return a picture of the board as SVG, light or dark as the reader prefers. Notebooks show it by themselves.

        Parameters
        ----------
        colours : {"rows", "rings", "plain"}
            Whether tiles have the colour of their row in the goal, that of their ring in it, or all the same.
        numbers : bool
            Whether to write the tiles' numbers.
        hint : str
            Letters of legal moves, such as `Hint.best_moves`; each is drawn as an arrow from the tile into the blank.
        goal : board, optional
            The goal that determines the colours, by default ``Board.goal(shape)``.
        size : float
            The longer side of the picture, in pixels.

        Examples
        --------
        >>> picture = Board("1 2 3/4 0 6/7 5 8").svg(hint="U", colours="rings")
        >>> picture[:44], picture.endswith("</svg>")
        ('<svg xmlns="http://www.w3.org/2000/svg" role', True)
        """
        letters, legal = parse_moves(hint), self.legal_moves()
        if bad := letters.strip(legal):
            raise BoardError(
                f"hint {abbreviated(hint)}: {bad[0]} is illegal on {self}, where {' '.join(legal)} are legal"
            )
        return _pictures.board_svg(
            self.tiles,
            self._shape,
            _pictures.Look(size, colours, numbers, self._goal(goal).tiles),
            hint="".join(letter for letter in legal if letter in letters),
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    def __len__(self) -> int:
        return self._shape[0] * self._shape[1]

    def __iter__(self) -> Iterator[int]:
        return iter(self.tiles)

    def __getitem__(self, cell: Any) -> Any:
        """The tile at ``board[cell]``; the tiles of a slice of cells; and what numpy gives for ``board[row, col]``."""
        return self.to_array()[cell].tolist() if isinstance(cell, tuple) else self.tiles[cell]

    def __array__(self, dtype: Optional[DTypeLike] = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy is False:
            raise OptionError("a board packs its tiles, so an array of them is always a copy: copy=False is impossible")
        return self.to_array() if dtype is None else self.to_array().astype(dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._packed == other._packed and self._shape == other._shape

    def __lt__(self, other: object) -> bool:
        """Return an order for `heapq` and sorting: by shape, then by packed board."""
        if not isinstance(other, Board):
            return NotImplemented
        if self._shape != other._shape:
            return self._shape < other._shape
        return self._packed < other._packed

    def __hash__(self) -> int:
        return hash((self._packed, self._shape))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._packed, self._shape)

    def __str__(self) -> str:
        return write_tiles(self.tiles, self._shape)

    def __format__(self, style: str) -> str:
        """The board in a style, as ``f"{board:grid}"``, or its text as Python aligns texts: ``f"{board:>40}"``."""
        if style in BOARD_STYLES:
            return write_tiles(self.tiles, self._shape, style)
        try:
            return format(str(self), style)
        except ValueError:
            raise OptionError(
                f"format {style!r} of a board: expected one of {', '.join(BOARD_STYLES)}, or a width such as '>40'"
            ) from None

    def __repr__(self) -> str:
        return f"Board('{self}')"


def _advice_on_digits(number: int, shape: Optional[Sequence[int]]) -> str:
    """Return what to write instead of a number that is not a packed board, but would be a board as text."""
    try:
        parse_board(str(number), shape)
    except ValueError:
        return ""
    return f"; a whole number is a packed board, so write the digits as text: '{number}'"


def read_board_like(other: Board, given: BoardLike, role: str = "goal") -> Board:
    """Read a board that must have the shape of another one, which is a goal or another `role`."""
    if isinstance(given, Board) and given.shape == other.shape:
        return given
    try:
        return Board(given, other.shape)
    except BoardError as error:
        try:
            board = Board(given)
        except BoardError:
            raise error from None
    raise BoardError(
        f"{board}: a {format_shape(board.shape)} board; expected a {format_shape(other.shape)} one, "
        f"the shape of the {role} {other}"
    )


def goal_of(goal: Optional[BoardLike], shape: Optional[Sequence[int]]) -> Board:
    """Return the goal from a goal and a shape, both optional: by default 4x4, with the blank last.

    >>> goal_of(None, (2, 3)), goal_of("0 1 2/3 4 5/6 7 8", None)
    (Board('1 2 3/4 5 0'), Board('0 1 2/3 4 5/6 7 8'))
    """
    if goal is None:
        return Board.goal(DEFAULT_SHAPE if shape is None else shape)
    return Board(goal, shape)


#: The goal of boards of a shape.
GoalOf = Callable[[Shape], Board]


def parse_goal(text: str, shape: Optional[Shape]) -> tuple[GoalOf, Optional[Shape]]:
    """(the goal as a function of the shape, the shape if it is known), from text in any format, or a goal's name."""
    name = text.strip().lower()
    if name in ("korf", "blank-first"):
        return lambda shape: Board.goal(shape, home=0), shape
    if name == "blank-last":
        return Board.goal, shape
    goal = Board(text, shape)
    return lambda shape: goal, goal.shape


def read_board(text: str, goal_of: GoalOf, shape: Optional[Shape]) -> Board:
    """Return the board of a text; `goal_of` and `shape` are the results of `parse_goal`."""
    return Board(text) if shape is None else read_board_like(goal_of(shape), text)
