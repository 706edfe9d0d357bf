"""Pattern spaces, breadth-first construction and lookups in tables, around csrc/tables.

A set of cells is an int, bit i for cell i. Memory given here is held until it is replaced.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from puzzle15._core.base.board cimport cpu_level
from puzzle15._core.c cimport *
from puzzle15._system.threads import StepSizer, check_stop
from puzzle15._system.unsendable import refuse
from ...errors import OptionError

cdef extern from "base/bits.h" nogil:
    unsigned p15_count_bits(uint64_t bits)
    unsigned p15_lowest_bit(uint64_t bits)
    uint64_t p15_arrangements(unsigned n, unsigned k)


cdef extern from "tables/table.h" nogil:
    size_t p15_table_row_bytes(const p15_space *space, _Bool classic)
    size_t p15_table_payload_bytes(const p15_space *space, _Bool classic)
    p15_status p15_table_init(const p15_space *space, const uint8_t *payload, size_t payload_bytes, _Bool classic,
                              unsigned max_value, unsigned goal_map, unsigned home, p15_table *table)
    p15_status p15_table_value(const p15_table *table, unsigned map, uint32_t perm, unsigned blank, unsigned *value)


cdef extern from "tables/placements.h" nogil:
    ctypedef struct p15_placed:
        pass

    p15_status p15_placed_init(const p15_table *table, const uint8_t *order, _Bool blank, _Bool delta,
                                p15_placed *listing)
    void p15_placed_free(p15_placed *listing)
    uint32_t p15_placed_groups(const p15_space *space)
    void p15_placed_write(p15_placed *listing, uint32_t begin, uint32_t end, uint8_t *values)


cdef extern from "tables/build.h" nogil:
    enum:
        P15_MAX_LEVELS

    ctypedef struct p15_build:
        unsigned goal_map
        uint64_t *planes[2][P15_SEGMENTS]
        uint8_t *nibbles[P15_SEGMENTS]

    p15_status p15_build_init(p15_space *space, unsigned goal_map, unsigned home, _Bool classic, p15_cpu cpu,
                              p15_build *build)
    void p15_build_free(p15_build *build)
    size_t p15_build_plane_bytes(const p15_space *space, unsigned segment)
    size_t p15_build_nibble_bytes(const p15_space *space, unsigned segment)
    _Bool p15_build_touches(const p15_build *build, unsigned level, unsigned segment)
    unsigned p15_build_sources(const p15_build *build, unsigned level, unsigned segment, _Bool *sources)
    void p15_build_start(p15_build *build)
    void p15_build_level(p15_build *build, unsigned level, unsigned segment, uint64_t *states, uint64_t *placements)
    void p15_build_collect(const p15_build *build, unsigned segment, uint32_t word_begin, uint32_t word_end,
                           uint64_t *columns)
    void p15_build_transpose(const p15_build *build, const uint64_t *column, uint8_t *rows)


cdef extern from *:
    """
    #if defined(__clang__)
    #define P15_COMPILER "Clang " __clang_version__
    #else
    #define P15_COMPILER "GCC " __VERSION__
    #endif
    #ifdef __OPTIMIZE__
    #define P15_OPTIMIZED 1
    #else
    #define P15_OPTIMIZED 0
    #endif
    #ifdef NDEBUG
    #define P15_ASSERTIONS 0
    #else
    #define P15_ASSERTIONS 1
    #endif
    """
    const char *P15_COMPILER
    bint P15_OPTIMIZED
    bint P15_ASSERTIONS

SEGMENTS = P15_SEGMENTS
MAX_LEVELS = P15_MAX_LEVELS
MAX_PATTERN = P15_MAX_PATTERN


def compiler():
    """The compiler that built the extensions: ``"GCC 13.2.0, optimized"``."""
    cdef str text = P15_COMPILER.decode("ascii", "replace").strip()
    return text + (", optimized" if P15_OPTIMIZED else ", not optimized") + (
        ", with assertions" if P15_ASSERTIONS else "")


cdef class Space:
    """The state space of patterns of `tiles` tiles on `shape`; ValueError if there is none."""

    def __cinit__(self, shape, unsigned tiles):
        check_status(p15_space_init(to_shape(shape), tiles, &self.c),
                     f"a pattern of {tiles} tiles on {shape[0]}x{shape[1]}")
        self.shape, self.tiles = tuple(shape), tiles
        self.map_count, self.block_count = self.c.map_count, self.c.block_count
        self.row_count, self.word_count = self.c.row_count, self.c.word_count

    def __dealloc__(self):
        p15_space_free(&self.c)

    def region(self, unsigned cells, unsigned cell):
        """The cells that the blank reaches from `cell` when tiles stand on `cells`."""
        if (cell >= self.c.shape.cells or cells >> cell & 1 or cells >> self.c.shape.cells
                or p15_count_bits(cells) != self.c.k):
            raise OptionError(f"cells {cells:#x} with the blank at {cell}")
        return self.c.block_region[p15_space_block(&self.c, cells, cell)]

    def row_bytes(self, bint classic):
        return p15_table_row_bytes(&self.c, classic)

    def payload_bytes(self, bint classic):
        return p15_table_payload_bytes(&self.c, classic)

    def plane_bytes(self, unsigned segment):
        """The bytes of one of the two planes of a segment."""
        return p15_build_plane_bytes(&self.c, segment % P15_SEGMENTS)

    def nibble_bytes(self, unsigned segment):
        return p15_build_nibble_bytes(&self.c, segment % P15_SEGMENTS)


cdef class Build:
    """A breadth-first construction; a classic one also writes a nibble per placement.

    Before a call, `hold` gives all segments their memory that the call reads or writes.
    """

    cdef p15_build c
    cdef readonly Space space
    cdef readonly bint classic
    cdef dict held  # (plane, segment) -> the memory behind the pointer

    def __cinit__(self, Space space not None, unsigned cells, unsigned home, bint classic):
        self.space, self.classic, self.held = space, classic, {}
        check_status(p15_build_init(&space.c, cells, home, classic, cpu_level(), &self.c),
                     f"pattern on cells {cells:#x}, home {home}")

    def __dealloc__(self):
        p15_build_free(&self.c)

    def hold(self, unsigned plane, unsigned segment, uint8_t[::1] memory):
        """Give plane 0 or 1, or 2 for the nibbles, of a segment its memory; None takes it away."""
        if plane > 2 or segment >= P15_SEGMENTS:
            raise IndexError(f"plane {plane} of segment {segment}")
        cdef void *pointer = NULL
        if memory is not None:
            needed = self.space.nibble_bytes(segment) if plane == 2 else self.space.plane_bytes(segment)
            if memory.shape[0]:
                pointer = &memory[0]
            if memory.shape[0] != needed or <size_t>pointer % 8:
                raise OptionError(f"plane {plane} of segment {segment} takes {needed} bytes of 64-bit words")
        if plane == 2:
            self.c.nibbles[segment] = <uint8_t *>pointer
        else:
            self.c.planes[plane][segment] = <uint64_t *>pointer
        self.held[plane, segment] = memory

    @property
    def goal_segment(self):
        return p15_space_segment(&self.space.c, self.c.goal_map)

    def start(self):
        """Write level 0."""
        p15_build_start(&self.c)

    def touches(self, unsigned level, unsigned segment):
        """Whether states of this level lie in the segment."""
        return p15_build_touches(&self.c, level, segment % P15_SEGMENTS)

    def sources(self, unsigned level, unsigned segment):
        """The segments of level - 1 that have neighbours in this one."""
        cdef _Bool[P15_SEGMENTS] named
        memset(named, 0, sizeof(named))
        if p15_build_sources(&self.c, level, segment % P15_SEGMENTS, named) == 0:
            return []
        return [source for source in range(P15_SEGMENTS) if named[source]]

    def level(self, unsigned level, unsigned begin, unsigned end):
        """Find the level's states in segments [begin, end), and return how many states and placements there are."""
        cdef uint64_t states = 0, placements = 0
        cdef unsigned segment
        if end > P15_SEGMENTS:
            raise IndexError(f"segment {end}")
        if not 1 <= level < P15_MAX_LEVELS:
            raise OptionError(f"level {level}: expected 1 .. {P15_MAX_LEVELS - 1}")
        with nogil:
            for segment in range(begin, end):
                if p15_build_touches(&self.c, level, segment):
                    p15_build_level(&self.c, level, segment, &states, &placements)
        return states, placements

    def collect(self, unsigned segment, uint32_t begin, uint32_t end, uint64_t[:, ::1] columns not None):
        """Copy words [begin, end) of a segment's plane 1 to rows of `columns`."""
        if columns.shape[0] < end - begin or columns.shape[1] != (self.space.c.block_count + 63) // 64 * 64:
            raise OptionError("columns of another size")
        if segment >= P15_SEGMENTS or not begin <= end <= self.space.c.word_count:
            raise IndexError(f"words {begin} .. {end} of segment {segment}")
        if begin == end or self.space.plane_bytes(segment) == 0:
            return
        with nogil:
            p15_build_collect(&self.c, segment, begin, end, &columns[0, 0])

    def transpose(self, const uint64_t[::1] column not None, uint8_t[::1] rows not None):
        """Write the table rows of one word."""
        k = self.space.c.k
        size = (k * (k - 1) if k > 1 else 1) * p15_table_row_bytes(&self.space.c, False)
        if rows.shape[0] != size or column.shape[0] != (self.space.c.block_count + 63) // 64 * 64:
            raise OptionError("rows or column of another size")
        with nogil:
            p15_build_transpose(&self.c, &column[0], &rows[0])


