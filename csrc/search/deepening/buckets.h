/* p15_buckets: visits many trees of nodes at once, for heuristics that each move changes by 1 or -1 (Manhattan).
 *
 * The order in which nodes are visited matters only where the goal is met: counts of nodes do not depend on it. So a
 * group of trees may be searched in any order. Nodes that wait are kept in buckets by two things:
 *
 *     arrival    the blank's cell and its last direction: nodes of one arrival have the same next moves, and all masks
 *                and shifts are the same
 *     slack      (bound - f) / 2
 *
 * So a step of the search is the same few instructions on every node of a bucket, 8 at a time with AVX-512, and no
 * branch depends on a board.
 *
 * A move changes h by one, and f by 0 or 2. Beside the board, a node's `wants` hold four bits for each cell, one for
 * each direction of the blank:
 *
 *     bit 4 * cell + direction    moving the blank in that direction onto this cell brings the cell's tile nearer to
 *                                 its goal cell
 *
 * One bit says whether a child keeps the slack, and three say whether that child will have such a child itself. A node
 * without slack and without such a child is counted and never stored.
 *
 * Memory: some MB (at most 6.7 over Korf's 100 boards). It hardly grows with the number of nodes.
 * Threads: one at a time. The changes of h must outlive the buckets. */
#ifndef P15_DEEPENING_BUCKETS_H
#define P15_DEEPENING_BUCKETS_H

#include "base/cpu.h"
#include "search/deepening/walks.h"

#define P15_MOST_SLACK 63u

typedef struct p15_buckets p15_buckets;

/* Whether each legal move changes h by 1 or -1. */
bool p15_buckets_fit(const p15_h_changes *changes, p15_shape shape);

/* Empty buckets for changes that fit; *buckets is NULL after P15_ERR_MEMORY. */
p15_status p15_buckets_new(const p15_h_changes *changes, p15_shape shape, p15_board goal, p15_cpu cpu,
                           p15_buckets **buckets);
void p15_buckets_delete(p15_buckets *buckets); /* NULL is fine */

/* Begins a group of trees, none yet. */
void p15_buckets_clear(p15_buckets *buckets);

/* Adds the root of a tree, which is not the start of the search; slack is at most P15_MOST_SLACK. False: out of memory. */
bool p15_buckets_add(p15_buckets *buckets, const p15_root *root, unsigned slack);

/* Continues for about *visits children, which it counts down. P15_PART_SOLVED: some node is the goal, and the group is
 * not finished. */
p15_progress p15_buckets_run(p15_buckets *buckets, uint64_t *visits);

/* The nodes of the group so far, its roots among the expanded ones. */
p15_counts p15_buckets_count(const p15_buckets *buckets);

size_t p15_buckets_bytes(const p15_buckets *buckets); /* of memory, which never shrinks */

#endif
