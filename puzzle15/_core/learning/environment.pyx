"""Many boards that are played at once, around csrc/learning/environment.

Actions are directions of the blank: 0 up, 1 left, 2 right, 3 down. Calls for disjoint ranges of boards may run at the
same time.
"""

import numpy as np

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15._system.threads import StepSizer


cdef extern from "learning/environment/random.h" nogil:
    uint64_t p15_random_seed(uint64_t seed)


cdef extern from "learning/environment/scramble.h" nogil:
    ctypedef struct p15_scramble:
        p15_shape shape

    void p15_scramble_init_uniform(p15_shape shape, p15_board goal, p15_scramble *scramble)
    p15_status p15_scramble_init_walk(p15_shape shape, p15_board goal, uint32_t least, uint32_t most,
                                      p15_scramble *scramble)
    p15_status p15_scramble_init_listed(p15_shape shape, p15_board goal, const p15_board *boards, const uint64_t *ends,
                                        const uint64_t *chances, size_t level_count, p15_scramble *scramble)


cdef extern from "learning/environment/episodes.h" nogil:
    ctypedef struct p15_episodes:
        p15_shape shape
        p15_board goal
        float move_reward, goal_reward, illegal_reward
        _Bool progress, one_hot
        uint32_t most_steps
        const uint8_t *distances
        p15_board *boards
        uint64_t *randoms
        uint32_t *steps
        uint8_t *ended
        uint8_t *left

    void p15_episodes_init(p15_shape shape, p15_episodes *episodes)
    void p15_episodes_begin(const p15_episodes *episodes, const p15_scramble *scramble, const uint64_t *indices,
                            size_t count)
    void p15_episodes_place(const p15_episodes *episodes, size_t index, p15_board board)
    void p15_episodes_step(const p15_episodes *episodes, const p15_scramble *scramble, const uint8_t *actions,
                           size_t begin, size_t end, float *rewards, uint8_t *terminated, uint8_t *truncated)
    void p15_episodes_observe(const p15_episodes *episodes, size_t begin, size_t end, uint8_t *observations,
                              int8_t (*masks)[P15_DIRECTIONS])
    void p15_episodes_advise(const p15_episodes *episodes, size_t begin, size_t end, uint8_t *distances,
                             int8_t (*optimal)[P15_DIRECTIONS])


cdef size_t _MANY = 1 << 14  # boards to work on before the first look at signals


cdef class Scramble:
    """The random boards with which episodes begin: each board that reaches the goal, equally likely.

    With a `walk`, (least, most): the last board of a walk of so many moves. With `levels`, (boards, ends, chances): one
    of `boards`, after one of the levels, which end before ``ends[i]``. A level is taken if a random number of 64 bits is
    at most its chance, and above the chance before.
    """

    cdef p15_scramble c
    cdef size_t steps  # boards that take a few milliseconds at most
    cdef object arrays  # kept alive

    def __cinit__(self, shape, uint64_t goal, walk=None, levels=None):
        cdef const uint64_t[::1] boards, ends, chances
        cdef uint32_t least, most
        cdef size_t count, i
        cdef p15_shape c_shape = to_shape(shape)
        check_board(goal, c_shape)
        self.steps = _MANY
        if walk is not None:
            least, most = walk
            check_status(p15_scramble_init_walk(c_shape, goal, least, most, &self.c), f"walk {walk}")
            self.steps = _MANY // (1 + most // 64) + 1
        elif levels is not None:
            boards, ends, chances = self.arrays = levels
            count = ends.shape[0]
            if count == 0 or <size_t>chances.shape[0] != count or <uint64_t>boards.shape[0] != ends[count - 1]:
                check_status(P15_ERR_ARGUMENT, f"{boards.shape[0]} boards, {count} ends, {chances.shape[0]} chances")
            for i in range(<size_t>boards.shape[0]):
                check_board(boards[i], c_shape)
            check_status(p15_scramble_init_listed(c_shape, goal, &boards[0], &ends[0], &chances[0], count, &self.c),
                         "levels of boards")
        else:
            p15_scramble_init_uniform(c_shape, goal, &self.c)


