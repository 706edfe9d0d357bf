"""Questions to the search, and the graph of boards that their answers make known, around csrc/optimal/graph.h and
csrc/optimal/solutions.h, which are the manuals.

Boards, moves and directions here are those of the problem's own orientation, as in `idastar`.  Calls that take long
release the GIL, and act on Ctrl-C and on the end of their team.  After that, a graph is as good as before.
"""

import time

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from puzzle15._core.c cimport *
from puzzle15._core.optimal.idastar cimport Problem
from puzzle15.parallel import Team, check_stop
from puzzle15.system.later import np

cdef enum:
    _VISITS = 1 << 15  # between two looks at signals and limits: some milliseconds
    _STEPS = 1 << 14  # of walks, the same


cdef class Questions:
    """Many questions, answered by any number of threads that call `work`: is a board at most `limits` moves away from the
    goal, if the move that led there is not undone?

    Parameters
    ----------
    problem : Problem
    boards : array of uint64, shape (N,)
    moves : array of uint8, shape (N,)
        The direction that led to each board.
    limits : array of uint8, shape (N,)
    skip : array of uint8, shape (N,)
        Not 0 for boards to pass over.
    """

    cdef Problem problem
    cdef const uint64_t[::1] boards
    cdef const uint8_t[::1] moves, limits, skip
    cdef p15_result *results
    cdef p15_batch c

    def __cinit__(self, Problem problem not None, const uint64_t[::1] boards not None,
                  const uint8_t[::1] moves not None, const uint8_t[::1] limits not None,
                  const uint8_t[::1] skip not None):
        cdef Py_ssize_t i, count = boards.shape[0]
        if not (moves.shape[0] == limits.shape[0] == skip.shape[0] == count):
            raise ValueError(f"arrays of other lengths than {count}")
        moves = bytes(moves)  # a copy: what is checked is what is used
        if count and np.asarray(moves).max() >= P15_DIRECTIONS:
            raise ValueError("moves that are no directions")
        self.problem, self.boards, self.moves, self.limits, self.skip = problem, boards, moves, limits, skip
        self.results = <p15_result *>calloc(max(count, 1), sizeof(p15_result))
        if self.results == NULL:
            raise MemoryError
        for i in range(count):
            if skip[i]:
                self.results[i].status = P15_ERR_BOARD
        p15_batch_start(&boards[0] if count else NULL, &limits[0] if count else NULL, NULL, self.results, count,
                        &self.c)
        self.c.moves = &moves[0] if count else NULL

    def __dealloc__(self):
        free(self.results)

    @property
    def done(self):
        """How many questions have their answers."""
        return p15_batch_done(&self.c)

    def work(self, progress=None):
        """Answer questions until none is left. Any thread. `progress` is called between pieces of work, a few
        milliseconds apart."""
        cdef p15_worker *worker = NULL
        cdef bint more = True
        check_status(p15_worker_new(&self.problem.c, &worker), None)
        self.problem.running += 1
        try:
            while more:
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

    def answers(self):
        """(whether each board is so near, statuses), two arrays of uint8, and (expanded, generated) nodes, two of uint64;
        0 where a board was passed over."""
        cdef Py_ssize_t i, count = self.boards.shape[0]
        yes, status = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        expanded, generated = np.zeros(count, np.uint64), np.zeros(count, np.uint64)
        cdef uint8_t[::1] c_yes = yes, c_status = status
        cdef uint64_t[::1] c_expanded = expanded, c_generated = generated
        for i in range(count):
            if not self.skip[i]:
                c_yes[i], c_status[i] = self.results[i].solved, self.results[i].status
                c_expanded[i], c_generated[i] = self.results[i].expanded, self.results[i].generated
        return yes, status, expanded, generated


