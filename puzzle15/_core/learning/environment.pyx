"""Many boards that are played at once. The manual is csrc/learning/environment/episodes.h, then scramble.h and rank.h there.

Actions are directions of the blank: 0 up, 1 left, 2 right, 3 down. Calls release the GIL, and act on Ctrl-C and on the
end of their team (`puzzle15.parallel`) within a tenth of a second. Calls for disjoint ranges of boards may run at the
same time.
"""

import numpy as np

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15.parallel import Pace, QUICK_STEPS

cdef size_t _MANY = 1 << 14  # boards to work on before the first look at signals


def ranks(const uint64_t[::1] boards not None, shape):
    """The numbers of boards, uint32 (N,), below cells!/2; boards of up to 12 cells, which are not checked."""
    cdef p15_shape c_shape = to_shape(shape)
    cdef Py_ssize_t i, begin = 0, end
    if c_shape.cells > 12:
        check_status(P15_ERR_ARGUMENT, f"{c_shape.cells} cells")
    numbers = np.empty(boards.shape[0], dtype=np.uint32)
    cdef uint32_t[::1] c_numbers = numbers
    pace = Pace(QUICK_STEPS)
    while begin < boards.shape[0]:
        end = min(begin + <Py_ssize_t>pace.steps, boards.shape[0])
        with nogil:
            for i in range(begin, end):
                c_numbers[i] = <uint32_t>p15_rank(boards[i], c_shape)
        begin = end
        pace.check_stop()
    return numbers


cdef class Scramble:
    """The random boards with which episodes begin: `uniform`, `walk` and `listed` make one."""

    cdef p15_scramble c
    cdef size_t steps  # boards that take a few milliseconds at most
    cdef object arrays  # kept alive

    @staticmethod
    def uniform(shape, uint64_t goal):
        """Each board that reaches the goal, equally likely."""
        cdef Scramble self = Scramble()
        cdef p15_shape c_shape = to_shape(shape)
        check_board(goal, c_shape)
        p15_scramble_init_uniform(c_shape, goal, &self.c)
        self.steps = _MANY
        return self

    @staticmethod
    def walk(shape, uint64_t goal, uint32_t least, uint32_t most):
        """The last board of a walk of `least` .. `most` moves."""
        cdef Scramble self = Scramble()
        cdef p15_shape c_shape = to_shape(shape)
        check_board(goal, c_shape)
        check_status(p15_scramble_init_walk(c_shape, goal, least, most, &self.c), f"walks of {least} .. {most} moves")
        self.steps = _MANY // (1 + most // 64) + 1
        return self

    @staticmethod
    def listed(shape, uint64_t goal, const uint64_t[::1] boards not None, const uint64_t[::1] ends not None,
               const uint64_t[::1] chances not None):
        """One of `boards`: first a level, which ends before ``ends[i]``, then one of its boards.

        A level is taken if a random number of 64 bits is at most its chance, and above the chance before.
        """
        cdef Scramble self = Scramble()
        cdef p15_shape c_shape = to_shape(shape)
        cdef size_t count = ends.shape[0], i
        check_board(goal, c_shape)
        if count == 0 or <size_t>chances.shape[0] != count or <uint64_t>boards.shape[0] != ends[count - 1]:
            check_status(P15_ERR_ARGUMENT, f"{boards.shape[0]} boards, {count} ends, {chances.shape[0]} chances")
        for i in range(<size_t>boards.shape[0]):
            check_board(boards[i], c_shape)
        check_status(p15_scramble_init_listed(c_shape, goal, &boards[0], &ends[0], &chances[0], count, &self.c),
                     "levels of boards")
        self.steps = _MANY
        self.arrays = boards, ends, chances
        return self


