/* p15_frontier: the boards at one depth of a breadth-first search, in the order of their coming, found by board.
 *
 *     nodes    [ 0 | 1 | 2 | .. count-1 |     ]  32 bytes each
 *     places   open addressing: [ tag | number + 1 ] in 8 bytes, 0: empty; a third of them stays empty
 *
 * A place holds half of the board's hash, so that a look-up of a board that is not there seldom reads a node: it costs
 * one cache miss.
 *
 * A board beside one of depth d is at depth d - 1 or d + 1, and never at d: the blank's cell has another colour. Each
 * node knows from which directions it was reached. Those are the ways back to the layer before, whose nodes were all
 * expanded. So no look-up needs that layer (R. Korf, W. Zhang, I. Thayer, H. Hohwald: Frontier search, JACM 52, 2005).
 *
 * Growing and clearing a large layer is a long job: p15_frontier_settle does it piece by piece (base/pieces.h).
 *
 * Cost: 44 bytes a node when it is full. One thread at a time. */
#ifndef P15_LAYERS_FRONTIER_H
#define P15_LAYERS_FRONTIER_H

#include "base/pieces.h"
#include "search/heuristics/evaluator.h"
#include "search/memory.h"

typedef struct {
    p15_board board;
    p15_values values;
    uint64_t moves;    /* for breadth_first.h: the blank's last moves, 2 bits each, the last one lowest */
    uint32_t origin;   /* the number of an ancestor: see the searches */
    uint8_t h;         /* of the board */
    uint8_t blank;     /* its cell */
    uint8_t direction; /* of the first move that led here; P15_DIRECTIONS: none */
    uint8_t back;      /* the directions that lead to the layer before, as bits */
} p15_frontier_node;

_Static_assert(sizeof(p15_frontier_node) == 32, "two nodes share a cache line");

/* The node of a start. */
static inline p15_frontier_node p15_frontier_start(p15_board board, p15_values values, unsigned h) {
    return (p15_frontier_node){.board = board,
                               .values = values,
                               .h = (uint8_t)h,
                               .blank = (uint8_t)p15_board_blank(board),
                               .direction = P15_DIRECTIONS};
}

typedef struct {
    p15_frontier_node *nodes;
    uint64_t *places;
    size_t count, room; /* nodes; places: half as many more than room */
    size_t old_nodes;   /* the first ones, whose places are yet to be emptied */
    size_t old_places;  /* the first ones, which are yet to be emptied, all of them */
    size_t unfiled;     /* nodes, the first ones, which are yet to be filed */
} p15_frontier;

void p15_frontier_free(p15_frontier *layer); /* and leaves it empty, without room */

/* Room for half as many nodes more, or for as many as the memory affords, once the layer is settled. False: for not
 * even 1/16 more, or for not even 64 in the beginning; nothing has changed, or, where the system has no memory, the layer
 * is empty. */
bool p15_frontier_grow(p15_frontier *layer, p15_memory *memory);

/* Keeps the first `count` nodes of a settled layer, whose order may have changed, once it is settled again. */
void p15_frontier_keep(p15_frontier *layer, size_t count);

/* A piece of what growing and keeping leave to be done. False: come again; until then, nothing can be found or added. */
bool p15_frontier_settle(p15_frontier *layer);

static inline bool p15_frontier_settled(const p15_frontier *layer) {
    return layer->old_nodes + layer->old_places + layer->unfiled == 0;
}

/* Whether growing to hold `more` nodes should be begun before they come, since it would take several pieces. */
static inline bool p15_frontier_crowded(const p15_frontier *layer, size_t more) {
    return layer->room > P15_PIECE && layer->count + more > layer->room;
}

/* Mixes a board into 64 bits, no two of them into the same: also an order without any meaning, for ties. */
P15_INLINE uint64_t p15_frontier_hash(p15_board board) {
    board = (board ^ board >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (board ^ board >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

P15_INLINE size_t p15_frontier_places(const p15_frontier *layer) { return layer->room + layer->room / 2; }

P15_INLINE size_t p15_frontier_place(const p15_frontier *layer, uint64_t hash) {
    return (size_t)((hash >> 32) * p15_frontier_places(layer) >> 32);
}

P15_INLINE void p15_frontier_prefetch(const p15_frontier *layer, uint64_t hash) {
    P15_PREFETCH(layer->places + p15_frontier_place(layer, hash));
}

/* The node of a board, or NULL. */
P15_INLINE p15_frontier_node *p15_frontier_find(const p15_frontier *layer, p15_board board, uint64_t hash) {
    size_t places = p15_frontier_places(layer);
    if (places == 0) return NULL;
    for (size_t at = p15_frontier_place(layer, hash); layer->places[at]; at = at + 1 == places ? 0 : at + 1) {
        if (layer->places[at] >> 32 != (hash & UINT32_MAX)) continue;
        p15_frontier_node *node = &layer->nodes[(layer->places[at] & UINT32_MAX) - 1];
        if (node->board == board) return node;
    }
    return NULL;
}

/* Gives a node its place, by its number from 1 on. */
P15_INLINE void p15_frontier_file(p15_frontier *layer, size_t number, uint64_t hash) {
    size_t at = p15_frontier_place(layer, hash), places = p15_frontier_places(layer);
    while (layer->places[at]) at = at + 1 == places ? 0 : at + 1;
    layer->places[at] = hash << 32 | number;
}

/* Adds a node whose board is not there. There is room: count < room. */
P15_INLINE void p15_frontier_add(p15_frontier *layer, const p15_frontier_node *node, uint64_t hash) {
    layer->nodes[layer->count++] = *node;
    p15_frontier_file(layer, layer->count, hash);
}

#endif
