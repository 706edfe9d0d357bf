/* p15_local: searches that follow few nodes, and may miss the goal: beam search and hill climbing.
 *
 * Beam search goes level by level. Of all children of a level the `width` of smallest h are kept, the earlier made ones
 * first among equals; the others are forgotten, and may come back later (within P15_CLOSED_MAX_G levels). A board that
 * was expanded does not come back. It fails when no child is left.
 *
 * Hill climbing goes to the child of smallest h, the earlier made one among equals, as long as that is smaller than its
 * own h. It fails at a local minimum.
 *
 * A node is tested for the goal when it is chosen for expansion. The undo of the last move is not made. Neither proves
 * anything. The evaluator outlives the search. One thread at a time. */
#ifndef P15_BEST_FIRST_LOCAL_H
#define P15_BEST_FIRST_LOCAL_H

#include "search/best_first/closed.h"
#include "search/heuristics/evaluator.h"
#include "search/best_first/report.h"
#include "search/trace.h"

#define P15_MAX_WIDTH (1u << 24)
#define P15_CLIMB_ROOM 256 /* moves: each lowers h, which is a byte */

typedef struct p15_beam p15_beam;

/* P15_ERR_ARGUMENT (width outside 1 .. P15_MAX_WIDTH, order), P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT (a damaged table),
 * P15_ERR_MEMORY. max_bytes holds the known boards, a level and its children (24 bytes each). */
p15_status p15_beam_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                        size_t width, size_t max_bytes, p15_beam **search);
void p15_beam_delete(p15_beam *search);

/* From the first run on, the search writes what it does to a trace; NULL: no more. Expansions are pending until their
 * level has ended, or the search has. */
void p15_beam_trace(p15_beam *search, p15_trace *trace);

/* Expands at most `expansions` nodes, and one less for each level that it begins. Returns early between two pieces of a
 * long job (base/pieces.h). True while there is more to do. */
bool p15_beam_run(p15_beam *search, uint64_t expansions);

void p15_beam_report(const p15_beam *search, p15_report *report);

/* The blank's directions from the start to the goal: writes at most `room` of them and returns their number; SIZE_MAX
 * while there is no solution. */
size_t p15_beam_path(const p15_beam *search, uint8_t *directions, size_t room);

/* Climbs from a board. Writes the moves to `directions`, and their number to *length, also when it fails; and what it
 * does to the trace, if that is not NULL. P15_ERR_ARGUMENT (order), P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT. */
p15_status p15_climb(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                     p15_trace *trace, p15_report *report, uint8_t directions[P15_CLIMB_ROOM], size_t *length);

#endif
