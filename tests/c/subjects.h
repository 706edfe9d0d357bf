/* Problems of either metric, and searches that check what they find. */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include "multi.h"
#include "multitile/search.h"
#include "partitions.h"

/* A problem of one of the metrics; the other one is NULL. */
typedef struct {
    p15_problem *single;
    p15_multi_problem *multi;
    p15_shape shape;
    p15_board goal;
} subject;

static inline subject single_tile(p15_problem *p) { return (subject){p, NULL, p->shape, p->goal}; }
static inline subject multi_tile(p15_multi_problem *p) { return (subject){NULL, p, p->shape, p->goal}; }

static inline void set_slots(subject s, unsigned slots) {
    if (s.single) s.single->slot_count = slots;
}

static inline p15_cpu *cpu_of(subject s) { return s.single ? &s.single->cpu : &s.multi->cpu; }

static inline p15_status h_of(subject s, p15_board board, unsigned *h) {
    return s.single ? p15_heuristic(s.single, board, h, NULL) : p15_multi_heuristic(s.multi, board, h, NULL);
}

static inline p15_idastar *search_of(subject s) {
    return s.single ? p15_idastar_new(&P15_SINGLE_TILE, s.single) : p15_idastar_new(&P15_MULTI_TILE, s.multi);
}

static inline p15_status worker_of(subject s, p15_worker **worker) {
    return s.single ? p15_worker_new(&P15_SINGLE_TILE, s.single, worker)
                    : p15_worker_new(&P15_MULTI_TILE, s.multi, worker);
}

static inline void make_workers(subject s, p15_worker **workers, unsigned count) {
    for (unsigned w = 0; w < count; w++) CHECK(worker_of(s, &workers[w]) == P15_OK);
}

static inline void delete_workers(p15_worker **workers, unsigned count) {
    for (unsigned w = 0; w < count; w++) p15_worker_delete(workers[w]);
}

static inline p15_idastar *begin_search(subject s, p15_board board, unsigned limit) {
    p15_idastar *search = search_of(s);
    CHECK(search && p15_idastar_begin(search, board, P15_DIRECTIONS, limit) == P15_OK);
    return search;
}

/* ------------------------------------------------------------------------------- results --- */

/* Every multi-tile move is along a line, and the axes alternate. */
static inline p15_board multi_end(p15_shape shape, p15_board board, const p15_result *result) {
    unsigned last = 2;
    CHECK(p15_path_cell(result->path, 0) == p15_board_blank(board));
    for (unsigned i = 0; i < result->length; i++) {
        unsigned blank = p15_board_blank(board), cell = p15_path_cell(result->path, i + 1), cols = shape.cols;
        unsigned axis = blank / cols == cell / cols ? 0 : 1;
        CHECK(cell < shape.cells && cell != blank && axis != last && (axis == 0 || blank % cols == cell % cols));
        last = axis;
        board = twin_slide_board(shape, board, cell);
    }
    return board;
}

static inline void check_path(subject s, p15_board board, const p15_result *result) {
    uint8_t dirs[P15_MAX_LENGTH];
    p15_board end;
    CHECK(result->status == P15_OK && result->solved && result->length <= P15_MAX_LENGTH);
    CHECK(result->lower_bound == result->length);
    for (unsigned i = 0; i < result->length; i++) dirs[i] = result->path[i / 4] >> (2 * (i % 4)) & 3u;
    if (s.multi)
        end = multi_end(s.shape, board, result);
    else
        CHECK(p15_board_apply(board, s.shape, dirs, result->length, &end) == result->length);
    CHECK(end == s.goal);
}

static inline bool same_result(const p15_result *a, const p15_result *b) {
    return a->status == b->status && a->solved == b->solved && a->length == b->length &&
           a->lower_bound == b->lower_bound && memcmp(a->path, b->path, sizeof a->path) == 0 &&
           a->expanded == b->expanded && a->generated == b->generated && a->iteration_count == b->iteration_count;
}

/* What a search that waits for longer sequences is given. */
static const p15_fsm *longer_fsm;

/* Runs a worker over a batch, `visits` a call; every board ends. Results whose status is not P15_OK stay as they are. */
static inline void run_batch(subject s, const p15_board *boards, const uint8_t *limits, const uint64_t *max_nodes,
                             size_t count, uint64_t visits, p15_result *results) {
    p15_batch batch;
    p15_worker *worker;
    make_workers(s, &worker, 1);
    p15_batch_start(boards, limits, max_nodes, results, count, &batch);
    while (p15_worker_run_batch(worker, &batch, visits)) {
        CHECK(p15_batch_done(&batch) < count);
        if (p15_batch_wants_longer(&batch)) p15_problem_lengthen(s.single, longer_fsm);
    }
    CHECK(p15_batch_done(&batch) == count);
    p15_worker_delete(worker);
}

/* Solves boards with `slots` slots and `visits` a call; every solved path is replayed. */
static inline p15_result *solve(subject s, const p15_board *boards, size_t count, unsigned slots, uint64_t visits) {
    p15_result *results = allocate(count, sizeof *results);
    set_slots(s, slots);
    run_batch(s, boards, NULL, NULL, count, visits, results);
    for (size_t i = 0; i < count; i++)
        if (results[i].status == P15_OK) check_path(s, boards[i], &results[i]);
    return results;
}

/* The search of one board by `count` workers in turns of `visits`; iterations may be NULL. */
static inline p15_result solve_one(subject s, p15_board board, unsigned count, unsigned slots, uint64_t visits,
                                   p15_iteration *iterations) {
    p15_worker *workers[3];
    p15_iteration own[P15_MAX_ITERATIONS];
    p15_result result;
    if (!iterations) iterations = own;
    set_slots(s, slots);
    make_workers(s, workers, count);
    p15_idastar *search = begin_search(s, board, P15_NO_LIMIT);
    do {
        if (!p15_idastar_lengthen(search)) {
            p15_problem_lengthen(s.single, longer_fsm);
            CHECK(p15_idastar_lengthen(search));
        }
        bool more = true;
        while (more) {
            more = false;
            for (unsigned w = 0; w < count; w++) more |= p15_worker_run(workers[w], search, visits + w);
        }
    } while (p15_idastar_advance(search, workers, count));
    p15_idastar_result(search, &result, iterations);
    check_path(s, board, &result);

    p15_counts sum = {0, 0}, made = {0, 0};
    unsigned h, step = s.single ? 2 : 1;
    CHECK(h_of(s, board, &h) == P15_OK);
    h += h == 0 && s.multi;
    for (unsigned i = 0; i < result.iteration_count; i++) {
        CHECK(iterations[i].bound == h + step * i);
        p15_counts_add(&sum, (p15_counts){iterations[i].expanded, iterations[i].generated});
    }
    CHECK(result.iteration_count == (board == s.goal ? 0 : (result.length - h) / step + 1));
    CHECK(sum.expanded == result.expanded && sum.generated == result.generated);
    for (unsigned w = 0; w < count; w++) p15_counts_add(&made, p15_worker_counts(workers[w]));
    if (slots * count == 1 && s.single) /* more slots work ahead */
        CHECK(made.generated == result.generated && made.expanded == result.expanded);
    delete_workers(workers, count);
    p15_idastar_delete(search);
    return result;
}

#endif
