"""The searches that forget nodes and make them again, around csrc/search/memory_bounded, whose headers are the manual.
`puzzle15._core.search.running` says how they are run, and with what they answer.
"""

from libc.stdint cimport uint8_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._core.search.evaluator cimport Evaluator
from puzzle15._core.search.running cimport ends_of, run, to_order, trace_of

SMA_NODE_BYTES = P15_SMA_NODE_BYTES
SMA_LEAST_NODES = P15_SMA_LEAST_NODES


cdef _Bool run_rbfs(void *search, uint64_t expansions) noexcept nogil:
    return p15_rbfs_run(<p15_rbfs *>search, expansions)


cdef void report_rbfs(const void *search, p15_report *report) noexcept nogil:
    p15_rbfs_report(<const p15_rbfs *>search, report)


cdef size_t path_rbfs(const void *search, uint8_t *directions, size_t room) noexcept nogil:
    return p15_rbfs_path(<const p15_rbfs *>search, directions, room)


cdef void trace_rbfs(void *search, p15_trace *trace) noexcept nogil:
    p15_rbfs_trace(<p15_rbfs *>search, trace)


cdef _Bool run_sma(void *search, uint64_t expansions) noexcept nogil:
    return p15_sma_run(<p15_sma *>search, expansions)


cdef void report_sma(const void *search, p15_report *report) noexcept nogil:
    p15_sma_report(<const p15_sma *>search, report)


cdef size_t path_sma(const void *search, uint8_t *directions, size_t room) noexcept nogil:
    return p15_sma_path(<const p15_sma *>search, directions, room)


cdef void trace_sma(void *search, p15_trace *trace) noexcept nogil:
    p15_sma_trace(<p15_sma *>search, trace)


def rbfs(Evaluator evaluator not None, uint64_t start, order, *, max_nodes=None, deadline=None, on_expand=None):
    """Recursive best-first search.

    Parameters
    ----------
    evaluator : Evaluator
    start : int
    order : bytes
        The four directions, in which children are made.
    max_nodes : int, optional
        Stop when this many nodes were generated.
    deadline : float, optional
        Stop at this `time.monotonic`.
    on_expand : callable, optional
        Called with each expansion, as in `puzzle15._core.search.trace`, until it returns False.
    """
    cdef p15_rbfs *search = NULL
    cdef uint8_t[P15_DIRECTIONS] c_order
    to_order(order, c_order)
    check_status(p15_rbfs_new(evaluator.c, start, c_order, &search), None)
    evaluator.count_work(1)
    try:
        return run(search, ends_of(evaluator, start), run_rbfs, report_rbfs, path_rbfs, trace_rbfs,
                   trace_of(on_expand, evaluator), max_nodes, deadline, evaluator.pace())
    finally:
        evaluator.count_work(-1)
        p15_rbfs_delete(search)


def sma(Evaluator evaluator not None, uint64_t start, order, *, max_nodes=None, deadline=None, max_bytes,
        on_expand=None):
    """SMA* with a memory of ``max_bytes // SMA_NODE_BYTES`` nodes, at least `SMA_LEAST_NODES`; the other parameters as of
    `rbfs`.
    """
    cdef p15_sma *search = NULL
    cdef uint8_t[P15_DIRECTIONS] c_order
    to_order(order, c_order)
    check_status(p15_sma_new(evaluator.c, start, c_order, max_bytes, &search), None)
    evaluator.count_work(1)
    try:
        return run(search, ends_of(evaluator, start), run_sma, report_sma, path_sma, trace_sma,
                   trace_of(on_expand, evaluator), max_nodes, deadline, evaluator.pace())
    finally:
        evaluator.count_work(-1)
        p15_sma_delete(search)