cdef class Episodes:
    """The state of many boards, each in an episode of its own; the options are those of csrc's p15_episodes.

    `rewards` are those of a move, of the goal, which is added, and of an illegal action. `distances` are those of all
    boards, by their `nodes.ranks`. The arrays are packed boards, which may only be read, generators, actions so far, and
    whether the next step begins a new episode.
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
        self.boards.flags.writeable = False

    def seed(self, const uint64_t[::1] seeds not None, const uint64_t[::1] indices not None):
        """Give the boards of some indices the generators of these seeds."""
        cdef size_t i
        self.check_indices(indices)
        same_length(seeds.shape[0], indices.shape[0])
        for i in range(<size_t>indices.shape[0]):
            self.c.randoms[indices[i]] = p15_random_seed(seeds[i])

    def place(self, const uint64_t[::1] boards not None, const uint64_t[::1] indices not None):
        """Begin an episode at each given board, for the boards of some indices."""
        cdef size_t i
        self.check_indices(indices)
        same_length(boards.shape[0], indices.shape[0])
        for i in range(<size_t>indices.shape[0]):
            check_board(boards[i], self.c.shape)
        for i in range(<size_t>indices.shape[0]):
            p15_episodes_place(&self.c, indices[i], boards[i])

    def begin(self, Scramble scramble not None, const uint64_t[::1] indices not None):
        """Begin a new episode for the boards of some indices."""
        cdef size_t begin, end
        self.check_indices(indices)
        self.check_scramble(scramble)
        for begin, end in StepSizer(scramble.steps).pieces(indices.shape[0]):
            with nogil:
                p15_episodes_begin(&self.c, &scramble.c, &indices[begin], end - begin)

    def step(self, Scramble scramble not None, const uint8_t[::1] actions not None, size_t begin, size_t end,
             float[::1] rewards not None, uint8_t[::1] terminated not None, uint8_t[::1] truncated not None):
        """Take an action for each board of a range; ValueError, with no board changed, if one is not an action."""
        cdef size_t at, after
        cdef uint8_t most = 0
        self.check_range(begin, end)
        self.check_scramble(scramble)
        for given in (actions.shape[0], rewards.shape[0], terminated.shape[0], truncated.shape[0]):
            same_length(given, self.count)
        for at in range(begin, end):
            most = max(most, actions[at])
        if most >= P15_DIRECTIONS:
            check_status(P15_ERR_ARGUMENT, f"action {most}")
        for at, after in StepSizer(scramble.steps).pieces(end, begin):
            with nogil:
                p15_episodes_step(&self.c, &scramble.c, &actions[0], at, after, &rewards[0], &terminated[0],
                                  &truncated[0])

    def observe(self, size_t begin, size_t end, uint8_t[:, ::1] observations not None, int8_t[:, ::1] masks not None,
                uint8_t[::1] distances=None, int8_t[:, ::1] optimal=None):
        """Fill the rows of a range of boards; with `distances`, also these, and 1 for each optimal action."""
        cdef size_t at, after
        self.check_range(begin, end)
        same_length(observations.shape[0], self.count)
        same_length(observations.shape[1], self.c.shape.cells * (self.c.shape.cells if self.c.one_hot else 1))
        same_length(masks.shape[0], self.count)
        same_length(masks.shape[1], P15_DIRECTIONS)
        if distances is not None:
            if self.c.distances == NULL:
                check_status(P15_ERR_ARGUMENT, "no distances")
            same_length(distances.shape[0], self.count)
            same_length(optimal.shape[0], self.count)
            same_length(optimal.shape[1], P15_DIRECTIONS)
        for at, after in StepSizer(_MANY).pieces(end, begin):
            with nogil:
                p15_episodes_observe(&self.c, at, after, &observations[0, 0],
                                     <int8_t (*)[P15_DIRECTIONS]>&masks[0, 0])
                if distances is not None:
                    p15_episodes_advise(&self.c, at, after, &distances[0], <int8_t (*)[P15_DIRECTIONS]>&optimal[0, 0])

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
