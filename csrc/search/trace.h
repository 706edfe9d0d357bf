/* p15_trace: what a search does, node by node, for people to look at.
 *
 * A search that has a trace writes an expansion for each node that it expands: the node, and its children in the order in
 * which they are made, each with its h and its fate. The search's owner takes the expansions out between two calls that
 * run it.
 *
 *     expansions   [ taken out so far ][ 0 .. count-1: in the order in which they were made                 ]
 *                                        the last `pending` of them: their children's fates may still change
 *
 * Only beam search and beam-stack search have pending expansions: they choose among the children of a level when all of
 * them are made.
 *
 * Searches with and without a trace do the same and count the same. The trace evaluates all children by itself, also
 * those that the search need not evaluate. It belongs to the thread of its search. */
#ifndef P15_SEARCH_TRACE_H
#define P15_SEARCH_TRACE_H

#include "search/heuristics/evaluator.h"

#define P15_NO_BOUND UINT32_MAX /* nothing is cut off */

typedef enum {
    P15_FATE_OPEN,     /* a new node, which is open */
    P15_FATE_KNOWN,    /* dropped: a known board, and no shorter path to it */
    P15_FATE_REOPENED, /* a shorter path to a known board, which is open again */
    P15_FATE_CUT,      /* dropped: beyond the bound */
    P15_FATE_DROPPED,  /* dropped: others are better */
    P15_FATE_COUNT
} p15_fate;

typedef struct {
    p15_board board;
    uint8_t direction; /* of the blank, from the parent */
    uint8_t h;
    uint8_t fate; /* p15_fate */
    uint32_t id;  /* as that of an expansion, once it is open */
} p15_traced_child;

typedef struct {
    p15_board board;
    uint32_t g, h;
    uint32_t iteration, bound; /* as those of the trace at this time */
    uint8_t side, child_count;
    bool goal;   /* the search has found the goal here, and makes no children */
    uint32_t id; /* of a node in a search that forgets nodes, not 0; 0: its board and g identify it */
    p15_traced_child children[P15_DIRECTIONS];
} p15_expansion;

typedef struct {
    p15_shape shape;                /* of the search: p15_search_trace */
    const p15_evaluator *evaluator; /* the same; NULL: each side has its own, and the search writes h down */
    uint32_t iteration, bound;      /* the search sets them: see deepening.h and best_first.h */
    uint8_t side;                   /* 1: the second side of a bidirectional search */
    p15_values values;              /* of the last expansion's node */
    p15_expansion *expansions;
    size_t count, pending, room;
    bool failed;         /* out of memory: from then on, no expansion is kept */
    p15_expansion spare; /* instead of those that are not kept */
} p15_trace;

/* An empty trace, without a bound. */
void p15_trace_init(p15_trace *trace);
void p15_trace_free(p15_trace *trace);

/* Adds the expansion of a node, without children yet. It may be changed until the next call. */
p15_expansion *p15_trace_node(p15_trace *trace, p15_board board, p15_values values, unsigned g, bool goal);

/* The same, and the expansion is pending. */
void p15_trace_pending(p15_trace *trace, p15_board board, p15_values values, unsigned g, bool goal);

/* Adds a child to the last expansion, by a legal move of the blank, and evaluates it. The child may be changed until
 * the next call. */
p15_traced_child *p15_trace_child(p15_trace *trace, unsigned direction, p15_fate fate);

/* Forgets the first `count` expansions. */
void p15_trace_drop(p15_trace *trace, size_t count);

#endif
