"""The problem object, for other extensions to hold."""

from libc.stdint cimport uint64_t

from puzzle15._core.c cimport _Bool, p15_board, p15_cpu, p15_shape
from puzzle15._core.optimal.problem cimport Problem as AnyProblem


cdef extern from "optimal/fsm.h" nogil:
    ctypedef struct p15_fsm:
        pass


cdef extern from "optimal/problem.h" nogil:
    ctypedef struct p15_problem:
        p15_shape shape
        p15_board goal
        _Bool plain
        unsigned slot_count, lookup_count
        uint64_t large
        p15_cpu cpu


cdef class StateMachine:
    cdef p15_fsm c
    cdef readonly tuple shape


cdef class Problem(AnyProblem):
    cdef p15_problem c
    cdef StateMachine fsm, longer
    cdef object make_longer
