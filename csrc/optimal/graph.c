#include "optimal/graph.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64u /* boards, queries */
#define NO_MOVE P15_MOST_MOVES

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
    return index != P15_NO_BOARD && graph->known[index].exact ? index : P15_NO_BOARD;
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
    uint32_t *slots = calloc(2 * (size_t)capacity, sizeof *slots);
    if (!known || !order || !pending || !slots) {
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
    graph->known[graph->count] = (p15_known){.board = board};
    graph->slots[slot] = ++graph->count;
    return graph->count - 1;
}

/* The board after a move; false beyond the edge. */
static bool neighbour(const p15_graph *graph, p15_board board, unsigned move, p15_board *out) {
    unsigned blank = p15_board_blank(board);
    for (unsigned tiles = move / P15_DIRECTIONS + 1; tiles > 0; tiles--) {
        int cell = graph->steps.cells[blank][move % P15_DIRECTIONS];
        if (cell < 0) return false;
        board = p15_board_slide(board, blank, (unsigned)cell);
        blank = (unsigned)cell;
    }
    *out = board;
    return true;
}

/* ------------------------------------------------------------------------------------------------ paths */

/* A move of a path. */
static unsigned move_of(const p15_graph *graph, const uint8_t *path, unsigned index) {
    if (!graph->multi_tile) return p15_path_move(path, index);
    unsigned here = p15_path_cell(path, index), there = p15_path_cell(path, index + 1), cols = graph->shape.cols;
    bool across = here / cols == there / cols, on = there > here;
    unsigned tiles = (on ? there - here : here - there) / (across ? 1 : cols);
    return (across ? on ? P15_RIGHT : P15_LEFT : on ? P15_DOWN : P15_UP) + P15_DIRECTIONS * (tiles - 1);
}

/* Sets a move of a path, from a board. */
static void set_move(const p15_graph *graph, uint8_t *path, unsigned index, p15_board board, unsigned move) {
    if (!graph->multi_tile) {
        p15_path_set(path, index, move);
        return;
    }
    p15_path_set_cell(path, index, p15_board_blank(board));
    neighbour(graph, board, move, &board);
    p15_path_set_cell(path, index + 1, p15_board_blank(board));
}

/* P15_OK for a path from a board to the goal, or P15_ERR_ANSWER. */
static p15_status replay(const p15_graph *graph, p15_board board, const uint8_t *path, unsigned length) {
    if (!graph->multi_tile) return p15_path_replay(board, graph->goal, graph->shape, path, length);
    return p15_path_replay_cells(board, graph->goal, graph->shape, path, length);
}

/* ------------------------------------------------------------------------------------------------ the graph */

