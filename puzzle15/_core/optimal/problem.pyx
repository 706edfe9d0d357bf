"""Problems, the search of one board by several threads, and batches of boards; multi-tile problems are elsewhere.

Boards are packed and in the problem's own orientation: the goal has the tiles in order and its blank at the home.
"""

import time
from functools import lru_cache

cimport cython
from libc.stdint cimport UINT64_MAX, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from puzzle15._core.base.board cimport cpu_level
from puzzle15._core.c cimport *
from puzzle15._core.tables.tables cimport Table, p15_table
from puzzle15._system.threads import StepSizer, QUICK_STEPS, Team, check_stop
from puzzle15._system.lazy import np
from ...errors import OptionError


cdef extern from "optimal/fsm.h" nogil:
    p15_status p15_fsm_init(p15_shape shape, unsigned length, p15_fsm *fsm)
    void p15_fsm_free(p15_fsm *fsm)


cdef extern from "optimal/problem.h" nogil:
    enum:
        P15_MAX_LOOKUP_PATTERNS

    p15_status p15_problem_init(p15_shape shape, unsigned home, const p15_fsm *fsm, p15_problem *problem)
    void p15_problem_free(p15_problem *problem)
    p15_status p15_problem_add_lookup(p15_problem *problem, const p15_table *tables, unsigned table_count,
                                      const uint8_t *cell_to)
    p15_status p15_problem_move_table(p15_problem *problem, unsigned pattern, const p15_table *table)
    void p15_problem_lengthen(p15_problem *problem, const p15_fsm *longer)
    p15_status p15_heuristic(const p15_problem *problem, p15_board board, unsigned *h, uint8_t *lookup_h)


cdef extern from "optimal/fringe.h" nogil:
    enum:
        P15_MAX_SLOTS
    const p15_metric P15_SINGLE_TILE


cdef extern from "optimal/idastar.h" nogil:
    enum:
        P15_NO_LIMIT, P15_MAX_ITERATIONS

    p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned move, unsigned limit)
    p15_idastar *p15_idastar_new(const p15_metric *metric, const void *problem)
    void p15_idastar_delete(p15_idastar *search)
    _Bool p15_idastar_lengthen(p15_idastar *search)


cdef extern from "optimal/worker.h" nogil:
    p15_status p15_worker_new(const p15_metric *metric, const void *problem, p15_worker **worker)
    void p15_worker_delete(p15_worker *worker)
    p15_counts p15_worker_counts(const p15_worker *worker)
    _Bool p15_worker_run(p15_worker *worker, p15_idastar *search, uint64_t visits)
    p15_run_end p15_worker_run_alone(p15_worker *worker, p15_idastar *search, uint64_t visits, uint64_t max_nodes)
    _Bool p15_idastar_advance(p15_idastar *search, p15_worker *const *workers, unsigned worker_count)
    uint64_t p15_idastar_generated(const p15_idastar *search, p15_worker *const *workers, unsigned worker_count)
    void p15_batch_start(const p15_board *boards, const uint8_t *limits, const uint64_t *max_nodes, p15_result *results,
                         size_t count, p15_batch *batch)
    void p15_batch_stop(p15_batch *batch)
    size_t p15_batch_done(const p15_batch *batch)
    _Bool p15_batch_wants_longer(const p15_batch *batch)
    _Bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits)


cdef enum:
    _VISITS = 1 << 15

cdef uint64_t _ALL = UINT64_MAX


