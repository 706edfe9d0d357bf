"""The searches that keep their nodes, around csrc/search/best_first/best_first.h, search/best_first/bidirectional.h and search/best_first/local.h,
which are the manual.

Boards are packed; directions are the blank's: 0 up, 1 left, 2 right, 3 down. Calls release the GIL, act
on Ctrl-C and on the end of their team (`puzzle15.parallel`) within a tenth of a second, and leave nothing
behind when they are interrupted. All answer with a dict:

status : "solved", "limit" or "failed"
    "failed": the space that the search allows itself ended without the goal.
directions : bytes or None
    From the start to the goal; of a search that was stopped, the best found so far.
lower_bound : int
    Moves that every solution has, if the heuristic is admissible.
expanded, generated, reopened, largest_open, largest_closed, nodes, memory_bytes : int
"""

import time

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from puzzle15._core.c cimport *
from puzzle15._core.search.evaluator cimport Evaluator
from puzzle15._core.search.trace cimport Trace
from puzzle15.parallel import Pace, check_stop

MAX_WEIGHT = P15_MAX_WEIGHT
MAX_EXPANDED = P15_MAX_EXPANDED
MAX_WIDTH = P15_MAX_WIDTH
MAX_TIES = P15_TIES_LARGER_G
#: Numbers of moves are counted to here.
MAX_G = P15_CLOSED_MAX_G

# The functions of any search: calling those of one through pointers to another type of function would be undefined.
ctypedef _Bool (*run_function)(void *search, uint64_t expansions) noexcept nogil
ctypedef void (*report_function)(const void *search, p15_report *report) noexcept nogil
ctypedef size_t (*path_function)(const void *search, uint8_t *directions, size_t room) noexcept nogil
ctypedef void (*trace_function)(void *search, p15_trace *trace) noexcept nogil


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
        return run(search, run_best_first, report_best_first, path_best_first, trace_best_first,
                   trace_of(on_expand, evaluator), max_nodes, deadline)
    finally:
        evaluator.count_work(-1)
        p15_bestfirst_delete(search)


def bidirectional(shape, uint64_t start, uint64_t goal, order, *, max_nodes=None, deadline=None, max_bytes,
                  on_expand=None):
    """Breadth-first search from both ends; parameters as of `best_first`."""
    cdef p15_bidirectional *search = NULL
    cdef uint8_t[P15_DIRECTIONS] c_order
    to_order(order, c_order)
    check_status(p15_bidirectional_new(to_shape(shape), start, goal, c_order, max_bytes, &search), None)
    trace = None if on_expand is None else Trace.of(on_expand, to_shape(shape), None)
    try:
        return run(search, run_bidirectional, report_bidirectional, path_bidirectional, trace_bidirectional, trace,
                   max_nodes, deadline)
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
        return run(search, run_beam, report_beam, path_beam, trace_beam, trace_of(on_expand, evaluator), max_nodes,
                   deadline)
    finally:
        evaluator.count_work(-1)
        p15_beam_delete(search)


def hill_climbing(Evaluator evaluator not None, uint64_t start, order, *, on_expand=None):
    """Steepest descent of h; a few microseconds. Also gives the moves to a local minimum, as `directions`."""
    cdef p15_report report
    cdef uint8_t[P15_CLIMB_ROOM] directions
    cdef uint8_t[P15_DIRECTIONS] c_order
    cdef size_t length = 0
    cdef Trace trace = trace_of(on_expand, evaluator)
    to_order(order, c_order)
    check_status(p15_climb(evaluator.c, start, c_order, NULL if trace is None else &trace.c, &report, directions,
                           &length), None)
    if trace is not None:
        trace.report(ended=True)
    return as_dict(&report, False, bytes(directions[:length]))


cdef int to_order(order, uint8_t *c_order) except -1:
    if sorted(order) != [0, 1, 2, 3]:
        raise ValueError(f"order {order!r}: expected the directions 0, 1, 2 and 3, each once")
    for i in range(P15_DIRECTIONS):
        c_order[i] = order[i]
    return 0


cdef Trace trace_of(on_expand, Evaluator evaluator):
    return None if on_expand is None else Trace.of(on_expand, to_shape(evaluator.shape), evaluator)


cdef dict run(void *search, run_function run_some, report_function report_of, path_function path_of,
              trace_function trace_to, Trace trace, max_nodes, deadline):
    """Run a search to its end or to a limit. A trace is told of each expansion at once."""
    cdef p15_report report
    cdef bint more = True
    cdef uint64_t expansions
    pace = Pace()
    if trace is not None:
        trace_to(search, &trace.c)
    while True:
        report_of(search, &report)
        if trace is not None and not trace.report(ended=not more):
            trace_to(search, NULL)
            trace = None
        expansions = pace.steps
        if max_nodes is not None:
            if report.generated >= max_nodes:
                break
            expansions = min(pace.steps, (max_nodes - report.generated + 3) // 4)
        if not more or (deadline is not None and time.monotonic() >= deadline):
            break
        if trace is not None:
            expansions = 1
        with nogil:
            more = run_some(search, expansions)
        if trace is None:
            pace.check_stop()
        else:
            check_stop()
    if trace is not None:
        trace.report(ended=True)
    return as_dict(&report, report.state == P15_SEARCH_RUNNING, path(search, path_of))


cdef bytes path(void *search, path_function path_of):
    """The directions of a search's solution, None without one."""
    cdef size_t length = path_of(search, NULL, 0)
    cdef uint8_t *directions
    if length == <size_t>-1:
        return None
    directions = <uint8_t *>malloc(length + 1)
    if directions == NULL:
        raise MemoryError
    try:
        path_of(search, directions, length)
        return directions[:length]
    finally:
        free(directions)


cdef dict as_dict(const p15_report *report, bint stopped, bytes directions):
    if stopped or report.state == P15_SEARCH_NO_ROOM:
        status = "limit"
    else:
        status = "solved" if report.state == P15_SEARCH_SOLVED else "failed"
    return {
        "status": status,
        "directions": directions,
        "lower_bound": report.lower_bound,
        "expanded": report.expanded,
        "generated": report.generated,
        "reopened": report.reopened,
        "largest_open": report.largest_open,
        "largest_closed": report.largest_closed,
        "nodes": report.nodes,
        "memory_bytes": report.bytes,
    }
