#include "search/deepening/transpositions.h"

#include <stdlib.h>

p15_status p15_transpositions_new(p15_shape shape, size_t max_bytes, p15_transpositions **made) {
    p15_transpositions *table = calloc(1, sizeof *table);
    *made = NULL;
    if (!table) return P15_ERR_MEMORY;
    table->memory.most = max_bytes;
    p15_status status = p15_closed_init(shape, &table->memory, &table->closed);
    if (status)
        free(table);
    else
        *made = table;
    return status;
}

void p15_transpositions_delete(p15_transpositions *table) {
    if (table) p15_closed_free(&table->closed);
    free(table);
}

/* Puts a new board in place of one in its home bucket. False: the bucket is empty. */
static bool replace(p15_transpositions *table, p15_where where, unsigned bound) {
    p15_slot *bucket = table->closed.slots + where.bucket * P15_BUCKET_SLOTS, *least = NULL;
    for (unsigned i = 0; i < P15_BUCKET_SLOTS; i++)
        if (bucket[i] && (!least || p15_slot_g(bucket[i]) < p15_slot_g(*least))) least = &bucket[i];
    if (!least) return false;
    *least = p15_slot_moved(where.rest, bound, 0);
    return true;
}

bool p15_transpositions_put(p15_transpositions *table, p15_board board, unsigned bound) {
    p15_closed *closed = &table->closed;
    if (closed->growth && !p15_closed_grow_on(closed)) return false;
    p15_where where = p15_closed_where(closed, board);
    p15_slot *slot = p15_closed_find(closed, where);
    if (slot && *slot) {
        *slot = p15_slot_moved(*slot, bound, 0);
        return true;
    }
    if (!closed->refused && (!slot || closed->node_count >= closed->room)) {
        if (!p15_closed_grow_on(closed)) return false;
        where = p15_closed_where(closed, board);
        slot = p15_closed_find(closed, where);
    }
    if (closed->refused ? replace(table, where, bound) : slot == NULL) return true;
    if (slot) p15_closed_add(closed, where, slot, bound, 0);
    return true;
}
