"""Every text format of boards, read and written.

In this module a board is a tuple of tiles, row-major with 0 for the blank, and its shape ``(rows, cols)``.

==========  =========================================================
``slash``   ``1 2 3/4 5 6/7 8 0``: the default for writing
``flat``    ``1 2 3 4 5 6 7 8 0``
``grid``    one line per row, columns aligned
``hex``     ``123456780``: one digit per cell, ``a`` .. ``f`` from 10 on
``rows``    ``123 456 780``: the same, with a space between the rows
``commas``  ``1,2,3,4,5,6,7,8,0``
``list``    ``[1, 2, 3, 4, 5, 6, 7, 8, 0]``: a JSON list
``json``    ``[[1, 2, 3], [4, 5, 6], [7, 8, 0]]``: a JSON list of rows
==========  =========================================================

Reading also accepts any sequence or array instead of text, and mixtures of these forms. The blank is ``0 _ . - x b``,
or the number of cells if there is no other blank. In one-digit notation ``b`` is tile 11 if the board has one.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, Optional, Union

from .._system.quantities import abbreviated, check_choice, count_text, whole_or_none
from .._system.streams import MAX_LINE
from ..errors import BoardError, OptionError

#: By style, the text before a board, between cells, between rows, and after the board. Cells of styles with nothing
#: between them are one hexadecimal digit.
_STYLES = {
    "slash": ("", " ", "/", ""),
    "flat": ("", " ", " ", ""),
    "grid": ("", " ", "\n", ""),
    "hex": ("", "", "", ""),
    "rows": ("", "", " ", ""),
    "commas": ("", ",", ",", ""),
    "list": ("[", ", ", ", ", "]"),
    "json": ("[[", ", ", "], [", "]]"),
}

#: The styles that `format_board` writes.
BOARD_STYLES = tuple(_STYLES)

MAX_CELLS = 16
SIDES = range(2, 9)

#: Rows and columns.
Shape = tuple[int, int]

DEFAULT_SHAPE = (4, 4)

_BLANKS = frozenset("_.-xb")
_FLOATS = ("float16", "float32")  # of numpy, which are not floats
_HEX_DIGITS = "0123456789abcdef"
_SQUARES = {4: (2, 2), 9: (3, 3), 16: (4, 4)}


def check_shape(shape: Sequence[int]) -> tuple[int, int]:
    """Return `shape` as (rows, cols); BoardError unless both are 2 .. 8, with at most 16 cells.

    >>> check_shape([3, 5])
    (3, 5)
    """
    try:
        rows, cols = map(operator.index, shape)
    except (TypeError, ValueError):
        raise BoardError(f"shape {abbreviated(shape)}: expected (rows, cols), such as (4, 4)") from None
    if rows not in SIDES or cols not in SIDES or rows * cols > MAX_CELLS:
        raise BoardError(
            f"shape {format_shape((rows, cols))}: expected 2 .. 8 rows and columns, and at most {MAX_CELLS} cells"
        )
    return rows, cols


def format_shape(shape: Sequence[int]) -> str:
    """Return a shape as text, such as ``3x5``."""
    return f"{shape[0]}x{shape[1]}"


def parse_board(
    given: Union[str, Iterable[Any]], shape: Optional[Sequence[int]] = None
) -> tuple[tuple[int, ...], tuple[int, int]]:
    """Read a board in any format of this module: (tiles, shape); BoardError if it is none.

    `given` is text, an array, or a sequence, flat or of rows. `shape` is needed for a flat list that is not square;
    separate rows must agree with it.

    >>> parse_board("134 8b5 726")
    ((1, 3, 4, 8, 0, 5, 7, 2, 6), (3, 3))
    >>> parse_board([1, 2, 3, 4, 5, 6], shape=(2, 3))
    ((1, 2, 3, 4, 5, 0), (2, 3))
    """
    wanted = None if shape is None else check_shape(shape)
    if isinstance(given, str) and len(given) > MAX_LINE:
        raise BoardError(
            f"{abbreviated(given[:100])}: more than {MAX_LINE} characters, which no board needs; "
            "write one such as '1 2 3/4 5 6/7 8 0'"
        )
    name = abbreviated(given)
    rows = _rows_of_text(given, name) if isinstance(given, str) else _rows_of_sequence(given, name)
    return _assemble(rows, wanted, name)


def format_board(tiles: Sequence[int], shape: Sequence[int], style: str = "slash", blank: str = "0") -> str:
    """Write a board in one of the styles of this module.

    `blank` is one of ``0 _ . - x b``, or the number of cells. A ValueError is raised if it could not be read back: JSON
    lists hold numbers only, and ``hex`` and ``rows`` one digit per cell, where ``b`` may be tile 11. ``flat``, ``hex``,
    ``commas`` and ``list`` do not contain the shape; reading one needs it, unless it is square.

    >>> print(format_board((5, 10, 1, 2, 8, 3, 6, 0, 11, 4, 9, 7), (3, 4), "grid"))
     5 10  1  2
     8  3  6  0
    11  4  9  7
    >>> format_board((5, 10, 1, 2, 8, 3, 6, 0, 11, 4, 9, 7), (3, 4), "hex", blank="_")
    '5a12836_b497'
    """
    return write_tiles(*parse_board(tiles, shape), style, blank)


def write_tiles(tiles: Sequence[int], shape: Shape, style: str = "slash", blank: str = "0") -> str:
    """Write tiles that are known to be a board's, as `format_board` does."""
    pattern, words = board_pattern(*shape, style, blank)
    return pattern % tuple(map(words.__getitem__, tiles))


