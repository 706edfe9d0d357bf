/* p15_breadth: breadth-first heuristic search, with a bound on f that grows.
 *
 *     iteration   bound = h(start), then the least f that was cut off, and so on
 *     layer       0, 1, 2, ..: all boards at this depth whose f = g + h is within the bound
 *
 * R. Zhou, E. Hansen: Breadth-first heuristic search, Artificial Intelligence 170 (2006); this form is their
 * breadth-first iterative-deepening A*. With an admissible heuristic, the first solution is a shortest one.
 *
 * Only two layers are stored, the one that is being expanded and the next one (frontier.h). For the moves of the
 * solution, the paper keeps one more layer and solves both halves again. Here a node carries its last moves, up to 32
 * of them in one word. Every 32nd layer is a relay layer: of each of its nodes, these moves and the node of the relay
 * layer before stay in memory (12 bytes), and the layers behind it name the node that they come from. So nothing is
 * searched twice.
 *
 *     start ---- 32 moves ----> relay 1 ---- 32 moves ----> relay 2 ---- up to 32 moves ----> goal
 *
 * The nodes of a layer come in the order in which they were made. The goal is tested when it is made. The undo of the
 * first move that led to a node is not made; other children of the layer before are made, and dropped.
 *
 * Memory: 32 to 44 bytes for each node of two layers, and 12 for each of the relay layers. A search that would need
 * more than it may use ends with P15_SEARCH_NO_ROOM.
 */
#ifndef P15_LAYERS_BREADTH_FIRST_H
#define P15_LAYERS_BREADTH_FIRST_H

#include "search/search.h"

#define P15_RELAY_MOVES 32u
#define P15_MOST_RELAYS 32u /* so a solution may have about a thousand moves */

_Static_assert(P15_RELAY_MOVES * 2 <= 64 && P15_RELAY_MOVES * P15_MOST_RELAYS >= P15_FARTHEST, "room for any solution");

/* Options: max_bytes. The report has the iterations; the trace has the number of the iteration, from 1 on, and its bound. */
extern const p15_search_type P15_BREADTH_FIRST_HEURISTIC;

#endif
