/* p15_sweeps: values and policy of a subproblem, by value iteration.
 *
 * Sweeps over all states approach the fixed point (subproblem.h) from V = 0 (Bischoff et al. 2013, Algorithm 1). The
 * sweeps here apply the same update in place, and only to states that have a neighbour whose value changed in the sweep
 * before; the goal starts at its own fixed point 1 / (1 - gamma). Since values fall with the distance, the first value
 * of a state is its last one: all sweeps together write each state once. The changed states of a placement of the tiles
 * are a set of the blank's cells, 16 bits, so a sweep skips four placements without any at a time.
 *
 * Memory: 9 bytes per state for values and policy; while learning, 6 more per placement of the tiles.
 * Threads: sweeps belong to one thread at a time. */
#ifndef P15_LEARNING_SWEEPS_H
#define P15_LEARNING_SWEEPS_H

#include "learning/value_iteration/subproblem.h"

#define P15_MIN_GAMMA 0.01  /* below, values of far states could vanish */
#define P15_MAX_GAMMA 0.999 /* above, those of neighbours could be the same number */

typedef struct p15_sweeps p15_sweeps;

/* Begins to learn. Of equally good moves, the policy takes the one whose direction comes first in `order`. `values` and
 * `policy` have state_count entries each, are written by p15_sweeps_run, and outlive the sweeps, as does the subproblem.
 * P15_ERR_ARGUMENT (gamma outside P15_MIN_GAMMA .. P15_MAX_GAMMA, order not a permutation of the directions),
 * P15_ERR_MEMORY. */
p15_status p15_sweeps_new(const p15_subproblem *subproblem, double gamma, const uint8_t order[P15_DIRECTIONS],
                          double *values, uint8_t *policy, p15_sweeps **sweeps);
void p15_sweeps_delete(p15_sweeps *sweeps);

/* Goes on for `placements` placements of the tiles. Returns true until the sweeps have converged. */
bool p15_sweeps_run(p15_sweeps *sweeps, size_t placements);

#endif
