"""Heuristics of one goal, around csrc/search/heuristics/evaluator.h, which is the manual.

Boards are packed. A goal may be any arrangement, but views of tables need that of their problem. What takes many
boards acts on signals and on the end of its team within a tenth of a second.
"""

from libc.stdint cimport uint8_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._core.learning.network cimport Network
from puzzle15._core.optimal.idastar cimport Problem
from puzzle15.parallel import Pace, QUICK_STEPS

#: The heuristics that need no tables, by their number.
KINDS = ("misplaced", "manhattan", "reversal", "linear-conflict", "walking-distance")
MAX_COMPONENTS = P15_MAX_COMPONENTS

assert len(KINDS) == P15_HEURISTIC_COUNT


cdef class Evaluator:
    """The maximum of heuristics, 0 until one is added.

    Parameters
    ----------
    shape : (int, int)
    goal : int
    """

    def __cinit__(self, shape, uint64_t goal):
        cdef p15_shape c_shape = to_shape(shape)
        self.shape = (c_shape.rows, c_shape.cols)
        self.parts = []
        check_status(p15_evaluator_new(c_shape, goal, &self.c), f"goal {goal:#x}")

    def __dealloc__(self):
        p15_evaluator_delete(self.c)

    def add(self, unsigned kind):
        """Add the heuristic ``KINDS[kind]``."""
        check_status(p15_evaluator_add(self.c, <p15_heuristic_kind>kind), f"heuristic {kind}")

    def add_views(self, Problem problem not None):
        """Add every view of a problem, whose goal is this one's."""
        check_status(p15_evaluator_add_views(self.c, &problem.c), f"{problem.c.view_count} views")
        self.parts.append(problem)

    def add_network(self, Network network not None, bint residual, float lowered):
        """Add a network's prediction: the distance, or half of it beyond Manhattan, less `lowered` moves."""
        check_status(p15_evaluator_add_network(self.c, network.c, residual, lowered), f"network, {lowered} moves lower")
        self.parts.append(network)

    cdef int count_work(self, int change) except -1:
        """One more (1) or one less (-1) that looks at the tables without the GIL: meanwhile, they must not move."""
        for part in self.parts:
            if isinstance(part, Problem):
                (<Problem>part).running += change
        return 0

    @property
    def count(self):
        """How many heuristics, each view being one."""
        return p15_evaluator_count(self.c)

    @property
    def goal(self):
        return p15_evaluator_goal(self.c)

    def board(self, uint64_t board):
        """h of a board."""
        cdef unsigned h = 0
        cdef p15_values values = 0
        check_status(p15_evaluator_board(self.c, board, &h, &values), f"board {board:#x}")
        return h

    def boards(self, const uint64_t[::1] boards not None, uint8_t[::1] values not None, uint8_t[::1] status not None):
        """h of many boards, and each one's status; h is 0 where that is not 0."""
        cdef size_t count = boards.shape[0], begin = 0, end
        cdef p15_status made
        if values.shape[0] != boards.shape[0] or status.shape[0] != boards.shape[0]:
            raise ValueError(f"arrays of {boards.shape[0]}, {values.shape[0]} and {status.shape[0]} boards")
        pace = Pace(QUICK_STEPS)
        self.count_work(1)
        try:
            while begin < count:
                end = min(begin + <size_t>pace.steps, count)
                with nogil:
                    made = p15_evaluator_boards(self.c, &boards[begin], end - begin, &values[begin], &status[begin])
                check_status(made, f"{count} boards")
                begin = end
                pace.check_stop()
        finally:
            self.count_work(-1)

    def walk(self, uint64_t board, const uint8_t[::1] directions not None):
        """h of a board and after each of the blank's legal moves, as bytes; every one from the one before."""
        cdef p15_shape shape = p15_evaluator_shape(self.c)
        cdef unsigned h = 0, blank
        cdef p15_values values = 0
        cdef int cell
        check_status(p15_evaluator_board(self.c, board, &h, &values), f"board {board:#x}")
        found = bytearray([h])
        blank = p15_board_blank(board)
        for i in range(directions.shape[0]):
            cell = p15_cell_neighbour(shape, blank, directions[i]) if directions[i] < P15_DIRECTIONS else -1
            if cell < 0:
                raise ValueError(f"move {i + 1} is illegal: direction {directions[i]}, blank at {blank}")
            found.append(p15_evaluator_child(self.c, board, values, blank, directions[i], &values))
            board ^= (board >> 4 * cell & 15) << 4 * cell ^ (board >> 4 * cell & 15) << 4 * blank
            blank = cell
        return bytes(found)
