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
 * may have trees (trees.h): from a horizon on, they count the nodes below a child, unless the goal or the limit is among
 * them. Only the second may have a table, which remembers what was proved of boards (transpositions.h).
 *
 * Memory: 32 kB for the frames, and 120 kB for the second loop. */
#ifndef P15_DEEPENING_WALKS_H
#define P15_DEEPENING_WALKS_H

#include "search/children.h"
#include "search/deepening/transpositions.h"
#include "search/deepening/trees.h"
#include "search/search.h"

#define P15_MAX_BOUND 1000 /* and so the most moves of a solution */

_Static_assert(P15_MAX_BOUND >= P15_FARTHEST, "room for any shortest solution");

typedef enum {
    P15_WALK_RUNNING, /* there is more to do */
    P15_WALK_ENDED,   /* every node was visited, and none of them is the goal */
    P15_WALK_SOLVED,  /* the goal was met */
    P15_WALK_NO_ROOM  /* no memory for more nodes: only in batches (batches.h) */
} p15_progress;

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
    p15_frame *frames;                                      /* P15_MAX_BOUND + 2 */
    p15_visited *visited;                                   /* as many, for the second loop; NULL: none yet */
    p15_transpositions *table;                              /* NULL: none */
    bool at_once;                                           /* the second loop runs */
    p15_trees *trees;                                       /* NULL: none */
    unsigned horizon;                                       /* of the trees: the depth at which they begin */
    uint64_t limit;                                         /* trees let no more nodes be generated */
    unsigned top, bound;
    unsigned cut;       /* the smallest f beyond the bound; UINT32_MAX while there is none */
    p15_counts counts;  /* nodes of this walk: see deepening.h */
    p15_layers *layers; /* where they are counted, too; NULL: nowhere */
} p15_walk;

/* A walk of a search, which is not started yet. P15_ERR_MEMORY; after a failure there is nothing to free. */
p15_status p15_walk_init(const p15_search *search, p15_walk *walk);
void p15_walk_free(p15_walk *walk);

/* Makes room for the second loop, which runs from the next start on if there is a trace or a table. P15_ERR_MEMORY. */
p15_status p15_walk_visit(p15_walk *walk);

/* Begins at the start of the search, whose f is within the bound (at most P15_MAX_BOUND), and which is not the goal. With
 * a table, bounds grow, and each walk has ended. */
void p15_walk_start(p15_walk *walk, unsigned bound);

/* Goes on for about *visits children, which it counts down; only trees make more. Returns early between two pieces of
 * growing the table (base/pieces.h). */
p15_progress p15_walk_run(p15_walk *walk, uint64_t *visits);

/* After P15_WALK_SOLVED: the length of the path to the goal, and its directions from the start of the search on. */
size_t p15_walk_length(const p15_walk *walk);
void p15_walk_path(const p15_walk *walk, uint8_t *path);

/* Bytes of its frames, its table and its trees. */
size_t p15_walk_bytes(const p15_walk *walk);

#endif
