/* p15_multi_search: solutions with the fewest multi-tile moves, by IDA* (optimal/idastar.h), of one board or of many.
 *
 * One entry per lookup gives the values of all children (multitile/problem.h). Children within the bound go on a stack,
 * and their entries are prefetched. A worker (optimal/worker.h) has 8 search slots, each a depth-first search of its own,
 * and expands one node of each in rounds: when it comes back to a slot, the entries have come from memory. A round first
 * evaluates the children of all its nodes, then makes those within the bound, so the processor need not guess how many a
 * node has. For the usual four lookups of 4x4 boards, AVX2 evaluates all of a node's children at once.
 *
 * The first iterations have two subtrees, below the roots; after a large iteration, the subtrees are those some moves below
 * them. In a batch, the slots search one board together.
 *
 * A search after a move has one iteration, at its limit, from the root of the other axis: a third of the time. */
#ifndef P15_MULTITILE_SEARCH_H
#define P15_MULTITILE_SEARCH_H

#include "multitile/problem.h"
#include "optimal/worker.h"

_Static_assert(P15_MULTI_MAX_LENGTH < 2 * P15_PATH_BYTES, "a path of cells holds any solution");

/* Its problems are p15_multi_problem. */
extern const p15_metric P15_MULTI_TILE;

#endif
