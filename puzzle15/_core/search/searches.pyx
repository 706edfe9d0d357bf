"""The search algorithms, around csrc/search. Boards are packed; directions are the blank's: 0 up, 1 left, 2 right, 3 down.

Each function of `KERNELS` takes an evaluator, a start, an order (the four directions, in which children are made), the
options that its header in csrc/search names (see `_search`), and those of `_Task.run`: `max_nodes` generated nodes, a
`deadline` (`time.monotonic`), `counts`, and `on_expand`. That is called with each expansion, until it returns False:
(iteration, bound or None, side, board, g, h, goal, id, children). A child is (board, direction, h, fate, id); `FATES`
names the fates. An id is a number that distinguishes a node from others, or 0 where its board and g do. `max_bytes` is
the memory for nodes.

Each returns a dict. Its status is "solved", "limit" or "failed"; "failed" is a search whose space ended without the
goal. Its directions lead from the start to the goal: the best solution so far if the search was stopped, or None. Its
lower bound is proved if the heuristic is admissible. Its iterations are (bound, expanded, generated). With `counts`, its
layers are two arrays as bytes, by f and by g, or None for the latter: (expanded, generated) of each layer of each side.
"""

import time
from functools import partial

from libc.stdint cimport UINT64_MAX, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from puzzle15._core.base.board cimport cpu_level
from puzzle15._core.c cimport *
from puzzle15._core.search.evaluator cimport (
    Evaluator, check_refused, p15_evaluator, p15_evaluator_goal, p15_evaluator_shape, refused_by)
from puzzle15._system.threads import StepSizer, check_stop
from puzzle15._system.lazy import np
from ...errors import OptionError


cdef extern from "base/board.h" nogil:
    p15_status p15_board_replay(p15_board board, p15_board goal, p15_shape shape, const uint8_t *dirs, size_t count)

cdef extern from "search/trace.h" nogil:
    const uint32_t P15_NO_BOUND

    ctypedef enum p15_fate:
        P15_FATE_COUNT

    ctypedef struct p15_traced_child:
        p15_board board
        uint8_t direction, h, fate
        uint32_t id

    ctypedef struct p15_expansion:
        p15_board board
        uint32_t g, h, iteration, bound, id
        uint8_t side, child_count
        _Bool goal
        p15_traced_child children[P15_DIRECTIONS]

    ctypedef struct p15_trace:
        p15_expansion *expansions
        size_t count, pending
        _Bool failed

    void p15_trace_init(p15_trace *trace)
    void p15_trace_free(p15_trace *trace)
    void p15_trace_drop(p15_trace *trace, size_t count)

cdef extern from "search/search.h" nogil:
    ctypedef enum p15_search_state:
        P15_SEARCH_SOLVED, P15_SEARCH_FAILED

    enum:
        P15_MOST_LAYERS
    ctypedef struct p15_layers:
        p15_counts by_f[2][P15_MOST_LAYERS]
        p15_counts by_g[2][P15_MOST_LAYERS]
        _Bool without_g

    ctypedef struct p15_report:
        p15_search_state state
        unsigned lower_bound, improvements, h_weight
        uint64_t expanded, generated, reopened, largest_open, largest_closed, to_first, to_best
        size_t nodes, bytes, length, iteration_count
        _Bool upkeep
        const uint8_t *path
        const p15_iteration *iterations
        const p15_layers *layers

    ctypedef enum p15_ties:
        P15_TIES_LARGER_G

    ctypedef enum p15_meeting_rule:
        P15_BREADTH

    ctypedef struct p15_search_options:
        p15_board start, goal
        const p15_evaluator *evaluator
        const p15_evaluator *backward
        uint8_t order[P15_DIRECTIONS]
        uint8_t back[2][P15_DIRECTIONS]
        size_t max_bytes, width, table_bytes
        p15_cpu cpu
        unsigned batch, g_weight, h_weight, h_step, below
        const uint32_t *rows
        const uint16_t *bounds
        p15_ties ties
        _Bool prove
        uint32_t first_bound, last_bound
        uint64_t limit
        p15_meeting_rule rule

    ctypedef struct p15_search:
        pass

    _Bool p15_search_run(p15_search *search, uint64_t expansions)
    const p15_report *p15_search_report(p15_search *search)
    void p15_search_trace(p15_search *search, p15_trace *trace)
    p15_status p15_search_count_layers(p15_search *search)
    void p15_search_delete(p15_search *search)