def board_pattern(rows: int, cols: int, style: str, blank: str) -> tuple[str, tuple[str, ...]]:
    """Return the text of a board with ``%s`` for each cell, and the text of each tile.

    >>> board_pattern(2, 2, "slash", "_")
    ('%s %s/%s %s', ('_', '1', '2', '3'))
    """
    check_choice("style", style, _STYLES)
    return _pattern(rows, cols, style, blank if isinstance(blank, str) else repr(blank))


@lru_cache(maxsize=64)
def _pattern(rows: int, cols: int, style: str, blank: str) -> tuple[str, tuple[str, ...]]:
    cells = rows * cols
    before, between, between_rows, after = _STYLES[style]
    digits = not between
    known = ["0"] if before else [mark for mark in "0_.-xb" if not (mark == "b" and digits and cells > 11)]
    words = list(_HEX_DIGITS[:cells] if digits else map(str, range(cells)))
    if cells < len(_HEX_DIGITS) or not digits:
        known.append(str(cells))
    if blank not in known:
        raise OptionError(
            f"blank {abbreviated(blank)}: expected one of {' '.join(known)} in style {style} on a {rows}x{cols} board"
        )
    words[0] = _HEX_DIGITS[cells] if digits and blank == str(cells) else blank
    if style == "grid":
        width = max(map(len, words))
        words = [word.rjust(width) for word in words]
    row = between.join(["%s"] * cols)
    return before + between_rows.join([row] * rows) + after, tuple(words)


