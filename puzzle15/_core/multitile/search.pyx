"""Solutions with the fewest multi-tile moves, of one board and of many, around csrc/multitile/search.h, which is the
manual.

`Problem` and `Batch` are used like those of `puzzle15._core.optimal.idastar`; lengths and bounds count multi-tile
moves.  A path here is the blank's cells, the first one before the first move.
"""

import time

from puzzle15.system.later import np

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from puzzle15._core.c cimport *
from puzzle15._core.multitile.tables cimport Table
from puzzle15.parallel import Pace, QUICK_STEPS, Team, check_stop

MAX_VIEWS = P15_MULTI_MAX_VIEWS
MAX_LENGTH = P15_MULTI_MAX_LENGTH

cdef enum:
    _VISITS = 1 << 14  # between two looks at signals and limits: some milliseconds
    _PATH_BYTES = P15_MULTI_MAX_LENGTH + 1


cdef class Problem:
    """Views of multi-tile tables, and how to search with them.

    Parameters
    ----------
    shape : (int, int)
    home : int
    views : list of ([Table], sequence of int)
        Each a table, and the symmetry (cell map) that it is seen through.
    """

    cdef p15_multi_problem c
    cdef list tables
    cdef list moved  # tables that are not looked at any more, but that workers may still point to
    cdef readonly int running  # searches and batches that are at work; counted under the GIL

    def __cinit__(self, shape, unsigned home, list views not None):
        cdef uint8_t[P15_MAX_CELLS] cells
        cdef p15_shape c_shape = to_shape(shape)
        if not views:
            raise ValueError("no views")
        self.tables = [table for tables, _ in views for table in tables]
        self.moved = []
        check_status(p15_multi_problem_init(c_shape, home, &self.c), f"home {home}")
        for (table,), symmetry in views:
            if len(symmetry) != c_shape.cells:
                raise ValueError("a symmetry of another board")
            for i, cell in enumerate(symmetry):
                cells[i] = cell
            check_status(p15_multi_problem_add_view(&self.c, &(<Table?>table).c, cells), "view")

    def move_tables(self, dict moved, int running=0):
        """Look up tables in other memory from now on; see `puzzle15._core.optimal.idastar.Problem`."""
        if self.running > running:
            return False
        for view, old in enumerate(self.tables):
            new = moved.get(old, old)
            check_status(p15_multi_problem_move_table(&self.c, view, &(<Table?>new).c), "moved table")
            self.tables[view] = new  # each at once, since the next one may be refused
            self.moved.append(old)
        return True

    def heuristic(self, uint64_t board):
        """h of a board, and that of every view."""
        cdef unsigned h = 0
        cdef uint8_t[P15_MULTI_MAX_VIEWS] views
        check_status(p15_multi_heuristic(&self.c, board, &h, views), None)
        return h, [views[v] for v in range(self.c.view_count)]

    def heuristics(self, const uint64_t[::1] boards not None, uint8_t[::1] values not None,
                   uint8_t[::1] status not None, uint8_t[:, ::1] views=None):
        """h of many boards, that of every view if asked for, and each one's status; 0 where that is not 0."""
        cdef Py_ssize_t i, begin = 0, end
        cdef unsigned h
        cdef uint8_t *row = NULL
        if values.shape[0] != boards.shape[0] or status.shape[0] != boards.shape[0]:
            raise ValueError("values or statuses of another number of boards")
        if views is not None:
            if views.shape[0] != boards.shape[0] or views.shape[1] != self.c.view_count:
                raise ValueError(f"views of {views.shape[0]} boards, {views.shape[1]} each")
            views[:] = 0
        pace = Pace(QUICK_STEPS)
        self.running += 1
        try:
            while begin < boards.shape[0]:
                end = min(begin + <Py_ssize_t>pace.steps, boards.shape[0])
                with nogil:
                    for i in range(begin, end):
                        h = 0
                        if views is not None:
                            row = &views[i, 0]
                        status[i] = p15_multi_heuristic(&self.c, boards[i], &h, row)
                        values[i] = <uint8_t>h
                begin = end
                pace.check_stop()
        finally:
            self.running -= 1

    def solve(self, uint64_t board, max_nodes=None, deadline=None, unsigned threads=1, on_iteration=None,
              unsigned limit=P15_MULTI_NO_LIMIT):
        """Search for one board; the parameters are those of `puzzle15._core.optimal.idastar.Problem.solve`.

        Returns
        -------
        dict
            solved, lower_bound, directions (bytes, one per tile that moves), expanded, generated, iterations.
        """
        cdef Search search = Search(self, board, threads, limit)
        self.running += 1
        try:
            return search.run(max_nodes, deadline, on_iteration)
        finally:
            self.running -= 1

    def batch(self, boards, skip, limits=None, max_nodes=None):
        """A `Batch` of this problem."""
        return Batch(self, boards, skip, limits, max_nodes)

    def directions_of_path(self, const uint8_t[::1] path not None, unsigned length):
        """The blank's directions on a path, as bytes: one per tile that moves."""
        if path.shape[0] != _PATH_BYTES or length > P15_MULTI_MAX_LENGTH:
            raise ValueError("no path")
        return directions(&path[0], length, self.c.shape.cols)


