"""Breadth-first heuristic search, around breadth_first.h of csrc/search/layers, which is the manual.
`puzzle15._core.search.running` says how it is run, and with what it answers.
"""

from libc.stdint cimport uint8_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._core.search.evaluator cimport Evaluator
from puzzle15._core.search.running cimport ends_of, run, to_order, trace_of


cdef _Bool run_breadth(void *search, uint64_t expansions) noexcept nogil:
    return p15_breadth_run(<p15_breadth *>search, expansions)


cdef void report_breadth(const void *search, p15_report *report) noexcept nogil:
    p15_breadth_report(<const p15_breadth *>search, report)


cdef size_t path_breadth(const void *search, uint8_t *directions, size_t room) noexcept nogil:
    return p15_breadth_path(<const p15_breadth *>search, directions, room)


cdef void trace_breadth(void *search, p15_trace *trace) noexcept nogil:
    p15_breadth_trace(<p15_breadth *>search, trace)


cdef class Iterations:
    """The iterations that have ended; a callable, if there is one, is told of each."""

    cdef p15_breadth *search
    cdef object on_iteration
    cdef list ended

    def __call__(self):
        cdef size_t count
        cdef const p15_iteration *iterations = p15_breadth_iterations(self.search, &count)
        while <size_t>len(self.ended) < count:
            it = iterations[len(self.ended)]
            self.ended.append((it.bound, it.expanded, it.generated))
            if self.on_iteration is not None:
                self.on_iteration(it.bound, it.expanded, it.generated)


def breadth_first_heuristic(Evaluator evaluator not None, uint64_t start, order, *, max_nodes=None, deadline=None,
                            max_bytes, on_iteration=None, on_expand=None):
    """Breadth-first heuristic search with a growing bound; parameters as of `best_first` and `deepening`.

    The answer has `iterations`, too, as that of `deepening`.
    """
    cdef p15_breadth *search = NULL
    cdef uint8_t[P15_DIRECTIONS] c_order
    cdef Iterations iterations = Iterations()
    to_order(order, c_order)
    check_status(p15_breadth_new(evaluator.c, start, c_order, max_bytes, &search), None)
    evaluator.count_work(1)
    try:
        iterations.search, iterations.on_iteration, iterations.ended = search, on_iteration, []
        answer = run(search, ends_of(evaluator, start), run_breadth, report_breadth, path_breadth, trace_breadth,
                     trace_of(on_expand, evaluator), max_nodes, deadline, evaluator.pace(), iterations)
        return {**answer, "iterations": iterations.ended}
    finally:
        evaluator.count_work(-1)
        p15_breadth_delete(search)
