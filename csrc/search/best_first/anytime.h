/* p15_anytime: anytime weighted A* and ARA*: a solution soon, then shorter ones, and a bound on what is left to gain.
 *
 *     take the open node of the least  g + weight * h;  make its children;  is the goal among them, with a smaller g
 *     than that of the best solution so far?  then this is the best one
 *
 *     anytime weighted A*  E. Hansen, R. Zhou: Anytime heuristic search, JAIR 28 (2007). One weight. A closed node that
 *                          is reached with a smaller g is opened again at once.
 *     ARA*                 M. Likhachev, G. Gordon, S. Thrun: ARA*, NIPS 2003. The weight falls after each round, to 1.
 *                          In a round, no node is expanded twice: one that is reached with a smaller g after it was
 *                          expanded waits in INCONS for the next round. A round ends when no open node has a smaller priority
 *                          than the best solution, which is then at most `weight` times as long as a shortest one, if
 *                          h is consistent.
 *
 * Both leave out nodes whose f = g + h is not below the length of the best solution. When no other node is left, that
 * solution is a shortest one, if h is admissible. Before that, the least f of all open nodes is a lower bound.
 *
 * The open list is filed by f (rows) and h (columns), whatever the weight is; and
 * g + weight * h = f + (weight - 1) * h:
 *
 *             h = 0   1   2   3  ..
 *     f = 40     [ ] [ ] [ ] [x]      the first node of a row is that of the least h, so the next node of all is the
 *     f = 42     [ ] [x] [ ] [x]      first one of some row;  the first row with nodes is the lower bound;  another
 *     f = 44     [x] [ ] [x] [ ]      weight moves no node
 *
 * Ties go to the smaller h, among these to the node that was put last. The undo of the last move is not made. With a
 * batch of B, B nodes are taken at once and their children evaluated together; in ARA*, the batch is 1.
 *
 * Memory: as p15_bestfirst, and 8 or 16 bytes for each node of INCONS. */
#ifndef P15_BEST_FIRST_ANYTIME_H
#define P15_BEST_FIRST_ANYTIME_H

#include "search/search.h"

#define P15_MOST_PARTS (1u << 16) /* of a weight */

/* Options: max_bytes, cpu, batch, and
 *
 *     g_weight, h_weight   the weight is h_weight / g_weight: 1 <= g_weight <= h_weight <= P15_MOST_PARTS
 *     h_step               ARA*: what h_weight loses after a round; 0: anytime weighted A*
 *
 * A run returns early when there is something new to report: a shorter solution; beside a solution, a larger lower bound
 * or, in ARA*, the end of a round. `improvements` of the report counts these. The report's `h_weight` is the only one;
 * in ARA*, that of the last round that has ended, 0 before. The bound of the trace is that of p15_bestfirst. */
extern const p15_search_type P15_ANYTIME;

#endif
