"""The problem object, for other extensions to hold."""

from puzzle15._core.c cimport p15_automaton, p15_problem
from puzzle15._core.optimal.problem cimport Problem as AnyProblem


cdef class Automaton:
    cdef p15_automaton c
    cdef readonly tuple shape


cdef class Problem(AnyProblem):
    cdef p15_problem c
    cdef Automaton automaton, longer
    cdef object make_longer
