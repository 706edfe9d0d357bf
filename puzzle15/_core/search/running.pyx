"""Runs the searches that keep their nodes: what is common to all of csrc/search/best_first.

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


cdef Ends ends_of(Evaluator evaluator, uint64_t start) noexcept:
    return Ends(p15_evaluator_shape(evaluator.c), start, p15_evaluator_goal(evaluator.c))


cdef bytes replayed(bytes directions, Ends ends):
    """The directions of a solution; InternalError unless they lead from its board to the goal."""
    check_status(p15_board_replay(ends.start, ends.goal, ends.shape, <const uint8_t *>directions, len(directions)), None)
    return directions


cdef int to_order(order, uint8_t *c_order) except -1:
    if sorted(order) != [0, 1, 2, 3]:
        raise ValueError(f"order {order!r}: expected the directions 0, 1, 2 and 3, each once")
    for i in range(P15_DIRECTIONS):
        c_order[i] = order[i]
    return 0


cdef Trace trace_of(on_expand, Evaluator evaluator):
    return None if on_expand is None else Trace.of(on_expand, to_shape(evaluator.shape), evaluator)


cdef dict run(void *search, Ends ends, run_function run_some, report_function report_of, path_function path_of,
              trace_function trace_to, Trace trace, max_nodes, deadline, pace=None, after=None):
    """Run a search to its end or to a limit, at the pace of its evaluator. A trace is told of each expansion at once.

    `after` is called whenever the search pauses, and may end it as a limit does by returning False.
    """
    cdef p15_report report
    cdef bint more = True
    cdef uint64_t expansions
    if pace is None:
        pace = Pace()
    if trace is not None:
        trace_to(search, &trace.c)
    while True:
        report_of(search, &report)
        if trace is not None and not trace.report(ended=not more):
            trace_to(search, NULL)
            trace = None
        if after is not None and after() is False:
            break
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
            pace.check_stop(counts=not report.upkeep)
        else:
            check_stop()
    if trace is not None:
        trace.report(ended=True)
    return as_dict(&report, report.state == P15_SEARCH_RUNNING, path(search, ends, path_of))


cdef bytes path(void *search, Ends ends, path_function path_of):
    """The directions of a search's solution, replayed; None without one."""
    cdef size_t length = path_of(search, NULL, 0)
    cdef uint8_t *directions
    if length == <size_t>-1:
        return None
    directions = <uint8_t *>malloc(length + 1)
    if directions == NULL:
        raise MemoryError
    try:
        path_of(search, directions, length)
        return replayed(directions[:length], ends)
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
