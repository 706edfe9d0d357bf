"""The searches that keep their nodes, around best_first.h, bidirectional.h and local.h of csrc/search/best_first, which
are the manual. `puzzle15._core.search.running` says how they are run, and with what they answer.
"""

from libc.stdint cimport uint8_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._core.search.evaluator cimport Evaluator
from puzzle15._core.search.running cimport as_dict, ends_of, replayed, run, to_order, trace_of
from puzzle15._core.search.trace cimport Trace
from puzzle15.parallel import check_stop

MAX_WEIGHT = P15_MAX_WEIGHT
MAX_EXPANDED = P15_MAX_EXPANDED
MAX_WIDTH = P15_MAX_WIDTH
MAX_TIES = P15_TIES_LARGER_G
#: Numbers of moves are counted to here.
MAX_G = P15_CLOSED_MAX_G


cdef _Bool run_best_first(void *search, uint64_t expansions) noexcept nogil:
    return p15_bestfirst_run(<p15_bestfirst *>search, expansions)


cdef void report_best_first(const void *search, p15_report *report) noexcept nogil:
    p15_bestfirst_report(<const p15_bestfirst *>search, report)


cdef size_t path_best_first(const void *search, uint8_t *directions, size_t room) noexcept nogil:
    return p15_bestfirst_path(<const p15_bestfirst *>search, directions, room)


cdef void trace_best_first(void *search, p15_trace *trace) noexcept nogil:
    p15_bestfirst_trace(<p15_bestfirst *>search, trace)


cdef _Bool run_bidirectional(void *search, uint64_t expansions) noexcept nogil:
    return p15_bidirectional_run(<p15_bidirectional *>search, expansions)


cdef void report_bidirectional(const void *search, p15_report *report) noexcept nogil:
    p15_bidirectional_report(<const p15_bidirectional *>search, report)


cdef size_t path_bidirectional(const void *search, uint8_t *directions, size_t room) noexcept nogil:
    return p15_bidirectional_path(<const p15_bidirectional *>search, directions, room)


cdef void trace_bidirectional(void *search, p15_trace *trace) noexcept nogil:
    p15_bidirectional_trace(<p15_bidirectional *>search, trace)


cdef _Bool run_beam(void *search, uint64_t expansions) noexcept nogil:
    return p15_beam_run(<p15_beam *>search, expansions)


cdef void report_beam(const void *search, p15_report *report) noexcept nogil:
    p15_beam_report(<const p15_beam *>search, report)


cdef size_t path_beam(const void *search, uint8_t *directions, size_t room) noexcept nogil:
    return p15_beam_path(<const p15_beam *>search, directions, room)


cdef void trace_beam(void *search, p15_trace *trace) noexcept nogil:
    p15_beam_trace(<p15_beam *>search, trace)


def best_first(Evaluator evaluator not None, uint64_t start, order, *, unsigned g_weight, unsigned h_weight,
               unsigned ties, bint prove=False, unsigned batch=1, max_nodes=None, deadline=None, max_bytes,
               on_expand=None):
    """A*, weighted A*, greedy search, breadth-first search, branch and bound.

    Parameters
    ----------
    evaluator : Evaluator
    start : int
    order : bytes
        The four directions, in which children are made.
    g_weight, h_weight : int
        Priority is ``g_weight * g + h_weight * h``.
    ties : int
        Which of equals goes first: 0 .. `MAX_TIES`, `p15_ties` of the header.
    prove : bool
        Go on after the first solution until no better one can be.
    batch : int
        How many nodes are expanded at once: 1 .. `MAX_EXPANDED`.
    max_nodes : int, optional
        Stop when this many nodes were generated.
    deadline : float, optional
        Stop at this `time.monotonic`.
    max_bytes : int
        Memory for nodes.
    on_expand : callable, optional
        Called with each expansion, as in `puzzle15._core.search.trace`, until it returns False.
    """
    cdef p15_bestfirst_options options
    cdef p15_bestfirst *search = NULL
    options.g_weight, options.h_weight = g_weight, h_weight
    options.ties = <p15_ties>ties
    options.prove = prove
    options.max_bytes = max_bytes
    options.cpu = p15_cpu_pick()
    options.batch = batch
    to_order(order, options.order)
    check_status(p15_bestfirst_new(evaluator.c, start, &options, &search), None)
    evaluator.count_work(1)
    try:
        return run(search, ends_of(evaluator, start), run_best_first, report_best_first, path_best_first,
                   trace_best_first, trace_of(on_expand, evaluator), max_nodes, deadline, evaluator.pace())
    finally:
        evaluator.count_work(-1)
        p15_bestfirst_delete(search)


def bidirectional(Evaluator evaluator not None, uint64_t start, order, *, max_nodes=None, deadline=None, max_bytes,
                  on_expand=None):
    """Breadth-first search from both ends; parameters as of `best_first`. It reads the evaluator's goal only."""
    cdef p15_bidirectional *search = NULL
    cdef uint8_t[P15_DIRECTIONS] c_order
    to_order(order, c_order)
    cdef p15_shape shape = to_shape(evaluator.shape)
    check_status(p15_bidirectional_new(shape, start, p15_evaluator_goal(evaluator.c), c_order, max_bytes, &search), None)
    trace = None if on_expand is None else Trace.of(on_expand, shape, None)
    try:
        return run(search, ends_of(evaluator, start), run_bidirectional, report_bidirectional,
                   path_bidirectional, trace_bidirectional, trace, max_nodes, deadline)
    finally:
        p15_bidirectional_delete(search)


def beam(Evaluator evaluator not None, uint64_t start, order, *, size_t width, max_nodes=None, deadline=None,
         max_bytes, on_expand=None):
    """Beam search of a width in boards; the other parameters as of `best_first`."""
    cdef p15_beam *search = NULL
    cdef uint8_t[P15_DIRECTIONS] c_order
    to_order(order, c_order)
    check_status(p15_beam_new(evaluator.c, start, c_order, width, max_bytes, &search), f"width {width}")
    evaluator.count_work(1)
    try:
        return run(search, ends_of(evaluator, start), run_beam, report_beam, path_beam, trace_beam,
                   trace_of(on_expand, evaluator), max_nodes, deadline, evaluator.pace())
    finally:
        evaluator.count_work(-1)
        p15_beam_delete(search)


def hill_climbing(Evaluator evaluator not None, uint64_t start, order, *, max_nodes=None, deadline=None, on_expand=None):
    """Steepest descent of h: a few microseconds, so limits are ignored. `directions` may lead to a local minimum."""
    cdef p15_report report
    cdef uint8_t[P15_CLIMB_ROOM] directions
    cdef uint8_t[P15_DIRECTIONS] c_order
    cdef size_t length = 0
    cdef Trace trace = trace_of(on_expand, evaluator)
    to_order(order, c_order)
    check_status(p15_climb(evaluator.c, start, c_order, NULL if trace is None else &trace.c, &report, directions,
                           &length), None)
    check_stop()
    if trace is not None:
        trace.report(ended=True)
    made = bytes(directions[:length])
    if report.state == P15_SEARCH_SOLVED:
        replayed(made, ends_of(evaluator, start))
    return as_dict(&report, False, made)
