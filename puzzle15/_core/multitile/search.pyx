"""Solutions with the fewest multi-tile moves, around csrc/multitile/search.h, which is the manual.

Lengths and bounds count multi-tile moves.
"""

from libc.stdint cimport uint8_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._core.multitile.tables cimport Table
from puzzle15._core.optimal.problem cimport Problem as AnyProblem


cdef enum:
    _VISITS = 1 << 14


cdef class Problem(AnyProblem):
    """Lookups of multi-tile tables, and how to search with them.

    Parameters
    ----------
    shape : (int, int)
    home : int
    lookups : list of ([Table], sequence of int)
        Each a table, and the symmetry (cell map) of the board that is looked up in it.
    """

    cdef p15_multi_problem c

    def __cinit__(self, shape, unsigned home, list lookups not None):
        cdef uint8_t[P15_MAX_CELLS] cells
        cdef p15_shape c_shape = to_shape(shape)
        if not lookups:
            raise ValueError("no lookups")
        self.tables = [table for tables, _ in lookups for table in tables]
        self.moved = []
        self.visits = _VISITS
        check_status(p15_multi_problem_init(c_shape, home, &self.c), f"home {home}")
        for (table,), symmetry in lookups:
            if len(symmetry) != c_shape.cells:
                raise ValueError("a symmetry of another board")
            for i, cell in enumerate(symmetry):
                cells[i] = cell
            check_status(p15_multi_problem_add_lookup(&self.c, &(<Table?>table).c, cells), "lookup")
        self.lookup_count = self.c.lookup_count

    cdef p15_status heuristic_of(self, p15_board board, unsigned *h, uint8_t *lookups) noexcept nogil:
        return p15_multi_heuristic(&self.c, board, h, lookups)

    cdef move_table(self, unsigned index, table):
        check_status(p15_multi_problem_move_table(&self.c, index, &(<Table?>table).c), "moved table")

    cdef p15_status new_worker(self, void **worker) noexcept:
        return p15_multi_worker_new(&self.c, <p15_multi_worker **>worker)

    cdef void delete_worker(self, void *worker) noexcept:
        p15_multi_worker_delete(<p15_multi_worker *>worker)

    cdef p15_counts worker_counts(self, void *worker) noexcept:
        return p15_multi_worker_counts(<p15_multi_worker *>worker)

    cdef bint run_batch(self, void *worker, p15_batch *batch) noexcept nogil:
        return p15_multi_worker_run_batch(<p15_multi_worker *>worker, batch, _VISITS)

    cdef bint run_search(self, void *worker, void *search) noexcept nogil:
        return p15_multi_worker_run(<p15_multi_worker *>worker, <p15_multi_search *>search, _VISITS)

    cdef p15_status new_search(self, void **search) noexcept:
        return p15_multi_search_new(&self.c, <p15_multi_search **>search)

    cdef void delete_search(self, void *search) noexcept:
        p15_multi_search_delete(<p15_multi_search *>search)

    cdef p15_status begin(self, void *search, p15_board board, unsigned move, unsigned limit) noexcept:
        return p15_multi_search_begin(<p15_multi_search *>search, board, limit)

    cdef bint advance(self, void *search, void **workers, unsigned count) except -1:
        return p15_multi_search_advance(<p15_multi_search *>search)

    cdef uint64_t generated(self, void *search, void **workers, unsigned count) noexcept:
        return p15_multi_search_generated(<p15_multi_search *>search)

    cdef void result(self, void *search, p15_result *result, p15_iteration *iterations) noexcept:
        p15_multi_search_result(<p15_multi_search *>search, result, iterations)

    cdef bytes directions(self, const uint8_t *path, unsigned length):
        cdef unsigned i, cols = self.c.shape.cols
        cdef int here, there
        found = bytearray()
        for i in range(length):
            here, there = p15_multi_path_cell(path, i), p15_multi_path_cell(path, i + 1)
            if here // cols == there // cols:
                found += bytes([2 if there > here else 1]) * abs(there - here)
            else:
                found += bytes([3 if there > here else 0]) * (abs(there - here) // cols)
        return bytes(found)
