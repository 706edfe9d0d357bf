"""IDA* on one board and on many, and the paths that it finds, around csrc/optimal/worker.h and
csrc/optimal/path.h, which are the manuals.

Boards here are packed and in the problem's own orientation: the goal has the tiles in order and its
blank at the home.  Calls that take long release the GIL, act on Ctrl-C and on the end of their team
(`puzzle15.parallel`) within a tenth of a second, and leave nothing behind when they are interrupted.
"""

import time

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from puzzle15._core.c cimport *
from puzzle15._core.tables.tables cimport Table
from puzzle15.parallel import Pace, QUICK_STEPS, Team, check_stop
from puzzle15.system.later import np

MAX_VIEWS = P15_MAX_VIEWS
MAX_PLACES = P15_MAX_PLACES
MAX_LENGTH = P15_MAX_LENGTH
MAX_LANES = P15_MAX_LANES

cdef enum:
    _VISITS = 1 << 15  # between two looks at signals and limits: some milliseconds
    _RESULTS = 1 << 16  # the same, while results are copied


cdef class Automaton:
    """The moves that a search has to try, for words of up to `length` moves; csrc/optimal/automaton.h."""

    def __cinit__(self, shape, unsigned length):
        cdef p15_shape c_shape = to_shape(shape)
        cdef p15_automaton_maker *maker = NULL
        cdef p15_status status
        cdef bint done = False
        check_status(p15_automaton_begin(c_shape, length, &maker), f"words of {length} moves")
        try:
            while not done:
                with nogil:
                    done = p15_automaton_go_on(maker, &self.c, &status)
                check_stop()
        finally:
            p15_automaton_maker_delete(maker)
        check_status(status, f"words of {length} moves")
        self.shape = tuple(shape)

    def __dealloc__(self):
        p15_automaton_free(&self.c)

    @property
    def state_count(self):
        return self.c.state_count


