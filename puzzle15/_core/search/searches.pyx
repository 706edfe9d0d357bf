"""The search algorithms, around csrc/search, whose headers are the manual.

Boards are packed; directions are the blank's: 0 up, 1 left, 2 right, 3 down. Calls release the GIL, act on Ctrl-C and
on the end of their team (`puzzle15.parallel`) within a tenth of a second, and leave nothing behind when they are
interrupted.

Parameters of all:

evaluator : Evaluator
start : int
order : bytes
    The four directions, in which children are made.
max_nodes : int, optional
    Stop when this many nodes were generated.
deadline : float, optional
    Stop at this `time.monotonic`.
max_bytes : int
    Memory for nodes, of those that keep them.
on_expand : callable, optional
    Called with each expansion, until it returns False: with (iteration, bound, side, board, g, h, goal, place,
    children), where a child is (board, direction, h, fate, place) and `FATES` names the fates. The bound is None where
    there is none. A place is a number that tells a node from others, or 0 where its board and g do.

All answer with a dict:

status : "solved", "limit" or "failed"
    "failed": the space that the search allows itself ended without the goal.
directions : bytes or None
    From the start to the goal; of a search that was stopped, the best found so far.
lower_bound : int
    Moves that every solution has, if the heuristic is admissible.
expanded, generated, reopened, largest_open, largest_closed, nodes, memory_bytes : int
iterations : list of (bound, expanded, generated)
    Of searches that have them.
"""

import time

from libc.stdint cimport UINT64_MAX, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from puzzle15._core.c cimport *
from puzzle15._core.search.evaluator cimport Evaluator
from puzzle15.parallel import Pace, check_stop

MAX_WEIGHT = P15_MAX_WEIGHT
MAX_PARTS = P15_MOST_PARTS
MAX_EXPANDED = P15_MAX_EXPANDED
MAX_WIDTH = P15_MAX_WIDTH
MAX_BELOW = P15_MOST_STACK_MOVES
MAX_BOUND = P15_MAX_BOUND
MAX_TIES = P15_TIES_LARGER_G
#: Numbers of moves are counted to here.
MAX_G = P15_CLOSED_MAX_G
SMA_NODE_BYTES = P15_SMA_NODE_BYTES
SMA_LEAST_NODES = P15_SMA_LEAST_NODES
#: The rules of `meeting` by their number.
RULES = ("mm", "mme", "nbs")
#: What becomes of children, by their number.
FATES = ("open", "known", "reopened", "cut", "dropped")

assert len(RULES) == P15_MEETING_COUNT and len(FATES) == P15_FATE_COUNT and MAX_WIDTH == P15_MOST_STACK_WIDTH


