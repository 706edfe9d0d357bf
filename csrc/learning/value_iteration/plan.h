/* p15_plan: whole boards brought home by a chain of subproblems.
 *
 * Tiles come home in groups (Bischoff et al. 2013, Algorithm 2; subproblem.h). `order` lists all goal cells but the
 * blank's. Stage i has initial_size of these cells from initial_size * i on, or as many as are left; before it, all
 * earlier tiles are at home. It first tries G = its own tiles and R = all earlier cells; while no moves solve that, the
 * last cell of R moves to G. So a subproblem's goal cells are order[begin .. end-1], and R is order[0 .. begin-1].
 *
 * The policies belong to the caller.
 *
 * Threads: a plan is read-only once its policies are added. */
#ifndef P15_LEARNING_PLAN_H
#define P15_LEARNING_PLAN_H

#include "learning/value_iteration/subproblem.h"

typedef struct {
    p15_shape shape;
    p15_board goal;
    unsigned initial_size, stage_count;
    uint8_t order[P15_MAX_CELLS];                          /* cells - 1 of them */
    const uint8_t *policies[P15_MAX_CELLS][P15_MAX_CELLS]; /* [stage][begin], NULL where there is none */
    p15_subproblem subproblems[P15_MAX_CELLS][P15_MAX_CELLS];
} p15_plan;

typedef struct {
    unsigned length;               /* moves */
    unsigned largest;              /* |G| of the largest subproblem: the class of the board */
    uint8_t begins[P15_MAX_CELLS]; /* by stage: the subproblem that was solved, and its moves */
    uint16_t lengths[P15_MAX_CELLS];
    unsigned stage, begin; /* the last subproblem; P15_ERR_ARGUMENT: that whose policy is needed */
} p15_course;

/* P15_ERR_BOARD (goal), P15_ERR_PATTERN (the order is not that of all goal cells but the blank's), P15_ERR_ARGUMENT
 * (initial_size outside 1 .. cells - 1). */
p15_status p15_plan_init(p15_shape shape, p15_board goal, const uint8_t *order, unsigned initial_size, p15_plan *plan);

/* The index in order[] after the cells of a stage. */
static inline unsigned p15_plan_end(const p15_plan *plan, unsigned stage) {
    unsigned end = (stage + 1) * plan->initial_size, tiles = plan->shape.cells - 1u;
    return end < tiles ? end : tiles;
}

/* Lets the plan use a policy of `count` states; it must outlive the plan. One that was not learned does
 * no harm, but may make p15_plan_solve fail. P15_ERR_ARGUMENT (no such stage, begin
 * after the stage's own, or another number of states), P15_ERR_MEMORY (too many states). */
p15_status p15_plan_add(p15_plan *plan, unsigned stage, unsigned begin, const uint8_t *policy, uint64_t count);

/* Brings a board home. Writes the first `room` directions of the blank. P15_ERR_BOARD, P15_ERR_UNSOLVABLE;
 * P15_ERR_ARGUMENT if a policy is missing, which the course names; P15_ERR_CORRUPT if one of them does not lead
 * home, P15_ERR_ANSWER if the last board is not the goal all the same; otherwise the course is complete. Takes a few
 * microseconds. */
p15_status p15_plan_solve(const p15_plan *plan, p15_board board, p15_course *course, uint8_t *directions, size_t room);

/* Solves boards[0 .. count-1] except those whose status[] is not P15_OK already; status[], and where it stays P15_OK
 * lengths[] and largest[], as of p15_plan_solve. Returns how many policies were missing; *stage and *begin name the
 * first. */
size_t p15_plan_solve_many(const p15_plan *plan, const p15_board *boards, size_t count, uint8_t *status,
                           uint16_t *lengths, uint8_t *largest, unsigned *stage, unsigned *begin);

#endif
