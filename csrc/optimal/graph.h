/* p15_graph: boards whose distance to the goal is known, and first moves of their shortest solutions, in either metric.
 *
 * A shortest solution gives the distances of all boards on it. A query asks about a board next to one that is d moves
 * away: is it at most d - 1 moves away? If so, a first move of a shortest solution leads to it. If not, it is d + 1
 * single-tile moves away; but d or d + 1 multi-tile moves, so another query may ask whether it is at most d away. The
 * graph grows by paths and by queries:
 *
 *     p15_graph_add_path         boards on a shortest solution
 *     p15_graph_query            queries about the boards next to a known one
 *     p15_graph_next_query       the next query that is still open
 *     p15_idastar_begin          searches for its result (optimal/idastar.h)
 *     p15_graph_add_result       adds the board of the query, or a path of boards
 *
 * When each neighbour of a board is known or further away, all first moves of its shortest solutions are known: the
 * board is *whole*.
 *
 * A move is a number: the blank's direction, and 4 for each tile that slides with the first one. So single-tile moves
 * are directions, and the move back is `move ^ 3`.
 *
 * Cost: 20 bytes per board, 8 to 16 for finding it, and 8 per query. A query takes much more time than all else.
 * Threads: one at a time. */
#ifndef P15_OPTIMAL_GRAPH_H
#define P15_OPTIMAL_GRAPH_H

#include "base/moves.h"
#include "optimal/idastar.h"

#define P15_NO_BOARD UINT32_MAX
#define P15_NOT_KNOWN 255u /* in place of a distance that is not known */
#define P15_MOST_MOVES 28u /* numbers of moves: lines have at most 8 cells */

typedef struct {
    p15_board board;
    uint32_t moves; /* bit m: move m is known to begin a shortest solution */
    uint8_t distance;
    bool exact : 1;   /* the distance is known; otherwise `distance` is a lower bound */
    bool whole : 1;   /* no other move begins one */
    bool pending : 1; /* there are open queries about its neighbours */
    bool reached : 1; /* by the last p15_graph_reach */
} p15_known;

_Static_assert(sizeof(p15_known) == 16, "four fit in a cache line");

static inline bool p15_known_is_whole(const p15_known *known) { return known->whole; }

/* Is a board at most `limit` moves away? */
typedef struct {
    uint32_t index;       /* of the board */
    uint8_t move, limit;  /* of its search (p15_idastar_begin) */
    uint8_t back, beyond; /* if not, its distance is `beyond`, and its first move `back`; P15_MOST_MOVES: unknown */
} p15_query;

typedef struct {
    p15_shape shape;
    p15_board goal;
    bool multi_tile;
    unsigned move_count; /* 4, or more with multi-tile moves on boards larger than 2x2 */
    unsigned most;       /* moves of a path */
    p15_moves steps;
    /* arrays of the same capacity */
    p15_known *known;                 /* [count], in the order in which they came */
    uint32_t *order, order_count;     /* p15_graph_reach */
    uint32_t *pending, pending_count; /* the boards about whose neighbours there are open queries */
    uint32_t count, capacity;
    uint32_t *slots, slot_mask; /* open addressing: index + 1, or 0 */
    p15_query *queries;         /* those before next_query have results */
    uint32_t query_count, query_capacity, next_query;
} p15_graph;

/* A graph without boards, in the single-tile or the multi-tile metric. P15_ERR_MEMORY: there is nothing to free. */
p15_status p15_graph_init(p15_shape shape, p15_board goal, bool multi_tile, p15_graph *graph);
void p15_graph_free(p15_graph *graph);

/* Forgets all boards. */
void p15_graph_clear(p15_graph *graph);

/* The index of a board in graph->known, P15_NO_BOARD for one that is not there. */
uint32_t p15_graph_find(const p15_graph *graph, p15_board board);

/* The same of boards whose distance is known. */
uint32_t p15_graph_find_known(const p15_graph *graph, p15_board board);

/* Adds the boards on a shortest solution, the goal too; a path of the metric (base/path.h). P15_ERR_MEMORY;
 * P15_ERR_ANSWER when it is no solution; P15_ERR_CORRUPT when a board's distance is known to be another one: then it was
 * no shortest solution, and the tables are damaged. */
p15_status p15_graph_add_path(p15_graph *graph, p15_board board, unsigned length, const uint8_t *path);

/* A shortest solution of a known board, replayed: it follows a first move that is known from each board to the next. */
p15_status p15_graph_solution(const p15_graph *graph, uint32_t index, uint8_t *path);

/* Adds queries about the neighbours of a known board that are not known. When all queries have results, the board is
 * whole. P15_ERR_MEMORY. */
p15_status p15_graph_query(p15_graph *graph, uint32_t index);

/* Adds a query about one neighbour, for its distance. */
p15_status p15_graph_query_child(p15_graph *graph, uint32_t index, unsigned move);

/* p15_graph_query for a known board, and for all boards on one of its shortest solutions. */
p15_status p15_graph_query_path(p15_graph *graph, uint32_t index);

/* Finds the boards that known first moves lead to from a known board: graph->order[0 .. order_count-1], in the order
 * of falling distances, beginning with the board. Adds queries about those that are not whole. P15_ERR_MEMORY. */
p15_status p15_graph_reach(p15_graph *graph, uint32_t index);

/* The next open query; NULL when there is none: then the boards with queries about their neighbours are whole. The
 * pointer is good until the next query is added. */
const p15_query *p15_graph_next_query(p15_graph *graph);

/* Adds the result of the query that p15_graph_next_query has given last. P15_ERR_MEMORY; P15_ERR_CORRUPT when it
 * contradicts what is known, or the status of the result: then the graph is of no use any more. */
p15_status p15_graph_add_result(p15_graph *graph, const p15_result *result);

/* ------------------------------------------------------------------------------------------------ all solutions
 *
 * All shortest solutions of a board are the paths that first moves lead along down to the goal. So a board has as many as
 * all boards that its first moves lead to have together, which takes one pass over the boards in the order of rising
 * distances. Solutions are ordered by their moves, from the first move on, and moves by an order of directions that is
 * given: order[0] comes first. Of two moves in one direction, that of fewer tiles comes first. */

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
