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

/* Options: cpu, batch, and
 *
 *     first_bound   of the first iteration
 *     last_bound    at most P15_MAX_BOUND: no iteration has a larger one
 *     limit         the search stops, and does not continue, when it has generated so many nodes, but never if that many
 *                   would do; a run then returns true
 *     table_bytes   with a batch of 1, the most memory of a table that remembers boards (transpositions.h): the answer
 *                   is the same, but fewer nodes are visited; 0: none
 *
 * P15_ERR_ARGUMENT (bounds or batch), P15_ERR_MEMORY: table_bytes are too little for the smallest table, too.
 *
 * A run visits about as many nodes, or ends with the iteration. The report has the iterations that have ended: none for
 * a start that is the goal. The trace has the number of the iteration, from 1 on, and its bound. Its expansions have all
 * children of a node, also those that the search does not come to make because it meets the goal or its limit before.
 * Children that a table cuts off are known. A traced search has no trees. */
extern const p15_search_type P15_DEEPENING;

#endif
