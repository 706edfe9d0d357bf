/* p15_iteration: what one iteration of an iterative-deepening search has done. */
#ifndef P15_BASE_ITERATION_H
#define P15_BASE_ITERATION_H

#include <stdint.h>

typedef struct {
    unsigned bound; /* nodes of a larger f were cut off */
    uint64_t expanded, generated;
} p15_iteration;

#endif
