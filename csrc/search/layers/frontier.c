#include "search/layers/frontier.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64u
#define MOST_NODES (UINT32_MAX - 1)
#define AHEAD 8u /* nodes whose children's slots are prefetched together, where children are evaluated one by one */

static size_t bytes_of(size_t room) { return room * sizeof(p15_frontier_node) + (room + room / 2) * sizeof(uint64_t); }

void p15_frontier_free(p15_frontier *layer) {
    free(layer->nodes);
    free(layer->slots);
    *layer = (p15_frontier){0};
}

bool p15_frontier_grow(p15_frontier *layer, p15_memory *memory) {
    size_t room = layer->room < FIRST_ROOM ? FIRST_ROOM : layer->room + layer->room / 2, before = bytes_of(layer->room);
    size_t affordable = (size_t)((double)(before + p15_memory_left(memory)) / (double)bytes_of(2) * 2.0);
    if (affordable > MOST_NODES) affordable = MOST_NODES;
    if (room > affordable) room = affordable;
    if (room < FIRST_ROOM || room < layer->room + layer->room / 16) return false;
    p15_frontier_node *nodes = realloc(layer->nodes, room * sizeof *nodes);
    if (!nodes) return false;
    layer->nodes = nodes;
    free(layer->slots); /* before there are others, since all nodes are filed again */
    layer->slots = calloc(room + room / 2, sizeof *layer->slots);
    memory->used += bytes_of(room) - before;
    if (!layer->slots) {
        memory->used -= bytes_of(room);
        p15_frontier_free(layer);
        return false;
    }
    layer->room = room;
    layer->unfiled = layer->count;
    return true;
}

bool p15_frontier_begin(p15_frontier *layer, p15_search *search) {
    if (layer->room == 0 && !p15_frontier_grow(layer, &search->memory)) return false;
    p15_frontier_node node = {.board = search->start,
                              .values = search->values,
                              .h = (uint8_t)search->h,
                              .blank = (uint8_t)p15_board_blank(search->start),
                              .direction = P15_DIRECTIONS};
    p15_frontier_add(layer, &node, p15_frontier_hash(search->start));
    return true;
}

void p15_frontier_keep(p15_frontier *layer, size_t count) {
    size_t slots = p15_frontier_slot_count(layer);
    if (layer->count > slots / 16)
        layer->old_slots = slots;
    else
        layer->old_nodes = layer->count;
    layer->count = layer->unfiled = count;
}

/* Empties the run of slots from a node's first one on. Emptying other nodes' runs may have left the beginning of it. */
static void empty_run(p15_frontier *layer, const p15_frontier_node *node) {
    size_t slots = p15_frontier_slot_count(layer);
    for (size_t at = p15_frontier_slot(layer, p15_frontier_hash(node->board)); layer->slots[at];
         at = at + 1 == slots ? 0 : at + 1)
        layer->slots[at] = 0;
}

bool p15_frontier_settle(p15_frontier *layer) {
    size_t left = P15_PIECE;
    for (; layer->old_nodes > 0 && left > 0; left--) empty_run(layer, &layer->nodes[--layer->old_nodes]);
    for (; layer->old_slots > 0 && left > 0; left--) {
        size_t line = layer->old_slots < 8 ? layer->old_slots : 8;
        memset(layer->slots + (layer->old_slots -= line), 0, line * sizeof *layer->slots);
    }
    for (; layer->unfiled > 0 && left > 0; left--) {
        size_t number = layer->unfiled--;
        p15_frontier_file(layer, number, p15_frontier_hash(layer->nodes[number - 1].board));
    }
    return p15_frontier_settled(layer);
}

/* ------------------------------------------------------------------------------------------------ children of several nodes */

p15_status p15_layer_batch_init(p15_search *search, p15_layer_batch *batch) {
    batch->most = p15_evaluator_prefers_batches(search->evaluator) ? P15_MOST_LAYER_BATCH : AHEAD;
    return p15_search_batch(search, (size_t)P15_MOST_LAYER_BATCH * P15_DIRECTIONS);
}

static void set_values(p15_frontier_node *node, p15_values values) {
    node->values = values;
    node->h = (uint8_t)p15_values_h(values);
}

/* The values of a child. */
P15_INLINE p15_values evaluate(const p15_search *search, const p15_frontier_node *parent, const p15_child *child) {
    p15_values values;
    if (search->changes) {
        unsigned tile = p15_board_tile(child->board, parent->blank);
        return (p15_values)((int)parent->values + (*search->changes)[parent->blank][child->direction][tile]);
    }
    p15_evaluator_child(search->evaluator, parent->board, parent->values, parent->blank, child->direction, &values);
    return values;
}

static void make_children(const p15_search *search, const p15_frontier_node *parent, p15_layer_children *children,
                          const p15_frontier *next) {
    p15_evaluations *batch = search->batches[0];
    p15_child made[P15_DIRECTIONS];
    children->count = p15_child_make(&search->moves, parent->board, parent->blank, parent->direction, made);
    for (unsigned i = 0; i < children->count; i++) {
        p15_layer_child *child = &children->list[i];
        unsigned direction = made[i].direction;
        child->node = (p15_frontier_node){.board = made[i].board,
                                          .blank = made[i].blank,
                                          .direction = made[i].direction,
                                          .back = (uint8_t)(1u << (3u - direction))};
        child->known = parent->back >> direction & 1u;
        if (child->known) continue;
        child->hash = p15_frontier_hash(made[i].board);
        if (next->room) p15_frontier_prefetch(next, child->hash);
        if (batch)
            p15_evaluations_add(batch, parent->board, parent->values, parent->blank, direction);
        else
            set_values(&child->node, evaluate(search, parent, &made[i]));
    }
}

size_t p15_layer_batch_next(p15_search *search, p15_layer_batch *batch, const p15_frontier *now, size_t at,
                            uint64_t limit, p15_frontier *next) {
    size_t count = now->count - at;
    if (count > batch->most) count = batch->most;
    if (count > limit) count = (size_t)limit;
    /* Growing that takes several pieces begins before the children come. */
    if (next->room > P15_PIECE && next->count + count * P15_DIRECTIONS > next->room) {
        if (p15_frontier_grow(next, &search->memory)) return 0;
        if (next->room == 0) return p15_search_end(search, P15_SEARCH_NO_ROOM); /* its nodes are lost */
    }
    for (size_t i = 0; i < count; i++) make_children(search, &now->nodes[at + i], &batch->nodes[i], next);
    if (!search->batches[0]) return count;
    const p15_values *values = p15_evaluations_run(search->batches[0]);
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < batch->nodes[i].count; j++)
            if (!batch->nodes[i].list[j].known) set_values(&batch->nodes[i].list[j].node, *values++);
    return count;
}
