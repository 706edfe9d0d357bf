"""Tables of the multi-tile metric, and the search for solutions with the fewest multi-tile moves, around csrc/multitile.

A set of cells is an int, bit i for cell i. Memory given here is held until it is replaced. Lengths and bounds count
multi-tile moves.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from puzzle15._core.base.board cimport cpu_level
from puzzle15._core.c cimport *
from puzzle15._core.optimal.problem cimport AnyProblem, p15_metric
from puzzle15._system.threads import check_stop
from puzzle15._system.unsendable import refuse
from ...errors import OptionError


cdef extern from "multitile/lines.h" nogil:
    enum:
        P15_AXES

    ctypedef struct p15_line_space:
        p15_shape shape
        uint32_t map_count, perm_count
        uint32_t block_count[P15_AXES]

    ctypedef struct p15_line_state:
        uint16_t block, perm
        uint8_t cell

    p15_status p15_line_space_init(p15_shape shape, unsigned k, p15_line_space *lines)
    void p15_line_space_free(p15_line_space *lines)
    p15_line_state p15_line_space_state(const p15_line_space *lines, unsigned axis, const uint8_t *cell_of,
                                        unsigned blank)


cdef extern from "multitile/table.h" nogil:
    ctypedef struct p15_multi_table:
        unsigned goal_map

    size_t p15_multi_payload_bytes(const p15_line_space *lines)
    p15_status p15_multi_table_init(const p15_line_space *lines, const uint8_t *payload, size_t payload_bytes,
                                    unsigned goal_map, unsigned home, p15_multi_table *table)
    void p15_multi_table_free(p15_multi_table *table)
    p15_status p15_multi_table_value(const p15_multi_table *table, p15_line_state state, unsigned *values)


cdef extern from "multitile/build.h" nogil:
    enum:
        P15_MULTI_MAX_LEVELS

    ctypedef struct p15_multi_build:
        pass

    p15_status p15_multi_build_init(const p15_line_space *lines, unsigned goal_map, unsigned home, p15_cpu cpu,
                                    p15_multi_build *build)
    void p15_multi_build_free(p15_multi_build *build)
    size_t p15_multi_build_bytes(const p15_line_space *lines)
    uint64_t p15_multi_build_level(p15_multi_build *build, unsigned level, unsigned axis, uint32_t block_begin,
                                   uint32_t block_end)
    p15_status p15_multi_build_write(const p15_multi_build *build, unsigned axis, uint8_t *payload)


cdef extern from "multitile/problem.h" nogil:
    enum:
        P15_MULTI_MAX_PATTERN

    ctypedef struct p15_multi_problem:
        p15_shape shape
        p15_board goal
        unsigned lookup_count
        p15_cpu cpu

    p15_status p15_multi_problem_init(p15_shape shape, unsigned home, p15_multi_problem *problem)
    p15_status p15_multi_problem_add_lookup(p15_multi_problem *problem, const p15_multi_table *table,
                                            const uint8_t *cell_to)
    p15_status p15_multi_problem_move_table(p15_multi_problem *problem, unsigned lookup, const p15_multi_table *table)
    p15_status p15_multi_heuristic(const p15_multi_problem *problem, p15_board board, unsigned *h, uint8_t *lookup_h)


cdef extern from "multitile/search.h" nogil:
    const p15_metric P15_MULTI_TILE


cdef enum:
    _BLOCKS = 1 << 11  # of a level between two looks at signals: some milliseconds
    _VISITS = 1 << 14

MAX_PATTERN = P15_MULTI_MAX_PATTERN


cdef class Lines:
    """The lines of patterns of `tiles` tiles on `shape`; ValueError if there are none."""

    cdef p15_line_space c
    cdef readonly tuple shape
    cdef readonly unsigned tiles, map_count, block_count, row_count

    def __cinit__(self, shape, unsigned tiles):
        check_status(p15_line_space_init(to_shape(shape), tiles, &self.c),
                     f"a pattern of {tiles} tiles on {shape[0]}x{shape[1]}")
        self.shape, self.tiles = tuple(shape), tiles
        self.map_count, self.row_count = self.c.map_count, self.c.perm_count
        self.block_count = self.c.block_count[0] + self.c.block_count[1]  # of both axes

    def __dealloc__(self):
        p15_line_space_free(&self.c)

    def region(self, unsigned cells, unsigned cell):
        """The blank's cell as a set, since a table has an entry for each cell of the blank."""
        if cell >= self.c.shape.cells or cells >> cell & 1:
            raise OptionError(f"cells {cells:#x} with the blank at {cell}")
        return 1 << cell

    def row_bytes(self, bint classic=False):
        """The bytes of a block on average, rounded down."""
        return p15_multi_payload_bytes(&self.c) // self.block_count

    def payload_bytes(self, bint classic=False):
        return p15_multi_payload_bytes(&self.c)

    @property
    def build_bytes(self):
        """The memory that a build uses beside the payload."""
        return p15_multi_build_bytes(&self.c)


