/* p15_evaluator: heuristics of one goal, for the textbook searches: h of a board, and h of a child from its parent's.
 *
 * An evaluator is a list of components; h is their maximum (0 without any). Each component's value fits a byte, and the
 * values of all components of one board are one number:
 *
 *     bits 0..7   value of component 0
 *     bits 8..15  value of component 1, ...         (unused bytes are 0)
 *
 * The goal is any arrangement on any shape.
 *
 *     misplaced, Manhattan, reversal, linear conflict
 *                       search/heuristics/distances.h
 *     walking distance  search/heuristics/walking_distance.h
 *     lookups           of tables: tables/table.h, optimal/problem.h
 *     sums of patterns  search/heuristics/patterns.h: of any tables and arrays, which need not be lower bounds
 *     networks          learning/network/dense.h: what a network predicts, less `lowered` moves, rounded to the nearest
 *                       number of the board's parity; at least Manhattan, at most P15_FARTHEST_4X4, and 0 at the goal. A
 *                       network predicts the distance itself, or (a residual) half of what it is beyond Manhattan.
 *                       On 4x4 and for the canonical goal only.
 *     functions         p15_function: the values that the caller's function returns, of many boards at once
 *     compiled ones     search/heuristics/compiled.h: of one board, or of a child from its parent's value
 *
 *     misplaced <= Manhattan <= reversal <= linear conflict,   Manhattan <= walking distance, zero-aware lookups
 *
 * All but the last four are admissible and, except lookups of classic tables, consistent: a move changes h by at most
 * one. An entry of a classic table is the minimum over the blank's regions, and no move may lead to the region of a
 * neighbour's minimum, so a move can lower the sum by more than one.
 *
 * A child's value comes from its parent's and what the one moved tile changes. A lookup costs the state of the moved
 * tile's pattern and two table entries. Networks and functions cost a hundred times as much or more, so children are
 * best evaluated together (p15_evaluations): for a network they share the sums of their parent, and the reading of the
 * weights; a function is called once for all of them.
 *
 * An evaluator is read-only once its components are added: any number of threads may use it, each with p15_evaluations of
 * its own. A function is called in the thread that evaluates. */
#ifndef P15_HEURISTICS_EVALUATOR_H
#define P15_HEURISTICS_EVALUATOR_H

#include "learning/network/dense.h"
#include "optimal/problem.h"
#include "search/heuristics/compiled.h"
#include "search/heuristics/distances.h"
#include "search/heuristics/patterns.h"

#define P15_MAX_COMPONENTS 8
#define P15_MAX_EVALUATIONS 65536u /* boards evaluated together: all children of the largest batch of a search */
#define P15_FARTHEST_4X4 80u       /* moves that a 4x4 board can need: A. Bruengger et al., 1999 */

typedef uint64_t p15_values;

typedef enum {
    P15_MISPLACED,
    P15_MANHATTAN,
    P15_REVERSAL,
    P15_LINEAR_CONFLICT,
    P15_WALKING_DISTANCE,
    P15_HEURISTIC_COUNT
} p15_heuristic_kind;

typedef struct p15_evaluator p15_evaluator;

/* A heuristic of the caller's: writes the values of `count` boards (1 .. P15_MAX_EVALUATIONS). It cannot fail: where it
 * has no value, it writes 0, and reports that by means of its own. */
typedef void p15_function(void *context, const p15_board *boards, size_t count, uint8_t *values);

/* An evaluator without components, whose h is 0; *evaluator is NULL after a failure. P15_ERR_SHAPE, P15_ERR_BOARD,
 * P15_ERR_MEMORY. */
p15_status p15_evaluator_new(p15_shape shape, p15_board goal, p15_evaluator **evaluator);
void p15_evaluator_delete(p15_evaluator *evaluator); /* NULL is fine */

/* Adds one component, or none after a failure. P15_ERR_ARGUMENT: P15_MAX_COMPONENTS are there, or no such kind.
 * P15_ERR_MEMORY. Walking distances build their tables here: 3 ms on 4x4, at most a tenth of a second and 7.0 MB. */
p15_status p15_evaluator_add(p15_evaluator *evaluator, p15_heuristic_kind kind);

/* Adds a component for each lookup of a problem that outlives the evaluator, or none. P15_ERR_ARGUMENT unless there is
 * room and the goal is problem->goal. */
p15_status p15_evaluator_add_lookups(p15_evaluator *evaluator, const p15_problem *problem);

