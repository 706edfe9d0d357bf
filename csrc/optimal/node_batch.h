/* p15_node_batch: nodes that are expanded together, and their children (optimal/expander.h). */
#ifndef P15_OPTIMAL_NODE_BATCH_H
#define P15_OPTIMAL_NODE_BATCH_H

#include "optimal/nodes.h"

#define P15_MAX_PARENTS 16u
#define P15_LINE 64u /* bytes of a cache line, and of a vector */
#define P15_MOST_CHILDREN (P15_MAX_PARENTS * P15_DIRECTIONS)
#define P15_CHILD_CAPACITY (P15_MOST_CHILDREN + P15_MAX_PARENTS) /* vectors write beyond the last one */

/* A child: parent 0..3, direction 4..5, blank's cell before the move 6..9, tile 10..13, state 16..31. */
typedef uint32_t p15_batch_child;

/* Every array that vectors read begins with a cache line. */
typedef struct {
    _Alignas(P15_LINE) uint32_t
        parents[P15_MAX_WORDS * P15_MAX_PARENTS]; /* as in the list: [word][P15_MAX_PARENTS], or [parent][word] */
    uint32_t slack[P15_MAX_PARENTS];              /* the largest h of a child within the bound */
    uint32_t lookup_h[P15_MAX_LOOKUPS][P15_MAX_PARENTS];
    p15_batch_child children[P15_CHILD_CAPACITY];
    uint32_t h[P15_CHILD_CAPACITY];                       /* the largest of the lookups made */
    uint32_t low[P15_MAX_LOOKUPS][P15_CHILD_CAPACITY];    /* the pattern state that changes: its low half */
    uint32_t high[P15_MAX_LOOKUPS][P15_CHILD_CAPACITY];   /* its high half */
    uint64_t bytes[P15_MAX_LOOKUPS][P15_CHILD_CAPACITY];  /* addresses of the entries */
    uint32_t shifts[P15_MAX_LOOKUPS][P15_CHILD_CAPACITY]; /* of the entries in their bytes */
    uint8_t entries[P15_CHILD_CAPACITY];                  /* the bytes of the last lookup */
    unsigned parent_count, child_count;                   /* no parents: the batch is idle */
    bool keeping;                                         /* children beyond the bound are wanted, too */
    unsigned first, looked_up;                            /* the first lookup, and how many were made */
    unsigned goal; /* when it is done: the first child with h = 0, or child_count */
} p15_node_batch;

/* How many nodes a problem's batches have. 14: their children, 2.1 each, mostly fill two vectors of 16, and those left
 * fill one. 1: in the textbook search, and where one pattern has all tiles, so that h leads to the goal. */
static inline unsigned p15_node_batch_size(const p15_problem *problem) {
    bool exact = false;
    for (unsigned v = 0; v < problem->lookup_count; v++)
        exact |= problem->lookups[v].pattern_end - problem->lookups[v].pattern_begin == 1;
    return problem->plain || exact ? 1 : 14;
}

/* The directions in the order of a batch's children: those that move a tile up or down, and the others. */
static const uint8_t p15_child_order[P15_DIRECTIONS] = {P15_DOWN, P15_UP, P15_RIGHT, P15_LEFT};

P15_INLINE unsigned p15_child_parent(p15_batch_child c) { return c & 15u; }
P15_INLINE unsigned p15_child_move(p15_batch_child c) { return c >> 4 & 3u; }
P15_INLINE unsigned p15_child_blank(p15_batch_child c) { return c >> 6 & 15u; }
P15_INLINE unsigned p15_child_tile(p15_batch_child c) { return c >> 10 & 15u; }
P15_INLINE unsigned p15_child_state(p15_batch_child c) { return c >> 16; }

/* A word of parent i. */
static inline uint32_t p15_parent_word(const p15_node_batch *b, const p15_nodes *nodes, unsigned i, unsigned word) {
    return b->parents[nodes->columns ? word * P15_MAX_PARENTS + i : i * nodes->word_count + word];
}

#endif
