/* p15_worker: slots of depth-first search that run one board's search, or a batch of boards, in either metric.
 *
 * Search slots hide the latency of memory. Tables are read from main memory, some hundred nanoseconds away. A worker has
 * several slots, each a search of its own, and visits one after the other. By then the entries that a slot has prefetched
 * have come.
 *
 * The slots of one search share its subtrees. In a batch of boards every slot has a board of its own, or all have one
 * (p15_metric.together). What is found depends neither on the number of slots nor on that of workers.
 *
 * Ownership: a worker points to its problem, which outlives it. A worker that was stopped in the middle of a search
 * or a batch is deleted.
 * Threads: one worker belongs to one thread. Several workers may run the same search, or share a batch; the calls that
 * end an iteration are made by one thread while no worker runs. */
#ifndef P15_OPTIMAL_WORKER_H
#define P15_OPTIMAL_WORKER_H

#include "optimal/idastar.h"

#define P15_MAX_SLOTS 16

/* A worker for the searches of a problem, which is one of the metric. P15_ERR_MEMORY. */
p15_status p15_worker_new(const p15_metric *metric, const void *problem, p15_worker **worker);
void p15_worker_delete(p15_worker *worker); /* NULL is fine */

/* The nodes that this worker has made so far: for limits. */
p15_counts p15_worker_counts(const p15_worker *worker);

/* ---- one board */

/* Works on the search's present iteration for about `visits` visits to a node; an expansion takes one or more. Returns
 * true while there is more to do, false when nothing is left for this worker to do in this iteration. */
bool p15_worker_run(p15_worker *worker, p15_idastar *search, uint64_t visits);

typedef enum {
    P15_RUN_ENDED,  /* solved, at its limit, or result.status is an error */
    P15_RUN_PAUSED, /* in an iteration, or at the end of one that made more than `max_nodes` */
    P15_RUN_WAITS   /* for longer sequences: p15_problem_lengthen, then p15_idastar_lengthen */
} p15_run_end;

/* Works on a search alone, iteration after iteration, for about `visits` visits. At the end of an iteration it pauses if
 * more than `max_nodes` nodes count by then. Not for an iteration that other workers have joined. */
p15_run_end p15_worker_run_alone(p15_worker *worker, p15_idastar *search, uint64_t visits, uint64_t max_nodes);

/* Ends an iteration and prepares the next one. All workers that ran are given, and are done with the iteration.
 * Returns false when the search has ended: it is solved, its limit is reached, or result.status is an error. */
bool p15_idastar_advance(p15_idastar *search, p15_worker *const *workers, unsigned worker_count);

/* The nodes that count so far, for limits: those of finished iterations, and of the present one those before the first
 * subtree that is not searched yet, and in it. Called while no worker runs. */
uint64_t p15_idastar_generated(const p15_idastar *search, p15_worker *const *workers, unsigned worker_count);

/* ---- many boards */

/* Many boards, which any number of workers solve. A worker takes one after the other. Boards whose result has a status
 * other than P15_OK at the start are passed over. A board that takes more than its max_nodes ends unsolved, with P15_OK:
 * its lower bound is that of the iteration in which it did. */
typedef struct {
    const p15_board *boards;
    const uint8_t *limits;     /* [count], no longer solution is looked for; NULL: none has a limit */
    const uint64_t *max_nodes; /* [count], the most nodes that may be generated; NULL: none has a limit */
    const uint8_t *moves;      /* [count], as of p15_idastar_begin, with limits; NULL unless set after the start */
    p15_result *results;       /* [count] */
    size_t count;
    atomic_size_t next, done; /* shared by all workers */
    atomic_bool stopped, wants_longer;
} p15_batch;

static inline void p15_batch_start(const p15_board *boards, const uint8_t *limits, const uint64_t *max_nodes,
                                   p15_result *results, size_t count, p15_batch *batch) {
    *batch = (p15_batch){boards, limits, max_nodes, NULL, results, count, 0, 0, false, false};
}

/* Lets all boards that are not done end unsolved, with P15_OK and what is proved so far as lower bound: from Manhattan
 * distance for those that were not begun. The workers go on until nothing is left to do, which reads no table. Any
 * thread may call it while workers run. */
static inline void p15_batch_stop(p15_batch *batch) { atomic_store(&batch->stopped, true); }

/* How many boards are done. */
static inline size_t p15_batch_done(const p15_batch *batch) { return atomic_load(&((p15_batch *)batch)->done); }

/* Whether a board has had to wait for longer sequences: the batch ends only after p15_problem_lengthen. */
static inline bool p15_batch_wants_longer(const p15_batch *batch) {
    return atomic_load(&((p15_batch *)batch)->wants_longer);
}

/* Solves boards of the batch for about `visits` node visits; beginning a board counts as some. Returns true while there is
 * more to do. Where slots search one board together, the counts of a board that is stopped, by max_nodes too, are those
 * of the iterations before. */
bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits);

/* ------------------------------------------------------------------------------------------------ for the metrics */

/* One search below a subtree. */
struct p15_search_slot {
    p15_idastar *search; /* NULL: idle */
    bool searching;      /* whether it has a subtree; false: it has just come to the iteration */
    uint32_t position;   /* of the subtree in its iteration */
    unsigned joined;     /* 1 + the number of the iteration it has joined, 0 for none */
    uint64_t most;       /* nodes that may be generated in the iteration */
    uint32_t found_at;   /* the first subtree that this slot solved in the iteration, P15_NO_SUBTREE for none */
    p15_found found;
    p15_counts counts;   /* below the present subtree */
    p15_counts searched; /* below those that it has searched in the iteration */
    size_t board;        /* of the batch */
    bool waiting;        /* the board's search, which it has left, waits for longer sequences */
    double started;
    void *own; /* the metric's */
};

struct p15_worker {
    const p15_metric *metric;
    const void *problem;
    p15_shape shape;
    p15_board goal;
    unsigned tiles;    /* a move brings so many tiles nearer at most */
    p15_counts counts; /* but below the slots' present subtrees */
    unsigned slot_count;
    p15_search_slot slots[P15_MAX_SLOTS];
    void *memory;                         /* of the metric's slots */
    p15_idastar *searches[P15_MAX_SLOTS]; /* for batches; NULL: not needed yet */
    bool busy;                            /* where slots search together: with a board of a batch */
};

/* Ends the work below a slot's subtree and goes on with the next one that can still matter; false: there is none. */
bool p15_search_slot_next(p15_worker *worker, p15_search_slot *slot);

#endif
