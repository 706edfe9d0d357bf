/* p15_walk: visits a tree of nodes depth first, within a bound on f = g + h, with any evaluator.
 *
 *     root -> frames[0] -> frames[1] -> .. -> frames[top]     each frame is a child of the one before it, and holds the
 *                                                             number of the child that is made next
 *
 * A walk makes a child, visits it if its f is within the bound, and then makes the next one. The undo of the last move
 * is not made. Children come in a given order of the blank's directions. The first solution met ends the walk.
 *
 * There are two loops, which visit and count the same. The first evaluates each child when it is made. The second, for
 * evaluators that prefer batches and for traces, evaluates all children of a node when it is visited. Only the first loop
 * may have a horizon, a number of moves from the start of the search: nodes there are reported, not expanded. Only the
 * second may have a table, which remembers what was proved of boards (transpositions.h).
 *
 * Memory: 32 kB for the frames, and 120 kB for the second loop. */
#ifndef P15_DEEPENING_WALKS_H
#define P15_DEEPENING_WALKS_H

#include "search/children.h"
#include "search/deepening/transpositions.h"
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

/* A node on the path of a walk. */
typedef struct {
    p15_board board;
    p15_values values;
    uint8_t h, blank, last, next; /* next: the choice to make next */
} p15_frame;

/* The children of a frame, which were evaluated when it was visited. */
typedef struct {
    p15_children children;
    uint32_t cut; /* the smallest f that was cut off below the frame */
    uint8_t open; /* the children within the bound, as bits */
} p15_visited;

typedef struct {
    const p15_search *search; /* whose evaluator, moves, goal and trace it uses; the trace may be taken away */
    p15_choices choices[P15_MAX_CELLS][P15_DIRECTIONS + 1]; /* [the blank's cell][last direction] */
    uint64_t moves;                                         /* to frames[0], as those of a root */
    unsigned depth;                                         /* of frames[0] */
    p15_frame *frames;                                      /* P15_MAX_BOUND + 2 */
    p15_visited *visited;                                   /* as many, for the second loop; NULL: none yet */
    p15_evaluations *batch;                                 /* see p15_children_make */
    p15_transpositions *table;                              /* NULL: none */
    bool at_once;                                           /* the second loop runs */
    unsigned top, bound, horizon;
    unsigned cut;      /* the smallest f beyond the bound; UINT32_MAX while there is none */
    p15_counts counts; /* nodes of this walk: see deepening.h */
} p15_walk;

/* A walk of a search, which is not started yet. P15_ERR_MEMORY; after a failure there is nothing to free. */
p15_status p15_walk_init(const p15_search *search, p15_walk *walk);
void p15_walk_free(p15_walk *walk);

/* Makes room for the second loop, which runs from the next start on if there is a trace or a table. P15_ERR_MEMORY. */
p15_status p15_walk_visit(p15_walk *walk);

/* Begins at a root whose f is within the bound (at most P15_MAX_BOUND), which is nearer than the horizon, and which is
 * not the goal. With a table, all walks are of the same start, with growing bounds, and each has ended. */
void p15_walk_start(p15_walk *walk, const p15_root *root, unsigned bound, unsigned horizon);

/* Goes on for at most *visits children, which it counts down. Returns early between two pieces of growing the table
 * (base/pieces.h). Never returns P15_PART_FAILED. */
p15_progress p15_walk_run(p15_walk *walk, uint64_t *visits);

/* After P15_PART_SOLVED: the length of the path to the goal, and its directions from the start of the search on. */
size_t p15_walk_length(const p15_walk *walk);
void p15_walk_path(const p15_walk *walk, uint8_t *path);

/* The node that P15_PART_HORIZON reports. */
p15_root p15_walk_reached(const p15_walk *walk);

/* Bytes of its frames and its table. */
size_t p15_walk_bytes(const p15_walk *walk);

#endif
