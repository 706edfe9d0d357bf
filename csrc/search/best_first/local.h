/* p15_local: searches that follow few nodes, and may miss the goal: beam search and hill climbing.
 *
 * Beam search expands level by level. Of all children of a level, the `width` of smallest h are kept, the earlier made
 * ones first among equals; the others are forgotten, and may be reached again later (within P15_CLOSED_MAX_G levels). A
 * board that was expanded is not reached again. The search fails when no child is left. The children of a level are an
 * open list whose rows are h.
 *
 * Hill climbing moves to the child of smallest h, the earlier made one among equals, as long as that is smaller than its
 * own h. It fails at a local minimum.
 *
 * A node is tested for the goal when it is chosen for expansion. The undo of the last move is not made. Neither search
 * proves anything. */
#ifndef P15_BEST_FIRST_LOCAL_H
#define P15_BEST_FIRST_LOCAL_H

#include "search/search.h"

#define P15_MAX_WIDTH (1u << 24)

/* Beam search. Options: a width of 1 .. P15_MAX_WIDTH, and max_bytes, which hold the closed table, a level and its
 * children, 8 bytes each, or 16 where the heuristic has several components.
 *
 * A run counts one expansion more for each level that it begins. In the trace, expansions are pending until their level
 * has ended, or the search has. */
extern const p15_search_type P15_BEAM;

/* Hill climbing. The path of its report is that of its moves, also when it has failed. */
extern const p15_search_type P15_CLIMB;

#endif
