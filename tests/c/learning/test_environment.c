/* p15_environment: scrambles, and episodes of every shape, whose rows end where their arrays end. */

#include "learning/environment/episodes.h"
#include "learning/environment/random.h"

#include "twins.h"

#define COUNT 23

static void test_refusals(void) {
    p15_shape shape = shape_of(2, 2);
    p15_board goal = p15_board_goal(shape, 3), boards[2] = {goal, goal};
    p15_scramble scramble;
    uint64_t ends[2] = {1, 2}, chances[2] = {5, UINT64_MAX};
    CHECK(p15_scramble_init_walk(shape, goal, 2, 1, &scramble) == P15_ERR_ARGUMENT);
    CHECK(p15_scramble_init_walk(shape, goal, 0, UINT32_MAX, &scramble) == P15_ERR_ARGUMENT);
    CHECK(p15_scramble_init_listed(shape, goal, boards, ends, chances, 0, &scramble) == P15_ERR_ARGUMENT);
    CHECK(p15_scramble_init_listed(shape, goal, boards, ends, chances, 1, &scramble) == P15_ERR_ARGUMENT);
    CHECK(p15_scramble_init_listed(shape, goal, boards, ends, chances, 2, &scramble) == P15_OK);
    ends[0] = 2;
    CHECK(p15_scramble_init_listed(shape, goal, boards, ends, chances, 2, &scramble) == P15_ERR_ARGUMENT);
}

/* Two halves of the boards are stepped by different calls, into arrays of exactly their size. */
static void test_episodes(p15_shape shape, const p15_scramble *scramble, bool one_hot) {
    size_t width = one_hot ? (size_t)shape.cells * shape.cells : shape.cells;
    p15_board boards[COUNT];
    uint64_t randoms[COUNT], indices[COUNT];
    uint32_t steps[COUNT];
    uint8_t ended[COUNT], actions[COUNT], terminated[COUNT], truncated[COUNT];
    float rewards[COUNT];
    int8_t (*masks)[P15_DIRECTIONS] = allocate(COUNT, sizeof *masks);
    uint8_t *rows = allocate(COUNT, width);
    p15_episodes episodes;
    p15_episodes_init(shape, &episodes);
    episodes.goal = scramble->goal;
    episodes.one_hot = one_hot;
    episodes.most_steps = 7;
    episodes.boards = boards;
    episodes.randoms = randoms;
    episodes.steps = steps;
    episodes.ended = ended;
    for (unsigned i = 0; i < COUNT; i++) {
        randoms[i] = p15_random_seed(i);
        indices[i] = COUNT - 1 - i;
    }
    p15_episodes_begin(&episodes, scramble, indices, COUNT);
    for (unsigned round = 0; round < 30; round++) {
        p15_board before[COUNT];
        memcpy(before, boards, sizeof before);
        for (unsigned i = 0; i < COUNT; i++) actions[i] = (uint8_t)draw(P15_DIRECTIONS);
        p15_episodes_step(&episodes, scramble, actions, 11, COUNT, rewards, terminated, truncated);
        p15_episodes_step(&episodes, scramble, actions, 0, 11, rewards, terminated, truncated);
        p15_episodes_observe(&episodes, 0, 11, rows, masks);
        p15_episodes_observe(&episodes, 11, COUNT, rows, masks);
        for (unsigned i = 0; i < COUNT; i++) {
            uint8_t tiles[P15_MAX_CELLS];
            unsigned blank = p15_board_blank(boards[i]);
            CHECK(p15_board_check(boards[i], shape) == P15_OK);
            CHECK(p15_board_solvable(boards[i], scramble->goal, shape));
            CHECK(steps[i] <= 7 && ended[i] == (terminated[i] | truncated[i]));
            CHECK(terminated[i] == (boards[i] == scramble->goal && steps[i] > 0 && before[i] != boards[i]));
            p15_board_unpack(boards[i], shape, tiles);
            for (size_t at = 0; at < width; at++)
                CHECK(rows[i * width + at] == (one_hot ? tiles[at / shape.cells] == at % shape.cells : tiles[at]));
            for (unsigned d = 0; d < P15_DIRECTIONS; d++)
                CHECK(masks[i][d] == (p15_cell_neighbour(shape, blank, d) >= 0));
        }
    }
    free(masks);
    free(rows);
}

int main(void) {
    test_refusals();
    for (unsigned rows = 2; rows <= 8; rows++)
        for (unsigned cols = 2; cols <= 8 && rows * cols <= P15_MAX_CELLS; cols++) {
            p15_shape shape = shape_of(rows, cols);
            p15_board goal = p15_board_goal(shape, draw(shape.cells));
            p15_scramble scramble;
            p15_scramble_init_uniform(shape, goal, &scramble);
            test_episodes(shape, &scramble, false);
            CHECK(p15_scramble_init_walk(shape, goal, 1, 9, &scramble) == P15_OK);
            test_episodes(shape, &scramble, true);
            uint64_t ends[2] = {1, 2}, chances[2] = {UINT64_MAX / 3, UINT64_MAX};
            uint64_t random = p15_random_seed(rows);
            p15_board boards[2] = {p15_scramble_draw(&scramble, &random), p15_scramble_draw(&scramble, &random)};
            CHECK(p15_scramble_init_listed(shape, goal, boards, ends, chances, 2, &scramble) == P15_OK);
            test_episodes(shape, &scramble, false);
        }
    return 0;
}