cdef extern from "search/kernels.h" nogil:
    enum:
        P15_MAX_WEIGHT, P15_MAX_EXPANDED, P15_MOST_PARTS, P15_MAX_WIDTH, P15_MOST_STACK_WIDTH, P15_MAX_BOUND
        P15_SMA_NODE_BYTES, P15_SMA_LEAST_NODES
    const unsigned P15_CLOSED_MAX_G
    const uint32_t P15_FROM_H

    ctypedef enum p15_kernel:
        P15_KERNEL_DEEPENING, P15_KERNEL_BIDIRECTIONAL, P15_KERNEL_HILL_CLIMBING, P15_KERNEL_COUNT

    p15_status p15_kernel_new(p15_kernel kernel, const p15_search_options *options, p15_search **search)


#: The functions below, by their number.
KERNELS = (
    *("best_first", "deepening", "anytime", "bidirectional", "meeting", "beam", "beam_stack"),
    *("breadth_first_heuristic", "rbfs", "sma", "hill_climbing"),
)
MAX_WEIGHT = P15_MAX_WEIGHT
MAX_PARTS = P15_MOST_PARTS
MAX_EXPANDED = P15_MAX_EXPANDED
MAX_WIDTH = P15_MAX_WIDTH
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

assert len(RULES) == P15_BREADTH and len(FATES) == P15_FATE_COUNT and MAX_WIDTH == P15_MOST_STACK_WIDTH
assert len(KERNELS) == P15_KERNEL_COUNT


cdef class _Task:
    cdef p15_search *c
    cdef p15_search_options options
    cdef p15_shape shape
    cdef tuple evaluators  # that it looks at
    cdef uint64_t refused  # numbers that their compiled functions had returned before

    def __cinit__(self, Evaluator evaluator not None, uint64_t start, order):
        if sorted(order) != [0, 1, 2, 3]:
            raise OptionError(f"order {order!r}: expected the directions 0, 1, 2 and 3, each once")
        self.shape = p15_evaluator_shape(evaluator.c)
        memset(&self.options, 0, sizeof(self.options))
        self.options.start, self.options.goal = start, p15_evaluator_goal(evaluator.c)
        self.options.evaluator, self.options.cpu = evaluator.c, cpu_level()
        for i in range(P15_DIRECTIONS):
            self.options.order[i] = order[i]

    def __dealloc__(self):
        p15_search_delete(self.c)

    def run(self, unsigned kernel, tuple evaluators, *, max_nodes=None, deadline=None, counts=False, on_expand=None,
            on_iteration=None, on_improvement=None):
        """Make the search, and run it to its end or to a limit, at the pace of its evaluator.

        None if there is not even enough memory for the first node. A MemoryError is that of a callable.
        """
        cdef Evaluator evaluator
        self.evaluators, self.refused = evaluators, refused_by(evaluators)
        cdef p15_status made = p15_kernel_new(<p15_kernel>kernel, &self.options, &self.c)
        if made == P15_OK and counts:
            made = p15_search_count_layers(self.c)
        if made == P15_ERR_MEMORY:
            return None
        check_status(made, f"{KERNELS[kernel]}, board {self.options.start:#x}")
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
        cdef _Trace trace = None
        pace = (<Evaluator>self.evaluators[0]).pace() if self.evaluators else StepSizer()
        if on_expand is not None:
            trace = _Trace(on_expand)
            p15_search_trace(self.c, &trace.c)
        iterations = []
        while True:
            check_refused(self.evaluators, self.refused)
            report = p15_search_report(self.c)
            if trace is not None and not trace.report(ended=not more):
                p15_search_trace(self.c, NULL)
                trace = None
            while len(iterations) < <Py_ssize_t>report.iteration_count:
                last = report.iterations[len(iterations)]
                iteration = last.bound, last.expanded, last.generated
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
            check_status(p15_board_replay(self.options.start, self.options.goal, self.shape, report.path,
                                          report.length), None)
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
            "expanded_to_first": report.to_first,
            "expanded_to_best": report.to_best,
            "layers": None if report.layers == NULL else layers_of(report.layers),
            "nodes": report.nodes,
            "memory_bytes": report.bytes,
            "iterations": iterations,
        }


cdef tuple layers_of(const p15_layers *layers):
    by_g = None if layers.without_g else (<const char *>layers.by_g)[:sizeof(layers.by_g)]
    return (<const char *>layers.by_f)[:sizeof(layers.by_f)], by_g