cdef class Problem:
    """Views of tables, and how to search with them.

    Parameters
    ----------
    shape : (int, int)
    home : int
    views : list of (list of Table, sequence of int)
        Each a partition's tables, and the symmetry (cell map) that they are seen through.
    automaton : Automaton
    plain : bool
        The textbook search: moves in fixed order, no subtrees.
    lanes : int
        Depth-first searches that a thread keeps in flight.
    longer : callable, optional
        Makes an Automaton of longer words when a search has proved to be large. Several threads may call it at once.
    large : int
        A search is large after an iteration that generates this many nodes.
    """

    def __cinit__(self, shape, unsigned home, list views not None, Automaton automaton not None, bint plain,
                  unsigned lanes, longer=None, uint64_t large=0):
        cdef p15_table[P15_MAX_PLACES] tables
        cdef uint8_t[P15_MAX_CELLS] cells
        cdef p15_shape c_shape = to_shape(shape)
        if automaton.shape != tuple(shape):
            raise ValueError(f"an automaton of another shape: {automaton.shape}")
        if not 1 <= lanes <= P15_MAX_LANES or not views:
            raise ValueError(f"{lanes} lanes, {len(views)} views")
        self.automaton, self.make_longer = automaton, longer
        self.tables = [table for parts, _ in views for table in parts]
        self.moved = []
        check_status(p15_problem_init(c_shape, home, &automaton.c, &self.c), f"home {home}")
        self.c.plain = plain
        self.c.lane_count = lanes
        if longer is not None:
            self.c.large = large
        for parts, symmetry in views:
            if len(parts) > P15_MAX_PLACES or len(symmetry) != c_shape.cells:
                raise ValueError("a view of too many tables, or a symmetry of another board")
            for i, table in enumerate(parts):
                tables[i] = (<Table?>table).c
            for i, cell in enumerate(symmetry):
                cells[i] = cell
            check_status(p15_problem_add_view(&self.c, tables, len(parts), cells), "view")

    def __dealloc__(self):
        p15_problem_free(&self.c)

    cdef lengthen(self):
        """Make the longer words, if nobody has made them yet."""
        cdef Automaton longer
        if self.longer is not None:
            return
        longer = self.make_longer()
        if longer.shape != self.automaton.shape:
            raise ValueError(f"longer words of another shape: {longer.shape}")
        if self.longer is None:  # other threads may have been faster
            self.longer = longer
            p15_problem_lengthen(&self.c, &longer.c)

    def move_tables(self, dict moved, int running=0):
        """Look up tables in other memory from now on.

        Parameters
        ----------
        moved : dict of Table to Table
            The same tables, elsewhere.
        running : int
            How many of the searches at work are the caller's own, between two iterations.

        Returns
        -------
        bool
            False if others are at work: then nothing has happened.
        """
        if self.running > running:
            return False
        for place, old in enumerate(self.tables):
            new = moved.get(old, old)
            check_status(p15_problem_move_table(&self.c, place, &(<Table?>new).c), "moved table")
            self.tables[place] = new  # each at once, since the next one may be refused
            self.moved.append(old)
        return True

    def heuristic(self, uint64_t board):
        """h of a board, and that of every view."""
        cdef unsigned h = 0
        cdef uint8_t[P15_MAX_VIEWS] views
        check_status(p15_heuristic(&self.c, board, &h, views), None)
        return h, [views[v] for v in range(self.c.view_count)]

    def heuristics(self, const uint64_t[::1] boards not None, uint8_t[::1] values not None,
                   uint8_t[::1] status not None, uint8_t[:, ::1] views=None):
        """h of many boards, that of every view if asked for, and each one's status; 0 where that is
        not 0."""
        cdef Py_ssize_t i, begin = 0, end
        cdef unsigned h
        cdef uint8_t *row = NULL
        same_count(values.shape[0], boards.shape[0])
        same_count(status.shape[0], boards.shape[0])
        if views is not None:
            same_count(views.shape[0], boards.shape[0])
            if views.shape[1] != self.c.view_count:
                raise ValueError(f"room for {views.shape[1]} views, not {self.c.view_count}")
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
                        status[i] = p15_heuristic(&self.c, boards[i], &h, row)
                        values[i] = <uint8_t>h
                begin = end
                pace.check_stop()
        finally:
            self.running -= 1

    def solve(self, uint64_t board, max_nodes=None, deadline=None, unsigned threads=1, on_iteration=None,
              unsigned limit=P15_NO_LIMIT):
        """Search for one board.

        Parameters
        ----------
        max_nodes : int, optional
            Stop when more nodes than this were generated; never if that many suffice.
        deadline : float, optional
            Stop at this `time.monotonic`.
        threads : int
        on_iteration : callable, optional
            Called with (bound, expanded, generated) after every iteration.
        limit : int
            No longer solution is looked for.

        Returns
        -------
        dict
            solved, lower_bound, directions (bytes), expanded, generated, iterations.
        """
        cdef Search search = Search(self, board, threads, limit)
        self.running += 1
        try:
            return search.run(max_nodes, deadline, on_iteration)
        finally:
            self.running -= 1


