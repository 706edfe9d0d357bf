"""The searches that find a solution soon and better ones later, around anytime.h (csrc/search/best_first) and
beam_stack.h (csrc/search/layers), which are the manual. `puzzle15._core.search.running` says how they are run, and with
what they answer.
"""

from libc.stdint cimport uint8_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._core.search.evaluator cimport Evaluator
from puzzle15._core.search.running cimport Ends, ends_of, path, run, to_order, trace_of

MAX_PARTS = P15_MOST_PARTS
MAX_EXPANDED = P15_MOST_AT_ONCE
MAX_WIDTH = P15_MOST_STACK_WIDTH
MAX_BELOW = P15_MOST_STACK_MOVES


cdef _Bool run_anytime(void *search, uint64_t expansions) noexcept nogil:
    return p15_anytime_run(<p15_anytime *>search, expansions)


cdef void report_anytime(const void *search, p15_report *report) noexcept nogil:
    p15_anytime_report(<const p15_anytime *>search, report)


cdef size_t path_anytime(const void *search, uint8_t *directions, size_t room) noexcept nogil:
    return p15_anytime_path(<const p15_anytime *>search, directions, room)


cdef void trace_anytime(void *search, p15_trace *trace) noexcept nogil:
    p15_anytime_trace(<p15_anytime *>search, trace)


cdef _Bool run_beam_stack(void *search, uint64_t expansions) noexcept nogil:
    return p15_beam_stack_run(<p15_beam_stack *>search, expansions)


cdef void report_beam_stack(const void *search, p15_report *report) noexcept nogil:
    p15_beam_stack_report(<const p15_beam_stack *>search, report)


cdef size_t path_beam_stack(const void *search, uint8_t *directions, size_t room) noexcept nogil:
    return p15_beam_stack_path(<const p15_beam_stack *>search, directions, room)


cdef void trace_beam_stack(void *search, p15_trace *trace) noexcept nogil:
    p15_beam_stack_trace(<p15_beam_stack *>search, trace)


cdef class Teller:
    """Tells a callable what is new, when the search has noted that something is."""

    cdef p15_anytime *anytime  # one of both
    cdef p15_beam_stack *beam_stack
    cdef Ends ends
    cdef object on_improvement
    cdef unsigned told

    def __call__(self):
        cdef p15_report report
        cdef unsigned h_weight = 0, told
        if self.anytime != NULL:
            told = p15_anytime_told(self.anytime, &h_weight)
        else:
            told = p15_beam_stack_told(self.beam_stack)
        if told == self.told:
            return
        self.told = told
        if self.anytime != NULL:
            p15_anytime_report(self.anytime, &report)
            directions = path(self.anytime, self.ends, path_anytime)
        else:
            p15_beam_stack_report(self.beam_stack, &report)
            directions = path(self.beam_stack, self.ends, path_beam_stack)
        return self.on_improvement(directions, report.lower_bound, h_weight, report.expanded, report.generated)


def anytime(Evaluator evaluator not None, uint64_t start, order, *, unsigned g_weight, unsigned h_weight,
            unsigned h_step=0, unsigned batch=1, on_improvement, max_nodes=None, deadline=None, max_bytes, on_expand=None):
    """Anytime weighted A* and, with a step, ARA*; the other parameters as of `best_first`.

    Parameters
    ----------
    g_weight, h_weight : int
        The weight is ``h_weight / g_weight``, 1 .. `MAX_PARTS` each, at least 1.
    h_step : int
        ARA*: what `h_weight` loses after each round.
    batch : int
        1 .. `MAX_EXPANDED`; 1 in ARA*.
    on_improvement : callable
        Called with (directions, lower bound, h_weight that is finished or 0, expanded, generated), as
        `p15_anytime_told` says. The search ends when it returns False.
    """
    cdef p15_anytime_options options
    cdef p15_anytime *search = NULL
    cdef Teller teller = Teller()
    options.g_weight, options.h_weight, options.h_step = g_weight, h_weight, h_step
    options.max_bytes = max_bytes
    options.cpu = p15_cpu_pick()
    options.batch = batch
    to_order(order, options.order)
    check_status(p15_anytime_new(evaluator.c, start, &options, &search), f"weight {h_weight}/{g_weight}, batch {batch}")
    evaluator.count_work(1)
    try:
        teller.anytime, teller.ends, teller.on_improvement = search, ends_of(evaluator, start), on_improvement
        return run(search, teller.ends, run_anytime, report_anytime, path_anytime, trace_anytime,
                   trace_of(on_expand, evaluator), max_nodes, deadline, evaluator.pace(), teller)
    finally:
        evaluator.count_work(-1)
        p15_anytime_delete(search)


def beam_stack(Evaluator evaluator not None, uint64_t start, order, *, size_t width, unsigned below, on_improvement,
               max_nodes=None, deadline=None, max_bytes, on_expand=None):
    """Beam-stack search for a solution of fewer than `below` moves (1 .. `MAX_BELOW`); the width is 1 .. `MAX_WIDTH`.

    The other parameters are those of `anytime`; there are no weights, so 0 is told.
    """
    cdef p15_beam_stack *search = NULL
    cdef uint8_t[P15_DIRECTIONS] c_order
    cdef Teller teller = Teller()
    to_order(order, c_order)
    check_status(p15_beam_stack_new(evaluator.c, start, c_order, width, below, max_bytes, &search),
                 f"width {width}, below {below} moves")
    evaluator.count_work(1)
    try:
        teller.beam_stack, teller.ends, teller.on_improvement = search, ends_of(evaluator, start), on_improvement
        return run(search, teller.ends, run_beam_stack, report_beam_stack, path_beam_stack,
                   trace_beam_stack, trace_of(on_expand, evaluator), max_nodes, deadline, evaluator.pace(), teller)
    finally:
        evaluator.count_work(-1)
        p15_beam_stack_delete(search)