cdef class Table:
    """A table over bytes in memory, such as a mapped file, which it holds and never writes.

    `cells` are the goal cells of the pattern's tiles, `home` is any cell of the blank's region in the goal.
    """

    def __cinit__(self, Space space not None, const uint8_t[::1] payload not None, bint classic, unsigned max_value,
                  unsigned cells, unsigned home):
        self.space, self.payload = space, payload
        self.classic, self.cells, self.max_value = classic, cells, max_value
        check_status(p15_table_init(&space.c, &payload[0], payload.shape[0], classic, max_value, cells, home, &self.c),
                     f"table of cells {cells:#x}")
        self.c.cpu = cpu_level()

    def __reduce__(self):
        refuse(type(self), "it is memory of this process; send its TableFile, or what names it")

    def value(self, cells, unsigned blank):
        """The value of one state: the cells of the pattern's tiles in the order of their goal cells, the blank's cell."""
        cdef unsigned taken = 0, value = 0, cell
        cdef uint32_t perm = 0
        cdef list order = sorted(range(len(cells)), key=cells.__getitem__, reverse=True)
        if len(order) != self.space.c.k or len({*cells, blank} & set(range(self.space.c.shape.cells))) != len(order) + 1:
            raise OptionError(f"cells {list(cells)} with the blank at {blank}")
        for label in order:
            cell = cells[label]
            taken |= 1 << cell
            perm = perm << 3 | <uint32_t>label
        check_status(p15_table_value(&self.c, taken, perm, blank, &value), f"table of cells {self.c.goal_map:#x}")
        return value

    def list_values(self, uint32_t part, uint32_t parts, order, bint blank, bint delta, uint8_t[::1] values not None):
        """Write one of several parts of a zero-aware table's values as csrc/tables/placements.h says."""
        cdef p15_placed listing
        cdef uint8_t[P15_MAX_CELLS] labels
        cdef uint32_t begin, end, groups = p15_placed_groups(&self.space.c)
        cdef uint64_t size = p15_arrangements(self.space.c.shape.cells, self.space.c.k + blank)
        if self.classic or <uint64_t>values.shape[0] != size or part >= parts:
            raise OptionError(f"{values.shape[0]} values, part {part} of {parts}: expected those of a zero-aware table")
        if sorted(order) != list(range(self.space.c.k)):
            raise OptionError(f"labels {tuple(order)}: expected all, each once")
        copy_cells(order, labels, len(order), "labels")
        with nogil:
            status = p15_placed_init(&self.c, labels, blank, delta, &listing)
        check_status(status, f"table of cells {self.c.goal_map:#x}")
        try:
            for begin, end in StepSizer(1).pieces(groups * (part + 1) // parts, groups * part // parts):
                with nogil:
                    p15_placed_write(&listing, begin, end, &values[0])
        finally:
            p15_placed_free(&listing)

    def value_counts(self, uint32_t row_begin, uint32_t row_end):
        """How many entries of rows [row_begin, row_end) have each value, found one by one: a list of 256."""
        cdef const p15_space *space = &self.space.c
        cdef uint64_t[256] counts
        cdef uint32_t row, block, perm
        cdef unsigned value = 0, blank
        cdef p15_status status = P15_OK
        memset(counts, 0, sizeof(counts))
        if row_end > space.row_count:
            raise IndexError(f"row {row_end}")
        for row in range(row_begin, row_end):
            with nogil:
                perm = p15_space_unrank(space, row)
                for block in range(space.block_count):
                    if self.c.classic and block and space.block_map[block] == space.block_map[block - 1]:
                        continue
                    blank = p15_lowest_bit(space.block_region[block])
                    status = p15_table_value(&self.c, space.block_map[block], perm, blank, &value)
                    if status != P15_OK:
                        break
                    counts[value] += 1
            check_status(status, f"table of cells {self.c.goal_map:#x}")
            check_stop()
        return list(counts)
