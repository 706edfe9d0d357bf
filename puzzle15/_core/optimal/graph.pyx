"""The graph of boards whose distances are known, and the queries that extend it, around csrc/optimal/graph.h.

Boards, moves and directions are those of the problem's own orientation. A graph can be used again after a call that was
interrupted. One thread at a time uses a graph and its listings, and others wait. Directions are one per tile that moves.
"""

import threading
import time

from libc.stdint cimport UINT64_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from puzzle15._core.c cimport *
from puzzle15._core.optimal.problem cimport AnyProblem, Search, p15_idastar_result, p15_result
from puzzle15._system.threads import check_stop
from puzzle15._system.lazy import np
from ...errors import OptionError


cdef extern from "optimal/graph.h" nogil:
    enum:
        P15_NO_BOARD, P15_NOT_KNOWN

    ctypedef struct p15_known:
        p15_board board
        uint32_t moves
        uint8_t distance

    ctypedef struct p15_query:
        uint32_t index
        uint8_t move, limit

    ctypedef struct p15_graph:
        p15_known *known
        unsigned move_count, most
        uint32_t count, pending_count
        uint32_t *order

    _Bool p15_known_is_whole(const p15_known *known)
    p15_status p15_graph_init(p15_shape shape, p15_board goal, _Bool multi_tile, p15_graph *graph)
    void p15_graph_free(p15_graph *graph)
    uint32_t p15_graph_find_known(const p15_graph *graph, p15_board board)
    p15_status p15_graph_add_path(p15_graph *graph, p15_board board, unsigned length, const uint8_t *path)
    p15_status p15_graph_query(p15_graph *graph, uint32_t index)
    p15_status p15_graph_query_child(p15_graph *graph, uint32_t index, unsigned move)
    p15_status p15_graph_query_path(p15_graph *graph, uint32_t index)
    p15_status p15_graph_solution(const p15_graph *graph, uint32_t index, uint8_t *path)
    p15_status p15_graph_reach(p15_graph *graph, uint32_t index)
    const p15_query *p15_graph_next_query(p15_graph *graph)
    p15_status p15_graph_add_result(p15_graph *graph, const p15_result *result)

    ctypedef enum p15_listing_state:
        P15_LISTING_SOLUTION, P15_LISTING_WRONG, P15_LISTING_ENDED

    ctypedef struct p15_listing:
        uint32_t at[P15_MAX_LENGTH + 1]
        uint8_t path[P15_PATH_BYTES]
        unsigned depth

    p15_status p15_solutions_count(const p15_graph *graph, uint64_t *count)
    void p15_listing_begin(uint32_t index, const uint8_t *order, p15_listing *listing)
    p15_listing_state p15_listing_next(const p15_graph *graph, p15_listing *listing)


cdef enum:
    _STEPS = 1 << 14  # of walks, between two looks at signals: some milliseconds