# What a search is asked for, and what it answers to.
cdef class Task:
    cdef p15_search *c
    cdef p15_shape shape
    cdef uint64_t start, goal
    cdef tuple evaluators  # that it looks at
    cdef bytes order

    def __cinit__(self, Evaluator evaluator not None, uint64_t start, order):
        if sorted(order) != [0, 1, 2, 3]:
            raise ValueError(f"order {order!r}: expected the directions 0, 1, 2 and 3, each once")
        self.shape, self.start, self.goal = to_shape(evaluator.shape), start, evaluator.goal
        self.evaluators, self.order = (evaluator,), bytes(order)

    def __dealloc__(self):
        p15_search_delete(self.c)

    cdef dict run(self, max_nodes, deadline, on_expand, on_iteration=None, on_improvement=None):
        """Run the search to its end or to a limit, at the pace of its evaluator."""
        cdef Evaluator evaluator
        for evaluator in self.evaluators:
            evaluator.count_work(1)
        try:
            return self.finish(max_nodes, deadline, on_expand, on_iteration, on_improvement)
        finally:
            for evaluator in self.evaluators:
                evaluator.count_work(-1)

    cdef dict finish(self, max_nodes, deadline, on_expand, on_iteration, on_improvement):
        cdef const p15_report *report
        cdef bint more = True
        cdef uint64_t expansions
        cdef unsigned improvements = 0
        cdef Trace trace = None
        pace = (<Evaluator>self.evaluators[0]).pace() if self.evaluators else Pace()
        if on_expand is not None:
            trace = Trace(on_expand, self)
            p15_search_trace(self.c, &trace.c)
        iterations = []
        while True:
            report = p15_search_report(self.c)
            if trace is not None and not trace.report(ended=not more):
                p15_search_trace(self.c, NULL)
                trace = None
            while len(iterations) < <Py_ssize_t>report.iteration_count:
                iteration = iteration_of(report, len(iterations))
                iterations.append(iteration)
                if on_iteration is not None:
                    on_iteration(*iteration)
            if report.improvements > improvements:
                improvements = report.improvements
                if on_improvement(self.path(report), report.lower_bound, report.h_weight, report.expanded,
                                  report.generated) is False:
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
                more = p15_search_run(self.c, expansions)
            if trace is None:
                pace.check_stop(counts=not report.upkeep)
            else:
                check_stop()
        if trace is not None:
            trace.report(ended=True)
        return self.answer(report, iterations)

    cdef bytes path(self, const p15_report *report):
        """The directions of the solution, replayed; None without one. A failed climb leads elsewhere."""
        if report.path == NULL:
            return None
        directions = report.path[:report.length]
        if report.state != P15_SEARCH_FAILED:
            check_status(p15_board_replay(self.start, self.goal, self.shape, report.path, report.length), None)
        return directions

    cdef dict answer(self, const p15_report *report, list iterations):
        status = "limit"
        if report.state == P15_SEARCH_SOLVED:
            status = "solved"
        elif report.state == P15_SEARCH_FAILED:
            status = "failed"
        return {
            "status": status,
            "directions": self.path(report),
            "lower_bound": report.lower_bound,
            "expanded": report.expanded,
            "generated": report.generated,
            "reopened": report.reopened,
            "largest_open": report.largest_open,
            "largest_closed": report.largest_closed,
            "nodes": report.nodes,
            "memory_bytes": report.bytes,
            "iterations": iterations,
        }


cdef tuple iteration_of(const p15_report *report, size_t index):
    cdef const p15_iteration *it = &report.iterations[index]
    return it.bound, it.expanded, it.generated


cdef class Trace:
    """What a search has written down, and whom to tell it."""

    cdef p15_trace c
    cdef object on_expand
    cdef tuple evaluators

    def __cinit__(self, on_expand, Task task):
        self.on_expand, self.evaluators = on_expand, task.evaluators
        # A search without an evaluator has no h, and one with two writes it down by itself.
        p15_trace_init(task.shape, (<Evaluator>task.evaluators[0]).c if len(task.evaluators) == 1 else NULL, &self.c)

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


def deepening(Evaluator evaluator not None, uint64_t start, order, *, first_bound=None, last_bound=None,
              max_nodes=None, deadline=None, on_iteration=None, on_expand=None, max_bytes=None, level=None):
    """IDA*, iterative deepening, or one depth-first search to a limit.

    Parameters
    ----------
    first_bound, last_bound : int, optional
        Of f: from h of the start, to `MAX_BOUND`. One iteration if they are equal. Without a heuristic, f is the depth.
    max_nodes : int, optional
        Stop when so many nodes were generated, or some dozens more.
    on_iteration : callable, optional
        Called with (bound, expanded, generated) after every iteration.
    max_bytes : int, optional
        Remember boards in a table of at most this size. MemoryError if that is too little for the smallest table.
    level : int, optional
        The level of the processor to search as, for tests: 0 .. `puzzle15._core.learning.network.level`.
    """
    cdef Task task = Task(evaluator, start, order)
    cdef uint32_t first = P15_FROM_H, last = P15_MAX_BOUND
    cdef uint64_t limit = UINT64_MAX
    cdef p15_cpu cpu = p15_cpu_pick()
    if level is not None:
        if not 0 <= level <= cpu:
            raise ValueError(f"level {level}: 0 .. {<int>cpu} is what this processor has")
        cpu = <p15_cpu><int>level
    for bound in (first_bound, last_bound):
        if bound is not None and not 0 <= bound <= P15_MAX_BOUND:
            raise ValueError(f"bound {bound}: 0 .. {P15_MAX_BOUND} is expected")
    if first_bound is not None:
        first = first_bound
    if last_bound is not None:
        last = last_bound
    if max_nodes is not None:
        limit = min(max(max_nodes, 0), UINT64_MAX)
    check_status(p15_deepening_new(evaluator.c, start, task.order, first, last, limit, cpu, &task.c),
                 f"board {start:#x}, order {list(order)}")
    if max_bytes is not None:
        check_status(p15_deepening_remember(task.c, max_bytes), None)
    return task.run(max_nodes, deadline, on_expand, on_iteration)


