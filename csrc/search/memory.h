/* p15_memory: how many bytes the nodes of a search use, and may use. All tables of nodes of a search share one. */
#ifndef P15_SEARCH_MEMORY_H
#define P15_SEARCH_MEMORY_H

#include "base/cpu.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t used, most;
    size_t
        tables; /* bytes of the used ones that are closed tables, which grow in steps; all else grows with the nodes */
} p15_memory;

P15_INLINE size_t p15_memory_left(const p15_memory *memory) {
    return memory->used < memory->most ? memory->most - memory->used : 0;
}

/* Counts some more bytes as used. False, nothing changed: fewer are left. */
P15_INLINE bool p15_memory_take(p15_memory *memory, size_t bytes) {
    if (bytes > p15_memory_left(memory)) return false;
    memory->used += bytes;
    return true;
}

#endif
