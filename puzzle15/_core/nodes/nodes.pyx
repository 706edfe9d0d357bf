"""Many boards as arrays, around csrc/nodes: their children, their numbers, and tables of them.

Boards are packed; directions are the blank's: 0 up, 1 left, 2 right, 3 down.
"""

import threading

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._system.threads import StepSizer


cdef extern from "nodes/rank.h" nogil:
    uint64_t p15_rank(p15_board board, p15_shape shape)
    p15_board p15_unrank(uint64_t rank, p15_shape shape, p15_board goal)


cdef extern from "nodes/neighbours.h" nogil:
    enum:
        P15_NO_DIRECTION

    ctypedef struct p15_neighbours:
        pass

    void p15_neighbours_init(p15_shape shape, p15_neighbours *neighbours)
    size_t p15_neighbours_count(const p15_neighbours *neighbours, const p15_board *boards, const uint8_t *last,
                                size_t count, size_t *children)
    void p15_neighbours_make(const p15_neighbours *neighbours, const p15_board *boards, const uint8_t *last,
                             size_t begin, size_t end, size_t room, size_t *made, p15_board *children,
                             int64_t *parents, uint8_t *directions)


cdef extern from "nodes/board_table.h" nogil:
    enum:
        P15_MOST_VALUE_BYTES

    ctypedef enum p15_table_rule:
        P15_TABLE_INSERT, P15_TABLE_UPDATE, P15_TABLE_LOWER

    ctypedef struct p15_board_table:
        size_t count, left

    p15_status p15_board_table_init(unsigned value_bytes, unsigned key_bytes, size_t expected, size_t most_bytes,
                                    p15_board_table *table)
    void p15_board_table_free(p15_board_table *table)
    size_t p15_board_table_put(p15_board_table *table, p15_table_rule rule, const p15_board *boards,
                               const uint8_t *values, size_t count, uint8_t *changed)
    void p15_board_table_get(const p15_board_table *table, const p15_board *boards, size_t count, uint8_t *values,
                             uint8_t *found)
    p15_status p15_board_table_grow(p15_board_table *table)
    size_t p15_board_table_keys(const p15_board_table *table, size_t begin, size_t end, p15_board *boards)
    size_t p15_board_table_buckets(const p15_board_table *table)
    size_t p15_board_table_bytes(const p15_board_table *table)


cdef size_t _MANY = 1 << 14  # boards to work on before the first look at signals

NO_MOVE = P15_NO_DIRECTION
MOST_VALUE_BYTES = P15_MOST_VALUE_BYTES
#: The rules by which `Table.put` writes.
INSERT, UPDATE, LOWER = P15_TABLE_INSERT, P15_TABLE_UPDATE, P15_TABLE_LOWER


def children(const uint64_t[::1] boards not None, const uint8_t[::1] last, shape):
    """The children of boards as arrays, and their number; or the index of the first bad board or last direction.

    With arrays the index is -1. The arrays have more rows than there are children.
    """
    cdef p15_neighbours neighbours
    cdef size_t count = boards.shape[0], room = 0, made = 0, begin, end, known
    cdef const uint8_t *c_last = NULL
    cdef uint64_t[::1] c_packed
    cdef int64_t[::1] c_parents
    cdef uint8_t[::1] c_directions
    p15_neighbours_init(to_shape(shape), &neighbours)
    if last is not None:
        same_length(last.shape[0], count)
        c_last = &last[0] if count else NULL
    for begin, end in StepSizer(_MANY).pieces(count):
        with nogil:
            known = p15_neighbours_count(&neighbours, &boards[begin], c_last + begin if c_last else NULL, end - begin,
                                         &room)
        if known < end - begin:
            return None, begin + known
    packed = c_packed = np.empty(room + P15_DIRECTIONS, dtype=np.uint64)
    parents = c_parents = np.empty(room + P15_DIRECTIONS, dtype=np.int64)
    directions = c_directions = np.empty(room + P15_DIRECTIONS, dtype=np.uint8)
    for begin, end in StepSizer(_MANY).pieces(count):
        with nogil:
            p15_neighbours_make(&neighbours, &boards[0], c_last, begin, end, room, &made, &c_packed[0], &c_parents[0],
                                &c_directions[0])
    return (np.asarray(packed)[:made], np.asarray(parents)[:made], np.asarray(directions)[:made]), -1