cdef class AnyProblem:
    """Lookups of tables, and how to search with them: the base class of both metrics' problems."""

    def __dealloc__(self):
        for i in range(self.idle_count):
            p15_worker_delete(self.idle_workers[i])
            p15_idastar_delete(self.idle_searches[i])

    def move_tables(self, dict moved, int running=0):
        """Read tables from other memory from now on; `moved` has the same tables, elsewhere.

        False, and nothing changes, if more than `running` searches are at work; those are the caller's own.
        """
        if self.running > running:
            return False
        for index, old in enumerate(self.tables):
            new = moved.get(old, old)
            self.move_table(index, new)
            self.tables[index] = new  # each at once, since the next one may be refused
            self.moved.append(old)
        return True

    def heuristic(self, uint64_t board):
        """h of a board."""
        cdef unsigned h = 0
        check_status(self.heuristic_of(board, &h, NULL), None)
        return h

    def heuristics(self, const uint64_t[::1] boards not None, uint8_t[::1] values not None,
                   uint8_t[::1] status not None, uint8_t[:, ::1] lookups=None):
        """Fill `values` with h of many boards, `lookups` with that of every lookup, and `status`; h of others is 0."""
        cdef Py_ssize_t i, begin, end
        cdef unsigned h
        cdef uint8_t *row = NULL
        same_length(values.shape[0], boards.shape[0])
        same_length(status.shape[0], boards.shape[0])
        if lookups is not None:
            same_length(lookups.shape[0], boards.shape[0])
            same_length(lookups.shape[1], self.lookup_count)
            lookups[:] = 0
        self.running += 1
        try:
            for begin, end in StepSizer(QUICK_STEPS).pieces(boards.shape[0]):
                with nogil:
                    for i in range(begin, end):
                        h = 0
                        if lookups is not None:
                            row = &lookups[i, 0]
                        status[i] = self.heuristic_of(boards[i], &h, row)
                        values[i] = <uint8_t>h
        finally:
            self.running -= 1

    def solve(self, uint64_t board, max_nodes=None, deadline=None, unsigned threads=1, on_iteration=None,
              unsigned limit=P15_NO_LIMIT):
        """Search for one board, until more nodes than `max_nodes` are needed, or until `time.monotonic` is `deadline`.

        `on_iteration` is called with (bound, expanded, generated) of every finished iteration. The solution has `limit` moves
        at most. Returns a dict: solved, lower_bound, directions (bytes, one per tile that moves), expanded, generated.
        """
        cdef Search search = Search(self, threads)
        cdef Limits limits = Limits(search, max_nodes, deadline)
        cdef uint64_t most = _ALL if max_nodes is None else min(max_nodes, _ALL)
        cdef p15_result result
        cdef bint ended
        check_status(search.begin(board, P15_DIRECTIONS, limit), f"packed board {board:#x}")
        self.running += 1
        try:
            ended = search.pursue(limits, on_iteration, 1 if limits.late() else self.visits, most)
        finally:
            self.running -= 1
        p15_idastar_result(search.c, &result, NULL)
        check_status(result.status, f"packed board {board:#x}")
        if not ended:
            counts = search.counts()
            result.expanded = counts.expanded - search.before.expanded
            result.generated = counts.generated - search.before.generated
        return {
            "solved": bool(result.solved),
            "lower_bound": result.lower_bound,
            "directions": self.directions(result.path, result.length) if result.solved else None,
            "expanded": result.expanded,
            "generated": result.generated,
        }

    def directions_of_path(self, const uint8_t[::1] path not None, unsigned length):
        """The blank's directions on a packed path, as bytes: one per tile that moves."""
        same_length(path.shape[0], P15_PATH_BYTES)
        if length > P15_MAX_LENGTH:
            raise OptionError(f"a path of {length} moves")
        return self.directions(&path[0], length)

    cdef lengthen(self):
        """Make what large searches need, if nobody has made it yet."""

    # Each metric has its own.
    cdef p15_status heuristic_of(self, p15_board board, unsigned *h, uint8_t *lookups) noexcept nogil: pass
    cdef move_table(self, unsigned index, table): pass
    cdef bytes directions(self, const uint8_t *path, unsigned length): pass


cdef class StateMachine:
    """Taylor & Korf's finite-state machine for operator sequences of up to `length` moves; csrc/optimal/fsm.h."""

    def __cinit__(self, shape, unsigned length):
        cdef p15_shape c_shape = to_shape(shape)
        cdef p15_status status
        with nogil:
            status = p15_fsm_init(c_shape, length, &self.c)
        check_status(status, f"sequences of {length} moves")
        self.shape = tuple(shape)

    def __dealloc__(self):
        p15_fsm_free(&self.c)


