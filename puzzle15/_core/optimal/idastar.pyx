"""The search for shortest solutions, around csrc/optimal/fringe.h and base/path.h."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from puzzle15._core.base.board cimport cpu_level
from puzzle15._core.c cimport *
from puzzle15._core.optimal.problem cimport Problem as AnyProblem, p15_metric
from puzzle15._core.tables.tables cimport Table, p15_table
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


cdef enum:
    _VISITS = 1 << 15


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
