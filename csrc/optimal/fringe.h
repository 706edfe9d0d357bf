/* p15_fringe: the search for shortest solutions in single-tile moves: its frontier, and how slots search below it.
 *
 * The nodes that an iteration cuts off are the frontier. The next iteration goes on from them instead of beginning at
 * the root: it takes those of smaller h first, so that the last iteration meets the goal early (fringe search:
 * Bjornsson, Enzenberger, Holte & Schaeffer 2005). So the frontier advances. Once it has more than a few hundred nodes,
 * they become fixed roots: from then on every iteration searches below them, in the order of the smallest h that the
 * iterations before have seen below each (A*+IDA*: Bu & Korf 2019).
 *
 * Nodes are expanded in batches (optimal/expander.h), up to 14 together, the latest ones first. Once an iteration has been
 * large, the fixed roots are divided into subtrees for several slots. A frontier of more nodes than problem->max_frontier
 * is not kept; the one before it has the fixed roots. The finite-state machine (optimal/fsm.h) prunes moves that lead to
 * duplicates. A large search goes on with longer sequences of it, which prune more nodes but take time to make
 * (p15_idastar_lengthen). */
#ifndef P15_OPTIMAL_FRINGE_H
#define P15_OPTIMAL_FRINGE_H

#include "optimal/expander.h"
#include "optimal/worker.h"

#define P15_MAX_SUBTREES 256u /* of a frontier that slots share */

/* Its problems are p15_problem. */
extern const p15_metric P15_SINGLE_TILE;

/* ------------------------------------------------------------------------------------------------ for fringe.c */

/* Nodes of the frontier below which one slot searches at a time. */
typedef struct {
    uint32_t begin, end; /* fringe->order */
} p15_subtree;

/* The phase of a search decides what becomes of the nodes that are cut off. */
typedef enum {
    P15_FRINGE_KEEPS,    /* the frontier advances: they are the next one */
    P15_FRINGE_ADVANCES, /* the same, but there will be no next iteration, or they are too many: they are not kept */
    P15_FRINGE_FIXED     /* the frontier's nodes are fixed roots */
} p15_fringe_phase;

typedef struct {
    p15_idastar base;
    const p15_fsm *fsm;
    bool decision; /* whether a move has led to the board: only the iteration of the limit matters */
    uint8_t move;
    p15_board known;                           /* the latest board, or the one before its move; 0: none */
    p15_state states[P15_MAX_LOOKUP_PATTERNS]; /* of `known` */
    p15_fringe_phase phase;
    p15_nodes frontier, next; /* next: what is cut off in this iteration, and will be the next frontier */
    uint32_t *order;          /* [frontier.capacity] nodes of the frontier, the most promising first */
    uint32_t order_capacity;
    uint8_t *seen; /* [frontier.capacity] for each fixed root the smallest h seen below it */
    p15_subtree subtrees[P15_MAX_SUBTREES];
    uint32_t subtree_count;
} p15_fringe;

#endif
