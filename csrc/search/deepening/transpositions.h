/* p15_transpositions: what a walk (walks.h) has proved of boards, in a table of limited size: IDA* with a transposition
 * table (A. Reinefeld, T. A. Marsland, "Enhanced iterative-deepening search", IEEE Transactions on Pattern Analysis and
 * Machine Intelligence 16, 1994).
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
 * It is a closed table (best_first/closed.h) whose slots hold such a bound in place of g. It grows as long as it may.
 * From then on, a new board takes the place of the one with the smallest bound among those in its home bucket (8 slots),
 * the first of equals: a smaller bound saves a smaller subtree. So a full table stays full, and a bucket always takes the
 * newest board.
 *
 * What it holds depends on nothing but the boards that came, their bounds, and max_bytes.
 *
 * Cost: 9 to 14 bytes per board; a look-up is one cache miss, seldom two. One thread at a time. */
#ifndef P15_DEEPENING_TRANSPOSITIONS_H
#define P15_DEEPENING_TRANSPOSITIONS_H

#include "search/best_first/closed.h"

typedef struct {
    p15_closed closed;
    p15_memory memory;
} p15_transpositions;

/* An empty table. P15_ERR_MEMORY: not even the smallest fits into max_bytes (4.3 MB for 16 cells), or the system has
 * less. */
p15_status p15_transpositions_new(p15_shape shape, size_t max_bytes, p15_transpositions **table);
void p15_transpositions_delete(p15_transpositions *table); /* NULL is fine */

/* Where a board belongs, which is prefetched. It is good until a board is put. */
P15_INLINE p15_where p15_transpositions_where(const p15_transpositions *table, p15_board board) {
    p15_where where = p15_closed_where(&table->closed, board);
    p15_closed_prefetch(&table->closed, where);
    return where;
}

/* The bound of the board that belongs there, 0 if there is none. */
P15_INLINE unsigned p15_transpositions_bound(const p15_transpositions *table, p15_where where) {
    const p15_slot *slot = p15_closed_find(&table->closed, where);
    return slot && *slot ? p15_slot_g(*slot) : 0;
}

/* Puts a board's bound (at most P15_CLOSED_MAX_G) in place of any that it has. False: the table is growing, and was left
 * between two pieces (base/pieces.h); come again with the same, and use it for nothing else before. */
bool p15_transpositions_put(p15_transpositions *table, p15_board board, unsigned bound);

#endif