def best_first(Evaluator evaluator not None, uint64_t start, order, *, unsigned g_weight, unsigned h_weight,
               unsigned ties, bint prove=False, unsigned batch=1, max_nodes=None, deadline=None, max_bytes,
               on_expand=None):
    """A*, weighted A*, greedy search, breadth-first search, branch and bound.

    Parameters
    ----------
    g_weight, h_weight : int
        Priority is ``g_weight * g + h_weight * h``, each at most `MAX_WEIGHT`.
    ties : int
        Which of equals goes first: 0 .. `MAX_TIES`, `p15_ties` of the header.
    prove : bool
        Go on after the first solution until no better one can be.
    batch : int
        How many nodes are expanded at once: 1 .. `MAX_EXPANDED`.
    """
    cdef Task task = Task(evaluator, start, order)
    cdef p15_bestfirst_options options
    options.g_weight, options.h_weight = g_weight, h_weight
    options.ties = <p15_ties>ties
    options.prove = prove
    options.max_bytes = max_bytes
    options.cpu = p15_cpu_pick()
    options.batch = batch
    memcpy(options.order, <const uint8_t *>task.order, P15_DIRECTIONS)
    check_status(p15_bestfirst_new(evaluator.c, start, &options, &task.c), None)
    return task.run(max_nodes, deadline, on_expand)


def anytime(Evaluator evaluator not None, uint64_t start, order, *, unsigned g_weight, unsigned h_weight,
            unsigned h_step=0, unsigned batch=1, on_improvement, max_nodes=None, deadline=None, max_bytes, on_expand=None):
    """Anytime weighted A* and, with a step, ARA*.

    Parameters
    ----------
    g_weight, h_weight : int
        The weight is ``h_weight / g_weight``, 1 .. `MAX_PARTS` each, at least 1.
    h_step : int
        ARA*: what `h_weight` loses after each round.
    batch : int
        1 .. `MAX_EXPANDED`; 1 in ARA*.
    on_improvement : callable
        Called with (directions, lower bound, h_weight that is finished or 0, expanded, generated) whenever there is
        something new. The search ends when it returns False.
    """
    cdef Task task = Task(evaluator, start, order)
    cdef p15_anytime_options options
    options.g_weight, options.h_weight, options.h_step = g_weight, h_weight, h_step
    options.max_bytes = max_bytes
    options.cpu = p15_cpu_pick()
    options.batch = batch
    memcpy(options.order, <const uint8_t *>task.order, P15_DIRECTIONS)
    check_status(p15_anytime_new(evaluator.c, start, &options, &task.c), f"weight {h_weight}/{g_weight}, batch {batch}")
    return task.run(max_nodes, deadline, on_expand, None, on_improvement)


def bidirectional(Evaluator evaluator not None, uint64_t start, order, *, max_nodes=None, deadline=None, max_bytes,
                  on_expand=None):
    """Breadth-first search from both ends. It reads the evaluator's goal only."""
    cdef Task task = Task(evaluator, start, order)
    task.evaluators = ()
    check_status(p15_bidirectional_new(task.shape, start, task.goal, task.order, max_bytes, &task.c), None)
    return task.run(max_nodes, deadline, on_expand)


