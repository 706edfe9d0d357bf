"""The search for solutions with the fewest multi-tile moves, around csrc/multitile/search.h.

Lengths and bounds count multi-tile moves.
"""

from libc.stdint cimport uint8_t

from puzzle15._core.base.board cimport cpu_level
from puzzle15._core.c cimport *
from puzzle15._core.multitile.tables cimport Table, p15_multi_table
from puzzle15._core.optimal.problem cimport AnyProblem, p15_metric
from ...errors import OptionError


cdef extern from "multitile/problem.h" nogil:
    ctypedef struct p15_multi_problem:
        p15_shape shape
        unsigned lookup_count
        p15_cpu cpu

    p15_status p15_multi_problem_init(p15_shape shape, unsigned home, p15_multi_problem *problem)
    p15_status p15_multi_problem_add_lookup(p15_multi_problem *problem, const p15_multi_table *table,
                                            const uint8_t *cell_to)
    p15_status p15_multi_problem_move_table(p15_multi_problem *problem, unsigned lookup, const p15_multi_table *table)
    p15_status p15_multi_heuristic(const p15_multi_problem *problem, p15_board board, unsigned *h, uint8_t *lookup_h)


cdef extern from "multitile/search.h" nogil:
    unsigned p15_multi_path_cell(const uint8_t *path, unsigned index)
    const p15_metric P15_MULTI_TILE


cdef enum:
    _VISITS = 1 << 14


cdef class Problem(AnyProblem):
    """Lookups of multi-tile tables: each is one table, and the symmetry (cell map) of the board for which it is read."""

    cdef p15_multi_problem c

    def __cinit__(self, shape, unsigned home, list lookups not None):
        cdef uint8_t[P15_MAX_CELLS] cells
        cdef p15_shape c_shape = to_shape(shape)
        if not lookups:
            raise OptionError("no lookups")
        self.tables = [table for tables, _ in lookups for table in tables]
        self.moved = []
        self.metric, self.problem = &P15_MULTI_TILE, &self.c
        self.visits = _VISITS
        check_status(p15_multi_problem_init(c_shape, home, &self.c), f"home {home}")
        self.c.cpu = cpu_level()
        for (table,), symmetry in lookups:
            copy_cells(symmetry, cells, c_shape.cells, "lookup")
            check_status(p15_multi_problem_add_lookup(&self.c, &(<Table?>table).c, cells), "lookup")
        self.lookup_count = self.c.lookup_count

    cdef p15_status heuristic_of(self, p15_board board, unsigned *h, uint8_t *lookups) noexcept nogil:
        return p15_multi_heuristic(&self.c, board, h, lookups)

    cdef move_table(self, unsigned index, table):
        check_status(p15_multi_problem_move_table(&self.c, index, &(<Table?>table).c), "moved table")

    cdef bytes directions(self, const uint8_t *path, unsigned length):
        cdef int i, here, there, cols = self.c.shape.cols
        found = bytearray()
        for i in range(<int>length):
            here, there = p15_multi_path_cell(path, i), p15_multi_path_cell(path, i + 1)
            if here // cols == there // cols:
                found += bytes([2 if there > here else 1]) * abs(there - here)
            else:
                found += bytes([3 if there > here else 0]) * (abs(there - here) // cols)
        return bytes(found)
