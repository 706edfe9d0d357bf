"""The evaluator object, for the searches to hold."""

from puzzle15._core.c cimport p15_evaluator


cdef class Evaluator:
    cdef p15_evaluator *c
    cdef readonly tuple shape
    cdef list parts  # problems, networks and functions that it looks at
    cdef object pace(self)
    cdef int count_work(self, int change) except -1
