"""The problem object, for other extensions to hold."""

from puzzle15._c cimport p15_automaton, p15_problem


cdef class Automaton:
    cdef p15_automaton c
    cdef readonly tuple shape


cdef class Problem:
    cdef p15_problem c
    cdef Automaton automaton
    cdef list tables
