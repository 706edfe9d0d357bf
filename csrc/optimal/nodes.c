#include "optimal/nodes.h"

#include <stdlib.h>

#define FIRST_CAPACITY 272u /* not a power of two: then the columns of a node would be in the same set of a cache */

bool p15_nodes_grow(p15_nodes *nodes, uint32_t more) {
    size_t least = (size_t)nodes->count + more + P15_NODES_BEHIND,
           capacity = nodes->capacity ? nodes->capacity : FIRST_CAPACITY;
    while (capacity < least) capacity *= 2;
    if (capacity > UINT32_MAX / 2) return false;
    uint32_t *words = malloc(capacity * nodes->word_count * sizeof *words);
    if (!words) return false;
    if (nodes->columns)
        for (unsigned w = 0; w < nodes->word_count && nodes->count > 0; w++)
            memcpy(words + w * capacity, nodes->words + w * (size_t)nodes->capacity, nodes->count * sizeof *words);
    else if (nodes->count > 0)
        memcpy(words, nodes->words, nodes->count * (size_t)nodes->word_count * sizeof *words);
    free(nodes->words);
    nodes->words = words;
    nodes->capacity = (uint32_t)capacity;
    return true;
}

void p15_nodes_free(p15_nodes *nodes) {
    free(nodes->words);
    nodes->words = NULL;
    nodes->count = nodes->capacity = 0;
}
