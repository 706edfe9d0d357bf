/* p15_transpositions: lower bounds on the distances of boards, in a table of limited size.
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

/* An empty table, which stays where it is; P15_ERR_MEMORY, nothing to free, when not even the smallest fits (4.3 MB for
 * 16 cells). */
p15_status p15_transpositions_init(p15_shape shape, size_t max_bytes, p15_transpositions *table);
void p15_transpositions_free(p15_transpositions *table);

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
