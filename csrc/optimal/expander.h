/* p15_expander: expands a batch of nodes.
 *
 * Table entries come from main memory, some hundred nanoseconds away. So a batch does not wait for them:
 *
 *     issue      takes nodes from the end of a list, makes their children, and prefetches the children's entries
 *     resume     reads the entries, prunes children beyond the bound, and prefetches the entries of the next lookup;
 *                when all lookups are made, it writes the children to the end of the list
 *
 * Between two of these calls, other batches are issued or resumed.
 *
 * A batch makes one lookup after the other, and first the one that is likely to prune most. There are plain kernels, and
 * those for AVX2 and AVX-512 (optimal/node_batch.h), which have a parent or a child in each of the 8 or 16 parts of a
 * vector. Both write the same nodes in the same order. */
#ifndef P15_OPTIMAL_EXPANDER_H
#define P15_OPTIMAL_EXPANDER_H

#include "optimal/nodes.h"

/* The kernels for the lookups of a problem and a processor's level. */
typedef struct {
    bool columns;   /* the kind of its lists of nodes */
    unsigned width; /* how many nodes a batch takes, if there are as many */
    /* Takes the last `count` nodes of a list, 1 .. P15_MAX_PARENTS. `rows` are those of the fsm. */
    void (*issue)(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b, p15_nodes *nodes, unsigned count,
                  unsigned bound);
    /* Returns whether the batch is done: then its children are written, those within the bound to the end of `nodes`,
     * and if it keeps them those beyond it to the end of `next`. Both have capacity for P15_MOST_CHILDREN more. */
    bool (*resume)(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next);
} p15_expander;

p15_expander p15_expander_pick(const p15_problem *problem);

#endif
