"""The trace object, for the searches to fill."""

from puzzle15._core.c cimport p15_shape, p15_trace
from puzzle15._core.search.evaluator cimport Evaluator


cdef class Trace:
    cdef p15_trace c
    cdef object on_expand
    cdef Evaluator evaluator
    cdef bint report(self, bint ended) except -1
    @staticmethod
    cdef Trace of(on_expand, p15_shape shape, Evaluator evaluator)
