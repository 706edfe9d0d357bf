#include "optimal/graph.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64u /* boards */

/* ------------------------------------------------------------------------------------------------ finding */

static uint32_t slot_of(const p15_graph *graph, p15_board board) {
    uint32_t slot = (uint32_t)((board ^ board >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & graph->slot_mask;
    for (uint32_t at; (at = graph->slots[slot]) && graph->known[at - 1].board != board;)
        slot = (slot + 1) & graph->slot_mask;
    return slot;
}

uint32_t p15_graph_find(const p15_graph *graph, p15_board board) {
    uint32_t at = graph->slots[slot_of(graph, board)];
    return at ? at - 1 : P15_NO_BOARD;
}

uint32_t p15_graph_find_known(const p15_graph *graph, p15_board board) {
    uint32_t index = p15_graph_find(graph, board);
    return index != P15_NO_BOARD && graph->known[index].distance != P15_NOT_KNOWN ? index : P15_NO_BOARD;
}

/* Doubles the capacity for boards, and the slots, which are twice to four times as many. */
static p15_status grow(p15_graph *graph) {
    uint32_t capacity = graph->capacity ? 2 * graph->capacity : FIRST_CAPACITY;
    if (capacity > UINT32_MAX / 4) return P15_ERR_MEMORY;
    p15_known *known = realloc(graph->known, capacity * sizeof *known);
    if (known) graph->known = known;
    uint32_t *order = realloc(graph->order, capacity * sizeof *order);
    if (order) graph->order = order;
    uint32_t *pending = realloc(graph->pending, capacity * sizeof *pending);
    if (pending) graph->pending = pending;
    p15_query *queries = realloc(graph->queries, capacity * sizeof *queries);
    if (queries) graph->queries = queries;
    uint32_t *slots = calloc(2 * (size_t)capacity, sizeof *slots);
    if (!known || !order || !pending || !queries || !slots) {
        free(slots);
        return P15_ERR_MEMORY;
    }
    free(graph->slots);
    graph->slots = slots;
    graph->slot_mask = 2 * capacity - 1;
    graph->capacity = capacity;
    for (uint32_t i = 0; i < graph->count; i++) graph->slots[slot_of(graph, known[i].board)] = i + 1;
    return P15_OK;
}

/* The index of a board; it is added if it is not there. P15_NO_BOARD for want of memory. */
static uint32_t find_or_add(p15_graph *graph, p15_board board) {
    uint32_t slot = slot_of(graph, board);
    if (graph->slots[slot]) return graph->slots[slot] - 1;
    if (graph->count == graph->capacity) {
        if (grow(graph) != P15_OK) return P15_NO_BOARD;
        slot = slot_of(graph, board);
    }
    graph->known[graph->count] = (p15_known){.board = board, .distance = P15_NOT_KNOWN};
    graph->slots[slot] = ++graph->count;
    return graph->count - 1;
}

/* The neighbour of a board in a direction; false beyond the edge. */
static bool neighbour(const p15_graph *graph, p15_board board, unsigned move, p15_board *out) {
    unsigned blank = p15_board_blank(board);
    int cell = graph->steps.cells[blank][move];
    if (cell >= 0) *out = p15_board_slide(board, blank, (unsigned)cell);
    return cell >= 0;
}

/* ------------------------------------------------------------------------------------------------ the graph */

p15_status p15_graph_init(p15_shape shape, p15_board goal, p15_graph *graph) {
    static const uint8_t order[P15_DIRECTIONS] = {P15_UP, P15_LEFT, P15_RIGHT, P15_DOWN};
    memset(graph, 0, sizeof *graph);
    graph->shape = shape;
    graph->goal = goal;
    p15_status status = p15_moves_init(shape, order, &graph->steps);
    if (status == P15_OK) status = grow(graph);
    if (status != P15_OK) p15_graph_free(graph);
    return status;
}

void p15_graph_free(p15_graph *graph) {
    free(graph->known);
    free(graph->slots);
    free(graph->order);
    free(graph->pending);
    free(graph->queries);
    memset(graph, 0, sizeof *graph);
}

void p15_graph_clear(p15_graph *graph) {
    memset(graph->slots, 0, ((size_t)graph->slot_mask + 1) * sizeof *graph->slots);
    graph->count = graph->order_count = graph->pending_count = graph->query_count = graph->next_query = 0;
}

/* Notes the distance of a board, and a first move: P15_DIRECTIONS for none. */
static p15_status note(p15_graph *graph, p15_board board, unsigned distance, unsigned move) {
    if (distance > P15_MAX_LENGTH) return P15_ERR_CORRUPT; /* no board is so far from the goal */
    uint32_t index = find_or_add(graph, board);
    if (index == P15_NO_BOARD) return P15_ERR_MEMORY;
    p15_known *known = &graph->known[index];
    if (known->distance != P15_NOT_KNOWN && known->distance != distance) return P15_ERR_CORRUPT;
    known->distance = (uint8_t)distance;
    known->moves |= (uint8_t)(1u << move & 15u);
    known->whole |= distance == 0;
    return P15_OK;
}

p15_status p15_graph_add_path(p15_graph *graph, p15_board board, unsigned length, const uint8_t *path) {
    if (p15_path_replay(board, graph->goal, graph->shape, path, length) != P15_OK) return P15_ERR_ANSWER;
    for (unsigned i = 0; i <= length; i++) {
        unsigned move = i < length ? p15_path_move(path, i) : P15_DIRECTIONS;
        p15_status status = note(graph, board, length - i, move);
        if (status != P15_OK) return status;
        if (i < length) board = p15_moves_apply(&graph->steps, board, move);
    }
    return P15_OK;
}

static uint32_t child_of(const p15_graph *graph, const p15_known *known, unsigned move) {
    return p15_graph_find(graph, p15_moves_apply(&graph->steps, known->board, move));
}

/* The board after the lowest first move that is known of another one. */
static uint32_t next_of(const p15_graph *graph, uint32_t index) {
    const p15_known *known = &graph->known[index];
    return child_of(graph, known, p15_lowest_bit(known->moves));
}

/* P15_OK for a shortest solution that was made from the graph, or P15_ERR_ANSWER if it is none. */
static p15_status replay(const p15_graph *graph, uint32_t index, const uint8_t *path) {
    const p15_known *known = &graph->known[index];
    return p15_path_replay(known->board, graph->goal, graph->shape, path, known->distance);
}

p15_status p15_graph_solution(const p15_graph *graph, uint32_t index, uint8_t *path) {
    memset(path, 0, P15_PATH_BYTES);
    for (uint32_t length = 0, at = index; graph->known[at].moves; length++, at = next_of(graph, at))
        p15_path_set(path, length, p15_lowest_bit(graph->known[at].moves));
    return replay(graph, index, path);
}

/* ------------------------------------------------------------------------------------------------ queries */

p15_status p15_graph_query_child(p15_graph *graph, uint32_t index, unsigned move) {
    unsigned distance = graph->known[index].distance;
    p15_board child;
    if (!neighbour(graph, graph->known[index].board, move, &child) || p15_graph_find(graph, child) != P15_NO_BOARD)
        return P15_OK;
    uint32_t found = find_or_add(graph, child);
    if (found == P15_NO_BOARD) return P15_ERR_MEMORY;
    if (distance == 0) return note(graph, child, 1, 3 - move);
    graph->queries[graph->query_count++] = (p15_query){found, (uint8_t)move, (uint8_t)(distance - 1)};
    return P15_OK;
}

/* Lists the first moves of a board whose neighbours are known. */
static void finish(p15_graph *graph, p15_known *known) {
    p15_board child;
    for (unsigned move = 0; move < P15_DIRECTIONS; move++)
        if (!(known->moves >> move & 1u) && neighbour(graph, known->board, move, &child) &&
            graph->known[p15_graph_find(graph, child)].distance < known->distance)
            known->moves |= (uint8_t)(1u << move);
    known->whole = true;
    known->pending = false;
}

p15_status p15_graph_query(p15_graph *graph, uint32_t index) {
    if (graph->known[index].whole || graph->known[index].pending) return P15_OK;
    for (unsigned move = 0; move < P15_DIRECTIONS; move++) {
        if (graph->known[index].moves >> move & 1u) continue;
        p15_status status = p15_graph_query_child(graph, index, move);
        if (status != P15_OK) return status;
    }
    graph->pending[graph->pending_count++] = index;
    graph->known[index].pending = true;
    return P15_OK;
}

p15_status p15_graph_query_path(p15_graph *graph, uint32_t index) {
    for (; graph->known[index].distance > 0; index = next_of(graph, index)) {
        p15_status status = p15_graph_query(graph, index);
        if (status != P15_OK) return status;
    }
    return P15_OK;
}

p15_status p15_graph_reach(p15_graph *graph, uint32_t index) {
    uint32_t mark = ++graph->last_mark;
    graph->order_count = 0;
    graph->order[graph->order_count++] = index;
    graph->known[index].mark = mark;
    for (uint32_t i = 0; i < graph->order_count; i++) {
        const p15_known *known = &graph->known[graph->order[i]];
        for (unsigned moves = known->moves; moves; moves &= moves - 1) {
            uint32_t at = child_of(graph, known, p15_lowest_bit(moves));
            if (graph->known[at].mark == mark) continue;
            graph->known[at].mark = mark;
            graph->order[graph->order_count++] = at;
        }
    }
    for (uint32_t i = 0; i < graph->order_count; i++) {
        p15_status status = p15_graph_query(graph, graph->order[i]);
        if (status != P15_OK) return status;
    }
    return P15_OK;
}

const p15_query *p15_graph_next_query(p15_graph *graph) {
    for (; graph->next_query < graph->query_count; graph->next_query++) {
        const p15_query *query = &graph->queries[graph->next_query];
        if (graph->known[query->index].distance == P15_NOT_KNOWN) return query;
    }
    for (uint32_t i = 0; i < graph->pending_count; i++) finish(graph, &graph->known[graph->pending[i]]);
    graph->pending_count = graph->query_count = graph->next_query = 0;
    return NULL;
}

p15_status p15_graph_add_result(p15_graph *graph, const p15_result *result) {
    p15_query query = graph->queries[graph->next_query++];
    if (result->status != P15_OK) return result->status;
    p15_board board = graph->known[query.index].board;
    if (!result->solved) return note(graph, board, query.limit + 2u, 3u - query.move);
    if (result->length != query.limit) return P15_ERR_CORRUPT;
    return p15_graph_add_path(graph, board, result->length, result->path);
}

/* ------------------------------------------------------------------------------------------------ all solutions */

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
        bool right = replay(graph, listing->at[0], listing->path) == P15_OK;
        return right ? P15_LISTING_SOLUTION : P15_LISTING_WRONG;
    }
    return P15_LISTING_ENDED;
}
