/* p15_bidirectional: breadth-first search from both ends at once (Pohl 1971).
 *
 *     start  depth 0 1 2 .. a  ->   <-  b .. 2 1 0  goal
 *
 * The smaller of the two frontiers is expanded, a whole level at a time. While no node is known from both sides, every
 * solution has more than a + b moves; so the first child that the other side knows lies on a shortest solution, of
 * a + b + 1 moves, and ends the search. About twice the square root of the nodes of the one-sided search.
 *
 * A child is tested when it is made. Each side keeps its nodes in a closed table (9 to 14 bytes each) and its frontier
 * in a queue (8 bytes). */
#ifndef P15_BEST_FIRST_BIDIRECTIONAL_H
#define P15_BEST_FIRST_BIDIRECTIONAL_H

#include "search/search.h"

/* P15_ERR_ARGUMENT (order), P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_MEMORY (max_bytes is too little for any
 * search).
 *
 * A run counts one expansion more for each level that it begins. In the trace, the side of nodes that were reached from
 * the goal is 1; the last expansion has the board at which both sides meet, and its side is the one that came last. */
p15_status p15_bidirectional_new(p15_shape shape, p15_board start, p15_board goal, const uint8_t order[P15_DIRECTIONS],
                                 size_t max_bytes, p15_cpu cpu, p15_search **search);

#endif
