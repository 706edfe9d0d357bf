"""The table objects of the multi-tile metric, for the search to hold."""

from libc.stdint cimport uint8_t

from puzzle15._core.c cimport p15_line_space, p15_multi_table


cdef class Lines:
    cdef p15_line_space c
    cdef readonly tuple shape
    cdef readonly int tiles


cdef class Table:
    cdef p15_multi_table c
    cdef readonly Lines space
    cdef const uint8_t[::1] payload
