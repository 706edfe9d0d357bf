/* p15_batch: many boards, which any number of workers solve. The searches of both metrics have it, and its results.
 *
 * A worker takes one board after the other. Boards whose result has a status other than P15_OK at the start are passed
 * over. A board that takes more than its max_nodes ends unsolved, with P15_OK: its lower bound is that of the iteration
 * in which it did. What is found depends neither on the number of workers nor on their threads. */
#ifndef P15_OPTIMAL_BATCH_H
#define P15_OPTIMAL_BATCH_H

#include "base/path.h"

#include <stdatomic.h>

#define P15_NO_LIMIT 255u /* longer than any solution */

typedef struct {
    p15_status status;            /* P15_OK: ran to the goal or to a limit; otherwise what went wrong */
    bool solved;                  /* false: a limit stopped it */
    uint8_t length, lower_bound;  /* lower_bound: no solution is shorter */
    uint8_t path[P15_PATH_BYTES]; /* base/path.h; of multi-tile moves: multitile/search.h */
    uint64_t expanded, generated;
    double seconds; /* wall time, divided by the number of searches that shared the thread */
    unsigned iteration_count;
} p15_result;

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

/* For p15_batch_take: the result of a board that is not begun. */
static inline void p15_batch_pass(p15_board board, p15_shape shape, p15_board goal, unsigned tiles,
                                  p15_result *result) {
    result->status = p15_board_check(board, shape);
    if (result->status == P15_OK && !p15_board_solvable(board, goal, shape)) result->status = P15_ERR_UNSOLVABLE;
    if (result->status != P15_OK) return;
    result->lower_bound = (uint8_t)((p15_board_manhattan(board, goal, shape) + tiles - 1) / tiles);
}

/* For workers: takes the next board that is to be solved; false if there is none, or no visit is left. Once the batch
 * was stopped, it ends the boards that are left, but for the goal: each takes a visit. A move brings `tiles` tiles
 * nearer at most. */
static inline bool p15_batch_take(p15_batch *batch, p15_shape shape, p15_board goal, unsigned tiles, uint64_t *visits,
                                  size_t *board) {
    while (*visits > 0 && (*board = atomic_fetch_add(&batch->next, 1)) < batch->count) {
        p15_result *result = &batch->results[*board];
        if (result->status == P15_OK) {
            if (!atomic_load(&batch->stopped) || batch->boards[*board] == goal) return true;
            --*visits;
            p15_batch_pass(batch->boards[*board], shape, goal, tiles, result);
        }
        atomic_fetch_add(&batch->done, 1);
    }
    return false;
}

/* The most moves of a board's solution. */
static inline unsigned p15_batch_limit(const p15_batch *batch, size_t board) {
    return batch->limits ? batch->limits[board] : P15_NO_LIMIT;
}

#endif