cdef class Search:
    """One board, its workers, and the state that limits need."""

    cdef Problem problem
    cdef uint64_t board
    cdef p15_idastar *c
    cdef p15_worker **workers
    cdef unsigned worker_count
    cdef bint pause  # for all workers
    cdef list seen  # (expanded, generated) of each worker, when it was last between two pieces of work
    cdef uint64_t base_expanded, base_generated  # of the workers, when the iteration began

    def __cinit__(self, Problem problem not None, uint64_t board, unsigned threads, unsigned limit):
        cdef unsigned i
        if threads < 1:
            raise ValueError("threads=0: at least one is needed")
        self.problem, self.board = problem, board
        self.workers = <p15_worker **>calloc(threads, sizeof(p15_worker *))
        if self.workers == NULL:
            raise MemoryError
        self.worker_count = threads
        self.seen = [(0, 0)] * threads
        for i in range(threads):
            check_status(p15_worker_new(&problem.c, &self.workers[i]), None)
        check_status(p15_idastar_new(&problem.c, board, limit, &self.c), None)

    def __dealloc__(self):
        cdef unsigned i
        p15_idastar_delete(self.c)
        for i in range(self.worker_count):
            p15_worker_delete(self.workers[i])
        free(self.workers)

    cdef bint work_a_while(self, unsigned worker) except -1:
        """Some milliseconds of one worker's work; whether there is more to do."""
        cdef bint more
        with nogil:
            more = p15_worker_run(self.workers[worker], self.c, _VISITS)
        self.seen[worker] = (p15_worker_expanded(self.workers[worker]),
                             p15_worker_generated(self.workers[worker]))
        return more

    def work(self, unsigned worker):
        """Run one worker to the end of the iteration, or to a pause. Any thread."""
        if worker >= self.worker_count:
            raise IndexError(f"worker {worker} of {self.worker_count}")
        while not self.pause and self.work_a_while(worker):
            check_stop()

    cdef tuple counts(self):
        """(expanded, generated) of all workers, as last seen: they may be at work."""
        return sum(expanded for expanded, _ in self.seen), sum(generated for _, generated in self.seen)

    def run(self, max_nodes, deadline, on_iteration):
        cdef p15_result result
        cdef p15_iteration[P15_MAX_ITERATIONS] iterations
        cdef bint ended = False
        most_made = max_nodes  # before the next pause; not all nodes that are made count
        team = None
        if self.worker_count > 1:
            from concurrent.futures import wait  # one worker needs none of it

            team = Team(self.worker_count)

        def late():
            return deadline is not None and time.monotonic() >= deadline

        def made():
            p15_idastar_result(self.c, &result, NULL)
            return result.generated + self.counts()[1] - self.base_generated

        try:
            self.base_expanded, self.base_generated = self.counts()
            while True:
                self.pause = False
                if team is not None:
                    futures = [team.submit(self.work, i) for i in range(self.worker_count)]
                    while wait(futures, timeout=0.02).not_done:
                        check_stop()
                        self.pause = late() or (max_nodes is not None and made() > most_made)
                    for future in futures:
                        future.result()
                else:
                    while not self.pause and self.work_a_while(0):
                        check_stop()
                        self.pause = late() or (max_nodes is not None and made() > most_made)
                if max_nodes is not None and made() > max_nodes:
                    generated = p15_idastar_generated(self.c, self.workers, self.worker_count)
                    if generated > max_nodes:
                        break
                    most_made = made() + max(max_nodes - generated, _VISITS)
                if self.pause:
                    if late():
                        break
                    continue
                ended = not p15_idastar_advance(self.c, self.workers, self.worker_count)
                if not ended and p15_idastar_wants_words(self.c):
                    self.problem.lengthen()
                    p15_idastar_lengthen(self.c)
                self.base_expanded, self.base_generated = self.counts()
                p15_idastar_result(self.c, &result, iterations)
                if on_iteration is not None and result.iteration_count:
                    last = iterations[result.iteration_count - 1]
                    on_iteration(last.bound, last.expanded, last.generated)
                if ended or late():
                    break
        finally:
            if team is not None:
                team.stop()
        p15_idastar_result(self.c, &result, iterations)
        check_status(result.status, f"packed board {self.board:#x}")
        expanded, generated = self.counts()
        if not ended:
            result.expanded += expanded - self.base_expanded
            result.generated += generated - self.base_generated
        return {
            "solved": bool(result.solved),
            "lower_bound": result.lower_bound,
            "directions": unpack_path(result.path, result.length) if result.solved else None,
            "expanded": result.expanded,
            "generated": result.generated,
            "iterations": [(iterations[i].bound, iterations[i].expanded, iterations[i].generated)
                           for i in range(result.iteration_count)],
        }


