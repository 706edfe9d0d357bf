#include "optimal/solutions.h"

#include <stdlib.h>
#include <string.h>

static uint32_t child_of(const p15_graph *graph, const p15_known *known, unsigned move) {
    return p15_graph_find(graph, p15_moves_apply(&graph->steps, known->board, move));
}

p15_status p15_solutions_count(const p15_graph *graph, uint64_t counts[P15_COUNT_WORDS]) {
    uint32_t (*all)[2 * P15_COUNT_WORDS] = calloc(graph->count, sizeof *all); /* half words: sums show their carry */
    if (!all) return P15_ERR_MEMORY;
    for (uint32_t i = graph->order_count; i-- > 0;) {
        const p15_known *known = &graph->known[graph->order[i]];
        uint32_t *sum = all[graph->order[i]];
        sum[0] = known->distance == 0;
        for (unsigned moves = known->moves; moves; moves &= moves - 1) {
            const uint32_t *term = all[child_of(graph, known, p15_lowest_bit(moves))];
            uint64_t carry = 0;
            for (unsigned half = 0; half < 2 * P15_COUNT_WORDS; half++) {
                carry += (uint64_t)sum[half] + term[half];
                sum[half] = (uint32_t)carry;
                carry >>= 32;
            }
        }
    }
    const uint32_t *first = all[graph->order[0]];
    for (unsigned word = 0; word < P15_COUNT_WORDS; word++)
        counts[word] = first[2 * word] | (uint64_t)first[2 * word + 1] << 32;
    free(all);
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ fewest runs */

/* The fewest runs of a board's solutions after a move, the run of this move left out; `first` is the move that comes
 * next, P15_DIRECTIONS at the goal. */
static unsigned fewest_after(const uint8_t runs[P15_DIRECTIONS], unsigned moves, unsigned before,
                             const uint8_t order[P15_DIRECTIONS], unsigned *first) {
    unsigned least = moves ? 255u : 0u;
    *first = P15_DIRECTIONS;
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
        unsigned move = order[i], own = (unsigned)runs[move] - (move == before);
        if (!(moves >> move & 1u) || own >= least) continue;
        least = own;
        *first = move;
    }
    return least;
}

p15_status p15_solutions_fewest_runs(const p15_graph *graph, const uint8_t order[P15_DIRECTIONS], uint8_t *path,
                                     unsigned *runs) {
    uint8_t (*all)[P15_DIRECTIONS] = calloc(graph->count, sizeof *all);
    if (!all) return P15_ERR_MEMORY;
    unsigned first;
    for (uint32_t i = graph->order_count; i-- > 0;) {
        const p15_known *known = &graph->known[graph->order[i]];
        for (unsigned moves = known->moves; moves; moves &= moves - 1) {
            unsigned move = p15_lowest_bit(moves);
            uint32_t child = child_of(graph, known, move);
            all[graph->order[i]][move] =
                (uint8_t)(1 + fewest_after(all[child], graph->known[child].moves, move, order, &first));
        }
    }
    const p15_known *known = &graph->known[graph->order[0]];
    memset(path, 0, P15_PATH_BYTES);
    *runs = fewest_after(all[graph->order[0]], known->moves, P15_DIRECTIONS, order, &first);
    for (unsigned length = 0; first < P15_DIRECTIONS; length++) {
        p15_path_set(path, length, first);
        uint32_t child = child_of(graph, known, first);
        known = &graph->known[child];
        fewest_after(all[child], known->moves, first, order, &first);
    }
    free(all);
    return p15_graph_replay(graph, graph->order[0], path);
}

/* ------------------------------------------------------------------------------------------------ a list */

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