p15_status p15_graph_init(p15_shape shape, p15_board goal, bool multi_tile, p15_graph *graph) {
    static const uint8_t order[P15_DIRECTIONS] = {P15_UP, P15_LEFT, P15_RIGHT, P15_DOWN};
    memset(graph, 0, sizeof *graph);
    graph->shape = shape;
    graph->goal = goal;
    graph->multi_tile = multi_tile;
    graph->move_count = P15_DIRECTIONS;
    graph->most = P15_MAX_LENGTH;
    if (multi_tile) {
        graph->move_count *= (shape.rows > shape.cols ? shape.rows : shape.cols) - 1u;
        graph->most = 2 * P15_PATH_BYTES - 1;
    }
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

/* Notes the distance of a board, and a first move or NO_MOVE. */
static p15_status note(p15_graph *graph, p15_board board, unsigned distance, unsigned move) {
    if (distance > graph->most) return P15_ERR_CORRUPT; /* no board is so far from the goal */
    uint32_t index = find_or_add(graph, board);
    if (index == P15_NO_BOARD) return P15_ERR_MEMORY;
    p15_known *known = &graph->known[index];
    if (known->exact ? known->distance != distance : known->distance > distance) return P15_ERR_CORRUPT;
    known->distance = (uint8_t)distance;
    known->exact = true;
    if (move != NO_MOVE) known->moves |= 1u << move;
    known->whole |= distance == 0;
    return P15_OK;
}

p15_status p15_graph_add_path(p15_graph *graph, p15_board board, unsigned length, const uint8_t *path) {
    if (replay(graph, board, path, length) != P15_OK) return P15_ERR_ANSWER;
    for (unsigned i = 0; i <= length; i++) {
        unsigned move = i < length ? move_of(graph, path, i) : NO_MOVE;
        p15_status status = note(graph, board, length - i, move);
        if (status != P15_OK) return status;
        if (i < length) neighbour(graph, board, move, &board);
    }
    return P15_OK;
}

/* The board after a move that is known to be legal. */
static uint32_t child_of(const p15_graph *graph, const p15_known *known, unsigned move) {
    p15_board child = known->board;
    neighbour(graph, child, move, &child);
    return p15_graph_find(graph, child);
}

/* The board after the lowest first move that is known of another one. */
static uint32_t next_of(const p15_graph *graph, uint32_t index) {
    const p15_known *known = &graph->known[index];
    return child_of(graph, known, p15_lowest_bit(known->moves));
}

p15_status p15_graph_solution(const p15_graph *graph, uint32_t index, uint8_t *path) {
    memset(path, 0, P15_PATH_BYTES);
    for (uint32_t length = 0, at = index; graph->known[at].moves; length++, at = next_of(graph, at))
        set_move(graph, path, length, graph->known[at].board, p15_lowest_bit(graph->known[at].moves));
    return replay(graph, graph->known[index].board, path, graph->known[index].distance);
}

/* ------------------------------------------------------------------------------------------------ queries */

static p15_status add_query(p15_graph *graph, p15_query query) {
    if (graph->query_count == graph->query_capacity) {
        uint32_t capacity = graph->query_capacity ? 2 * graph->query_capacity : FIRST_CAPACITY;
        p15_query *queries = capacity <= UINT32_MAX / 4 ? realloc(graph->queries, capacity * sizeof *queries) : NULL;
        if (!queries) return P15_ERR_MEMORY;
        graph->queries = queries;
        graph->query_capacity = capacity;
    }
    graph->queries[graph->query_count++] = query;
    return P15_OK;
}

/* Adds a query about the board after a move, unless the answer is known: whether it is nearer, or its distance. */
static p15_status query(p15_graph *graph, uint32_t index, unsigned move, bool distance_too) {
    unsigned distance = graph->known[index].distance, direction = move % P15_DIRECTIONS, back = move ^ 3u;
    p15_board child;
    if (!neighbour(graph, graph->known[index].board, move, &child)) return P15_OK;
    uint32_t found = find_or_add(graph, child);
    if (found == P15_NO_BOARD) return P15_ERR_MEMORY;
    const p15_known *known = &graph->known[found];
    if (known->exact) return P15_OK;
    if (distance == 0) return note(graph, child, 1, back);
    p15_query made = {found, (uint8_t)direction, (uint8_t)(distance - 1), (uint8_t)back, (uint8_t)(distance + 1)};
    if (graph->multi_tile && distance_too) {
        made.move = P15_DIRECTIONS;
        made.limit++;
    } else if (graph->multi_tile) {
        if (known->distance >= distance) return P15_OK;
        made.back = NO_MOVE;
    }
    return add_query(graph, made);
}

p15_status p15_graph_query_child(p15_graph *graph, uint32_t index, unsigned move) {
    return query(graph, index, move, true);
}

/* Lists the first moves of a board of whose neighbours it is known whether they are nearer. */
static void finish(p15_graph *graph, p15_known *known) {
    p15_board child;
    for (unsigned move = 0; move < graph->move_count; move++)
        if (!(known->moves >> move & 1u) && neighbour(graph, known->board, move, &child) &&
            graph->known[p15_graph_find(graph, child)].distance < known->distance)
            known->moves |= 1u << move;
    known->whole = true;
    known->pending = false;
}

p15_status p15_graph_query(p15_graph *graph, uint32_t index) {
    if (graph->known[index].whole || graph->known[index].pending) return P15_OK;
    for (unsigned move = 0; move < graph->move_count; move++) {
        if (graph->known[index].moves >> move & 1u) continue;
        p15_status status = query(graph, index, move, false);
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
    for (uint32_t i = 0; i < graph->count; i++) graph->known[i].reached = false;
    graph->order_count = 0;
    graph->order[graph->order_count++] = index;
    graph->known[index].reached = true;
    for (uint32_t i = 0; i < graph->order_count; i++) {
        const p15_known *known = &graph->known[graph->order[i]];
        for (unsigned moves = known->moves; moves; moves &= moves - 1) {
            uint32_t at = child_of(graph, known, p15_lowest_bit(moves));
            if (graph->known[at].reached) continue;
            graph->known[at].reached = true;
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
        const p15_known *known = &graph->known[query->index];
        bool is_beyond = query->back == NO_MOVE && known->distance > query->limit;
        if (!known->exact && !is_beyond) return query;
    }
    for (uint32_t i = 0; i < graph->pending_count; i++) finish(graph, &graph->known[graph->pending[i]]);
    graph->pending_count = graph->query_count = graph->next_query = 0;
    return NULL;
}

p15_status p15_graph_add_result(p15_graph *graph, const p15_result *result) {
    p15_query query = graph->queries[graph->next_query++];
    if (result->status != P15_OK) return result->status;
    p15_known *known = &graph->known[query.index];
    if (result->solved) {
        unsigned least = query.limit - (query.move == P15_DIRECTIONS); /* the board beside it is not nearer than that */
        if (result->length < least || result->length > query.limit) return P15_ERR_CORRUPT;
        return p15_graph_add_path(graph, known->board, result->length, result->path);
    }
    if (query.back != NO_MOVE) return note(graph, known->board, query.beyond, query.back);
    known->distance = (uint8_t)(query.limit + 1);
    return P15_OK;
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

/* The move that is tried as number `index`. */
static unsigned tried_move(const p15_graph *graph, const p15_listing *listing, unsigned index) {
    unsigned lengths = graph->move_count / P15_DIRECTIONS; /* in each direction */
    return listing->order[index / lengths] + P15_DIRECTIONS * (index % lengths);
}

p15_listing_state p15_listing_next(const p15_graph *graph, p15_listing *listing) {
    while (!listing->ended) {
        unsigned depth = listing->depth;
        const p15_known *known = &graph->known[listing->at[depth]];
        if (!known->whole) return P15_LISTING_WAITS;
        uint8_t *tried = &listing->tried[depth];
        while (*tried < graph->move_count && !(known->moves >> tried_move(graph, listing, *tried) & 1u)) ++*tried;
        if (*tried < graph->move_count) {
            unsigned move = tried_move(graph, listing, (*tried)++);
            set_move(graph, listing->path, depth, known->board, move);
            listing->at[++listing->depth] = child_of(graph, known, move);
            listing->tried[listing->depth] = 0;
            continue;
        }
        if (depth == 0)
            listing->ended = true;
        else
            listing->depth--;
        if (known->distance > 0) continue;
        const p15_known *first = &graph->known[listing->at[0]];
        bool right = replay(graph, first->board, listing->path, first->distance) == P15_OK;
        return right ? P15_LISTING_SOLUTION : P15_LISTING_WRONG;
    }
    return P15_LISTING_ENDED;
}