cdef class Batch:
    """Many boards of one problem, solved by any number of threads that call `work`.

    Parameters
    ----------
    problem : Problem
    boards : array of uint64, shape (N,)
    skip : array of uint8, shape (N,)
        Not 0 for boards to pass over.
    limits : array of uint8, shape (N,), optional
        No longer solution is looked for.
    max_nodes : array of uint64, shape (N,), optional
        A board that takes more generated nodes is not solved.
    """

    cdef Problem problem
    cdef const uint64_t[::1] boards
    cdef const uint8_t[::1] limits
    cdef const uint64_t[::1] max_nodes
    cdef p15_result *results
    cdef p15_batch c

    def __cinit__(self, Problem problem not None, const uint64_t[::1] boards not None, const uint8_t[::1] skip not None,
                  const uint8_t[::1] limits=None, const uint64_t[::1] max_nodes=None):
        cdef Py_ssize_t i, count = boards.shape[0]
        same_count(skip.shape[0], count)
        self.problem = problem
        if limits is not None:
            same_count(limits.shape[0], count)
        if max_nodes is not None:
            same_count(max_nodes.shape[0], count)
        self.boards, self.limits, self.max_nodes = boards, limits, max_nodes
        self.results = <p15_result *>calloc(max(count, 1), sizeof(p15_result))
        if self.results == NULL:
            raise MemoryError
        for i in range(count):
            if skip[i]:
                self.results[i].status = P15_ERR_BOARD
        p15_batch_start(&boards[0] if count else NULL, &limits[0] if count and limits is not None else NULL,
                        &max_nodes[0] if count and max_nodes is not None else NULL, self.results, count, &self.c)

    def __dealloc__(self):
        free(self.results)

    @property
    def done(self):
        """How many boards are done."""
        return p15_batch_done(&self.c)

    def work(self, progress=None, deadline=None):
        """Solve boards until none is left, or until `time.monotonic` is `deadline`; the boards that are left get the
        bounds that are proved by then. Any thread. `progress` is called between pieces of work, a few milliseconds
        apart."""
        cdef p15_worker *worker = NULL
        cdef bint more = True
        check_status(p15_worker_new(&self.problem.c, &worker), None)
        self.problem.running += 1
        try:
            while more:
                if deadline is not None and time.monotonic() >= deadline:
                    p15_batch_stop(&self.c)
                with nogil:
                    more = p15_worker_run_batch(worker, &self.c, _VISITS)
                if p15_batch_wants_words(&self.c, &self.problem.c):
                    self.problem.lengthen()
                check_stop()
                if progress is not None:
                    progress()
        finally:
            self.problem.running -= 1
            p15_worker_delete(worker)

    def arrays(self):
        """The results: status, solved, length, lower_bound (uint8), path (N, bytes), expanded,
        generated (uint64), seconds (float64)."""
        cdef Py_ssize_t i, count = self.boards.shape[0]
        status, length = np.empty(count, np.uint8), np.empty(count, np.uint8)
        solved, lower_bound = np.empty(count, np.uint8), np.empty(count, np.uint8)
        path = np.empty((count, P15_PATH_BYTES), np.uint8)
        expanded, generated = np.empty(count, np.uint64), np.empty(count, np.uint64)
        seconds = np.empty(count, np.float64)
        cdef uint8_t[::1] c_status = status, c_length = length, c_solved = solved, c_lower_bound = lower_bound
        cdef uint8_t[:, ::1] c_path = path
        cdef uint64_t[::1] c_expanded = expanded, c_generated = generated
        cdef double[::1] c_seconds = seconds
        cdef p15_result *result
        for i in range(count):
            if i % _RESULTS == 0:
                check_stop()
            result = &self.results[i]
            c_status[i] = result.status
            c_solved[i] = result.solved
            c_lower_bound[i] = result.lower_bound
            c_length[i] = result.length
            c_expanded[i] = result.expanded
            c_generated[i] = result.generated
            c_seconds[i] = result.seconds
            memcpy(&c_path[i, 0], result.path, P15_PATH_BYTES)
        return {"status": status, "solved": solved, "length": length, "lower_bound": lower_bound, "path": path,
                "expanded": expanded, "generated": generated, "seconds": seconds}


def directions_of_path(const uint8_t[::1] path not None, unsigned length):
    """The blank's directions of a packed path, as bytes."""
    if path.shape[0] != P15_PATH_BYTES or length > P15_MAX_LENGTH:
        raise ValueError("no path")
    return unpack_path(&path[0], length)


