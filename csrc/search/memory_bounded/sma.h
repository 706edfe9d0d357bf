/* p15_sma: SMA*, A* in a fixed memory, which forgets the worst leaf when the memory is full (S. Russell, "Efficient
 * memory-bounded search methods", ECAI 1992; S. Russell, P. Norvig, "Artificial Intelligence: A Modern Approach", first
 * edition, 1995, section 4.3).
 *
 *     root ---- n ---- c     F of a node: the largest f on the path to it, or, once its children were made, the least F
 *            \    \--- (d)   of a child. A node keeps F of each child, also of those that were forgotten: (d) here.
 *             \-- m
 *
 *     take the deepest node of the least F that misses a child; is it the goal?
 *     not expanded yet: make all its children
 *     expanded before:  make its best forgotten child again, with the F that it had
 *     the memory is full: before each child, forget the shallowest leaf of the largest F; or the child, if that is worse
 *
 * Of equal nodes, a leaf is taken first, then the newest; the oldest is forgotten first. This is the form of the
 * textbook with three corrections that it needs: the node that is expanded is not forgotten; a child that is worse than
 * all leaves replaces none of them; and F is kept of each forgotten child, so that the right one is made again. All
 * children of a new node are made at once.
 *
 * Each path is a node of its own, as in the original: the undo of the last move is not made, and there is no other test
 * for known boards. A path that fills the whole memory, or whose f says that it would, leads nowhere: its F is infinite.
 *
 * A node is tested for the goal when it is taken. So the first solution is a shortest one, if the heuristic is
 * admissible and the memory holds the path of a shortest solution: length + 1 nodes. Otherwise the search finds the
 * shortest of those that fit, or ends with P15_SEARCH_NO_ROOM. The largest F that was taken is a lower bound on the
 * length of all solutions, up to the number of nodes that fit.
 *
 * Memory: 48 bytes per node, allocated as the search grows, up to max_bytes; and some kB for lists, one per F and depth,
 * in which leaves and nodes that miss some children are found in a few steps. */
#ifndef P15_MEMORY_BOUNDED_SMA_H
#define P15_MEMORY_BOUNDED_SMA_H

#include "search/search.h"

#define P15_SMA_LEAST_NODES 32u /* the path of a hardest board of the 8-puzzle */
#define P15_SMA_NODE_BYTES 48u
#define P15_SMA_MAX_DEPTH 1000u /* moves: longer paths count as those that fill the memory */

_Static_assert(P15_SMA_MAX_DEPTH >= P15_FARTHEST, "room for any shortest solution");

/* Options: max_bytes. P15_ERR_MEMORY: max_bytes is too little for P15_SMA_LEAST_NODES, too.
 *
 * `reopened` of the report counts the forgotten children that were made again; its lists are leaves (open) and nodes with
 * children in memory (closed). Of a node that was expanded before, the trace has the one child that is made again. There,
 * a child is cut off if its path fills the memory, and dropped if there is no room for it. A node's id is one more than
 * its number in memory. */
extern const p15_search_type P15_SMA;

#endif
