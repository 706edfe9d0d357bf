"""Value iteration on local state spaces. The manual is csrc/learning/value_iteration/subproblem.h, then sweeps.h and plan.h there.

Cells are those of the board; directions are the blank's: 0 up, 1 left, 2 right, 3 down. Calls release the
GIL, and act on Ctrl-C and on the end of their team (`puzzle15.parallel`) within a tenth of a second.
"""

import numpy as np

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc

from puzzle15._core.c cimport *
from puzzle15.parallel import Pace, check_stop

MIN_GAMMA = P15_MIN_GAMMA
MAX_GAMMA = P15_MAX_GAMMA
DONE = P15_POLICY_DONE
NONE = P15_POLICY_NONE


cdef class Subproblem:
    """Bring the tiles of some goal cells home, while those on fixed cells stay.

    Parameters
    ----------
    shape : (int, int)
    goal : sequence of int
        Cells, in the order of the state's digits.
    fixed : sequence of int
        Cells.

    Attributes
    ----------
    state_count : int
    tile_count, free_count : int
        Tiles that have names; cells that are not fixed.
    """

    cdef p15_subproblem c
    cdef readonly object goal, fixed

    def __cinit__(self, shape, goal, fixed):
        cdef uint8_t[P15_MAX_CELLS] cells
        cdef p15_shape c_shape = to_shape(shape)
        cdef unsigned mask = 0
        self.goal, self.fixed = tuple(goal), tuple(fixed)
        given = f"goal cells {self.goal}, fixed {self.fixed}"
        if len(self.goal) > P15_MAX_CELLS or not all(0 <= cell < P15_MAX_CELLS for cell in self.goal + self.fixed):
            check_status(P15_ERR_PATTERN, given)
        for i, cell in enumerate(self.goal):
            cells[i] = cell
        for cell in self.fixed:
            mask |= 1u << <unsigned>cell
        check_status(p15_subproblem_init(c_shape, cells, len(self.goal), mask, &self.c), given)

    def __reduce__(self):
        return type(self), ((self.c.shape.rows, self.c.shape.cols), self.goal, self.fixed)

    @property
    def state_count(self):
        return self.c.state_count

    @property
    def tile_count(self):
        return self.c.tile_count

    @property
    def free_count(self):
        return self.c.free_count

    def learn(self, double gamma, progress=None):
        """(values float64, policy uint8), by the number of the state; `progress` is called with a share."""
        cdef p15_sweeps *sweeps = NULL
        cdef size_t placements
        cdef bint more = True
        values = np.empty(self.c.state_count, dtype=np.float64)
        policy = np.empty(self.c.state_count, dtype=np.uint8)
        cdef double[::1] c_values = values
        cdef uint8_t[::1] c_policy = policy
        check_status(p15_sweeps_new(&self.c, gamma, &c_values[0], &c_policy[0], &sweeps), f"gamma {gamma}")
        pace = Pace()
        try:
            while more:
                placements = pace.steps
                with nogil:
                    more = p15_sweeps_run(sweeps, placements)
                pace.check_stop()
                if progress is not None:
                    progress(p15_sweeps_found(sweeps) / self.c.state_count)
        finally:
            p15_sweeps_delete(sweeps)
        return values, policy

    def check(self, double gamma, const double[::1] values not None, const uint8_t[::1] policy not None):
        """In how many states values and policy are not those that `learn` gives."""
        cdef uint64_t begin = 0, end, wrong = 0
        self.same_length(values.shape[0])
        self.same_length(policy.shape[0])
        pace = Pace()
        while begin < self.c.state_count:
            end = min(begin + <uint64_t>pace.steps, self.c.state_count)
            with nogil:
                wrong += p15_subproblem_check(&self.c, gamma, &values[0], &policy[0], begin, end)
            begin = end
            pace.check_stop()
        return wrong

    def ends(self, const uint8_t[::1] policy not None):
        """The cell where a policy leaves the blank, by state, uint8; 16 where there is no way. ValueError for a policy
        that leads off the board or in a circle."""
        cdef uint64_t begin = 0, end
        cdef p15_status status
        self.same_length(policy.shape[0])
        ends = np.full(self.c.state_count, 0xff, dtype=np.uint8)
        cdef uint8_t[::1] c_ends = ends
        pace = Pace()
        while begin < self.c.state_count:
            end = min(begin + <uint64_t>pace.steps, self.c.state_count)
            with nogil:
                status = p15_subproblem_ends(&self.c, &policy[0], begin, end, &c_ends[0])
            if status != P15_OK:
                raise ValueError("a policy that leads off the board or in a circle; `learn` gives one, `check` tells")
            begin = end
            pace.check_stop()
        return ends

    def cells(self, states):
        """The cells of the tiles and, last, of the blank: uint8 (N, tiles + 1)."""
        cdef uint64_t state, number
        cdef const uint64_t[::1] numbers = np.ascontiguousarray(states, dtype=np.uint64)
        cells = np.empty((numbers.shape[0], self.c.tile_count + 1), dtype=np.uint8)
        cdef uint8_t[:, ::1] c_cells = cells
        cdef Py_ssize_t i, j, begin = 0, end
        pace = Pace()
        while begin < numbers.shape[0]:
            end = min(begin + <Py_ssize_t>pace.steps, numbers.shape[0])
            for i in range(begin, end):
                if numbers[i] >= self.c.state_count:
                    raise IndexError(f"state {numbers[i]} of {self.c.state_count}")
            with nogil:
                for i in range(begin, end):
                    state = p15_subproblem_unrank(&self.c, numbers[i])
                    for j in range(c_cells.shape[1]):
                        c_cells[i, j] = state >> (4 * j) & 15
            begin = end
            pace.check_stop()
        return cells

    def states(self, cells):
        """The inverse of `cells`: int64 (N,). ValueError unless the cells of each row differ and none is fixed."""
        cdef const uint8_t[:, ::1] c_cells = np.ascontiguousarray(cells, dtype=np.uint8)
        cdef uint64_t state, rank
        cdef Py_ssize_t i, j, begin = 0, end, wrong = -1
        if c_cells.shape[1] != self.c.tile_count + 1:
            raise ValueError(f"{c_cells.shape[1]} cells a state, expected {self.c.tile_count + 1}")
        states = np.empty(c_cells.shape[0], dtype=np.int64)
        cdef long long[::1] c_states = states
        pace = Pace()
        while begin < c_cells.shape[0]:
            end = min(begin + <Py_ssize_t>pace.steps, c_cells.shape[0])
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
                raise ValueError(f"cells {list(c_cells[wrong])}: expected cells that differ, and are none of {self.fixed}")
            begin = end
            pace.check_stop()
        return states

    cdef int same_length(self, size_t given) except -1:
        if given != self.c.state_count:
            check_status(P15_ERR_ARGUMENT, f"array length {given}, expected {self.c.state_count}")
        return 0


