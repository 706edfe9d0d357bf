"""The table objects, for the searches to hold."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from puzzle15._core.c cimport _Bool, p15_cpu, p15_shape, p15_status


cdef extern from "tables/space.h" nogil:
    enum:
        P15_SEGMENTS, P15_MAX_PATTERN

    ctypedef struct p15_space:
        p15_shape shape
        unsigned k
        uint32_t map_count, block_count, row_count, word_count
        uint16_t *block_map
        uint16_t *block_region

    p15_status p15_space_init(p15_shape shape, unsigned k, p15_space *space)
    void p15_space_free(p15_space *space)
    uint32_t p15_space_block(const p15_space *space, unsigned map, unsigned cell)
    unsigned p15_space_segment(const p15_space *space, unsigned map)
    uint32_t p15_space_unrank(const p15_space *space, uint32_t row)


cdef extern from "tables/table.h" nogil:
    ctypedef struct p15_table:
        _Bool classic
        unsigned max_value, goal_map, home
        p15_cpu cpu


cdef class Space:
    cdef p15_space c
    cdef readonly tuple shape
    cdef readonly unsigned tiles, map_count, block_count, row_count, word_count


cdef class Table:
    cdef p15_table c
    cdef readonly Space space
    cdef readonly bint classic
    cdef readonly unsigned cells, max_value
    cdef const uint8_t[::1] payload