/* Adds a network that outlives the evaluator. P15_ERR_ARGUMENT unless there is room, the goal is that of 4x4 with the
 * blank last, and `lowered` is a number of 0 .. P15_FARTHEST_4X4. P15_ERR_MEMORY. */
p15_status p15_evaluator_add_network(p15_evaluator *evaluator, const p15_dense *network, bool residual, float lowered);

/* Adds a function, which is called with a context that outlives the evaluator. P15_ERR_ARGUMENT unless there is room.
 * P15_ERR_MEMORY. */
p15_status p15_evaluator_add_function(p15_evaluator *evaluator, p15_function *function, void *context);

/* Adds a sum of patterns as one component; its tables and arrays outlive the evaluator. The largest possible sum is at
 * most 255. P15_ERR_ARGUMENT unless there is room, and shape and goal are the evaluator's. P15_ERR_MEMORY. */
p15_status p15_evaluator_add_patterns(p15_evaluator *evaluator, const p15_patterns *sum);

/* Adds compiled functions for this goal, which outlive the evaluator. P15_ERR_ARGUMENT unless there is room.
 * P15_ERR_MEMORY. */
p15_status p15_evaluator_add_compiled(p15_evaluator *evaluator, p15_compiled *functions);

unsigned p15_evaluator_count(const p15_evaluator *evaluator); /* of components */

/* Whether children are best evaluated together (p15_evaluations): a network or a function is among the components. With a
 * function, a batch should be as large as it can be. */
bool p15_evaluator_prefers_batches(const p15_evaluator *evaluator);
bool p15_evaluator_has_function(const p15_evaluator *evaluator);

p15_shape p15_evaluator_shape(const p15_evaluator *evaluator);
p15_board p15_evaluator_goal(const p15_evaluator *evaluator);

/* h of a board, and its values. P15_ERR_BOARD, P15_ERR_UNSOLVABLE, or P15_ERR_CORRUPT (a damaged table), with the
 * outputs untouched. */
p15_status p15_evaluator_board(const p15_evaluator *evaluator, p15_board board, unsigned *h, p15_values *values);

/* The same of many boards: h[i] and status[i] belong to boards[i]. With `each`, h has all values of each board instead,
 * p15_evaluator_count(evaluator) of them. P15_ERR_MEMORY, nothing done. */
p15_status p15_evaluator_boards(const p15_evaluator *evaluator, const p15_board *boards, size_t count, bool each,
                                uint8_t *h, uint8_t *status);

/* h of the board after the blank, at `blank` in `parent`, moves in `direction` (a legal move); `values` are the
 * parent's, *child_values become the child's. With damaged tables they are any bytes. */
unsigned p15_evaluator_child(const p15_evaluator *evaluator, p15_board parent, p15_values values, unsigned blank,
                             unsigned direction, p15_values *child_values);

/* Children that are evaluated together. They belong to one thread at a time, and the evaluator outlives them. */
typedef struct p15_evaluations p15_evaluations;

/* None yet, of up to `room` (1 .. P15_MAX_EVALUATIONS). P15_ERR_ARGUMENT, P15_ERR_MEMORY. */
p15_status p15_evaluations_new(const p15_evaluator *evaluator, size_t room, p15_evaluations **children);
void p15_evaluations_delete(p15_evaluations *children); /* NULL is fine */

/* Adds the child of p15_evaluator_child. There is room. Siblings one after the other are cheapest. */
void p15_evaluations_add(p15_evaluations *children, p15_board parent, p15_values values, unsigned blank,
                         unsigned direction);

/* The values of the children, in the order in which they were added; afterwards there are none.
 * They are good until the next call. */
const p15_values *p15_evaluations_run(p15_evaluations *children);

/* The largest of the values. */
static inline unsigned p15_values_h(p15_values values) {
    unsigned h = 0;
    for (; values; values >>= 8)
        if ((values & 255u) > h) h = values & 255u;
    return h;
}

/* Writes the values of `count` components, a byte each. */
static inline void p15_values_spread(p15_values values, unsigned count, uint8_t *bytes) {
    for (unsigned i = 0; i < count; i++) bytes[i] = (uint8_t)(values >> (8 * i));
}

/* For kernels that do the arithmetic themselves: the changes of h, where h is a sum over tiles (no component, or the one
 * component misplaced or Manhattan), else NULL. They live as long as the evaluator, until a component is added. */
const p15_h_changes *p15_evaluator_changes(const p15_evaluator *evaluator);

#endif
