/* p15_bundles: visits many trees of nodes at once, for heuristics that each move changes by 1 or -1 (Manhattan).
 *
 * The order in which nodes are visited matters only where the goal is met: counts of nodes do not depend on it. So a
 * group of trees may be searched in any order. Nodes that wait are kept in bundles by two things:
 *
 *     arrival    the blank's cell and its last direction: the moves still to come, and all masks and shifts, are the
 *                same
 *     slack      (bound - f) / 2
 *
 * So a step of the search is the same few instructions on every node of a bundle, 8 at a time with AVX-512, and no
 * branch depends on a board.
 *
 * A move changes h by one, and f by 0 or 2. Beside the board, a node's `wants` hold four bits for each cell, one for
 * each direction of the blank:
 *
 *     bit 4 * cell + direction    moving the blank in that direction onto this cell brings the cell's tile nearer to
 *                                 its goal cell
 *
 * One bit says whether a child keeps the slack, and three say whether that child will have such a child itself. A node
 * without slack and without such a child is counted and never stored. Of 100 nodes on the 15-puzzle, 26 are stored.
 *
 * Memory: some MB (at most 6.7 over Korf's 100 boards). It hardly grows with the number of nodes.
 * Threads: bundles belong to one thread at a time. The changes of h must outlive them. */
#ifndef P15_DEEPENING_BUNDLES_H
#define P15_DEEPENING_BUNDLES_H

#include "base/cpu.h"
#include "search/deepening/progress.h"
#include "search/heuristics/evaluator.h"

#define P15_MOST_SLACK 63u

typedef struct p15_bundles p15_bundles;

/* Whether bundles can compute h from the changes: every legal move has 1 or -1. */
bool p15_bundles_fit(const p15_h_changes *changes, p15_shape shape);

/* Empty bundles, for changes that fit. *bundles is NULL after P15_ERR_MEMORY. */
p15_status p15_bundles_new(const p15_h_changes *changes, p15_shape shape, p15_board goal, p15_cpu cpu,
                           p15_bundles **bundles);
void p15_bundles_delete(p15_bundles *bundles); /* NULL is fine */

/* Begins an iteration: roots have a slack of at most `most_slack` (at most P15_MOST_SLACK). False: out of memory. */
bool p15_bundles_begin(p15_bundles *bundles, unsigned most_slack);

/* Begins a group of trees: there are none yet. */
void p15_bundles_clear(p15_bundles *bundles);

/* Adds the root of a tree: the blank arrived at `blank` by a move in the direction `last`. False: out of memory. */
bool p15_bundles_add(p15_bundles *bundles, p15_board board, unsigned blank, unsigned last, unsigned slack);

/* Goes on for about *visits children, which it counts down. P15_PART_SOLVED: some node is the goal, and the group has
 * come to no end. */
p15_progress p15_bundles_run(p15_bundles *bundles, uint64_t *visits);

/* Nodes of the group so far, its roots among the expanded ones. */
void p15_bundles_count(const p15_bundles *bundles, uint64_t *expanded, uint64_t *generated);

size_t p15_bundles_bytes(const p15_bundles *bundles); /* of memory, now: it never shrinks */

#endif