cdef class Episodes:
    """The state of many boards, each in an episode of its own.

    Parameters
    ----------
    shape : (int, int)
    goal : int
    count : int
        Boards.
    rewards : (float, float, float)
        Of a move, of the goal, which is added, and of an illegal action.
    most_steps : int
        After which an episode is truncated; 0 for no limit.
    one_hot : bool
        Whether observations have one byte per cell and tile, not one per cell.
    progress : bool
        Whether the change of the distance belongs to the reward of a move.
    distances : array of uint8, optional
        Of all boards, by their `ranks`.

    Attributes
    ----------
    boards, randoms, steps, ended : ndarray
        The state, by board, to be read only: packed board, generator, actions so far, and whether the next step begins
        a new episode.
    """

    cdef p15_episodes c
    cdef readonly object boards, randoms, steps, ended
    cdef uint8_t[::1] left
    cdef const uint8_t[::1] distances
    cdef size_t count

    def __cinit__(self, shape, uint64_t goal, size_t count, rewards, uint32_t most_steps, bint one_hot, bint progress,
                  const uint8_t[::1] distances):
        cdef p15_shape c_shape = to_shape(shape)
        cdef uint64_t size = 1
        check_board(goal, c_shape)
        if count == 0:
            check_status(P15_ERR_ARGUMENT, "0 boards")
        p15_episodes_init(c_shape, &self.c)
        self.c.goal = goal
        self.c.move_reward, self.c.goal_reward, self.c.illegal_reward = rewards
        self.c.most_steps, self.c.one_hot, self.c.progress = most_steps, one_hot, progress
        if distances is not None:
            for factor in range(3, c_shape.cells + 1):
                size *= <uint64_t>factor
            same_length(distances.shape[0], size)
            self.distances = distances
            self.c.distances = &distances[0]
        self.count = count
        self.boards = np.full(count, goal, dtype=np.uint64)
        self.randoms = np.zeros(count, dtype=np.uint64)
        self.steps = np.zeros(count, dtype=np.uint32)
        self.ended = np.zeros(count, dtype=np.uint8)
        cdef uint64_t[::1] boards = self.boards, randoms = self.randoms
        cdef uint32_t[::1] steps = self.steps
        cdef uint8_t[::1] ended = self.ended
        self.c.boards, self.c.randoms, self.c.steps, self.c.ended = &boards[0], &randoms[0], &steps[0], &ended[0]
        self.left = np.zeros(count if distances is not None else 1, dtype=np.uint8)
        self.c.left = &self.left[0]
        for array in (self.boards, self.randoms, self.steps, self.ended):
            array.flags.writeable = False

    def seed(self, const uint64_t[::1] seeds not None, const uint64_t[::1] indices not None):
        """Give the boards of some indices the generators of these seeds."""
        cdef size_t i
        self.check_indices(indices)
        same_length(seeds.shape[0], indices.shape[0])
        for i in range(<size_t>indices.shape[0]):
            self.c.randoms[indices[i]] = p15_random_seed(seeds[i])

    def place(self, const uint64_t[::1] boards not None, const uint64_t[::1] indices not None):
        """Begin an episode for the boards of some indices, each with a board that is given."""
        cdef size_t i
        self.check_indices(indices)
        same_length(boards.shape[0], indices.shape[0])
        for i in range(<size_t>indices.shape[0]):
            check_board(boards[i], self.c.shape)
        for i in range(<size_t>indices.shape[0]):
            p15_episodes_place(&self.c, indices[i], boards[i])

    def restore(self, const uint64_t[::1] boards not None, const uint64_t[::1] randoms not None,
                const uint32_t[::1] steps not None, const uint8_t[::1] ended not None):
        """Take over the state of the same number of boards."""
        cdef size_t i
        for given in (boards.shape[0], randoms.shape[0], steps.shape[0], ended.shape[0]):
            same_length(given, self.count)
        for i in range(self.count):
            check_board(boards[i], self.c.shape)
        for i in range(self.count):
            p15_episodes_place(&self.c, i, boards[i])
            self.c.randoms[i] = randoms[i]
            self.c.steps[i], self.c.ended[i] = steps[i], ended[i] != 0

    def begin(self, Scramble scramble not None, const uint64_t[::1] indices not None):
        """Begin a new episode for the boards of some indices."""
        cdef size_t at = 0, some, count = indices.shape[0]
        self.check_indices(indices)
        self.check_scramble(scramble)
        pace = Pace(scramble.steps)
        while at < count:
            some = min(count - at, <size_t>pace.steps)
            with nogil:
                p15_episodes_begin(&self.c, &scramble.c, &indices[at], some)
            at += some
            pace.check_stop()

    def step(self, Scramble scramble not None, const uint8_t[::1] actions not None, size_t begin, size_t end,
             float[::1] rewards not None, uint8_t[::1] terminated not None, uint8_t[::1] truncated not None):
        """Take an action for each board of a range. ValueError for what is no action, with no board changed."""
        cdef size_t i, some
        cdef uint8_t most = 0
        self.check_range(begin, end)
        self.check_scramble(scramble)
        for given in (actions.shape[0], rewards.shape[0], terminated.shape[0], truncated.shape[0]):
            same_length(given, self.count)
        for i in range(begin, end):
            most = max(most, actions[i])
        if most >= P15_DIRECTIONS:
            check_status(P15_ERR_ARGUMENT, f"action {most}")
        pace = Pace(scramble.steps)
        while begin < end:
            some = min(end - begin, <size_t>pace.steps)
            with nogil:
                p15_episodes_step(&self.c, &scramble.c, &actions[0], begin, begin + some, &rewards[0], &terminated[0],
                                  &truncated[0])
            begin += some
            pace.check_stop()

    def observe(self, size_t begin, size_t end, uint8_t[:, ::1] observations not None,
                int8_t[:, ::1] masks not None):
        """Fill the rows of a range of boards."""
        cdef size_t some
        self.check_range(begin, end)
        self.check_rows(observations.shape[0], observations.shape[1], masks.shape[0], masks.shape[1])
        pace = Pace(_MANY)
        while begin < end:
            some = min(end - begin, <size_t>pace.steps)
            with nogil:
                p15_episodes_observe(&self.c, begin, begin + some, &observations[0, 0],
                                     <int8_t (*)[P15_DIRECTIONS]>&masks[0, 0])
            begin += some
            pace.check_stop()

    def advise(self, size_t begin, size_t end, uint8_t[::1] distances not None, int8_t[:, ::1] optimal not None):
        """Fill the distances, and 1 for each optimal action, of a range of boards; `distances` must have been given."""
        cdef size_t some
        self.check_range(begin, end)
        if self.c.distances == NULL:
            check_status(P15_ERR_ARGUMENT, "no distances")
        same_length(distances.shape[0], self.count)
        same_length(optimal.shape[0], self.count)
        same_length(optimal.shape[1], P15_DIRECTIONS)
        pace = Pace(_MANY)
        while begin < end:
            some = min(end - begin, <size_t>pace.steps)
            with nogil:
                p15_episodes_advise(&self.c, begin, begin + some, &distances[0],
                                    <int8_t (*)[P15_DIRECTIONS]>&optimal[0, 0])
            begin += some
            pace.check_stop()

    cdef int check_range(self, size_t begin, size_t end) except -1:
        if begin > end or end > self.count:
            check_status(P15_ERR_ARGUMENT, f"boards {begin} .. {end} of {self.count}")
        return 0

    cdef int check_indices(self, const uint64_t[::1] indices) except -1:
        cdef size_t i
        for i in range(<size_t>indices.shape[0]):
            if indices[i] >= self.count:
                check_status(P15_ERR_ARGUMENT, f"board {indices[i]} of {self.count}")
        return 0

    cdef int check_scramble(self, Scramble scramble) except -1:
        # A scramble of another shape would lead outside of the table of distances.
        if scramble.c.shape.rows != self.c.shape.rows or scramble.c.shape.cols != self.c.shape.cols:
            check_status(P15_ERR_SHAPE, "a scramble of another shape")
        return 0

    cdef int check_rows(self, size_t rows, size_t width, size_t mask_rows, size_t mask_width) except -1:
        same_length(rows, self.count)
        same_length(width, self.c.shape.cells * (self.c.shape.cells if self.c.one_hot else 1))
        same_length(mask_rows, self.count)
        same_length(mask_width, P15_DIRECTIONS)
        return 0
