"""The problem object, for other extensions to hold."""

from puzzle15._core.c cimport p15_fsm, p15_problem
from puzzle15._core.optimal.problem cimport Problem as AnyProblem


cdef class StateMachine:
    cdef p15_fsm c
    cdef readonly tuple shape


cdef class Problem(AnyProblem):
    cdef p15_problem c
    cdef StateMachine fsm, longer
    cdef object make_longer
