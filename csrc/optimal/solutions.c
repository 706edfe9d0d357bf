#include "optimal/solutions.h"

#include <stdlib.h>
#include <string.h>

static uint32_t child_of(const p15_graph *graph, const p15_known *known, unsigned move) {
    return p15_graph_find(graph, p15_moves_apply(&graph->steps, known->board, move));
}

p15_status p15_solutions_count(const p15_graph *graph, uint64_t *count) {
    uint64_t *counts = calloc(graph->count, sizeof *counts);
    if (!counts) return P15_ERR_MEMORY;
    for (uint32_t i = graph->order_count; i-- > 0;) {
        const p15_known *known = &graph->known[graph->order[i]];
        uint64_t *sum = &counts[graph->order[i]];
        *sum = known->distance == 0;
        for (unsigned moves = known->moves; moves; moves &= moves - 1) {
            uint64_t term = counts[child_of(graph, known, p15_lowest_bit(moves))];
            *sum = term > UINT64_MAX - *sum ? UINT64_MAX : *sum + term;
        }
    }
    *count = counts[graph->order[0]];
    free(counts);
    return P15_OK;
}

void p15_listing_begin(uint32_t index, const uint8_t order[P15_DIRECTIONS], p15_listing *listing) {
    memset(listing, 0, sizeof *listing);
    listing->at[0] = index;
    memcpy(listing->order, order, P15_DIRECTIONS);
}

p15_listing_state p15_listing_next(const p15_graph *graph, p15_listing *listing) {
    while (!listing->ended) {
        unsigned depth = listing->depth;
        const p15_known *known = &graph->known[listing->at[depth]];
        if (!known->whole) return P15_LISTING_WAITS;
        uint8_t *tried = &listing->tried[depth];
        while (*tried < P15_DIRECTIONS && !(known->moves >> listing->order[*tried] & 1u)) ++*tried;
        if (*tried < P15_DIRECTIONS) {
            unsigned move = listing->order[(*tried)++];
            p15_path_set(listing->path, depth, move);
            listing->at[++listing->depth] = child_of(graph, known, move);
            listing->tried[listing->depth] = 0;
            continue;
        }
        if (depth == 0)
            listing->ended = true;
        else
            listing->depth--;
        if (known->distance > 0) continue;
        bool right = p15_graph_replay(graph, listing->at[0], listing->path) == P15_OK;
        return right ? P15_LISTING_SOLUTION : P15_LISTING_WRONG;
    }
    return P15_LISTING_ENDED;
}
