/* p15_deepening: the textbook depth-first searches: IDA* (Korf 1985), iterative deepening, and one search to a limit.
 *
 * An iteration visits, depth first from the start, every node whose f = g + h is within its bound; the next bound is
 * the smallest f that was cut off. Only the undo of the last move is left out, children are made in a given order of
 * the blank's directions, and the first solution met ends the search. So
 *
 *     IDA*                  from the start's h on (P15_FROM_H)
 *     iterative deepening   the same, with an evaluator without components: f = g
 *     depth-first           such an evaluator, and first_bound = last_bound = the depth limit
 *
 * Counts are those of the plain recursive search, which makes a child, visits it, and then makes the next:
 *
 *     generated   children made; of the nodes on the way to the goal, those up to the one on the way
 *     expanded    nodes within the bound, the goal not included
 *
 * generated + 1, summed over the iterations, is what Korf's table of 100 boards counts. Counts and solution depend on
 * nothing but the arguments, the limit among them.
 *
 * All nodes are walked through (walks.h), but with Manhattan distance most of a large iteration are nodes of trees that
 * do not have the goal: these are only counted (trees.h), several times as fast.
 *
 * With a table of boards that it has searched (transpositions.h), IDA* visits fewer nodes, and has no trees.
 *
 * With a batch, the children of so many nodes are evaluated together (batches.h), which is for evaluators that prefer it.
 * Iterations without the goal count the same. The one that meets the goal expands in an order of its own, counts all
 * children of the nodes that it expands, and may find another solution within the bound. There are no trees then.
 *
 * Memory: that of a walk, 25 MB for trees, and the nodes of batches. */
#ifndef P15_DEEPENING_DEEPENING_H
#define P15_DEEPENING_DEEPENING_H

#include "search/deepening/batches.h"

#define P15_FROM_H UINT32_MAX /* first_bound: the h of the start */

/* A search from `start`, for the evaluator's goal, in batches of so many nodes (1 .. P15_MAX_EXPANDED). The last iteration is the one whose successor's bound would be beyond
 * last_bound (at most P15_MAX_BOUND). The search stops, and does not continue, when it has generated `limit` nodes, but
 * never if that many would do; a run then returns true. P15_ERR_ARGUMENT (order, bounds or batch), P15_ERR_BOARD,
 * P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT, P15_ERR_MEMORY.
 *
 * A run visits about as many nodes, or ends with the iteration. The report has the iterations that have ended: none for
 * a start that is the goal. The trace has the number of the iteration, from 1 on, and its bound. Its expansions have all
 * children of a node, also those that the search does not come to make because it meets the goal or its limit before.
 * Children that a table cuts off are known. A traced search has no trees. */
p15_status p15_deepening_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                             uint32_t first_bound, uint32_t last_bound, uint64_t limit, unsigned batch,
                             p15_search **search);

/* From the first run on, such a search, with a batch of 1, remembers boards in a table of at most max_bytes (transpositions.h): its answer is
 * the same, but it visits fewer nodes. P15_ERR_MEMORY: max_bytes are too little for the smallest table, or the system
 * has less; nothing has changed. */
p15_status p15_deepening_remember(p15_search *search, size_t max_bytes);

/* The level of instructions; before the first run. */
void p15_deepening_set_cpu(p15_search *search, p15_cpu cpu);

#endif
