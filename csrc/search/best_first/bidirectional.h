/* p15_bidirectional: breadth-first search from both ends at once (Pohl 1971).
 *
 *     start  depth 0 1 2 .. a  ->   <-  b .. 2 1 0  goal
 *
 * The smaller of the two frontiers is expanded, a whole level at a time. While no node is known from both sides, every
 * solution has more than a + b moves; so the first child that the other side knows lies on a shortest solution, of
 * a + b + 1 moves, and ends the search. About twice the square root of the nodes of the one-sided search.
 *
 * A child is tested when it is made. Each side keeps its nodes in a closed table (9 to 14 bytes each) and its frontier
 * in a queue (8 bytes). One thread at a time. */
#ifndef P15_BEST_FIRST_BIDIRECTIONAL_H
#define P15_BEST_FIRST_BIDIRECTIONAL_H

#include "search/best_first/closed.h"
#include "search/best_first/open.h"
#include "search/best_first/report.h"
#include "search/trace.h"

typedef struct p15_bidirectional p15_bidirectional;

/* P15_ERR_ARGUMENT (order), P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_MEMORY (max_bytes is too little for any
 * search). */
p15_status p15_bidirectional_new(p15_shape shape, p15_board start, p15_board goal, const uint8_t order[P15_DIRECTIONS],
                                 size_t max_bytes, p15_bidirectional **search);
void p15_bidirectional_delete(p15_bidirectional *search);

/* From the first run on, the search writes what it does to a trace; NULL: no more. The side of nodes that were reached
 * from the goal is 1. The last expansion has the board at which both sides meet; its side is the one that came last. */
void p15_bidirectional_trace(p15_bidirectional *search, p15_trace *trace);

/* Expands at most `expansions` nodes, and one less for each level that it begins. Returns early between two pieces of a
 * long job (base/pieces.h). True while there is more to do. */
bool p15_bidirectional_run(p15_bidirectional *search, uint64_t expansions);

void p15_bidirectional_report(const p15_bidirectional *search, p15_report *report);

/* The blank's directions from the start to the goal: writes at most `room` of them and returns their number; SIZE_MAX
 * while there is no solution. */
size_t p15_bidirectional_path(const p15_bidirectional *search, uint8_t *directions, size_t room);

#endif
