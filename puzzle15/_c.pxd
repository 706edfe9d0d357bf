"""What the C core offers to the extension modules, and how its statuses become exceptions.

The contracts are in the headers.
"""

from libc.stdint cimport uint8_t, uint64_t


cdef extern from "p15_status.h":
    ctypedef enum p15_status:
        P15_OK
        P15_ERR_SHAPE
        P15_ERR_BOARD
        P15_ERR_UNSOLVABLE
        P15_ERR_PATTERN
        P15_ERR_MEMORY
        P15_ERR_CORRUPT
        P15_ERR_ARGUMENT
        P15_STATUS_COUNT

    const char *p15_status_text(p15_status status) noexcept nogil


cdef extern from "p15_board.h":
    enum:
        P15_MAX_CELLS
        P15_MAX_SYMMETRIES

    ctypedef struct p15_shape:
        uint8_t rows, cols, cells
    ctypedef uint64_t p15_board

    p15_status p15_shape_init(unsigned rows, unsigned cols, p15_shape *out) noexcept nogil
    int p15_cell_neighbour(p15_shape shape, unsigned cell, unsigned dir) noexcept nogil
    unsigned p15_symmetries(p15_shape shape, uint8_t (*out)[16]) noexcept nogil

    p15_status p15_board_check(p15_board board, p15_shape shape) noexcept nogil
    p15_status p15_board_pack(const uint8_t *tiles, p15_shape shape, p15_board *out) noexcept nogil
    void p15_board_unpack(p15_board board, p15_shape shape, uint8_t *tiles) noexcept nogil
    unsigned p15_board_blank(p15_board board, p15_shape shape) noexcept nogil
    p15_board p15_board_goal(p15_shape shape, unsigned home) noexcept nogil
    bint p15_board_solvable(p15_board board, p15_board goal, p15_shape shape) noexcept nogil
    p15_board p15_board_transform(p15_board board, p15_shape shape, const uint8_t *cell_to,
                                  const uint8_t *tile_to) noexcept nogil
    unsigned p15_board_manhattan(p15_board board, p15_board goal, p15_shape shape) noexcept nogil
    size_t p15_board_apply(p15_board board, p15_shape shape, const uint8_t *dirs, size_t count,
                           p15_board *out) noexcept nogil

    size_t p15_board_check_many(const p15_board *boards, size_t count, p15_shape shape,
                                uint8_t *status) noexcept nogil
    size_t p15_board_pack_many(const uint8_t *tiles, size_t count, p15_shape shape,
                               p15_board *out, uint8_t *status) noexcept nogil
    void p15_board_unpack_many(const p15_board *boards, size_t count, p15_shape shape,
                               uint8_t *tiles) noexcept nogil
    void p15_board_solvable_many(const p15_board *boards, size_t count, p15_board goal,
                                 p15_shape shape, uint8_t *out) noexcept nogil


cdef inline int check_status(p15_status status, str given) except -1:
    """0 for P15_OK, else raise the status's exception, its text preceded by `given` (or None)."""
    if status == P15_OK:
        return 0
    from puzzle15 import errors

    cdef str text = p15_status_text(status).decode("ascii")
    exception = {
        P15_ERR_SHAPE: errors.BoardError,
        P15_ERR_BOARD: errors.BoardError,
        P15_ERR_UNSOLVABLE: errors.UnsolvableError,
        P15_ERR_MEMORY: MemoryError,
        P15_ERR_CORRUPT: errors.TableCorruptError,
    }.get(status, ValueError)
    raise exception(f"{given}: {text}" if given else text)


cdef inline p15_shape to_shape(object shape) except *:
    """The p15_shape of a Python (rows, cols); BoardError if it is none."""
    cdef p15_shape out
    rows, cols = shape
    # A side that would not fit the C type is as wrong as a side of 0.
    check_status(
        p15_shape_init(rows if 0 <= rows <= 255 else 0, cols if 0 <= cols <= 255 else 0, &out),
        f"shape ({rows}, {cols})",
    )
    return out
