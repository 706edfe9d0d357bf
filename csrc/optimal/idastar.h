/* p15_idastar: iterative-deepening A* (Korf 1985) over the maximum of several views of additive tables.
 *
 * A view is a partition's tables seen through a symmetry of the board that keeps the home. The h of a view is the sum of
 * its patterns' values, h of a node the maximum over views. For a child only the pattern of the moved tile changes, so a
 * child costs one table look-up a view, and its value follows from the parent's.
 *
 * Three things make the search fast:
 *
 *   - Lanes. A table of 178 MB answers from main memory, some hundred nanoseconds away. A worker holds several lanes,
 *     each a depth-first search of its own. A visit to a lane takes in the table bytes it asked for last time, chooses the
 *     next node, computes where its children's bytes lie and asks for them; by the next visit they have come.
 *   - Words. The automaton (optimal/automaton.h) leaves out moves that lead to duplicates.
 *   - The fringe. The nodes that an iteration cuts off are kept, and the next iteration goes on from them instead of
 *     beginning at the root: those of smaller h first, so that the last iteration meets the goal early (fringe search:
 *     Bjornsson, Enzenberger, Holte & Schaeffer 2005). A fringe that has grown beyond a few hundred nodes stays where it
 *     is: from then on every iteration searches the subtrees below it, in the order of the smallest h each saw in the
 *     iteration before (A*+IDA*: Bu & Korf 2019).
 *
 * The answer of an iteration is that of the first subtree, in this order, that reaches the goal, and the counts are those
 * of the subtrees up to it. A fringe that moves is one lane's work. So solution, expanded and generated do not depend on
 * the number of lanes, workers or threads.
 *
 * Ownership: a p15_problem points to tables and an automaton that outlive it, and into itself: it stays where it was made.
 * A search and a worker point to their problem. A worker that was stopped in the middle of a search or a batch is deleted.
 * Threads: a problem is read-only. One worker belongs to one thread. Several workers may run the same search, or share a
 * batch; the calls that end an iteration are made by one thread while no worker runs. */
#ifndef P15_OPTIMAL_IDASTAR_H
#define P15_OPTIMAL_IDASTAR_H

#include "optimal/automaton.h"
#include "base/cpu.h"
#include "optimal/path.h"
#include "tables/table.h"

#include <stdatomic.h>

#define P15_MAX_VIEWS 16
#define P15_MAX_PLACES 48 /* patterns over all views */
#define P15_MAX_LANES 16
#define P15_MAX_ITERATIONS 64
#define P15_NO_LIMIT 255u /* more than any solution's length */

/* Where the tiles of one pattern stand in one view, in one word:
 *
 *     bits  0..23   perm            bits 40..55   row; for classic tables the Manhattan distance
 *     bits 24..39   map             bits 56..63   value */
typedef uint64_t p15_place;

/* What looking up an entry needs of a place's table: one cache line. */
typedef struct {
    const uint8_t *payload;
    const uint64_t *maps;
    const uint16_t *high, *first_rows, *last_rows;
    const uint8_t *low;
    size_t row_bytes;
    const p15_table *table;
} p15_lookup;

/* What a move of the blank from a cell in a direction does to the pattern of the moved tile, in one view. */
typedef struct {
    uint16_t flip;       /* the tile's cell before and after */
    uint16_t below_from; /* the cells below each; without the tile's own cell */
    uint16_t below_to;
    uint8_t region_shift; /* of the blank's new cell in the map's record */
    uint8_t from_cell, to_cell;
} p15_step;

typedef struct {
    uint8_t cell_to[P15_MAX_CELLS];  /* the symmetry: the view's cell for a cell of the board */
    uint8_t place_of[P15_MAX_CELLS]; /* index of the place that a tile belongs to */
    uint8_t place_begin, place_end;
    bool transposed;                               /* horizontal moves of the board are vertical in the view */
    p15_step steps[P15_MAX_CELLS][P15_DIRECTIONS]; /* [blank's cell][direction of the blank] */
} p15_view;

typedef struct {
    p15_shape shape;
    unsigned home;
    p15_board goal; /* p15_board_goal(shape, home) */
    bool classic;   /* the format of all tables */
    p15_cpu cpu;
    bool plain;          /* the textbook search: moves in fixed order, every iteration from the root */
    unsigned lane_count; /* 1 .. P15_MAX_LANES */
    const p15_automaton *automaton;
    unsigned view_count, place_count;
    p15_view views[P15_MAX_VIEWS];
    p15_lookup lookups[P15_MAX_PLACES]; /* of each place */
    p15_table tables[P15_MAX_PLACES];
    uint8_t label_of[P15_MAX_PLACES][P15_MAX_CELLS]; /* of a tile, in the place it belongs to */
} p15_problem;