cdef class Problem(AnyProblem):
    """Lookups of tables: each is a partition's tables, and the symmetry (cell map) of the board for which they are read.

    `plain` is the textbook search: moves in fixed order, no subtrees. `slots` are the depth-first searches that a thread
    keeps in flight. `longer` makes a StateMachine for longer sequences once an iteration has generated `large` nodes;
    several threads may call it at once.
    """

    def __cinit__(self, shape, unsigned home, list lookups not None, StateMachine fsm not None, bint plain,
                  unsigned slots, longer=None, uint64_t large=0):
        cdef p15_table[P15_MAX_LOOKUP_PATTERNS] tables
        cdef uint8_t[P15_MAX_CELLS] cells
        cdef p15_shape c_shape = to_shape(shape)
        if fsm.shape != tuple(shape):
            raise OptionError(f"a machine of another shape: {fsm.shape}")
        if not 1 <= slots <= P15_MAX_SLOTS or not lookups:
            raise OptionError(f"{slots} slots, {len(lookups)} lookups")
        self.fsm, self.make_longer = fsm, longer
        self.tables = [table for parts, _ in lookups for table in parts]
        self.moved = []
        self.metric, self.problem = &P15_SINGLE_TILE, &self.c
        self.visits = _VISITS
        check_status(p15_problem_init(c_shape, home, &fsm.c, &self.c), f"home {home}")
        self.c.plain, self.c.cpu = plain, cpu_level()
        self.c.slot_count = slots
        if longer is not None:
            self.c.large = large
        for parts, symmetry in lookups:
            if len(parts) > P15_MAX_LOOKUP_PATTERNS:
                raise OptionError("a lookup of too many tables")
            for i, table in enumerate(parts):
                tables[i] = (<Table?>table).c
            copy_cells(symmetry, cells, c_shape.cells, "lookup")
            check_status(p15_problem_add_lookup(&self.c, tables, len(parts), cells), "lookup")
        self.lookup_count = self.c.lookup_count
        self.shape, self.goal, self.multi_tile = c_shape, self.c.goal, False

    def __dealloc__(self):
        p15_problem_free(&self.c)

    cdef lengthen(self):
        cdef StateMachine longer
        if self.longer is not None:
            return
        longer = self.make_longer()
        if longer.shape != self.fsm.shape:
            raise OptionError(f"a machine of another shape: {longer.shape}")
        if self.longer is None:  # other threads may have been faster
            self.longer = longer
            p15_problem_lengthen(&self.c, &longer.c)

    cdef p15_status heuristic_of(self, p15_board board, unsigned *h, uint8_t *lookups) noexcept nogil:
        return p15_heuristic(&self.c, board, h, lookups)

    cdef move_table(self, unsigned index, table):
        check_status(p15_problem_move_table(&self.c, index, &(<Table?>table).c), "moved table")

    cdef bytes directions(self, const uint8_t *path, unsigned length):
        return unpack_path(path, length)


