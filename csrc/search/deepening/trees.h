/* p15_trees: counts the nodes of trees, for heuristics that each move changes by 1 or -1 (Manhattan).
 *
 * As long as a tree does not have the goal, its counts do not depend on the order of visits. So its nodes wait in lists,
 * one for each last move and slack, and many nodes of a list are visited together: no branch depends on a board.
 *
 * A move changes h by one, and f by 0 or 2. The bound is some f. So a node has a slack of (bound - f) / 2, and a move either
 * keeps it or takes 1 away. Beside the board, `nearer` has four bits per cell, one for each direction of the blank:
 *
 *     bit 4 * cell + direction    moving the blank in that direction onto this cell brings the cell's tile nearer to
 *                                 its goal cell
 *
 * One bit says whether a child keeps the slack, and three say whether that child will have such a child itself. A child
 * without slack and without such a child is counted and never visited.
 *
 * Memory: 25 MB, of which the system gives what is used. Threads: one at a time. */
#ifndef P15_DEEPENING_TREES_H
#define P15_DEEPENING_TREES_H

#include "base/cpu.h"
#include "base/iteration.h"
#include "search/heuristics/distances.h"

#define P15_TREE_LEVELS 12u /* of slack */

typedef struct p15_trees p15_trees;

/* NULL: some move changes h otherwise, or out of memory. */
p15_trees *p15_trees_new(const p15_h_changes *changes, p15_shape shape, p15_board goal, p15_cpu cpu);
void p15_trees_delete(p15_trees *trees); /* NULL is fine */

/* Counts the nodes of the tree below a board, itself among the expanded ones; its blank has come to `blank` by a move in
 * the direction `last`. counts[i], up to `slack`, are those of the slack i, and the children made of these. False, no count changed: the tree has the goal, or more than `most` generated nodes, or it is too
 * large. */
bool p15_trees_count(p15_trees *trees, p15_board board, unsigned blank, unsigned last, unsigned slack, uint64_t most,
                     p15_counts counts[P15_TREE_LEVELS]);

size_t p15_trees_bytes(void); /* of memory */

#endif
