"""Value iteration on local state spaces, around csrc/learning/value_iteration.

Cells are those of the board; directions are the blank's: 0 up, 1 left, 2 right, 3 down.
"""

import numpy as np

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._system.threads import StepSizer
from ...errors import OptionError


cdef extern from "learning/value_iteration/subproblem.h" nogil:
    enum:
        P15_POLICY_DONE, P15_POLICY_NONE

    ctypedef struct p15_subproblem:
        p15_shape shape
        unsigned tile_count, free_count
        uint64_t state_count

    p15_status p15_subproblem_init(p15_shape shape, const uint8_t *goal, unsigned count, unsigned fixed,
                                   p15_subproblem *subproblem)
    uint64_t p15_subproblem_rank(const p15_subproblem *subproblem, uint64_t state)
    uint64_t p15_subproblem_unrank(const p15_subproblem *subproblem, uint64_t rank)
    p15_status p15_subproblem_ends(const p15_subproblem *subproblem, const uint8_t *policy, uint64_t begin,
                                   uint64_t end, uint8_t *ends)


cdef extern from "learning/value_iteration/sweeps.h" nogil:
    const double P15_MIN_GAMMA
    const double P15_MAX_GAMMA

    ctypedef struct p15_sweeps:
        pass

    p15_status p15_sweeps_new(const p15_subproblem *subproblem, double gamma, const uint8_t *order, double *values,
                              uint8_t *policy, p15_sweeps **sweeps)
    void p15_sweeps_delete(p15_sweeps *sweeps)
    _Bool p15_sweeps_run(p15_sweeps *sweeps, size_t placements)


cdef extern from "learning/value_iteration/plan.h" nogil:
    ctypedef struct p15_plan:
        unsigned stage_count

    ctypedef struct p15_course:
        unsigned length, largest
        uint8_t begins[P15_MAX_CELLS]
        uint16_t lengths[P15_MAX_CELLS]
        unsigned stage, begin

    p15_status p15_plan_init(p15_shape shape, p15_board goal, const uint8_t *order, unsigned initial_size,
                             p15_plan *plan)
    p15_status p15_plan_add(p15_plan *plan, unsigned stage, unsigned begin, const uint8_t *policy, uint64_t count)
    p15_status p15_plan_solve(const p15_plan *plan, p15_board board, p15_course *course, uint8_t *directions,
                              size_t room)
    size_t p15_plan_solve_many(const p15_plan *plan, const p15_board *boards, size_t count, uint8_t *status,
                               uint16_t *lengths, uint8_t *largest, unsigned *stage, unsigned *begin)


MIN_GAMMA = P15_MIN_GAMMA
MAX_GAMMA = P15_MAX_GAMMA
DONE = P15_POLICY_DONE
NONE = P15_POLICY_NONE