cdef class Graph:
    """Boards whose distance is known.

    Parameters
    ----------
    problem : Problem
    threads : int
        Threads that work on a question together, if it takes long.
    """

    cdef Problem problem
    cdef p15_graph c
    cdef p15_idastar *search
    cdef p15_worker **workers
    cdef unsigned worker_count
    cdef list seen  # (expanded, generated) of each worker, when it was last between two pieces of work
    cdef object most, deadline  # of generated nodes; a time
    cdef bint stop, busy, broken
    cdef tuple made  # the counts of all questions before this one; where it was answered, they do not depend on workers
    cdef tuple base  # the counts of the workers, when this question began

    def __cinit__(self, Problem problem not None, unsigned threads=1):
        if threads < 1:
            raise ValueError("threads=0: at least one is needed")
        self.problem = problem
        self.made = self.base = (0, 0)
        self.seen = [(0, 0)] * threads
        self.workers = <p15_worker **>calloc(threads, sizeof(p15_worker *))
        self.search = p15_idastar_empty(&problem.c)
        if self.workers == NULL or self.search == NULL:
            raise MemoryError
        self.worker_count = threads
        check_status(p15_graph_init(problem.c.shape, problem.c.goal, &self.c), None)

    def __dealloc__(self):
        if self.workers != NULL:
            self.delete_workers()  # no more: the garbage collector may have taken the lists before
        free(self.workers)
        p15_idastar_delete(self.search)
        p15_graph_free(&self.c)

    def __len__(self):
        return self.c.count

    def clear(self):
        """Forget all boards."""
        p15_graph_clear(&self.c)

    # ---------------------------------------------------------------- what is known

    def add(self, uint64_t board, const uint8_t[::1] directions not None):
        """Add a board and those on a shortest solution of it."""
        cdef uint8_t[P15_PATH_BYTES] path
        cdef unsigned i, length = directions.shape[0]
        if length > P15_MAX_LENGTH:
            raise ValueError(f"a path of {length} moves")
        memset(path, 0, sizeof(path))
        for i in range(length):
            if directions[i] >= P15_DIRECTIONS:
                raise ValueError(f"direction {directions[i]}")
            path[i // 4] |= directions[i] << (2 * (i % 4))
        check_status(p15_graph_add_path(&self.c, board, length, path), f"packed board {board:#x}")

    cdef uint32_t index(self, uint64_t board) except? P15_NO_BOARD:
        cdef uint32_t index = p15_graph_find(&self.c, board)
        if not is_known(&self.c, index):
            raise KeyError(f"{board:#x} is not known")
        return index

    def known(self, uint64_t board):
        """(distance, the first moves that are known as bits, whether these are all) of a known board."""
        known = self.c.known[self.index(board)]
        return known.distance, known.moves, bool(known.whole)

    def solution(self, uint64_t board):
        """The directions of a shortest solution of a known board."""
        cdef uint8_t[P15_PATH_BYTES] path
        cdef uint32_t index = self.index(board)
        check_status(p15_graph_solution(&self.c, index, path), f"packed board {board:#x}")
        return unpack(path, self.c.known[index].distance)

    # ---------------------------------------------------------------- questions

    def ask(self, uint64_t board):
        """Ask for all first moves of a known board."""
        check_status(p15_graph_ask(&self.c, self.index(board)), None)

    def reach(self, uint64_t board):
        """Find the boards on the shortest solutions of a known board that are known, and ask for all first moves of each.

        Returns
        -------
        bool
            Whether there was something to ask. If not, all shortest solutions are known.
        """
        cdef uint32_t index = self.index(board)
        cdef p15_status status
        with nogil:
            status = p15_graph_reach(&self.c, index)
        check_status(status, None)
        return self.c.asked_count > 0

    def answer(self, max_nodes=None, deadline=None):
        """Answer what was asked.

        Parameters
        ----------
        max_nodes : int, optional
            Stop when `generated` has reached this number.
        deadline : float, optional
            Stop at this `time.monotonic`.

        Returns
        -------
        bool
            False if a limit was reached. Another call goes on.
        """
        cdef const p15_question *question
        if self.busy:
            raise RuntimeError("this graph is at work in another thread")
        if self.broken:
            raise RuntimeError("this graph has met a damaged table")
        self.busy, self.stop = True, False
        self.most, self.deadline = max_nodes, deadline
        self.problem.running += 1
        try:
            while (question := p15_graph_next(&self.c)) != NULL:
                if self.limited() or not self.answer_one(question):
                    return False
            return True
        finally:
            self.busy = False
            self.problem.running -= 1

    cdef bint answer_one(self, const p15_question *question) except -1:
        """Search for the answer to a question; False if a limit was reached."""
        cdef p15_result result
        cdef p15_status status
        cdef unsigned i
        cdef bint ended = False
        for i in range(self.worker_count):
            if self.workers[i] == NULL:
                check_status(p15_worker_new(&self.problem.c, &self.workers[i]), None)
        status = p15_idastar_begin_child(self.search, question.board, question.move, question.limit)
        board = question.board  # for an error: the pointer is not good any more by then
        try:
            while status == P15_OK and not ended and self.work_together():
                ended = not p15_idastar_advance(self.search, self.workers, self.worker_count)
        finally:
            if not ended:
                self.dismiss()
        if status == P15_OK and not ended:
            return False
        p15_idastar_result(self.search, &result, NULL)
        if status != P15_OK:
            result.status = status
        self.made = (self.made[0] + result.expanded, self.made[1] + result.generated)
        self.base = self.counts()
        status = p15_graph_answer(&self.c, &result)
        self.broken = status != P15_OK
        check_status(status, f"packed board {board:#x}")
        return True

    cdef bint work_together(self) except -1:
        """Run the workers to the end of the iteration; False if a limit was reached."""
        cdef bint more = self.work_a_while(0)
        if more and self.worker_count > 1:  # only now it is known to be long enough for a team
            from concurrent.futures import wait  # one worker needs none of it

            with Team(self.worker_count) as team:
                futures = [team.submit(self.work, i) for i in range(self.worker_count)]
                while wait(futures, timeout=0.02).not_done:
                    check_stop()
                    self.stop = self.stop or self.limited()
                for future in futures:
                    future.result()
        while more and self.worker_count == 1 and not self.stop:
            check_stop()
            self.stop = self.limited()
            more = not self.stop and self.work_a_while(0)
        return not self.stop

    cdef bint work_a_while(self, unsigned worker) except -1:
        """Some milliseconds of one worker's work; whether there is more to do."""
        cdef bint more
        with nogil:
            more = p15_worker_run(self.workers[worker], self.search, _VISITS)
        self.seen[worker] = (p15_worker_expanded(self.workers[worker]), p15_worker_generated(self.workers[worker]))
        return more

    def work(self, unsigned worker):
        """The work of one thread of a team."""
        while not self.stop and self.work_a_while(worker):
            check_stop()

    cdef bint limited(self) except -1:
        if self.deadline is not None and time.monotonic() >= self.deadline:
            return True
        return self.most is not None and self.generated >= self.most

    cdef void dismiss(self):
        """Delete the workers, as they must be that were stopped."""
        self.made, self.base = (self.expanded, self.generated), (0, 0)
        self.seen = [(0, 0)] * self.worker_count
        self.delete_workers()

    cdef void delete_workers(self) noexcept:
        cdef unsigned i
        for i in range(self.worker_count):
            p15_worker_delete(self.workers[i])
            self.workers[i] = NULL

    cdef tuple counts(self):
        """(expanded, generated) of all workers, as last seen: they may be at work."""
        return sum(expanded for expanded, _ in self.seen), sum(generated for _, generated in self.seen)

    @property
    def expanded(self):
        """The nodes that all searches for answers have expanded."""
        return self.made[0] + self.counts()[0] - self.base[0]

    @property
    def generated(self):
        """The nodes that they have generated."""
        return self.made[1] + self.counts()[1] - self.base[1]

    def follow(self, const uint64_t[::1] boards not None, const uint8_t[::1] moves not None,
               const int64_t[::1] begins not None, uint8_t[::1] distances not None, max_nodes=None, deadline=None):
        """The distances of all boards on walks whose first boards are known.

        Parameters
        ----------
        boards : array of uint64, shape (N,)
            The boards of one walk after the other.
        moves : array of uint8, shape (N,)
            The direction that led to each board; anything for the first boards.
        begins : array of int64, shape (W + 1,)
            Where the boards of each walk begin; N at the end.
        distances : array of uint8, shape (N,)
            Filled; 255 where a distance is not known because a limit was reached.
        max_nodes, deadline
            As for `answer`.

        Returns
        -------
        bool
            False if a limit was reached.
        """
        cdef Py_ssize_t walk, count = begins.shape[0] - 1, steps = 0
        cdef uint32_t index, before
        cdef int64_t at
        cdef bint waiting
        begins, moves = np.array(begins), bytes(moves)  # copies: what is checked is what is used
        if not (moves.shape[0] == distances.shape[0] == boards.shape[0] == begins[count]) or begins[0] != 0:
            raise ValueError("walks of other lengths")
        if boards.shape[0] and (np.diff(begins).min() < 1 or np.asarray(moves).max() >= P15_DIRECTIONS):
            raise ValueError("walks without a board, or moves that are no directions")
        cdef int64_t[::1] next = np.array(begins[:count])
        distances[:] = P15_NOT_KNOWN
        while True:
            waiting = False
            for walk in range(count):
                before = P15_NO_BOARD
                at = next[walk]
                while at < begins[walk + 1]:
                    index = p15_graph_find(&self.c, boards[at])
                    if not is_known(&self.c, index):
                        if before == P15_NO_BOARD:
                            raise KeyError(f"{boards[at]:#x} is not known")
                        check_status(p15_graph_ask_one(&self.c, before, moves[at]), None)
                        at -= 1  # where the walk goes on
                        waiting = True
                        break
                    distances[at] = self.c.known[index].distance
                    before = index
                    at += 1
                next[walk] = at
                steps += 1
                if steps % _STEPS == 0:
                    check_stop()
            if not waiting:
                return True
            if not self.answer(max_nodes, deadline):
                return False

    # ---------------------------------------------------------------- all shortest solutions

    def count_solutions(self):
        """The number of shortest solutions of the board that `reach` was last called for."""
        cdef uint64_t[P15_WAYS_WORDS] ways
        cdef p15_status status
        with nogil:
            status = p15_solutions_count(&self.c, ways)
        check_status(status, None)
        return sum(int(ways[i]) << 64 * i for i in range(P15_WAYS_WORDS))

    def fewest_runs(self, const uint8_t[::1] order not None):
        """The directions of the solution of the fewest runs of equal moves, for the board that `reach` was last called
        for; of several, the first one in the order of directions."""
        cdef uint8_t[P15_PATH_BYTES] path
        cdef unsigned runs
        cdef p15_status status
        check_order(order)
        with nogil:
            status = p15_solutions_fewest_runs(&self.c, &order[0], path, &runs)
        check_status(status, None)
        return unpack(path, self.c.known[self.c.order[0]].distance)


cdef class Listing:
    """All shortest solutions of a known board of a graph, in the order of their moves.

    Parameters
    ----------
    graph : Graph
    board : int
    order : bytes
        The four directions, the first one first.

    Attributes
    ----------
    ended : bool
        Whether all solutions were listed.
    """

    cdef Graph graph
    cdef p15_listing c
    cdef unsigned length
    cdef readonly bint ended

    def __cinit__(self, Graph graph not None, uint64_t board, const uint8_t[::1] order not None):
        cdef uint32_t index = graph.index(board)
        check_order(order)
        self.graph = graph
        self.length = graph.c.known[index].distance
        p15_listing_begin(index, &order[0], &self.c)

    def next(self, max_nodes=None, deadline=None):
        """The directions of the next solution as bytes. None if there is none, or if a limit was reached, as in
        `Graph.answer`; then another call goes on."""
        cdef p15_listing_state state
        while True:
            state = p15_listing_next(&self.graph.c, &self.c)
            if state == P15_LISTING_SOLUTION:
                return unpack(self.c.path, self.length)
            if state == P15_LISTING_WRONG:
                check_status(P15_ERR_ANSWER, f"packed board {self.graph.c.known[self.c.at[0]].board:#x}")
            if state == P15_LISTING_ENDED:
                self.ended = True
                return None
            check_status(p15_graph_ask_path(&self.graph.c, self.c.at[self.c.depth]), None)
            if not self.graph.answer(max_nodes, deadline):
                return None


cdef inline bint is_known(const p15_graph *graph, uint32_t index) noexcept:
    return index != P15_NO_BOARD and graph.known[index].distance != P15_NOT_KNOWN


cdef bytes unpack(const uint8_t *path, unsigned length):
    return bytes([p15_path_move(path, i) for i in range(length)])


cdef int check_order(const uint8_t[::1] order) except -1:
    if sorted(order) != list(range(P15_DIRECTIONS)):
        raise ValueError(f"order {bytes(order)}: not every direction once")
    return 0
