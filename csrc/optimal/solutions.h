/* p15_solutions: all shortest solutions of a board, counted and listed.
 *
 * They are the paths that first moves lead along in a graph of known boards (optimal/graph.h) down to the goal. So a
 * board has as many as all boards that its first moves lead to have together, which takes one pass over the boards in the
 * order of rising distances.
 *
 * Solutions are ordered by their moves, from the first move on, and moves by an order that is given: order[0] comes
 * first. */
#ifndef P15_OPTIMAL_SOLUTIONS_H
#define P15_OPTIMAL_SOLUTIONS_H

#include "optimal/graph.h"

/* How many shortest solutions the first board of graph->order has; UINT64_MAX stands for all numbers from it on. The
 * boards of the order must be whole. P15_ERR_MEMORY. */
p15_status p15_solutions_count(const p15_graph *graph, uint64_t *count);

/* A list of all shortest solutions of a board. */
typedef struct {
    uint32_t at[P15_MAX_LENGTH + 1];   /* the boards of the present solution */
    uint8_t tried[P15_MAX_LENGTH + 1]; /* how many of the order's moves were tried at each */
    uint8_t path[P15_PATH_BYTES];
    uint8_t order[P15_DIRECTIONS];
    unsigned depth;
    bool ended;
} p15_listing;

typedef enum {
    P15_LISTING_SOLUTION, /* listing->path is the next solution, replayed */
    P15_LISTING_WRONG,    /* it does not lead to the goal: a fault of this library */
    P15_LISTING_ENDED,    /* there is no further one */
    P15_LISTING_WAITS     /* listing->at[listing->depth] must be whole before the list can go on */
} p15_listing_state;

void p15_listing_begin(uint32_t index, const uint8_t order[P15_DIRECTIONS], p15_listing *listing);
p15_listing_state p15_listing_next(const p15_graph *graph, p15_listing *listing);

#endif