def turn_paths(const uint8_t[::1] lengths not None, const uint8_t[::1] to not None, uint8_t[:, ::1] paths not None):
    """Replace every move m of packed paths by to[m]."""
    cdef Py_ssize_t begin = 0, end
    lengths, to = bytes(lengths), bytes(to)  # copies: what is checked is what is used
    check_paths(lengths, paths)
    if to.shape[0] != P15_DIRECTIONS or max(to) >= P15_DIRECTIONS:
        raise ValueError(f"directions {bytes(to)}")
    pace = Pace(QUICK_STEPS)
    while begin < lengths.shape[0]:
        end = min(begin + <Py_ssize_t>pace.steps, lengths.shape[0])
        with nogil:
            p15_path_turn(&lengths[begin], end - begin, &to[0], &paths[begin, 0])
        begin = end
        pace.check_stop()


def follow_paths(const uint64_t[::1] boards not None, const uint8_t[::1] lengths not None,
                 const uint8_t[:, ::1] paths not None, shape):
    """The boards along every path, the goal left out: (boards, lengths, paths, index of the path)."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef size_t count = boards.shape[0], rows = 0, begin = 0, end, row = 0, next_row, i
    cdef p15_status status = P15_OK
    lengths = bytes(lengths)  # a copy: what is checked and counted is what is used
    check_paths(lengths, paths)
    same_count(lengths.shape[0], count)
    if count:
        rows = p15_path_count(&lengths[0], count)
    out = (np.empty(rows, np.uint64), np.empty(rows, np.uint8), np.empty((rows, P15_PATH_BYTES), np.uint8),
           np.empty(rows, np.uint32))
    cdef uint64_t[::1] out_boards = out[0]
    cdef uint8_t[::1] out_lengths = out[1]
    cdef uint8_t[:, ::1] out_paths = out[2]
    cdef uint32_t[::1] out_starts = out[3]
    pace = Pace(QUICK_STEPS)
    while begin < count:
        end = min(begin + <size_t>pace.steps, count)
        with nogil:
            next_row = row + p15_path_count(&lengths[begin], end - begin)
            status = p15_path_follow(&boards[begin], &lengths[begin], &paths[begin, 0], end - begin, c_shape,
                                     &out_boards[row], &out_lengths[row], &out_paths[row, 0], &out_starts[row])
            for i in range(row, next_row):
                out_starts[i] += <uint32_t>begin
        check_status(status, "path")
        begin, row = end, next_row
        pace.check_stop()
    return out


def children_beside(const uint64_t[::1] boards not None, const uint8_t[::1] lengths not None,
                    const uint8_t[::1] known not None, shape):
    """(children, limits, skip) to ask a `Batch` which directions begin a shortest solution, four for
    every board; the directions whose bits are set in `known` are left out."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef size_t count = boards.shape[0], begin = 0, end
    same_count(lengths.shape[0], count)
    same_count(known.shape[0], count)
    children = np.empty(P15_DIRECTIONS * count, np.uint64)
    limits, skip = np.empty(P15_DIRECTIONS * count, np.uint8), np.empty(P15_DIRECTIONS * count, np.uint8)
    cdef uint64_t[::1] c_children = children
    cdef uint8_t[::1] c_limits = limits, c_skip = skip
    pace = Pace(QUICK_STEPS)
    while begin < count:
        end = min(begin + <size_t>pace.steps, count)
        with nogil:
            p15_path_beside(&boards[begin], &lengths[begin], &known[begin], end - begin, c_shape,
                            &c_children[4 * begin], &c_limits[4 * begin], &c_skip[4 * begin])
        begin = end
        pace.check_stop()
    return children, limits, skip


cdef int check_paths(const uint8_t[::1] lengths, const uint8_t[:, ::1] paths) except -1:
    cdef Py_ssize_t i
    same_count(paths.shape[0], lengths.shape[0])
    if paths.shape[1] != P15_PATH_BYTES:
        raise ValueError(f"paths of {paths.shape[1]} bytes, not {P15_PATH_BYTES}")
    for i in range(lengths.shape[0]):
        if lengths[i] > P15_MAX_LENGTH:
            raise ValueError(f"a path of {lengths[i]} moves")
    return 0


cdef bytes unpack_path(const uint8_t *path, unsigned length):
    return bytes([p15_path_move(path, i) for i in range(length)])


cdef int same_count(Py_ssize_t given, Py_ssize_t wanted) except -1:
    if given != wanted:
        raise ValueError(f"arrays of {given} and {wanted} boards")
    return 0
