"""Packed boards: checks and conversions around csrc/base/board.h.

A board is an int (cell i in bits 4i .. 4i+3), a shape is (rows, cols), a direction is that of the blank: 0 up, 1 left,
2 right, 3 down. BoardError where something else than a board is given; `unpack` and `unpack_many` take any 64 bits.
"""

import os

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from puzzle15._core.c cimport *
from puzzle15._system.threads import StepSizer, QUICK_STEPS
from ...errors import OptionError


cdef extern from "base/board.h" nogil:
    enum:
        P15_MAX_SYMMETRIES

    unsigned p15_symmetries(p15_shape shape, uint8_t (*out)[P15_MAX_CELLS])
    size_t p15_boards_check(const p15_board *boards, size_t count, p15_shape shape)
    p15_status p15_board_pack(const uint8_t *tiles, p15_shape shape, p15_board *out)
    void p15_board_unpack(p15_board board, p15_shape shape, uint8_t *tiles)
    p15_board p15_board_goal(p15_shape shape, unsigned home)
    _Bool p15_board_solvable(p15_board board, p15_board goal, p15_shape shape)
    p15_board p15_board_transform(p15_board board, p15_shape shape, const uint8_t *cell_to, const uint8_t *tile_to)
    unsigned p15_board_manhattan(p15_board board, p15_board goal, p15_shape shape)
    size_t p15_board_apply(p15_board board, p15_shape shape, const uint8_t *dirs, size_t count, p15_board *out)


cdef extern from "base/text.h" nogil:
    void p15_text_read_lines(const char *text, size_t length, size_t count, p15_shape wanted, p15_board *boards,
                             uint8_t (*shapes)[2])


cdef extern from "base/cpu.h" nogil:
    const char *p15_cpu_name(p15_cpu level)
    p15_cpu p15_cpu_highest()
    p15_status p15_cpu_wanted(p15_cpu *level)


#: The levels of instructions that this processor has, as PUZZLE15_CPU names them (csrc/base/cpu.h).
CPU_LEVELS = tuple(p15_cpu_name(<p15_cpu>level).decode("ascii") for level in range(p15_cpu_highest() + 1))


cdef int wanted_cpu() except -1:
    """ValueError if PUZZLE15_CPU names no level of this processor: no other one is taken instead."""
    cdef p15_cpu level
    if p15_cpu_wanted(&level) != P15_OK:
        raise OptionError(
            f"PUZZLE15_CPU={os.environ.get('PUZZLE15_CPU')!r}: expected a level of instructions that this processor "
            f"has ({', '.join(CPU_LEVELS)}); correct the variable, or unset it"
        )
    return level


#: The index in `CPU_LEVELS` of the level that new objects of the core use: the environment is read once. Tests set it.
CPU = wanted_cpu()


cdef p15_cpu cpu_level() except *:
    return <p15_cpu><int>CPU


def cpu():
    """The level of instructions that the C core uses, one of `CPU_LEVELS`."""
    return CPU_LEVELS[CPU]


def status_texts():
    """The text of each status, in order; number 0 is success."""
    return [p15_status_text(<p15_status>code).decode("ascii") for code in range(P15_STATUS_COUNT)]


def raise_status(int code, str given=None):
    """Raise the exception of a status; do nothing for 0."""
    check_status(<p15_status>code, given)


def neighbour(shape, unsigned cell, unsigned direction):
    """The cell next to `cell`, or -1."""
    cdef p15_shape c_shape = to_shape(shape)
    if cell >= c_shape.cells or direction >= P15_DIRECTIONS:
        check_status(P15_ERR_ARGUMENT, f"cell {cell}, direction {direction}")
    return p15_cell_neighbour(c_shape, cell, direction)