def ranks(const uint64_t[::1] boards not None, shape):
    """The numbers of boards, uint64 (N,), below cells!/2. The boards are not checked."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef Py_ssize_t i, begin, end
    numbers = np.empty(boards.shape[0], dtype=np.uint64)
    cdef uint64_t[::1] c_numbers = numbers
    for begin, end in StepSizer(_MANY).pieces(boards.shape[0]):
        with nogil:
            for i in range(begin, end):
                c_numbers[i] = p15_rank(boards[i], c_shape)
    return numbers


def unranks(const uint64_t[::1] numbers not None, uint64_t goal, shape):
    """The boards of numbers, uint64 (N,), that reach a goal. The numbers are below cells!/2."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef Py_ssize_t i, begin, end
    check_board(goal, c_shape)
    boards = np.empty(numbers.shape[0], dtype=np.uint64)
    cdef uint64_t[::1] c_boards = boards
    for begin, end in StepSizer(_MANY).pieces(numbers.shape[0]):
        with nogil:
            for i in range(begin, end):
                c_boards[i] = p15_unrank(numbers[i], c_shape, goal)
    return boards


cdef class Table:
    """A table from boards to values of some bytes; one thread at a time uses it, and others wait.

    What a signal or MemoryError interrupts leaves all boards that were there, and perhaps the first ones of the call.
    """

    cdef p15_board_table c
    cdef object lock

    def __cinit__(self, unsigned value_bytes, unsigned key_bytes, size_t expected, size_t most_bytes):
        self.lock = threading.Lock()
        check_status(p15_board_table_init(value_bytes, key_bytes, expected, most_bytes, &self.c),
                     f"values of {value_bytes} bytes, {most_bytes} bytes of memory")

    def __dealloc__(self):
        p15_board_table_free(&self.c)

    cdef int grow(self) except -1:
        """Grow until the next pause, and on to the end if there is one."""
        cdef p15_status status
        pace = StepSizer(1)
        while True:
            with nogil:
                status = p15_board_table_grow(&self.c)
            check_status(status, f"{self.c.count} boards in a table of {p15_board_table_bytes(&self.c)} bytes")
            pace.check_stop()
            if self.c.left == 0:
                return 0

    def put(self, int rule, const uint64_t[::1] boards not None, const uint8_t[:, ::1] values,
            uint8_t[::1] changed not None):
        """Put the values of boards there, (N, bytes) or None for zeros; see csrc for what becomes of `changed`."""
        cdef size_t begin, end, done
        cdef const uint8_t *c_values = NULL
        same_length(changed.shape[0], boards.shape[0])
        if values is not None:
            same_length(values.shape[0], boards.shape[0])
        with self.lock:
            if self.c.left:
                self.grow()
            for begin, end in StepSizer(_MANY).pieces(boards.shape[0]):
                while True:
                    if values is not None:
                        c_values = &values[begin, 0]
                    with nogil:
                        done = p15_board_table_put(&self.c, <p15_table_rule>rule, &boards[begin], c_values,
                                                   end - begin, &changed[begin])
                    begin += done
                    if begin == end:
                        break
                    self.grow()

    def get(self, const uint64_t[::1] boards not None, uint8_t[:, ::1] values not None, uint8_t[::1] found not None):
        """Fill `values`, (N, bytes), and whether each board was found."""
        cdef size_t begin, end
        same_length(found.shape[0], boards.shape[0])
        same_length(values.shape[0], boards.shape[0])
        with self.lock:
            if self.c.left:
                self.grow()
            for begin, end in StepSizer(_MANY).pieces(boards.shape[0]):
                with nogil:
                    p15_board_table_get(&self.c, &boards[begin], end - begin, &values[begin, 0], &found[begin])

    def keys(self):
        """All boards, in the order of the table."""
        cdef size_t begin, end, count = 0
        cdef uint64_t[::1] c_boards
        with self.lock:
            if self.c.left:
                self.grow()
            boards = c_boards = np.empty(max(self.c.count, 1), dtype=np.uint64)
            for begin, end in StepSizer(_MANY).pieces(p15_board_table_buckets(&self.c)):
                with nogil:
                    count += p15_board_table_keys(&self.c, begin, end, &c_boards[0] + count)
        return np.asarray(boards)[:count]

    @property
    def count(self):
        return self.c.count

    @property
    def memory_bytes(self):
        return p15_board_table_bytes(&self.c)
