"""What the extension modules of searches that keep their nodes share; see running.pyx."""

from libc.stdint cimport uint8_t, uint64_t

from puzzle15._core.c cimport _Bool, p15_board, p15_report, p15_shape, p15_trace
from puzzle15._core.search.evaluator cimport Evaluator
from puzzle15._core.search.trace cimport Trace

# The functions of any search: calling those of one through pointers to another type of function would be undefined.
ctypedef _Bool (*run_function)(void *search, uint64_t expansions) noexcept nogil
ctypedef void (*report_function)(const void *search, p15_report *report) noexcept nogil
ctypedef size_t (*path_function)(const void *search, uint8_t *directions, size_t room) noexcept nogil
ctypedef void (*trace_function)(void *search, p15_trace *trace) noexcept nogil

# What a solution must lead from and to.
ctypedef struct Ends:
    p15_shape shape
    p15_board start, goal

cdef Ends ends_of(Evaluator evaluator, uint64_t start) noexcept
cdef bytes replayed(bytes directions, Ends ends)
cdef int to_order(order, uint8_t *c_order) except -1
cdef Trace trace_of(on_expand, Evaluator evaluator)
cdef dict run(void *search, Ends ends, run_function run_some, report_function report_of, path_function path_of,
              trace_function trace_to, Trace trace, max_nodes, deadline, pace=*, after=*)
cdef bytes path(void *search, Ends ends, path_function path_of)
cdef dict as_dict(const p15_report *report, bint stopped, bytes directions)
