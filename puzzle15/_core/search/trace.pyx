"""Traces of searches, around csrc/search/trace.h, which is the manual: a callable is told of each expansion.

The callable of a trace takes (iteration, bound, side, board, g, h, goal, place, children); its children are (board,
direction, h, fate, place), where `FATES` names the fates. Boards are packed; directions are the blank's; the bound is
None where there is none. A place is a number that tells a node from others, or 0 where its board and g do. The callable
returns whether it wants to be told of the next one.
"""

from puzzle15._core.c cimport *
from puzzle15._core.search.evaluator cimport Evaluator

#: What becomes of children, by their number.
FATES = ("open", "known", "reopened", "cut", "dropped")

assert len(FATES) == P15_FATE_COUNT


cdef class Trace:
    """What a search has written down, and whom to tell it."""

    @staticmethod
    cdef Trace of(on_expand, p15_shape shape, Evaluator evaluator):
        """A trace for a callable; without an evaluator, h is 0."""
        cdef Trace trace = Trace.__new__(Trace)
        trace.on_expand = on_expand
        trace.evaluator = evaluator
        p15_trace_init(shape, NULL if evaluator is None else evaluator.c, &trace.c)
        return trace

    def __dealloc__(self):
        p15_trace_free(&self.c)

    cdef bint report(self, bint ended) except -1:
        """Tell what was written, without what is pending unless the search has ended. False: no more is wanted."""
        cdef p15_expansion *e
        cdef size_t ready = self.c.count if ended else self.c.count - self.c.pending
        if self.c.failed:
            raise MemoryError
        for i in range(ready):
            e = &self.c.expansions[i]
            children = tuple([(e.children[j].board, e.children[j].direction, e.children[j].h, e.children[j].fate,
                               e.children[j].place)
                              for j in range(e.child_count)])
            bound = None if e.bound == P15_NO_BOUND else e.bound
            if not self.on_expand(e.iteration, bound, e.side, e.board, e.g, e.h, e.goal, e.place, children):
                return False
        p15_trace_drop(&self.c, ready)
        return True
