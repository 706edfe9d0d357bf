"""Heuristics of one goal, around csrc/search/heuristics/evaluator.h.

An exception of a Python function cannot pass through C. It is kept for the thread (`raise_later`), and until the
thread's next `check_stop` raises it, all values of functions are 0.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_GetName, PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t, uintptr_t
from libc.string cimport memcpy, memset

from puzzle15._core.c cimport *
from puzzle15._core.learning.network cimport Network, p15_dense
from puzzle15._core.optimal.problem cimport Problem, p15_problem
from puzzle15._core.tables.tables cimport Table, p15_table
from puzzle15._core import kinds
from puzzle15._system.threads import StepSizer, QUICK_STEPS, check_stop, raise_later, raises_later
from ...errors import OptionError


cdef extern from "learning/network/dense.h" nogil:
    enum:
        P15_DENSE_MAX_BATCH


cdef extern from "search/heuristics/patterns.h" nogil:
    enum:
        P15_MAX_PATTERNS, P15_MAX_ARRAY_PATTERN

    ctypedef struct p15_array:
        const uint8_t *values
        uint64_t size, divisor
        unsigned count
        uint8_t order[P15_MAX_ARRAY_PATTERN]
        uint8_t cell_to[P15_MAX_CELLS]
        _Bool beyond_manhattan
        uint8_t home[P15_MAX_ARRAY_PATTERN]
        uint8_t less

    ctypedef struct p15_patterns:
        pass

    void p15_patterns_init(p15_shape shape, p15_board goal, p15_patterns *sum)
    p15_status p15_patterns_add_table(p15_patterns *sum, const p15_table *table)
    p15_status p15_patterns_add_array(p15_patterns *sum, const p15_array *array)


cdef extern from "search/heuristics/compiled.h" nogil:
    ctypedef int32_t p15_compiled_board(p15_board board, p15_board goal, void *data) noexcept nogil
    ctypedef int32_t p15_compiled_child(p15_board parent, p15_board goal, void *data, int32_t value, int32_t tile,
                                        int32_t origin, int32_t to) noexcept nogil
    ctypedef struct p15_compiled:
        pass

    void p15_compiled_init(p15_compiled *c, p15_compiled_board *of_board, p15_compiled_child *of_child, void *data,
                           p15_board goal, unsigned cells, const uint8_t *cell_to, const uint8_t *tile_to)
    uint64_t p15_compiled_refused(const p15_compiled *c)
    p15_board p15_compiled_refused_board(p15_compiled *c)
    int32_t p15_compiled_refused_number(p15_compiled *c)


cdef extern from "search/heuristics/evaluator.h" nogil:
    enum:
        P15_MAX_COMPONENTS

    ctypedef uint64_t p15_values
    ctypedef enum p15_heuristic_kind:
        P15_HEURISTIC_COUNT
    ctypedef void p15_function(void *context, const p15_board *boards, size_t count, uint8_t *values) noexcept nogil

    p15_status p15_evaluator_new(p15_shape shape, p15_board goal, p15_evaluator **evaluator)
    void p15_evaluator_delete(p15_evaluator *evaluator)
    p15_status p15_evaluator_add(p15_evaluator *evaluator, p15_heuristic_kind kind)
    p15_status p15_evaluator_add_lookups(p15_evaluator *evaluator, const p15_problem *problem)
    p15_status p15_evaluator_add_network(p15_evaluator *evaluator, const p15_dense *network, _Bool residual,
                                         float lowered)
    p15_status p15_evaluator_add_function(p15_evaluator *evaluator, p15_function *function, void *context)
    p15_status p15_evaluator_add_patterns(p15_evaluator *evaluator, const p15_patterns *sum)
    p15_status p15_evaluator_add_compiled(p15_evaluator *evaluator, p15_compiled *functions)
    unsigned p15_evaluator_count(const p15_evaluator *evaluator)
    p15_status p15_evaluator_board(const p15_evaluator *evaluator, p15_board board, unsigned *h, p15_values *values)
    p15_status p15_evaluator_boards(const p15_evaluator *evaluator, const p15_board *boards, size_t count, _Bool each,
                                    uint8_t *h, uint8_t *status)
    _Bool p15_evaluator_prefers_batches(const p15_evaluator *evaluator)

    ctypedef struct p15_evaluations:
        pass

    p15_status p15_evaluations_new(const p15_evaluator *evaluator, size_t room, p15_evaluations **children)
    void p15_evaluations_delete(p15_evaluations *children)


cdef extern from "search/heuristics/children.h" nogil:
    size_t p15_evaluator_children(const p15_evaluator *evaluator, p15_evaluations *batch, size_t room,
                             const p15_board *boards, const uint8_t *values, size_t board_count,
                             const int64_t *parents, const uint8_t *directions, size_t count, uint8_t *child_values)


cdef size_t _MANY = 1 << 13  # children to evaluate before the first look at signals

#: The heuristics that need no tables, by their number.
KINDS = tuple(kinds.KINDS)
MAX_COMPONENTS = P15_MAX_COMPONENTS
MAX_PATTERNS = P15_MAX_PATTERNS

assert len(KINDS) == P15_HEURISTIC_COUNT


cdef p15_array _array(const uint8_t[::1] values, listed, cell_to, home, uint64_t divisor, bint beyond_manhattan,
                      unsigned less) except *:
    """An array: the tiles that it lists (0 for the blank), its cell for each cell of a board, its goal cell of each
    listed tile, and what makes a value of an entry."""
    cdef p15_array array
    memset(&array, 0, sizeof(array))
    if not len(values) or len(listed) > P15_MAX_ARRAY_PATTERN or less > 255:
        raise OptionError(f"{len(values)} values of {len(listed)} tiles, less {less}")
    array.values, array.size, array.divisor = &values[0], values.shape[0], divisor
    array.count, array.beyond_manhattan, array.less = len(listed), beyond_manhattan, less
    copy_cells(listed, array.order, len(listed), "tiles")
    copy_cells(home, array.home, len(listed), "cells")
    copy_cells(cell_to, array.cell_to, len(cell_to), "cells")
    return array


cdef class _Function:
    """A Python function, and how the boards that it is given are written there: see `Evaluator.add_function`."""

    cdef object function
    cdef unsigned cells
    cdef uint8_t[P15_MAX_CELLS] shift_of  # of the function's cells, in bits of the packed board
    cdef uint8_t[P15_MAX_CELLS] tile_of  # the function's tiles, by those of the packed board

    def __cinit__(self, function, cell_to, tile_to):
        self.function = function
        self.cells = len(cell_to)
        for i in range(self.cells):
            self.shift_of[i] = 4 * cell_to[i]
            self.tile_of[tile_to[i]] = i

    cdef int evaluate(self, const p15_board *boards, size_t count, uint8_t *values) except -1:
        cdef bytes tiles = PyBytes_FromStringAndSize(NULL, count * self.cells)
        cdef uint8_t *to = <uint8_t *><char *>tiles
        cdef bytes found
        cdef size_t i
        cdef unsigned cell
        for i in range(count):
            for cell in range(self.cells):
                to[0] = self.tile_of[boards[i] >> self.shift_of[cell] & 15]
                to += 1
        found = self.function(tiles)
        if <size_t>len(found) != count:
            raise OptionError(f"{len(found)} values of {count} boards")
        memcpy(values, <const char *>found, count)
        return 0


cdef void call_function(void *context, const p15_board *boards, size_t count, uint8_t *values) noexcept with gil:
    memset(values, 0, count)
    try:  # any Python code may raise the exception of a signal's handler
        if not raises_later():
            (<_Function>context).evaluate(boards, count, values)
    except BaseException as error:
        raise_later(error)


cdef class _Compiled:
    """Compiled functions; `refuse` raises the error about a board and the number that was returned for it."""

    cdef p15_compiled c
    cdef uint64_t told  # how many of the numbers that it refused are older than the last error
    cdef object refuse


def _is_told(_Compiled part):
    return part.told == p15_compiled_refused(&part.c)


def capsule_name(capsule):
    """The name of a capsule; None: it has none."""
    cdef const char *name = PyCapsule_GetName(capsule)
    return None if name == NULL else name.decode(errors="backslashreplace")


def capsule_pointer(capsule):
    """The address that a capsule holds."""
    return <uintptr_t>PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule))


cdef uint64_t refused_by(tuple evaluators):
    """How many numbers that were no values their compiled functions have returned so far."""
    cdef Evaluator evaluator
    cdef _Compiled part
    cdef uint64_t refused = 0
    for evaluator in evaluators:
        for part in evaluator.compiled:
            refused += p15_compiled_refused(&part.c)
    return refused


cdef int check_refused(tuple evaluators, uint64_t refused) except -1:
    """Raise the error about the last of these numbers, if there were more than `refused` so far."""
    cdef Evaluator evaluator
    cdef _Compiled part
    if refused_by(evaluators) == refused:
        return 0
    parts = [part for evaluator in evaluators for part in evaluator.compiled]
    # The one whose error is the newest; if another thread has raised that, too, any.
    for part in sorted(parts, key=_is_told):
        if p15_compiled_refused(&part.c):
            part.told = p15_compiled_refused(&part.c)
            part.refuse(p15_compiled_refused_board(&part.c), p15_compiled_refused_number(&part.c))
    return 0


cdef class Evaluator:
    """The maximum of heuristics of one goal, 0 until one is added. Tables need the goal of their problem."""

    def __cinit__(self, shape, uint64_t goal):
        cdef p15_shape c_shape = to_shape(shape)
        self.shape = (c_shape.rows, c_shape.cols)
        self.parts, self.compiled = [], []
        check_status(p15_evaluator_new(c_shape, goal, &self.c), f"goal {goal:#x}")

    def __dealloc__(self):
        p15_evaluator_delete(self.c)

    def add(self, unsigned kind):
        """Add the heuristic ``KINDS[kind]``."""
        check_status(p15_evaluator_add(self.c, <p15_heuristic_kind>kind), f"heuristic {kind}")

    def add_lookups(self, Problem problem not None):
        """Add every lookup of a problem, whose goal is this one's."""
        check_status(p15_evaluator_add_lookups(self.c, &problem.c), f"{problem.c.lookup_count} lookups")
        self.parts.append(problem)

    def add_network(self, Network network not None, bint residual, float lowered):
        """Add a network's prediction: the distance, or half of it beyond Manhattan, less `lowered` moves."""
        check_status(p15_evaluator_add_network(self.c, network.c, residual, lowered), f"network, {lowered} moves lower")
        self.parts.append(network)

    def add_function(self, function, cell_to, tile_to):
        """Add a Python function: from the tiles of N boards, (N, cells) as bytes, to N bytes.

        It is given boards as they are before cell c was carried to ``cell_to[c]``, and tile t renamed to
        ``tile_to[t]``.
        """
        cdef _Function part = _Function(function, cell_to, tile_to)
        if not len(cell_to) == len(tile_to) == self.shape[0] * self.shape[1]:
            raise OptionError(f"{len(cell_to)} cells and {len(tile_to)} tiles of a board of {self.shape}")
        check_status(p15_evaluator_add_function(self.c, call_function, <void *>part), "function")
        self.parts.append(part)

    def add_compiled(self, uintptr_t function, uintptr_t child, uintptr_t data, uint64_t goal, cell_to, tile_to,
                     refuse):
        """Add compiled functions, by their addresses: of boards of a goal, and of their children or 0.

        Boards are turned for them as in `add_function`. `refuse` is called with a board and a number that is no value.
        """
        cdef _Compiled part = _Compiled()
        cdef uint8_t[P15_MAX_CELLS] cells, tiles
        cdef unsigned count = self.shape[0] * self.shape[1]
        copy_cells(cell_to, cells, count, "cells")
        copy_cells(tile_to, tiles, count, "tiles")
        p15_compiled_init(&part.c, <p15_compiled_board *>function, <p15_compiled_child *>child, <void *>data, goal,
                          count, cells, tiles)
        part.refuse = refuse
        check_status(p15_evaluator_add_compiled(self.c, &part.c), "compiled function")
        self.compiled.append(part)

    def add_patterns(self, parts):
        """Add the sum of patterns, as one heuristic.

        A part is a table of a goal whose blank is in the region of this one's; or the arguments of `_array`.
        """
        cdef p15_patterns sum
        cdef p15_array array
        p15_patterns_init(p15_evaluator_shape(self.c), p15_evaluator_goal(self.c), &sum)
        held = []
        for part in parts:
            if isinstance(part, Table):
                check_status(p15_patterns_add_table(&sum, &(<Table>part).c), "table")
                held.append(part)
                continue
            values, listed, cell_to, home, divisor, beyond_manhattan, less = part
            array = _array(values, listed, cell_to, home, divisor, beyond_manhattan, less)
            check_status(p15_patterns_add_array(&sum, &array), "array")
            held.append(values)
        check_status(p15_evaluator_add_patterns(self.c, &sum), "sum of patterns")
        self.parts += held

    cdef object pace(self):
        """The `StepSizer` of a search, which begins with one step because a function may take any time."""
        return StepSizer(1) if self.compiled or p15_evaluator_has_function(self.c) else StepSizer()

    cdef object pace_of(self, int steps):
        """A `StepSizer` that begins with so many boards, or with one because a compiled function may take any time."""
        return StepSizer(1 if self.compiled else steps)

    cdef int count_work(self, int change) except -1:
        """One more (1) or one less (-1) that looks at the tables without the GIL: meanwhile, they must not move."""
        for part in self.parts:
            if isinstance(part, Problem):
                (<Problem>part).running += change
        return 0

    @property
    def count(self):
        """How many heuristics there are; each lookup is one."""
        return p15_evaluator_count(self.c)

    @property
    def goal(self):
        return p15_evaluator_goal(self.c)

    def board(self, uint64_t board):
        """h of a board."""
        cdef unsigned h = 0
        cdef p15_values values = 0
        cdef uint64_t refused = refused_by((self,))
        check_status(p15_evaluator_board(self.c, board, &h, &values), f"board {board:#x}")
        check_stop()
        check_refused((self,), refused)
        return h

    def boards(self, const uint64_t[::1] boards not None, uint8_t[:, ::1] values not None,
               uint8_t[::1] status not None):
        """h of many boards (N, 1), or all values of each (N, count); and their status, where values are 0 if it is not."""
        cdef size_t begin, end
        cdef p15_status made
        cdef _Bool each = values.shape[1] != 1
        cdef uint64_t refused = refused_by((self,))
        same_length(values.shape[0], boards.shape[0])
        same_length(status.shape[0], boards.shape[0])
        if each:
            same_length(values.shape[1], p15_evaluator_count(self.c))
        self.count_work(1)
        try:
            for begin, end in self.pace_of(QUICK_STEPS).pieces(boards.shape[0] if values.shape[1] else 0):
                with nogil:
                    made = p15_evaluator_boards(self.c, &boards[begin], end - begin, each, &values[begin, 0],
                                                &status[begin])
                check_status(made, f"{boards.shape[0]} boards")
                check_refused((self,), refused)
        finally:
            self.count_work(-1)

    def children(self, const uint64_t[::1] boards not None, const uint8_t[:, ::1] values not None,
                 const int64_t[::1] parents not None, const uint8_t[::1] directions not None,
                 uint8_t[:, ::1] out not None):
        """All values of children (M, count) from those of their parents, (N, count).

        Returns how many were done before one whose parent is not a board, or whose move is illegal.
        """
        cdef p15_evaluations *batch = NULL
        cdef size_t begin, end, done = 0, count = parents.shape[0], board_count = boards.shape[0]
        cdef uint64_t refused = refused_by((self,))
        same_length(values.shape[0], board_count)
        same_length(directions.shape[0], count)
        same_length(out.shape[0], count)
        same_length(values.shape[1], p15_evaluator_count(self.c))
        same_length(out.shape[1], p15_evaluator_count(self.c))
        if not (board_count and count and values.shape[1]):
            return count if board_count else 0
        cdef size_t room = min(count, <size_t>P15_DENSE_MAX_BATCH)
        if p15_evaluator_prefers_batches(self.c):
            check_status(p15_evaluations_new(self.c, room, &batch), f"{count} children")
        self.count_work(1)
        try:
            for begin, end in self.pace_of(QUICK_STEPS if batch else _MANY).pieces(count):
                with nogil:
                    done = p15_evaluator_children(self.c, batch, room, &boards[0], &values[0, 0], board_count,
                                             &parents[begin], &directions[begin], end - begin, &out[begin, 0])
                check_refused((self,), refused)
                if done < end - begin:
                    return begin + done
        finally:
            p15_evaluations_delete(batch)
            self.count_work(-1)
        return count