cdef class Plan:
    """The stages in which boards come home, and the policies that are known.

    Parameters
    ----------
    shape : (int, int)
    goal : int
    order : sequence of int
        All cells but the goal's blank.
    initial_size : int
    """

    cdef p15_plan *c
    cdef list policies

    def __cinit__(self, shape, uint64_t goal, order, unsigned initial_size):
        cdef uint8_t[P15_MAX_CELLS] cells
        cdef p15_shape c_shape = to_shape(shape)
        self.policies = []
        if len(order) != c_shape.cells - 1 or not all(0 <= cell < P15_MAX_CELLS for cell in order):
            check_status(P15_ERR_PATTERN, f"order {tuple(order)}")
        for i, cell in enumerate(order):
            cells[i] = cell
        self.c = <p15_plan *>malloc(sizeof(p15_plan))
        if self.c == NULL:
            raise MemoryError
        check_status(p15_plan_init(c_shape, goal, cells, initial_size, self.c), f"initial_size {initial_size}")

    def __dealloc__(self):
        free(self.c)

    @property
    def stage_count(self):
        return self.c.stage_count

    def end(self, unsigned stage):
        """Where in the order the cells of a stage end."""
        if stage >= self.c.stage_count:
            raise IndexError(f"stage {stage} of {self.c.stage_count}")
        return p15_plan_end(self.c, stage)

    def add(self, unsigned stage, unsigned begin, const uint8_t[::1] policy not None):
        """Use a policy that was learned or checked. Of others, `solve` tells when they lead nowhere."""
        check_status(p15_plan_add(self.c, stage, begin, &policy[0], policy.shape[0]),
                     f"stage {stage}, begin {begin}, {policy.shape[0]} states")
        self.policies.append(policy)  # keeps its memory

    def solve(self, uint64_t board):
        """(missing, directions, parts): either (stage, begin) of a policy that is needed, or the solution
        as bytes and (begin, moves) by stage."""
        cdef p15_course course
        cdef unsigned length
        cdef uint8_t *directions
        cdef p15_status status = p15_plan_solve(self.c, board, &course, NULL, 0)
        if status == P15_ERR_ARGUMENT:
            return (course.stage, course.begin), None, None
        if status == P15_ERR_CORRUPT:
            raise ValueError("a policy that leads nowhere; `Subproblem.learn` gives one, `Subproblem.check` tells")
        check_status(status, f"board {board:#x}")
        directions = <uint8_t *>malloc(course.length + 1)
        if directions == NULL:
            raise MemoryError
        try:
            length = course.length
            if p15_plan_solve(self.c, board, &course, directions, length) != P15_OK or course.length != length:
                raise RuntimeError("a policy changed while it was followed")
            parts = [(course.begins[stage], course.lengths[stage]) for stage in range(self.c.stage_count)]
            return None, directions[:length], parts
        finally:
            free(directions)

    def solve_many(self, const uint64_t[::1] boards not None, uint8_t[::1] status not None,
                   uint16_t[::1] lengths not None, uint8_t[::1] largest not None):
        """Solve the boards whose status is 0; (stage, begin) of a policy that is needed for some, or None."""
        cdef Py_ssize_t count = boards.shape[0], at = 0, some
        cdef size_t missing
        cdef unsigned stage = 0, begin = 0
        needed = None
        if not count == status.shape[0] == lengths.shape[0] == largest.shape[0]:
            check_status(P15_ERR_ARGUMENT, "arrays of different lengths")
        pace = Pace()
        while at < count:
            some = min(count - at, <Py_ssize_t>pace.steps)
            with nogil:
                missing = p15_plan_solve_many(self.c, &boards[at], some, &status[at], &lengths[at], &largest[at],
                                              &stage, &begin)
            pace.check_stop()
            if missing and needed is None:
                needed = (stage, begin)
            at += some
        return needed
