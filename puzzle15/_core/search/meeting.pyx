"""Two best-first searches that meet: MM, MMe and NBS, around csrc/search/meeting/meeting.h, which is the manual.
`puzzle15._core.search.running` says how they are run, and with what they answer.
"""

from libc.stdint cimport uint8_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._core.search.evaluator cimport Evaluator
from puzzle15._core.search.running cimport Ends, run, to_order
from puzzle15._core.search.trace cimport Trace

#: The rules by their number.
RULES = ("mm", "mme", "nbs")

assert len(RULES) == P15_MEETING_COUNT


cdef _Bool run_meeting(void *search, uint64_t expansions) noexcept nogil:
    return p15_meeting_run(<p15_meeting *>search, expansions)


cdef void report_meeting(const void *search, p15_report *report) noexcept nogil:
    p15_meeting_report(<const p15_meeting *>search, report)


cdef size_t path_meeting(const void *search, uint8_t *directions, size_t room) noexcept nogil:
    return p15_meeting_path(<const p15_meeting *>search, directions, room)


cdef void trace_meeting(void *search, p15_trace *trace) noexcept nogil:
    p15_meeting_trace(<p15_meeting *>search, trace)


cdef int to_end(uint64_t root, Evaluator evaluator, back, p15_end *end) except -1:
    if len(back) != P15_DIRECTIONS:
        raise ValueError(f"back {back!r}: expected four directions")
    end.root = root
    end.evaluator = evaluator.c
    for i in range(P15_DIRECTIONS):
        end.back[i] = back[i]
    return 0


def meeting(Evaluator evaluator not None, uint64_t start, order, *, unsigned rule, uint64_t goal,
            Evaluator backward not None, backs, unsigned batch=1, max_nodes=None, deadline=None, max_bytes, on_expand=None):
    """MM, MMe and NBS. Boards and directions are those of the caller, also where evaluators look at turned ones.

    Parameters
    ----------
    evaluator, backward : Evaluator
        The heuristics of the start's side, to the goal, and of the goal's side, to the start.
    start : int
    order : bytes
        The four directions, in which children are made.
    rule : int
        Which of `RULES`.
    goal : int
    backs : (bytes, bytes)
        Of both evaluators: the direction here of each direction on their boards, as from `Heuristic.prepare`.
    batch : int
        How many nodes are expanded at once.
    max_nodes, deadline, max_bytes, on_expand
        As of `puzzle15._core.search.best_first.best_first`.
    """
    cdef p15_meeting_options options
    cdef p15_end[2] ends
    cdef p15_meeting *search = NULL
    options.rule = <p15_meeting_rule>rule
    options.max_bytes = max_bytes
    options.cpu = p15_cpu_pick()
    options.batch = batch
    to_order(order, options.order)
    to_end(start, evaluator, backs[0], &ends[0])
    to_end(goal, backward, backs[1], &ends[1])
    check_status(p15_meeting_new(ends, &options, &search), None)
    trace = None if on_expand is None else Trace.of(on_expand, to_shape(evaluator.shape), None)
    evaluator.count_work(1)
    backward.count_work(1)
    try:
        return run(search, Ends(to_shape(evaluator.shape), start, goal), run_meeting, report_meeting, path_meeting,
                   trace_meeting, trace, max_nodes, deadline, evaluator.pace())
    finally:
        evaluator.count_work(-1)
        backward.count_work(-1)
        p15_meeting_delete(search)
