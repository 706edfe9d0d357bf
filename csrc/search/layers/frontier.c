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

size_t p15_frontier_bytes(const p15_frontier *layer) { return bytes_of(layer->room); }

/* Files the nodes again, after all places were emptied. */
static void file(p15_frontier *layer) {
    size_t count = layer->count;
    layer->count = 0;
    for (size_t i = 0; i < count; i++) {
        p15_frontier_node node = layer->nodes[i];
        p15_frontier_add(layer, &node, p15_frontier_hash(node.board));
    }
}

bool p15_frontier_grow(p15_frontier *layer, size_t available) {
    size_t room = layer->room < FIRST_ROOM ? FIRST_ROOM : layer->room + layer->room / 2;
    size_t affordable = (size_t)((double)(bytes_of(layer->room) + available) / (double)bytes_of(2) * 2.0);
    if (affordable > MOST_NODES) affordable = MOST_NODES;
    if (room > affordable) room = affordable;
    if (room < FIRST_ROOM || room < layer->room + layer->room / 16) return false;
    p15_frontier_node *nodes = realloc(layer->nodes, room * sizeof *nodes);
    if (!nodes) return false;
    layer->nodes = nodes;
    free(layer->places); /* before there are others, since all of them are filed again */
    layer->places = calloc(room + room / 2, sizeof *layer->places);
    if (!layer->places) {
        p15_frontier_free(layer);
        return false;
    }
    layer->room = room;
    file(layer);
    return true;
}

/* Empties all places. */
static void clear(p15_frontier *layer) {
    size_t places = p15_frontier_places(layer);
    if (layer->count > places / 16) {
        memset(layer->places, 0, places * sizeof *layer->places);
        return;
    }
    /* Few: the run of places from each node's first one on. What another node has left of a run is its beginning. */
    for (size_t i = 0; i < layer->count; i++)
        for (size_t at = p15_frontier_place(layer, p15_frontier_hash(layer->nodes[i].board)); layer->places[at];
             at = at + 1 == places ? 0 : at + 1)
            layer->places[at] = 0;
}

void p15_frontier_keep(p15_frontier *layer, size_t count) {
    if (layer->room) clear(layer);
    layer->count = count;
    file(layer);
}
