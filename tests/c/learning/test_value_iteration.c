/* p15_value_iteration: numbers of states both ways, values and policies against distances by a plain relaxation, the
 * check against every kind of wrong entry, and plans that bring boards home. */

#include "learning/value_iteration/plan.h"
#include "learning/value_iteration/sweeps.h"

#include "twins.h"

#include <math.h>

#define MOST_STATES 45000

static uint64_t after(const p15_subproblem *s, uint64_t state, unsigned direction) {
    unsigned k = s->tile_count, blank = state >> (4 * k) & 15;
    int cell = s->cells[blank][direction];
    if (cell < 0) return UINT64_MAX;
    uint64_t next = 0;
    for (unsigned i = 0; i < k; i++) {
        uint64_t tile = state >> (4 * i) & 15;
        next |= (tile == (unsigned)cell ? blank : tile) << (4 * i);
    }
    return next | (uint64_t)cell << (4 * k);
}

static bool is_goal(const p15_subproblem *s, uint64_t state) {
    for (unsigned i = 0; i < s->tile_count; i++)
        if ((state >> (4 * i) & 15) != s->goal[i]) return false;
    return true;
}

/* Relaxes all states until nothing changes. */
static void relax(const p15_subproblem *s, unsigned *distances) {
    static uint32_t nexts[MOST_STATES][P15_DIRECTIONS];
    bool changed = true;
    CHECK(s->state_count <= MOST_STATES);
    for (uint32_t i = 0; i < s->state_count; i++) {
        uint64_t state = p15_subproblem_unrank(s, i);
        CHECK(p15_subproblem_rank(s, state) == i);
        distances[i] = is_goal(s, state) ? 0 : 1000;
        for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
            uint64_t next = after(s, state, d);
            nexts[i][d] = next == UINT64_MAX ? i : (uint32_t)p15_subproblem_rank(s, next);
        }
    }
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < s->state_count; i++)
            for (unsigned d = 0; d < P15_DIRECTIONS; d++)
                if (distances[nexts[i][d]] + 1 < distances[i]) {
                    distances[i] = distances[nexts[i][d]] + 1;
                    changed = true;
                }
    }
}

static void learn(const p15_subproblem *s, double gamma, double *values, uint8_t *policy, size_t portion) {
    p15_sweeps *sweeps;
    size_t placements = s->state_count / (s->free_count - s->tile_count), last = s->state_count - 1;
    policy[last] = 99;
    CHECK(p15_sweeps_new(s, gamma, values, policy, &sweeps) == P15_OK);
    /* Not even the first values are written at once. */
    CHECK(placements == 1 || (p15_sweeps_run(sweeps, 1) && policy[last] == 99));
    while (p15_sweeps_run(sweeps, portion)) {
    }
    CHECK(!p15_sweeps_run(sweeps, 1));
    p15_sweeps_delete(sweeps);
}

static void test_subproblem(unsigned rows, unsigned cols, const uint8_t *goal, unsigned count, unsigned fixed,
                            double gamma) {
    static double values[MOST_STATES], again[MOST_STATES];
    static uint8_t policy[MOST_STATES], policy_again[MOST_STATES], ends[MOST_STATES];
    static unsigned distances[MOST_STATES];
    p15_subproblem s;
    CHECK(p15_subproblem_init(shape_of(rows, cols), goal, count, fixed, &s) == P15_OK);
    relax(&s, distances);
    learn(&s, gamma, values, policy, 7);
    learn(&s, gamma, again, policy_again, SIZE_MAX);
    CHECK(!memcmp(values, again, (size_t)s.state_count * sizeof *values));
    CHECK(!memcmp(policy, policy_again, (size_t)s.state_count));
    memset(ends, 0xff, sizeof ends);
    CHECK(p15_subproblem_ends(&s, policy, s.state_count / 2, s.state_count, ends) == P15_OK);
    CHECK(p15_subproblem_ends(&s, policy, 0, s.state_count, ends) == P15_OK);
    for (uint32_t i = 0; i < s.state_count; i++) {
        uint64_t state = p15_subproblem_unrank(&s, i);
        double value = distances[i] < 1000 ? 1 / (1 - gamma) : 0;
        for (unsigned left = distances[i] % 1000; left > 0; left--) value *= gamma;
        CHECK(values[i] <= value * (1 + 1e-9) && values[i] >= value * (1 - 1e-9));
        if (distances[i] == 1000) {
            CHECK(policy[i] == P15_POLICY_NONE && ends[i] == P15_MAX_CELLS);
            continue;
        }
        for (unsigned left = distances[i]; left > 0; left--) {
            unsigned action = policy[p15_subproblem_rank(&s, state)];
            for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
                uint64_t next = after(&s, state, d);
                bool best = next != UINT64_MAX && distances[p15_subproblem_rank(&s, next)] == left - 1;
                CHECK(d < action ? !best : d > action || best);
            }
            state = after(&s, state, action);
        }
        CHECK(is_goal(&s, state) && policy[p15_subproblem_rank(&s, state)] == P15_POLICY_DONE);
        CHECK(ends[i] == (state >> (4 * count) & 15));
    }
    /* Whatever bytes they are, following them ends. */
    for (unsigned round = 0; round < 50; round++) {
        memset(ends, 0xff, sizeof ends);
        for (unsigned i = 0; i < 1 + s.state_count / 20; i++)
            policy[draw((uint32_t)s.state_count)] = (uint8_t)draw(round % 2 ? 256 : P15_POLICY_NONE + 1);
        p15_status status = p15_subproblem_ends(&s, policy, 0, s.state_count, ends);
        CHECK(status == P15_OK || status == P15_ERR_CORRUPT);
        for (uint32_t i = 0; i < s.state_count && status == P15_OK; i++) CHECK(ends[i] <= P15_MAX_CELLS);
    }
    memset(policy, P15_UP, sizeof policy);
    memset(ends, 0xff, sizeof ends);
    CHECK(p15_subproblem_ends(&s, policy, 0, s.state_count, ends) == P15_ERR_CORRUPT);
}