/* Starts a problem without views. P15_ERR_ARGUMENT when home is no cell. */
p15_status p15_problem_init(p15_shape shape, unsigned home, const p15_automaton *automaton, p15_problem *problem);

/* Adds the view of tables (a partition: every tile in exactly one) through a symmetry, as p15_symmetries gives it, that
 * keeps the home. P15_ERR_PATTERN when it is no such symmetry, or the tables are no partition, differ in format or home,
 * or are too many. */
p15_status p15_problem_add_view(p15_problem *problem, const p15_table *tables, unsigned table_count,
                                const uint8_t *cell_to);

/* Lets a place look up the same table in other memory. Call it while no worker runs; the old memory must stay as long as
 * the workers that there are. P15_ERR_ARGUMENT unless it is a table of the same pattern, space and format. */
p15_status p15_problem_move_table(p15_problem *problem, unsigned place, const p15_table *table);

/* The heuristic of a board, and of each view (views may be NULL). P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT. */
p15_status p15_heuristic(const p15_problem *problem, p15_board board, unsigned *h, uint8_t *views);

typedef struct {
    unsigned bound;
    uint64_t expanded, generated;
} p15_iteration;

typedef struct {
    p15_status status; /* P15_OK: ran to the goal or to a limit; else what was wrong with the board or a table */
    bool solved;       /* false: a limit stopped it */
    uint8_t length, lower_bound;  /* lower_bound: no solution is shorter */
    uint8_t path[P15_PATH_BYTES]; /* optimal/path.h, in the problem's orientation */
    uint64_t expanded, generated;
    double seconds; /* wall time, divided by the number of searches that shared the thread */
    unsigned iteration_count;
} p15_result;

/* ---- one board */

typedef struct p15_search p15_search;

/* A search of one board for a solution of at most `limit` moves, P15_NO_LIMIT for one of any length; P15_ERR_UNSOLVABLE,
 * P15_ERR_CORRUPT or P15_ERR_MEMORY without one. No iteration's bound exceeds the limit: a search that would need one
 * ends unsolved, with P15_OK and that bound as its lower bound. Until then the limit changes nothing. */
p15_status p15_search_new(const p15_problem *problem, p15_board board, unsigned limit, p15_search **search);
void p15_search_delete(p15_search *search);

typedef struct p15_worker p15_worker;

p15_status p15_worker_new(const p15_problem *problem, p15_worker **worker);
void p15_worker_delete(p15_worker *worker);

/* Nodes that this worker made since it was made itself: for limits. */
uint64_t p15_worker_generated(const p15_worker *worker);
uint64_t p15_worker_expanded(const p15_worker *worker);

/* Works on the search's present iteration for about `visits` node visits. Returns true while there is more to do, false
 * when nothing is left for this worker to do in this iteration. */
bool p15_worker_run(p15_worker *worker, p15_search *search, uint64_t visits);

/* Ends an iteration after every worker that ran is done with it, all of them given, and prepares the next one. Returns
 * false when the search has ended: it is solved, its limit is reached, or result.status says what went wrong. */
bool p15_search_advance(p15_search *search, p15_worker *const *workers, unsigned worker_count);

/* What is known so far: bounds, counts of finished iterations, and after the end the solution. Running counts of an
 * iteration that a limit cut short are the worker's. */
void p15_search_result(const p15_search *search, p15_result *result, p15_iteration *iterations);

/* ---- many boards */

typedef struct {
    const p15_board *boards;
    const uint8_t *limits; /* [count], as of p15_search_new; NULL: none has one */
    p15_result *results;   /* [count] */
    size_t count;
    atomic_size_t next, done; /* shared by all workers */
} p15_batch;

/* Starts a batch. Boards whose result already has a status other than P15_OK will be passed over. */
void p15_batch_start(const p15_board *boards, const uint8_t *limits, p15_result *results, size_t count,
                     p15_batch *batch);

/* How many boards are done. */
size_t p15_batch_done(const p15_batch *batch);

/* Solves boards of the batch, one a lane, for about `visits` node visits, of which beginning a board counts as some.
 * Returns true while there is more to do. */
bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits);

#endif
