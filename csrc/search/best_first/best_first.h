/* p15_bestfirst: A*, weighted A*, greedy search, breadth-first search and branch and bound: one loop, one open list,
 * one closed table.
 *
 *     take the open node of the smallest  g_weight * g + h_weight * h;  is it the goal?  else make its children
 *
 *                            g_weight  h_weight
 *     A*                         1         1
 *     weighted A* (Pohl 1970)    a         b        the weight is b / a
 *     greedy                     0         1
 *     breadth-first              1         0
 *     branch and bound           0         1        and `prove`: continue until no better solution can be
 *
 * In place of the weights, a table may have the order of all priorities, so that these need not be whole numbers: other
 * weights, and functions of g and h that curve.
 *
 * Ties go to the node that came first, to the one that came last, or to the one of smaller h (in A*, of larger g), and
 * among these to the last. A known child is dropped, unless it is reached with a smaller g: then it gets the new path,
 * and is opened again if it was closed. With a consistent heuristic and equal weights, no closed node is opened again.
 * Greedy search drops every known child.
 *
 * A node is tested for the goal when it is taken, so the answer of A* with an admissible heuristic is a shortest one.
 * The undo of the last move is not made. `prove` leaves out nodes whose g + h is not below the length of the best
 * solution so far; its answer is proved to be a shortest one if the heuristic is admissible.
 *
 * With a batch of B, the first B nodes are taken at once, and their children are evaluated together. The goal is taken
 * only as the first of a batch, so what A* promises holds for any B. But nodes may be opened again with consistent
 * heuristics, too.
 *
 * Memory: a node takes a slot of the closed table (9 to 14 bytes) and, while it is open, an entry of the open list: 8
 * bytes, or 16 where the heuristic has several components or ties are not broken by h. A search that would need more
 * ends with P15_SEARCH_NO_ROOM, and what it has proved. */
#ifndef P15_BEST_FIRST_BEST_FIRST_H
#define P15_BEST_FIRST_BEST_FIRST_H

#include "search/search.h"

#define P15_MAX_WEIGHT 64u

/* Options: max_bytes, cpu, batch, ties, prove, and
 *
 *     g_weight, h_weight   0 .. P15_MAX_WEIGHT, not both 0; ignored beside `rows`
 *     rows                 [g <= P15_CLOSED_MAX_G][h < 256], below P15_OPEN_MOST_ROWS: the order of priorities
 *     bounds               beside `rows`: no solution is below bounds[row], once the row was reached with an admissible h
 *
 * The bound of the trace is one move less than the best solution so far, P15_NO_BOUND before there is one. */
extern const p15_search_type P15_BESTFIRST;

#endif