static void test_statuses(void) {
    p15_shape shape = shape_of(4, 4);
    p15_subproblem s;
    p15_sweeps *sweeps;
    double values[240];
    uint8_t policy[240], cells[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    /* How many cells, and which are fixed; the last ones leave no cell for the blank. */
    static const unsigned wrong[][2] = {{0, 0}, {16, 0}, {2, 2}, {1, 1u << 16}, {8, 0xff00}};
    for (unsigned i = 0; i < 5; i++)
        CHECK(p15_subproblem_init(shape, cells, wrong[i][0], wrong[i][1], &s) == P15_ERR_PATTERN);
    CHECK(p15_subproblem_init(shape, (uint8_t[]){3, 3}, 2, 0, &s) == P15_ERR_PATTERN);
    CHECK(p15_subproblem_init(shape, (uint8_t[]){16}, 1, 0, &s) == P15_ERR_PATTERN);
    CHECK(p15_subproblem_init(shape, cells, 8, 0, &s) == P15_OK && s.state_count == UINT64_C(4151347200));
    CHECK(p15_subproblem_init(shape, cells, 9, 0, &s) == P15_ERR_MEMORY);
    CHECK(p15_subproblem_init(shape, cells, 15, 0, &s) == P15_ERR_MEMORY);
    CHECK(p15_subproblem_init(shape, (uint8_t[]){9, 10}, 2, 0x1ff, &s) == P15_OK && s.state_count == 7 * 6 * 5);
    CHECK(p15_subproblem_rank(&s, 0xbae) == (5 * 6 + 1) * 5 + 1); /* the header's picture */
    CHECK(p15_subproblem_unrank(&s, (5 * 6 + 1) * 5 + 1) == 0xbae);
    CHECK(p15_subproblem_init(shape, cells, 1, 0, &s) == P15_OK && s.state_count == 240);
    const double bad[] = {0, 0.001, 0.9999, 1, -1, NAN};
    for (unsigned i = 0; i < 6; i++)
        CHECK(p15_sweeps_new(&s, bad[i], values, policy, &sweeps) == P15_ERR_ARGUMENT && !sweeps);
    p15_sweeps_delete(NULL);
}

/* Learns the policies that the plan needs until none is missing. */
static void test_plan(unsigned rows, unsigned cols, unsigned initial_size) {
    static p15_plan plan;
    static uint8_t policies[MOST_STATES * 8];
    static double values[MOST_STATES];
    enum { BOARDS = 300 };
    size_t used = 0;
    p15_shape shape = shape_of(rows, cols);
    uint8_t order[16], directions[1000], status[BOARDS] = {0}, largest[BOARDS];
    uint16_t lengths[BOARDS];
    unsigned stage = 0, begin = 0;
    p15_course course;
    p15_board boards[BOARDS], out;
    p15_board goal = p15_board_goal(shape, shape.cells - 1u);
    for (unsigned cell = 0; cell < 16; cell++) order[cell] = (uint8_t)cell;
    CHECK(p15_plan_init(shape, 0, order, 1, &plan) == P15_ERR_BOARD);
    CHECK(p15_plan_init(shape, goal, order, 0, &plan) == P15_ERR_ARGUMENT);
    CHECK(p15_plan_init(shape, goal, order, shape.cells, &plan) == P15_ERR_ARGUMENT);
    CHECK(p15_plan_init(shape, goal, order + 1, 1, &plan) == P15_ERR_PATTERN);
    CHECK(p15_plan_init(shape, goal, order, initial_size, &plan) == P15_OK);
    CHECK(p15_plan_add(&plan, plan.stage_count, 0, policies, 1) == P15_ERR_ARGUMENT);
    CHECK(p15_plan_add(&plan, 0, 1, policies, 1) == P15_ERR_ARGUMENT);
    CHECK(p15_plan_add(&plan, 0, 0, policies, 1) == P15_ERR_ARGUMENT && !plan.policies[0][0]);
    for (unsigned i = 0; i < BOARDS; i++) boards[i] = draw_board(shape, goal);
    while (p15_plan_solve_many(&plan, boards, BOARDS, status, lengths, largest, &stage, &begin)) {
        CHECK(!plan.policies[stage][begin]);
        p15_subproblem space;
        unsigned fixed = (1u << begin) - 1; /* the order is that of the cells */
        CHECK(p15_subproblem_init(shape, order + begin, p15_plan_end(&plan, stage) - begin, fixed, &space) == P15_OK);
        CHECK(p15_plan_add(&plan, stage, begin, policies + used, space.state_count) == P15_OK);
        const p15_subproblem *s = &plan.subproblems[stage][begin];
        CHECK(s->state_count <= MOST_STATES && used + s->state_count <= sizeof policies);
        learn(s, 0.9, values, policies + used, SIZE_MAX);
        used += (size_t)s->state_count;
        for (unsigned i = 0; i < BOARDS; i++) {
            CHECK(status[i] == P15_OK || status[i] == P15_ERR_ARGUMENT);
            status[i] = 0;
        }
    }
    for (unsigned i = 0; i < BOARDS; i++) {
        CHECK(status[i] == P15_OK);
        CHECK(p15_plan_solve(&plan, boards[i], &course, directions, sizeof directions) == P15_OK);
        CHECK(course.length == lengths[i] && course.largest == largest[i] && course.length <= sizeof directions);
        CHECK(p15_board_apply(boards[i], shape, directions, course.length, &out) == course.length && out == goal);
        unsigned length = 0, size = 0;
        for (unsigned at = 0; at < plan.stage_count; at++) {
            length += course.lengths[at];
            unsigned tiles = p15_plan_end(&plan, at) - course.begins[at];
            size = tiles > size ? tiles : size;
        }
        CHECK(length == course.length && size == course.largest);
        uint8_t few[3] = {9, 9, 9};
        CHECK(p15_plan_solve(&plan, boards[i], &course, few, 2) == P15_OK && few[2] == 9);
    }
    /* Tiles 1 and 2 are exchanged, which makes a board unsolvable; a board that has a status is passed over. */
    p15_board exchanged = goal ^ 0x33;
    CHECK(p15_plan_solve(&plan, exchanged, &course, NULL, 0) == P15_ERR_UNSOLVABLE);
    p15_board three[3] = {exchanged, goal, goal};
    uint8_t states[3] = {0, 77, 0};
    CHECK(p15_plan_solve_many(&plan, three, 3, states, lengths, largest, &stage, &begin) == 0);
    CHECK(states[0] == P15_ERR_UNSOLVABLE && states[1] == 77 && states[2] == P15_OK && lengths[2] == 0);
    CHECK(p15_plan_solve(&plan, 0, &course, NULL, 0) == P15_ERR_BOARD);
    /* Damaged policies bring a board home, or return a status. */
    unsigned home = 0, lost = 0;
    for (unsigned round = 0; round < 3000; round++) {
        policies[draw((uint32_t)used)] = (uint8_t)draw(round % 3 ? P15_POLICY_NONE + 1 : 256);
        p15_board board = boards[draw(BOARDS)];
        p15_status got = p15_plan_solve(&plan, board, &course, directions, sizeof directions);
        if (got == P15_ERR_ARGUMENT) continue; /* now it needs another policy */
        CHECK(got == P15_OK || got == P15_ERR_CORRUPT);
        home += got == P15_OK;
        lost += got == P15_ERR_CORRUPT;
        if (got == P15_OK && course.length <= sizeof directions)
            CHECK(p15_board_apply(board, shape, directions, course.length, &out) == course.length && out == goal);
    }
    CHECK(home > 0 && lost > 0);
}

int main(void) {
    test_statuses();
    test_subproblem(4, 4, (uint8_t[]){2, 3}, 2, 0x0003, 0.9);
    test_subproblem(4, 4, (uint8_t[]){3}, 1, 0x0007, 0.9);
    test_subproblem(4, 4, (uint8_t[]){12, 8, 11, 9, 10}, 5, 0x00ff, 0.5);
    test_subproblem(4, 4, (uint8_t[]){13}, 1, 0x1fff, 0.01);
    test_subproblem(3, 3, (uint8_t[]){0, 1, 2}, 3, 0, 0.999);
    test_subproblem(3, 3, (uint8_t[]){8, 0}, 2, 0x000a, 0.9); /* cell 0 is cut off */
    test_subproblem(2, 3, (uint8_t[]){5, 4, 3, 2, 1}, 5, 0, 0.7);
    test_subproblem(2, 8, (uint8_t[]){0, 8, 15}, 3, 0x0000, 0.9);
    test_plan(4, 4, 1);
    test_plan(3, 3, 2);
    test_plan(5, 2, 1);
    test_plan(2, 2, 3);
    return 0;
}
