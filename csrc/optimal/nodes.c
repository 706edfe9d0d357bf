#include "optimal/nodes.h"

#include <stdlib.h>

#define FIRST_ROOM 272u /* not a power of two: then the columns of a node would be in the same set of a cache */

bool p15_nodes_grow(p15_nodes *nodes, uint32_t more) {
    size_t least = (size_t)nodes->count + more + P15_NODES_BEHIND, room = nodes->room ? nodes->room : FIRST_ROOM;
    while (room < least) room *= 2;
    if (room > UINT32_MAX / 2) return false;
    uint32_t *words = malloc(room * nodes->word_count * sizeof *words);
    if (!words) return false;
    if (nodes->columns)
        for (unsigned w = 0; w < nodes->word_count && nodes->count > 0; w++)
            memcpy(words + w * room, nodes->words + w * (size_t)nodes->room, nodes->count * sizeof *words);
    else if (nodes->count > 0)
        memcpy(words, nodes->words, nodes->count * (size_t)nodes->word_count * sizeof *words);
    free(nodes->words);
    nodes->words = words;
    nodes->room = (uint32_t)room;
    return true;
}

void p15_nodes_free(p15_nodes *nodes) {
    free(nodes->words);
    nodes->words = NULL;
    nodes->count = nodes->room = 0;
}