def build(Lines lines not None, unsigned cells, unsigned home, uint8_t[::1] payload not None, progress=None):
    """Build a table into `payload`, and return how many entries have the value 0, 1, 2, ..; states count per axis.

    `progress` is called with (states found, level).
    """
    cdef p15_multi_build c
    cdef uint64_t states, found = 0
    cdef uint32_t block, end
    cdef unsigned level, axis
    cdef p15_status status
    if payload.shape[0] != lines.payload_bytes():
        raise OptionError(f"the payload takes {lines.payload_bytes()} bytes")
    given = f"pattern on cells {cells:#x}, home {home}"
    check_status(p15_multi_build_init(&lines.c, cells, home, cpu_level(), &c), given)
    counts = []
    try:
        for level in range(P15_MULTI_MAX_LEVELS):
            states = 0
            for axis in range(P15_AXES):
                for block in range(0, lines.c.block_count[axis], _BLOCKS):
                    end = min(block + <uint32_t>_BLOCKS, lines.c.block_count[axis])
                    with nogil:
                        states += p15_multi_build_level(&c, level, axis, block, end)
                    check_stop()
            if states == 0:
                break
            found += states
            counts.append(states)
            if progress is not None:
                progress(found, level)
        for axis in range(P15_AXES):
            with nogil:
                status = p15_multi_build_write(&c, axis, &payload[0])
            check_status(status, given)
            check_stop()
    finally:
        p15_multi_build_free(&c)
    return counts


cdef class Table:
    """A table over bytes in memory, such as a mapped file, which it holds and never writes."""

    cdef p15_multi_table c
    cdef readonly Lines space
    cdef readonly unsigned cells
    cdef readonly bint classic  # False
    cdef const uint8_t[::1] payload

    def __cinit__(self, Lines lines not None, const uint8_t[::1] payload not None, unsigned cells, unsigned home):
        self.space, self.payload, self.cells = lines, payload, cells
        check_status(p15_multi_table_init(&lines.c, &payload[0], payload.shape[0], cells, home, &self.c),
                     f"table of cells {cells:#x}")

    def __dealloc__(self):
        p15_multi_table_free(&self.c)

    def __reduce__(self):
        refuse(type(self), "it is memory of this process; send its TableFile, or what names it")

    def values(self, cells, unsigned blank):
        """The distances of one state when the first move is along a row, or along a column.

        `cells` are those of the pattern's tiles, in the order of their goal cells.
        """
        cdef uint8_t[P15_MAX_CELLS] cell_of
        cdef unsigned[P15_AXES] values
        size = self.space.c.shape.cells
        if len(cells) != self.space.tiles or len({*cells, blank} & set(range(size))) != len(cells) + 1:
            raise OptionError(f"cells {list(cells)} with the blank at {blank}")
        for label, cell in enumerate(cells):
            cell_of[label] = cell
        check_status(p15_multi_table_value(&self.c, p15_line_space_state(&self.space.c, 0, cell_of, blank), values),
                     f"table of cells {self.c.goal_map:#x}")
        return values[0], values[1]

    def value(self, cells, unsigned blank):
        """The smaller one of `values`."""
        return min(self.values(cells, blank))


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
        self.shape, self.goal, self.multi_tile = c_shape, self.c.goal, True

    cdef p15_status heuristic_of(self, p15_board board, unsigned *h, uint8_t *lookups) noexcept nogil:
        return p15_multi_heuristic(&self.c, board, h, lookups)

    cdef move_table(self, unsigned index, table):
        check_status(p15_multi_problem_move_table(&self.c, index, &(<Table?>table).c), "moved table")

    cdef bytes directions(self, const uint8_t *path, unsigned length):
        cdef int i, here, there, cols = self.c.shape.cols
        found = bytearray()
        for i in range(<int>length):
            here, there = p15_path_cell(path, i), p15_path_cell(path, i + 1)
            if here // cols == there // cols:
                found += bytes([2 if there > here else 1]) * abs(there - here)
            else:
                found += bytes([3 if there > here else 0]) * (abs(there - here) // cols)
        return bytes(found)
