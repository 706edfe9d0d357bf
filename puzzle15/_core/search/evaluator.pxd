"""The evaluator object, for the searches to hold."""

from libc.stdint cimport uint64_t

from puzzle15._core.c cimport _Bool, p15_board, p15_shape


cdef extern from "search/heuristics/evaluator.h" nogil:
    ctypedef struct p15_evaluator:
        pass

    _Bool p15_evaluator_has_function(const p15_evaluator *evaluator)
    p15_shape p15_evaluator_shape(const p15_evaluator *evaluator)
    p15_board p15_evaluator_goal(const p15_evaluator *evaluator)


cdef class Evaluator:
    cdef p15_evaluator *c
    cdef readonly tuple shape
    cdef list parts  # problems, networks, functions, tables and arrays that it looks at
    cdef list compiled  # functions
    cdef object pace(self)
    cdef object pace_of(self, int steps)
    cdef int count_work(self, int change) except -1


cdef uint64_t refused_by(tuple evaluators)
cdef int check_refused(tuple evaluators, uint64_t refused) except -1