cdef bytes directions(const uint8_t *path, unsigned length, unsigned cols):
    """The blank's directions along the cells path[0 .. length]."""
    cdef unsigned i
    cdef int here, there
    found = bytearray()
    for i in range(length):
        here, there = path[i], path[i + 1]
        if here // cols == there // cols:
            found += bytes([2 if there > here else 1]) * abs(there - here)
        else:
            found += bytes([3 if there > here else 0]) * (abs(there - here) // cols)
    return bytes(found)


cdef class Search:
    """One board, its workers, and the state that limits need."""

    cdef Problem problem
    cdef uint64_t board
    cdef p15_multi_search *c
    cdef p15_multi_worker **workers
    cdef unsigned worker_count
    cdef bint pause  # for all workers

    def __cinit__(self, Problem problem not None, uint64_t board, unsigned threads, unsigned limit):
        cdef unsigned i
        if threads < 1:
            raise ValueError("threads=0: at least one is needed")
        self.problem, self.board = problem, board
        self.workers = <p15_multi_worker **>calloc(threads, sizeof(p15_multi_worker *))
        if self.workers == NULL:
            raise MemoryError
        self.worker_count = threads
        for i in range(threads):
            check_status(p15_multi_worker_new(&problem.c, &self.workers[i]), None)
        check_status(p15_multi_search_new(&problem.c, &self.c), None)
        check_status(p15_multi_search_begin(self.c, board, limit), f"packed board {board:#x}")

    def __dealloc__(self):
        cdef unsigned i
        p15_multi_search_delete(self.c)
        for i in range(self.worker_count):
            p15_multi_worker_delete(self.workers[i])
        free(self.workers)

    def work(self, unsigned worker):
        """Run one worker to the end of the iteration, or to a pause. Any thread."""
        cdef bint more = True
        if worker >= self.worker_count:
            raise IndexError(f"worker {worker} of {self.worker_count}")
        while more and not self.pause:
            with nogil:
                more = p15_multi_worker_run(self.workers[worker], self.c, _VISITS)
            check_stop()
            if self.worker_count == 1:
                return more
        return more

    def run(self, max_nodes, deadline, on_iteration):
        cdef p15_multi_result result
        cdef p15_iteration[P15_MULTI_MAX_LENGTH] iterations
        cdef uint8_t[_PATH_BYTES] path
        cdef bint more, over = False
        cdef unsigned i
        team = None
        if self.worker_count > 1:
            from concurrent.futures import wait  # it takes long to import
            team = Team(self.worker_count)

        def ends():
            return (deadline is not None and time.monotonic() >= deadline) or (
                max_nodes is not None and p15_multi_search_generated(self.c) > max_nodes)

        try:
            while not over:
                self.pause = False
                if team is not None:
                    futures = [team.submit(self.work, i) for i in range(self.worker_count)]
                    while wait(futures, timeout=0.02).not_done:
                        check_stop()
                        self.pause = ends()
                    more = any([future.result() for future in futures])
                else:
                    more = self.work(0)
                over = ends()
                if more or over:
                    continue
                over = not p15_multi_search_advance(self.c)
                p15_multi_search_result(self.c, &result, iterations)
                if on_iteration is not None and result.iteration_count:
                    last = iterations[result.iteration_count - 1]
                    on_iteration(last.bound, last.expanded, last.generated)
        finally:
            if team is not None:
                team.stop()
        p15_multi_search_result(self.c, &result, iterations)
        check_status(result.status, f"packed board {self.board:#x}")
        path[0] = p15_board_blank(self.board)
        memcpy(path + 1, result.path, P15_MULTI_MAX_LENGTH)
        expanded, generated = result.expanded, result.generated
        if not result.solved:  # what the unfinished iteration has made counts, too
            expanded = max(expanded, sum([p15_multi_worker_expanded(self.workers[i])
                                          for i in range(self.worker_count)]))
            generated = max(generated, sum([p15_multi_worker_generated(self.workers[i])
                                            for i in range(self.worker_count)]))
        return {
            "solved": bool(result.solved),
            "lower_bound": result.lower_bound,
            "directions": directions(path, result.length, self.problem.c.shape.cols) if result.solved else None,
            "expanded": expanded,
            "generated": generated,
            "iterations": [(iterations[i].bound, iterations[i].expanded, iterations[i].generated)
                           for i in range(result.iteration_count)],
        }


cdef class Batch:
    """Many boards of one problem; see `puzzle15._core.optimal.idastar.Batch`."""

    cdef Problem problem
    cdef const uint64_t[::1] boards
    cdef const uint8_t[::1] limits
    cdef const uint64_t[::1] max_nodes
    cdef p15_multi_result *results
    cdef p15_multi_batch c

    def __cinit__(self, Problem problem not None, const uint64_t[::1] boards not None, const uint8_t[::1] skip not None,
                  const uint8_t[::1] limits=None, const uint64_t[::1] max_nodes=None):
        cdef Py_ssize_t i, count = boards.shape[0]
        self.problem = problem
        if (skip.shape[0] != count or (limits is not None and limits.shape[0] != count)
                or (max_nodes is not None and max_nodes.shape[0] != count)):
            raise ValueError("limits of another number of boards")
        self.boards, self.limits, self.max_nodes = boards, limits, max_nodes
        self.results = <p15_multi_result *>calloc(max(count, 1), sizeof(p15_multi_result))
        if self.results == NULL:
            raise MemoryError
        for i in range(count):
            if skip[i]:
                self.results[i].status = P15_ERR_BOARD
        p15_multi_batch_start(&boards[0] if count else NULL, &limits[0] if count and limits is not None else NULL,
                              &max_nodes[0] if count and max_nodes is not None else NULL, self.results, count,
                              &self.c)

    def __dealloc__(self):
        free(self.results)

    @property
    def done(self):
        """How many boards are done."""
        return p15_multi_batch_done(&self.c)

    def work(self, progress=None, deadline=None):
        """Solve boards until none is left, or until `time.monotonic` is `deadline`. Any thread."""
        cdef p15_multi_worker *worker = NULL
        cdef bint more = True
        check_status(p15_multi_worker_new(&self.problem.c, &worker), None)
        self.problem.running += 1
        try:
            while more:
                if deadline is not None and time.monotonic() >= deadline:
                    p15_multi_batch_stop(&self.c)
                with nogil:
                    more = p15_multi_worker_run_batch(worker, &self.c, _VISITS)
                check_stop()
                if progress is not None:
                    progress()
        finally:
            self.problem.running -= 1
            p15_multi_worker_delete(worker)

    def arrays(self):
        """The results: status, solved, length, lower_bound (uint8), path (N, bytes), expanded, generated (uint64),
        seconds (float64)."""
        cdef Py_ssize_t i, count = self.boards.shape[0]
        status, length = np.empty(count, np.uint8), np.empty(count, np.uint8)
        solved, lower_bound = np.empty(count, np.uint8), np.empty(count, np.uint8)
        path = np.empty((count, _PATH_BYTES), np.uint8)
        expanded, generated = np.empty(count, np.uint64), np.empty(count, np.uint64)
        seconds = np.empty(count, np.float64)
        cdef uint8_t[::1] c_status = status, c_length = length, c_solved = solved, c_lower_bound = lower_bound
        cdef uint8_t[:, ::1] c_path = path
        cdef uint64_t[::1] c_expanded = expanded, c_generated = generated
        cdef double[::1] c_seconds = seconds
        cdef p15_multi_result *result
        for i in range(count):
            result = &self.results[i]
            c_status[i] = result.status
            c_solved[i] = result.solved
            c_lower_bound[i] = result.lower_bound
            c_length[i] = result.length
            c_expanded[i] = result.expanded
            c_generated[i] = result.generated
            c_seconds[i] = result.seconds
            c_path[i, 0] = p15_board_blank(self.boards[i]) if result.status == P15_OK else 0
            memcpy(&c_path[i, 1], result.path, P15_MULTI_MAX_LENGTH)
        return {"status": status, "solved": solved, "length": length, "lower_bound": lower_bound, "path": path,
                "expanded": expanded, "generated": generated, "seconds": seconds}
