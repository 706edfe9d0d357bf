/* p15_idastar: IDA* (Korf 1985) on one board, in either metric: its iterations, and the subtrees that slots share.
 *
 * An iteration searches subtrees in a fixed order. The metric says which they are: those below a frontier
 * (optimal/fringe.h), or those some moves below the root (multitile/search.h). A subtree is one slot's work
 * (optimal/worker.h).
 *
 * The result of an iteration is that of the first subtree, in order, that reaches the goal, and the counts are those of
 * the subtrees up to it. So neither depends on the number of slots, workers or threads. Every solution is replayed: its
 * moves must be legal, and lead to the goal.
 *
 * Ownership: a search points to its problem, which outlives it.
 * Threads: the calls of this header are made by one thread while no worker runs, unless noted otherwise. */
#ifndef P15_OPTIMAL_IDASTAR_H
#define P15_OPTIMAL_IDASTAR_H

#include "base/iteration.h"
#include "base/path.h"

#include <stdatomic.h>

#define P15_NO_LIMIT 255u                           /* longer than any solution */
#define P15_MAX_ITERATIONS (P15_MAX_LENGTH / 2 + 1) /* bounds grow by 2; by 1 in the metric of shorter solutions */

typedef struct p15_idastar p15_idastar;
typedef struct p15_metric p15_metric; /* P15_SINGLE_TILE: optimal/fringe.h; P15_MULTI_TILE: multitile/search.h */

typedef struct {
    p15_status status;            /* P15_OK: ran to the goal or to a limit; otherwise what went wrong */
    bool solved;                  /* false: a limit stopped it */
    uint8_t length, lower_bound;  /* lower_bound: no solution is shorter */
    uint8_t path[P15_PATH_BYTES]; /* base/path.h */
    uint64_t expanded, generated;
    double seconds; /* wall time, divided by the number of searches that shared the thread */
    unsigned iteration_count;
} p15_result;

/* A search of no board yet, to begin many boards with, one after the other. The problem is one of the metric. NULL: no
 * memory. */
p15_idastar *p15_idastar_new(const p15_metric *metric, const void *problem);
void p15_idastar_delete(p15_idastar *search); /* NULL is fine */

/* Begins with a board, to find a solution of at most `limit` moves: P15_NO_LIMIT for one of any length. A search that
 * would need a bound beyond the limit ends unsolved, with P15_OK and that bound as its lower bound.
 *
 * If `move` is a direction, it has led to the board, and the search only decides whether there is a solution of at most
 * `limit` moves that does not undo it; of multi-tile moves, one that does not go on along its line. Otherwise `move` is
 * P15_DIRECTIONS.
 *
 * P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT or P15_ERR_MEMORY: there is nothing to run. */
p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned move, unsigned limit);

/* Called between two iterations: after a large one, takes the problem's machine for longer sequences, if the metric has
 * one. False: it was not given yet. */
bool p15_idastar_lengthen(p15_idastar *search);

/* What is known so far: bounds, counts of finished iterations, and after the end the solution. `iterations` (NULL is
 * fine) has capacity for P15_MAX_ITERATIONS. Safe while workers run. */
void p15_idastar_result(const p15_idastar *search, p15_result *result, p15_iteration *iterations);

/* ------------------------------------------------------------------------------------- for the metrics and worker.c */

#define P15_NO_SUBTREE UINT32_MAX

typedef struct p15_worker p15_worker;
typedef struct p15_search_slot p15_search_slot;

typedef struct {
    bool solved;
    uint8_t length, path[P15_PATH_BYTES];
} p15_found;

/* How a slot has ended. Over: beyond its most nodes. */
typedef enum { P15_SLOT_RUNNING, P15_SLOT_EXHAUSTED, P15_SLOT_SOLVED, P15_SLOT_OVER } p15_search_slot_end;

/* What a metric does in its own way. */
struct p15_metric {
    size_t bytes;      /* of a search */
    uint32_t subtrees; /* the most in an iteration */
    unsigned step;     /* a bound is larger by it than the one before */
    bool together;     /* in a batch, all slots of a worker search one board; else each searches its own */
    /* Sets goal and most_moves of a search, all else of which is 0, and what the metric adds. False: no memory. */
    bool (*make_search)(p15_idastar *search);
    void (*free_search)(p15_idastar *search); /* what the metric has added */
    /* Evaluates search->board, and sets the first bound. */
    p15_status (*begin)(p15_idastar *search, unsigned move);
    /* Schedules the subtrees of the next iteration, given how many nodes the one before generated. */
    p15_status (*prepare)(p15_idastar *search, uint64_t before);
    p15_status (*check)(const p15_idastar *search); /* replays search->found */
    bool (*lengthen)(p15_idastar *search);          /* p15_idastar_lengthen; NULL: there are no longer sequences */
    p15_status (*make_slots)(p15_worker *worker);   /* sets slot_count, and what the metric adds */
    void (*free_slots)(p15_worker *worker);         /* NULL: the worker's memory is all */
    void (*join)(p15_search_slot *slot);            /* comes to an iteration, without a subtree */
    void (*take)(p15_search_slot *slot);            /* begins with the subtree search->schedule[slot->position] */
    /* Visits the busy slots one after the other until one ends or *visits is used up. Returns the slot that ended, or
     * slot_count. A slot whose subtree is done goes on with p15_search_slot_next. */
    unsigned (*run)(p15_worker *worker, uint64_t *visits, p15_search_slot_end *end);
    void (*find)(p15_search_slot *slot); /* writes slot->found, once the slot was SOLVED */
};

/* The first member of a metric's searches. */
struct p15_idastar {
    const p15_metric *metric;
    const void *problem;
    p15_board goal, board;
    _Atomic(p15_status) status; /* a slot may find it, while others read it */
    bool ended;
    p15_found found;
    unsigned bound, limit, most_moves; /* most_moves: no bound is larger */
    unsigned iteration_count;
    p15_iteration iterations[P15_MAX_ITERATIONS];
    p15_counts counts;             /* in finished iterations */
    uint32_t *schedule, scheduled; /* subtrees, in their order */
    p15_counts *searched;          /* [scheduled] what was counted below each */
    atomic_uint cursor, best;      /* of the schedule: next to take; first known to be solved, or P15_NO_SUBTREE */
};

/* The nodes of the first `subtrees` of the schedule. */
p15_counts p15_idastar_counts(const p15_idastar *search, uint32_t subtrees);

/* Ends an iteration; `found` is what the subtree `best` has found, NULL if there is none. Prepares the next
 * iteration; returns false when there is none: the search has ended. */
bool p15_idastar_end_iteration(p15_idastar *search, const p15_found *found);

#endif
