/* p15_remembering: a walk (walks.h) that remembers in a table what it has proved of boards (transpositions.h), and cuts
 * off what the table proves to be in vain: IDA* with a transposition table (A. Reinefeld, T. A. Marsland, "Enhanced
 * iterative-deepening search", IEEE Transactions on Pattern Analysis and Machine Intelligence 16, 1994).
 *
 * When the subtree of a node n at depth g was searched to the bound B without the goal, and the smallest f that was cut
 * off in it is e, then n gets the entry  min(e, B + 3) - g.  A child whose depth and entry add up to more than the bound
 * is cut off, and that sum counts as an f that was cut off.
 *
 * Why an entry r of a board n says that n is at least r moves from the goal, although the board p before n was not made
 * again below n: let an iteration end without the goal, and let some statement of it be wrong: an entry, or "n was
 * visited (or cut off) at depth g, so its distance is more than B - g". Take a wrong one of the least distance of n, of
 * these the first in time. n is not the goal, which would have ended the search; so some neighbour c is one move
 * nearer. If c is not p, then it was visited or cut off below n at depth g + 1, and what was found there was wrong
 * before, of a smaller distance. If c is p, then p itself was visited at depth g - 1 in this iteration, and is more
 * than B - g + 1 moves away, since that statement is of a smaller distance, too: so n is at least B - g + 3 moves away,
 * and no entry says more. Hence all statements of such an iteration are right, also for later ones. An iteration in
 * whose bound there is a solution cannot end without the goal, because the statement about the start would be wrong.
 * This uses that h is admissible, not that it is consistent. Without the limit B + 3 it would not hold: p may be on the
 * way from n to the goal, and n may be reached by a shorter way later.
 *
 * All children of a node are evaluated and looked up when it is visited. Counts are those of a walk.
 *
 * Memory: 100 kB, and the table. One thread at a time. The walk must outlive it. */
#ifndef P15_DEEPENING_REMEMBERING_H
#define P15_DEEPENING_REMEMBERING_H

#include "search/deepening/walks.h"

typedef struct p15_remembering p15_remembering;

/* For walks of `walk`, whose bound, counts, cut and path it uses. P15_ERR_MEMORY: not even the smallest table fits into
 * max_bytes, or the system has less. */
p15_status p15_remembering_new(p15_walk *walk, size_t max_bytes, p15_remembering **made);
void p15_remembering_delete(p15_remembering *remembering); /* NULL is fine */

/* Begins at a root, as p15_walk_start does, without a horizon. What the table holds stays: all walks must be of the same
 * start, with growing bounds, and each must have ended. */
void p15_remembering_start(p15_remembering *remembering, const p15_root *root, unsigned bound);

/* Goes on for at most *visits children, which it counts down. Returns early between two pieces of growing the table
 * (base/pieces.h). */
p15_progress p15_remembering_run(p15_remembering *remembering, uint64_t *visits);

/* Whether it has returned between two such pieces. */
bool p15_remembering_grows(const p15_remembering *remembering);

size_t p15_remembering_bytes(const p15_remembering *remembering);

#endif
