"""The problem object, for other extensions to hold."""

from puzzle15._core.c cimport p15_automaton, p15_problem


cdef class Automaton:
    cdef p15_automaton c
    cdef readonly tuple shape


cdef class Problem:
    cdef p15_problem c
    cdef Automaton automaton, longer
    cdef object make_longer
    cdef list tables
    cdef list moved  # tables that are not looked at any more, but that workers may still point to
    cdef readonly int running  # searches and batches that are at work; counted under the GIL
    cdef lengthen(self)
