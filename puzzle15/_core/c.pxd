"""What all extension modules use of the C core, and how its statuses become exceptions.

Each module declares what only it uses. The contracts are in the headers.
"""

from libc.stdint cimport uint8_t, uint64_t


# What C calls bool. A bint is an int: calling through a pointer to a function that returns the other one is undefined.
cdef extern from "stdbool.h":
    ctypedef bint _Bool "bool"


cdef extern from "base/status.h" nogil:
    ctypedef enum p15_status:
        P15_OK, P15_ERR_SHAPE, P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_PATTERN, P15_ERR_MEMORY, P15_ERR_CORRUPT
        P15_ERR_ARGUMENT, P15_ERR_ANSWER, P15_STATUS_COUNT

    const char *p15_status_text(p15_status status)


cdef extern from "base/board.h" nogil:
    """
    _Static_assert(P15_UP == 0 && P15_LEFT == 1 && P15_RIGHT == 2 && P15_DOWN == 3 && P15_DIRECTIONS == 4,
                   "Python numbers directions so, and takes 3 - d for the opposite of d");
    """
    enum:
        P15_MAX_CELLS, P15_DIRECTIONS

    ctypedef struct p15_shape:
        uint8_t rows, cols, cells
    ctypedef uint64_t p15_board

    p15_status p15_shape_init(unsigned rows, unsigned cols, p15_shape *out)
    int p15_cell_neighbour(p15_shape shape, unsigned cell, unsigned dir)
    p15_status p15_board_check(p15_board board, p15_shape shape)
    unsigned p15_board_blank(p15_board board)


cdef extern from "base/cpu.h" nogil:
    ctypedef enum p15_cpu:
        pass


cdef extern from "base/iteration.h" nogil:
    ctypedef struct p15_counts:
        uint64_t expanded, generated

    ctypedef struct p15_iteration:
        unsigned bound
        uint64_t expanded, generated


cdef extern from "base/path.h" nogil:
    enum:
        P15_MAX_LENGTH, P15_PATH_BYTES

    unsigned p15_path_move(const uint8_t *path, unsigned index)
    unsigned p15_path_cell(const uint8_t *path, unsigned index)
    void p15_path_set(uint8_t *path, unsigned index, unsigned move)
    void p15_path_set_cell(uint8_t *path, unsigned index, unsigned cell)


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
        P15_ERR_ANSWER: errors.InternalError,
    }.get(status, ValueError)
    raise exception(f"{given}: {text}" if given else text)


cdef inline p15_shape to_shape(object shape) except *:
    """The p15_shape of a Python (rows, cols); BoardError if there is none."""
    cdef p15_shape out
    rows, cols = shape
    # A side that would not fit the C type is as wrong as a side of 0.
    check_status(
        p15_shape_init(rows if 0 <= rows <= 255 else 0, cols if 0 <= cols <= 255 else 0, &out),
        f"shape ({rows}, {cols})",
    )
    return out


cdef inline int check_board(p15_board board, p15_shape shape) except -1:
    """BoardError unless it is a board of the shape."""
    check_status(p15_board_check(board, shape), f"packed board {board:#x} of {shape.rows}x{shape.cols}")
    return 0


cdef inline int same_length(size_t given, size_t expected) except -1:
    """ValueError unless an array has the expected length."""
    if given != expected:
        check_status(P15_ERR_ARGUMENT, f"array length {given}, expected {expected}")
    return 0


cdef inline int copy_cells(cells, uint8_t *out, unsigned count, str given) except -1:
    """Copy `count` cells; ValueError unless there are so many, and each is a cell of some board."""
    if len(cells) != count or count > P15_MAX_CELLS or not all([0 <= cell < P15_MAX_CELLS for cell in cells]):
        check_status(P15_ERR_PATTERN, f"{given} {tuple(cells)}")
    for i, cell in enumerate(cells):
        out[i] = cell
    return 0


cdef inline bytes unpack_path(const uint8_t *path, unsigned length):
    """The directions of a packed path (csrc/base/path.h)."""
    return bytes([p15_path_move(path, i) for i in range(length)])