cdef class Subproblem:
    """Bring the tiles of some goal cells home, in the order of a state's digits, while those on fixed cells stay."""

    cdef p15_subproblem c
    cdef readonly object goal, fixed
    cdef readonly unsigned tile_count, free_count  # tiles that are brought home, cells that are not fixed
    cdef readonly uint64_t state_count

    def __cinit__(self, shape, goal, fixed):
        cdef uint8_t[P15_MAX_CELLS] cells, still
        cdef unsigned mask = 0
        self.goal, self.fixed = tuple(goal), tuple(fixed)
        copy_cells(self.goal, cells, len(self.goal), "goal cells")
        copy_cells(self.fixed, still, len(self.fixed), "fixed cells")
        for cell in self.fixed:
            mask |= 1u << <unsigned>cell
        check_status(p15_subproblem_init(to_shape(shape), cells, len(self.goal), mask, &self.c),
                     f"goal cells {self.goal}, fixed {self.fixed}")
        self.tile_count, self.free_count, self.state_count = self.c.tile_count, self.c.free_count, self.c.state_count

    def __reduce__(self):
        return type(self), ((self.c.shape.rows, self.c.shape.cols), self.goal, self.fixed)

    def learn(self, double gamma, const uint8_t[::1] order=b"\0\1\2\3"):
        """(values float64, policy uint8), by the number of the state; of equally good moves, the first in the order."""
        cdef p15_sweeps *sweeps = NULL
        cdef size_t placements
        cdef bint more = True
        values = np.empty(self.c.state_count, dtype=np.float64)
        policy = np.empty(self.c.state_count, dtype=np.uint8)
        cdef double[::1] c_values = values
        cdef uint8_t[::1] c_policy = policy
        same_length(order.shape[0], P15_DIRECTIONS)
        check_status(p15_sweeps_new(&self.c, gamma, &order[0], &c_values[0], &c_policy[0], &sweeps),
                     f"gamma {gamma}, order {bytes(order)}")
        pace = StepSizer()
        try:
            while more:
                placements = pace.steps
                with nogil:
                    more = p15_sweeps_run(sweeps, placements)
                pace.check_stop()
        finally:
            p15_sweeps_delete(sweeps)
        return values, policy

    def ends(self, const uint8_t[::1] policy not None):
        """The cell where a policy leaves the blank, by state, uint8; 16 where no moves lead to the goal."""
        cdef uint64_t begin, end
        cdef p15_status status
        same_length(policy.shape[0], self.c.state_count)
        ends = np.full(self.c.state_count, 0xff, dtype=np.uint8)
        cdef uint8_t[::1] c_ends = ends
        for begin, end in StepSizer().pieces(self.c.state_count):
            with nogil:
                status = p15_subproblem_ends(&self.c, &policy[0], begin, end, &c_ends[0])
            check_status(status, "policy")
        return ends

    def cells(self, states):
        """The cells of the tiles and, last, of the blank: uint8 (N, tiles + 1)."""
        cdef uint64_t state
        cdef const uint64_t[::1] numbers = np.ascontiguousarray(states, dtype=np.uint64)
        cells = np.empty((numbers.shape[0], self.c.tile_count + 1), dtype=np.uint8)
        cdef uint8_t[:, ::1] c_cells = cells
        cdef Py_ssize_t i, j, begin, end
        for begin, end in StepSizer().pieces(numbers.shape[0]):
            for i in range(begin, end):
                if numbers[i] >= self.c.state_count:
                    raise IndexError(f"state {numbers[i]} of {self.c.state_count}")
            with nogil:
                for i in range(begin, end):
                    state = p15_subproblem_unrank(&self.c, numbers[i])
                    for j in range(c_cells.shape[1]):
                        c_cells[i, j] = state >> (4 * j) & 15
        return cells

    def states(self, cells):
        """The inverse of `cells`: int64 (N,). ValueError unless the cells of each row differ and none is fixed."""
        cdef const uint8_t[:, ::1] c_cells = np.ascontiguousarray(cells, dtype=np.uint8)
        cdef uint64_t state, rank
        cdef Py_ssize_t i, j, begin, end, wrong = -1
        same_length(c_cells.shape[1], self.c.tile_count + 1)
        states = np.empty(c_cells.shape[0], dtype=np.int64)
        cdef long long[::1] c_states = states
        for begin, end in StepSizer().pieces(c_cells.shape[0]):
            with nogil:
                for i in range(begin, end):
                    state = 0
                    for j in range(c_cells.shape[1]):
                        state |= <uint64_t>(c_cells[i, j] & 15) << (4 * j)
                        if c_cells[i, j] >= P15_MAX_CELLS:
                            wrong = i
                    rank = p15_subproblem_rank(&self.c, state)
                    if rank >= self.c.state_count or p15_subproblem_unrank(&self.c, rank) != state:
                        wrong = i
                    c_states[i] = rank
            if wrong >= 0:
                raise OptionError(f"cells {list(c_cells[wrong])}: expected cells that differ, and are none of {self.fixed}")
        return states


cdef class Plan:
    """The stages in which boards come home, and the policies that are known; `order` has all cells but the blank's."""

    cdef p15_plan c
    cdef list policies

    def __cinit__(self, shape, uint64_t goal, order, unsigned initial_size):
        cdef uint8_t[P15_MAX_CELLS] cells
        cdef p15_shape c_shape = to_shape(shape)
        self.policies = []
        copy_cells(order, cells, c_shape.cells - 1, "order")
        check_status(p15_plan_init(c_shape, goal, cells, initial_size, &self.c), f"initial_size {initial_size}")

    def add(self, unsigned stage, unsigned begin, const uint8_t[::1] policy not None):
        """Use a policy that was learned. With another one, `solve` may raise TableCorruptError."""
        check_status(p15_plan_add(&self.c, stage, begin, &policy[0], policy.shape[0]),
                     f"stage {stage}, begin {begin}, {policy.shape[0]} states")
        self.policies.append(policy)  # keeps its memory

    def solve(self, uint64_t board):
        """(missing, directions, parts): (stage, begin) of a policy that is needed, or the solution.

        That is bytes, and (begin, moves) by stage.
        """
        cdef p15_course course
        cdef p15_status status
        cdef uint8_t[::1] directions = bytearray(256)
        while True:
            status = p15_plan_solve(&self.c, board, &course, &directions[0], directions.shape[0])
            if status == P15_ERR_ARGUMENT:
                return (course.stage, course.begin), None, None
            check_status(status, f"board {board:#x}")
            if course.length <= directions.shape[0]:
                parts = [(course.begins[stage], course.lengths[stage]) for stage in range(self.c.stage_count)]
                return None, bytes(directions[:course.length]), parts
            directions = bytearray(course.length)

    def solve_many(self, const uint64_t[::1] boards not None, uint8_t[::1] status not None,
                   uint16_t[::1] lengths not None, uint8_t[::1] largest not None):
        """Solve the boards whose status is 0; (stage, begin) of a policy that is needed for some, or None."""
        cdef size_t missing, at, end
        cdef unsigned stage = 0, begin = 0
        needed = None
        for given in (status.shape[0], lengths.shape[0], largest.shape[0]):
            same_length(given, boards.shape[0])
        for at, end in StepSizer().pieces(boards.shape[0]):
            with nogil:
                missing = p15_plan_solve_many(&self.c, &boards[at], end - at, &status[at], &lengths[at], &largest[at],
                                              &stage, &begin)
            if missing and needed is None:
                needed = (stage, begin)
        return needed