cdef class _Trace:
    """The expansions that a search has written down, and the function that takes them."""

    cdef p15_trace c
    cdef object on_expand

    def __cinit__(self, on_expand):
        self.on_expand = on_expand
        p15_trace_init(&self.c)

    def __dealloc__(self):
        p15_trace_free(&self.c)

    cdef bint report(self, bint ended) except -1:
        """Pass on what was written, and if the search has ended, what is pending; False if no more is wanted."""
        cdef p15_expansion *e
        cdef size_t ready = self.c.count if ended else self.c.count - self.c.pending
        if self.c.failed:
            raise MemoryError
        for i in range(ready):
            e = &self.c.expansions[i]
            children = tuple([(e.children[j].board, e.children[j].direction, e.children[j].h, e.children[j].fate,
                               e.children[j].id)
                              for j in range(e.child_count)])
            bound = None if e.bound == P15_NO_BOUND else e.bound
            if not self.on_expand(e.iteration, bound, e.side, e.board, e.g, e.h, e.goal, e.id, children):
                return False
        p15_trace_drop(&self.c, ready)
        return True


def _search(unsigned kernel, Evaluator evaluator not None, uint64_t start, order, *, max_bytes=None, max_nodes=None,
            unsigned batch=1, unsigned g_weight=0, unsigned h_weight=0, unsigned h_step=0, unsigned ties=0,
            bint prove=False, const uint32_t[:, ::1] rows=None, const uint16_t[::1] bounds=None, size_t width=0,
            unsigned below=0, uint32_t first_bound=P15_FROM_H, uint32_t last_bound=P15_MAX_BOUND,
            unsigned rule=0, goal=None, Evaluator backward=None, backs=(), **run):
    """Search with a kernel, by its number. What it does not use is ignored.

    In place of weights, best_first takes ``rows[g, h]``, of shape (`MAX_G` + 1, 256), which orders priorities;
    ``bounds[row]`` has the lower bound of each. `ties` says which of equals is first: `p15_ties`, 0 .. `MAX_TIES`.

    With `max_bytes`, deepening remembers boards in a table of at most this size. hill_climbing takes a few microseconds,
    so it ignores limits. Its `directions` may lead to a local minimum.

    anytime and beam_stack call `on_improvement` with (directions, lower bound, h_weight that is finished or 0, expanded,
    generated) whenever there is something new. The search ends when it returns False.

    bidirectional reads the evaluator's goal only. For meeting, boards and directions are those of the caller, `rule` is
    the number of one of `RULES`, and `evaluator` and `backward` are the heuristics of the start's side, to the `goal`,
    and of the goal's side, to the start. `backs` holds for both the direction here of each direction on their boards, as
    from `Heuristic.prepare`.
    """
    cdef _Task task = _Task(evaluator, start, order)
    cdef p15_search_options *options = &task.options
    evaluators = (evaluator,) if kernel != P15_KERNEL_BIDIRECTIONAL else ()
    options.batch, options.width, options.below, options.prove = batch, width, below, prove
    options.g_weight, options.h_weight, options.h_step = g_weight, h_weight, h_step
    options.ties, options.rule = <p15_ties>ties, <p15_meeting_rule>rule
    options.first_bound, options.last_bound = first_bound, last_bound
    options.limit = UINT64_MAX if max_nodes is None else min(max(max_nodes, 0), UINT64_MAX)
    if kernel == P15_KERNEL_DEEPENING:
        options.table_bytes = 0 if max_bytes is None else max(max_bytes, 1)
    elif max_bytes is not None:
        options.max_bytes = max_bytes
    if rows is not None:
        if (rows.shape[0], rows.shape[1]) != (MAX_G + 1, 256) or bounds.shape[0] <= np.max(rows):
            raise OptionError(f"rows: expected the shape {(MAX_G + 1, 256)}, and a bound for each")
        options.rows, options.bounds = &rows[0, 0], &bounds[0]
    if backward is not None:
        if [len(back) for back in backs] != [P15_DIRECTIONS, P15_DIRECTIONS]:
            raise OptionError(f"backs {backs!r}: expected four directions for each side")
        options.goal, options.backward, evaluators = goal, backward.c, (evaluator, backward)
        for i in range(2):
            for j in range(P15_DIRECTIONS):
                options.back[i][j] = backs[i][j]
    if kernel == P15_KERNEL_HILL_CLIMBING:
        run["deadline"] = None
    else:
        run["max_nodes"] = max_nodes
    return task.run(kernel, evaluators, **run)


for _number, _name in enumerate(KERNELS):
    globals()[_name] = partial(_search, _number)