cdef class Graph:
    """Boards whose distance is known. `threads` threads work together on a query that takes long."""

    cdef AnyProblem problem
    cdef p15_graph c
    cdef object lock
    cdef unsigned threads
    cdef Search search  # None: made when it is needed
    cdef object most, deadline  # of generated nodes; a time
    cdef bint broken
    cdef tuple made  # the counts of all queries before this one; once it has its result, they do not depend on workers

    def __cinit__(self, AnyProblem problem not None, unsigned threads=1):
        if threads < 1:
            raise OptionError("threads=0: at least one is needed")
        self.problem, self.threads, self.lock = problem, threads, threading.Lock()
        self.made = (0, 0)
        check_status(p15_graph_init(problem.shape, problem.goal, problem.multi_tile, &self.c), None)

    def __dealloc__(self):
        p15_graph_free(&self.c)

    def __len__(self):
        with self.lock:
            return self.c.count

    # ---------------------------------------------------------------- what is known

    def add(self, uint64_t board, const uint8_t[::1] directions not None):
        """Add a board and those on a shortest solution of it."""
        cdef uint8_t[P15_PATH_BYTES] path
        cdef unsigned length = 0
        cdef int cell = p15_board_blank(board)
        cdef Py_ssize_t i
        memset(path, 0, sizeof(path))
        p15_path_set_cell(path, 0, cell)
        for i in range(directions.shape[0]):
            if directions[i] >= P15_DIRECTIONS:
                raise OptionError(f"direction {directions[i]}")
            length += not self.problem.multi_tile or i == 0 or directions[i] != directions[i - 1]
            if length > self.c.most:
                raise OptionError(f"a path of {length} moves")
            if not self.problem.multi_tile:
                p15_path_set(path, length - 1, directions[i])
            elif cell >= 0:  # else the path is refused below
                cell = p15_cell_neighbour(self.problem.shape, cell, directions[i])
                p15_path_set_cell(path, length, max(cell, 0))
        with self.lock:
            check_status(p15_graph_add_path(&self.c, board, length, path), f"packed board {board:#x}")

    cdef uint32_t index(self, uint64_t board) except? 0:
        cdef uint32_t index = p15_graph_find_known(&self.c, board)
        if index == P15_NO_BOARD:
            raise KeyError(f"{board:#x} is not known")
        return index

    def known(self, uint64_t board):
        """(distance, the first moves that are known as bits, whether these are all) of a known board.

        Of moves that slide several tiles, 4 for each further tile are added to the direction.
        """
        with self.lock:
            known = self.c.known[self.index(board)]
            return known.distance, known.moves, bool(p15_known_is_whole(&known))

    def solution(self, uint64_t board):
        """The directions of a shortest solution of a known board."""
        cdef uint8_t[P15_PATH_BYTES] path
        with self.lock:
            index = self.index(board)
            check_status(p15_graph_solution(&self.c, index, path), f"packed board {board:#x}")
            return self.problem.directions(path, self.c.known[index].distance)

    # ---------------------------------------------------------------- queries

    def query(self, uint64_t board, max_nodes=None, deadline=None):
        """`known` of a known board, after a search for all its first moves, or for some, up to the limits of `resolve`."""
        with self.lock:
            check_status(p15_graph_query(&self.c, self.index(board)), None)
            self.resolve(max_nodes, deadline)
        return self.known(board)

    cdef bint resolve(self, max_nodes, deadline) except -1:
        """Search for the results of all queries, until `generated` is `max_nodes`, or `time.monotonic` is `deadline`.

        False if a limit was reached; another call continues. The caller holds the lock.
        """
        cdef const p15_query *query
        if self.broken:
            raise RuntimeError("this graph has met a damaged table")
        self.most, self.deadline = max_nodes, deadline
        self.problem.running += 1
        try:
            while (query := p15_graph_next_query(&self.c)) != NULL:
                if self.limited() or not self.resolve_one(query):
                    return False
            return True
        finally:
            self.problem.running -= 1

    cdef bint resolve_one(self, const p15_query *query) except -1:
        """Search for the result of a query; False if a limit was reached."""
        cdef p15_result result
        cdef p15_status status
        cdef bint ended = False
        if self.search is None:
            self.search = Search(self.problem, self.threads)
        board = self.c.known[query.index].board
        status = self.search.begin(board, query.move, query.limit)
        if status == P15_OK:
            try:
                ended = self.search.pursue(self, None, self.problem.visits, UINT64_MAX)
            finally:
                if not ended:  # workers that were stopped are of no further use
                    self.made, self.search = (self.expanded, self.generated), None
            if not ended:
                return False
            p15_idastar_result(self.search.c, &result, NULL)
            self.made = (self.made[0] + result.expanded, self.made[1] + result.generated)
        else:
            result.status = status
        status = p15_graph_add_result(&self.c, &result)
        self.broken = status != P15_OK
        check_status(status, f"packed board {board:#x}")
        return True

    def limited(self):
        """Whether a limit is reached."""
        if self.deadline is not None and time.monotonic() >= self.deadline:
            return True
        return self.most is not None and self.generated >= self.most

    def over(self, bint paused):
        """Whether the search for the result of a query is to end."""
        return paused and self.limited()

    @property
    def expanded(self):
        """The nodes that all queries have expanded."""
        return self.made[0] + self.under_way().expanded

    @property
    def generated(self):
        """The nodes that they have generated."""
        return self.made[1] + self.under_way().generated

    cdef p15_counts under_way(self):
        """The nodes of the query whose search has not ended."""
        cdef p15_counts counts
        if self.search is None or self.search.idle:
            return p15_counts(0, 0)
        counts = self.search.counts()
        return p15_counts(counts.expanded - self.search.before.expanded, counts.generated - self.search.before.generated)

    def follow(self, const uint64_t[::1] boards not None, const uint8_t[::1] moves not None,
               const int64_t[::1] begins not None, uint8_t[::1] distances not None, max_nodes=None, deadline=None):
        """Fill the distances of all boards on walks whose first boards are known; False if a limit was reached.

        `boards` holds one walk after the other, `moves` the move that led to each board, numbered as in `known`, and `begins`
        where each walk begins, with the number of boards at the end. A distance that is not known because of a limit is 255.
        """
        cdef Py_ssize_t count = begins.shape[0] - 1
        if not (moves.shape[0] == distances.shape[0] == boards.shape[0] == begins[count]) or begins[0] != 0:
            raise OptionError("walks of other lengths")
        if boards.shape[0] and (np.diff(begins).min() < 1 or np.asarray(moves).max() >= self.c.move_count):
            raise OptionError("walks without a board, or numbers that no moves have")
        cdef int64_t[::1] next = np.array(begins[:count])
        distances[:] = P15_NOT_KNOWN
        with self.lock:
            return self.follow_all(boards, moves, begins, next, distances, max_nodes, deadline)

    cdef bint follow_all(self, const uint64_t[::1] boards, const uint8_t[::1] moves, const int64_t[::1] begins,
                         int64_t[::1] next, uint8_t[::1] distances, max_nodes, deadline) except -1:
        cdef Py_ssize_t walk, steps = 0
        cdef uint32_t index, before
        cdef int64_t at
        cdef bint waiting
        while True:
            waiting = False
            for walk in range(next.shape[0]):
                before = P15_NO_BOARD
                at = next[walk]
                while at < begins[walk + 1]:
                    index = p15_graph_find_known(&self.c, boards[at])
                    if index == P15_NO_BOARD:
                        if before == P15_NO_BOARD:
                            raise KeyError(f"{boards[at]:#x} is not known")
                        check_status(p15_graph_query_child(&self.c, before, moves[at]), None)
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
            if not self.resolve(max_nodes, deadline):
                return False

    # ---------------------------------------------------------------- all shortest solutions

    def count_solutions(self, uint64_t board, max_nodes=None, deadline=None):
        """The number of shortest solutions of a known board; None if a limit was reached, as of `resolve`."""
        cdef uint64_t count = 0
        cdef uint32_t index
        cdef p15_status status = P15_OK
        with self.lock:
            index = self.index(board)
            while True:
                with nogil:
                    status = p15_graph_reach(&self.c, index)
                check_status(status, None)
                if self.c.pending_count == 0:
                    break
                if not self.resolve(max_nodes, deadline):
                    return None
            with nogil:
                status = p15_solutions_count(&self.c, &count)
        check_status(status, None)
        return count