def check_tiles(tiles: Sequence[int], shape: Sequence[int], name: str) -> None:
    """Raise BoardError, whose message begins with `name`, unless `tiles` are a board of `shape`."""
    rows, cols = shape
    cells = rows * cols
    if len(tiles) != cells:
        raise BoardError(f"{name}: {len(tiles)} numbers, but a {rows}x{cols} board has {cells} cells")
    names = ["the blank", *(f"tile {tile}" for tile in range(1, cells))]
    counts = [tiles.count(tile) for tile in range(cells)]
    problems = []
    if strange := [str(tile) for tile in sorted(set(tiles) - set(range(cells)))]:
        problems.append(f"{_some(strange)} {'is not a tile' if len(strange) == 1 else 'are not tiles'}")
    if repeated := [f"{name} occurs {'twice' if n == 2 else f'{n} times'}" for name, n in zip(names, counts) if n > 1]:
        problems.append(_some(repeated))
    if missing := [name for name, count in zip(names, counts) if not count]:
        problems.append(f"{_some(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    if problems:
        raise BoardError(
            f"{name}: {', '.join(problems)}; a {rows}x{cols} board holds the blank (0) "
            f"and each of 1 .. {cells - 1} exactly once"
        )


def _some(phrases: Sequence[str]) -> str:
    """Return the phrases as a list in English, shortened where there are many."""
    if len(phrases) > 4:
        phrases = [*phrases[:3], f"{len(phrases) - 3} more"]
    *others, last = phrases
    return f"{', '.join(others)} and {last}" if others else last


def listed(given: Iterable[Any], what: str) -> list[Any]:
    """Return many things, such as boards, as a list; TypeError if it is a single one, or a set, which has no order."""
    kind = type(given).__name__
    if isinstance(given, (set, frozenset)):
        raise TypeError(f"a {kind} has no order: expected many {what}s, in a list: sorted(..)")
    if isinstance(given, (str, bytes)) or _is_board(given):
        raise TypeError(f"one {kind}: expected many {what}s; for one, give a list: [{what}]")
    try:
        each = iter(given)
    except TypeError:
        raise TypeError(f"{given!r}: expected many {what}s, in a list") from None
    return list(each)


def _assemble(given: list[list[int]], shape: Optional[Shape], name: str) -> tuple[tuple[int, ...], Shape]:
    """Return the tiles and the shape of rows; a single row is a flat list."""
    tiles = [tile for row in given for tile in row]
    if len(given) > 1:
        lengths = [len(row) for row in given]
        if len(set(lengths)) > 1:
            raise BoardError(
                f"{name}: its rows have {_some([str(length) for length in lengths])} numbers; "
                "give each row as many as the others"
            )
        try:
            own = check_shape((len(given), lengths[0]))
        except BoardError as error:
            raise BoardError(f"{name}: {error}") from None
        if shape not in (None, own):
            raise BoardError(f"{name}: {own[0]} rows of {own[1]}; expected a {shape[0]}x{shape[1]} board")
        shape = own
    elif shape is None and len(tiles) in _SQUARES:
        shape = _SQUARES[len(tiles)]
    elif shape is None:
        fitting = [
            format_shape((rows, cols)) for rows in SIDES for cols in SIDES if rows * cols == len(tiles) <= MAX_CELLS
        ]
        found = count_text(len(tiles), "number")
        raise BoardError(
            f"{name}: {found} in one row are not square; write the rows apart with '/', or give the shape: "
            f"{' or '.join(fitting)}"
            if fitting
            else f"{name}: {found}, but a flat list has 4, 9 or 16, and no board more than {MAX_CELLS}"
        )
    if 0 not in tiles:
        tiles = [0 if tile == shape[0] * shape[1] else tile for tile in tiles]
    check_tiles(tiles, shape, name)
    return tuple(tiles), shape


def _number(entry: Any, name: str) -> int:
    """Return the tile that one entry of a list or one word of a text stands for."""
    if isinstance(entry, str):
        word = entry.strip().lower()
        if word in _BLANKS:
            return 0
        # Longer numbers are never tiles, and int() would take its time over them.
        if word.isascii() and word.isdecimal() and len(word) <= 9:
            return int(word)
    elif (number := whole_or_none(entry)) is not None:
        return number
    elif (isinstance(entry, float) or getattr(entry, "dtype", "") in _FLOATS) and entry.is_integer():
        return int(entry)
    raise BoardError(
        f"{name}: cannot read {abbreviated(entry)}; write tiles as whole numbers and the blank as one of 0 _ . - x b"
    )


def _digits(word: str, cells: int, name: str) -> list[int]:
    """Return the tiles of one-digit notation; small boards have no tile 11, so there `b` is the blank."""
    tiles = []
    for char in word.lower():
        if char in _BLANKS and not (char == "b" and cells > 11):
            tiles.append(0)
        elif char in _HEX_DIGITS:
            tiles.append(_HEX_DIGITS.index(char))
        else:
            raise BoardError(
                f"{name}: cannot read {char!r}; written without spaces, tiles are the digits "
                "1 .. 9 and a .. f, and the blank is one of 0 _ . - x"
            )
    return tiles


def _rows_of_text(text: str, name: str) -> list[list[int]]:
    text = text.replace("\\n", "\n")  # as programs print a board of several lines
    if text.lstrip().startswith("["):
        import json

        try:
            return _rows_of_sequence(json.loads(text), name)
        except BoardError:
            raise
        except TypeError:  # of an object for a row
            raise BoardError(f"{name}: expected numbers, or lists of numbers, in the brackets") from None
        except (ValueError, RecursionError):
            pass  # arrays print with brackets, too, but without commas
    text = re.sub(r"[][(),]", " ", text).strip()
    if "/" in text:
        rows = [row.split() for row in text.split("/")]
    else:
        rows = [row.split() for row in text.splitlines() if row.strip()]
        if all(len(row) == 1 for row in rows):  # a column is a flat list, too
            rows = [[word for row in rows for word in row]]
    words = [word for row in rows for word in row]
    if not words:
        raise BoardError(f"{name}: no numbers; write a board such as '1 2 3/4 5 6/7 8 0'")
    if _is_one_digit(rows, words):
        cells = sum(map(len, words))
        return [_digits(word, cells, name) for word in words]
    return [[_number(word, name) for word in row] for row in rows]


def _is_one_digit(rows: list[list[str]], words: list[str]) -> bool:
    """Return whether each word is a whole row, or the only word is a whole board, with one digit per cell.

    Lists of numbers can look like it only when they pad with zeros (``01 02 03 00``), or hold numbers beyond any board;
    hence the last two conditions.
    """
    length = len(words[0])
    return length > 1 and (
        len(words) == 1
        or (len(rows) == 1 or all(len(row) == 1 for row in rows))
        and all(len(word) == length for word in words)
        and length * len(words) <= MAX_CELLS
        and not (len(words) > 3 and all(w.isdecimal() and int(w) <= MAX_CELLS for w in words))
    )


def _rows_of_sequence(given: Any, name: str) -> list[list[int]]:
    entries = _entries(given, name)
    if not entries:
        raise BoardError(f"{name}: no numbers; write a board such as [[1, 2], [3, 0]]")
    nested = [not isinstance(entry, str) and hasattr(entry, "__iter__") and not _is_board(entry) for entry in entries]
    if not any(nested):
        return [[_number(entry, name) for entry in entries]]
    if not all(nested):
        raise BoardError(f"{name}: numbers beside rows; give either a flat list or a list of rows")
    return [[_number(entry, name) for entry in _entries(row, name)] for row in entries]


def _entries(given: Any, name: str) -> list[Any]:
    """Return what a board or one of its rows holds, in its order; bytes are tiles, unless they are text."""
    is_text = isinstance(given, (bytes, bytearray)) and max(given, default=0) > MAX_CELLS
    if not is_text and not isinstance(given, (Set, Mapping)) and not _is_board(given):
        try:
            return list(given.tolist() if hasattr(given, "tolist") else given)
        except TypeError:
            pass
    advice = "; decode the text first" if is_text else ""
    raise TypeError(f"a board is text, a sequence or an array, not {type(given).__name__}: {name}{advice}")


def _is_board(given: Any) -> bool:
    """Return whether something is a `Board`, which has lost its shape here, and is not a row of another board."""
    return hasattr(given, "packed")
