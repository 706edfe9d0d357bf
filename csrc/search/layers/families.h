/* p15_families: the children of several nodes of a layer, made at once.
 *
 * Nodes that are expanded one after the other do not depend on each other's children's values. So those of several
 * nodes are evaluated together, which pays with networks, and the places of all are prefetched before any is read.
 *
 * All children but the undo of the first move that led to a node are made. Those that lead back to the layer before are
 * known, and are not evaluated. */
#ifndef P15_LAYERS_FAMILIES_H
#define P15_LAYERS_FAMILIES_H

#include "search/children.h"
#include "search/layers/frontier.h"
#include "search/search.h"

#define P15_MOST_FAMILIES 32u

typedef struct {
    uint64_t hash;
    p15_frontier_node node; /* its origin and moves are for the search to fill */
    bool known;             /* it leads back; node.direction and node.board are all that is there */
} p15_family_child;

typedef struct {
    unsigned count;
    p15_family_child children[P15_DIRECTIONS]; /* in the order of the moves */
} p15_layer_family;

typedef struct {
    p15_evaluations *batch; /* NULL: each child is evaluated when it is made */
    unsigned most;          /* as many families are best made at once */
    p15_layer_family list[P15_MOST_FAMILIES];
} p15_families;

/* P15_ERR_MEMORY, nothing to free then. */
p15_status p15_families_init(const p15_evaluator *evaluator, p15_families *families);
void p15_families_free(p15_families *families);

/* Makes list[0 .. count-1] of so many nodes (at most P15_MOST_FAMILIES), for a layer that they may be added to. */
void p15_families_make(const p15_search *search, p15_families *families, const p15_frontier_node *nodes, size_t count,
                       const p15_frontier *next);

#endif
