/* p15_beam_stack: beam-stack search: a beam that backtracks to the nodes that it has dropped, until a shortest solution is
 * proved.
 *
 * R. Zhou, E. Hansen: Beam-stack search: integrating backtracking with beam search, ICAPS 2005.
 *
 *     layers       start       up to `width` nodes    up to `width` nodes    ..
 *     beam stack         [low, high)            [low, high)            ..      which children of each layer are kept
 *
 * The nodes of a layer are in a total order: by h, which in a layer is the order of f = g + h, and among equals by a
 * hash of the board (p15_frontier_hash). Of the children of a layer that are not below its `low`, the first `width` are
 * kept; the first one that is dropped becomes its `high`. When a layer has no children left, the search goes back to
 * the last layer whose `high` may still lead to a better solution, makes it the `low`, and expands this layer again. So
 * with time each child is expanded. With the width 1 that is depth-first branch and bound; with a width that drops
 * nothing, it is breadth-first.
 *
 * A solution must have fewer moves than the best so far, and than a given number in the beginning: nodes whose f is not
 * below that are cut off. So the search ends, and with an admissible heuristic its last solution is a shortest one.
 * Before that, the least f of all open nodes is a lower bound.
 *
 * Children are tested for the goal when they are made. The undo of the first move that led to a node is not made. Of the
 * other children, those that the node was reached from, too, are known; nobody looks for boards of earlier layers.
 *
 * Memory: 44 bytes for each node that a layer has room for. That is up to twice the width, since a layer is pruned when
 * it has so many children, and in the end.
 */
#ifndef P15_LAYERS_BEAM_STACK_H
#define P15_LAYERS_BEAM_STACK_H

#include "search/search.h"

#define P15_MOST_STACK_WIDTH (1u << 24)
#define P15_MOST_STACK_MOVES 1000u

_Static_assert(P15_MOST_STACK_MOVES > P15_FARTHEST, "room for any shortest solution");

/* A search for solutions of fewer than `below` moves. Options: max_bytes, `below`, which is 1 .. P15_MOST_STACK_MOVES, and
 * a width of 1 .. P15_MOST_STACK_WIDTH.
 *
 * A run returns early when there is something new to report: a shorter solution, or a larger lower bound beside a
 * solution. `improvements` of the report counts these. In the trace, expansions are pending until their layer has ended,
 * or the search has; its bound is the largest number of moves that a solution may have. */
extern const p15_search_type P15_BEAM_STACK;

#endif
