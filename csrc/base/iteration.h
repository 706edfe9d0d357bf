/* p15_counts: the nodes that a search has made; p15_iteration: what one iteration of a deepening search has done. */
#ifndef P15_BASE_ITERATION_H
#define P15_BASE_ITERATION_H

#include <stdint.h>

typedef struct {
    uint64_t expanded, generated;
} p15_counts;

typedef struct {
    unsigned bound; /* nodes of a larger f were cut off */
    uint64_t expanded, generated;
} p15_iteration;

static inline void p15_counts_add(p15_counts *sum, p15_counts more) {
    sum->expanded += more.expanded;
    sum->generated += more.generated;
}

#endif
