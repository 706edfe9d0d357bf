#include "learning/value_iteration/plan.h"

#include "base/cpu.h"

#include <string.h>

p15_status p15_plan_init(p15_shape shape, p15_board goal, const uint8_t *order, unsigned initial_size, p15_plan *plan) {
    if (p15_board_check(goal, shape)) return P15_ERR_BOARD;
    unsigned tiles = shape.cells - 1u, seen = 1u << p15_board_blank(goal);
    if (initial_size < 1 || initial_size > tiles) return P15_ERR_ARGUMENT;
    memset(plan, 0, sizeof *plan);
    for (unsigned i = 0; i < tiles; i++) {
        if (order[i] >= shape.cells || seen >> order[i] & 1) return P15_ERR_PATTERN;
        seen |= 1u << order[i];
        plan->order[i] = order[i];
    }
    plan->shape = shape;
    plan->goal = goal;
    plan->initial_size = initial_size;
    plan->stage_count = (tiles + initial_size - 1) / initial_size;
    return P15_OK;
}

p15_status p15_plan_add(p15_plan *plan, unsigned stage, unsigned begin, const uint8_t *policy, uint64_t count) {
    if (stage >= plan->stage_count || begin > stage * plan->initial_size) return P15_ERR_ARGUMENT;
    unsigned fixed = 0;
    for (unsigned i = 0; i < begin; i++) fixed |= 1u << plan->order[i];
    p15_subproblem subproblem;
    p15_status status =
        p15_subproblem_init(plan->shape, plan->order + begin, p15_plan_end(plan, stage) - begin, fixed, &subproblem);
    if (status) return status;
    if (subproblem.state_count != count) return P15_ERR_ARGUMENT;
    plan->subproblems[stage][begin] = subproblem;
    plan->policies[stage][begin] = policy;
    return P15_OK;
}

/* A board on its way home. */
typedef struct {
    p15_board board;
    unsigned blank;
    uint64_t state, home; /* of the subproblem, and in its goal; home without the blank */
    uint8_t
        digit_of[P15_MAX_CELLS]; /* a tile's nibble in the state; the number of tiles of G, which none has, of others */
} journey;

/* The state of a board in a subproblem of k tiles, whose goal cells are `cells`. */
P15_INLINE void enter(const p15_plan *plan, const uint8_t *cells, unsigned k, const uint8_t *cell_of, journey *j) {
    j->state = (uint64_t)j->blank << (4 * k);
    j->home = 0;
    memset(j->digit_of, (int)k, sizeof j->digit_of);
    for (unsigned i = 0; i < k; i++) {
        unsigned tile = p15_board_tile(plan->goal, cells[i]);
        j->digit_of[tile] = (uint8_t)i;
        j->home |= (uint64_t)cells[i] << (4 * i);
        j->state |= (uint64_t)cell_of[tile] << (4 * i);
    }
}

/* Moves the blank to a neighbouring cell. */
P15_INLINE void move(journey *j, unsigned k, unsigned cell) {
    uint64_t both = j->blank ^ cell;
    unsigned digit = j->digit_of[p15_board_tile(j->board, cell)];
    j->state ^= both << (4 * k);
    if (digit < k) j->state ^= both << (4 * digit);
    j->board = p15_board_slide(j->board, j->blank, cell);
    j->blank = cell;
}

/* Follows a policy to the goal of its subproblem. P15_ERR_CORRUPT: it does not lead there. */
P15_INLINE p15_status follow(const p15_subproblem *subproblem, const uint8_t *policy, journey *j, p15_course *course,
                             uint8_t *directions, size_t room) {
    unsigned k = subproblem->tile_count, direction;
    while ((direction = policy[p15_subproblem_rank(subproblem, j->state)]) != P15_POLICY_DONE) {
        int next = direction < P15_DIRECTIONS ? subproblem->cells[j->blank][direction] : -1;
        if (next < 0 || course->length == UINT16_MAX) return P15_ERR_CORRUPT; /* a circle */
        move(j, k, (unsigned)next);
        if (course->length < room) directions[course->length] = (uint8_t)direction;
        course->length++;
    }
    return (j->state ^ j->home) << (64 - 4 * k) ? P15_ERR_CORRUPT : P15_OK;
}

/* Brings the tiles of a stage home, by the first subproblem that can. */
P15_INLINE p15_status solve_stage(const p15_plan *plan, unsigned stage, journey *j, p15_course *course,
                                  uint8_t *directions, size_t room) {
    unsigned end = p15_plan_end(plan, stage), before = course->length;
    uint8_t cell_of[P15_MAX_CELLS];
    p15_board_locate(j->board, plan->shape, cell_of);
    j->blank = cell_of[0];
    for (unsigned begin = stage * plan->initial_size;; begin--) {
        const p15_subproblem *subproblem = &plan->subproblems[stage][begin];
        const uint8_t *policy = plan->policies[stage][begin];
        course->stage = stage;
        course->begin = begin;
        if (!policy) return P15_ERR_ARGUMENT;
        enter(plan, plan->order + begin, end - begin, cell_of, j);
        if (policy[p15_subproblem_rank(subproblem, j->state)] == P15_POLICY_NONE) {
            if (begin == 0) return P15_ERR_CORRUPT;
            continue;
        }
        p15_status status = follow(subproblem, policy, j, course, directions, room);
        course->begins[stage] = (uint8_t)begin;
        course->lengths[stage] = (uint16_t)(course->length - before);
        if (end - begin > course->largest) course->largest = end - begin;
        return status;
    }
}

p15_status p15_plan_solve(const p15_plan *plan, p15_board board, p15_course *course, uint8_t *directions, size_t room) {
    *course = (p15_course){0};
    if (p15_board_check(board, plan->shape)) return P15_ERR_BOARD;
    /* Or the last stages would need ever larger subproblems, in vain. */
    if (!p15_board_solvable(board, plan->goal, plan->shape)) return P15_ERR_UNSOLVABLE;
    journey j = {.board = board};
    for (unsigned stage = 0; stage < plan->stage_count; stage++) {
        p15_status status = solve_stage(plan, stage, &j, course, directions, room);
        if (status) return status;
    }
    return j.board == plan->goal ? P15_OK : P15_ERR_ANSWER; /* the moves were made as they were written */
}

size_t p15_plan_solve_many(const p15_plan *plan, const p15_board *boards, size_t count, uint8_t *status,
                           uint16_t *lengths, uint8_t *largest, unsigned *stage, unsigned *begin) {
    size_t missing = 0;
    for (size_t i = 0; i < count; i++) {
        if (status[i]) continue;
        p15_course course;
        status[i] = (uint8_t)p15_plan_solve(plan, boards[i], &course, NULL, 0);
        if (status[i] == P15_ERR_ARGUMENT && !missing++) {
            *stage = course.stage;
            *begin = course.begin;
        }
        if (status[i]) continue;
        lengths[i] = (uint16_t)course.length;
        largest[i] = (uint8_t)course.largest;
    }
    return missing;
}
