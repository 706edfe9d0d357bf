/* p15_sweeps: values and policy of a subproblem, by value iteration.
 *
 * Sweeps over all states approach the fixed point (learning/value_iteration/subproblem.h) from V = 0 (Bischoff et al. 2013, Algorithm
 * 1). The sweeps here apply the same update in place, and only to states that have a neighbour whose value changed in
 * the sweep before; the goal starts at its own fixed point 1 / (1 - gamma). Since values fall with the distance, the
 * first value that a state gets is its last one: all sweeps together write each state once. Which states of a placement
 * of the tiles have changed is a set of the blank's cells, 16 bits, so a sweep looks at four placements at a time and
 * leaves out those without any. p15_subproblem_check tests the equation itself in every state, whoever made the values.
 *
 * Memory: 9 bytes per state for values and policy; while learning, 6 more per placement of the tiles.
 * Threads: sweeps belong to one thread at a time. */
#ifndef P15_LEARNING_SWEEPS_H
#define P15_LEARNING_SWEEPS_H

#include "learning/value_iteration/subproblem.h"

#define P15_MIN_GAMMA 0.01  /* below, values of far states could vanish */
#define P15_MAX_GAMMA 0.999 /* above, those of neighbours could be the same number */

typedef struct p15_sweeps p15_sweeps;

/* Begins to learn. `values` and `policy` have state_count entries each, are written by p15_sweeps_run, and outlive
 * the sweeps, as does the subproblem. P15_ERR_ARGUMENT (gamma outside P15_MIN_GAMMA .. P15_MAX_GAMMA),
 * P15_ERR_MEMORY. */
p15_status p15_sweeps_new(const p15_subproblem *subproblem, double gamma, double *values, uint8_t *policy,
                          p15_sweeps **sweeps);
void p15_sweeps_delete(p15_sweeps *sweeps);

/* Goes on for `placements` placements of the tiles. Returns true until the sweeps have converged. */
bool p15_sweeps_run(p15_sweeps *sweeps, size_t placements);

/* How many states have a value so far. */
uint64_t p15_sweeps_found(const p15_sweeps *sweeps);

#endif