@cython.no_gc_clear  # deleting workers takes the problem
cdef class Search:
    """The search for one board after the other, by one worker per thread. The first worker may be an idle one of its problem.

    Limits are objects with two methods: `limited()`, whether all workers are to pause, and `over(paused)`, whether the
    search is to end, asked when no worker runs.
    """

    def __cinit__(self, AnyProblem problem not None, unsigned threads):
        if threads < 1:
            raise OptionError("threads=0: at least one is needed")
        self.problem, self.worker_count, self.idle = problem, threads, True
        self.workers = <p15_worker **>calloc(threads, sizeof(p15_worker *))
        self.seen = <p15_counts *>calloc(threads, sizeof(p15_counts))
        if self.workers == NULL or self.seen == NULL:
            raise MemoryError
        if problem.idle_count:
            problem.idle_count -= 1
            self.workers[0], self.c = problem.idle_workers[problem.idle_count], problem.idle_searches[problem.idle_count]
        else:
            check_status(p15_worker_new(problem.metric, problem.problem, &self.workers[0]), None)
            self.c = p15_idastar_new(problem.metric, problem.problem)
            if self.c == NULL:
                raise MemoryError
        self.made = 1
        self.seen[0] = p15_worker_counts(self.workers[0])

    def __dealloc__(self):
        cdef unsigned i, kept = self.made and self.idle and self.problem.idle_count < _IDLE
        if kept:
            self.problem.idle_workers[self.problem.idle_count] = self.workers[0]
            self.problem.idle_searches[self.problem.idle_count] = self.c
            self.problem.idle_count += 1
        else:
            p15_idastar_delete(self.c)
        if self.workers != NULL:
            for i in range(kept, self.worker_count):
                p15_worker_delete(self.workers[i])
        free(self.workers)
        free(self.seen)

    cdef p15_status begin(self, uint64_t board, unsigned move, unsigned limit):
        """Begin with a board, as `p15_idastar_begin` does."""
        self.before = self.counts()
        return p15_idastar_begin(self.c, board, move, limit)

    cdef bint pursue(self, limits, after_iteration, uint64_t visits, uint64_t max_nodes) except -1:
        """Run to the end of the search; False if it was over before that, by `limits`, or by `max_nodes` nodes that count.

        One worker alone makes iterations until one is long enough for a team. `after_iteration` is called with (bound,
        expanded, generated) of each that was finished, some milliseconds after it.
        """
        cdef p15_run_end state
        cdef unsigned reported = 0
        self.idle = False
        try:
            while True:
                with nogil:
                    state = p15_worker_run_alone(self.workers[0], self.c, visits, max_nodes)
                self.seen[0] = p15_worker_counts(self.workers[0])
                reported = self.report(after_iteration, reported)
                if state == P15_RUN_PAUSED:
                    check_stop()
                    if limits.over(True) or (self.worker_count > 1 and not self.finish_iteration(limits, &state)):
                        return False
                    reported = self.report(after_iteration, reported)
                if state == P15_RUN_ENDED:
                    self.idle = True
                    return True
                if state == P15_RUN_WAITS:
                    self.problem.lengthen()
                    p15_idastar_lengthen(self.c)
                visits = self.problem.visits
        finally:
            self.end_team()

    cdef bint finish_iteration(self, limits, p15_run_end *state) except -1:
        """Let a team of workers search to the end of the iteration, and end it; False if the search was over before."""
        from concurrent.futures import wait  # one worker needs none of it

        if self.team is None:
            while self.made < self.worker_count:
                check_status(p15_worker_new(self.problem.metric, self.problem.problem, &self.workers[self.made]), None)
                self.made += 1
            self.team = Team(self.worker_count)
        while True:
            self.pause = False
            futures = [self.team.submit(self.work, i) for i in range(self.worker_count)]
            while wait(futures, timeout=0.02).not_done:
                check_stop()
                self.pause = self.pause or limits.limited()
            for future in futures:
                future.result()
            if limits.over(self.pause):
                return False
            if not self.pause:
                break
        if not p15_idastar_advance(self.c, self.workers, self.made):
            state[0] = P15_RUN_ENDED
        elif not p15_idastar_lengthen(self.c):
            state[0] = P15_RUN_WAITS
        return True

    def work(self, unsigned worker):
        """Run one worker to the end of the iteration, or to a pause. Any thread."""
        cdef bint more = True
        if worker >= self.made:
            raise IndexError(f"worker {worker} of {self.made}")
        while more and not self.pause:
            with nogil:
                more = p15_worker_run(self.workers[worker], self.c, self.problem.visits)
            self.seen[worker] = p15_worker_counts(self.workers[worker])
            check_stop()

    cdef p15_counts counts(self):
        """The nodes of all workers, as last seen: they may be at work."""
        cdef p15_counts sum = self.seen[0]
        for i in range(1, self.made):
            sum.expanded += self.seen[i].expanded
            sum.generated += self.seen[i].generated
        return sum

    cdef uint64_t generated(self):
        """The nodes that were generated for the present board; not all of them count."""
        return self.counts().generated - self.before.generated

    cdef unsigned report(self, after_iteration, unsigned reported) except? 0:
        """Tell of the iterations from number `reported` on. Returns how many are finished."""
        cdef p15_result result
        cdef p15_iteration[P15_MAX_ITERATIONS] iterations
        if after_iteration is None:
            return 0
        p15_idastar_result(self.c, &result, iterations)
        for i in range(reported, result.iteration_count):
            after_iteration(iterations[i].bound, iterations[i].expanded, iterations[i].generated)
        return result.iteration_count

    cdef end_team(self):
        if self.team is not None:
            self.team.stop()
            self.team = None


