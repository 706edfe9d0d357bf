#include "learning/value_iteration/plan.h"

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

p15_status p15_plan_solve(const p15_plan *plan, p15_board board, p15_course *course, uint8_t *directions, size_t room) {
    *course = (p15_course){0};
    if (p15_board_check(board, plan->shape)) return P15_ERR_BOARD;
    /* Or the last stages would ask for ever larger subproblems, in vain. */
    if (!p15_board_solvable(board, plan->goal, plan->shape)) return P15_ERR_UNSOLVABLE;
    for (unsigned stage = 0; stage < plan->stage_count; stage++) {
        uint8_t cell_of[P15_MAX_CELLS];
        p15_board_locate(board, plan->shape, cell_of);
        unsigned end = p15_plan_end(plan, stage), blank = cell_of[0];
        for (unsigned begin = stage * plan->initial_size;; begin--) {
            const uint8_t *policy = plan->policies[stage][begin];
            if (!policy) {
                course->stage = stage;
                course->begin = begin;
                return P15_ERR_ARGUMENT;
            }
            const p15_subproblem *subproblem = &plan->subproblems[stage][begin];
            unsigned k = end - begin, length = 0;
            uint8_t place_of[P15_MAX_CELLS]; /* a tile's nibble in the state; k, which no tile has, of unnamed ones */
            memset(place_of, (int)k, sizeof place_of);
            uint64_t state = (uint64_t)blank << (4 * k), home = 0;
            for (unsigned i = 0; i < k; i++) {
                home |= (uint64_t)plan->order[begin + i] << (4 * i);
                unsigned tile = p15_board_tile(plan->goal, plan->order[begin + i]);
                place_of[tile] = (uint8_t)i;
                state |= (uint64_t)cell_of[tile] << (4 * i);
            }
            unsigned direction = policy[p15_subproblem_rank(subproblem, state)];
            if (direction == P15_POLICY_NONE) {
                if (begin == 0) return P15_ERR_CORRUPT;
                continue;
            }
            while (direction != P15_POLICY_DONE) {
                int next = direction < P15_DIRECTIONS ? subproblem->cells[blank][direction] : -1;
                if (next < 0 || course->length == UINT16_MAX) return P15_ERR_CORRUPT; /* a circle */
                unsigned cell = (unsigned)next;
                unsigned place = place_of[p15_board_tile(board, cell)];
                uint64_t both = blank ^ cell;
                state ^= both << (4 * k);
                if (place < k) state ^= both << (4 * place);
                board = p15_board_slide(board, blank, cell);
                blank = cell;
                if (course->length < room) directions[course->length] = (uint8_t)direction;
                course->length++;
                length++;
                direction = policy[p15_subproblem_rank(subproblem, state)];
            }
            if ((state ^ home) << (64 - 4 * k)) return P15_ERR_CORRUPT; /* done, but not at home */
            course->begins[stage] = (uint8_t)begin;
            course->lengths[stage] = (uint16_t)length;
            if (k > course->largest) course->largest = k;
            break;
        }
    }
    return board == plan->goal ? P15_OK : P15_ERR_ANSWER; /* the moves were made as they were written */
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