def symmetries(shape):
    """The cell maps of all symmetries of the rectangle, the identity first."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef uint8_t[P15_MAX_SYMMETRIES][P15_MAX_CELLS] maps
    cdef unsigned count = p15_symmetries(c_shape, maps)
    return [tuple(maps[s][cell] for cell in range(c_shape.cells)) for s in range(count)]


def check(uint64_t board, shape):
    """Whether `board` is a board of this shape."""
    return p15_board_check(board, to_shape(shape)) == P15_OK


def pack(const uint8_t[::1] tiles not None, shape):
    """The packed board; BoardError if `tiles` are not a permutation of 0 .. cells-1."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef p15_board board = 0
    same_length(tiles.shape[0], c_shape.cells)
    check_status(p15_board_pack(&tiles[0], c_shape, &board), None)
    return board


def unpack(uint64_t board, shape):
    """The tiles, as bytes."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef uint8_t[P15_MAX_CELLS] tiles
    p15_board_unpack(board, c_shape, tiles)
    return tiles[:c_shape.cells]


def blank(uint64_t board, shape):
    """The blank's cell."""
    cdef p15_shape c_shape = to_shape(shape)
    check_board(board, c_shape)
    return p15_board_blank(board)


def goal(shape, unsigned home):
    """The board with the blank at `home` and the tiles in order."""
    cdef p15_shape c_shape = to_shape(shape)
    if home >= c_shape.cells:
        check_status(P15_ERR_ARGUMENT, f"home {home} of a board of {c_shape.cells} cells")
    return p15_board_goal(c_shape, home)


def solvable(uint64_t board, uint64_t goal, shape):
    """Whether moves lead from `board` to `goal`."""
    cdef p15_shape c_shape = to_shape(shape)
    check_board(board, c_shape)
    check_board(goal, c_shape)
    return p15_board_solvable(board, goal, c_shape)


def manhattan(uint64_t board, uint64_t goal, shape):
    """The sum of the tiles' taxicab distances to their goal cells."""
    cdef p15_shape c_shape = to_shape(shape)
    check_board(board, c_shape)
    check_board(goal, c_shape)
    return p15_board_manhattan(board, goal, c_shape)


def transform(uint64_t board, shape, cell_to, tile_to):
    """The board with cell i's tile t, as tile_to[t], at cell_to[i]."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef uint8_t[P15_MAX_CELLS] cells, tiles
    identity = list(range(c_shape.cells))
    check_board(board, c_shape)
    if sorted(cell_to) != identity or sorted(tile_to) != identity:
        check_status(P15_ERR_ARGUMENT, f"maps {tuple(cell_to)} and {tuple(tile_to)}")
    for i in identity:
        cells[i] = cell_to[i]
        tiles[i] = tile_to[i]
    return p15_board_transform(board, c_shape, cells, tiles)


def apply(uint64_t board, shape, const uint8_t[::1] directions not None):
    """(the board after the legal moves, how many there were before the first illegal one)."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef size_t count = directions.shape[0], made
    cdef p15_board out = board
    check_board(board, c_shape)
    if count == 0:
        return board, 0
    with nogil:
        made = p15_board_apply(board, c_shape, &directions[0], count, &out)
    return out, made


def check_many(const uint64_t[::1] boards not None, shape, uint8_t[::1] status not None):
    """Fill `status`; return how many boards failed."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef size_t count = boards.shape[0], begin, end, failed = 0, i, good
    same_length(count, status.shape[0])
    for begin, end in StepSizer(QUICK_STEPS).pieces(count):
        with nogil:
            good = p15_boards_check(&boards[begin], end - begin, c_shape)
            memset(&status[begin], P15_OK, good)
            for i in range(begin + good, end):
                status[i] = p15_board_check(boards[i], c_shape)
                failed += status[i] != P15_OK
    return failed


def pack_many(const uint8_t[:, ::1] tiles not None, shape, uint64_t[::1] out not None, uint8_t[::1] status not None):
    """Fill `out` and `status`; return how many boards failed."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef size_t count = tiles.shape[0], begin, end, failed = 0, i
    same_length(tiles.shape[1], c_shape.cells)
    same_length(count, out.shape[0])
    same_length(count, status.shape[0])
    for begin, end in StepSizer(QUICK_STEPS).pieces(count):
        with nogil:
            for i in range(begin, end):
                out[i] = 0
                status[i] = p15_board_pack(&tiles[i, 0], c_shape, &out[i])
                failed += status[i] != P15_OK
    return failed


