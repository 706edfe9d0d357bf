"""The table objects of the multi-tile metric, for the search to hold."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from puzzle15._core.c cimport p15_shape, p15_status


cdef extern from "multitile/lines.h" nogil:
    enum:
        P15_AXES

    ctypedef struct p15_line_space:
        p15_shape shape
        uint32_t map_count, perm_count
        uint32_t block_count[P15_AXES]

    ctypedef struct p15_line_state:
        uint16_t block, perm
        uint8_t cell

    p15_status p15_line_space_init(p15_shape shape, unsigned k, p15_line_space *lines)
    void p15_line_space_free(p15_line_space *lines)
    p15_line_state p15_line_space_state(const p15_line_space *lines, unsigned axis, const uint8_t *cell_of,
                                        unsigned blank)


cdef extern from "multitile/table.h" nogil:
    ctypedef struct p15_multi_table:
        unsigned goal_map


cdef class Lines:
    cdef p15_line_space c
    cdef readonly tuple shape
    cdef readonly unsigned tiles, map_count, block_count, row_count


cdef class Table:
    cdef p15_multi_table c
    cdef readonly Lines space
    cdef readonly unsigned cells
    cdef readonly bint classic  # False
    cdef const uint8_t[::1] payload
