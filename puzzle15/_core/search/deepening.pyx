"""The textbook depth-first searches, around csrc/search/deepening/deepening.h, which is the manual.

Boards are packed; directions are the blank's, as bytes.  The GIL is released, Ctrl-C, the end of the team
(`puzzle15.parallel`) and limits act within a few hundredths of a second, and nothing is left behind when a
search is interrupted.
"""

import time

from libc.stdint cimport UINT64_MAX, uint8_t, uint32_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._core.search.evaluator cimport Evaluator
from puzzle15._core.search.running cimport ends_of, replayed
from puzzle15._core.search.trace cimport Trace
from puzzle15.parallel import check_stop

MAX_BOUND = P15_MAX_BOUND


def deepening(Evaluator evaluator not None, uint64_t start, bytes order, *, first_bound=None, last_bound=None,
              max_nodes=None, deadline=None, on_iteration=None, on_expand=None, max_bytes=None, level=None):
    """IDA*, iterative deepening, or one depth-first search to a limit.

    Parameters
    ----------
    evaluator : Evaluator
        Without a heuristic, f is the depth.
    start : int
    order : bytes
        The directions 0 .. 3 as the children are made.
    first_bound, last_bound : int, optional
        Of f: from h of the start, to `MAX_BOUND`. One iteration if they are equal.
    max_nodes : int, optional
        Stop when so many nodes were generated, or some dozens more.
    deadline : float, optional
        Stop at this `time.monotonic`.
    on_iteration : callable, optional
        Called with (bound, expanded, generated) after every iteration.
    on_expand : callable, optional
        Called with each expansion, as in `puzzle15._core.search.trace`, until it returns False.
    max_bytes : int, optional
        Remember boards in a table of at most this size. MemoryError if that is too little for the smallest table.
    level : int, optional
        The level of the processor to search as, for tests: 0 .. `puzzle15._ann.level`.

    Returns
    -------
    dict
        status ("solved", "limit", or "failed" after the last bound), directions (bytes or None),
        lower_bound (if the heuristics are admissible), expanded, generated, memory_bytes, iterations;
        and reopened, largest_open and largest_closed, which are 0: there are no lists.
    """
    cdef p15_deepening *search = NULL
    cdef p15_deepening_result result
    cdef uint32_t first = P15_FROM_H, last = P15_MAX_BOUND
    cdef uint64_t limit = UINT64_MAX
    cdef uint64_t visits
    cdef unsigned seen = 0
    cdef bint more = True
    cdef p15_cpu cpu = p15_cpu_pick()
    cdef Trace trace = None
    if level is not None:
        if not 0 <= level <= cpu:
            raise ValueError(f"level {level}: 0 .. {<int>cpu} is what this processor has")
        cpu = <p15_cpu><int>level
    if len(order) != P15_DIRECTIONS:
        raise ValueError(f"an order of {len(order)} directions; a permutation of 0 .. 3 is expected")
    for bound in (first_bound, last_bound):
        if bound is not None and not 0 <= bound <= P15_MAX_BOUND:
            raise ValueError(f"bound {bound}: 0 .. {P15_MAX_BOUND} is expected")
    if first_bound is not None:
        first = first_bound
    if last_bound is not None:
        last = last_bound
    if max_nodes is not None:
        limit = min(max(max_nodes, 0), UINT64_MAX)
    check_status(p15_deepening_new(evaluator.c, start, order, first, last, limit, cpu, &search),
                 f"board {start:#x}, order {list(order)}")
    evaluator.count_work(1)
    pace = evaluator.pace()
    try:
        if max_bytes is not None:
            check_status(p15_deepening_remember(search, order, max_bytes), None)
        if on_expand is not None:
            trace = Trace.of(on_expand, to_shape(evaluator.shape), evaluator)
            p15_deepening_trace(search, &trace.c)
        while True:
            p15_deepening_look(search, &result)
            check_status(result.status, None)
            if trace is not None and not trace.report(ended=not more):
                p15_deepening_trace(search, NULL)
                trace = None
            while seen < result.iteration_count:
                seen += 1
                if on_iteration is not None:
                    on_iteration(*iteration_of(&result, seen - 1))
            if not more or result.generated >= limit:
                break
            if deadline is not None and time.monotonic() >= deadline:
                break
            visits = pace.steps if trace is None else 1
            with nogil:
                more = p15_deepening_run(search, visits)
            if trace is None:
                pace.check_stop(counts=not result.upkeep)
            else:
                check_stop()
        return {
            "status": "solved" if result.solved else "limit" if more else "failed",
            "directions": replayed(result.path[:result.length], ends_of(evaluator, start)) if result.solved else None,
            "lower_bound": result.lower_bound,
            "expanded": result.expanded,
            "generated": result.generated,
            "reopened": 0,
            "largest_open": 0,
            "largest_closed": 0,
            "memory_bytes": result.bytes,
            "iterations": [iteration_of(&result, i) for i in range(result.iteration_count)],
        }
    finally:
        evaluator.count_work(-1)
        p15_deepening_delete(search)


cdef tuple iteration_of(const p15_deepening_result *result, unsigned index):
    cdef const p15_iteration *it = &result.iterations[index]
    return it.bound, it.expanded, it.generated