def unpack_many(const uint64_t[::1] boards not None, shape, uint8_t[:, ::1] out not None):
    """Fill `out`, one row of tiles a board."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef size_t count = boards.shape[0], begin, end, i
    same_length(out.shape[1], c_shape.cells)
    same_length(count, out.shape[0])
    for begin, end in StepSizer(QUICK_STEPS).pieces(count):
        with nogil:
            for i in range(begin, end):
                p15_board_unpack(boards[i], c_shape, &out[i, 0])


def follow_many(const uint64_t[::1] boards not None, shape, const uint8_t[::1] directions not None,
                const uint64_t[::1] ends not None, uint64_t[::1] out not None, uint64_t[::1] made not None):
    """Fill `out` with the boards along the moves of each board, and `made` with the number of its legal moves.

    Board i begins at out[ends[i-1] + i], and ends at out[ends[i] + i]. The boards are not checked.
    """
    cdef p15_shape c_shape = to_shape(shape)
    cdef size_t count = boards.shape[0], i, at = 0, row = 0
    cdef uint64_t before = 0
    cdef p15_board board
    same_length(count, ends.shape[0])
    same_length(count, made.shape[0])
    for i in range(count):
        if ends[i] < before:
            check_status(P15_ERR_ARGUMENT, f"end {ends[i]} of the moves of board {i}")
        before = ends[i]
    same_length(directions.shape[0], before)
    same_length(out.shape[0], before + count)
    with nogil:
        for i in range(count):
            board = out[row] = boards[i]
            made[i] = at
            while at < ends[i] and p15_board_apply(board, c_shape, &directions[at], 1, &board) == 1:
                at += 1
                row += 1
                out[row] = board
            made[i] = at - made[i]
            while at < ends[i]:
                at += 1
                row += 1
                out[row] = board
            row += 1


def solvable_many(const uint64_t[::1] boards not None, uint64_t goal, shape, uint8_t[::1] out not None):
    """Fill `out` with 1 where moves lead to `goal`, else 0."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef size_t count = boards.shape[0], begin, end, i
    check_board(goal, c_shape)
    same_length(count, out.shape[0])
    for begin, end in StepSizer(QUICK_STEPS).pieces(count):
        with nogil:
            for i in range(begin, end):
                out[i] = p15_board_check(boards[i], c_shape) == P15_OK and p15_board_solvable(boards[i], goal, c_shape)


def read_text(str text not None, shape):
    """(packed board, shape) of a text that is a plain board, of `shape` or of any for None; None for another text."""
    cdef bytes line = text.encode("ascii", "replace")
    cdef p15_shape wanted
    cdef p15_board board = 0
    cdef uint8_t[1][2] found
    wanted.rows = wanted.cols = wanted.cells = 0
    if shape is not None:
        wanted = to_shape(shape)
    if b"\n" in line:
        return None
    p15_text_read_lines(line, len(line), 1, wanted, &board, found)
    return (board, (found[0][0], found[0][1])) if board else None


def read_lines(bytes text not None, shape, uint64_t[::1] out not None, uint8_t[:, ::1] shapes not None):
    """Read the lines that are plain boards, into `out` and `shapes`; 0 for the others.

    Only boards of `shape` are read, or of any shape for (0, 0).
    """
    cdef p15_shape wanted
    cdef size_t count = out.shape[0]
    wanted.rows = wanted.cols = wanted.cells = 0
    if tuple(shape) != (0, 0):
        wanted = to_shape(shape)
    same_length(count, shapes.shape[0])
    same_length(2, shapes.shape[1])
    if count == 0:
        return
    cdef const char *begin = text
    cdef size_t length = len(text)
    with nogil:
        p15_text_read_lines(begin, length, count, wanted, &out[0], <uint8_t (*)[2]>&shapes[0, 0])
