/* p15_value_iteration: bring some tiles home without moving others, by value iteration on a small state space, and
 * whole boards home by a chain of such subproblems.
 *
 * A subproblem is a set G of tiles to bring home and a set R of cells whose tiles stay. A state is where the tiles of G
 * and the blank are, on the m cells outside R; the other tiles bear no names. As a word, nibble i holds the cell of the
 * i-th tile of G and nibble k = |G| that of the blank:
 *
 *    R = {0..8}, G = the tiles of cells 9 and 10        bits 63        12  8  4  0
 *      x  x  x  x                                            +---------+--+--+--+
 *      x  x  x  x        first tile of G at cell 14,         |    0    |11|10|14|
 *      x  .  2 [ ]       second at 10, blank at 11           +---------+--+--+--+
 *      .  .  1  .                                       digits 5, 1, 1: state (5*6 + 1)*5 + 1 of 7*6*5
 *
 * States are numbered without gaps, 0 .. m (m-1) .. (m-k) - 1: every nibble counts the free cells before its own that
 * no earlier nibble holds, and the blank is the digit that changes fastest, so most moves stay near. All of them are
 * placements of boards that can be solved while two or more tiles bear no names; with one or none, half of them are.
 *
 * The reward is 1 in a goal state (all of G at home, the blank anywhere) and 0 elsewhere; goal states absorb. The value
 * of a state that is k moves from the goal is then the sum of gamma^t from t = k on, gamma^k / (1 - gamma), and 0 where
 * no moves lead to the goal. That is the fixed point of
 *
 *    V(s) = reward(s) + gamma * max over moves of V(s')
 *
 * which sweeps over all states approach from V = 0 (Bischoff et al. 2013, Algorithm 1). The sweeps here apply the same
 * update in place, and only to states that have a neighbour whose value changed in the sweep before; the goal starts at
 * its own fixed point 1 / (1 - gamma). Since values fall with the distance, the first value that a state gets is its
 * last one: all sweeps together write each state once. Which states of a placement of the tiles have changed is a set of
 * the blank's cells, 16 bits, so a sweep looks at four placements at a time and leaves out those without any.
 * p15_subproblem_check tests the equation itself in every state, whoever made the values.
 *
 * The policy is the move to the neighbour of the highest value; of several, the one of the smallest direction.
 *
 * 9 bytes a state; while learning, 6 more a placement of the tiles. Threads may share what is only read.
 *
 * Source: B. Bischoff, D. Nguyen-Tuong, H. Markert, A. Knoll, "Solving the 15-puzzle game using local value-iteration",
 * SCAI 2013. */
#ifndef P15_LEARNING_VALUE_ITERATION_H
#define P15_LEARNING_VALUE_ITERATION_H

#include "base/board.h"

#define P15_MAX_STATES UINT64_C(0x100000000)
#define P15_MIN_GAMMA 0.01  /* below, values of far states could vanish */
#define P15_MAX_GAMMA 0.999 /* above, those of neighbours could be the same number */

/* What a policy holds besides directions of the blank. */
enum { P15_POLICY_DONE = 4, P15_POLICY_NONE = 5 };

/* ------------------------------------------------------------------------------------------------ one subproblem */

typedef struct {
    p15_shape shape;
    unsigned tile_count, free_count;             /* k and m */
    uint16_t free;                               /* the cells outside R: bit i for cell i */
    uint8_t goal[P15_MAX_CELLS];                 /* the goal cells of G */
    int8_t cells[P15_MAX_CELLS][P15_DIRECTIONS]; /* the blank's cell after a move, -1 beyond the edge or in R */
    uint64_t numbers;                            /* nibble i: the free cells before cell i */
    uint64_t state_count;
} p15_subproblem;

/* G as `count` goal cells, in an order of one's choice; R as a set of cells. P15_ERR_PATTERN unless G is not empty, all
 * cells differ, are of the shape, and a cell is left for the blank; P15_ERR_MEMORY beyond P15_MAX_STATES states. */
p15_status p15_subproblem_init(p15_shape shape, const uint8_t *goal, unsigned count, unsigned fixed,
                               p15_subproblem *subproblem);

/* The number of a state: the cells of its word differ, and none is in R. */
static inline uint64_t p15_subproblem_rank(const p15_subproblem *subproblem, uint64_t state) {
    /* Each nibble of `numbers` is its cell's digit; taking a cell lowers the nibbles above it by one. None of them is
     * 0, since that cell was before theirs, so nothing is borrowed. */
    uint64_t numbers = subproblem->numbers, rank = 0;
    unsigned base = subproblem->free_count;
    for (unsigned i = 0; i <= subproblem->tile_count; i++, state >>= 4) {
        unsigned shift = 4 * (state & 15);
        rank = rank * base-- + (numbers >> shift & 15);
        numbers -= UINT64_C(0x1111111111111111) << shift << 4;
    }
    return rank;
}

