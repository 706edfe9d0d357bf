/* p15_rbfs: recursive best-first search (R. E. Korf, "Linear-space best-first search", Artificial Intelligence 62,
 * 1993), which expands new nodes in the order of f = g + h, and remembers no more than one path and its siblings.
 *
 *     visit(node, F, bound):                          F: the least f that is known of the leaves below the node
 *         for each child: F[child] = max(f(child), F) if f(node) < F, else f(child)
 *         while the least F[child] <= bound:
 *             F[child] = visit(child, F[child], min(bound, the second least F[child]))
 *         return the least F[child]
 *
 * A visit ends when some other leaf is better. What was below the node is forgotten, but for the F that it returns; the
 * children of a node that was visited before (f < F) inherit it. So nodes are expanded again and again: that is the
 * price of the memory. Of equal children, the first made goes first. The undo of the last move is not made; there is no
 * other test for known boards.
 *
 * A node is tested for the goal when it is visited. Whenever a node is visited, no leaf has a smaller F. So the first
 * solution is a shortest one if the heuristic is admissible, consistent or not, and the largest F that was visited is a
 * lower bound on the length of all.
 *
 * The numbers of nodes are those of all visits, repeated ones included.
 *
 * Memory: 38 kB, however long it takes. */
#ifndef P15_MEMORY_BOUNDED_RBFS_H
#define P15_MEMORY_BOUNDED_RBFS_H

#include "search/search.h"

/* Moves. Some leaf is always on a shortest solution, and has F <= P15_FARTHEST + 255; no leaf of a larger F is visited,
 * and F is at least the depth. */
#define P15_RBFS_MAX_DEPTH (P15_FARTHEST + 256u)

/* A run visits nodes. `reopened` of the report counts those that were expanded again. The bound of the trace is that of
 * the visit; children beyond it are cut off. A node's id is 1 + 4 depth + which child of its parent it is. */
extern const p15_search_type P15_RBFS;

#endif
