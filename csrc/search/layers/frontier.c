#include "search/layers/frontier.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64u
#define MOST_NODES (UINT32_MAX - 1)

static size_t bytes_of(size_t room) { return room * sizeof(p15_frontier_node) + (room + room / 2) * sizeof(uint64_t); }

void p15_frontier_free(p15_frontier *layer) {
    free(layer->nodes);
    free(layer->places);
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
    free(layer->places); /* before there are others, since all nodes are filed again */
    layer->places = calloc(room + room / 2, sizeof *layer->places);
    memory->used += bytes_of(room) - before;
    if (!layer->places) {
        memory->used -= bytes_of(room);
        p15_frontier_free(layer);
        return false;
    }
    layer->room = room;
    layer->unfiled = layer->count;
    return true;
}

void p15_frontier_keep(p15_frontier *layer, size_t count) {
    size_t places = p15_frontier_places(layer);
    if (layer->count > places / 16)
        layer->old_places = places;
    else
        layer->old_nodes = layer->count;
    layer->count = layer->unfiled = count;
}

/* Empties the run of places from a node's first one on. What another node has left of a run is its beginning. */
static void empty_run(p15_frontier *layer, const p15_frontier_node *node) {
    size_t places = p15_frontier_places(layer);
    for (size_t at = p15_frontier_place(layer, p15_frontier_hash(node->board)); layer->places[at];
         at = at + 1 == places ? 0 : at + 1)
        layer->places[at] = 0;
}

bool p15_frontier_settle(p15_frontier *layer) {
    size_t left = P15_PIECE;
    for (; layer->old_nodes > 0 && left > 0; left--) empty_run(layer, &layer->nodes[--layer->old_nodes]);
    for (; layer->old_places > 0 && left > 0; left--) {
        size_t line = layer->old_places < 8 ? layer->old_places : 8;
        memset(layer->places + (layer->old_places -= line), 0, line * sizeof *layer->places);
    }
    for (; layer->unfiled > 0 && left > 0; left--) {
        size_t number = layer->unfiled--;
        p15_frontier_file(layer, number, p15_frontier_hash(layer->nodes[number - 1].board));
    }
    return p15_frontier_settled(layer);
}
