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
 *
 * The start must be able to reach the goal. Ownership: the evaluator outlives the search. One thread at a time. */
#ifndef P15_LAYERS_BREADTH_FIRST_H
#define P15_LAYERS_BREADTH_FIRST_H

#include "base/iteration.h"
#include "search/best_first/report.h"
#include "search/heuristics/evaluator.h"
#include "search/trace.h"

#define P15_RELAY_MOVES 32u
#define P15_MOST_RELAYS 32u /* so a solution may have about a thousand moves */

_Static_assert(P15_RELAY_MOVES * 2 <= 64 && P15_RELAY_MOVES * P15_MOST_RELAYS >= P15_FARTHEST, "room for any solution");

typedef struct p15_breadth p15_breadth;

/* P15_ERR_ARGUMENT (order), P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT (a damaged table), P15_ERR_MEMORY. */
p15_status p15_breadth_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                           size_t max_bytes, p15_breadth **search);
void p15_breadth_delete(p15_breadth *search); /* NULL is fine */

/* From now on, the search writes what it does to a trace; NULL: no more. The trace has the number of the iteration,
 * from 1 on, and its bound. */
void p15_breadth_trace(p15_breadth *search, p15_trace *trace);

/* Expands at most `expansions` nodes. Returns early between two pieces of a long job (base/pieces.h). True while there is
 * more to do. */
bool p15_breadth_run(p15_breadth *search, uint64_t expansions);

void p15_breadth_report(const p15_breadth *search, p15_report *report);

/* The iterations that have ended, and their number. They are good until the next call of p15_breadth_run. */
const p15_iteration *p15_breadth_iterations(const p15_breadth *search, size_t *count);

/* The blank's directions from the start to the goal: writes at most `room` of them and returns their number; SIZE_MAX
 * while there is no solution. */
size_t p15_breadth_path(const p15_breadth *search, uint8_t *directions, size_t room);

#endif
