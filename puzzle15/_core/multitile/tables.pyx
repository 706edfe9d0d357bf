"""Tables of the multi-tile metric, around csrc/multitile.

A set of cells is an int, bit i for cell i. Memory given here is held until it is replaced.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from puzzle15._core.base.board cimport cpu_level
from puzzle15._core.c cimport *
from puzzle15._system.threads import check_stop
from puzzle15._system.unsendable import refuse
from ...errors import OptionError


cdef extern from "multitile/table.h" nogil:
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

cdef enum:
    _BLOCKS = 1 << 11  # of a level between two looks at signals: some milliseconds

MAX_PATTERN = P15_MULTI_MAX_PATTERN


cdef class Lines:
    """The lines of patterns of `tiles` tiles on `shape`; ValueError if there are none."""

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