def meeting(Evaluator evaluator not None, uint64_t start, order, *, unsigned rule, uint64_t goal,
            Evaluator backward not None, backs, unsigned batch=1, max_nodes=None, deadline=None, max_bytes, on_expand=None):
    """MM, MMe and NBS. Boards and directions are those of the caller, also where evaluators look at turned ones.

    Parameters
    ----------
    evaluator, backward : Evaluator
        The heuristics of the start's side, to the goal, and of the goal's side, to the start.
    rule : int
        Which of `RULES`.
    goal : int
    backs : (bytes, bytes)
        Of both evaluators: the direction here of each direction on their boards, as from `Heuristic.prepare`.
    batch : int
        How many nodes are expanded at once.
    """
    cdef Task task = Task(evaluator, start, order)
    cdef p15_meeting_options options
    cdef p15_end[2] ends
    for i in range(2):
        if len(backs[i]) != P15_DIRECTIONS:
            raise ValueError(f"back {backs[i]!r}: expected four directions")
        for j in range(P15_DIRECTIONS):
            ends[i].back[j] = backs[i][j]
    ends[0].root, ends[0].evaluator = start, evaluator.c
    ends[1].root, ends[1].evaluator = goal, backward.c
    task.evaluators, task.goal = (evaluator, backward), goal
    options.rule = <p15_meeting_rule>rule
    options.max_bytes = max_bytes
    options.cpu = p15_cpu_pick()
    options.batch = batch
    memcpy(options.order, <const uint8_t *>task.order, P15_DIRECTIONS)
    check_status(p15_meeting_new(ends, &options, &task.c), None)
    return task.run(max_nodes, deadline, on_expand)


def beam(Evaluator evaluator not None, uint64_t start, order, *, size_t width, max_nodes=None, deadline=None,
         max_bytes, on_expand=None):
    """Beam search of a width in boards, 1 .. `MAX_WIDTH`."""
    cdef Task task = Task(evaluator, start, order)
    check_status(p15_beam_new(evaluator.c, start, task.order, width, max_bytes, &task.c), f"width {width}")
    return task.run(max_nodes, deadline, on_expand)


def beam_stack(Evaluator evaluator not None, uint64_t start, order, *, size_t width, unsigned below, on_improvement,
               max_nodes=None, deadline=None, max_bytes, on_expand=None):
    """Beam-stack search for a solution of fewer than `below` moves (1 .. `MAX_BELOW`); the width is 1 .. `MAX_WIDTH`.

    `on_improvement` is that of `anytime`; there are no weights, so its third argument is 0.
    """
    cdef Task task = Task(evaluator, start, order)
    check_status(p15_beam_stack_new(evaluator.c, start, task.order, width, below, max_bytes, &task.c),
                 f"width {width}, below {below} moves")
    return task.run(max_nodes, deadline, on_expand, None, on_improvement)


def breadth_first_heuristic(Evaluator evaluator not None, uint64_t start, order, *, max_nodes=None, deadline=None,
                            max_bytes, on_iteration=None, on_expand=None):
    """Breadth-first heuristic search with a growing bound; `on_iteration` is that of `deepening`."""
    cdef Task task = Task(evaluator, start, order)
    check_status(p15_breadth_new(evaluator.c, start, task.order, max_bytes, &task.c), None)
    return task.run(max_nodes, deadline, on_expand, on_iteration)


def rbfs(Evaluator evaluator not None, uint64_t start, order, *, max_nodes=None, deadline=None, on_expand=None):
    """Recursive best-first search."""
    cdef Task task = Task(evaluator, start, order)
    check_status(p15_rbfs_new(evaluator.c, start, task.order, &task.c), None)
    return task.run(max_nodes, deadline, on_expand)


def sma(Evaluator evaluator not None, uint64_t start, order, *, max_nodes=None, deadline=None, max_bytes,
        on_expand=None):
    """SMA* with a memory of ``max_bytes // SMA_NODE_BYTES`` nodes, at least `SMA_LEAST_NODES`."""
    cdef Task task = Task(evaluator, start, order)
    check_status(p15_sma_new(evaluator.c, start, task.order, max_bytes, &task.c), None)
    return task.run(max_nodes, deadline, on_expand)


def hill_climbing(Evaluator evaluator not None, uint64_t start, order, *, max_nodes=None, deadline=None, on_expand=None):
    """Steepest descent of h: a few microseconds, so limits are ignored. `directions` may lead to a local minimum."""
    cdef Task task = Task(evaluator, start, order)
    check_status(p15_climb_new(evaluator.c, start, task.order, &task.c), None)
    return task.run(None, None, on_expand)
