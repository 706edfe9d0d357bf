/* Policies that were learned, and were changed or never learned: a board comes home, or there is an error; the cells to
 * which a policy leads are right. Input: a shape, the goal, the plan, which bytes are changed, and a board. */

#include "fuzz.h"
#include "learning/value_iteration/plan.h"
#include "learning/value_iteration/sweeps.h"

enum { MOST_STATES = 800 };

/* A policy of exactly its size, learned or of bytes of the input, with some bytes changed; NULL: too many states. */
static uint8_t *take_policy(input *in, const p15_subproblem *subproblem) {
    static const uint8_t order[] = {0, 1, 2, 3};
    size_t count = subproblem->state_count;
    uint8_t *policy = allocate(count, 1);
    double *values = allocate(count, sizeof *values);
    p15_sweeps *sweeps;
    CHECK(p15_sweeps_new(subproblem, 0.9, order, values, policy, &sweeps) == P15_OK);
    while (p15_sweeps_run(sweeps, 1 + below(in, 100))) continue;
    p15_sweeps_delete(sweeps);
    free(values);
    for (unsigned changes = below(in, 8); changes > 0; changes--) policy[take2(in) % count] = (uint8_t)below(in, 8);
    return policy;
}

static void check_ends(const p15_subproblem *subproblem, const uint8_t *policy) {
    uint8_t *ends = allocate(subproblem->state_count, 1);
    memset(ends, 0xff, subproblem->state_count);
    p15_status status = p15_subproblem_ends(subproblem, policy, 0, subproblem->state_count, ends);
    CHECK(status == P15_OK || status == P15_ERR_CORRUPT);
    for (uint64_t i = 0; i < subproblem->state_count && status == P15_OK; i++)
        CHECK(ends[i] <= P15_MAX_CELLS && (ends[i] == P15_MAX_CELLS) == (policy[i] == P15_POLICY_NONE));
    free(ends);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, data + size};
    p15_shape shape = below(&in, 3) ? shape_of(2, 2) : below(&in, 4) ? shape_of(2, 3) : take_shape(&in);
    p15_board goal = take_permutation(&in, shape);
    uint8_t order[P15_MAX_CELLS];
    unsigned blank = p15_board_blank(goal), tiles = 0;
    for (unsigned cell = 0; cell < shape.cells; cell++)
        if (cell != blank) order[tiles++] = (uint8_t)cell;
    if (take(&in) % 8 == 7) order[below(&in, tiles)] = (uint8_t)take(&in);
    p15_plan *plan = allocate(1, sizeof *plan); /* on the heap, for the sanitizer */
    p15_status status = p15_plan_init(shape, goal, order, below(&in, shape.cells + 1u), plan);
    CHECK(status == P15_OK || status == P15_ERR_PATTERN || status == P15_ERR_ARGUMENT);
    uint8_t *policies[P15_MAX_CELLS] = {0};
    unsigned made = 0;
    for (unsigned stage = 0; status == P15_OK && stage < plan->stage_count && made < P15_MAX_CELLS; stage++)
        for (unsigned begin = stage * plan->initial_size + 1; begin-- > 0 && made < P15_MAX_CELLS;) {
            unsigned fixed = 0;
            p15_subproblem subproblem;
            for (unsigned i = 0; i < begin; i++) fixed |= 1u << order[i];
            p15_status made_one =
                p15_subproblem_init(shape, order + begin, p15_plan_end(plan, stage) - begin, fixed, &subproblem);
            CHECK(made_one == P15_OK || made_one == P15_ERR_MEMORY);
            if (made_one != P15_OK || subproblem.state_count > MOST_STATES) break;
            uint8_t *policy = policies[made++] = take_policy(&in, &subproblem);
            CHECK(p15_plan_add(plan, stage, begin, policy, subproblem.state_count + 1) == P15_ERR_ARGUMENT);
            CHECK(p15_plan_add(plan, stage, begin, policy, subproblem.state_count) == P15_OK);
            if (take(&in) % 4 == 0) check_ends(&subproblem, policy);
        }
    for (unsigned boards = status == P15_OK ? 4 : 0; boards > 0; boards--) {
        enum { ROOM = 300 };
        p15_course course;
        uint8_t *directions = malloc(ROOM), solved = P15_OK, largest;
        uint16_t length;
        unsigned stage, begin;
        p15_board board = take_board(&in, shape, goal);
        p15_status found = p15_plan_solve(plan, board, &course, directions, ROOM);
        if (p15_board_check(board, shape))
            CHECK(found == P15_ERR_BOARD);
        else if (!p15_board_solvable(board, goal, shape))
            CHECK(found == P15_ERR_UNSOLVABLE);
        else
            CHECK(found == P15_OK || found == P15_ERR_CORRUPT || found == P15_ERR_ARGUMENT || found == P15_ERR_ANSWER);
        if (found == P15_OK && course.length <= ROOM)
            CHECK(p15_board_replay(board, goal, shape, directions, course.length) == P15_OK);
        size_t missing = p15_plan_solve_many(plan, &board, 1, &solved, &length, &largest, &stage, &begin);
        CHECK(solved == found && missing == (found == P15_ERR_ARGUMENT));
        if (found == P15_OK) CHECK(length == course.length && largest == course.largest);
        if (missing) CHECK(stage == course.stage && begin == course.begin);
        free(directions);
    }
    for (unsigned i = 0; i < made; i++) free(policies[i]);
    free(plan);
    return 0;
}
