"""The table objects, for the search to hold."""

from libc.stdint cimport uint8_t

from puzzle15._core.c cimport p15_space, p15_table


cdef class Space:
    cdef p15_space c
    cdef readonly tuple shape
    cdef readonly int tiles


cdef class Table:
    cdef p15_table c
    cdef readonly Space space
    cdef const uint8_t[::1] payload