cdef class Listing:
    """All shortest solutions of a known board of a graph, in the order of their moves; `order` has all directions."""

    cdef Graph graph
    cdef p15_listing c
    cdef unsigned length
    cdef readonly bint ended

    def __cinit__(self, Graph graph not None, uint64_t board, const uint8_t[::1] order not None):
        cdef uint32_t index = P15_NO_BOARD
        if sorted(order) != list(range(P15_DIRECTIONS)):
            raise OptionError(f"order {bytes(order)}: not every direction once")
        self.graph = graph
        with graph.lock:
            index = graph.index(board)
            self.length = graph.c.known[index].distance
        p15_listing_begin(index, &order[0], &self.c)

    def next(self, max_nodes=None, deadline=None):
        """The directions of the next solution as bytes. None if all were listed, or at a limit, as of `Graph.resolve`."""
        with self.graph.lock:
            return self.search(max_nodes, deadline)

    cdef bytes search(self, max_nodes, deadline):
        cdef p15_graph *graph = &self.graph.c
        cdef p15_listing_state state
        while True:
            state = p15_listing_next(graph, &self.c)
            if state == P15_LISTING_SOLUTION:
                return self.graph.problem.directions(self.c.path, self.length)
            if state == P15_LISTING_WRONG:
                check_status(P15_ERR_ANSWER, f"packed board {graph.known[self.c.at[0]].board:#x}")
            if state == P15_LISTING_ENDED:
                self.ended = True
                return None
            check_status(p15_graph_query_path(graph, self.c.at[self.c.depth]), None)
            if not self.graph.resolve(max_nodes, deadline):
                return None
