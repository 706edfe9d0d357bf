/* p15_walk: visits a tree of nodes depth first, within a bound on f = g + h, with any evaluator.
 *
 *     root -> frames[0] -> frames[1] -> .. -> frames[top]     each frame is a child of the one before it, and holds the
 *                                                             number of the child that is made next
 *
 * A walk makes a child, visits it if its f is within the bound, and then makes the next one. The undo of the last move
 * is not made. Children come in a given order of the blank's directions. The first solution met ends the walk.
 *
 * A walk may have a horizon: a number of moves from the start of the search. Nodes there are reported, not expanded.
 *
 * Where children are best evaluated together, a frame's children are evaluated when its first one is made. Nothing else
 * depends on that.
 *
 * Memory: 40 kB for the frames, and 32 kB for the values of their children. */
#ifndef P15_DEEPENING_WALKS_H
#define P15_DEEPENING_WALKS_H

#include "search/search.h"

#define P15_MAX_BOUND 1000        /* and so the most moves of a solution */
#define P15_NO_HORIZON UINT32_MAX /* no node is so far away */
#define P15_MOST_HORIZON 32u      /* the moves to such a node are one word */

_Static_assert(P15_MAX_BOUND >= P15_FARTHEST && 2 * P15_MOST_HORIZON <= 64, "room for any shortest solution");

/* How far a part of a depth-first search has come. */
typedef enum {
    P15_PART_RUNNING, /* there is more to do */
    P15_PART_HORIZON, /* a walk has reached a node at its horizon, and continues behind it */
    P15_PART_ENDED,   /* every node was visited, and none of them is the goal */
    P15_PART_SOLVED,  /* the goal was met */
    P15_PART_FAILED   /* out of memory */
} p15_progress;

/* The root of a tree. */
typedef struct {
    p15_board board;
    p15_values values;
    uint64_t moves; /* from the start of the search, 2 bits each, the last one lowest */
    uint8_t depth;  /* how many moves, at most P15_MOST_HORIZON */
    uint8_t h, blank;
    uint8_t last; /* direction of the last move; P15_DIRECTIONS: none */
} p15_root;

/* The children of a node, in the order of the search. */
typedef struct {
    uint8_t count, directions[P15_DIRECTIONS], cells[P15_DIRECTIONS];
} p15_choices;

/* A node on the way of a walk. */
typedef struct {
    p15_board board;
    p15_values values;
    uint8_t h, blank, last, next; /* next: the choice to make next */
} p15_frame;

typedef struct {
    const p15_search *search; /* whose evaluator, moves, goal and trace it uses; the trace may be taken away */
    p15_choices choices[P15_MAX_CELLS][P15_DIRECTIONS + 1]; /* [the blank's cell][last direction] */
    uint64_t moves;                                         /* to frames[0], as those of a root */
    unsigned depth;                                         /* of frames[0] */
    p15_frame *frames;                                      /* P15_MAX_BOUND + 2 */
    p15_values (*values)[P15_DIRECTIONS];                   /* of the frames' children; NULL: when each one is made */
    p15_evaluations *batch;                                 /* for that */
    unsigned top, bound, horizon;
    unsigned cut;                 /* the smallest f beyond the bound; UINT32_MAX while there is none */
    uint64_t expanded, generated; /* nodes of this walk: see deepening.h */
    uint8_t path[P15_MAX_BOUND];  /* to the goal that was met last, as directions of the blank from the start on */
    unsigned length;
} p15_walk;

/* A walk of a search, which is not started yet. P15_ERR_MEMORY; after a failure there is nothing to free. */
p15_status p15_walk_init(const p15_search *search, p15_walk *walk);
void p15_walk_free(p15_walk *walk);

/* Begins at a root whose f is within the bound (at most P15_MAX_BOUND), which is nearer than the horizon, and which is
 * not the goal. */
void p15_walk_start(p15_walk *walk, const p15_root *root, unsigned bound, unsigned horizon);

/* Goes on for at most *visits children, which it counts down. Never returns P15_PART_FAILED. */
p15_progress p15_walk_run(p15_walk *walk, uint64_t *visits);

/* The node that P15_PART_HORIZON tells of. */
p15_root p15_walk_reached(const p15_walk *walk);

#endif
