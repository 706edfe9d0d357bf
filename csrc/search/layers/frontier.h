/* p15_frontier: the boards at one depth of a breadth-first search, in the order of their coming, found by board.
 *
 *     nodes    [ 0 | 1 | 2 | .. count-1 |     ]  32 bytes each
 *     slots   open addressing: [ tag | number + 1 ] in 8 bytes, 0: empty; a third of them stays empty
 *
 * A slot holds half of the board's hash, so that a lookup of a board that is not there rarely reads a node: it costs
 * one cache miss.
 *
 * A board beside one of depth d is at depth d - 1 or d + 1, and never at d: the blank's cell has another colour. Each
 * node knows from which directions it was reached. Those lead back to the layer before, whose nodes were all
 * expanded. So no look-up needs that layer (R. Korf, W. Zhang, I. Thayer, H. Hohwald: Frontier search, JACM 52, 2005).
 *
 * Growing and clearing a large layer is a long job: p15_frontier_settle does it piece by piece (base/pieces.h).
 *
 * Cost: 44 bytes a node when it is full. One thread at a time. */
#ifndef P15_LAYERS_FRONTIER_H
#define P15_LAYERS_FRONTIER_H

#include "search/children.h"

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

typedef struct {
    p15_frontier_node *nodes;
    uint64_t *slots;
    size_t count, room; /* nodes; slots: half as many more than room */
    size_t old_nodes;   /* the first ones, whose slots are yet to be emptied */
    size_t old_slots;   /* the first ones, which are yet to be emptied, all of them */
    size_t unfiled;     /* nodes, the first ones, which are yet to be filed */
} p15_frontier;

void p15_frontier_free(p15_frontier *layer); /* and leaves it empty, without room */

/* Room for half as many nodes more, or for as many as the memory affords, once the layer is settled. False: for not
 * even 1/16 more, or for not even 64 in the beginning; nothing has changed, or, where the system has no memory, the layer
 * is empty. */
bool p15_frontier_grow(p15_frontier *layer, p15_memory *memory);

/* Adds the start of a search to an empty layer. False: no room. */
bool p15_frontier_begin(p15_frontier *layer, p15_search *search);

/* Keeps the first `count` nodes of a settled layer, whose order may have changed, once it is settled again. */
void p15_frontier_keep(p15_frontier *layer, size_t count);

/* A piece of what growing and keeping leave to be done. False: call it again; until then, nothing can be found or added. */
bool p15_frontier_settle(p15_frontier *layer);

static inline bool p15_frontier_settled(const p15_frontier *layer) {
    return layer->old_nodes + layer->old_slots + layer->unfiled == 0;
}

/* Mixes a board into 64 bits, no two of them into the same: also an order without any meaning, for ties. */
P15_INLINE uint64_t p15_frontier_hash(p15_board board) {
    board = (board ^ board >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (board ^ board >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

P15_INLINE size_t p15_frontier_slot_count(const p15_frontier *layer) { return layer->room + layer->room / 2; }

P15_INLINE size_t p15_frontier_slot(const p15_frontier *layer, uint64_t hash) {
    return (size_t)((hash >> 32) * p15_frontier_slot_count(layer) >> 32);
}

P15_INLINE void p15_frontier_prefetch(const p15_frontier *layer, uint64_t hash) {
    P15_PREFETCH(layer->slots + p15_frontier_slot(layer, hash));
}

/* The node of a board, or NULL. */
P15_INLINE p15_frontier_node *p15_frontier_find(const p15_frontier *layer, p15_board board, uint64_t hash) {
    size_t slots = p15_frontier_slot_count(layer);
    if (slots == 0) return NULL;
    for (size_t at = p15_frontier_slot(layer, hash); layer->slots[at]; at = at + 1 == slots ? 0 : at + 1) {
        if (layer->slots[at] >> 32 != (hash & UINT32_MAX)) continue;
        p15_frontier_node *node = &layer->nodes[(layer->slots[at] & UINT32_MAX) - 1];
        if (node->board == board) return node;
    }
    return NULL;
}

/* Gives a node its slot, by its number from 1 on. */
P15_INLINE void p15_frontier_file(p15_frontier *layer, size_t number, uint64_t hash) {
    size_t at = p15_frontier_slot(layer, hash), slots = p15_frontier_slot_count(layer);
    while (layer->slots[at]) at = at + 1 == slots ? 0 : at + 1;
    layer->slots[at] = hash << 32 | number;
}

/* Adds a node whose board is not there. There is room: count < room. */
P15_INLINE void p15_frontier_add(p15_frontier *layer, const p15_frontier_node *node, uint64_t hash) {
    layer->nodes[layer->count++] = *node;
    p15_frontier_file(layer, layer->count, hash);
}

/* Adds a child to a layer, or notes that its board was reached by another move. *added says which. False: no room. */
P15_INLINE bool p15_frontier_keep_child(p15_frontier *layer, p15_memory *memory, const p15_frontier_node *node,
                                        uint64_t hash, bool *added) {
    p15_frontier_node *there = p15_frontier_find(layer, node->board, hash);
    *added = there == NULL;
    if (there) {
        there->back |= node->back;
        return true;
    }
    if (layer->count == layer->room) {
        if (!p15_frontier_grow(layer, memory)) return false;
        while (!p15_frontier_settle(layer)) continue; /* it is small, or this is rare: p15_layer_batch_next */
    }
    p15_frontier_add(layer, node, hash);
    return true;
}

/* ------------------------------------------------------------------------------------------------ children of several nodes
 *
 * The children of several nodes of a layer are made at once, because they do not depend on each other. So they are
 * evaluated together, which pays with networks, and the slots of all are prefetched before any is read.
 *
 * All children but the undo of the first move that led to a node are made. Those that lead back to the layer before are
 * known, and are not evaluated. */

#define P15_MOST_LAYER_BATCH 32u

typedef struct {
    uint64_t hash;
    p15_frontier_node node; /* its origin and moves are for the search to fill */
    bool known;             /* it leads back; node.direction and node.board are all that is there */
} p15_layer_child;

typedef struct {
    unsigned count;
    p15_layer_child list[P15_DIRECTIONS]; /* in the order of the moves */
} p15_layer_children;

typedef struct {
    unsigned most; /* of so many nodes, the children are best made at once */
    p15_layer_children nodes[P15_MOST_LAYER_BATCH];
} p15_layer_batch;

/* With the evaluations that it needs. P15_ERR_MEMORY. */
p15_status p15_layer_batch_init(p15_search *search, p15_layer_batch *batch);

/* Makes the children of the next nodes of a layer from `at` on, at most `limit`. Returns how many; 0: `next` begins to
 * grow so that their children fit, or the search has ended, because there is no memory. */
size_t p15_layer_batch_next(p15_search *search, p15_layer_batch *batch, const p15_frontier *now, size_t at,
                            uint64_t limit, p15_frontier *next);

#endif