cdef class Limits:
    """The limits of a search: `max_nodes` that are generated, and the `time.monotonic` of its end."""

    cdef Search search
    cdef object max_nodes, deadline
    cdef object most  # nodes before the next pause

    def __cinit__(self, Search search, max_nodes, deadline):
        self.search, self.max_nodes, self.deadline, self.most = search, max_nodes, deadline, max_nodes

    def late(self):
        return self.deadline is not None and time.monotonic() >= self.deadline

    def limited(self):
        """Whether the time is over, or the next pause is due."""
        return self.late() or (self.max_nodes is not None and self.search.generated() > self.most)

    def over(self, bint paused):
        """Whether the search is to end: too many nodes count, or it paused and the time is over."""
        if self.max_nodes is not None and self.search.generated() > self.max_nodes:
            counted = p15_idastar_generated(self.search.c, self.search.workers, self.search.made)
            if counted > self.max_nodes:
                return True
            self.most = self.search.generated() + max(self.max_nodes - counted, self.search.problem.visits)
        return paused and self.late()


cdef class Batch:
    """Many boards of one problem, solved by any number of threads that call `work`.

    `limits` are the most moves of a solution, `max_nodes` the most nodes generated. With `moves`, the direction that led
    to each board, a board is solved if it has a solution within its limit that does not undo the move; its length need
    not be the shortest.
    """

    cdef AnyProblem problem
    cdef const uint64_t[::1] boards, max_nodes
    cdef const uint8_t[::1] limits, moves
    cdef uint8_t[::1] results  # the bytes of a p15_result per board
    cdef p15_batch c

    def __cinit__(self, AnyProblem problem not None, const uint64_t[::1] boards not None,
                  const uint8_t[::1] limits not None, const uint64_t[::1] max_nodes=None, const uint8_t[::1] moves=None):
        cdef Py_ssize_t count = boards.shape[0]
        same_length(limits.shape[0], count)
        same_length(count if max_nodes is None else max_nodes.shape[0], count)
        same_length(count if moves is None else moves.shape[0], count)
        if moves is not None and count and np.asarray(moves).max() >= P15_DIRECTIONS:
            raise OptionError("moves that are no directions")
        self.problem, self.boards = problem, boards
        self.limits, self.max_nodes, self.moves = limits, max_nodes, moves
        self.results = np.zeros(count * sizeof(p15_result), np.uint8)
        cdef p15_result *results = <p15_result *>&self.results[0] if count else NULL
        p15_batch_start(&boards[0] if count else NULL, &limits[0] if count else NULL,
                        &max_nodes[0] if count and max_nodes is not None else NULL, results, count, &self.c)
        self.c.moves = &moves[0] if count and moves is not None else NULL

    @property
    def done(self):
        """How many boards are done."""
        return p15_batch_done(&self.c)

    def work(self, progress=None, deadline=None):
        """Solve boards until none is left, or until `time.monotonic` is `deadline`. Any thread may call it.

        The boards that are left get the bounds that are proved by then, without a look at tables. `progress` is called
        every few milliseconds.
        """
        cdef p15_worker *worker = NULL
        cdef bint more = True
        check_status(p15_worker_new(self.problem.metric, self.problem.problem, &worker), None)
        self.problem.running += 1
        try:
            while more:
                if deadline is not None and time.monotonic() >= deadline:
                    p15_batch_stop(&self.c)
                with nogil:
                    more = p15_worker_run_batch(worker, &self.c, self.problem.visits)
                if p15_batch_wants_longer(&self.c):
                    self.problem.lengthen()
                check_stop()
                if progress is not None:
                    progress()
        finally:
            self.problem.running -= 1
            p15_worker_delete(worker)

    def arrays(self):
        """The results: status, solved, length, lower_bound (uint8), path (N, bytes), expanded, generated, seconds."""
        results = np.asarray(self.results).view(_type_of_results())
        arrays = {name: np.ascontiguousarray(results[name]) for name in results.dtype.names if name != "iteration_count"}
        arrays["status"] = arrays["status"].astype(np.uint8)
        return arrays


@lru_cache
def _type_of_results():
    """The numpy type of a p15_result, field by field in the order of C."""
    fields = [("status", f"u{sizeof(p15_status)}"), *((name, "u1") for name in ("solved", "length", "lower_bound")),
              ("path", "u1", P15_PATH_BYTES), ("expanded", "u8"), ("generated", "u8"), ("seconds", "f8"),
              ("iteration_count", f"u{sizeof(unsigned)}")]
    made = np.dtype(fields, align=True)
    assert made.itemsize == sizeof(p15_result)
    return made