/* The state of a number below state_count. */
uint64_t p15_subproblem_unrank(const p15_subproblem *subproblem, uint64_t rank);

/* ------------------------------------------------------------------------------------------------ learning */

typedef struct p15_sweeps p15_sweeps;

/* Begins to learn. `values` and `policy` have state_count entries each, are written by p15_sweeps_run, and
 * outlive the sweeps, as does the subproblem. P15_ERR_ARGUMENT (gamma outside P15_MIN_GAMMA .. P15_MAX_GAMMA),
 * P15_ERR_MEMORY. */
p15_status p15_sweeps_new(const p15_subproblem *subproblem, double gamma, double *values, uint8_t *policy,
                          p15_sweeps **sweeps);
void p15_sweeps_delete(p15_sweeps *sweeps);

/* Goes on for so many placements of the tiles. True until the sweeps have converged. */
bool p15_sweeps_run(p15_sweeps *sweeps, size_t placements);

/* How many states have a value so far. */
uint64_t p15_sweeps_found(const p15_sweeps *sweeps);

/* In how many states of `begin` .. `end` the values do not satisfy the equation, relative to 1e-9, or the policy is not
 * the first best move. Where there are none in the whole space, values and policy are what the sweeps give, and
 * following the policy ends; that holds for any bytes, as from a file. */
uint64_t p15_subproblem_check(const p15_subproblem *subproblem, double gamma, const double *values,
                              const uint8_t *policy, uint64_t begin, uint64_t end);

/* ends[i]: the blank's cell in the goal state to which the policy leads from state i of `begin` .. `end`, or P15_MAX_CELLS
 * where it says P15_POLICY_NONE. ends[] has state_count entries, and holds 0xff where nothing is known yet; the states on
 * the way become known, too. P15_ERR_CORRUPT: the policy leads off the board or in a circle, so it was neither learned nor
 * checked; then some states are left unknown. */
p15_status p15_subproblem_ends(const p15_subproblem *subproblem, const uint8_t *policy, uint64_t begin, uint64_t end,
                               uint8_t *ends);

/* ------------------------------------------------------------------------------------------------ whole boards */

/* Tiles come home in groups (Algorithm 2). `order` lists all goal cells but the blank's. Stage i has the cells
 * initial_size * i on, initial_size of them or as many as are left; before it, all earlier tiles are at home. It first
 * tries G = its own tiles and R = all earlier cells; while no moves solve that, the last cell of R goes over to G. So a
 * subproblem is two numbers: its cells are order[begin .. end-1], and order[0 .. begin-1] is R.
 *
 * The policies belong to the caller. What the plan needs and does not have is told by p15_plan_solve. */
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
    unsigned stage, begin; /* P15_ERR_ARGUMENT: the subproblem whose policy is needed */
} p15_course;

/* P15_ERR_BOARD (goal), P15_ERR_PATTERN (the order is not that of all goal cells but the blank's), P15_ERR_ARGUMENT
 * (initial_size outside 1 .. cells - 1). */
p15_status p15_plan_init(p15_shape shape, p15_board goal, const uint8_t *order, unsigned initial_size, p15_plan *plan);

/* order[] index behind the cells of a stage. */
static inline unsigned p15_plan_end(const p15_plan *plan, unsigned stage) {
    unsigned end = (stage + 1) * plan->initial_size, tiles = plan->shape.cells - 1u;
    return end < tiles ? end : tiles;
}

/* Lets the plan use a policy of `count` states; it must outlive the plan. One that was neither learned nor has passed
 * p15_subproblem_check does no harm, but may make p15_plan_solve fail. P15_ERR_ARGUMENT (no such stage, begin after the
 * stage's own, or another number of states), P15_ERR_MEMORY (too many states). */
p15_status p15_plan_add(p15_plan *plan, unsigned stage, unsigned begin, const uint8_t *policy, uint64_t count);

/* Brings a board home. Writes the first `room` directions of the blank. P15_ERR_BOARD, P15_ERR_UNSOLVABLE;
 * P15_ERR_ARGUMENT if a policy is missing, which the course names; P15_ERR_CORRUPT if one of them does not lead home;
 * otherwise the course is complete. Takes some microseconds. */
p15_status p15_plan_solve(const p15_plan *plan, p15_board board, p15_course *course, uint8_t *directions, size_t room);

/* Solves boards[0 .. count-1] except those whose status[] is not P15_OK already; status[], and where it stays P15_OK
 * lengths[] and largest[], as of p15_plan_solve. Returns how many policies were missing; *stage and *begin name the
 * first. */
size_t p15_plan_solve_many(const p15_plan *plan, const p15_board *boards, size_t count, uint8_t *status,
                           uint16_t *lengths, uint8_t *largest, unsigned *stage, unsigned *begin);

#endif
